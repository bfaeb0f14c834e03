/** What must hold of a Parquet file that others wrote, once it has columns of translations. */
import { readFileSync, writeFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { parquetMetadata, type SchemaElement } from "hyparquet"
import * as columnWriter from "../../src/format/internal/parquet/columnWriter.js"
import * as footers from "../../src/format/internal/parquet/footer.js"
import { arrow, arrowOf, duckDb, folder, footerOf, fromArrow, translated } from "../support/parquet.js"

/** Files that are refused, by the end of their path: the column that is asked for, and what is said. */
export const refused: ReadonlyArray<readonly [end: string, column: string, message: string]> = [
  ["bad_data/ARROW-GH-41317.parquet", "a", "row group 2 does not have the columns or the rows of the file"],
  ["bad_data/ARROW-GH-41321.parquet", "large_binary", "row group 1: a page can't be read"],
  ["bad_data/ARROW-RS-GH-6229-DICTHEADER.parquet", "name", "pages of it are not where they should be"],
  ["bad_data/ARROW-RS-GH-6229-LEVELS.parquet", "outer", 'column "outer.list.item.c", row group 1: a page'],
  ["bad_data/PARQUET-1481.parquet", "Handle", "its footer can't be read: it is damaged"],
  [
    "data/rle-dict-uncompressed-corrupt-checksum.parquet",
    "binary_field",
    "row group 1: a page does not have the checksum of its header"
  ],
  ["plaintext_footer.parquet.encrypted", "ba_field", "columns of it are encrypted: decrypt the file first."],
  [".encrypted", "ba_field", "its footer is encrypted: decrypt the file first."]
]

/** Files that no other reader here can read: Arrow 2 says of pages that they are not compressed, and columns of others are damaged. */
export const unread: ReadonlyArray<string> = [
  "parquet/ARROW-17100.parquet",
  "data/fixed_length_byte_array.parquet"
]

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The columns that are no part of another one, and those of bytes that may be texts. */
const columnsOf = (schema: ReadonlyArray<SchemaElement>) => {
  const names: Array<string> = []
  const texts: Array<{ readonly name: string; readonly isTyped: boolean }> = []
  let left = 0
  for (const element of schema.slice(1)) {
    const { converted_type, logical_type, name, num_children = 0, repetition_type, type } = element
    if (left === 0) {
      const kinds = [converted_type, logical_type && (logical_type.type ?? "unknown")].filter(
        (kind) => kind !== undefined
      )
      const isText = kinds.every((kind) => kind === "UTF8" || kind === "STRING")
      names.push(name)
      if (isText && type === "BYTE_ARRAY" && num_children === 0 && repetition_type !== "REPEATED")
        texts.push({ name, isTyped: kinds.length > 0 })
      left = 1
    }
    left += num_children - 1
  }
  return { names, texts }
}

/** The file with one more column of texts: most files of decimals, lists, or times have none. */
const withTexts = (bytes: Uint8Array, name: string): Uint8Array => {
  const column = { name, isRequired: false }
  const end = footerOf(bytes)
  const footer = footers.read(bytes.subarray(end, -8))
  const pieces = [bytes.subarray(0, end)]
  let start = end
  const groups = footer.groups.map((group) => {
    const writer = columnWriter.make(column, 0)
    for (let row = 0; row < group.rows; row++) writer.push(row % 5 === 3 ? undefined : `Mug ${row % 50}`)
    const { pages, ...written } = writer.end()
    const extended = footers.extendGroup(group, [column], [{ ...written, start }])
    pieces.push(...pages)
    start += written.bytes
    return extended
  })
  const extended = footers.extend(footer, [column], groups)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(extended.length)
  return new Uint8Array(Buffer.concat([...pieces, extended, length, bytes.subarray(-4)]))
}

const fields = "file_name, row_group_bytes, row_group_compressed_bytes, row_group_num_columns"

type Read = (file: string, columns: ReadonlyArray<string>) => Effect.Effect<unknown>

/** DuckDB, with values of GeoParquet as the bytes that they are, and in one thread: more of them change the order of rows. */
const open = Effect.tap(duckDb, (run) => run("set enable_geoparquet_conversion = false; set threads = 1"))

type Run = Effect.Effect.Success<typeof open>

/** What DuckDB reads of some columns and says of their chunks. */
const readByDuckDb =
  (run: Run): Read =>
  (file, columns) => {
    const paths = columns.map((name) => `'${name.replaceAll("'", "''")}'`).join(", ")
    return Effect.all([
      run(
        `select count(*) as rows, md5(string_agg(t::varchar, '|')) as hash
         from (select ${columns.map(quoted).join(", ")} from '${file}') t`
      ),
      run(
        `select * exclude (${fields}) from parquet_metadata('${file}')
         where split_part(path_in_schema, ', ', 1) in (${paths}) order by row_group_id, column_id`
      )
    ])
  }

/** What arrow-rs reads of some columns. First it reads all: what it can't read ends the process if it is asked for some. */
const readByArrow: Read = (file, columns) =>
  Effect.suspend(() => {
    const bytes = readFileSync(file)
    arrow.readParquet(bytes).free()
    return arrowOf(bytes, columns)
  })

const attempt = <A>(effect: Effect.Effect<A>) => Effect.either(Effect.sandbox(effect))

/** How many rows of a file there are by a condition. */
const count = (run: Run, file: string, condition: string) =>
  Effect.map(run(`select count(*)::integer as rows from '${file}' where ${condition}`), ([found]) =>
    Number(found?.rows)
  )

/** Translates the columns of texts of a file, or one that it gets for that, and reads what comes out. */
export const check = (file: Uint8Array) =>
  Effect.gen(function* () {
    const { names, texts } = columnsOf(parquetMetadata(file.slice().buffer).schema)
    const place = yield* folder
    const before = `${place}/before.parquet`
    const after = `${place}/after.parquet`
    writeFileSync(before, file)
    const run = yield* open
    const faults: Array<string> = []
    const chosen: Array<{ readonly name: string; readonly value: string }> = []
    for (const { isTyped, name } of texts) {
      const value = isTyped ? quoted(name) : `decode(${quoted(name)})`
      const result = yield* Effect.either(translated(file, [name], ["de"]))
      if (Either.isRight(result)) chosen.push({ name, value })
      else if (isTyped || !result.left.message.includes("a value is no UTF-8")) return yield* result.left
      else if ((yield* count(run, before, `try(${value}) is null and ${quoted(name)} is not null`)) === 0)
        faults.push(`${name} is UTF-8`)
    }
    const source = chosen.length === 0 ? withTexts(file, "text of the test") : file
    if (chosen.length === 0) chosen.push({ name: "text of the test", value: quoted("text of the test") })
    const columns = chosen.map(({ name }) => name)
    const output = yield* translated(source, columns, ["de"])
    const end = footerOf(source)
    if (Buffer.compare(output.subarray(0, end), source.subarray(0, end)) !== 0)
      faults.push("other bytes before the footer")
    writeFileSync(after, output)
    const able: Array<string> = []
    const readers = { DuckDB: readByDuckDb(run), "arrow-rs": readByArrow }
    for (const [reader, read] of Object.entries(readers)) {
      const expected = yield* attempt(read(before, names))
      if (Either.isLeft(expected)) continue
      able.push(reader)
      const found = yield* attempt(read(after, names))
      if (Either.isLeft(found)) faults.push(`${reader} can't read it: ${found.left}`)
      else if (!isDeepStrictEqual(found.right, expected.right))
        faults.push(`other columns are read otherwise by ${reader}`)
    }
    if (able.length > 0) {
      const wrong = chosen.map(
        ({ name, value }) => `${quoted(`${name}_de`)} is distinct from 'de: ' || ${value}`
      )
      const isRead = able.includes("DuckDB")
      if (!isRead)
        writeFileSync(
          after,
          fromArrow(output, (builder) => builder)
        )
      const found = yield* count(isRead ? run : yield* open, after, wrong.join(" or "))
      if (found !== 0) faults.push(`${found} rows with other translations`)
    }
    return { readers: able, faults }
  }).pipe(Effect.scoped)
