import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import * as fc from "fast-check"
import * as selector from "../../src/format/internal/selector.js"

const selects = (pattern: string, path: ReadonlyArray<string | number>) =>
  Either.getOrThrow(selector.make([pattern]))(path)

describe("selector", () => {
  it("selects a name at the root only", () => {
    expect(selects("title", ["title"])).toBe(true)
    expect(selects("title", ["a", "title"])).toBe(false)
    expect(selects("title", ["title", "a"])).toBe(false)
  })

  it("selects in every item of an array", () => {
    expect(selects("messages[*].content", ["messages", 3, "content"])).toBe(true)
    expect(selects("messages[*].content", ["messages", "x", "content"])).toBe(false)
    expect(selects("messages[1].content", ["messages", 1, "content"])).toBe(true)
    expect(selects("messages[1].content", ["messages", 2, "content"])).toBe(false)
    expect(selects("[*]", [0])).toBe(true)
  })

  it("begins a name at the root, or at each item of a root that is an array", () => {
    expect(selects("title", [3, "title"])).toBe(true)
    expect(selects("title", [3, 4, "title"])).toBe(false)
    expect(selects("title", [3])).toBe(false)
    expect(selects("a[0].b", [3, "a", 0, "b"])).toBe(true)
    expect(selects("[0].b", [3, 0, "b"])).toBe(false)
  })

  it("takes * for one key or index", () => {
    expect(selects("*.description", ["a", "description"])).toBe(true)
    expect(selects("*.description", [0, "description"])).toBe(true)
    expect(selects("*.description", ["description"])).toBe(false)
    expect(selects("*.description", ["a", "b", "description"])).toBe(false)
  })

  it("takes ** for any number of keys and indices", () => {
    expect(selects("**.text", ["text"])).toBe(true)
    expect(selects("**.text", ["a", 0, "b", "text"])).toBe(true)
    expect(selects("**.text", ["a", "texts"])).toBe(false)
    expect(selects("a.**", ["a", "b", "c"])).toBe(true)
    expect(selects("a.**.b.**.c", ["a", "b", "x", "b", "y", "c"])).toBe(true)
  })

  it("tells keys that are digits from indices, and quoted keys from paths", () => {
    expect(selects("a.0", ["a", "0"])).toBe(true)
    expect(selects("a.0", ["a", 0])).toBe(false)
    expect(selects('a["x.y"]', ["a", "x.y"])).toBe(true)
    expect(selects('["a"].b', ["a", "b"])).toBe(true)
    expect(selects('["*"]', ["x"])).toBe(false)
  })

  it("selects values that any of the patterns matches", () => {
    const select = Either.getOrThrow(selector.make(["title", "body"]))
    expect([["title"], ["body"], ["other"]].map(select)).toEqual([true, true, false])
  })

  it("refuses patterns that cannot be read, and none at all", () => {
    for (const pattern of [
      "",
      ".",
      "a.",
      ".a",
      "a..b",
      "a[",
      "a[x]",
      "a]b",
      "tit*",
      "***",
      "a[0]b",
      '["\\x"]'
    ]) {
      expect(Either.isLeft(selector.make([pattern])), pattern).toBe(true)
    }
    expect(Either.isLeft(selector.make([]))).toBe(true)
  })

  it("selects a path by its key, and no other path", () => {
    const step = fc.oneof(fc.string(), fc.constantFrom("a", "*", "**", "0", "__proto__"), fc.nat(3))
    const path = fc.array(step, { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(path, path, (one, other) => {
        const select = Either.getOrThrow(selector.make([selector.pathKey(one)]))
        expect(select(one)).toBe(true)
        const [first, ...rest] = other
        const ofRow = typeof first === "number" && typeof one[0] === "string" ? rest : other
        expect(select(other)).toBe(
          [other, ofRow].some((path) => JSON.stringify(path) === JSON.stringify(one))
        )
      }),
      { numRuns: 50 }
    )
  })
})
