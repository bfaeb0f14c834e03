/** New databases of which several owners can be made, as by several processes. */
import { NodeFileSystem } from "@effect/platform-node"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { LibsqlClient, type LibsqlTranslationStore } from "effect-translate/libsql"
import { PgClient } from "effect-translate/postgres"
import * as backends from "../../src/sql/internal/backend.js"
import { temporaryFile } from "../support/databases.js"
import { postgres } from "../support/postgres.js"

type Client = Layer.Layer<SqlClient.SqlClient, SqlError>

export interface Shared {
  readonly name: string
  /** A file or a URL: a new, empty database. */
  readonly address: Effect.Effect<string, never, Scope.Scope>
  /** Each time the layer is built, it is another client of the same database. */
  readonly clientOf: (address: string) => Client
}

export const libsqlFile: Shared = {
  name: "a libsql file",
  address: temporaryFile,
  clientOf: (filename) => Layer.fresh(LibsqlClient.layer({ filename }))
}

export const postgresDatabase: Shared = {
  name: "PostgreSQL",
  address: Effect.map(
    Effect.flatMap(postgres, ({ database }) => database),
    Redacted.value
  ),
  clientOf: (url) => Layer.fresh(PgClient.layer({ url: Redacted.make(url), maxConnections: 2 }))
}

export const shared: ReadonlyArray<Shared> = [libsqlFile, postgresDatabase]

export const newClient = ({ address, clientOf }: Shared) => Effect.map(address, clientOf)

/** An owner with a client of its own. */
export const owner = (
  client: Client,
  options: LibsqlTranslationStore.ClientOptions = {},
  mostKept?: number | undefined
) =>
  Effect.flatMap(Layer.build(Layer.merge(client, NodeFileSystem.layer)), (context) =>
    Effect.provide(backends.make(options, mostKept), context)
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
