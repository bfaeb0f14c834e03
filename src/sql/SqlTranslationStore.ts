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
import type * as Scope from "effect/Scope"
import type { StoreError, StoreUnavailable } from "../store/StoreError.js"
import * as TranslationStore from "../store/TranslationStore.js"
import * as backend from "./internal/backend.js"
import * as failures from "./internal/failures.js"
import * as LibsqlClient from "./LibsqlClient.js"
import * as PgClient from "./PgClient.js"

/**
 * How a store uses its database.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
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
