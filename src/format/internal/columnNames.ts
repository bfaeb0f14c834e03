import * as columnPattern from "../../internal/columnPattern.js"
import * as OutputPath from "../OutputPath.js"

/** The first line of a file without a header is no list of names: it is not repeated as a whole. */
export const list = (columns: ReadonlyArray<string>): string => {
  const named = columns
    .slice(0, 20)
    .map((column) => JSON.stringify(column.length > 40 ? `${column.slice(0, 40)}…` : column))
  return [...named, ...(columns.length > named.length ? ["…"] : [])].join(", ")
}

/** The problem of a file of which no column is chosen. */
export const noneChosen = (columns: ReadonlyArray<string>) => {
  const known = list(columns)
  return {
    choice: { option: "columns" as const, known },
    message: `no column is chosen: give \`columns\` some of ${known}.`
  }
}

/** The new column for the translations of a column. */
export const translated = (pattern: string, column: string, targetLang: string): string =>
  columnPattern.nameOf(pattern, column, OutputPath.toCode(targetLang, "underscore"))
