/**
 * Files as parts: pieces that pass through untouched, and units to translate. Text without a translation comes out byte for byte.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { dual } from "effect/Function"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { is, TaggedError } from "../internal/taggedError.js"
import type * as Syntax from "../text/Syntax.js"
import type { Columnar } from "./Columnar.js"
import * as charset from "./internal/charset.js"
import { Choice, type Selection } from "./internal/choice.js"
import * as mergeConflict from "./internal/mergeConflict.js"
import * as partBytes from "./internal/partBytes.js"
import type { Problem } from "./internal/problem.js"
import { readWholeFile } from "./internal/readWholeFile.js"
import type { Records, Rows } from "./internal/records.js"
import type { Placeholders, Unit } from "./internal/unit.js"

/**
 * The choices of a file that an option of its format asks for, and how they fit it.
 *
 * @since 0.1.0
 * @category schemas
 */
export { Choice, Selection } from "./internal/choice.js"

/**
 * A file cannot be read or written in its format.
 *
 * The message has the place and the advice. It never holds a text of the file; a key it may hold.
 *
 * @since 0.1.0
 * @category errors
 */
export class FormatError extends TaggedError<FormatError>()("FormatError", {
  /** The name of the format. */
  format: Schema.String,
  /** The file, if the caller has named it. */
  file: Schema.optional(Schema.String),
  /** Counts from 1. */
  line: Schema.optional(Schema.Number),
  /** Counts UTF-16 units from 1. */
  column: Schema.optional(Schema.Number),
  /** The unit that is at fault. */
  key: Schema.optional(Schema.String),
  /** The choice that is at fault, if one is and not the file. */
  choice: Schema.optional(Choice),
  message: Schema.String
}) {}

/**
 * Returns `true` for a `FormatError`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isFormatError = is(FormatError)

/**
 * Why a file can't be read or written.
 *
 * @since 0.1.0
 * @category models
 */
export type { Problem } from "./internal/problem.js"

/**
 * Texts to translate.
 *
 * @since 0.1.0
 * @category models
 */
export type { Placeholders, State, Unit } from "./internal/unit.js"

/**
 * A piece of a file. The `raw` of all parts, one behind the other, is the file.
 *
 * @since 0.1.0
 * @category models
 */
export interface Part {
  /** The piece as it stands in the file. */
  readonly raw: string
  /** The translatable texts of the part, in the order of the file. */
  readonly units: ReadonlyArray<Unit>
  /**
   * Writes the piece with translations in place of those of its units, in their order; `undefined` leaves a unit as it is. Left
   * says why a translation cannot be written. Without it, the piece is always `raw`. Translations where `marks` has
   * `true` are marked for a person to look at, in PO (`fuzzy`), XLIFF (`needs-review-translation`) and string catalogues (`needs_review`).
   */
  readonly write?:
    | ((
        translations: ReadonlyArray<string | undefined>,
        marks?: ReadonlyArray<boolean>
      ) => Either.Either<string, Problem>)
    | undefined
  /** The file's note to the translator of these units: a comment, a description. */
  readonly context?: string | undefined
  /** The placeholders of these units, where they are others than those of the format. */
  readonly placeholders?: Placeholders | undefined
  /** Why the piece could not be read, for formats that go on behind it. It has no units then. */
  readonly problem?: FormatError | undefined
  /**
   * The fit of the chosen columns or languages: one part of a file has it, once it is known, if several were chosen or
   * one does not fit.
   */
  readonly selection?: Selection | undefined
  /** The identity of a row: see `identity` of {@link DecodeOptions}. @default none was asked for, or the part is no row */
  readonly id?: string | undefined
  /** The encoding of the piece. @default "utf-8" */
  readonly encoding?: charset.Encoding | undefined
}

/**
 * A file is read for one pair of languages: which forms a plural has, and which translation a unit has already, depend on it.
 *
 * @since 0.1.0
 * @category models
 */
export interface DecodeOptions {
  /** The language to translate into, as the service or the format writes it: `pt-BR`, `zh_Hant`. */
  readonly targetLang: string
  /** The language of the texts. @default the language that the file names, or else unknown */
  readonly sourceLang?: string | undefined
  /** Names the file in errors. @default none */
  readonly file?: string | undefined
  /**
   * The keys that the units of the file have, where they are known, as those of a translation are: formats that find
   * their units by their texts, such as the sentences of subtitles, find the same ones. @default unknown
   */
  readonly keys?: ReadonlySet<string> | undefined
  /** The largest file, in bytes, where files are read as a whole. @default 16777216, which is 16 MiB */
  readonly maxBytes?: number | undefined
  /** True for the bytes of a piece of a file: another piece may have the rest. @default false */
  readonly isPiece?: boolean | undefined
  /**
   * Gives the parts that are rows an `id`, by their values: of the columns that tell rows apart, or of all that are not translated. Formats
   * with `rows` know it. @default none
   */
  readonly identity?: "key" | "others" | undefined
  /**
   * Other files may have the columns that this one lacks, of those that are chosen: it fails only if it has none of them, and the
   * `selection` of a part has the others. Of selected values that is always so. @default false
   */
  readonly isOneOfSeveral?: boolean | undefined
}

