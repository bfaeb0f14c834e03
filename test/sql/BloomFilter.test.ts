import { describe, expect, it } from "@effect/vitest"
import { BloomFilter } from "../../src/sql/internal/bloomFilter.js"
import { hashed } from "../../src/store/StoreKeys.js"

const keys = (kind: string, count: number) =>
  Array.from({ length: count }, (_, index) => hashed.hashOf(`${kind} ${index}`))

describe("a Bloom filter", () => {
  it("may have every key that was added, and few others", () => {
    const filter = new BloomFilter()
    const added = keys("added", 50_000)
    for (const key of added) filter.add(key)
    expect(added.every((key) => filter.mayHave(key))).toBe(true)
    expect(keys("other", 50_000).filter((key) => filter.mayHave(key)).length).toBeLessThan(5)
  })
})
