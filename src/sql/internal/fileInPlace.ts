import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as StoreError from "../../store/StoreError.js"
import type { Database } from "./database.js"

/** At once: as an effect of `FileSystem`, a look takes a tenth of the CPU of a first run. */
const fs = globalThis.process?.getBuiltinModule?.("node:fs")

/** Device and number of the file that has a name; none if there is none. */
const identityOf = (path: string): string | undefined =>
  Either.getOrUndefined(
    Either.try(() => {
      const info = fs?.statSync(path, { bigint: true })
      return info && `${info.dev} ${info.ino}`
    })
  )

/**
 * Fails once the name of the file leads to another one, or to none. The driver would not notice: it goes on with the file that it has
 * opened, which is gone with this process.
 */
export const make = ({
  dialect,
  name,
  persist,
  queryTexts
}: Database): Effect.Effect<Effect.Effect<void, StoreError.StoreReplaced>, StoreError.StoreError> =>
  dialect.isFile
    ? Effect.map(
        persist(queryTexts<[string]>(1, "SELECT file FROM pragma_database_list WHERE name = 'main'")),
        ([[file] = [""]]) => {
          const opened = identityOf(file)
          return opened === undefined
            ? Effect.void
            : Effect.suspend(() =>
                identityOf(file) === opened ? Effect.void : new StoreError.StoreReplaced({ store: name })
              )
        }
      )
    : Effect.succeed(Effect.void)
