/**
 * A store of translations in a file of SQLite, or in PostgreSQL. Any number of processes may use it at once.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Schedule from "effect/Schedule"
import type { StoreError, StoreUnavailable } from "../store/StoreError.js"
import * as TranslationStore from "../store/TranslationStore.js"
import * as backends from "./internal/backend.js"
import * as failures from "./internal/failures.js"
import * as LibsqlClient from "./LibsqlClient.js"
import * as PgClient from "./PgClient.js"

/**
 * How a store uses its database.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends TranslationStore.MakeOptions {
  /** What errors call the store. @default "SQLite" or "PostgreSQL" */
  readonly name?: string | undefined
  /**
   * Whether the texts themselves are kept, beside their translations. Without them the store holds hashes of the texts, and can't
   * export its translations. Corrections always keep theirs.
   *
   * @default true
   */
  readonly sources?: boolean | undefined
  /**
   * How long the texts of a process that has stopped are kept for it: others send them after that time. It is renewed every third of it.
   * The texts of a process of the same machine that does not run any more are free at once.
   *
   * @default 30 seconds
   */
  readonly lease?: Duration.DurationInput | undefined
  /**
   * When to try again while the database is away or busy. When the schedule ends, what was asked fails with `StoreUnavailable`.
   *
   * @default after 0.1 seconds, then twice as long up to 5 seconds, for a minute
   */
  readonly schedule?: Schedule.Schedule<unknown, StoreUnavailable> | undefined
}

/**
 * A store in the database of a client.
 *
 * Its tables are made at the first use; their names begin with `effect_translate_`. On PostgreSQL the role needs the right to make them,
 * and the store can be backed up by `pg_dump` while it is in use. A file of SQLite is copied by `LibsqlClient.backup`.
 *
 * Claims are stored before a request leaves, in transactions that survive a loss of power: on a file with {@link LibsqlClient}, which
 * sets `synchronous = FULL` for them, and on PostgreSQL, where `synchronous_commit` is on in them. Translations survive a kill; on
 * PostgreSQL, what `synchronous_commit` says. The store makes transactions of its own, so don't use it inside one of the same client.
 *
 * Fails with `StoreVersionUnknown` if a newer version of this library has made the tables.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}) =>
  Effect.flatMap(backends.make(options), (backend) => TranslationStore.make(backend, options))

/**
 * A layer of {@link make}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options?: Options
): Layer.Layer<TranslationStore.TranslationStore, StoreError, SqlClient.SqlClient | FileSystem.FileSystem> =>
  Layer.scoped(TranslationStore.TranslationStore, make(options))

/**
 * A store in a file of its own.
 *
 * @since 0.1.0
 * @category models
 */
export interface LibsqlOptions extends Omit<Options, "name"> {
  /** The file. It is made if it is missing; its folder must be there. Beside it are two more, with `-wal` and `-shm` at the end. */
  readonly file: string
}

/**
 * A store in a file, which several processes of one machine may use at once. Keep the file on a local disk: on those of a network,
 * locks can't be trusted.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerLibsql = ({
  file,
  ...options
}: LibsqlOptions): Layer.Layer<TranslationStore.TranslationStore, StoreError, FileSystem.FileSystem> =>
  Layer.provide(
    layer({ ...options, name: file }),
    Layer.catchAll(LibsqlClient.layer({ filename: file }), (error) =>
      Layer.fail(failures.storeError(file)(error))
    )
  )

/**
 * A store in PostgreSQL.
 *
 * @since 0.1.0
 * @category models
 */
export interface PgOptions extends Omit<Options, "name"> {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: Redacted.Redacted
}

/** Host and database, without what is secret. An `@` behind them is that of a password which was not encoded. */
const nameOf = (url: Redacted.Redacted): string | undefined => {
  const text = Redacted.value(url)
  if (!URL.canParse(text)) return undefined
  const { hash, host, pathname, search } = new URL(text)
  return `${pathname}${search}${hash}`.includes("@") ? undefined : host + pathname
}

/**
 * A store in a database of PostgreSQL, for any number of processes and machines.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPg = ({
  url,
  ...options
}: PgOptions): Layer.Layer<TranslationStore.TranslationStore, StoreError, FileSystem.FileSystem> => {
  const name = nameOf(url)
  return Layer.provide(
    layer({ ...options, name }),
    Layer.catchAll(PgClient.layer({ url }), (error) =>
      Layer.fail(failures.storeError(name ?? "PostgreSQL")(error))
    )
  )
}
