import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as AST from "effect/SchemaAST"
import { refusals } from "../../internal/parseIssue.js"
import type { Batch } from "./transducer.js"

const expectation = (issue: ParseResult.ParseIssue): string => {
  if (issue._tag === "Unexpected") return "no such column"
  const ast = issue._tag === "Missing" ? issue.ast.type : (issue as ParseResult.Type).ast
  return Option.getOrElse(AST.getDescriptionAnnotation(ast), () => String(ast))
}

/** A schema's refusal: a value, or a missing column. */
export interface Refused {
  readonly expected?: string
}

/** Describes the first fault that a schema found, without the refused value, which the schema's own messages may print. */
export const describeIssue = (
  where: string,
  issue: ParseResult.ParseIssue
): { readonly column?: string; readonly refused: Refused; readonly message: string } => {
  const first = refusals(issue)[0]!
  const column = first.path.length === 0 ? undefined : String(first.path[0])
  const place = column === undefined ? where : `${where}, column ${JSON.stringify(column)}`
  const named = column === undefined ? undefined : { column }
  if (first.issue._tag === "Missing" && first.path.length === 1) {
    const message = `${place}: the column is missing: check its spelling and the delimiter, or make it optional in the schema.`
    return { ...named, refused: {}, message }
  }
  const expected = expectation(first.issue)
  return {
    ...named,
    refused: { expected },
    message: `${place}: expected ${expected}: correct the value or the schema.`
  }
}

const isEither = <A, E, R>(self: Effect.Effect<A, E, R>): self is Either.Either<A, E> => Either.isEither(self)

/**
 * Parses values up to the first one that is refused. A schema without effects runs in one loop, without a fiber operation
 * per value.
 */
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
