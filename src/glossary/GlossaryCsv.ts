/**
 * The entries of a dictionary as CSV, by Papa Parse.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import Papa from "papaparse"
import * as GlossaryEntries from "../api/GlossaryEntries.js"
import * as LanguageCode from "../api/LanguageCode.js"

/**
 * Entries as CSV: phrases with a comma or a double quote are quoted. Fails with all problems that `GlossaryEntries.check` finds.
 *
 * Source: service specification, Glossary, CSV rules.
 *
 * @since 0.1.0
 * @category codecs
 */
export const encode = (
  entries: GlossaryEntries.GlossaryEntries
): Either.Either<string, GlossaryEntries.GlossaryEntriesError> =>
  Either.map(GlossaryEntries.encodeTsv(entries), () =>
    Papa.unparse(
      entries.map(({ source, target }) => [source, target]),
      { newline: "\n" }
    )
  )

interface Row {
  /** The line it begins on, from 1. */
  readonly line: number
  readonly fields: ReadonlyArray<string>
  /** True if its quotes can't be read. */
  readonly isBroken: boolean
}

/** The rows of a text, without blank ones. Lines may end with LF, CRLF or CR. Papa Parse skips a byte order mark. */
const read = (text: string): ReadonlyArray<Row> => {
  const { data, errors } = Papa.parse<Array<string>>(text.replace(/\r\n?/g, "\n"), {
    delimiter: ",",
    newline: "\n"
  })
  const broken = new Set(errors.map(({ row }) => row))
  const rows: Array<Row> = []
  let line = 1
  data.forEach((fields, index) => {
    if (fields.length > 1 || fields[0] !== "") rows.push({ line, fields, isBroken: broken.has(index) })
    for (const field of fields) {
      for (let at = field.indexOf("\n"); at !== -1; at = field.indexOf("\n", at + 1)) line++
    }
    line++
  })
  return rows
}

const isOf = (
  pair: GlossaryEntries.LanguagePair,
  [, , source = "", target = ""]: ReadonlyArray<string>
): boolean =>
  (source === "" || LanguageCode.base(source.trim()) === LanguageCode.base(pair.sourceLang)) &&
  (target === "" || LanguageCode.base(target.trim()) === LanguageCode.base(pair.targetLang))

const otherSeparator = /;|\t/

/** Names the separator of a row that has no commas. */
const separation = ({ fields }: Row): string => {
  const [separator] = (fields.length === 1 && otherSeparator.exec(fields[0]!)) || []
  return separator === undefined
    ? ""
    : `they are parted by ${separator === ";" ? "semicolons" : "tabs"}, and CSV by commas: `
}

const problemOf = (row: Row): GlossaryEntries.Problem | undefined => {
  const { fields, isBroken, line } = row
  if (isBroken) {
    return {
      line,
      rule: "Quotes",
      message:
        "a quoted phrase is not closed, or goes on after its closing quote: double the quotes inside it."
    }
  }
  return fields.length === 2 || fields.length === 4
    ? undefined
    : {
        line,
        rule: "Columns",
        message: `the number of columns is ${fields.length}: ${separation(row)}give each row a source and a target, and either both languages or none; quote phrases that contain a comma.`
      }
}

/**
 * Entries from CSV without a header: a source, a target and, if the file has them, the codes of their languages. Rows in
 * other languages than the pair's are ignored and counted; without a pair no row is. Languages are compared without their
 * variants and in any casing. Fails with all problems, by the lines of the text.
 *
 * Source: service specification, Glossary, CSV rules.
 *
 * @since 0.1.0
 * @category codecs
 */
export const decode = (
  text: string,
  pair?: GlossaryEntries.LanguagePair
): Either.Either<
  { readonly entries: GlossaryEntries.GlossaryEntries; readonly ignored: number },
  GlossaryEntries.GlossaryEntriesError
> => {
  const rows = read(text)
  const wanted = pair === undefined ? rows : rows.filter(({ fields }) => isOf(pair, fields))
  return Either.map(GlossaryEntries.fromRows(wanted, problemOf), (entries) => ({
    entries,
    ignored: rows.length - wanted.length
  }))
}
