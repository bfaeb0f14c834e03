import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as AST from "effect/SchemaAST"
import type { Batch } from "./transducer.js"

/** What a schema refused. */
interface Refusal {
  readonly column: string | undefined
  readonly missing: boolean
  readonly expected: string
}

const expectation = (ast: AST.AST): string =>
  Option.getOrElse(AST.getDescriptionAnnotation(ast), () => String(ast))

const refusal = (issue: ParseResult.ParseIssue): Refusal => {
  switch (issue._tag) {
    case "Pointer": {
      const column = String(Array.isArray(issue.path) ? issue.path[0] : issue.path)
      return { ...refusal(issue.issue), column, missing: issue.issue._tag === "Missing" }
    }
    case "Composite": {
      const issues = "_tag" in issue.issues ? [issue.issues] : issue.issues
      return issue.ast._tag === "Union" && issues.length > 1
        ? { column: undefined, missing: false, expected: expectation(issue.ast) }
        : refusal(issues[0]!)
    }
    case "Refinement":
      return issue.kind === "From"
        ? refusal(issue.issue)
        : { ...refusal(issue.issue), expected: expectation(issue.ast) }
    case "Transformation":
      return issue.kind !== "Transformation"
        ? refusal(issue.issue)
        : { ...refusal(issue.issue), expected: expectation(issue.ast) }
    case "Unexpected":
      return { column: undefined, missing: false, expected: "no such column" }
    case "Missing":
      return { column: undefined, missing: false, expected: expectation(issue.ast.type) }
    case "Type":
    case "Forbidden":
      return { column: undefined, missing: false, expected: expectation(issue.ast) }
  }
}

/** Says what a schema refused without the refused value, which the schema's own messages may print. */
export const describeIssue = (
  where: string,
  issue: ParseResult.ParseIssue
): { readonly column?: string; readonly message: string } => {
  const { column, expected, missing } = refusal(issue)
  const place = column === undefined ? where : `${where}, column ${JSON.stringify(column)}`
  return {
    ...(column === undefined ? undefined : { column }),
    message: missing
      ? `${place}: the column is missing: check its spelling and the delimiter, or make it optional in the schema.`
      : `${place}: expected ${expected}: correct the value or the schema.`
  }
}

const isEither = <A, E, R>(self: Effect.Effect<A, E, R>): self is Either.Either<A, E> => Either.isEither(self)

/** Parses the values up to the first refused one. A schema without effects runs in one loop, without a fiber operation per value. */
export const parseAll = <A, B, R>(
  values: ReadonlyArray<A>,
  parse: (value: A) => Effect.Effect<B, ParseResult.ParseIssue, R>
): Effect.Effect<Batch<B, ParseResult.ParseIssue>, never, R> => {
  const parsed: Array<B> = []
  const done = (problem?: ParseResult.ParseIssue) => Effect.succeed({ values: parsed, problem })
  const from = (start: number): Effect.Effect<Batch<B, ParseResult.ParseIssue>, never, R> => {
    for (let i = start; i < values.length; i++) {
      const result = parse(values[i]!)
      if (!isEither(result)) {
        return Effect.matchEffect(result, {
          onFailure: done,
          onSuccess: (value) => {
            parsed.push(value)
            return from(i + 1)
          }
        })
      }
      if (Either.isLeft(result)) return done(result.left)
      parsed.push(result.right)
    }
    return done()
  }
  return Effect.suspend(() => from(0))
}
