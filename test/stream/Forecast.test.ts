/** A forecast is what the emulator's meter counts for the real run, and what the outcomes of that run add up to. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Stream from "effect/Stream"
import { Forecast, Outcome, TranslateStream, TranslationStore } from "effect-translate"
import * as fc from "fast-check"
import { runs } from "../support/long.js"
import { assertReaching } from "../support/reaching.js"
import { bodyBytes, counted, de, failsWith, fake, meter, numbered, served } from "./support.js"

type MaybeText = string | null | undefined

interface Row {
  readonly texts: ReadonlyArray<MaybeText>
}

const oneChunk = <A>(elements: ReadonlyArray<A>): Stream.Stream<A> =>
  Stream.fromChunk(Chunk.unsafeFromArray(elements))

const forecast = (texts: ReadonlyArray<string>, options: Partial<Forecast.Options> = {}) =>
  Effect.map(Forecast.forecast(oneChunk(texts), { targets: ["de"], ...options }), ([forecast]) => forecast!)

/** What the emulator counts and the outcomes say of a run. */
const real = (rows: ReadonlyArray<Row>, options: TranslateStream.Options) =>
  Effect.gen(function* () {
    const before = yield* meter
    const tally = yield* oneChunk(rows).pipe(
      TranslateStream.translateWith({
        ...options,
        texts: (row: Row) => row.texts,
        replace: (row: Row) => row
      }),
      Stream.run(Outcome.tally)
    )
    const after = yield* meter
    return {
      tally,
      requests: after.requests - before.requests,
      characters: after.characters - before.characters,
      bytes: after.bytesReceived - before.bytesReceived
    }
  })

const short = fc.constantFrom("a", "b", "🌍", "\ud800", "x\udc00", '"\\', "世界", "é", "\u0001", "a\nb")

const blank = fc.constantFrom<MaybeText>("", " ", "\u00a0\n", null, undefined)

const withPlaceholders = fc.constantFrom("{name}, hello", "%s & %d", "<b>bold</b>", "a < b")

const text = fc.oneof(
  { weight: 8, arbitrary: short },
  { weight: 8, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }) },
  { weight: 2, arbitrary: withPlaceholders },
  { weight: 3, arbitrary: blank }
)

/** Short, so that a counterexample can be read. */
interface Repeated {
  readonly unit: string
  readonly times: number
}

const repeated = (units: ReadonlyArray<string>, range: { readonly min: number; readonly max: number }) =>
  fc.tuple(fc.constantFrom(...units), fc.integer(range)).map(
    ([unit, bytes]): Repeated => ({
      unit,
      times: Math.ceil(bytes / (bodyBytes([unit]) - bodyBytes([""])))
    })
  )

const large = repeated(["a", "世", "🌍", "\u0001", "&"], { min: 5_000, max: 60_000 })

const giant = repeated(["One. Two! ", "世界。", "{name} ", "g", "a&b\n\n"], { min: 130_900, max: 300_000 })

