import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

/** Where the header counts changes; it has the number of pages only if another counter says the same. */
const changeCounter = 24

/**
 * Copies a file, with the first page of the client's new store. This page names the kind of the file and the places of its
 * tables, so nothing can be read without it; all stores of a layout have the same one, but for counters.
 */
export const replace = (
  file: string,
  copy: string
): Effect.Effect<void, PlatformError.PlatformError | SqlError, FileSystem.FileSystem | SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const sql = yield* SqlClient.SqlClient
    const [first] = yield* sql<{ readonly data: Uint8Array }>`SELECT data FROM sqlite_dbpage WHERE pgno = 1`
    const page = first!.data.slice()
    page[changeCounter]! ^= 0xff
    yield* fs.copyFile(file, copy)
    yield* fs.copyFile(`${file}-wal`, `${copy}-wal`).pipe(Effect.whenEffect(fs.exists(`${file}-wal`)))
    const opened = yield* fs.open(copy, { flag: "r+" })
    yield* opened.writeAll(page)
  }).pipe(Effect.scoped)
