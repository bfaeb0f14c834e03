/** The translation memories of the service that `memory push` has made. */
import * as Effect from "effect/Effect"
import * as TranslationMemorySync from "../store/TranslationMemorySync.js"
import { usage } from "./failure.js"
import * as stores from "./storeOption.js"

/** The file that remembers pushed memories, beside the store. */
export const journalOf = ({ folder }: Pick<stores.Found, "folder">): string =>
  `${folder}/translation-memories.json`

/** The ids of those that were pushed last under a name. */
export const idsOf = (name: string, store: string | undefined) =>
  Effect.gen(function* () {
    const found = yield* stores.openAsItIs(store)
    const pushed = yield* TranslationMemorySync.pushed({ name, journal: journalOf(found) })
    return pushed.map(({ translationMemoryId }) => translationMemoryId)
  })

const isId = (given: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)

/** The id that `--translation-memory` means. */
export const idOf = (given: string, store: string | undefined) =>
  Effect.gen(function* () {
    if (isId(given)) return given
    const [id, ...others] = yield* idsOf(given, store)
    if (id === undefined) {
      return yield* usage(
        `--translation-memory ${given}: nothing was pushed under this name from here. Give the id, as "effect-translate translation-memory list" shows it, or push by "effect-translate memory push ${given}".`
      )
    }
    return others.length === 0
      ? id
      : yield* usage(
          `--translation-memory ${given}: it was pushed to several services or accounts. Give the id, one of ${[id, ...others].join(", ")}.`
        )
  })
