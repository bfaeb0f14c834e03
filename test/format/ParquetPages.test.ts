import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Format from "../../src/format/Format.js"
import * as columnReader from "../../src/format/internal/parquet/columnReader.js"
import * as columnWriter from "../../src/format/internal/parquet/columnWriter.js"
import { crc32 } from "../../src/format/internal/parquet/crc32.js"
import * as thrift from "../../src/format/internal/parquet/thrift.js"
import { accessTo } from "../support/parquet.js"

const column = { name: "text", isRequired: false, leaf: 0 }
const snappy = 1
const all = ["a mug, a mug, a mug", null, "a cup"]

const written = () => {
  const writer = columnWriter.make(column, snappy)
  for (const text of all) writer.push(text ?? undefined)
  const page = writer.end().pages[0]!
  const { fields, length } = thrift.readStruct(page)
  return { fields, content: page.subarray(length) }
}

const read = (fields: ReadonlyArray<thrift.Field>, content: Uint8Array) => {
  const bytes = new Uint8Array(Buffer.concat([thrift.struct(fields), content]))
  const chunk = {
    start: 0,
    end: bytes.length,
    codec: snappy,
    uncompressedBytes: bytes.length,
    values: all.length,
    firstValues: 0
  }
  const fail = (message: string) => Format.formatError("parquet", "a.parquet", { message })
  return Stream.runCollect(columnReader.texts(accessTo(bytes), column, chunk, all.length, fail)).pipe(
    Effect.map((pages) => Chunk.toReadonlyArray(pages).flat())
  )
}

describe("a page of a Parquet file", () => {
  it.effect(
    "is read, though its header says that it is not compressed, as Arrow 2 says of those that are",
    () =>
      Effect.gen(function* () {
        const { content, fields } = written()
        const no = { id: 7, type: 2, bytes: new Uint8Array(0) }
        const changed = thrift.replace(fields, 8, (page) => thrift.struct([...thrift.fieldsOf(page), no]))
        expect(yield* read(changed, content)).toEqual(all)
      })
  )

  it.effect("is read if it has the checksum of its header, and refused if it has not", () =>
    Effect.gen(function* () {
      const { content, fields } = written()
      const withSum = (sum: number) => {
        const crc = { id: 4, type: thrift.types.i32, bytes: thrift.integer(sum) }
        return read([...fields.slice(0, 3), crc, ...fields.slice(3)], content)
      }
      const sum = crc32(content)
      expect(yield* withSum(sum)).toEqual(all)
      const error = yield* Effect.flip(withSum(sum ^ 1))
      expect(error.message).toContain("a page does not have the checksum of its header")
    })
  )

  it("has a checksum that is CRC-32, as a signed integer", () => {
    expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926 | 0)
  })
})
