import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { StoreError, StoreUnavailable } from "../../store/StoreError.js"
import * as SqlTables from "../SqlTables.js"
import * as dialects from "./dialect.js"
import { Durability } from "./durability.js"
import { retrying } from "./retrying.js"
import * as sqlFailures from "./sqlFailures.js"
import {
  ask as askOne,
  askTexts,
  type Param,
  type Row,
  run as runStatements,
  runSync,
  type Statement,
  type Statements
} from "./statements.js"
import * as synchronousStatements from "./synchronousStatements.js"

/** The database of a store, as the modules of the store use it. */
export interface Database {
  readonly dialect: dialects.Dialect
  /** The name of the store in errors. */
  readonly name: string
  /** Rows as arrays of values. */
  readonly query: <R extends Row>(
    text: string,
    params?: ReadonlyArray<Param>
  ) => Effect.Effect<ReadonlyArray<R>, SqlError>
  /** Rows of `columns` columns with stored texts. The statement begins with SELECT, and is in no transaction. */
  readonly queryTexts: <R extends Row>(
    columns: R["length"],
    text: string,
    params?: ReadonlyArray<Param>
  ) => Effect.Effect<ReadonlyArray<R>, SqlError>
  readonly withTransaction: <A>(body: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>
  /** Statements that need no transaction. */
  readonly read: <A>(statements: () => Statements<A>) => Effect.Effect<A, SqlError>
  readonly transaction: <A>(statements: () => Statements<A>) => Effect.Effect<A, SqlError>
  /**
   * A transaction that no other process has at the same time, and that survives a loss of power. All decisions about the
   * sender of a text are made in these.
   */
  readonly exclusively: <A>(statements: () => Statements<A>) => Effect.Effect<A, SqlError>
  /**
   * Tries again while the database is away. It may have been done already, if only the answer was lost: doing it again must change nothing.
   */
  readonly persist: <A, E extends SqlError | StoreError, R>(
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, StoreError, R>
}

export interface Options {
  readonly sql: SqlClient.SqlClient
  readonly name: string | undefined
  readonly schedule: Schedule.Schedule<unknown, StoreUnavailable>
}

/** The driver's form of a statement, and the decoding of its rows. */
const translated = ({ asBytes, statement }: dialects.Dialect, { columns, text }: Statement) =>
  asBytes === undefined || columns === undefined
    ? { text: statement(text), rowsOf: identity<ReadonlyArray<Row>> }
    : {
        text: statement(asBytes.statement(text, columns)),
        rowsOf: ([row]: ReadonlyArray<Row>) => asBytes.rows(row![0] as Uint8Array)
      }

const carriedOut = (
  sql: SqlClient.SqlClient,
  dialect: dialects.Dialect,
  withTransaction: Database["withTransaction"],
  ask: (statement: Statement) => Effect.Effect<ReadonlyArray<Row>, SqlError>
): Pick<Database, "read" | "transaction"> => {
  const now = synchronousStatements.of(sql)
  if (now === undefined) {
    const run = <A>(statements: () => Statements<A>) => Effect.suspend(() => runStatements(statements(), ask))
    return { read: run, transaction: (statements) => withTransaction(run(statements)) }
  }
  // Of a statement that inserts 16 rows, it would take 9 µs each time. A text always has the same columns, and there are few of them.
  const known = new Map<string, ReturnType<typeof translated>>()
  const run =
    <A>(statements: () => Statements<A>) =>
    (rows: synchronousStatements.RowsNow) =>
      runSync(statements(), (statement) => {
        let own = known.get(statement.text)
        if (own === undefined) {
          own = translated(dialect, statement)
          known.set(statement.text, own)
        }
        return own.rowsOf(rows(own.text, statement.params))
      })
  return {
    read: (statements) => now.read(run(statements)),
    transaction: (statements) => now.transaction(run(statements))
  }
}

export const make = ({ name: named, schedule, sql }: Options): Database => {
  const dialect = dialects.of(sql)
  const name = named ?? dialect.name
  const storeError = sqlFailures.storeError(name)
  const retry = retrying(schedule, sqlFailures.isPassing)
  const ask = (statement: Statement): Effect.Effect<ReadonlyArray<Row>, SqlError> => {
    const { rowsOf, text } = translated(dialect, statement)
    // Within a transaction without a span for each statement: those take a fifth of a claim's CPU.
    const rows = Effect.flatMap(
      Effect.serviceOption(SqlClient.TransactionConnection),
      Option.match({
        onNone: () => sql.unsafe(text, statement.params).values,
        onSome: ([connection]) => connection.executeValues(text, statement.params)
      })
    )
    return rowsOf === identity
      ? rows
      : Effect.flatMap(rows, (rows) =>
          Effect.try({ try: () => rowsOf(rows), catch: () => sqlFailures.corrupt })
        )
  }
  const query = <R extends Row>(text: string, params: ReadonlyArray<Param> = []) =>
    ask({ text, params }) as Effect.Effect<ReadonlyArray<R>, SqlError>
  const withTransaction = SqlTables.withoutDefects(sql.withTransaction)
  const lock = dialect.lock("effect_translate_attempts")
  const { read, transaction } = carriedOut(sql, dialect, withTransaction, ask)
  return {
    dialect,
    name,
    query,
    queryTexts: (columns, text, params) => read(() => askTexts(columns, text, params)),
    withTransaction,
    read,
    transaction,
    exclusively: (statements) =>
      Effect.provideService(
        transaction(
          lock === undefined
            ? statements
            : function* () {
                // Statements have to see the commits made while they waited for the lock, also if the default of the
                // database is another one.
                yield* askOne("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
                yield* askOne(`SELECT ${lock}`)
                return yield* statements()
              }
        ),
        Durability,
        "power-loss"
      ),
    persist: (effect) =>
      retry(
        Effect.mapError(effect, (error: SqlError | StoreError) =>
          error._tag === "SqlError" ? storeError(error) : error
        )
      )
  }
}

/** The database of the client that is there, in which nothing is tried again. */
export const ofClient = (name: string | undefined): Effect.Effect<Database, never, SqlClient.SqlClient> =>
  Effect.map(SqlClient.SqlClient, (sql) => make({ sql, name, schedule: Schedule.stop }))
