import Papa from "papaparse"
import type { Decoder } from "../../../internal/utf8.js"
import type { Choice } from "../../Format.js"
import { dropCarriageReturns, fromBytes, maxLength, type TextReader, type Transducer } from "../transducer.js"

type Newline = "\n" | "\r"

/** A fault of a row. The message is a clause with advice. */
export interface Fault {
  readonly line: number
  /** The name of the column that is at fault. */
  readonly column?: string
  readonly message: string
  readonly choice?: Choice
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

/** Receives rows. */
export interface Sink<out O> {
  /** The delimiter, or a function that finds it from the beginning of the text; `undefined` if it needs more of it. */
  readonly delimiter: string | ((text: string, isLast: boolean) => string | undefined)
  /** The byte order mark, if the text begins with one. It is in no row. */
  readonly onMark?: (raw: string) => void
  readonly onHeader: (header: Row, delimiter: string) => Omit<Fault, "line"> | undefined
  /** A row that has as many fields as the header. */
  readonly onRow: (row: Row) => void
  /** Called with a row that has a wrong number of fields or wrong quotes, and with the fault. @default it is a fault */
  readonly onBadRow?: (row: Row, message: string) => void
  /** Called with text that is not in a row: a blank line, the text behind the last row. */
  readonly onBlank?: (raw: string) => void
  /** Returns the rows since the last flush. */
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

/** The first record, and the line end that it shows: LF stands for CRLF too. `undefined` if more text is needed. */
const findFirst = (text: string, delimiter: string) => {
  const lf = firstRecord(text, delimiter, "\n")
  const cr = text.includes("\r") ? firstRecord(text, delimiter, "\r") : undefined
  const byLf = { newline: "\n", first: lf } as const
  if (cr === undefined || (lf !== undefined && lf.end < cr.end)) return lf && byLf
  let next = cr.end
  while (text[next] === "\r") next++
  if (next === text.length) return undefined
  return text[next] === "\n" ? byLf : ({ newline: "\r", first: cr } as const)
}

/** The line end, as the first record shows. `undefined` if more text is needed. */
export const findNewline = (text: string, delimiter: string): Newline | undefined =>
  findFirst(text, delimiter)?.newline

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
      const first = findFirst(whole, delimiter)?.first
      return first === undefined ? [] : [{ delimiter, ...first }]
    })
    const isBefore = (a: (typeof headers)[number], b: (typeof headers)[number]) =>
      a.end < b.end || (a.end === b.end && a.fields.length > b.fields.length)
    const best = (candidates: typeof headers) =>
      candidates.reduce<(typeof headers)[number] | undefined>(
        (found, next) => (found === undefined || isBefore(next, found) ? next : found),
        undefined
      )
    const has = (fields: ReadonlyArray<string>) => (column: string) =>
      fields.some((name) => dropCarriageReturns(name) === column)
    const sound = headers.filter(({ isSound }) => isSound)
    const found = best(sound.filter(({ fields }) => columns.every(has(fields))))
    if (found !== undefined) return found.delimiter
    const isComplete = headers.length === delimiters.length || isLast || text.length > maxLength
    if (!isComplete) return undefined
    const some = sound.filter(({ fields }) => columns.some(has(fields)))
    return (best(some) ?? best(sound))?.delimiter ?? ","
  }

