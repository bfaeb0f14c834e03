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
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as GlossaryEntries from "../api/GlossaryEntries.js"
import * as Lines from "../format/Lines.js"
import type * as GlossaryPlan from "./GlossaryPlan.js"

/**
 * The mark by which errors of this module are known.
 *
 * @since 0.1.0
 * @category type ids
 */
export const TypeId: unique symbol = Symbol.for("effect-translate/GlossaryFile")

/**
 * The type of the mark by which errors of this module are known.
 *
 * @since 0.1.0
 * @category type ids
 */
export type TypeId = typeof TypeId

/**
 * A file holds no dictionary that the service takes. The message names the file, and the first 20 lines at fault.
 *
 * @since 0.1.0
 * @category errors
 */
export class GlossaryFileError extends Schema.TaggedError<GlossaryFileError>(
  "effect-translate/GlossaryFileError"
)("GlossaryFileError", {
  file: Schema.String,
  /** All that is wrong with the entries; none if the file can't be read as text. */
  problems: Schema.Array(GlossaryEntries.Problem),
  message: Schema.String
}) {
  /**
   * @since 0.1.0
   */
  readonly [TypeId]: TypeId = TypeId
}

/**
 * Whether a value is a `GlossaryFileError`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isGlossaryFileError = (u: unknown): u is GlossaryFileError => Predicate.hasProperty(u, TypeId)

/**
 * How a file is read.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends GlossaryEntries.LanguagePair {
  /** What the file holds. @default what its name ends with: `.csv` or `.tsv`, in any casing */
  readonly format?: "csv" | "tsv" | undefined
}

/**
 * A dictionary from a file.
 *
 * @since 0.1.0
 * @category models
 */
export interface FileDictionary extends GlossaryPlan.Dictionary {
  /** How many rows of a CSV file are in other languages, and so not among the entries. */
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
    ? GlossaryEntries.decodeCsv(text, pair)
    : Either.map(GlossaryEntries.decodeTsv(text), (entries) => ({ entries, ignored: 0 }))

/**
 * Reads the dictionary of a language pair from a file: CSV or TSV in UTF-8, without a header. The rules of the entries
 * are checked, and all that is wrong is told at once, by file and line.
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
    const fail = (message: string, problems: ReadonlyArray<GlossaryEntries.Problem> = []) =>
      new GlossaryFileError({ file, problems, message: `${file}: ${message}` })
    if (format === undefined) {
      return yield* fail(
        'the name must end with .csv or .tsv, or the option "format" say what the file holds.'
      )
    }
    const text = yield* textOf(file).pipe(Effect.catchTag("LinesError", ({ message }) => fail(message)))
    const { entries, ignored } = yield* Either.mapLeft(
      decode(format, text, { sourceLang, targetLang }),
      ({ message, problems }) => fail(message, problems)
    )
    return { sourceLang, targetLang, entries, ignored }
  })
