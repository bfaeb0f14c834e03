import { SqlError } from "@effect/sql/SqlError"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import Database from "libsql"
import * as SqlErrorCode from "../SqlErrorCode.js"
import { corrupt } from "./sqlFailures.js"

/**
 * The synchronous driver of libsql as effects. Its own habits are guarded here:
 *
 * - it ends the process when it is given a boolean, or a file whose name has U+0000, and binds every number as a floating point number;
 * - it reads a text only up to its first U+0000, so such texts are refused;
 * - it gives BLOBs as `ArrayBuffer`;
 * - a prepared statement that was refused with SQLITE_BUSY stays in progress and lets every later COMMIT fail. So the one
 *   that may be refused, the beginning of a transaction, is never prepared.
 */
export interface Driver {
  /** All rows, as objects or as arrays of values. */
  readonly run: (request: Request) => Effect.Effect<ReadonlyArray<unknown>, SqlError>
  /** The changes of a statement without rows, or its rows. */
  readonly runRaw: (request: Request) => Effect.Effect<unknown, SqlError>
  /** Statements without parameters and results. They are not prepared. */
  readonly exec: (sql: string) => Effect.Effect<void, SqlError>
  readonly inTransaction: () => boolean
  /** Rows as arrays of values, at once: throws the errors of the driver. The parameters hold no U+0000. */
  readonly rowsNow: (sql: string, params: ReadonlyArray<unknown>) => ReadonlyArray<ReadonlyArray<unknown>>
  /** Rows as objects, a hundred at a time. The statement is in progress until the stream ends. */
  readonly stream: (request: Request) => Stream.Stream<unknown, SqlError>
}

export interface Request {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
  /** Integers as `bigint`. */
  readonly safeIntegers: boolean
  /** Rows as arrays. */
  readonly values?: boolean
  /** Not kept for the next time. */
  readonly unprepared?: boolean
}

/** Statements that are kept prepared. */
const maxPrepared = 100

/** The rows that the driver fetches at once while it iterates. */
const rowsPerChunk = 100

const failed = "Failed to execute statement"

const sqlError = (message: string) => (cause: unknown) => new SqlError({ cause, message })

export const attempt = <A>(evaluate: () => A): Effect.Effect<A, SqlError> =>
  Effect.try({ try: evaluate, catch: sqlError(failed) })

/** Runs statements and decodes their rows: an error that is none of SQLite means that a row was malformed. */
export const attemptAll = <A>(evaluate: () => A): Effect.Effect<A, SqlError> =>
  Effect.try({
    try: evaluate,
    catch: (cause) => {
      const error = sqlError(failed)(cause)
      return Option.exists(SqlErrorCode.get(error), (code) => code.startsWith("SQLITE_")) ? error : corrupt
    }
  })

const notOpened = "Failed to open database"

/** The driver tells why it can't open a file only by the number within a text; it means SQLITE_CANTOPEN. */
const openError = (cause: unknown) =>
  new SqlError({
    cause:
      cause instanceof Error && /ConnectionFailed.*: 14"\)$/.test(cause.message)
        ? Object.assign(new Error("unable to open database file", { cause }), { code: "SQLITE_CANTOPEN" })
        : cause,
    message: notOpened
  })

const toDriver = (value: unknown): unknown => {
  if (typeof value === "boolean") return value ? 1 : 0
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value as number) : value
}

const isCut = (value: unknown) => typeof value === "string" && value.includes("\0")

const refuseCut = Effect.fail(
  SqlErrorCode.withCode("SQLITE_MISMATCH", "a text has U+0000: bind it as a BLOB")
)

const bytesOf = (value: unknown) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value)

/** Rows are the driver's own: they are changed where they stand. */
const withBytes = (row: Record<string, unknown> | Array<unknown>) => {
  const fields = row as Record<string, unknown>
  for (const key in fields) {
    if (fields[key] instanceof ArrayBuffer) fields[key] = bytesOf(fields[key])
  }
  return row
}

/** A method that the types of the driver leave out. */
interface Interruptible {
  readonly interrupt: () => void
}

type Row = Record<string, unknown>