/**
 * Options for merging a source with the translation that exists.
 *
 * @since 0.1.0
 * @category models
 */
export interface MergeOptions
  extends Omit<DecodeOptions, "file" | "identity" | "isOneOfSeveral" | "isPiece" | "keys" | "maxBytes"> {
  /** Keeps or drops units of the target that the source no longer has. */
  readonly removed: "keep" | "drop"
}

/**
 * The records of files that stream, and the rows that are found again in a translation.
 *
 * @since 0.1.0
 * @category models
 */
export type { RecordEnds, Records, Rows } from "./internal/records.js"

/**
 * A pair of codecs between the bytes of a file and its parts.
 *
 * @since 0.1.0
 * @category models
 */
export interface Format {
  readonly name: string
  /** Endings of file names, in lower case, with their dot: `[".yml", ".yaml"]`. */
  readonly extensions: ReadonlyArray<string>
  /**
   * The options of the format, as a value that JSON can hold: formats of one name and equal settings find the same texts
   * in a file, and write them in the same way. @default unknown: jobs read each file again, though it has not changed
   */
  readonly settings?: unknown
  /**
   * Returns `true` if a file with such an ending is of this format, by its path and the beginning of its text. It goes
   * before formats that take every file of the ending, which have no `detect`.
   */
  readonly detect?: ((path: string, head: string) => boolean) | undefined
  /** True if a file holds the source and its translation side by side. */
  readonly isBilingual: boolean
  /**
   * True if jobs translate files of any size piece by piece, and write them anew. Jobs read files of other formats as a
   * whole, and keep people's corrections in their outputs. @default false
   */
  readonly isStreamed?: boolean | undefined
  /**
   * The columns or paths that were chosen, if parts tell how they fit: columns are known at the beginning of a file,
   * selected values at its end.
   * @default nothing
   */
  readonly choices?: ReadonlyArray<string> | undefined
  /** Reads files at any place: `decode` refuses them. @default files are read from their beginning to their end */
  readonly columnar?: Columnar | undefined
  /** The records of a file that streams. @default durable jobs do not cut such a file */
  readonly records?: Records | undefined
  /** The rows of a file that streams or is read at any place: jobs keep people's corrections in its outputs. @default they refuse a corrected output */
  readonly rows?: Rows | undefined
  /**
   * True if a file has the same parts in whatever language it is translated into: one that streams is decoded once for
   * several then.
   * @default false
   */
  readonly isSameForTargets?: boolean | undefined
  /** The origin of the texts, which tells syntax from prose. @default unknown: no text is refused for its syntax */
  readonly place?: Syntax.Place | undefined
  /** Placeholders that are not translated by default. */
  readonly placeholders?: Placeholders | undefined
  /** True if parts have placeholders of their own: units with others than their neighbours need requests of their own. @default false */
  readonly variesPlaceholders?: boolean | undefined
  /** The `tagHandling` that the texts need, if they are markup. */
  readonly tagHandling?: "xml" | "html" | undefined
  /**
   * The list that a unit is an item of, where its key says its place in one, as `steps[2].text` does; `undefined` for keys that are names.
   * It matters to formats with `merge`, which finds entries by their keys.
   */
  readonly listOf?: ((key: string) => string | undefined) | undefined
  readonly decode: (
    options: DecodeOptions
  ) => <E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<Part, E | FormatError, R>
  /**
   * Makes the existing target file hold all units of the source, at their place, with the source's text where the target has
   * none. Where the source has an entry without a text, a text of the target stays, also if removed ones are dropped, and a
   * blank one is replaced by the source's. Order, comments and formatting of the target stay. Formats without it are written
   * anew from the source.
   */
  readonly merge?:
    | ((source: string, target: string, options: MergeOptions) => Either.Either<string, Problem>)
    | undefined
}

/**
 * Options that every format has.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Endings of the names of its files, in lower case, with their dot: `[".resx"]`. @default the usual ones of the format */
  readonly extensions?: ReadonlyArray<string> | undefined
}

/**
 * The error of a problem, which says where it is.
 *
 * @since 0.1.0
 * @category errors
 */
