import type { Refused } from "../schemaIssue.js"

/** A fault of an input or an output; `Csv` turns it into its error. */
export interface Problem {
  readonly line?: number
  readonly row?: number
  readonly column?: string
  readonly refused?: Refused
  readonly message: string
}

export const firstDuplicate = (names: ReadonlyArray<string>): string | undefined => {
  const seen = new Set<string>()
  return names.find((name) => seen.size === seen.add(name).size)
}

/** Papa Parse replaces a delimiter that it cannot use by a comma, and does not end with an empty one. */
export const delimiterProblem = (delimiter: string): Problem | undefined =>
  delimiter === "" || /["\r\n\uFEFF]/.test(delimiter)
    ? {
        message:
          "`delimiter` must be a string of one or more characters other than a double quote, CR, LF and the byte order mark."
      }
    : undefined
