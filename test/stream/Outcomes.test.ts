/** Values up to the first failure, cached texts and flagged translations, as read from outcomes. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Outcome } from "effect-translate"
import { drain, failsWith, unavailable } from "./support.js"

const texts = { translated: 1, cached: 0, skipped: 0, failed: 0 }
const cost = { characters: 1, ambiguousCharacters: 0 }

const translated = (
  value: string,
  more: Partial<Outcome.Translated<string>> = {}
): Outcome.Translated<string> => ({
  _tag: "Translated",
  source: value,
  value: value.toUpperCase(),
  texts,
  cost,
  translations: [],
  ...more
})

const failed: Outcome.Failed<string> = {
  ...translated("f"),
  _tag: "Failed",
  failures: [{ field: "text", error: unavailable }]
}

describe("values up to the first failure", () => {
  const chunks = (...chunks: ReadonlyArray<ReadonlyArray<Outcome.Outcome<string>>>) =>
    Stream.fromChunks(...chunks.map(Chunk.unsafeFromArray))

  it.effect("come in their order, and then the error of that", () =>
    Effect.gen(function* () {
      const stream = chunks([translated("a"), translated("b")], [translated("c"), failed, translated("d")])
      const { exit, out } = yield* drain(Outcome.orFail(stream))
      expect(out).toEqual(["A", "B", "C"])
      expect(failsWith(exit)).toBe(unavailable)
    })
  )

  it.effect("are all of them if there is none; an error of the stream stays", () =>
    Effect.gen(function* () {
      const { exit, out } = yield* drain(
        Outcome.orFail(Stream.concat(chunks([translated("a")]), Stream.fail("e")))
      )
      expect(out).toEqual(["A"])
      expect(failsWith(exit)).toBe("e")
      expect((yield* drain(Outcome.orFail(chunks([translated("a")])))).exit._tag).toBe("Success")
    })
  )
})

describe("a text that was cached", () => {
  it("is one that the outcome names, or any of an outcome of cached texts", () => {
    const mixed = translated("a", { texts: { ...texts, cached: 1 }, cachedTexts: [1] })
    expect([0, 1].map((position) => Outcome.isCachedText(mixed, position))).toEqual([false, true])
    const cached: Outcome.Cached<string> = {
      ...translated("a"),
      _tag: "Cached",
      texts: { ...texts, translated: 0, cached: 1 }
    }
    expect(Outcome.isCachedText(cached, 0)).toBe(true)
    expect(Outcome.isCachedText({ ...cached, cachedTexts: undefined } as never, 0)).toBe(true)
    expect(Outcome.isCachedText(translated("a"), 0)).toBe(false)
  })
})

describe("flagged translations", () => {
  it("is that of the outcome, and nothing without one", () => {
    const flagged = [{ field: "text", findings: [] }]
    expect(Outcome.flaggedOf(translated("a", { flagged }))).toBe(flagged)
    expect(Outcome.flaggedOf(translated("a"))).toEqual([])
    expect(Outcome.flaggedOf(translated("a", { flagged: undefined }))).toEqual([])
  })
})
