import { relative, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as JobSource from "../../job/JobSource.js"
import * as OutputCheck from "../../job/OutputCheck.js"
import * as TranslationStore from "../../store/TranslationStore.js"
import type { Actions } from "../command.js"
import type { accept } from "../declarations/outputs.js"
import { Usage } from "../failure.js"
import { Output } from "../output.js"
import { Settings } from "../settings/settings.js"
import * as stores from "../storeOption.js"
import * as text from "../textTable.js"
import * as errorText from "../translate/errorText.js"
import * as translationJob from "../translate/translationJob.js"

/** The records of an output: one for each language in it. */
const recordsOf = (file: string) =>
  Effect.gen(function* () {
    const { root, stateFolder } = yield* Settings
    const all = yield* JobSource.outputsIn(stateFolder, root)
    const own = all.filter(({ path }) => path === resolve(file))
    const found = yield* Effect.forEach(own, (output) =>
      Effect.map(JobSource.sourceOf(output, { stateFolder, stateRoot: root }), (source) => ({
        ...output,
        source
      }))
    )
    const known = found.flatMap(({ source, targetLang }) =>
      source === undefined ? [] : [{ source: relative(".", source), targetLang }]
    )
    return known.length > 0
      ? known
      : yield* new Usage({
          message: `${file} has no record: name an output, and translate its source once before.`
        })
  })

export const actions: Actions<typeof accept> = (input) =>
  Effect.gen(function* () {
    const { root, stateFolder, translate } = yield* Settings
    const { result } = yield* Output
    const { detect, named } = yield* translationJob.formatOf({
      columns: [],
      keys: [],
      outputColumn: undefined,
      onBadLine: undefined,
      fields: input.fields.length > 0 ? input.fields : translate.fields,
      format: input.format ?? translate.format
    })
    const store = yield* stores.openAsItIs(input.store ?? translate.store)
    const accepted = yield* Effect.forEach(input.files, (file) =>
      Effect.flatMap(recordsOf(file), (records) =>
        Effect.forEach(records, ({ source, targetLang }) =>
          Effect.flatMap(TranslationStore.TranslationStore, (store) =>
            OutputCheck.accept({
              files: [
                { path: source, format: named ?? detect, output: () => file, stateFolder, stateRoot: root }
              ],
              targets: [targetLang],
              keys: input.keys.length === 0 ? undefined : input.keys,
              store
            })
          )
        )
      )
    ).pipe(
      Effect.map((all) => all.flat(2)),
      Effect.provide(store.layer)
    )
    const missing = input.keys.filter((key) => !accepted.some(({ keys }) => keys.includes(key)))
    if (missing.length > 0) {
      return yield* new Usage({
        message: `${missing.join(", ")}: nothing to accept there. effect-translate check lists what there is.`
      })
    }
    yield* result(
      { accepted },
      accepted
        .map(({ keys, output }) =>
          keys.length === 0
            ? `${output}: nothing to accept.`
            : `${output}: ${text.plural(keys.length, "text")} accepted as a person's.`
        )
        .join("\n")
    )
  }).pipe(Effect.scoped, Effect.mapError(errorText.describe({ sources: [] })))
