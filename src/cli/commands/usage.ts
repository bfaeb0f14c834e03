import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { Usage } from "../../api/Usage.js"
import * as TranslateClient from "../../client/TranslateClient.js"
import type { Actions } from "../command.js"
import type { usage } from "../declarations/account.js"
import { Output } from "../output.js"
import * as service from "../serviceClient.js"
import * as text from "../textTable.js"

/** Some services answer with such a limit where there is none. */
const unlimited = 1e12

const row = (name: string, used: number | undefined, limit: number | null | undefined) => {
  if (used === undefined) return []
  if (limit === undefined || limit === null || limit >= unlimited)
    return [[name, used, undefined, "no limit"]]
  return [[name, used, limit, limit === 0 ? "blocked" : `${Math.floor((used / limit) * 1000) / 10} %`]]
}

const day = 86_400_000

const rest = (end: DateTime.Utc, now: number): string => {
  const days = Math.floor((DateTime.toEpochMillis(end) - now) / day)
  return days < 1 ? "less than a day left" : `${text.plural(days, "day")} left`
}

const period = ({ endTime, startTime }: Usage, now: number): ReadonlyArray<string> => {
  if (endTime === undefined) return []
  const begin = startTime === undefined ? "" : `Counted since ${DateTime.formatIsoDateUtc(startTime)}; `
  const at = DateTime.formatIso(endTime).replace(/T(\d\d:\d\d).*/, " $1 UTC")
  return [`${begin}${begin === "" ? "B" : "b"}egins anew at ${at} (${rest(endTime, now)}).`]
}

export const actions: Actions<typeof usage> = () =>
  Effect.gen(function* () {
    const { usage } = yield* TranslateClient.TranslateClient
    const used = yield* usage
    const now = yield* Clock.currentTimeMillis
    const rows = [
      ...row("characters", used.characterCount, used.characterLimit),
      ...row("characters of this key", used.apiKeyCharacterCount, used.apiKeyCharacterLimit),
      ...row("documents", used.documentCount, used.documentLimit),
      ...row("documents of the team", used.teamDocumentCount, used.teamDocumentLimit),
      ...row(
        "milliseconds of speech",
        used.speechToTextMillisecondsCount,
        used.speechToTextMillisecondsLimit
      ),
      ...row("minutes of speech into text", used.speechToTextMinutesCount, used.speechToTextMinutesLimit),
      ...row(
        "minutes of speech into speech",
        used.speechToSpeechMinutesCount,
        used.speechToSpeechMinutesLimit
      )
    ]
    yield* Output.result(used, [text.table(["", "used", "limit", ""], rows), ...period(used, now)].join("\n"))
  }).pipe(Effect.provide(service.client))
