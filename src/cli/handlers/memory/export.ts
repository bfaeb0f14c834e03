import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as StoreExchange from "../../../store/StoreExchange.js"
import * as TranslationStore from "../../../store/TranslationStore.js"
import type { ExportInput } from "../../commands/memory.js"
import * as files from "../../files.js"
import * as Output from "../../output.js"
import * as text from "../../text.js"
import { codecOf } from "./codec.js"
import { withExisting } from "./existing.js"

export const handle = (input: ExportInput) =>
  withExisting(input.store, (name) =>
    Effect.gen(function* () {
      const { file, format } = input
      const { encode } = yield* codecOf(file, format)
      const store = yield* TranslationStore.TranslationStore
      const output = file === files.standard ? Output.make(input, process.stderr) : yield* Output.Output
      const items = input.corrections ? store.corrections : StoreExchange.exportAll(store)
      let exported = 0
      const counted = Stream.mapChunks(items, (chunk) => {
        exported += chunk.length
        return chunk
      })
      yield* files.write(file, encode(counted))
      yield* output.result(
        { store: name, file, exported },
        `${text.plural(exported, "item")} of ${name} written to ${files.nameOf(file)}.`
      )
    })
  )
