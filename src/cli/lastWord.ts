/** The last that a program prints of a failure. It loads nothing: it also reports modules that can't be loaded. */

/** Prints a failure, and gives its exit code. */
export interface Failure {
  readonly code: number
  /** The tag of the error. */
  readonly tag: string
  readonly message: string
}

/** A text for people: the control character in keys of gettext, behind their context, is a stroke. */
export const shown = (text: string): string => text.replaceAll("\u0004", "|")

/** Prints the failure, and returns the exit code. */
export const tell = (failure: Failure): number => {
  // Standard output may hold a translation: then JSON goes to standard error, and nothing else.
  const isPiped = process.argv.includes("-")
  const isJson = process.argv.includes("--json")
  if (!(isPiped && isJson)) process.stderr.write(`${shown(failure.message)}\n`)
  if (isJson) {
    const results = isPiped ? process.stderr : process.stdout
    results.write(`${JSON.stringify({ type: "error", ...failure })}\n`)
  }
  return failure.code
}
