/**
 * A `SqlClient` of a file, by the synchronous `libsql` driver. Several processes may use the file at once.
 *
 * @since 0.1.0
 */
import * as Reactivity from "@effect/experimental/Reactivity"
import * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Statement from "@effect/sql/Statement"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as files from "../internal/files.js"
import * as driver from "./internal/driver.js"
import { Durability } from "./internal/durability.js"
import { retrying } from "./internal/retrying.js"
import * as synchronousStatements from "./internal/synchronousStatements.js"
import * as SqlErrorCode from "./SqlErrorCode.js"
import * as SqlTables from "./SqlTables.js"

/**
 * Options for opening a file.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The file. It is made if it is missing; its folder must be there. Beside it are two more, with `-wal` and `-shm` at the end. */
  readonly filename: string
  /**
   * When to try again while another process holds the file's lock. The event loop is free in between. When the schedule
   * ends, the statement or transaction fails with the code `SQLITE_BUSY`.
   *
   * @default every 1 to 50 ms, with jitter, for 30 s
   */
  readonly busySchedule?: Schedule.Schedule<unknown, SqlError> | undefined
  /** Only reads a file that is there: writes fail with `SQLITE_READONLY`. @default false */
  readonly readonly?: boolean | undefined
  /**
   * Leaves the journal mode and all that lasts of the file as it is: for a file of another program. In a file that is no
   * WAL, readers and writers wait for each other. @default false
   */
  readonly keepSettings?: boolean | undefined
  /** Other files by the names that their tables have here in front: they are only read. @default none */
  readonly attach?: Readonly<Record<string, string>> | undefined
}

/**
 * The events that a committed transaction survives: the end of the process at any moment (`"kill"`), or also a loss of power
 * (`"power-loss"`), for which every commit waits until the disk has it: some 0.2 ms instead of 0.02 ms on an NVMe disk, 10
 * ms and more on others. A commit of the second kind makes all commits before it as durable.
 *
 *     sql.withTransaction(statements).pipe(Effect.provideService(LibsqlClient.Durability, "power-loss"))
 *
 * @since 0.1.0
 * @category tags
 */
export { Durability } from "./internal/durability.js"

const synchronous = { kill: "NORMAL", "power-loss": "FULL" } as const

const settings = [
  "PRAGMA journal_mode = WAL",
  `PRAGMA synchronous = ${synchronous.kill}`,
  "PRAGMA foreign_keys = ON",
  // 16 MiB. Lookups by key among 1,000,000 rows are not faster with 64 MiB: the system's cache has the pages too.
  "PRAGMA cache_size = -16384",
  // 1 MiB: a commit in 100 takes 9 ms, with 4 MiB (the default) 17 ms, at the same rows a second.
  "PRAGMA wal_autocheckpoint = 250",
  "PRAGMA journal_size_limit = 67108864"
].join(";")

const defaultBusySchedule = Schedule.exponential("1 millis", 1.5).pipe(
  Schedule.union(Schedule.spaced("50 millis")),
  Schedule.jittered,
  Schedule.upTo("30 seconds")
)

const isBusy = (error: SqlError): error is SqlError =>
  Option.exists(SqlErrorCode.get(error), (code) => /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code))

