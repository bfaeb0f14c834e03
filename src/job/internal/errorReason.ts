import * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as Violation from "../../api/Violation.js"

/** The tag and the message of any error, without the values that a `ParseError` prints. */
export const describe = (error: unknown): { readonly tag: string; readonly message: string } => {
  if (ParseResult.isParseError(error)) {
    return { tag: error._tag, message: Violation.format(Violation.fromIssue(error.issue)) }
  }
  const tag = Predicate.hasProperty(error, "_tag")
    ? error._tag
    : error instanceof Error
      ? error.name
      : "Error"
  const message = Predicate.hasProperty(error, "message") ? error.message : ""
  return { tag: String(tag), message: String(message) }
}
