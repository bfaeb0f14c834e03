import { describe, expect, it } from "@effect/vitest"
import * as thrift from "../../src/format/internal/parquet/thrift.js"

describe("a list in the footer of a Parquet file", () => {
  // The number of items stands in the head where it is less than 15, and behind it from there on.
  it.each([
    [0, [0x05]],
    [14, [0xe5]],
    [15, [0xf5, 15]],
    [16, [0xf5, 16]],
    [200, [0xf5, 0xc8, 1]]
  ])("of %i items has the head of Thrift, and is read again", (count, head) => {
    const items = Array.from({ length: count }, (_, index) => thrift.integer(index))
    const bytes = thrift.list(thrift.types.i32, items)
    expect([...bytes.subarray(0, head.length)]).toEqual(head)
    expect(thrift.listOf(bytes)).toEqual({ type: thrift.types.i32, items })
  })
})
