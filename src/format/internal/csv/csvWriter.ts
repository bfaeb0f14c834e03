import * as Chunk from "effect/Chunk"
import type * as ParseResult from "effect/ParseResult"
import Papa from "papaparse"
import { encoder, hasLoneSurrogate } from "../../../internal/utf8.js"
import { describeIssue } from "../schemaIssue.js"
import type { Batch, Transducer } from "../transducer.js"
import { firstDuplicate, type Problem } from "./csvProblem.js"

/** A record in the shape an encoder gives it: an optional column may be absent. */
export type LooseRecord = Readonly<Record<string, string | undefined>>

export interface WriterOptions {
  readonly delimiter: string
  readonly newline: string
  readonly bom: boolean
  readonly header: boolean
  /** The header, where it is known before the first record. */
  readonly columns: ReadonlyArray<string> | undefined
  /** Writes an absent value as an empty field, as its schema has allowed it. Otherwise it is a problem. */
  readonly allowsAbsent: boolean
}

type Row = Array<string>

const headerProblem = (columns: ReadonlyArray<string>): Problem | undefined => {
  if (columns.length === 0) {
    return { message: "The header would have no columns: name them in `columns`." }
  }
  const duplicate = firstDuplicate(columns)
  if (duplicate !== undefined) {
    return {
      column: duplicate,
      message: `The header would name the column ${JSON.stringify(duplicate)} more than once: give each column a name of its own.`
    }
  }
  return columns.some(hasLoneSurrogate)
    ? { message: "A column name holds half of a surrogate pair, which UTF-8 cannot carry: rename it." }
    : undefined
}

/** Batches of records to bytes. A record that could not be read back is a problem; the records before it are written. */
export const makeWriter = (
  options: WriterOptions
): Transducer<Batch<LooseRecord, ParseResult.ParseIssue>, Batch<Uint8Array, Problem>> => {
  let columns = options.columns
  let isStarted = false
  let count = 0
  let problem: Problem | undefined

  const report = (column: string, message: string) => {
    problem = { row: count, column, message: `Row ${count}, column ${JSON.stringify(column)}: ${message}` }
  }

  const toRow = (record: LooseRecord, header: ReadonlyArray<string>): Row => {
    const row: Row = []
    for (const column of header) {
      const value = Object.hasOwn(record, column) ? record[column] : undefined
      if (value === undefined && !options.allowsAbsent) {
        report(
          column,
          "there is no value: give every record all columns, an empty string where there is nothing."
        )
      } else if (value !== undefined && hasLoneSurrogate(value)) {
        report(column, "the text holds half of a surrogate pair, which UTF-8 cannot carry: repair it.")
      }
      row.push(value ?? "")
    }
    if (options.columns === undefined) {
      const keys = Object.keys(record)
      const unknown = keys.length > header.length ? keys.find((key) => !header.includes(key)) : undefined
      if (unknown !== undefined) {
        report(unknown, "the first record, which sets the header, has no such column: name all in `columns`.")
      }
    }
    return row
  }

  const serialize = (rows: Array<Row>): string =>
    Papa.unparse(rows, {
      delimiter: options.delimiter,
      newline: options.newline,
      // Papa Parse quotes a text that contains the delimiter, but not one whose end and the delimiter behind it form an
      // earlier delimiter of several characters. And a record with one empty field needs quotes, as blank lines are skipped.
      quotes: options.delimiter.length > 1 || (rows[0]!.length === 1 && ((value: string) => value === ""))
    }) + options.newline

  const flush = (rows: Array<Row>): Batch<Uint8Array, Problem> => {
    if (rows.length === 0) return { values: [], problem }
    const bom = options.bom && !isStarted ? "\uFEFF" : ""
    isStarted = true
    return { values: [encoder.encode(bom + serialize(rows))], problem }
  }

  /** The header, if it is known and not yet written. */
  const header = (): Array<Row> => {
    if (isStarted || columns === undefined) return []
    problem = headerProblem(columns)
    return problem === undefined && options.header ? [[...columns]] : []
  }

  return {
    push: (input) => {
      const rows: Array<Row> = []
      for (const batch of Chunk.toReadonlyArray(input)) {
        const first = batch.values[0]
        if (first !== undefined) columns ??= Object.keys(first)
        if (rows.length === 0) rows.push(...header())
        for (let i = 0; i < batch.values.length && problem === undefined; i++) {
          count++
          const row = toRow(batch.values[i]!, columns!)
          if (problem === undefined) rows.push(row)
        }
        if (problem === undefined && batch.problem !== undefined) {
          count++
          problem = { row: count, ...describeIssue(`Row ${count}`, batch.problem) }
        }
        if (problem !== undefined) break
      }
      return flush(rows)
    },
    end: () => flush(header())
  }
}
