import type * as DuckDb from "@duckdb/node-api"
import { SqlError } from "@effect/sql/SqlError"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

/** The version of the driver that this library is tested with. */
const version = "1.5.6-r.1"

/** Errors whose messages are about names, files and the text of a query. Others may quote values. */
const quotesNoValue =
  /^(Binder|Catalog|Dependency|HTTP|IO|Interrupt|Not implemented|Out of Memory|Parser|Permission|TransactionContext) Error: /

const isLock = /^IO Error: Could not set lock on file/

/** A message of DuckDB in a line, without the excerpt of the query. */
const reasonOf = (message: string): string =>
  message
    .replace(/\n+LINE \d+:[\s\S]*$/, "")
    .replace(/\s*\n\s*/g, " ")
    .trim()

const causeOf = (error: unknown): Error & { readonly code: string } => {
  const message = (error instanceof Error ? error.message : String(error)).replace(
    /^Failed to extract statements: /,
    ""
  )
  const kind = /^([A-Z][A-Za-z ]*) Error: /.exec(message)?.[1] ?? "Unknown"
  if (isLock.test(message)) {
    return Object.assign(
      new Error("another process has the file open, and DuckDB gives a file to one process that writes"),
      { code: "DUCKDB_LOCKED" }
    )
  }
  return Object.assign(
    new Error(
      quotesNoValue.test(message)
        ? reasonOf(message)
        : `${kind} Error, of which DuckDB says more in its own program: its message may quote values`
    ),
    { code: `DUCKDB_${kind.toUpperCase().replaceAll(" ", "_")}` }
  )
}

const sqlError =
  (message: string) =>
  (error: unknown): SqlError =>
    new SqlError({ cause: causeOf(error), message })

const failedToExecute = sqlError("Failed to execute statement")

/** The driver, which is an optional peer. */
const load = Effect.tryPromise({
  try: () => import("@duckdb/node-api"),
  catch: (cause) =>
    new SqlError({
      cause: Object.assign(
        new Error(`the package of DuckDB is missing: npm install @duckdb/node-api@${version}`, { cause }),
        { code: "DUCKDB_MISSING" }
      ),
      message: "Failed to load DuckDB"
    })
})

export interface Request {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
}

/** One connection: it carries out one statement at a time. */
export interface Connection {
  /** All rows, as objects or as arrays of values. */
  readonly run: (
    request: Request,
    shape: "objects" | "values"
  ) => Effect.Effect<ReadonlyArray<object>, SqlError>
  /** Rows as objects, some two thousand at a time. */
  readonly stream: (request: Request) => Stream.Stream<object, SqlError>
}

/** A promise of the connection: when it is interrupted, so is the statement, whose end is awaited. */
const attempt = <A>(
  connection: DuckDb.DuckDBConnection,
  evaluate: () => Promise<A>
): Effect.Effect<A, SqlError> =>
  Effect.async((resume) => {
    const running = Promise.resolve()
      .then(evaluate)
      .then(
        (value) => resume(Effect.succeed(value)),
        (error: unknown) => resume(Effect.fail(failedToExecute(error)))
      )
    return Effect.promise(() => {
      // DuckDB forgets an interruption that comes before the statement runs.
      const interrupting = setInterval(() => connection.interrupt(), 5)
      connection.interrupt()
      return running.finally(() => clearInterval(interrupting))
    })
  })

const make = (driver: typeof DuckDb, connection: DuckDb.DuckDBConnection): Connection => {
  const toDriver = (value: unknown): DuckDb.DuckDBValue => {
    if (value instanceof Uint8Array) return driver.blobValue(value)
    if (value instanceof Date) return value.toISOString()
    return typeof value === "number" && Number.isSafeInteger(value)
      ? BigInt(value)
      : (value as DuckDb.DuckDBValue)
  }
  /** Integers as numbers where a number holds them, and BLOBs as bytes. Values without a type in JavaScript stay as the driver has them. */
  const fromDriver = (value: DuckDb.DuckDBValue): unknown => {
    if (typeof value === "bigint") {
      return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
    }
    return value instanceof driver.DuckDBBlobValue ? value.bytes : value
  }
  const rowsOf = (
    chunk: DuckDb.DuckDBDataChunk,
    names: ReadonlyArray<string>,
    shape: "objects" | "values"
  ): ReadonlyArray<object> =>
    chunk.getRows().map((values) => {
      const row = values.map(fromDriver)
      return shape === "values" ? row : Object.fromEntries(names.map((name, index) => [name, row[index]]))
    })
  return {
    run: ({ params, sql }, shape) =>
      Effect.flatMap(
        attempt(connection, () => connection.run(sql, params.map(toDriver))),
        (result) =>
          result.returnType === driver.ResultReturnType.QUERY_RESULT
            ? Effect.map(
                attempt(connection, () => result.fetchAllChunks()),
                (chunks) => chunks.flatMap((chunk) => rowsOf(chunk, result.deduplicatedColumnNames(), shape))
              )
            : Effect.succeed([])
      ),
    stream: ({ params, sql }) =>
      Stream.unwrap(
        Effect.map(
          attempt(connection, () => connection.stream(sql, params.map(toDriver))),
          (result) => {
            const names = result.deduplicatedColumnNames()
            return Stream.repeatEffectChunkOption(
              Effect.flatMap(
                Effect.mapError(
                  attempt(connection, () => result.fetchChunk()),
                  Option.some
                ),
                (chunk) =>
                  chunk === null || chunk.rowCount === 0
                    ? Effect.fail(Option.none())
                    : Effect.succeed(Chunk.unsafeFromArray([...rowsOf(chunk, names, "objects")]))
              )
            )
          }
        )
      )
  }
}

export interface Options {
  readonly filename?: string | undefined
  readonly readonly?: boolean | undefined
}

/** A database, which makes connections until its scope closes. */
export const open = ({
  filename = ":memory:",
  readonly = false
}: Options): Effect.Effect<Effect.Effect<Connection, SqlError, Scope.Scope>, SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    const driver = yield* load
    const instance = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: () =>
          driver.DuckDBInstance.create(filename, readonly ? { access_mode: "READ_ONLY" } : undefined),
        catch: sqlError("Failed to open database")
      }),
      (instance) => Effect.sync(() => instance.closeSync())
    )
    return Effect.map(
      Effect.acquireRelease(
        Effect.tryPromise({ try: () => instance.connect(), catch: failedToExecute }),
        (connection) => Effect.sync(() => connection.closeSync())
      ),
      (connection) => make(driver, connection)
    )
  })