const rows = fc.array(
  fc.oneof(
    { weight: 30, arbitrary: fc.array(text, { maxLength: 1, minLength: 1 }) },
    { weight: 10, arbitrary: fc.array(text, { maxLength: 5 }) },
    { weight: 2, arbitrary: fc.array(short, { minLength: 40, maxLength: 260, size: "max" }) },
    { weight: 2, arbitrary: fc.array(large, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.tuple(text, giant, text) },
    { weight: 2, arbitrary: fc.array(blank, { maxLength: 30, size: "max" }) }
  ),
  { maxLength: 120, size: "max" }
)

const rowOf = (texts: ReadonlyArray<MaybeText | Repeated>): Row => ({
  texts: texts.map((text) =>
    typeof text === "object" && text !== null ? text.unit.repeat(text.times) : text
  )
})

const options = fc.record({
  targetLang: fc.constantFrom("de", "zh-Hant", "de-ch"),
  concurrency: fc.integer({ min: 1, max: 8 }),
  unordered: fc.boolean(),
  dedupe: fc.boolean(),
  oversized: fc.constantFrom("segment" as const, "fail" as const),
  segmentContext: fc.constantFrom(0, 0, 1, 40),
  placeholders: fc.constantFrom(undefined, {}),
  context: fc.constantFrom(undefined, "A shop.")
})

describe("Forecast", () => {
  it.effect("packs texts as a run does, without a translator", () =>
    Effect.gen(function* () {
      const texts = numbered(120)
      expect(yield* forecast(texts)).toEqual({
        targetLang: "de",
        in: 120,
        translated: 120,
        cached: 0,
        skipped: 0,
        failed: 0,
        characters: 10 * 2 + 90 * 3 + 20 * 4,
        requests: 3,
        bytes: bodyBytes(texts.slice(0, 50)) + bodyBytes(texts.slice(50, 100)) + bodyBytes(texts.slice(100))
      })
    })
  )

  it.effect("counts code points", () =>
    Effect.map(forecast(["🌍🌍", "\ud800"]), ({ characters }) => expect(characters).toBe(3))
  )

  it.effect("counts nothing for no texts, and blank ones as skipped", () =>
    Effect.gen(function* () {
      expect(yield* forecast([])).toMatchObject({ in: 0, requests: 0, characters: 0, bytes: 0 })
      expect(yield* forecast([" ", "", "\n"])).toMatchObject({ in: 3, skipped: 3, requests: 0, bytes: 0 })
    })
  )

  it.effect("cuts a text that is too large, or counts it as failed", () =>
    Effect.gen(function* () {
      const texts = ["a".repeat(200_000)]
      expect(yield* forecast(texts)).toMatchObject({
        translated: 1,
        failed: 0,
        requests: 2,
        characters: 200_000
      })
      expect(yield* forecast(texts, { oversized: "fail" })).toMatchObject({
        translated: 0,
        failed: 1,
        requests: 0,
        characters: 0
      })
    })
  )

  it.effect("counts equal texts once if the run does", () =>
    Effect.gen(function* () {
      const texts = ["a", "b", "a", "a"]
      expect(yield* forecast(texts)).toMatchObject({ translated: 4, cached: 0, characters: 4 })
      expect(yield* forecast(texts, { dedupe: true })).toMatchObject({
        translated: 2,
        cached: 2,
        characters: 2
      })
    })
  )

  it.virtual(
    "with a store counts equal texts once, however far apart they are, as the run pays for them",
    () =>
      Effect.gen(function* () {
        const store = yield* TranslationStore.makeMemory()
        const texts = [...numbered(3000), ...numbered(3000).toReversed()]
        const options = { ...de, store }
        const [found] = yield* Forecast.forecast(oneChunk(texts), { targets: ["de"], store })
        const tally = yield* Stream.run(TranslateStream.translate(oneChunk(texts), options), Outcome.tally)
        expect(found).toMatchObject({ translated: 3000, cached: 3000, characters: tally.characters })
        expect((yield* meter).characters).toBe(found!.characters)
      }).pipe(Effect.provide(served()))
  )

  it.effect("with a store remembers texts in each language, and no more than it has room for", () =>
    Effect.gen(function* () {
      const { isExact, store } = TranslationStore.forecasting(yield* TranslationStore.makeMemory(), 1000)
      const texts = [...numbered(990), ...numbered(990)]
      const run = (texts: ReadonlyArray<string>, targetLang: string) =>
        Effect.map(
          Forecast.forecast(oneChunk(texts), { targets: [targetLang], store }),
          ([forecast]) => forecast!.translated
        )
      expect(yield* run(texts, "de")).toBe(990)
      expect(isExact()).toBe(true)
      // Ten of them have room.
      expect(yield* run(texts.slice(0, 20), "fr")).toBe(20)
      expect(yield* run(texts.slice(0, 20), "fr")).toBe(10)
      expect(isExact()).toBe(false)
    }).pipe(fake().provide)
  )

  it.effect("forgets as the run does", () =>
    Effect.gen(function* () {
      // More than is taken in at once: of that, nothing is forgotten.
      const texts = [...numbered(1000), "t0"]
      expect(yield* forecast(texts, { dedupe: { texts: 1000 } })).toMatchObject({
        translated: 1000,
        cached: 1
      })
      expect(yield* forecast(texts, { dedupe: { texts: 99 } })).toMatchObject({
        translated: 1001,
        cached: 0
      })
    })
  )

  it.effect("reads the source once for all targets; targets in beta are not billed", () =>
    Effect.gen(function* () {
      const { state, stream } = counted(70, (index) => `t${index}`, 7)
      const found = yield* Forecast.forecast(stream, { targets: ["de", "zh-Hant", "de-CH", "fr-ca"] })
      expect(state).toEqual({ pulled: 70, opened: 1, closed: 1 })
      expect(found.map(({ characters, requests, targetLang }) => [targetLang, requests, characters])).toEqual(
        [
          ["de", 2, 200],
          ["zh-Hant", 2, 200],
          ["de-CH", 2, 0],
          ["fr-ca", 2, 0]
        ]
      )
      const [de, zh] = found
      expect(zh!.bytes - de!.bytes).toBe(2 * ("zh-Hant".length - "de".length))
    })
  )

  it.effect("does not depend on the chunks of the source, nor on how fast it is", () =>
    Effect.gen(function* () {
      const texts = numbered(333)
      const slow = Stream.tap(Stream.fromIterable(texts), () => Effect.yieldNow())
      const [found] = yield* Forecast.forecast(slow, { targets: ["de"] })
      expect(found).toEqual(yield* forecast(texts))
    })
  )

  it.effect("takes the texts of elements from a function; data first and data last", () =>
    Effect.gen(function* () {
      const rows = [
        { id: 1, title: "a", note: null },
        { id: 2, title: "b", note: "c" }
      ]
      const options = { targets: ["de"], texts: (row: (typeof rows)[number]) => [row.title, row.note] }
      const expected = [expect.objectContaining({ in: 4, translated: 3, skipped: 1, requests: 1 })]
      expect(yield* Forecast.forecastWith(oneChunk(rows), options)).toEqual(expected)
      expect(yield* oneChunk(rows).pipe(Forecast.forecastWith(options))).toEqual(expected)
      expect(yield* oneChunk(["a"]).pipe(Forecast.forecast({ targets: [] }))).toEqual([])
    })
  )

  it.effect("refuses the same as a run, before anything is pulled", () =>
    Effect.gen(function* () {
      const { state, stream } = counted(10, String)
      const run = (options: Forecast.Options) => Effect.exit(Forecast.forecast(stream, options))
      for (const options of [
        { targets: ["de", "english"] },
        { targets: ["de"], concurrency: 0 },
        { targets: ["de"], context: "x".repeat(140_000) },
        { targets: ["de"], segmentContext: -1 }
      ]) {
        expect(failsWith(yield* run(options))).toMatchObject({ _tag: "InvalidRequest" })
      }
      expect(state.opened).toBe(0)
    })
  )

  it.effect("fails with the source", () =>
    Effect.map(
      Effect.exit(
        Forecast.forecast(Stream.concat(oneChunk(["a"]), Stream.fail("broken")), { targets: ["de"] })
      ),
      (exit) => expect(failsWith(exit)).toBe("broken")
    )
  )

  it.virtual(
    "agrees with the service's meter for any corpus and any options: requests, characters, bytes, and every text",
    () =>
      Effect.gen(function* () {
        const runtime = yield* Effect.runtime<Effect.Effect.Context<ReturnType<typeof real>>>()
        const seen = { requests: 0, cached: 0, failed: 0, free: 0 }
        yield* Effect.promise(() =>
          assertReaching(
            fc.asyncProperty(rows, options, (found, options) =>
              Runtime.runPromise(runtime)(
                Effect.gen(function* () {
                  const rows = found.map(rowOf)
                  const { targetLang, ...others } = options
                  const [expected] = yield* Forecast.forecastWith(oneChunk(rows), {
                    ...others,
                    targets: [targetLang],
                    texts: (row) => row.texts
                  })
                  const { tally, ...counts } = yield* real(rows, options)
                  const { bytes, requests, targetLang: target, ...sums } = expected!
                  expect(target).toBe(targetLang)
                  expect({ ...sums, ambiguousCharacters: 0 }).toEqual(tally)
                  expect({ requests, characters: sums.characters }).toEqual({
                    requests: counts.requests,
                    characters: counts.characters
                  })
                  expect(bytes).toBe(counts.bytes)
                  seen.requests += requests
                  seen.cached += tally.cached
                  seen.failed += tally.failed
                  if (targetLang === "de-ch") seen.free++
                })
              )
            ),
            runs(60),
            () => {
              for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0)
            }
          )
        )
      }).pipe(Effect.provide(served()))
  )
})
