/** New databases of which several owners can be made, as by several processes. */
import { NodeFileSystem } from "@effect/platform-node"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { LibsqlClient, PgClient, type SqlTranslationStore } from "effect-translate/sql"
import * as backends from "../../src/sql/internal/backend.js"
import { temporaryFile } from "../support/databases.js"
import { postgres } from "../support/postgres.js"

export interface Shared {
  readonly name: string
  /** An empty database. Each time the layer is built, it is a client of the same one. */
  readonly make: Effect.Effect<Layer.Layer<SqlClient.SqlClient, SqlError>, never, Scope.Scope>
}

/** Each time it is built, it is another client of the file. */
export const fileOf = (filename: string) => Layer.fresh(LibsqlClient.layer({ filename }))

export const libsqlFile: Shared = {
  name: "a libsql file",
  make: Effect.map(temporaryFile, fileOf)
}

export const postgresDatabase: Shared = {
  name: "PostgreSQL",
  make: Effect.map(
    Effect.flatMap(postgres, ({ database }) => database),
    (url) => Layer.fresh(PgClient.layer({ url, maxConnections: 2 }))
  )
}

export const shared: ReadonlyArray<Shared> = [libsqlFile, postgresDatabase]

/** An owner with a client of its own. */
export const owner = (
  client: Layer.Layer<SqlClient.SqlClient, SqlError>,
  options: SqlTranslationStore.Options = {}
) =>
  Effect.flatMap(Layer.build(Layer.merge(client, NodeFileSystem.layer)), (context) =>
    Effect.provide(backends.make(options), context)
  )

/** A clock by which nothing that waits goes on. */
const stopped = Effect.map(
  Effect.clock,
  (clock): Clock.Clock => ({
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    currentTimeMillis: clock.currentTimeMillis,
    currentTimeNanos: clock.currentTimeNanos,
    unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis(),
    unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
    sleep: () => Effect.never
  })
)

/** An owner that renews its lease only when it is asked something, as after its process was stopped. */
export const frozenOwner = (...args: Parameters<typeof owner>) =>
  Effect.flatMap(stopped, (clock) => Effect.withClock(owner(...args), clock))
