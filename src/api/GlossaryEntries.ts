/**
 * The entries of a glossary's dictionary: their rules, and TSV.
 *
 * @since 0.1.0
 */

import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { is, TaggedError } from "../internal/taggedError.js"
import * as utf8 from "../internal/utf8.js"
import { describe, issueOf, quote, type Row, readTsv, rules, shorten, withMark } from "./internal/entries.js"
import * as Limits from "./Limits.js"

/**
 * A phrase and its translation.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Entry = Schema.Struct({ source: Schema.String, target: Schema.String })

/**
 * A phrase and its translation.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry extends Schema.Schema.Type<typeof Entry> {}

/**
 * The entries of a dictionary. `check` tells whether they obey the rules of the service.
 *
 * @since 0.1.0
 * @category schemas
 */
export const GlossaryEntries = Schema.Array(Entry).annotations({ identifier: "GlossaryEntries" })

/**
 * The entries of a dictionary.
 *
 * @since 0.1.0
 * @category models
 */
export type GlossaryEntries = ReadonlyArray<Entry>

/**
 * The language pair of a dictionary.
 *
 * @since 0.1.0
 * @category models
 */
export interface LanguagePair {
  /** The language of the sources; any casing. */
  readonly sourceLang: string
  /** The language of the targets; any casing. */
  readonly targetLang: string
}

/**
 * A rule that entries break, and where.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Problem = Schema.Struct({
  /** The line, from 1; absent if the dictionary as a whole is at fault. */
  line: Schema.optional(Schema.Number),
  /** Which of the two phrases is at fault; absent if it is the line or the dictionary. */
  field: Schema.optional(Schema.Literal("source", "target")),
  rule: Schema.Literal(
    "DuplicateSource",
    "Empty",
    "ControlCharacter",
    "OuterWhitespace",
    "HalfCharacter",
    "PhraseTooLong",
    "DictionaryTooLarge",
    "Columns",
    "Quotes"
  ),
  /** The line that has the same source already. */
  firstLine: Schema.optional(Schema.Number),
  /** The phrase, shortened to 20 characters. */
  value: Schema.optional(Schema.String),
  /** The rule in words, with the fix. */
  message: Schema.String
})

/**
 * A rule that entries break, and where.
 *
 * @since 0.1.0
 * @category models
 */
export interface Problem extends Schema.Schema.Type<typeof Problem> {}

const shownProblems = 20

/**
 * The entries break rules of the service, or the text that holds them cannot be read. `problems` holds all of them, the
 * message only the first 20.
 *
 * @since 0.1.0
 * @category errors
 */
export class GlossaryEntriesError extends TaggedError<GlossaryEntriesError>()(
  "GlossaryEntriesError",
  { problems: Schema.NonEmptyArray(Problem) },
  (self) => {
    const more = self.problems.length - shownProblems
    return [
      "The entries can't be used:",
      ...self.problems.slice(0, shownProblems).map(describe),
      ...(more > 0 ? [`And ${more} more: see "problems".`] : [])
    ].join("\n")
  }
) {}

/**
 * Returns `true` for a `GlossaryEntriesError`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isGlossaryEntriesError = is(GlossaryEntriesError)

/**
 * Entries from pairs of source and target, such as those of a `Map`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromTerms = (terms: Iterable<readonly [source: string, target: string]>): GlossaryEntries =>
  Array.from(terms, ([source, target]) => ({ source, target }))

/** The rules that entries break. `lineOf` tells the line of an entry by its index. */
const problemsOf = (entries: GlossaryEntries, lineOf: (index: number) => number): Array<Problem> => {
  const problems: Array<Problem> = []
  const firstLines = new Map<string, number>()
  // A tab or a line break follows every phrase but the last.
  let size = entries.length === 0 ? 0 : -1
  entries.forEach((entry, index) => {
    const line = lineOf(index)
    for (const field of ["source", "target"] as const) {
      const phrase = entry[field]
      const bytes = utf8.byteLength(phrase)
      size += bytes + 1
      for (const { breaks, rule, says } of rules) {
        if (!breaks(phrase, bytes)) continue
        problems.push({
          line,
          field,
          rule,
          value: shorten(phrase),
          message: `the ${field} ${says(phrase, bytes)}.`
        })
      }
    }
    const { source } = entry
    const firstLine = firstLines.get(source)
    if (firstLine === undefined) firstLines.set(source, line)
    else if (source !== "") {
      problems.push({
        line,
        field: "source",
        rule: "DuplicateSource",
        firstLine,
        value: shorten(source),
        message: `the source ${quote(source)} is on line ${firstLine} already: keep one of the two entries.`
      })
    }
  })
  if (size > Limits.glossaryDictionaryBytes) {
    problems.push({
      rule: "DictionaryTooLarge",
      message: `the dictionary takes ${size} bytes, ${Limits.glossaryDictionaryBytes} are allowed: split it over several glossaries.`
    })
  }
  return problems
}

