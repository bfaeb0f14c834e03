/** Finds the marks that git leaves in a file of which it can't merge two versions. */
import * as Either from "effect/Either"
import type { Problem } from "./problem.js"

/** Formats of documents, which may be about git. */
const documents: ReadonlySet<string> = new Set(["html", "markdown", "mdx"])

const marks = ["<", "=", ">"].map((mark) => new RegExp(`^${mark}{7}(?=[ \\r\\n]|$)`, "gm"))

/** Refuses a file of a format for its first conflict. */
export const check = (format: string, text: string): Either.Either<void, Problem> => {
  if (documents.has(format)) return Either.void
  let from = 0
  let line: number | undefined
  for (const mark of marks) {
    mark.lastIndex = from
    const found = mark.exec(text)
    if (found === null) return Either.void
    line ??= text.slice(0, found.index).split("\n").length
    from = found.index + 1
  }
  return Either.left({ line, message: "this is a conflict of git (<<<<<<<): resolve it, then run again." })
}
