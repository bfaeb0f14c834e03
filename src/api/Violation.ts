/**
 * The rules that a value breaks, by field. The value itself never appears: it may be a text or a key.
 *
 * @since 0.1.0
 */
import { identity } from "effect/Function"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as optionNames from "../internal/optionNames.js"
import * as parseIssue from "../internal/parseIssue.js"

/**
 * A field, and its problem.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Violation = Schema.Struct({
  /** The field's path, such as `text` or `customInstructions[3]`; empty for the value as a whole. */
  field: Schema.String,
  /** The problem, with the size, the limit and the fix. The names of other fields are in backticks. */
  rule: Schema.String
})

/**
 * A field, and its problem.
 *
 * @since 0.1.0
 * @category models
 */
export interface Violation extends Schema.Schema.Type<typeof Violation> {}

/** A longer name is none of ours, and may be a text that was put in the wrong place. */
const longestName = 40

const nameOf = (key: PropertyKey): string => {
  const name = String(key)
  return name.length <= longestName ? name : `(a name of ${name.length} characters)`
}

const join = (path: string, key: PropertyKey): string =>
  typeof key === "number" ? `${path}[${key}]` : path === "" ? nameOf(key) : `${path}.${nameOf(key)}`

const unknown = "is not known here: check its spelling"

const ruleOf = (issue: ParseResult.ParseIssue): string => {
  switch (issue._tag) {
    case "Missing":
      return "is missing"
    case "Unexpected":
      return unknown
    case "Type":
      return `must be ${SchemaAST.isTransformation(issue.ast) ? issue.ast.to : issue.ast}`
    case "Composite":
      return `must be ${parseIssue.membersOf(issue.ast as SchemaAST.Union).join(" or ")}`
    default:
      return "is not allowed"
  }
}

/**
 * The violations in a `ParseIssue`, without the values that Effect's own formatters print. The fields begin with `path`, if
 * one is given.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromIssue = (issue: ParseResult.ParseIssue, path = ""): ReadonlyArray<Violation> =>
  parseIssue.refusals(issue).map(({ issue, path: keys }) => ({
    field: keys.reduce<string>(join, path),
    rule: parseIssue.declaredMessage(issue) ?? ruleOf(issue)
  }))

const shown = 20

/**
 * Formats violations as one line: each field with its rule, at most 20 of them. Where fields are called otherwise, as the flags of a
 * command line are, `nameOf` says how; a field that is not known keeps its name.
 *
 * @since 0.1.0
 * @category codecs
 */
export const format = (
  violations: ReadonlyArray<Violation>,
  nameOf: (field: string) => string = identity
): string =>
  violations
    .slice(0, shown)
    .map(({ field, rule }) => {
      const named = optionNames.rename(rule, nameOf)
      if (field === "") return named
      return `${rule === unknown ? field : nameOf(field)} ${named}`
    })
    .concat(violations.length > shown ? [`and ${violations.length - shown} more`] : [])
    .join("; ")
