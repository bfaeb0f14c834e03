import * as ParseResult from "effect/ParseResult"
import type * as SchemaAST from "effect/SchemaAST"

interface Problem {
  readonly line?: number | undefined
  /** A sentence that begins in lower case. */
  readonly message: string
}

/** A problem as a line of its own. */
export const describe = ({ line, message }: Problem): string =>
  `${line === undefined ? "All lines" : `Line ${line}`}: ${message}`

/** A violation follows the name of its field, and is joined with others. */
const asRule = ({ line, message }: Problem): string =>
  `${line === undefined ? "all lines" : `line ${line}`}: ${message.replace(/\.$/, "")}`

/** Problems as violations of one field. */
export const issueOf = (
  ast: SchemaAST.AST,
  [first, ...rest]: readonly [Problem, ...ReadonlyArray<Problem>]
): ParseResult.ParseIssue => {
  const violation = (problem: Problem) => new ParseResult.Type(ast, undefined, asRule(problem))
  return new ParseResult.Composite(ast, undefined, [violation(first), ...rest.map(violation)])
}
