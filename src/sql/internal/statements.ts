/**
 * Statements in turn, with the decoding of their rows: a generator, so that the synchronous driver of a file carries
 * them out in one step. An effect for each would take longer than the statement itself.
 */
import * as Effect from "effect/Effect"

export type Row = ReadonlyArray<unknown>

export type Param = string | number | Uint8Array | null

/** A statement, written with `$1`. */
export interface Statement {
  readonly text: string
  readonly params: ReadonlyArray<Param>
  /** The number of columns of its rows, if stored texts are among them. */
  readonly columns?: number
}

/** Statements that need the rows of those before. */
export type Statements<A> = Generator<Statement, A, ReadonlyArray<Row>>

/** One statement, and its rows as arrays of values. */
export function* ask<R extends Row>(
  text: string,
  params: ReadonlyArray<Param> = []
): Generator<Statement, ReadonlyArray<R>, ReadonlyArray<Row>> {
  return (yield { text, params }) as ReadonlyArray<R>
}

/** A statement whose rows of `columns` columns have stored texts. It begins with SELECT. */
export function* askTexts<R extends Row>(
  columns: R["length"],
  text: string,
  params: ReadonlyArray<Param> = []
): Generator<Statement, ReadonlyArray<R>, ReadonlyArray<Row>> {
  return (yield { text, params, columns }) as ReadonlyArray<R>
}

/** No statement. */
// biome-ignore lint/correctness/useYield: there is nothing to ask
export function* nothing<A>(result: A): Statements<A> {
  return result
}

/** Carries out statements at once. */
export const runSync = <A>(
  statements: Statements<A>,
  run: (statement: Statement) => ReadonlyArray<Row>
): A => {
  let step = statements.next()
  while (step.done !== true) step = statements.next(run(step.value))
  return step.value
}

/** Carries out statements one after the other. */
export const run = <A, E>(
  statements: Statements<A>,
  query: (statement: Statement) => Effect.Effect<ReadonlyArray<Row>, E>
): Effect.Effect<A, E> => {
  const from = (step: IteratorResult<Statement, A>): Effect.Effect<A, E> =>
    step.done === true
      ? Effect.succeed(step.value)
      : Effect.flatMap(query(step.value), (rows) => from(statements.next(rows)))
  return Effect.suspend(() => from(statements.next()))
}
