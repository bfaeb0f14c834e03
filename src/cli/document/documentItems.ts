/** Which documents are translated, and where their translations go. */
import { normalize, resolve } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Document from "../../api/Document.js"
import * as DocumentBatch from "../../document/DocumentBatch.js"
import * as DocumentJournal from "../../document/DocumentJournal.js"
import type { DocumentTranslateInput } from "../commands/declarations/texts.js"
import { Usage } from "../failure.js"
import { type Found, findFiles } from "../findFiles.js"
import { isFolder } from "../namedFiles.js"
import * as outputPath from "../translate/outputPath.js"

/** What is translated into what. What was found and is the translation of another file is left out. */
export const make = (
  input: DocumentTranslateInput,
  targets: ReadonlyArray<string>
): Effect.Effect<
  ReadonlyArray<DocumentBatch.Item>,
  Usage | DocumentJournal.DocumentJournalError,
  FileSystem.FileSystem
> =>
  Effect.gen(function* () {
    const { from, glossary, out, outputFormat, style } = input
    const wrong = outputPath.placeholderProblem(out)
    if (wrong !== undefined) return yield* new Usage({ message: wrong })
    const files = yield* findFiles(input.files, {
      endings: Document.inputTypes.map((type) => `.${type}`),
      nothingIn: (folder) => `${folder} holds no document.`
    })
    const upload = {
      sourceLang: from,
      formality: input.formality,
      glossaryId: glossary,
      styleId: style,
      outputFormat
    }
    const where = { out, from, isFolder }
    const problem = outputPath.problemOf(where, files.length * targets.length)
    if (problem !== undefined) return yield* new Usage({ message: problem })
    const outputOf = outputPath.make(where)
    const itemsOf = ({ folder, path }: Found) =>
      targets.map((targetLang) => {
        const item = { path, targetLang, upload }
        const source = { path: Document.translatedName(path, outputFormat), folder }
        const output = out === undefined ? DocumentBatch.defaultOutput(item) : outputOf(source)(targetLang)
        return { ...item, output: normalize(output) }
      })
    const items = files.flatMap((file) => itemsOf(file).map((item) => ({ item, isNamed: file.isNamed })))
    const written = yield* DocumentJournal.list(input.journal)
    const outputs = new Set([
      ...written.map(({ output }) => output),
      ...items.map(({ item }) => resolve(item.output))
    ])
    return items
      .filter(({ isNamed, item }) => isNamed || !outputs.has(resolve(item.path)))
      .map(({ item }) => item)
  })
