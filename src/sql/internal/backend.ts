import type * as FileSystem from "@effect/platform/FileSystem"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Backend } from "../../store/StoreBackend.js"
import type { StoreError } from "../../store/StoreError.js"
import type { Options } from "../SqlTranslationStore.js"
import * as attempts from "./attempts.js"
import * as claimLedger from "./claimLedger.js"
import * as owners from "./claimOwner.js"
import * as databases from "./database.js"
import * as fileInPlace from "./fileInPlace.js"
import * as keyIndex from "./keyIndex.js"
import * as ledgerRetention from "./ledgerRetention.js"
import * as listings from "./listings.js"
import * as schema from "./schema.js"
import * as serviceFailures from "./serviceFailures.js"
import * as translations from "./translations.js"
import * as upkeep from "./upkeep.js"
import * as writer from "./writer.js"

const defaultSchedule = Schedule.exponential("100 millis").pipe(
  Schedule.union(Schedule.spaced("5 seconds")),
  Schedule.jittered,
  Schedule.upTo("1 minute")
)

/** What a store keeps in the database of the client. It is one owner of claims until its scope is closed. */
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
    // What was added by a process that was killed is found from now on, and what is added here once this one has ended.
    yield* database.persist(index.settled)
    yield* Effect.addFinalizer(() => Effect.ignore(index.settled))
    const insertions = translations.insertions(database.dialect)
    const namespaces = new Map<string, number>()
    return {
      ...translations.make(database, index, namespaces),
      ...(yield* writer.make({ database, owner, index, insertions, namespaces, sources }, inPlace)),
      ...claimLedger.make(database, owner, inPlace),
      ...serviceFailures.make(database, namespaces),
      ...attempts.make(database),
      ...ledgerRetention.make(database),
      ...listings.make(database, index, sources),
      ...upkeep.make(database, index)
    }
  })
