import * as Effect from "effect/Effect"
import * as TranslationStore from "../../../store/TranslationStore.js"
import type { StatsInput } from "../../commands/memory.js"
import { Output } from "../../output.js"
import * as text from "../../text.js"
import { withExisting } from "./existing.js"

/** What each state of a request says about the bill, in the order in which they are shown. */
const states = {
  answered: "billed",
  rejected: "not billed",
  unknown: "perhaps billed",
  expired: "perhaps billed",
  inFlight: "not known yet"
} as const

const describe = (name: string, stats: TranslationStore.Stats): string => {
  const { attempts, bytes, corrections, languages, translations } = stats
  const sent = (Object.keys(states) as ReadonlyArray<keyof typeof states>).filter(
    (state) => attempts[state].attempts > 0
  )
  const doubtful = attempts.unknown.characters + attempts.expired.characters
  return [
    `Store: ${name}`,
    `${text.plural(translations, "translation")} of the machine, ${text.count(bytes)} bytes; ${text.plural(corrections, "correction")}.`,
    ...(languages.length === 0
      ? []
      : [
          "",
          text.table(
            ["from", "to", "translations"],
            languages.map(({ sourceLang, targetLang, translations }) => [
              sourceLang ?? "detected",
              targetLang ?? "the same",
              translations
            ])
          )
        ]),
    ...(sent.length === 0
      ? []
      : [
          "",
          text.table(
            ["requests", "number", "characters", ""],
            sent.map((state) => [
              state === "inFlight" ? "in flight" : state,
              attempts[state].attempts,
              attempts[state].characters,
              states[state]
            ])
          )
        ]),
    ...(doubtful === 0
      ? []
      : [
          "",
          `At most ${text.plural(doubtful, "character")} may have been paid in vain, or will be if sent again.`
        ])
  ].join("\n")
}

export const handle = ({ store }: StatsInput) =>
  withExisting(store, (name) =>
    Effect.gen(function* () {
      const { result } = yield* Output
      const { stats } = yield* TranslationStore.TranslationStore
      const found = yield* stats
      yield* result({ store: name, ...found }, describe(name, found))
    })
  )
