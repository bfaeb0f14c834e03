/** Which documents are translated, and where their translations go. */
import { normalize, resolve } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Document from "../../api/Document.js"
import type * as ServiceKind from "../../api/ServiceKind.js"
import type * as DocumentBatch from "../../document/DocumentBatch.js"
import * as DocumentJournal from "../../document/DocumentJournal.js"
import * as OutputPath from "../../format/OutputPath.js"
import type { DocumentTranslateInput } from "../declarations/texts.js"
import type { LeftOut } from "../discovery/leftOut.js"
import * as sourcesAmong from "../discovery/sourcesAmong.js"
import { type Usage, usage } from "../failure.js"
import { type Found, findFiles } from "../findFiles.js"
import { isFolder } from "../namedFiles.js"
import * as parameters from "../parameters.js"

/** The documents with their languages and outputs. Files that were found and are the translation of another file are left out. */
export const make = (
  input: DocumentTranslateInput,
  targets: ReadonlyArray<string>,
  { documentTypes }: ServiceKind.ServiceKind
): Effect.Effect<
  { readonly items: ReadonlyArray<DocumentBatch.Item>; readonly leftOut: ReadonlyArray<LeftOut> },
  Usage | DocumentJournal.DocumentJournalError,
  FileSystem.FileSystem
> =>
  Effect.gen(function* () {
    const { from, glossary, out, outputFormat, style, watermark } = input
    const files = yield* findFiles(input.files, {
      endings: documentTypes.map((type) => `.${type}`),
      nothingIn: (folder) => `${folder} holds no document.`
    })
    const upload = {
      sourceLang: from,
      formality: input.formality,
      glossaryId: glossary,
      styleId: style,
      outputFormat,
      enableWatermark: watermark && watermark === "on",
      extraParameters: yield* parameters.valuesOf(input.parameters)
    }
    const where = { out, from, isFolder }
    const problem = OutputPath.problemOf(where, files.found.length * targets.length)
    if (problem !== undefined) return yield* usage(`--out ${problem}`)
    const outputOf = OutputPath.outputOf(where)
    const itemOf =
      ({ folder, path }: Found) =>
      (targetLang: string) => {
        const item = { path, targetLang, upload }
        const source = { path: Document.translatedName(path, outputFormat), folder }
        const output = out === undefined ? OutputPath.ofDocument(item) : outputOf(source)(targetLang)
        return { ...item, output: normalize(output) }
      }
    const written = yield* DocumentJournal.list(input.journal)
    const { found, leftOut } = yield* sourcesAmong.make(files, {
      files: input.files,
      from,
      targets,
      outputOf: (file) => (targetLang) => itemOf(file)(targetLang).output,
      records: written.flatMap(({ output, targetLang }) =>
        output === undefined ? [] : [{ path: resolve(output), targetLang }]
      )
    })
    return { items: found.flatMap((file) => targets.map(itemOf(file))), leftOut }
  })