/** The line in front of the header by which spreadsheets are told the delimiter, and its beginning. */
export const preface = /^sep=([^"\r\n])(?:\r\n?|\n)/i
const prefaceBegun = /^(?:s|se|sep|sep=[^"\r\n]?\r?)?$/i

/** Counts occurrences of `part` in `text` between `start` and `end`. */
const countOf = (text: string, part: string, start = 0, end = text.length): number => {
  let count = 0
  for (let at = text.indexOf(part, start); at !== -1 && at < end; at = text.indexOf(part, at + 1)) count++
  return count
}

/**
 * The end of the first line from `start` on behind which as many quotes were closed as were opened: readings of a misplaced quote differ
 * before it. `undefined` if there is none.
 */
const endOfQuotes = (text: string, newline: Newline, start: number): number | undefined => {
  let isQuoted = false
  for (let at = start; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted
    else if (text[at] === newline && !isQuoted) return at + 1
  }
  return undefined
}

const unclosed =
  "a quoted field that begins in this record is never closed: add the closing quote, and double the quotes inside quoted fields."

const misquoted =
  "a quoted field of this record goes on after its closing quote: double the quotes inside quoted fields."

const tooLong = `the record is longer than ${maxLength} characters: probably a quoted field in it is never closed. Add the closing quote, and double the quotes inside quoted fields.`

/**
 * Text to rows. The parser of Papa Parse, which its documentation does not name, reads the grammar:
 * `test/format/PackageParts.test.ts` describes it. This adds where rows are in the text, and checks them.
 */
class RowReader<O> implements TextReader<O> {
  private delimiter: string | undefined
  private newline: Newline | undefined
  private isStarted = false
  /** The place of a line for spreadsheets is behind. */
  private isPrefaced = false
  /** Of the header. */
  private width: number | undefined
  /** From the beginning of the first unfinished record. */
  private text = ""
  /** That record's. */
  private line = 1
  /** True if a line break came since the last parse. */
  private mayEnd = false
  /** The length from which parsing is worth it. */
  private enough = 0
  private fault: Fault | undefined

  constructor(private readonly sink: Sink<O>) {
    this.delimiter = typeof sink.delimiter === "string" ? sink.delimiter : undefined
  }

  readonly hasProblem = (): boolean => this.fault !== undefined

  readonly flush = (): O => this.sink.flush(this.fault)

  readonly onText = (piece: string): void => {
    this.text += this.withoutMark(piece)
    this.mayEnd ||= this.newline === undefined || piece.includes(this.newline)
    if (this.text.length > maxLength || (this.mayEnd && this.text.length >= this.enough)) this.parse(false)
    if (this.fault === undefined && this.text.length > maxLength) this.report(tooLong)
  }

  readonly onMalformed = (): void => {
    this.parse(false)
    if (this.fault !== undefined) return
    this.line += countOf(this.text, this.newline ?? "\n")
    this.report("it holds bytes that are not UTF-8: save the input as UTF-8.")
  }

  readonly onEnd = (): void => {
    this.parse(true)
    if (this.fault === undefined && this.width === undefined) {
      this.line = 1
      this.report("there is no header: the first line must name the columns.")
    }
  }

  private withoutMark(piece: string): string {
    if (this.isStarted || piece === "") return piece
    this.isStarted = true
    if (!piece.startsWith("\uFEFF")) return piece
    this.sink.onMark?.("\uFEFF")
    return piece.slice(1)
  }

  private report(message: string): void {
    this.fault = { line: this.line, message }
  }

  private parse(isLast: boolean): void {
    this.mayEnd = false
    if (!this.isPrefaced && !this.readPreface(isLast)) return
    this.findGrammar(isLast)
    let start = 0
    if (this.newline !== undefined) {
      const all = this.text
      if (isLast && this.newline === "\n") this.text = dropCarriageReturns(all)
      for (let next: number | undefined = 0; next !== undefined; ) {
        const read = this.parseFrom(next, isLast)
        start = read.start
        next = read.next
      }
      if (all.length > this.text.length) this.sink.onBlank?.(all.slice(this.text.length))
      this.text = this.text.slice(start)
    }
    this.enough = this.text.length > cheapLength ? this.text.length * 2 : 0
  }

  /**
   * Parses the text from a place on. Returns the beginning of the unread text, and `next` where it goes on behind a record
   * whose quotes are wrong.
   */
  private parseFrom(from: number, isLast: boolean): { readonly start: number; readonly next?: number } {
    let start = from
    let next: number | undefined
    const rest = from === 0 ? this.text : this.text.slice(from)
    // A misplaced quote may lead the parser to the end of the text.
    const asksAll = !isLast && this.canSkip() && rest.length > cheapLength
    const parser = new Papa.Parser({
      delimiter: this.delimiter!,
      newline: this.newline!,
      step: ({ data, errors, meta }: Papa.ParseStepResult<Array<Array<string>>>) => {
        const end = from + meta.cursor
        if (errors[0]?.code === "InvalidQuotes" && this.canSkip()) {
          next = this.skip(start, isLast)
          start = next ?? start
          parser.abort()
        } else if (asksAll && end === this.text.length) parser.abort()
        else {
          this.onRow(data[0]!, errors[0], start, end)
          start = end
          if (this.fault !== undefined) parser.abort()
        }
      }
    })
    parser.parse(rest, 0, !isLast && !asksAll)
    return { start, ...(next === undefined ? undefined : { next }) }
  }

  private canSkip(): boolean {
    return this.sink.onBadRow !== undefined && this.width !== undefined
  }

  /** Passes a record whose quotes are wrong, and returns its end; `undefined` if it is not there yet, or nowhere. */
  private skip(start: number, isLast: boolean): number | undefined {
    const { line, newline, text } = this
    const found = endOfQuotes(text, newline!, start)
    if (found === undefined && !isLast) return undefined
    const end = found ?? text.length
    if (found === undefined && countOf(text, '"', start) % 2 === 1) {
      this.report(unclosed)
      return undefined
    }
    this.sink.onBadRow?.({ fields: [], text, start, end, line }, misquoted)
    this.line += countOf(text, newline!, start, end)
    return end
  }

  /** Passes the line for spreadsheets, if there is one; false if more text is needed to know. */
  private readPreface(isLast: boolean): boolean {
    if (!isLast && prefaceBegun.test(this.text)) return false
    this.isPrefaced = true
    const [raw, delimiter] = preface.exec(this.text) ?? []
    if (raw === undefined) return true
    this.sink.onBlank?.(raw)
    this.delimiter = delimiter
    this.text = this.text.slice(raw.length)
    this.line++
    return true
  }

  private findGrammar(isLast: boolean): void {
    const { sink, text } = this
    if (this.delimiter === undefined && typeof sink.delimiter === "function") {
      this.delimiter = sink.delimiter(text, isLast)
    }
    if (this.delimiter === undefined) return
    this.newline ??=
      findNewline(text, this.delimiter) ?? (isLast ? (text.endsWith("\r") ? "\r" : "\n") : undefined)
  }

  /** The fault of a row before its fields are read. */
  private faultOf(error: Papa.ParseError | undefined, start: number, end: number): string | undefined {
    if (end - start > maxLength) return tooLong
    if (error !== undefined) {
      return error.code === "MissingQuotes" ? unclosed : misquoted
    }
    return this.newline === "\r" && this.text[start] === "\n"
      ? "some lines end with CR, others with CRLF: end all of them with LF or CRLF."
      : undefined
  }

  private onRow(row: Array<string>, error: Papa.ParseError | undefined, start: number, end: number): void {
    const message = this.faultOf(error, start, end)
    if (message !== undefined) {
      this.report(message)
      return
    }
    const { text } = this
    const fields =
      row[row.length - 1]!.endsWith("\r") && text.startsWith("\r\n", end - 2)
        ? this.withoutCarriageReturn(row, start, end)
        : row
    const isBlank = fields.length === 1 && fields[0] === "" && text[start] !== '"'
    if (!isBlank) this.onFields(fields, start, end)
    else if (end > start) this.sink.onBlank?.(text.slice(start, end))
    if (this.fault === undefined) this.line += countOf(text, this.newline!, start, end)
  }

  private onFields(fields: ReadonlyArray<string>, start: number, end: number): void {
    const row: Row = { fields, text: this.text, start, end, line: this.line }
    if (this.width === undefined) {
      this.width = fields.length
      const problem = this.sink.onHeader(row, this.delimiter!)
      if (problem !== undefined) this.fault = { line: this.line, ...problem }
    } else if (fields.length === this.width) this.sink.onRow(row)
    else {
      const message = `the record has ${fields.length} fields, the header has ${this.width}: check the delimiter (${JSON.stringify(this.delimiter)}), and quote the fields that contain it or a line break.`
      if (this.sink.onBadRow === undefined) this.report(message)
      else this.sink.onBadRow(row, message)
    }
  }

  private withoutCarriageReturn(row: Array<string>, start: number, end: number): Array<string> {
    // LF ends the lines for the parser, so an unquoted last field keeps the CR of a CRLF. Whether it was quoted
    // only the text tells; where that ends with a quote, parsing it without the CR does.
    const record = dropCarriageReturns(this.text.slice(start, end - 1))
    if (record.trimEnd().endsWith('"')) {
      const parser = new Papa.Parser({ delimiter: this.delimiter!, newline: this.newline! })
      return (parser.parse(record, 0, false) as Papa.ParseResult<Array<string>>).data[0]!
    }
    row.push(dropCarriageReturns(row.pop()!))
    return row
  }
}

/** Bytes to rows. The decoder keeps the byte order mark. */
export const makeRows = <O>(sink: Sink<O>, decoder: Decoder): Transducer<Uint8Array, O> =>
  fromBytes(new RowReader(sink), decoder)
