/**
 * Dictionaries in CSV and TSV files.
 *
 * @since 0.1.0
 */

import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as GlossaryEntries from "../api/GlossaryEntries.js"
import * as Lines from "../format/Lines.js"
import { is, TaggedError } from "../internal/taggedError.js"
import * as GlossaryCsv from "./GlossaryCsv.js"
import type { Dictionary } from "./GlossarySync.js"

/**
 * A file can't be read as a dictionary, or the service would refuse its entries. The message names the file and up to 20 lines.
 *
 * @since 0.1.0
 * @category errors
 */
export class GlossaryFileError extends TaggedError<GlossaryFileError>()("GlossaryFileError", {
  file: Schema.String,
  /**
   * Neither its name nor an option tells its format (`format`), it can't be read as text (`text`), or its entries have
   * problems (`entries`).
   */
  reason: Schema.Literal("format", "text", "entries"),
  /** All problems of the entries. */
  problems: Schema.Array(GlossaryEntries.Problem),
  message: Schema.String
}) {}

/**
 * Returns `true` for a `GlossaryFileError`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isGlossaryFileError = is(GlossaryFileError)

/**
 * Options for reading a file.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends GlossaryEntries.LanguagePair {
  /** The format of the file. @default the end of its name: `.csv` or `.tsv`, in any casing */
  readonly format?: "csv" | "tsv" | undefined
}

/**
 * A dictionary from a file.
 *
 * @since 0.1.0
 * @category models
 */
export interface FileDictionary extends Dictionary {
  /** The number of rows of a CSV file in other languages. They are not among the entries. */
  readonly ignored: number
}

const formatOf = (file: string): "csv" | "tsv" | undefined => {
  const name = file.toLowerCase()
  return name.endsWith(".csv") ? "csv" : name.endsWith(".tsv") ? "tsv" : undefined
}

const textOf = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    fs.stream(file).pipe(
      Lines.decode(),
      Stream.runCollect,
      Effect.map((lines) => Chunk.join(lines, "\n"))
    )
  )

const decode = (format: "csv" | "tsv", text: string, pair: GlossaryEntries.LanguagePair) =>
  format === "csv"
    ? GlossaryCsv.decode(text, pair)
    : Either.map(GlossaryEntries.decodeTsv(text), (entries) => ({ entries, ignored: 0 }))

const isHeader = ({ source, target }: GlossaryEntries.Entry): boolean =>
  /^source([ _-]?(text|term|phrase))?$/i.test(source) && /^target([ _-]?(text|term|phrase))?$/i.test(target)

/**
 * Reads the dictionary of a language pair from a file: CSV or TSV in UTF-8, without a header. The entries are checked by the
 * rules of the service. The error names all problems at once, by file and line.
 *
 * Source: service specification, Glossary.
 *
 * @since 0.1.0
 * @category constructors
 */
export const read: (
  file: string,
  options: Options
) => Effect.Effect<FileDictionary, GlossaryFileError | PlatformError.PlatformError, FileSystem.FileSystem> =
  Effect.fn("GlossaryFile.read")(function* (file, { format = formatOf(file), sourceLang, targetLang }) {
    const fail = (
      reason: GlossaryFileError["reason"],
      message: string,
      problems: ReadonlyArray<GlossaryEntries.Problem> = []
    ) => new GlossaryFileError({ file, reason, problems, message: `${file}: ${message}` })
    if (format === undefined) {
      return yield* fail(
        "format",
        "the name must end with .csv or .tsv, or `format` say what the file holds."
      )
    }
    const text = yield* textOf(file).pipe(
      Effect.catchTag("LinesError", ({ message }) => fail("text", message))
    )
    const { entries, ignored } = yield* Either.mapLeft(
      decode(format, text, { sourceLang, targetLang }),
      ({ message, problems }) => fail("entries", message, problems)
    )
    const header = entries.find(isHeader)
    if (header !== undefined) {
      return yield* fail(
        "entries",
        `the row ${header.source},${header.target} looks like a header, and would be a term: remove it.`
      )
    }
    return { sourceLang, targetLang, entries, ignored }
  })
