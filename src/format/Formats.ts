/**
 * All formats of this library: by name, and by file.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { is, TaggedError } from "../internal/taggedError.js"
import * as AndroidStrings from "./AndroidStrings.js"
import * as AppleStrings from "./AppleStrings.js"
import * as Arb from "./Arb.js"
import * as ChromeMessages from "./ChromeMessages.js"
import * as Csv from "./Csv.js"
import type { Format } from "./Format.js"
import * as FormatJs from "./FormatJs.js"
import * as Html from "./Html.js"
import * as I18next from "./I18next.js"
import * as Json from "./Json.js"
import * as JsonLines from "./JsonLines.js"
import * as Lines from "./Lines.js"
import * as Markdown from "./Markdown.js"
import * as Mdx from "./Mdx.js"
import * as Paragraphs from "./Paragraphs.js"
import * as Parquet from "./Parquet.js"
import * as Po from "./Po.js"
import * as Properties from "./Properties.js"
import * as Rails from "./Rails.js"
import * as Srt from "./Srt.js"
import * as Tmx from "./Tmx.js"
import * as WebVtt from "./WebVtt.js"
import * as XcStrings from "./XcStrings.js"
import * as Xliff from "./Xliff.js"
import * as Xml from "./Xml.js"
import * as Yaml from "./Yaml.js"

/**
 * The format of a file cannot be told from its name and its beginning, or there is none of a name.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnknownFormat extends TaggedError<UnknownFormat>()("UnknownFormat", {
  /** The file, if the format of one was asked for. */
  file: Schema.optional(Schema.String),
  /** The names of the formats that it could be; none if no format has the ending of the file. */
  candidates: Schema.Array(Schema.String),
  /** The names of all formats that there are to choose from. */
  known: Schema.Array(Schema.String),
  message: Schema.String
}) {}

/**
 * Returns `true` for an `UnknownFormat`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isUnknownFormat = is(UnknownFormat)

/**
 * Options that some formats need.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The columns to translate of CSV, TSV and Parquet files. @default none: such a file is refused, with the columns that it has */
  readonly columns?: ReadonlyArray<string> | undefined
  /** The name of a new column of Parquet files: a pattern with the column and the language. @default "{column}_{lang}" */
  readonly outputColumn?: string | undefined
  /**
   * Columns or paths that tell the rows of CSV, TSV, JSON Lines and Parquet files apart: by these jobs find people's corrections in
   * outputs again. @default see {@link Csv.Options}
   */
  readonly key?: ReadonlyArray<string> | undefined
  /**
   * The values to translate of JSON, JSON Lines and YAML files. Catalogues, whose texts are known by their format, are left out with it.
   * @default all strings; JSON Lines files are refused
   */
  readonly select?: ReadonlyArray<string> | undefined
  /** Fails at, or skips, lines of JSON Lines that are not JSON, and records of CSV with other fields than the header or quotes that are wrong. @default "fail" */
  readonly onBadLine?: JsonLines.Options["onBadLine"]
  /** The framework whose plural forms stand between bars in texts of JSON files. @default the one that other texts of a file show */
  readonly plurals?: Json.Options["plurals"]
  /** The encoding of CSV and TSV files. @default UTF-16 by its byte order mark, or else UTF-8 */
  readonly encoding?: Csv.Options["encoding"]
}

/**
 * All formats, with the columns and values that are to be translated. If values are chosen, without the catalogues that are JSON or YAML.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Options) => ReadonlyArray<Format> = ({
  columns,
  encoding,
  key,
  onBadLine,
  outputColumn,
  plurals,
  select
} = {}) => [
  AndroidStrings.format,
  AppleStrings.format,
  Arb.format,
  ...(select === undefined ? [ChromeMessages.format] : []),
  Csv.make({ columns, encoding, key, onBadLine }),
  ...(select === undefined ? [FormatJs.format] : []),
  Html.format,
  ...(select === undefined ? [I18next.format] : []),
  Json.make({ plurals, select }),
  JsonLines.make({ select, key, onBadLine }),
  Lines.format,
  Paragraphs.format,
  Markdown.format,
  Mdx.format,
  Parquet.make({ columns, key, outputColumn }),
  Po.format,
  Properties.format,
  Srt.format,
  Tmx.format,
  WebVtt.format,
  XcStrings.format,
  Xliff.format,
  Xml.format,
  Yaml.make({ select }),
  ...(select === undefined ? [Rails.format] : [])
]

/**
 * All formats.
 *
 * @since 0.1.0
 * @category constants
 */
export const all: ReadonlyArray<Format> = make()

const named = (formats: ReadonlyArray<Format>): ReadonlyArray<string> => formats.map(({ name }) => name)

/**
 * The format of a name; any casing.
 *
 * @since 0.1.0
 * @category combinators
 */
export const byName = (
  name: string,
  formats: ReadonlyArray<Format> = all
): Either.Either<Format, UnknownFormat> =>
  Either.fromNullable(
    formats.find((format) => format.name.toLowerCase() === name.toLowerCase()),
    () =>
      new UnknownFormat({
        candidates: named(formats),
        known: named(formats),
        message: `There is no format ${JSON.stringify(name)}: choose one of ${named(formats).join(", ")}.`
      })
  )

/**
 * The format of a file, by the ending of its path and the beginning of its text.
 *
 * A format that knows its files by more than their ending goes before one that takes all of the ending. Left if no format, or more
 * than one, is in question: then choose by name.
 *
 * @since 0.1.0
 * @category combinators
 */
export const detect = (
  file: { readonly path: string; readonly head: string },
  formats: ReadonlyArray<Format> = all
): Either.Either<Format, UnknownFormat> => {
  const path = file.path.toLowerCase()
  const byEnding = formats.filter(({ extensions }) =>
    extensions.some((extension) => path.endsWith(extension))
  )
  const known = byEnding.filter(({ detect }) => detect?.(file.path, file.head) === true)
  const candidates = known.length > 0 ? known : byEnding.filter(({ detect }) => detect === undefined)
  const [first, ...others] = candidates
  if (first !== undefined && others.length === 0) return Either.right(first)
  const names = named(candidates.length > 0 ? candidates : byEnding)
  const choice =
    names.length > 0
      ? `it may be ${names.join(" or ")}: choose with \`format\`.`
      : `no format has its ending: choose with \`format\`, one of ${named(formats).join(", ")}.`
  return Either.left(
    new UnknownFormat({
      file: file.path,
      candidates: names,
      known: named(formats),
      message: `${file.path}: ${choice}`
    })
  )
}
