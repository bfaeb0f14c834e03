/** Parquet files of DuckDB and arrow-rs, which get new columns, and are read by both again. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import { parquetMetadata } from "hyparquet"
import { parquetWriteBuffer } from "hyparquet-writer"
import { runs, someOf } from "../support/long.js"
import {
  arrow,
  arrowOf,
  asked,
  footerOf,
  fromArrow,
  fromDuckDb,
  textsOf,
  translated
} from "../support/parquet.js"

/** Columns of all kinds that a reader may not hand out as they are. */
const rows = (count: number) => `
  select
    i::integer as id,
    case when i % 7 = 3 then null when i % 11 = 5 then '' else 'Mug ' || i || ' ä€😀' end as text,
    'Cup ' || (i % 3) as kind,
    (i / 3)::decimal(38, 4) as price,
    (i / 7)::double as weight,
    [i, null, i + 1] as list,
    [['a' || i], []] as nested,
    {'a': i, 'b': {'c': 'x' || i}} as struct,
    map {'k' || i: i} as map,
    make_timestamp(i * 1000003) as time,
    make_timestamp(i * 1000003)::timestamptz as zoned,
    ('00000000-0000-0000-0000-' || lpad(i::varchar, 12, '0'))::uuid as uuid,
    encode('bytes ' || i) as bytes,
    null::integer as nothing,
    i % 2 = 0 as flag
  from (select range as i from range(${count}))`

const others = [
  "id",
  "text",
  "kind",
  "price",
  "weight",
  "list",
  "nested",
  "struct",
  "map",
  "time",
  "zoned",
  "uuid",
  "bytes",
  "nothing",
  "flag"
]

const expectKept = (source: Uint8Array, output: Uint8Array) =>
  Effect.gen(function* () {
    const end = footerOf(source)
    expect(Buffer.compare(output.subarray(0, end), source.subarray(0, end))).toBe(0)
    const columns = others.join(", ")
    const hash = `select md5(string_agg(t::varchar, '|' order by id)) as hash, count(*)::integer as rows from (select ${columns} from {file}) t group by all`
    expect(yield* asked(output, hash)).toEqual(yield* asked(source, hash))
    const chunks = `select * exclude (file_name, row_group_bytes, row_group_compressed_bytes, row_group_id, row_group_num_columns) from parquet_metadata({file}) where not starts_with(path_in_schema, 'text_') and not starts_with(path_in_schema, 'kind_') order by row_group_id, column_id`
    expect(yield* asked(output, chunks)).toEqual(yield* asked(source, chunks))
    expect(Buffer.compare(yield* arrowOf(output, others), yield* arrowOf(source, others))).toBe(0)
  })

const expectTranslated = (output: Uint8Array) =>
  Effect.gen(function* () {
    const wrong = `select count(*)::integer as wrong from {file}
      where text_de is distinct from 'de: ' || text or text_pt_BR is distinct from 'pt-BR: ' || text
      or kind_de is distinct from 'de: ' || kind or kind_pt_BR is distinct from 'pt-BR: ' || kind`
    expect(yield* asked(output, wrong)).toEqual([{ wrong: 0 }])
  })

