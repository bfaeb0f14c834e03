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
import * as listings from "./listings.js"
import * as schema from "./schema.js"
import * as translations from "./translations.js"
import * as upkeep from "./upkeep.js"

const defaultSchedule = Schedule.exponential("100 millis").pipe(
  Schedule.union(Schedule.spaced("5 seconds")),
  Schedule.jittered,
  Schedule.upTo("1 minute")
)

/** What a store keeps in the database of the client. It is one owner of claims until its scope is closed. */
export const make = ({
  lease = "30 seconds",
  name,
  schedule = defaultSchedule,
  sources = true
}: Options): Effect.Effect<Backend, StoreError, SqlClient.SqlClient | FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    const database = databases.make({ sql: yield* SqlClient.SqlClient, name, schedule })
    yield* database.persist(schema.prepare(database))
    const owner = yield* owners.make(database, Duration.decode(lease))
    return {
      ...translations.make(database, owner, sources),
      ...claimLedger.make(database, owner),
      ...attempts.make(database),
      ...listings.make(database, sources),
      ...upkeep.make(database)
    }
  })