type Retry = <A>(attempt: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>

/**
 * Turns and pauses are waited for interruptibly. In a finalizer, whose fiber may have been interrupted, that would end the transaction
 * before it begins: there it runs in a fiber of its own.
 */
const inFinalizersToo =
  (withTransaction: SqlClient.SqlClient["withTransaction"]): SqlClient.SqlClient["withTransaction"] =>
  (self) =>
    Effect.checkInterruptible((isInterruptible) =>
      isInterruptible
        ? withTransaction(self)
        : Effect.flatMap(Effect.forkDaemon(withTransaction(self)), Fiber.join)
    )

/** The address of a file that is only read. */
const toRead = (filename: string): string =>
  `file:${encodeURIComponent(filename).replaceAll("%2F", "/")}?mode=ro`

/** Settings are left out of a file that is only read: they would fail if it is damaged, and change how it is written. */
const connect = (
  { attach = {}, filename, keepSettings = false, readonly = false }: Options,
  retry: Retry
): Effect.Effect<driver.Driver, SqlError, Scope.Scope> => {
  const statements = [
    ...(readonly || keepSettings ? [] : [settings]),
    ...Object.entries(attach).map(
      ([name, file]) =>
        `ATTACH '${toRead(file).replaceAll("'", "''")}' AS ${Statement.defaultEscape('"')(name)}`
    )
  ]
  return Effect.tap(driver.open(readonly ? toRead(filename) : filename), ({ exec }) =>
    Effect.forEach(statements, (sql) => retry(exec(sql)), { discard: true })
  )
}

/** The transactions of one connection to the file. */
const transactionsOf = ({ exec, inTransaction }: driver.Driver) => {
  let durability: "kill" | "power-loss" = "kill"
  const setDurability = Effect.flatMap(Durability, (wanted) =>
    wanted === durability
      ? Effect.void
      : Effect.map(exec(`PRAGMA synchronous = ${synchronous[wanted]}`), () => {
          durability = wanted
        })
  )
  // SQLite has rolled back itself after some errors, such as a full disk.
  const ifOpen = (sql: string) => Effect.suspend(() => (inTransaction() ? exec(sql) : Effect.void))
  const rollback = ifOpen("ROLLBACK")
  return {
    // After a transaction that a failed ROLLBACK has left open. Not deferred: that could be refused in the middle.
    begin: rollback.pipe(Effect.zipRight(setDurability), Effect.zipRight(exec("BEGIN IMMEDIATE"))),
    commit: Effect.tapError(exec("COMMIT"), () => Effect.ignore(rollback)),
    rollback,
    savepoint: (id: number) => exec(`SAVEPOINT effect_sql_${id}`),
    rollbackSavepoint: (id: number) => ifOpen(`ROLLBACK TO SAVEPOINT effect_sql_${id}`)
  }
}

/** Statements that take no lock for writing, or that no transaction may hold. */
const needsNoTransaction = (sql: string) =>
  /^\s*(?:select|values|explain|pragma|vacuum|attach|detach)\b/i.test(sql) ||
  (/^\s*with\b/i.test(sql) && !/\b(?:insert|update|delete|replace)\b/i.test(sql))

interface Execution {
  readonly around: <A>(sql: string, execution: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>
  readonly driver: Effect.Effect<driver.Driver, SqlError, Scope.Scope>
}

const connectionOf = (main: driver.Driver, { around, driver }: Execution): Connection => {
  const request = <A>(
    sql: string,
    params: ReadonlyArray<unknown>,
    run: (request: driver.Request) => Effect.Effect<A, SqlError>,
    more?: Partial<driver.Request>
  ) =>
    around(
      sql,
      Effect.flatMap(SqlClient.SafeIntegers, (safeIntegers) => run({ sql, params, safeIntegers, ...more }))
    )
  const rows =
    (more?: Partial<driver.Request>): Connection["execute"] =>
    (sql, params, transform) => {
      const rows = request(sql, params, main.run, more) as Effect.Effect<ReadonlyArray<object>, SqlError>
      return transform === undefined ? rows : Effect.map(rows, transform)
    }
  return {
    execute: rows(),
    executeUnprepared: rows({ unprepared: true }),
    executeRaw: (sql, params) => request(sql, params, main.runRaw),
    executeValues: (sql, params) =>
      request(sql, params, main.run, { values: true }) as Effect.Effect<
        ReadonlyArray<ReadonlyArray<unknown>>,
        SqlError
      >,
    executeStream: (sql, params, transform) => {
      const rows = Stream.unwrapScoped(
        Effect.zipWith(driver, SqlClient.SafeIntegers, ({ stream }, safeIntegers) =>
          stream({ sql, params, safeIntegers })
        )
      )
      return transform === undefined
        ? rows
        : Stream.mapChunks(rows, (chunk) =>
            Chunk.unsafeFromArray(transform(Chunk.toReadonlyArray(chunk) as never))
          )
    }
  }
}

const transactionEnded = SqlErrorCode.withCode("SQLITE_ABORT", "the database has rolled the transaction back")

/**
 * A client of a file.
 *
 * Statements block the event loop while they run, as the driver has no other way, so keep each of them short. They wait for
 * other processes without blocking it. Within a process they take turns. Transactions begin as `BEGIN IMMEDIATE`; a stream of
 * rows outside a transaction has a connection of its own, and sees the file as it was when the stream began.
 *
 * BLOBs are `Uint8Array`. A text with U+0000 is refused: the driver would read it only up to there.
 *
 * Fails with a `SqlError` whose code tells why (`code` of its cause): `SQLITE_CANTOPEN` (the folder is missing or can't be
 * written), `SQLITE_NOTADB`, `SQLITE_CORRUPT`, `SQLITE_READONLY`, `SQLITE_FULL`, `SQLITE_IOERR`, `SQLITE_BUSY`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (options: Options) {
  const { busySchedule = defaultBusySchedule } = options
  const retry: Retry = retrying(busySchedule, isBusy)
  const scope = yield* Effect.scope
  const main = yield* connect(options, retry)
  const { begin, commit, rollback, rollbackSavepoint, savepoint } = transactionsOf(main)
  // The driver closes a file only when its memory is collected: this leaves all of the data in the file itself, and no lock.
  yield* Effect.addFinalizer(() =>
    Effect.ignore(Effect.zipRight(rollback, main.exec("PRAGMA wal_checkpoint(TRUNCATE)")))
  )
  const turn = yield* Effect.makeSemaphore(1)

  const idle: Array<driver.Driver> = []
  const reader = Effect.acquireRelease(
    Effect.suspend(() => {
      const known = idle.pop()
      return known === undefined ? Scope.extend(connect(options, retry), scope) : Effect.succeed(known)
    }),
    (used) => Effect.sync(() => idle.push(used))
  )

  const alone: Execution = {
    around: (sql, execution) =>
      retry(
        turn.withPermits(1)(
          needsNoTransaction(sql)
            ? execution
            : Effect.acquireUseRelease(
                begin,
                () => Effect.zipLeft(execution, commit),
                () => Effect.ignore(rollback)
              )
        )
      ),
    driver: reader
  }
  const inTransaction: Execution = {
    around: (_, execution) =>
      Effect.suspend(() => (main.inTransaction() ? execution : Effect.fail(transactionEnded))),
    driver: Effect.succeed(main)
  }
  const reserved: Execution = { around: (_, execution) => retry(execution), driver: Effect.succeed(main) }

  const acquireTurn = Effect.acquireRelease(Effect.interruptible(turn.take(1)), () => turn.release(1))
  const connection = connectionOf(main, inTransaction)

  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(connectionOf(main, alone)),
    compiler: Statement.makeCompilerSqlite(),
    transactionAcquirer: Effect.as(acquireTurn, connectionOf(main, reserved)),
    spanAttributes: [["db.system.name", "sqlite"]]
  })
  const inTurn = <A>(effect: Effect.Effect<A, SqlError>) =>
    retry(turn.withPermits(1)(Effect.uninterruptible(effect)))
  const withStatements = synchronousStatements.provide(client, {
    read: (body) => inTurn(driver.attemptAll(() => body(main.rowsNow))),
    transaction: (body) =>
      inTurn(
        Effect.zipRight(
          begin,
          Effect.tapError(
            Effect.zipLeft(
              driver.attemptAll(() => body(main.rowsNow)),
              commit
            ),
            () => Effect.ignore(rollback)
          )
        )
      )
  })
  return Object.assign(withStatements, {
    withTransaction: inFinalizersToo(
      SqlTables.withoutDefects(
        SqlClient.makeWithTransaction({
          transactionTag: SqlClient.TransactionConnection,
          spanAttributes: [["db.system.name", "sqlite"]],
          // The turn is given back during the pauses. Without a scope, whose finalizers take half of the CPU of an
          // empty transaction.
          acquireConnection: retry(
            Effect.zipRight(
              Effect.interruptible(turn.take(1)),
              Effect.onError(begin, () => turn.release(1))
            ).pipe(Effect.as([undefined, connection] as const))
          ),
          begin: () => Effect.void,
          savepoint: (_, id) => savepoint(id),
          commit: () => Effect.ensuring(commit, turn.release(1)),
          rollback: () => Effect.ensuring(rollback, turn.release(1)),
          rollbackSavepoint: (_, id) => rollbackSavepoint(id)
        })
      )
    )
  })
})

/**
 * A layer of {@link make}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.provide(Layer.scoped(SqlClient.SqlClient, make(options)), Reactivity.layer)

/**
 * Copies the file of the client into another one while it is in use: all that is committed when the copy begins. It is
 * written beside the target and renamed when it is whole and on the disk. A target that is there is replaced, unless it is the
 * client's own file.
 *
 * Reads a hundred pages at a time, which takes 0.3 ms, so the event loop stays free. Writes meanwhile make the `-wal` file grow.
 *
 * @since 0.1.0
 * @category combinators
 */
export const backup = Effect.fn("LibsqlClient.backup")(function* (target: string) {
  const sql = yield* SqlClient.SqlClient
  const [main] = yield* sql<{
    readonly file: string
  }>`SELECT file FROM pragma_database_list WHERE name = 'main'`
  if (main !== undefined && (yield* isSameFile(main.file, target))) {
    return yield* new PlatformError.BadArgument({
      module: "FileSystem",
      method: "backup",
      description: "The target is the database itself. Give the backup another name."
    })
  }
  const pages = sql<{ readonly data: Uint8Array }>`SELECT data FROM sqlite_dbpage`.stream
  yield* files.replace(
    target,
    Stream.map(pages, ({ data }) => data),
    (error) => error
  )
})

const isSameFile = (first: string, second: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.zipWith(fs.stat(first), fs.stat(second), files.areSame).pipe(Effect.orElseSucceed(() => false))
  )
