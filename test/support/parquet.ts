/** Parquet files by programs of others: DuckDB, and arrow-rs as WebAssembly. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { DuckDBInstance } from "@duckdb/node-api"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Columnar } from "effect-translate/formats"
import { Parquet } from "effect-translate/formats"
import type * as ParquetWasm from "parquet-wasm/node"

export const arrow = createRequire(import.meta.url)("parquet-wasm/node") as typeof ParquetWasm

/** A folder that is removed with its scope. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(`${tmpdir()}/parquet-`)),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

let instance: Promise<DuckDBInstance> | undefined

/** A connection to a DuckDB that all statements share, as they read and write files only: the rows of a statement as it prints them. */
export const duckDb = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      instance ??= DuckDBInstance.create()
      return (await instance).connect()
    }),
    (connection) => Effect.sync(() => connection.closeSync())
  ),
  (connection) => (statement: string) =>
    Effect.promise(async () => (await connection.runAndReadAll(statement)).getRowObjectsJson())
)

/** Runs a statement of DuckDB. */
export const sql = (statement: string) => Effect.scoped(Effect.flatMap(duckDb, (run) => run(statement)))

/** A file that DuckDB writes from a query. */
export const fromDuckDb = (query: string, options = "") =>
  Effect.gen(function* () {
    const path = `${yield* folder}/source.parquet`
    yield* sql(`copy (${query}) to '${path}' (format parquet${options})`)
    return new Uint8Array(readFileSync(path))
  }).pipe(Effect.scoped)

/** Rows as DuckDB reads them from a file, by a statement about `{file}`. */
export const asked = (bytes: Uint8Array, statement: string) =>
  Effect.gen(function* () {
    const path = `${yield* folder}/asked.parquet`
    writeFileSync(path, bytes)
    return yield* sql(statement.replaceAll("{file}", `'${path}'`))
  }).pipe(Effect.scoped)

/** The same file as arrow-rs writes it. */
export const fromArrow = (
  bytes: Uint8Array,
  options: (builder: ParquetWasm.WriterPropertiesBuilder) => ParquetWasm.WriterPropertiesBuilder
) => arrow.writeParquet(arrow.readParquet(bytes), options(new arrow.WriterPropertiesBuilder()).build())

/** What arrow-rs reads of some columns of a file, as a stream of its own format. */
export const arrowOf = (bytes: Uint8Array, columns: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const file = await arrow.ParquetFile.fromFile(new Blob([bytes as Uint8Array<ArrayBuffer>]))
    const table = await file.read({ columns: [...columns] })
    file.free()
    return table.intoIPCStream()
  })

export const accessTo = (bytes: Uint8Array): Columnar.RandomAccess => ({
  size: bytes.length,
  read: (start, end) => Effect.sync(() => bytes.subarray(start, end))
})

/** Where the footer of a file begins. */
export const footerOf = (bytes: Uint8Array): number =>
  bytes.length - 8 - new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 8, true)

const openIn = (bytes: Uint8Array, columns: ReadonlyArray<string>, targets: ReadonlyArray<string>) =>
  Parquet.make({ columns }).columnar!.open(accessTo(bytes), { targets, file: "a.parquet" })

/** The keys and texts of a file; null where there is none. */
export const textsOf = (bytes: Uint8Array, columns: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const table = yield* openIn(bytes, columns, [])
    const parts = yield* Stream.runCollect(
      Stream.flatMap(Stream.range(0, table.groups.length - 1), (group) => table.parts(group))
    )
    return Chunk.toReadonlyArray(parts).map(({ raw, units }) => [units[0]?.key, units[0] && raw] as const)
  })

/** The file with a new column for each column and language, in which the language is in front of each text. */
export const translated = (
  bytes: Uint8Array,
  columns: ReadonlyArray<string>,
  targets: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const table = yield* openIn(bytes, columns, targets)
    const all = Stream.flatMap(Stream.range(0, table.groups.length - 1), (group) => table.parts(group))
    const pieces = yield* Stream.runCollect(
      table.encode(
        targets.map((targetLang) => ({
          targetLang,
          parts: Stream.map(all, (part) =>
            part.units.length === 0 ? part : { ...part, raw: `${targetLang}: ${part.raw}` }
          )
        }))
      )
    )
    return new Uint8Array(Buffer.concat(Chunk.toReadonlyArray(pieces)))
  })
