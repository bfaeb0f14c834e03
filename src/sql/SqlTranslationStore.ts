/**
 * A store of translations in the database of a `SqlClient`: the common part of a file of SQLite and PostgreSQL.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StoreError } from "../store/StoreError.js"
import * as TranslationStore from "../store/TranslationStore.js"
import type { Options } from "./internal/backend.js"
import * as backends from "./internal/backend.js"
import * as databases from "./internal/database.js"
import type { Verification } from "./internal/verification.js"
import * as verification from "./internal/verification.js"

/**
 * Options of a store.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./internal/backend.js"

/**
 * Damage of a store.
 *
 * @since 0.1.0
 * @category models
 */
export type { Problem, Verification } from "./internal/verification.js"

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
 * A store in the database of the `SqlClient` that is there, such as the one of `LibsqlClient.layer`, `PgClient.layer` or
 * `@effect/sql-pg`.
 *
 * Its tables are made at the first use; their names begin with `effect_translate_`. On PostgreSQL the role needs the right
 * to make them and a function, and the store can be backed up by `pg_dump` while it is in use. A file of SQLite is copied by
 * `LibsqlClient.backup`.
 *
 * Claims are stored before a request leaves, in transactions that survive a loss of power: on a file with `LibsqlClient`,
 * which sets `synchronous = FULL` for them, and on PostgreSQL, where `synchronous_commit` is on in them. Translations
 * survive a kill; on PostgreSQL, the events that `synchronous_commit` covers. The store makes transactions of its own, so
 * don't use it inside one of the same client.
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
