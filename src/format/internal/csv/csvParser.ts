import type { Encoding } from "../charset.js"
import type { Batch, Transducer } from "../transducer.js"
import * as csvDecoder from "./csvDecoder.js"
import { firstDuplicate, type Problem } from "./csvProblem.js"
import { makeRows } from "./csvRows.js"

export type CsvRecord = Record<string, string>

/** Records with the line each begins on. */
export interface Records extends Batch<CsvRecord, Problem> {
  readonly lines: ReadonlyArray<number>
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

export const duplicateColumn = (column: string) => ({
  column,
  message: `the header names the column ${JSON.stringify(column)} more than once: give each column a name of its own.`
})

/** Bytes to records, which have the columns of the header as keys. */
export const makeParser = (
  delimiter: string,
  encoding: Encoding | undefined
): Transducer<Uint8Array, Records> => {
  let columns: ReadonlyArray<string> = []
  let values: Array<CsvRecord> = []
  let lines: Array<number> = []
  return makeRows<Records>(
    {
      delimiter,
      onHeader: ({ fields }) => {
        columns = fields
        const duplicate = firstDuplicate(fields)
        return duplicate === undefined ? undefined : duplicateColumn(duplicate)
      },
      onRow: ({ fields, line }) => {
        values.push(toRecord(columns, fields))
        lines.push(line)
      },
      flush: (fault) => {
        const problem =
          fault === undefined ? undefined : { ...fault, message: `Line ${fault.line}: ${fault.message}` }
        const batch = { values, lines, problem }
        values = []
        lines = []
        return batch
      }
    },
    csvDecoder.make(encoding)
  )
}