const lineOfPlace = (index: number): number => index + 1

const unlessProblems = <A>(
  problems: ReadonlyArray<Problem>,
  value: () => A
): Either.Either<A, GlossaryEntriesError> => {
  const [first, ...rest] = problems
  return first === undefined
    ? Either.right(value())
    : Either.left(new GlossaryEntriesError({ problems: [first, ...rest] }))
}

/**
 * All rules that the entries break; empty if the service accepts them. The line of an entry is its position, from 1. Sizes
 * are in bytes of UTF-8; the size of a dictionary is that of its TSV.
 *
 * It refuses breaches of the service's rules, and phrases that no request can carry: half a surrogate pair, and a byte order
 * mark at the start or end of a phrase.
 *
 * Source: service specification, Glossary, content rules; Limits, "Glossary dictionary size", "Glossary name, each source
 * phrase, each target phrase".
 *
 * @since 0.1.0
 * @category combinators
 */
export const check = (entries: GlossaryEntries): ReadonlyArray<Problem> => problemsOf(entries, lineOfPlace)

/** The service knows no quotes in TSV, and no phrase may hold a tab or a line break. */
const toTsv = (entries: GlossaryEntries): string =>
  entries.map(({ source, target }) => `${source}\t${target}`).join("\n")

/**
 * Entries as TSV: a line for each, the source, a tab, the target. Nothing is quoted. A byte order mark stands in front if the first phrase
 * begins with one. Fails with all problems that `check` finds.
 *
 * @since 0.1.0
 * @category codecs
 */
export const encodeTsv = (entries: GlossaryEntries): Either.Either<string, GlossaryEntriesError> =>
  unlessProblems(check(entries), () => withMark(toTsv(entries)))

/**
 * Rows to entries, or all problems of the rows and of the entries.
 *
 * @internal
 */
export const fromRows = <R extends Row>(
  rows: ReadonlyArray<R>,
  problemOf: (row: R) => Problem | undefined
): Either.Either<GlossaryEntries, GlossaryEntriesError> => {
  const problems: Array<Problem> = []
  const lines: Array<number> = []
  const entries: Array<Entry> = []
  for (const row of rows) {
    const problem = problemOf(row)
    if (problem !== undefined) problems.push(problem)
    else {
      lines.push(row.line)
      entries.push({ source: row.fields[0]!, target: row.fields[1]! })
    }
  }
  const all = problems.concat(problemsOf(entries, (index) => lines[index]!))
  return unlessProblems(
    all.sort((a, b) => (a.line ?? Number.POSITIVE_INFINITY) - (b.line ?? Number.POSITIVE_INFINITY)),
    () => entries
  )
}

/**
 * Entries from TSV: a source, a tab and a target on each line. Blank lines are skipped, quotes are part of a phrase. Fails
 * with all problems, by the lines of the text.
 *
 * @since 0.1.0
 * @category codecs
 */
export const decodeTsv = (text: string): Either.Either<GlossaryEntries, GlossaryEntriesError> =>
  fromRows(readTsv(text), ({ fields, line }) =>
    fields.length === 2
      ? undefined
      : {
          line,
          rule: "Columns",
          message: `the number of columns is ${fields.length}: give each line a source, one tab and a target.`
        }
  )

/**
 * Entries as the TSV of a request or an answer. Entries that are sent must obey all rules. Of an answer every line is
 * read, and missing fields are empty.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Tsv: Schema.Schema<GlossaryEntries, string> = Schema.transformOrFail(
  Schema.String,
  Schema.typeSchema(GlossaryEntries),
  {
    strict: true,
    decode: (text) =>
      ParseResult.succeed(
        readTsv(withMark(text)).map(({ fields: [source = "", target = ""] }) => ({ source, target }))
      ),
    encode: (entries, _, ast) =>
      Either.mapLeft(
        unlessProblems(check(entries), () => toTsv(entries)),
        ({ problems }) => issueOf(ast, problems)
      )
  }
)
