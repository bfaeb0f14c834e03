import Papa from "papaparse"
import { dropCarriageReturns, fromBytes, maxLength, type Transducer } from "./transducer.js"

type Newline = "\n" | "\r"

/** What is wrong with a row. The message is a clause with advice. */
export interface Fault {
  readonly line: number
  /** The name of the column that is at fault. */
  readonly column?: string
  readonly message: string
}

/** A row as it stands in a text: from `start` to `end`, its line break included. */
export interface Row {
  readonly fields: ReadonlyArray<string>
  readonly text: string
  readonly start: number
  readonly end: number
  /** Where it begins, from 1. */
  readonly line: number
}

/** What becomes of rows. */
export interface Sink<out O> {
  /** The delimiter, or else what finds it from the beginning of the text; `undefined` if it needs more of it. */
  readonly delimiter: string | ((text: string, isLast: boolean) => string | undefined)
  readonly onHeader: (header: Row, delimiter: string) => Omit<Fault, "line"> | undefined
  /** A row that has as many fields as the header. */
  readonly onRow: (row: Row) => void
  /** Text that is not in a row: a blank line, what is behind the last row. */
  readonly onBlank?: (raw: string) => void
  /** What was read since the last flush. */
  readonly flush: (fault: Fault | undefined) => O
}

/**
 * An unfinished record up to this length is parsed again with every piece, a longer one only when its length has doubled.
 * Otherwise the work would be quadratic.
 */
const cheapLength = 64 * 1024

/** The first record and where it ends, if it does and lines end with `newline`. */
const firstRecord = (text: string, delimiter: string, newline: Newline) => {
  let first:
    | { readonly end: number; readonly fields: ReadonlyArray<string>; readonly isSound: boolean }
    | undefined
  const parser = new Papa.Parser({
    delimiter,
    newline,
    step: ({ data, errors, meta }: Papa.ParseStepResult<Array<Array<string>>>) => {
      first = { end: meta.cursor, fields: data[0]!, isSound: errors.length === 0 }
      parser.abort()
    }
  })
  parser.parse(text, 0, true)
  return first
}

/** What ends the lines, as the first record shows: LF stands for CRLF too. `undefined` if more text is needed. */
const findNewline = (text: string, delimiter: string): Newline | undefined => {
  const lf = firstRecord(text, delimiter, "\n")?.end ?? -1
  const cr = firstRecord(text, delimiter, "\r")?.end ?? -1
  if (cr === -1 || (lf !== -1 && lf < cr)) return lf === -1 ? undefined : "\n"
  let next = cr
  while (text[next] === "\r") next++
  return next === text.length ? undefined : text[next] === "\n" ? "\n" : "\r"
}

const delimiters = [",", ";", "\t", "|"]

/**
 * The delimiter with which the header has the columns: the one whose header ends first, and among those the one with the most
 * columns, so that the pieces in which the text comes make no difference.
 */
export const findDelimiter =
  (columns: ReadonlyArray<string>) =>
  (text: string, isLast: boolean): string | undefined => {
    const whole = isLast ? `${text}\n` : text
    const headers = delimiters.flatMap((delimiter) => {
      const newline = findNewline(whole, delimiter)
      const first = newline === undefined ? undefined : firstRecord(whole, delimiter, newline)
      return first === undefined ? [] : [{ delimiter, ...first }]
    })
    const isBefore = (a: (typeof headers)[number], b: (typeof headers)[number]) =>
      a.end < b.end || (a.end === b.end && a.fields.length > b.fields.length)
    const best = (candidates: typeof headers) =>
      candidates.reduce<(typeof headers)[number] | undefined>(
        (found, next) => (found === undefined || isBefore(next, found) ? next : found),
        undefined
      )
    const hasColumns = ({ fields, isSound }: (typeof headers)[number]) => {
      const names = fields.map((name) => dropCarriageReturns(name))
      return isSound && columns.every((column) => names.includes(column))
    }
    const found = best(headers.filter(hasColumns))
    if (found !== undefined) return found.delimiter
    const isComplete = headers.length === delimiters.length || isLast || text.length > maxLength
    return isComplete ? (best(headers.filter(({ isSound }) => isSound))?.delimiter ?? ",") : undefined
  }

/** How often `part` occurs in `text` before `end`, from `start` on. */
const countOf = (text: string, part: string, start = 0, end = text.length): number => {
  let count = 0
  for (let at = text.indexOf(part, start); at !== -1 && at < end; at = text.indexOf(part, at + 1)) count++
  return count
}

const tooLong = `the record is longer than ${maxLength} characters: probably a quoted field in it is never closed. Add the closing quote, and double the quotes inside quoted fields.`