const make = (database: Database.Database): Driver => {
  const prepared = new Map<string, Database.Statement>()

  const prepare = ({ sql, unprepared = false }: Request): Database.Statement => {
    const known = prepared.get(sql)
    if (known !== undefined) prepared.delete(sql)
    const statement = known ?? database.prepare(sql)
    if (unprepared) return statement
    prepared.set(sql, statement)
    const [oldest] = prepared.size > maxPrepared ? prepared.keys() : []
    if (oldest !== undefined) prepared.delete(oldest)
    return statement
  }

  const request = <A>(
    request: Request,
    use: (statement: Database.Statement, params: ReadonlyArray<unknown>) => A,
    prepareFor = prepare
  ): Effect.Effect<A, SqlError> =>
    request.params.some(isCut)
      ? refuseCut
      : attempt(() => {
          const statement = prepareFor(request).safeIntegers(request.safeIntegers)
          // In one array: the driver takes a single object for named parameters.
          return use(statement, request.params.map(toDriver))
        })

  const rowsOrNone = (
    statement: Database.Statement,
    params: ReadonlyArray<unknown>,
    values = false
  ): ReadonlyArray<unknown> => {
    if (!statement.reader) {
      statement.run(params)
      return []
    }
    const rows = statement.raw(values).all(params) as Array<Row>
    for (const row of rows) withBytes(row)
    return rows
  }

  const iterate = (request_: Request) =>
    Effect.acquireRelease(
      request(
        request_,
        (statement, params) => ({
          statement,
          rows: statement.iterate(params) as Iterator<Row>,
          ended: false
        }),
        () => database.prepare(request_.sql)
      ),
      (iteration) =>
        // Only a statement that has run to its end, or into an error, lets go of its snapshot.
        iteration.ended
          ? Effect.void
          : Effect.ignore(
              attempt(() => {
                ;(iteration.statement as unknown as Interruptible).interrupt()
                while (iteration.rows.next().done !== true);
              })
            )
    )

  return {
    run: (request_) =>
      request(request_, (statement, params) => rowsOrNone(statement, params, request_.values)),
    runRaw: (request_) =>
      request(request_, (statement, params) =>
        statement.reader ? rowsOrNone(statement, params) : statement.run(params)
      ),
    exec: (sql) => attempt(() => void database.exec(sql)),
    // Of a file that is closed, the driver would end the process.
    inTransaction: () => database.open && database.inTransaction,
    rowsNow: (sql, params) =>
      rowsOrNone(
        prepare({ sql, params, safeIntegers: false }).safeIntegers(false),
        params.map(toDriver),
        true
      ) as ReadonlyArray<Array<unknown>>,
    stream: (request_) =>
      Stream.unwrapScoped(
        Effect.map(iterate(request_), (iteration) =>
          Stream.repeatEffectChunkOption(
            Effect.flatMap(
              Effect.mapError(
                attempt(() => take(iteration)),
                Option.some
              ),
              (rows) =>
                rows.length === 0 ? Effect.fail(Option.none()) : Effect.succeed(Chunk.unsafeFromArray(rows))
            )
          )
        )
      )
  }
}

const take = (iteration: { readonly rows: Iterator<Row>; ended: boolean }) => {
  const taken: Array<Row> = []
  while (taken.length < rowsPerChunk && !iteration.ended) {
    const next = iteration.rows.next()
    if (next.done === true) iteration.ended = true
    else taken.push(withBytes(next.value) as Row)
  }
  return taken
}

/** Opens a file, or makes it. It waits for no lock: `timeout` would block the event loop. Tests disturb it here. */
export class Open extends Context.Reference<Open>()("effect-translate/sql/Open", {
  defaultValue:
    () =>
    (filename: string): Database.Database =>
      new Database(filename, { timeout: 0 })
}) {}

/** Opens a file, or makes it. */
export const open = (filename: string): Effect.Effect<Driver, SqlError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      isCut(filename)
        ? SqlErrorCode.withCode("ERR_INVALID_ARG_VALUE", "the name of the file has U+0000", notOpened)
        : Effect.flatMap(Open, (openNow) => Effect.try({ try: () => openNow(filename), catch: openError })),
      (database) => Effect.ignore(attempt(() => void database.close()))
    ),
    make
  )
