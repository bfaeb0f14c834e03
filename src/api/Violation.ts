/**
 * What a value breaks, told by field and rule. The value itself never appears: it may be a text or a key.
 *
 * @since 0.1.0
 */
import * as Arr from "effect/Array"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

/**
 * A field, and what is wrong with it.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Violation = Schema.Struct({
  /** The field's path, such as `text` or `customInstructions[3]`; empty for the value as a whole. */
  field: Schema.String,
  /** What is wrong, with the size, the limit and the fix. */
  rule: Schema.String
})

/**
 * A field, and what is wrong with it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Violation extends Schema.Schema.Type<typeof Violation> {}

const join = (path: string, key: PropertyKey): string =>
  typeof key === "number" ? `${path}[${key}]` : path === "" ? String(key) : `${path}.${String(key)}`

const ownWords = (issue: ParseResult.ParseIssue): string | undefined => {
  // Effect's own messages list every known field, or print the value.
  if (issue._tag === "Unexpected") return undefined
  if ("message" in issue && issue.message !== undefined && !issue.message.startsWith("Unable to "))
    return issue.message
  if (!("ast" in issue) || !("annotations" in issue.ast)) return undefined
  const message = SchemaAST.getMessageAnnotation(issue.ast as SchemaAST.AST).pipe(Option.getOrUndefined)?.(
    issue
  )
  return typeof message === "string" ? message : undefined
}

const expected = (issue: ParseResult.ParseIssue): string => {
  switch (issue._tag) {
    case "Missing":
      return "is missing"
    case "Unexpected":
      return "is not known here: check its spelling"
    case "Type":
      return `must be ${SchemaAST.isTransformation(issue.ast) ? issue.ast.to : issue.ast}`
    default:
      return "is not allowed"
  }
}

const fromUnion = (
  union: SchemaAST.Union,
  issues: ReadonlyArray<ParseResult.ParseIssue>,
  path: string
): ReadonlyArray<Violation> => {
  const members = union.types.filter((member) => !SchemaAST.isUndefinedKeyword(member))
  const [issue] = issues.filter((issue) => issue._tag !== "Type" || !SchemaAST.isUndefinedKeyword(issue.ast))
  return members.length === 1 && issue !== undefined
    ? fromIssue(issue, path)
    : [{ field: path, rule: `must be ${members.join(" or ")}` }]
}

/**
 * Tells what a schema's `ParseIssue` complains about, without the values that its own formatters print.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromIssue = (issue: ParseResult.ParseIssue, path = ""): ReadonlyArray<Violation> => {
  switch (issue._tag) {
    case "Pointer": {
      return fromIssue(issue.issue, Arr.ensure(issue.path).reduce<string>(join, path))
    }
    case "Composite":
      return SchemaAST.isUnion(issue.ast)
        ? fromUnion(issue.ast, Arr.ensure(issue.issues), path)
        : Arr.ensure(issue.issues).flatMap((inner) => fromIssue(inner, path))
    case "Transformation":
      return fromIssue(issue.issue, path)
    case "Refinement":
      return issue.kind === "From" || ownWords(issue) === undefined
        ? fromIssue(issue.issue, path)
        : [{ field: path, rule: ownWords(issue)! }]
    default:
      return [{ field: path, rule: ownWords(issue) ?? expected(issue) }]
  }
}

const shown = 20

/**
 * One line for people: the fields with their rules, the first 20 of them.
 *
 * @since 0.1.0
 * @category codecs
 */
export const format = (violations: ReadonlyArray<Violation>): string =>
  violations
    .slice(0, shown)
    .map(({ field, rule }) => (field === "" ? rule : `${field} ${rule}`))
    .concat(violations.length > shown ? [`and ${violations.length - shown} more`] : [])
    .join("; ")