/** Bytes to rows. Papa Parse reads the grammar; this adds where rows are in the text, and checks them. */
export const makeRows = <O>(sink: Sink<O>): Transducer<Uint8Array, O> => {
  let delimiter = typeof sink.delimiter === "string" ? sink.delimiter : undefined
  let newline: Newline | undefined
  let width: number | undefined // of the header
  let text = "" // from the beginning of the first unfinished record
  let line = 1 // that record's
  let mayEnd = false // whether a line break came since the last parse
  let enough = 0 // the length from which parsing is worth it
  let fault: Fault | undefined

  const report = (message: string, column?: string) => {
    fault = { line, message, ...(column === undefined ? undefined : { column }) }
  }

  const onFields = (fields: ReadonlyArray<string>, start: number, end: number) => {
    const row: Row = { fields, text, start, end, line }
    if (width === undefined) {
      width = fields.length
      const problem = sink.onHeader(row, delimiter!)
      if (problem !== undefined) report(problem.message, problem.column)
    } else if (fields.length === width) sink.onRow(row)
    else {
      report(
        `the record has ${fields.length} fields, the header has ${width}: check the delimiter (${JSON.stringify(delimiter)}), and quote the fields that contain it or a line break.`
      )
    }
  }

  const withoutCarriageReturn = (row: Array<string>, start: number, end: number): Array<string> => {
    // LF ends the lines for the parser, so an unquoted last field keeps the CR of a CRLF. Whether it was quoted
    // only the text tells; where that ends with a quote, parsing it without the CR does.
    const record = dropCarriageReturns(text.slice(start, end - 1))
    if (record.trimEnd().endsWith('"')) {
      const parser = new Papa.Parser({ delimiter: delimiter!, newline: newline! })
      return (parser.parse(record, 0, false) as Papa.ParseResult<Array<string>>).data[0]!
    }
    row.push(dropCarriageReturns(row.pop()!))
    return row
  }

  const onRow = (row: Array<string>, error: Papa.ParseError | undefined, start: number, end: number) => {
    if (end - start > maxLength) return report(tooLong)
    if (error !== undefined) {
      return report(
        error.code === "MissingQuotes"
          ? "a quoted field that begins in this record is never closed: add the closing quote, and double the quotes inside quoted fields."
          : "a quoted field of this record goes on after its closing quote: double the quotes inside quoted fields."
      )
    }
    if (newline === "\r" && text[start] === "\n") {
      return report("some lines end with CR, others with CRLF: end all of them with LF or CRLF.")
    }
    const fields =
      row[row.length - 1]!.endsWith("\r") && text.startsWith("\r\n", end - 2)
        ? withoutCarriageReturn(row, start, end)
        : row
    const isBlank = fields.length === 1 && fields[0] === "" && text[start] !== '"'
    if (!isBlank) onFields(fields, start, end)
    else if (end > start) sink.onBlank?.(text.slice(start, end))
    if (fault === undefined) line += countOf(text, newline!, start, end)
  }

  const findGrammar = (isLast: boolean) => {
    if (delimiter === undefined && typeof sink.delimiter === "function") {
      delimiter = sink.delimiter(text, isLast)
    }
    if (delimiter === undefined) return
    newline ??= findNewline(text, delimiter) ?? (isLast ? (text.endsWith("\r") ? "\r" : "\n") : undefined)
  }

  const parse = (isLast: boolean) => {
    mayEnd = false
    findGrammar(isLast)
    let start = 0
    if (newline !== undefined) {
      const all = text
      if (isLast && newline === "\n") text = dropCarriageReturns(text)
      const parser = new Papa.Parser({
        delimiter: delimiter!,
        newline,
        step: ({ data, errors, meta }: Papa.ParseStepResult<Array<Array<string>>>) => {
          onRow(data[0]!, errors[0], start, meta.cursor)
          start = meta.cursor
          if (fault !== undefined) parser.abort()
        }
      })
      parser.parse(text, 0, !isLast)
      if (all.length > text.length) sink.onBlank?.(all.slice(text.length))
      text = text.slice(start)
    }
    enough = text.length > cheapLength ? text.length * 2 : 0
  }

  const onText = (piece: string) => {
    text += piece
    mayEnd ||= newline === undefined || piece.includes(newline)
    if (text.length > maxLength || (mayEnd && text.length >= enough)) parse(false)
    if (fault === undefined && text.length > maxLength) report(tooLong)
  }

  const onMalformed = () => {
    parse(false)
    if (fault !== undefined) return
    line += countOf(text, newline ?? "\n")
    report("it holds bytes that are not UTF-8: save the input as UTF-8.")
  }

  const onEnd = () => {
    parse(true)
    if (fault === undefined && width === undefined) {
      line = 1
      report("there is no header: the first line must name the columns.")
    }
  }

  const hasProblem = () => fault !== undefined
  return fromBytes({ onText, onMalformed, onEnd, hasProblem, flush: () => sink.flush(fault) })
}
