/** Files of DuckDB, by its own driver. */
import { DuckDBInstance } from "@duckdb/node-api"
import * as Effect from "effect/Effect"

/** Runs SQL in a file of DuckDB, and tells the rows of the last statement. */
export const inDuckDb = (file: string, ...statements: ReadonlyArray<string>) =>
  Effect.acquireUseRelease(
    Effect.promise(() => DuckDBInstance.create(file)),
    (instance) =>
      Effect.promise(async () => {
        const connection = await instance.connect()
        let rows: ReadonlyArray<Record<string, unknown>> = []
        for (const statement of statements) {
          rows = (await connection.runAndReadAll(statement)).getRowObjectsJson()
        }
        connection.closeSync()
        return rows
      }),
    (instance) => Effect.sync(() => instance.closeSync())
  )