export const formatError = (format: string, file: string | undefined, problem: Problem): FormatError => {
  const place = [
    file ?? format,
    ...(problem.line === undefined ? [] : [`line ${problem.line}`]),
    ...(problem.column === undefined ? [] : [`column ${problem.column}`]),
    ...(problem.key === undefined ? [] : [`key ${JSON.stringify(problem.key)}`])
  ].join(", ")
  return new FormatError({ ...problem, format, file, message: `${place}: ${problem.message}` })
}

/**
 * Options of `wholeFile`.
 *
 * @since 0.1.0
 * @category models
 */
export interface WholeFileOptions
  extends Omit<Format, "decode" | "isBilingual" | "isSameForTargets" | "isStreamed" | "records" | "rows"> {
  /** True if a file holds the source and its translation side by side. @default false */
  readonly isBilingual?: boolean | undefined
  /** Decodes bytes as text. @default UTF-8 only, with or without a byte order mark, which stays in front of the text */
  readonly decodeText?: ((bytes: Uint8Array) => Either.Either<charset.Decoded, Problem>) | undefined
  /** The parts of a file; their `raw` is the text. The encoding is the file's. */
  readonly parse: (
    text: string,
    options: DecodeOptions,
    encoding: charset.Encoding
  ) => Effect.Effect<ReadonlyArray<Part>, Problem>
}

/**
 * The largest file that is read as a whole by default: 16 MiB. A file takes some sixty times its size in memory.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultMaxBytes = 16 * 1024 * 1024

/**
 * A format whose files are read as a whole, up to a bound.
 *
 * @since 0.1.0
 * @category constructors
 */
export const wholeFile: (options: WholeFileOptions) => Format = ({
  decodeText = charset.utf8,
  isBilingual = false,
  parse,
  ...format
}) => ({
  ...format,
  isBilingual,
  decode: (options) => (self) => {
    const fail = (problem: Problem) => formatError(format.name, options.file, problem)
    return Stream.unwrap(
      Effect.gen(function* () {
        const bytes = yield* readWholeFile(self, options.maxBytes ?? defaultMaxBytes, fail)
        const { encoding, text } = yield* Effect.mapError(decodeText(bytes), fail)
        yield* Effect.mapError(mergeConflict.check(format.name, text), fail)
        const parts = yield* Effect.mapError(parse(text, options, encoding), fail)
        return Stream.fromIterable(
          encoding === "utf-8" ? parts : parts.map((part) => ({ ...part, encoding }))
        )
      })
    )
  }
})

/**
 * A part with translations of its units, in their order, in place of their texts; `undefined` leaves a unit as it is. Left says why a
 * translation cannot be written, and of which unit: the format or the encoding of the file cannot hold it. `marks` are those of the part.
 *
 * @since 0.1.0
 * @category combinators
 */
export const write: {
  /**
   * A part with translations of its units, in their order, in place of their texts; `undefined` leaves a unit as it is. Left says why a
   * translation cannot be written, and of which unit: the format or the encoding of the file cannot hold it. `marks` are those of the part.
   */
  (
    translations: ReadonlyArray<string | undefined>,
    marks?: ReadonlyArray<boolean>
  ): (part: Part) => Either.Either<Part, Problem>
  /**
   * A part with translations of its units, in their order, in place of their texts; `undefined` leaves a unit as it is. Left says why a
   * translation cannot be written, and of which unit: the format or the encoding of the file cannot hold it. `marks` are those of the part.
   */
  (
    part: Part,
    translations: ReadonlyArray<string | undefined>,
    marks?: ReadonlyArray<boolean>
  ): Either.Either<Part, Problem>
} = dual(
  ([first]) => !Array.isArray(first),
  (
    part: Part,
    translations: ReadonlyArray<string | undefined>,
    marks?: ReadonlyArray<boolean>
  ): Either.Either<Part, Problem> => {
    if (part.write === undefined) return Either.right(part)
    const written = part.write(translations, marks)
    const checked =
      Either.isLeft(written) || written.right === part.raw
        ? written
        : charset.check(written.right, part.encoding ?? "utf-8")
    if (Either.isRight(checked)) return Either.right({ ...part, raw: checked.right, write: undefined })
    const unit = part.units.find((_, index) => translations[index] !== undefined)
    return Either.left({ line: unit?.line, key: unit?.key, ...checked.left })
  }
)

/**
 * The bytes of a file from its parts.
 *
 * @since 0.1.0
 * @category codecs
 */
export const encode: <E, R>(self: Stream.Stream<Part, E, R>) => Stream.Stream<Uint8Array, E, R> =
  partBytes.encode