describe("a Parquet file of DuckDB", () => {
  for (const compression of someOf(["snappy", "gzip", "brotli", "zstd", "lz4_raw", "uncompressed"])) {
    it.effect(`keeps all of its columns, compressed by ${compression}, and gets new ones`, () =>
      Effect.gen(function* () {
        const source = yield* fromDuckDb(rows(2500), `, compression ${compression}, row_group_size 2048`)
        const output = yield* translated(source, ["text", "kind"], ["de", "pt-BR"])
        yield* expectKept(source, output)
        yield* expectTranslated(output)
      })
    )
  }

  it.effect("of version 2 of the pages is read", () =>
    Effect.gen(function* () {
      const source = yield* fromDuckDb(rows(500), ", parquet_version v2")
      const output = yield* translated(source, ["text", "kind"], ["de", "pt-BR"])
      yield* expectKept(source, output)
      yield* expectTranslated(output)
    })
  )

  it.effect("keeps its Bloom filters and its metadata", () =>
    Effect.gen(function* () {
      const source = yield* fromDuckDb(
        rows(5000),
        ", row_group_size 2048, kv_metadata {note: 'of a program'}"
      )
      const output = yield* translated(source, ["text"], ["de"])
      const probe = `select row_group_id, bloom_filter_excludes from parquet_bloom_probe({file}, 'kind', 'Cup 9')`
      const excluded = yield* asked(output, probe)
      expect(excluded).toHaveLength(3)
      expect(excluded).toEqual(yield* asked(source, probe))
      const metadata = "select key::varchar as key, value::varchar as value from parquet_kv_metadata({file})"
      expect(yield* asked(output, metadata)).toEqual([{ key: "note", value: "of a program" }])
    })
  )

  it.effect("without rows gets its columns too", () =>
    Effect.gen(function* () {
      const source = yield* fromDuckDb(rows(0))
      const output = yield* translated(source, ["text"], ["de"])
      expect(yield* asked(output, "select text_de, text from {file}")).toEqual([])
      const described = yield* asked(output, "describe select text_de from {file}")
      expect(described).toMatchObject([{ column_name: "text_de", column_type: "VARCHAR" }])
    })
  )

  it.effect("names its texts by row and column, and tells null from a text that is empty", () =>
    Effect.gen(function* () {
      const source = yield* fromDuckDb(
        "select unnest(['a', null, '', ' ']) as text, unnest(['w', 'x', 'y', 'z']) as b"
      )
      expect(yield* textsOf(source, ["text", "b"])).toEqual([
        ["1:text", "a"],
        [undefined, undefined],
        ["3:text", ""],
        ["4:text", " "],
        ["1:b", "w"],
        ["2:b", "x"],
        ["3:b", "y"],
        ["4:b", "z"]
      ])
    })
  )
})

describe("a Parquet file of arrow-rs", () => {
  for (const compression of someOf(["LZ4_RAW", "SNAPPY", "GZIP", "BROTLI", "ZSTD"] as const)) {
    it.effect(`with a row group of nulls only is read, compressed by ${compression}`, () =>
      Effect.gen(function* () {
        const query =
          "select i as id, case when i < 300 then null else 'Mug ' || i end as text from (select range i from range(500))"
        const source = fromArrow(yield* fromDuckDb(query), (builder) =>
          builder.setCompression(arrow.Compression[compression]).setMaxRowGroupSize(200)
        )
        const output = yield* translated(source, ["text"], ["de"])
        const counts = `select count(text)::integer as texts, count(text_de)::integer as translations,
          count(*) filter (text_de is distinct from 'de: ' || text)::integer as wrong from {file}`
        expect(yield* asked(output, counts)).toEqual([{ texts: 200, translations: 200, wrong: 0 }])
      })
    )
  }

  it.effect("keeps Arrow's description of its columns, and adds the new ones", () =>
    Effect.gen(function* () {
      const written = fromArrow(yield* fromDuckDb(rows(400)), (builder) => builder.setMaxRowGroupSize(300))
      const source = withLargeText(written, "text")
      const output = yield* translated(source, ["text", "kind"], ["de", "pt-BR"])
      expect(parquetMetadata(output).key_value_metadata?.map(({ key }) => key)).toEqual(["ARROW:schema"])
      // Texts of 64-bit offsets: Parquet itself does not know them.
      expect(yield* arrowOf(source, ["text"])).not.toEqual(yield* arrowOf(written, ["text"]))
      yield* expectKept(source, output)
      yield* expectTranslated(output)
    })
  )
})

