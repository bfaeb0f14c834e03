import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as AdminClient from "../../../client/AdminClient.js"
import type * as DeveloperKeys from "../../../client/DeveloperKeys.js"
import { Usage } from "../../failure.js"
import * as text from "../../text.js"

/** What may be shown of a key, as the reports of the service do. */
export const masked = ({ keyId }: DeveloperKeys.DeveloperKey): string => {
  const key = Redacted.value(keyId)
  return key.length < 16 ? "****" : `${key.slice(0, 4)}****${key.slice(-4)}`
}

/** A key without what is secret. */
export const shown = ({ keyId, ...key }: DeveloperKeys.DeveloperKey) => ({
  maskedKey: masked({ keyId, ...key }),
  ...key
})

const named = (key: DeveloperKeys.DeveloperKey): string => `${key.label} (${masked(key)})`

/** What people call keys. */
export const namesOf = (keys: ReadonlyArray<DeveloperKeys.DeveloperKey>): string => keys.map(named).join(", ")

/** The key of a label, or of what is shown of it. An active one comes before those that are deactivated. */
export const find = (reference: string) =>
  Effect.gen(function* () {
    const { developerKeys } = yield* AdminClient.AdminClient
    const all = yield* developerKeys.list
    const matches = all.filter((key) => key.label === reference || masked(key) === reference)
    const active = matches.filter(({ isDeactivated }) => !isDeactivated)
    const [found, ...others] = active.length > 0 ? active : matches
    // The words that were given may be a key.
    if (found === undefined) {
      return yield* new Usage({
        message: `There is no key of that label: see "effect-translate keys list". A key itself does not belong on a command line.`
      })
    }
    return others.length === 0
      ? found
      : yield* new Usage({ message: `Several keys are meant: ${namesOf([found, ...others])}.` })
  })

const limitOf = (limit: number | null | undefined) => (limit === null ? "no limit" : limit)

/** Keys as a table. */
export const describe = (keys: ReadonlyArray<DeveloperKeys.DeveloperKey>): string =>
  text.table(
    ["key", "label", "created", "characters a month", "speech (ms)", ""],
    keys.map((key) => [
      masked(key),
      key.label,
      key.creationTime && DateTime.formatIsoDateUtc(key.creationTime),
      limitOf(key.usageLimits?.characters),
      limitOf(key.usageLimits?.speechToTextMilliseconds),
      key.isDeactivated ? "deactivated" : "active"
    ])
  )
