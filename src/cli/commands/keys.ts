import * as FileSystem from "@effect/platform/FileSystem"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as AdminClient from "../../client/AdminClient.js"
import type * as DeveloperKeys from "../../client/DeveloperKeys.js"
import { reasonOf } from "../../internal/systemCauses.js"
import type { Actions } from "../command.js"
import type { keys } from "../declarations/account.js"
import { Incomplete, type Usage, usage } from "../failure.js"
import * as files from "../namedFiles.js"
import { Output } from "../output.js"
import * as service from "../serviceClient.js"
import { confirm } from "../terminal/prompt.js"
import * as text from "../textTable.js"

/** The shown part of a key, as in the reports of the service. */
const masked = ({ keyId }: DeveloperKeys.DeveloperKey): string => {
  const key = Redacted.value(keyId)
  return key.length < 16 ? "****" : `${key.slice(0, 4)}****${key.slice(-4)}`
}

/** A key without its secret. */
const shown = ({ keyId, ...key }: DeveloperKeys.DeveloperKey) => ({
  maskedKey: masked({ keyId, ...key }),
  ...key
})

const named = (key: DeveloperKeys.DeveloperKey): string => `${key.label} (${masked(key)})`

/** The names of keys for people. */
const namesOf = (keys: ReadonlyArray<DeveloperKeys.DeveloperKey>): string => keys.map(named).join(", ")

/** The key of a label, or of its shown part. An active one comes before those that are deactivated. */
const find = (reference: string) =>
  Effect.gen(function* () {
    const { developerKeys } = yield* AdminClient.AdminClient
    const all = yield* developerKeys.list
    const matches = all.filter((key) => key.label === reference || masked(key) === reference)
    const active = matches.filter(({ isDeactivated }) => !isDeactivated)
    const [found, ...others] = active.length > 0 ? active : matches
    // The words that were given may be a key.
    if (found === undefined) {
      return yield* usage(
        `There is no key of that label: see "effect-translate keys list". A key itself does not belong on a command line.`
      )
    }
    return others.length === 0
      ? found
      : yield* usage(`Several keys are meant: ${namesOf([found, ...others])}.`)
  })

const limitOf = (limit: number | null | undefined) => (limit === null ? "no limit" : limit)

/** Keys as a table. */
const describe = (keys: ReadonlyArray<DeveloperKeys.DeveloperKey>): string =>
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

const create = (label: string) =>
  Effect.flatMap(AdminClient.AdminClient, ({ developerKeys }) => developerKeys.create({ label }))

/** The file is made first: a key that can't be kept is not created. */
const createInto = (label: string, file: string) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const opened = yield* Effect.mapError(
        fs.open(file, { flag: "wx", mode: 0o600 }),
        files.unwritable(file)
      )
      const key = yield* Effect.onError(restore(create(label)), () => Effect.ignore(fs.remove(file)))
      yield* Effect.mapError(
        opened.writeAll(new TextEncoder().encode(`${Redacted.value(key.keyId)}\n`)),
        (error) =>
          new Incomplete({
            message: `${file} can't be written: ${reasonOf(error)}. Deactivate the key that was created: ${masked(key)}.`
          })
      )
      return key
    })
  ).pipe(Effect.scoped)

/** The limit that an option sets; `null` is none. */
const limitFrom = (
  option: string,
  given: string | undefined
): Effect.Effect<number | null | undefined, Usage> => {
  if (given === undefined || given === "none") return Effect.succeed(given && null)
  const limit = Number(given)
  return /^\d+$/.test(given) && Number.isSafeInteger(limit)
    ? Effect.succeed(limit)
    : usage(`${option} ${given}: give a whole number, or none to lift the limit.`)
}

export const actions: Actions<typeof keys> = {
  list: () =>
    Effect.gen(function* () {
      const { developerKeys } = yield* AdminClient.AdminClient
      const keys = yield* developerKeys.list
      if (keys.length === 0) yield* Output.note("There are no keys.")
      yield* Output.result({ keys: keys.map(shown) }, keys.length === 0 ? "" : describe(keys))
    }).pipe(Effect.provide(service.admin)),

  create: ({ label, out }) =>
    Effect.gen(function* () {
      if (out !== undefined) {
        const key = yield* createInto(label, out)
        yield* Output.result({ ...shown(key), file: out }, `Created ${namesOf([key])}: it is in ${out}.`)
        return
      }
      const key = yield* create(label)
      const keyId = Redacted.value(key.keyId)
      yield* Output.result({ ...shown(key), keyId }, keyId)
      yield* Output.note(
        `Created ${namesOf([key])}. Anyone with the key can use the account: keep it secret.`
      )
    }).pipe(Effect.provide(service.admin)),

  label: ({ key, label }) =>
    Effect.gen(function* () {
      const { developerKeys } = yield* AdminClient.AdminClient
      const { keyId } = yield* find(key)
      const labelled = yield* developerKeys.rename(keyId, label)
      yield* Output.result(shown(labelled), describe([labelled]))
    }).pipe(Effect.provide(service.admin)),

  limit: (input) =>
    Effect.gen(function* () {
      const characters = yield* limitFrom("--characters", input.characters)
      const speechToTextMilliseconds = yield* limitFrom("--speech", input.speech)
      if (characters === undefined && speechToTextMilliseconds === undefined) {
        return yield* usage("Say the limit: --characters 500000, or --characters none to lift it.")
      }
      const { developerKeys } = yield* AdminClient.AdminClient
      const { keyId } = yield* find(input.key)
      const limited = yield* developerKeys.setLimits(keyId, { characters, speechToTextMilliseconds })
      yield* Output.result(shown(limited), describe([limited]))
    }).pipe(Effect.provide(service.admin)),

  deactivate: ({ keys, yes }) =>
    Effect.gen(function* () {
      const { developerKeys } = yield* AdminClient.AdminClient
      const found = yield* Effect.forEach([...new Set(keys)], find)
      yield* confirm(`Deactivate ${namesOf(found)} for good?`, { yes })
      const deactivated = yield* Effect.forEach(found, ({ keyId }) => developerKeys.deactivate(keyId))
      yield* Output.result({ keys: deactivated.map(shown) }, describe(deactivated))
    }).pipe(Effect.provide(service.admin))
}
