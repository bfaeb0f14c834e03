/** The databases that the SQL entry serves, each new and empty: one suite runs on all of them with `describe.each(databases)`. */

import * as FileSystem from "@effect/platform/FileSystem"
import { NodeFileSystem } from "@effect/platform-node"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { LibsqlClient } from "effect-translate/libsql"
import { PgClient } from "effect-translate/postgres"
import { postgres } from "./postgres.js"

export interface Database {
  readonly name: string
  /** A client of a new database. Built again, it has another one. */
  readonly layer: Layer.Layer<SqlClient.SqlClient, SqlError>
}

/** A file in a new folder, which is removed with its scope. */
export const temporaryFile = Effect.flatMap(FileSystem.FileSystem, (fs) =>
  Effect.map(fs.makeTempDirectoryScoped({ prefix: "libsql-" }), (folder) => `${folder}/store.db`)
).pipe(Effect.orDie, Effect.provide(NodeFileSystem.layer))

export const libsqlFile: Database = {
  name: "a libsql file",
  layer: Layer.unwrapScoped(Effect.map(temporaryFile, (filename) => LibsqlClient.layer({ filename })))
}

export const postgresServer: Database = {
  name: "PostgreSQL",
  layer: Layer.unwrapEffect(
    Effect.map(
      Effect.flatMap(postgres, ({ database }) => database),
      (url) => PgClient.layer({ url })
    )
  )
}

export const databases: ReadonlyArray<Database> = [libsqlFile, postgresServer]
