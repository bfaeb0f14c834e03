/**
 * A store of translations in the database of a `SqlClient`: what a file of SQLite and PostgreSQL have in common.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Schedule from "effect/Schedule"
import type { StoreError, StoreUnavailable } from "../store/StoreError.js"
import * as TranslationStore from "../store/TranslationStore.js"
import * as backends from "./internal/backend.js"
import * as databases from "./internal/database.js"
import * as verification from "./internal/verification.js"

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
   * @default 15 seconds
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
 * Something that is wrong with a store.
 *
 * @since 0.1.0
 * @category models
 */
export interface Problem {
  /**
   * What was checked. In a file: its pages and indices (`pages`), whether each row can be read (`rows`), has texts in UTF-8 (`texts`), the
   * key of its text (`keys`), and is found by it (`index`). Everywhere: its tables (`layout`), what rows refer to (`references`), and
   * the figures of what was sent (`ledger`).
   */
  readonly check: "pages" | "layout" | "rows" | "texts" | "keys" | "index" | "references" | "ledger"
  /** How many there are; `undefined` if that can't be read either. */
  readonly count: number | undefined
  readonly message: string
}

/**
 * What a verification has found.
 *
 * @since 0.1.0
 * @category models
 */
export interface Verification {
  /** Translations of the machine that can be read. */
  readonly translations: number
  readonly corrections: number
  /** Attempts of the ledger. */
  readonly attempts: number
  /** None if the store is whole. */
  readonly problems: ReadonlyArray<Problem>
}

/**
 * Checks a store of PostgreSQL, and changes nothing. Pages, indices and encodings are checked by PostgreSQL itself.
 *
 * Fails with `StoreVersionUnknown` if another version of this library has made the tables, and with `StoreUnavailable`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const verify = (
  name: string | undefined
): Effect.Effect<Verification, StoreError, SqlClient.SqlClient> =>
  Effect.flatMap(databases.ofClient(name), (database) => verification.verify(database))

/**
 * A store in the database of the `SqlClient` that is there, such as that of `LibsqlClient.layer`, `PgClient.layer` or `@effect/sql-pg`.
 *
 * Its tables are made at the first use; their names begin with `effect_translate_`. On PostgreSQL the role needs the right to make them
 * and a function, and the store can be backed up by `pg_dump` while it is in use. A file of SQLite is copied by `LibsqlClient.backup`.
 *
 * Claims are stored before a request leaves, in transactions that survive a loss of power: on a file with `LibsqlClient`, which
 * sets `synchronous = FULL` for them, and on PostgreSQL, where `synchronous_commit` is on in them. Translations survive a kill; on
 * PostgreSQL, what `synchronous_commit` says. The store makes transactions of its own, so don't use it inside one of the same client.
 *
 * Fails with `StoreVersionUnknown` if another version of this library has made the tables.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options = {}
): Layer.Layer<TranslationStore.TranslationStore, StoreError, SqlClient.SqlClient | FileSystem.FileSystem> =>
  Layer.scoped(
    TranslationStore.TranslationStore,
    Effect.flatMap(backends.make(options), (backend) => TranslationStore.make(backend, options))
  )
