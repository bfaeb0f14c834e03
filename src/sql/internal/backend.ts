import type * as FileSystem from "@effect/platform/FileSystem"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Backend } from "../../store/StoreBackend.js"
import type { StoreError, StoreUnavailable } from "../../store/StoreError.js"
import type * as TranslationStore from "../../store/TranslationStore.js"
import * as attempts from "./attempts.js"
import * as claimLedger from "./claimLedger.js"
import * as owners from "./claimOwner.js"
import * as corrections from "./corrections.js"
import * as databases from "./database.js"
import * as fileInPlace from "./fileInPlace.js"
import * as keyIndex from "./keyIndex.js"
import * as ledgerRetention from "./ledgerRetention.js"
import * as listings from "./listings.js"
import * as origins from "./origins.js"
import * as schema from "./schema.js"
import * as serviceFailures from "./serviceFailures.js"
import * as translations from "./translations.js"
import * as upkeep from "./upkeep.js"
import * as verdicts from "./verdicts.js"
import * as writer from "./writer.js"

/**
 * Options of a store in a database.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends TranslationStore.MakeOptions {
  /** The name of the store in errors. @default "SQLite" or "PostgreSQL" */
  readonly name?: string | undefined
  /**
   * Keeps the texts themselves, beside their translations. Without them the store holds hashes of the texts, and can't
   * export its translations. Corrections always keep theirs.
   *
   * @default true
   */
  readonly sources?: boolean | undefined
  /**
   * The time for which the texts of a process that has stopped are kept for it: others send them after that time. It is
   * renewed every third of it. The texts of a process of the same machine that does not run any more are free at once.
   *
   * @default 15 seconds
   */
  readonly lease?: Duration.DurationInput | undefined
  /**
   * When to try again while the database is away or busy. When the schedule ends, the call fails with `StoreUnavailable`.
   *
   * @default after 0.1 seconds, then twice as long up to 5 seconds, for a minute
   */
  readonly schedule?: Schedule.Schedule<unknown, StoreUnavailable> | undefined
}

const defaultSchedule = Schedule.exponential("100 millis").pipe(
  Schedule.union(Schedule.spaced("5 seconds")),
  Schedule.jittered,
  Schedule.upTo("1 minute")
)

/** A store's backend in the database of the client. It is one owner of claims until its scope is closed. */
export const make = (
  { lease = "15 seconds", name, schedule = defaultSchedule, sources = true }: Options,
  mostKept = 20_000
): Effect.Effect<Backend, StoreError, SqlClient.SqlClient | FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    const database = databases.make({ sql: yield* SqlClient.SqlClient, name, schedule })
    yield* database.persist(schema.prepare(database))
    const inPlace = yield* fileInPlace.make(database)
    const owner = yield* owners.make(database, Duration.decode(lease))
    const index = keyIndex.make(database, mostKept)
    // The additions of a process that was killed are found from now on, and those made here once this one has ended.
    yield* database.persist(index.settled)
    yield* Effect.addFinalizer(() => Effect.ignore(index.settled))
    const insertions = translations.insertions(database.dialect)
    const namespaces = new Map<string, number>()
    return {
      ...translations.make(database, index, namespaces),
      ...corrections.make(database),
      ...(yield* writer.make({ database, owner, index, insertions, namespaces, sources }, inPlace)),
      ...claimLedger.make(database, owner, inPlace),
      ...serviceFailures.make(database, namespaces),
      ...attempts.make(database),
      ...ledgerRetention.make(database),
      ...listings.make(database, index, sources),
      ...origins.make(database, index),
      ...upkeep.make(database, index),
      ...verdicts.make(database)
    }
  })
