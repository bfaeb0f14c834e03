import * as Effect from "effect/Effect"
import * as StoreExchange from "../../../store/StoreExchange.js"
import * as TranslationStore from "../../../store/TranslationStore.js"
import type { ImportInput } from "../../commands/memory.js"
import { Usage } from "../../failure.js"
import * as files from "../../files.js"
import { Output } from "../../output.js"
import * as stores from "../../store.js"
import * as text from "../../text.js"
import { codecOf } from "./codec.js"

export const handle = ({ files: names, format, from, store, to }: ImportInput) =>
  Effect.gen(function* () {
    const { result } = yield* Output
    const sources = yield* Effect.forEach(names, (file) =>
      Effect.map(codecOf(file, format), ({ decode }) =>
        files.read(file).pipe(
          decode({
            file: files.nameOf(file, "input"),
            sourceLang: from,
            targetLang: to
          })
        )
      )
    )
    const { layer, name } = yield* stores.open(store)
    const counts = yield* Effect.provide(
      Effect.flatMap(TranslationStore.TranslationStore, (opened) =>
        Effect.forEach(sources, StoreExchange.importAll(opened))
      ),
      layer
    ).pipe(
      Effect.catchTag("FormatError", ({ key, message }) => {
        const advice = key === "targetLang" && to === undefined ? " Or say the language by --to." : ""
        return new Usage({
          message: `${message}${advice} What is before that is imported: correct the file and import it again.`
        })
      })
    )
    const sum = (kind: "corrections" | "entries") => counts.reduce((total, count) => total + count[kind], 0)
    const read = { corrections: sum("corrections"), entries: sum("entries") }
    yield* result(
      { store: name, ...read },
      `${text.plural(read.corrections, "correction")} and ${text.plural(read.entries, "translation")} of the machine read into ${name}.`
    )
  })
