/** What is wrong with an input or an output; `Csv` makes its error of it. */
export interface Problem {
  readonly line?: number
  readonly row?: number
  readonly column?: string
  readonly message: string
}

export const firstDuplicate = (names: ReadonlyArray<string>): string | undefined => {
  const seen = new Set<string>()
  return names.find((name) => seen.size === seen.add(name).size)
}

/** Papa Parse takes a comma in place of a delimiter it cannot use, and never ends with an empty one. */
export const delimiterProblem = (delimiter: string): Problem | undefined =>
  delimiter === "" || /["\r\n\uFEFF]/.test(delimiter)
    ? {
        message:
          'The option "delimiter" must be a string of one or more characters other than a double quote, CR, LF and the byte order mark.'
      }
    : undefined
