/**
 * A store of translations in PostgreSQL. Any number of processes and machines may use it at once.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { StoreError } from "../store/StoreError.js"
import type * as TranslationStore from "../store/TranslationStore.js"
import * as sqlFailures from "./internal/sqlFailures.js"
import * as PgClient from "./PgClient.js"
import * as SqlTranslationStore from "./SqlTranslationStore.js"

/**
 * A store in PostgreSQL.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Omit<SqlTranslationStore.Options, "name"> {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: Redacted.Redacted
}

/** Host and database, without user and password. An `@` behind them belongs to a password that was not encoded. */
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
export const layer: (
  options: Options
) => Layer.Layer<TranslationStore.TranslationStore, StoreError, FileSystem.FileSystem> = ({
  url,
  ...options
}) => {
  const name = nameOf(url)
  return Layer.provide(
    SqlTranslationStore.layer({ ...options, name }),
    Layer.catchAll(PgClient.layer({ url, idleTransactionTimeout: "4 seconds" }), (error) =>
      Layer.fail(sqlFailures.storeError(name ?? "PostgreSQL")(error))
    )
  )
}

/**
 * The result of a verification, and its problems.
 *
 * @since 0.1.0
 * @category models
 */
export type { Problem, Verification } from "./SqlTranslationStore.js"

/**
 * Checks a store, and changes nothing: its tables, references between rows, and the figures of the ledger. Pages,
 * indices and encodings are checked by PostgreSQL itself.
 *
 * Fails with `StoreVersionUnknown` if another version of this library has made the tables, and with `StoreUnavailable`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const verify: (
  options: Pick<Options, "url">
) => Effect.Effect<SqlTranslationStore.Verification, StoreError> = ({ url }) => {
  const name = nameOf(url)
  return Effect.provide(
    SqlTranslationStore.verify(name),
    Layer.catchAll(PgClient.layer({ url }), (error) =>
      Layer.fail(sqlFailures.storeError(name ?? "PostgreSQL")(error))
    )
  )
}

/**
 * Options for a store in the database of a client.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options as ClientOptions } from "./SqlTranslationStore.js"

/**
 * A store in the database of a `SqlClient` that is there, such as `PgClient.layer`, or the client of `@effect/sql-pg`. It makes transactions
 * of its own, so don't use it inside one of the same client.
 *
 * @since 0.1.0
 * @category layers
 */
export { layer as layerClient } from "./SqlTranslationStore.js"