describe("a Parquet file of hyparquet-writer", () => {
  it.effect("keeps its page indexes, and is read whatever the encoding of its texts", () =>
    Effect.gen(function* () {
      const text = Array.from({ length: 2000 }, (_, row) =>
        row % 9 === 4 ? null : `Mug ${row} of stoneware`
      )
      for (const encoding of [
        "PLAIN",
        "RLE_DICTIONARY",
        "DELTA_BYTE_ARRAY",
        "DELTA_LENGTH_BYTE_ARRAY"
      ] as const) {
        const column = { name: "text", type: "STRING", data: text, encoding, columnIndex: true } as const
        const id = { name: "id", type: "INT32", data: text.map((_, row) => row), columnIndex: true } as const
        const source = new Uint8Array(
          parquetWriteBuffer({ columnData: [id, column], pageSize: 2000, rowGroupSize: 700 })
        )
        const output = yield* translated(source, ["text"], ["de"])
        const indexes = (bytes: Uint8Array) =>
          parquetMetadata(bytes).row_groups.map(({ columns }) =>
            columns
              .slice(0, 2)
              .map(({ column_index_offset, offset_index_offset }) => [
                column_index_offset,
                offset_index_offset
              ])
          )
        expect(indexes(output)).toEqual(indexes(source))
        const found = "select id, text, text_de from {file} where id between 1003 and 1004 order by id"
        expect(yield* asked(output, found)).toEqual([
          { id: 1003, text: null, text_de: null },
          { id: 1004, text: "Mug 1004 of stoneware", text_de: "de: Mug 1004 of stoneware" }
        ])
        expect(yield* asked(output, "select count(text_de)::integer as texts from {file}")).toEqual([
          { texts: text.filter((text) => text !== null).length }
        ])
      }
    })
  )
})

describe("a damaged Parquet file", () => {
  it.effect("is read, or refused with an error that says where, whichever byte is wrong", () =>
    Effect.gen(function* () {
      const source = yield* fromDuckDb(
        "select 'Mug ' || i as text, i as id from (select range i from range(300))",
        ", compression uncompressed"
      )
      const place = fc.oneof(
        fc.nat(source.length - 1),
        fc.integer({ min: footerOf(source), max: source.length - 1 })
      )
      const isAnswered = async (place: number, value: number) => {
        const damaged = source.slice()
        damaged[place] = value
        const result = await Effect.runPromise(Effect.either(translated(damaged, ["text"], ["de"])))
        return Either.isRight(result) || result.left.message.startsWith("a.parquet: ")
      }
      yield* Effect.promise(() =>
        fc.assert(fc.asyncProperty(place, fc.nat(255), isAnswered), {
          // The size of a page as a number of 64 bits.
          examples: [[4, 38]],
          numRuns: runs(800, 20)
        })
      )
    })
  )
})

/** The file in which Arrow says of a column that it is of large texts. */
const withLargeText = (bytes: Uint8Array, column: string): Uint8Array => {
  const { value } = parquetMetadata(bytes).key_value_metadata!.find(({ key }) => key === "ARROW:schema")!
  const message = Buffer.from(value!, "base64")
  const buffer = message.subarray(8)
  const target = (at: number) => at + buffer.readUInt32LE(at)
  const field = (table: number, id: number) =>
    table + buffer.readUInt16LE(table - buffer.readInt32LE(table) + 4 + 2 * id)
  const list = target(field(target(field(target(0), 2)), 1))
  for (let index = 0; index < buffer.readUInt32LE(list); index++) {
    const found = target(list + 4 + 4 * index)
    const name = target(field(found, 0))
    const text = buffer.toString("utf8", name + 4, name + 4 + buffer.readUInt32LE(name))
    if (text === column) buffer.writeUInt8(20, field(found, 2))
  }
  const changed = Buffer.from(bytes).toString("latin1").replace(value!, message.toString("base64"))
  return new Uint8Array(Buffer.from(changed, "latin1"))
}
