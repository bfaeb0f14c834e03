import * as Arr from "effect/Array"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as AST from "effect/SchemaAST"

/** One thing that a schema refused. Printers must not show `issue.actual`: it may be a text or a key. */
export interface Refusal {
  readonly path: ReadonlyArray<PropertyKey>
  readonly issue: ParseResult.ParseIssue
}

/** The message that the schema declares for the value it refused. Effect's own messages do not count: they print the value. */
export const declaredMessage = (issue: ParseResult.ParseIssue): string | undefined => {
  if (issue._tag === "Unexpected") return undefined
  if ("message" in issue && issue.message !== undefined && !issue.message.startsWith("Unable to "))
    return issue.message
  if (!("ast" in issue) || !("annotations" in issue.ast)) return undefined
  const message = AST.getMessageAnnotation(issue.ast as AST.AST).pipe(Option.getOrUndefined)?.(issue)
  return typeof message === "string" ? message : undefined
}

/** The members of a union, apart from the `undefined` of an optional field. */
export const membersOf = (union: AST.Union): ReadonlyArray<AST.AST> =>
  union.types.filter((member) => !AST.isUndefinedKeyword(member))

const isAboutUndefined = (issue: ParseResult.ParseIssue): boolean =>
  issue._tag === "Type" && AST.isUndefinedKeyword(issue.ast)

/** Everything that a schema refused, in order. A union of which several members were tried counts as one refusal. */
export const refusals = (
  issue: ParseResult.ParseIssue,
  path: ReadonlyArray<PropertyKey> = []
): ReadonlyArray<Refusal> => {
  switch (issue._tag) {
    case "Pointer":
      return refusals(issue.issue, path.concat(issue.path))
    case "Composite": {
      const issues = Arr.ensure(issue.issues)
      if (!AST.isUnion(issue.ast)) return issues.flatMap((inner) => refusals(inner, path))
      const [first, second] = issues.filter((inner) => !isAboutUndefined(inner))
      return first !== undefined && (second === undefined || membersOf(issue.ast).length === 1)
        ? refusals(first, path)
        : [{ path, issue }]
    }
    case "Transformation":
      return refusals(issue.issue, path)
    case "Refinement":
      return issue.kind === "Predicate" && declaredMessage(issue) !== undefined
        ? [{ path, issue }]
        : refusals(issue.issue, path)
    default:
      return [{ path, issue }]
  }
}
