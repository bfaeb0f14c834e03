/** Which documents are translated, and where their translations go. */
import { existsSync } from "node:fs"
import { dirname, join, normalize, relative, resolve } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { escapePath, glob, isDynamicPattern } from "tinyglobby"
import * as Document from "../../api/Document.js"
import * as DocumentBatch from "../../document/DocumentBatch.js"
import * as DocumentJournal from "../../document/DocumentJournal.js"
import type { DocumentTranslateInput } from "../commands/declarations/texts.js"
import { Usage } from "../failure.js"
import * as outputPath from "../translate/outputPath.js"
import { isFolder } from "../translate/outputPath.js"

interface Found {
  readonly path: string
  /** Whether it was named itself, and not found. */
  readonly isNamed: boolean
}

const types = `**/*.{${Document.inputTypes.join(",")}}`

const find = (file: string): Effect.Effect<ReadonlyArray<Found>, Usage> => {
  if (existsSync(file) && !isFolder(file)) return Effect.succeed([{ path: normalize(file), isNamed: true }])
  if (!existsSync(file) && !isDynamicPattern(file)) {
    return new Usage({ message: `${file} is not there: check its name, and the folder that you are in.` })
  }
  const pattern = isFolder(file) ? join(escapePath(file), types) : file
  return Effect.promise(() =>
    glob(pattern, { ignore: "**/node_modules/**", caseSensitiveMatch: false, expandDirectories: false })
  ).pipe(
    Effect.filterOrFail(
      (paths) => paths.length > 0,
      () => new Usage({ message: isFolder(file) ? `${file} holds no document.` : `No file matches ${file}.` })
    ),
    Effect.map((paths) => paths.toSorted().map((path) => ({ path: normalize(path), isNamed: false })))
  )
}

/** The folder of a file below the working folder, or "" for one elsewhere. */
const folderOf = (path: string): string => {
  const folder = dirname(relative("", path))
  return folder === "." || folder.startsWith("..") ? "" : folder
}

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
    const found = (yield* Effect.forEach(input.files, find)).flat()
    const files = Arr.dedupeWith(
      found.toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed)),
      (a, b) => a.path === b.path
    )
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
    const itemsOf = ({ path }: Found) =>
      targets.map((targetLang) => {
        const item = { path, targetLang, upload }
        const source = { path: Document.translatedName(path, outputFormat), folder: folderOf(path) }
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
