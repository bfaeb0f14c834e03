import Papa from "papaparse"

export interface Row {
  /** The line it begins on, from 1. */
  readonly line: number
  readonly fields: ReadonlyArray<string>
  /** Whether its quotes can't be read. */
  readonly isBroken: boolean
}

/** The rows of a text, without blank ones. Lines may end with LF, CRLF or CR. */
const read =
  (format: Papa.ParseConfig) =>
  (text: string): ReadonlyArray<Row> => {
    const lines = (text.startsWith("\uFEFF") ? text.slice(1) : text).replace(/\r\n?/g, "\n")
    const { data, errors }: Papa.ParseResult<Array<string>> = new Papa.Parser({
      ...format,
      newline: "\n"
    }).parse(lines, 0, false)
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

export const readCsv = read({ delimiter: "," })

/** Fast mode knows no quotes, as TSV of the service. */
export const readTsv = read({ delimiter: "\t", fastMode: true })
