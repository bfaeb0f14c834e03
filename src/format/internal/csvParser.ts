import Papa from "papaparse"
import { firstDuplicate, type Problem } from "./csvProblem.js"
import { type Batch, dropCarriageReturns, fromBytes, maxLength, type Transducer } from "./transducer.js"

export type CsvRecord = Record<string, string>

/** Records with the line each begins on. */
export interface Records extends Batch<CsvRecord, Problem> {
  readonly lines: ReadonlyArray<number>
}

type Newline = "\n" | "\r"

/**
 * An unfinished record up to this length is parsed again with every piece, a longer one only when its length has doubled.
 * Otherwise the work would be quadratic.
 */
const cheapLength = 64 * 1024

/** Where the first record ends if lines end with `newline`, -1 if it does not end. */
const endOfFirstRecord = (text: string, delimiter: string, newline: Newline): number => {
  let end = -1
  const parser = new Papa.Parser({
    delimiter,
    newline,
    step: ({ meta }) => {
      end = meta.cursor
      parser.abort()
    }
  })
  parser.parse(text, 0, true)
  return end
}

/** What ends the lines, as the first record shows: LF stands for CRLF too. `undefined` if more text is needed. */
const findNewline = (text: string, delimiter: string): Newline | undefined => {
  const lf = endOfFirstRecord(text, delimiter, "\n")
  const cr = endOfFirstRecord(text, delimiter, "\r")
  if (cr === -1 || (lf !== -1 && lf < cr)) return lf === -1 ? undefined : "\n"
  let next = cr
  while (text[next] === "\r") next++
  return next === text.length ? undefined : text[next] === "\n" ? "\n" : "\r"
}

const toRecord = (columns: ReadonlyArray<string>, fields: ReadonlyArray<string>): CsvRecord => {
  const record: CsvRecord = {}
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i]!
    const value = fields[i]!
    // An assignment would change the prototype.
    if (column === "__proto__") {
      Object.defineProperty(record, column, { value, enumerable: true, writable: true, configurable: true })
    } else record[column] = value
  }
  return record
}

/** How often `part` occurs in `text` before `end`, from `start` on. */
const countOf = (text: string, part: string, start = 0, end = text.length): number => {
  let count = 0
  for (let at = text.indexOf(part, start); at !== -1 && at < end; at = text.indexOf(part, at + 1)) count++
  return count
}

/** Bytes to records. Papa Parse reads the grammar; this adds the lines where records begin, and checks the records. */
export const makeParser = (delimiter: string): Transducer<Uint8Array, Records> => {
  let newline: Newline | undefined
  let columns: ReadonlyArray<string> | undefined
  let text = "" // from the beginning of the first unfinished record
  let line = 1 // that record's
  let mayEnd = false // whether a line break came since the last parse
  let enough = 0 // the length from which parsing is worth it
  let records: Array<CsvRecord> = []
  let lines: Array<number> = []
  let problem: Problem | undefined

  const report = (message: string, column?: string) => {
    problem = {
      line,
      message: `Line ${line}: ${message}`,
      ...(column === undefined ? undefined : { column })
    }
  }

  const onTooLong = () =>
    report(
      `the record is longer than ${maxLength} characters: probably a quoted field in it is never closed. Add the closing quote, and double the quotes inside quoted fields.`
    )

  const onHeader = (names: ReadonlyArray<string>) => {
    const duplicate = firstDuplicate(names)
    if (duplicate !== undefined) {
      report(
        `the header names the column ${JSON.stringify(duplicate)} more than once: give each column a name of its own.`,
        duplicate
      )
    }
    columns = names
  }

  const onFields = (fields: ReadonlyArray<string>) => {
    if (columns === undefined) return onHeader(fields)
    if (fields.length !== columns.length) {
      return report(
        `the record has ${fields.length} fields, the header has ${columns.length}: check the delimiter (${JSON.stringify(delimiter)}), and quote the fields that contain it or a line break.`
      )
    }
    records.push(toRecord(columns, fields))
    lines.push(line)
  }

  const onRow = (row: Array<string>, error: Papa.ParseError | undefined, start: number, end: number) => {
    if (end - start > maxLength) return onTooLong()
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
    let fields = row
    const last = fields.length - 1
    if (fields[last]!.endsWith("\r") && text.startsWith("\r\n", end - 2)) {
      // LF ends the lines for the parser, so an unquoted last field keeps the CR of a CRLF. Whether it was quoted
      // only the text tells; where that ends with a quote, parsing it without the CR does.
      const record = dropCarriageReturns(text.slice(start, end - 1))
      if (record.trimEnd().endsWith('"')) {
        const reparsed: Papa.ParseResult<Array<string>> = new Papa.Parser({ delimiter, newline }).parse(
          record,
          0,
          false
        )
        fields = reparsed.data[0]!
      } else fields[last] = dropCarriageReturns(fields[last]!)
    }
    const isBlank = fields.length === 1 && fields[0] === "" && text[start] !== '"'
    if (!isBlank) onFields(fields)
    if (problem === undefined) line += countOf(text, newline!, start, end)
  }

  const parse = (isLast: boolean) => {
    mayEnd = false
    newline ??= findNewline(text, delimiter) ?? (isLast ? (text.endsWith("\r") ? "\r" : "\n") : undefined)
    if (newline === undefined) return
    if (isLast && newline === "\n") text = dropCarriageReturns(text)
    let start = 0
    const parser = new Papa.Parser({
      delimiter,
      newline,
      step: ({ data, errors, meta }: Papa.ParseStepResult<Array<Array<string>>>) => {
        onRow(data[0]!, errors[0], start, meta.cursor)
        start = meta.cursor
        if (problem !== undefined) parser.abort()
      }
    })
    parser.parse(text, 0, !isLast)
    text = text.slice(start)
    enough = text.length > cheapLength ? text.length * 2 : 0
  }

  const onText = (piece: string) => {
    text += piece
    mayEnd ||= newline === undefined || piece.includes(newline)
    if (text.length > maxLength || (mayEnd && text.length >= enough)) parse(false)
    if (problem === undefined && text.length > maxLength) onTooLong()
  }

  const onMalformed = () => {
    parse(false)
    if (problem !== undefined) return
    line += countOf(text, newline ?? "\n")
    report("it holds bytes that are not UTF-8: save the input as UTF-8.")
  }

  const flush = (): Records => {
    const batch = { values: records, lines, problem }
    records = []
    lines = []
    return batch
  }

  const onEnd = () => {
    parse(true)
    if (problem === undefined && columns === undefined) {
      line = 1
      report("there is no header: the first line must name the columns.")
    }
  }

  return fromBytes({ onText, onMalformed, onEnd, hasProblem: () => problem !== undefined, flush })
}
