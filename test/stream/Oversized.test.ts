/** Texts too large for a request are cut; what the service refuses as too large is halved, and the limit is learned. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Outcome, TranslateStream, Translator } from "effect-translate"
import { Fault } from "effect-translate/emulator"
import * as fc from "fast-check"
import { runs } from "../support/long.js"
import {
  answerOf,
  bodyBytes,
  causes,
  charactersOf,
  collect,
  de,
  drain,
  fake,
  mark,
  maxBytes,
  meter,
  numbered,
  payloadTooLarge,
  provide,
  script,
  served,
  uncut,
  values
} from "./support.js"

/** Gives texts back as they are, if the body they come in is not larger than a limit. */
const identity = (limit = maxBytes) => {
  const bodies: Array<number> = []
  const refused: Array<number> = []
  const options: Array<object> = []
  const service = Translator.Translator.of({
    translate: (texts, sent) =>
      Effect.suspend(() => {
        const { showBilledCharacters: _, targetLang: __, ...others } = sent
        const bytes = bodyBytes(texts, others)
        bodies.push(bytes)
        options.push(others)
        if (bytes > limit) {
          refused.push(bytes)
          return Effect.fail(payloadTooLarge)
        }
        return Effect.succeed({
          ...answerOf(texts),
          translations: texts.map((text) => ({ text })) as unknown as ReturnType<
            typeof answerOf
          >["translations"]
        })
      })
  })
  return { bodies, refused, options, provide: provide(service) }
}

/** The service takes bodies up to this size only. */
const limited = (limit: number) =>
  Fault.status(413).pipe(
    Fault.where(({ body }) => Buffer.byteLength(body) > limit),
    Fault.times(Number.POSITIVE_INFINITY)
  )

const sentence = "天地玄黄，宇宙洪荒，日月盈昃，辰宿列张。"

/** So many characters of Chinese, three bytes each. */
const chinese = (characters: number): string =>
  sentence.repeat(Math.ceil(characters / sentence.length)).slice(0, characters)

describe("a text too large for one request", () => {
  it.virtual("is cut, and put together without loss; its neighbours are as ever", () =>
    Effect.gen(function* () {
      const texts = ["b", chinese(100_000), "d", "x".repeat(300_000), "f"]
      const translator = identity()
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de)).pipe(
        translator.provide
      )
      expect(outcomes.map(({ _tag }) => _tag)).toEqual(texts.map(() => "Translated"))
      expect(values(outcomes).map((value, index) => value === texts[index])).toEqual(texts.map(() => true))
      expect(outcomes.map(({ cost }) => cost.characters)).toEqual(texts.map((text) => charactersOf([text])))
      expect(outcomes.map(({ texts }) => texts.translated)).toEqual([1, 1, 1, 1, 1])
      expect(Math.max(...translator.bodies)).toBeLessThanOrEqual(maxBytes)
      // 300 KB and 300 KB in bodies of 128 KiB, none of them far from full.
      expect(translator.bodies.length).toBeLessThanOrEqual(7)
    })
  )

  it.virtual("is billed once, as the service's meter shows", () =>
    Effect.gen(function* () {
      const text = chinese(100_000)
      const [outcome] = yield* collect(TranslateStream.translate(Stream.make(text), de))
      expect(outcome!._tag).toBe("Translated")
      expect(outcome!.value.replaceAll("[de] ", "") === text).toBe(true)
      expect(outcome!.cost).toEqual({ characters: 100_000, ambiguousCharacters: 0 })
      expect(yield* meter).toMatchObject({ characters: 100_000, requests: 3 })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("is cut at ends of sentences", () =>
    Effect.gen(function* () {
      const translator = fake()
      yield* collect(TranslateStream.translate(Stream.make(chinese(100_000)), de)).pipe(translator.provide)
      for (const text of translator.calls.flat().slice(0, -1)) expect(text.endsWith("。")).toBe(true)
    })
  )

  it.virtual("of which one segment fails is Failed, with the cost of the others", () =>
    Effect.gen(function* () {
      yield* script(Fault.poison("!"))
      const text = `${chinese(50_000)}!${chinese(50_000)}`
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("b", text, "d"), de))
      expect(causes(outcomes)).toEqual(["Translated", "BadRequest", "Translated"])
      expect(outcomes[1]!.value === text).toBe(true)
      expect(outcomes[1]!.texts).toEqual({ translated: 0, cached: 0, skipped: 0, failed: 1 })
      const sum = yield* Stream.run(Stream.fromIterable(outcomes), Outcome.tally)
      expect(sum).toMatchObject({ in: 3, translated: 2, failed: 1 })
      expect(sum.characters).toBe((yield* meter).characters)
      expect(outcomes[1]!.cost.characters).toBeGreaterThan(50_000)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("in a field leaves the other fields alone", () =>
    Effect.gen(function* () {
      const body = chinese(60_000)
      const outcomes = yield* collect(
        TranslateStream.translateFields(
          Stream.make({ title: "a", body, note: "" }),
          ["title", "body", "note"],
          de
        )
      )
      expect(outcomes[0]!.value.body === body).toBe(true)
      expect(outcomes[0]).toMatchObject({
        _tag: "Translated",
        value: { title: "a", note: "" },
        texts: { translated: 2, skipped: 1 }
      })
    }).pipe(identity().provide)
  )

  it.virtual("leaves placeholders whole", () =>
    Effect.gen(function* () {
      const text = "{some.name} & ".repeat(12_000).trimEnd()
      const [outcome] = yield* collect(
        TranslateStream.translate(Stream.make(text), { ...de, placeholders: {} })
      )
      expect(outcome!._tag).toBe("Translated")
      expect(outcome!.value === text).toBe(true)
    }).pipe(identity().provide)
  )

  it.virtual("brings its neighbours as context where that is asked for, after the context of all", () =>
    Effect.gen(function* () {
      const words = Array.from({ length: 40_000 }, (_, index) => `w${index}`)
      const text = words.join(" ")
      const translator = identity()
      const [outcome] = yield* collect(
        TranslateStream.translate(Stream.make(text), { ...de, context: "A list.", segmentContext: 50 })
      ).pipe(translator.provide)
      expect(outcome!.value === text).toBe(true)
      expect(Math.max(...translator.bodies)).toBeLessThanOrEqual(maxBytes)
      const contexts = translator.options.map((sent) => (sent as { context: string }).context)
      expect(contexts.length).toBeGreaterThan(1)
      for (const context of contexts) expect(context).toMatch(/^A list\.\n(w\d+[ \n]?)+$/)
      for (const context of contexts) expect(charactersOf([context])).toBeLessThanOrEqual(8 + 50)
    })
  )

  it.virtual.each([[1], [2], [3], [10], [1000]])(
    "fits with a context of %i characters, of whatever letters",
    ([segmentContext]) =>
      Effect.gen(function* () {
        for (const context of [undefined, "c"]) {
          for (const letter of ["x", "\\", "\ud800", "🌍"]) {
            // Three segments.
            const text = letter.repeat(Math.ceil(280_000 / (Buffer.byteLength(JSON.stringify(letter)) - 2)))
            const translator = identity()
            const { exit, out } = yield* drain(
              TranslateStream.translate(Stream.make(text), { ...de, context, segmentContext })
            ).pipe(translator.provide)
            expect(exit._tag).toBe("Success")
            expect(out[0]!.value === text).toBe(true)
            expect(Math.max(...translator.bodies)).toBeLessThanOrEqual(maxBytes)
          }
        }
      })
  )

  it.virtual("is an InvalidRequest where options leave no room for a segment", () =>
    Effect.gen(function* () {
      const context = "c".repeat(maxBytes - bodyBytes([""], { context: "" }) - 30)
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make("b", "x".repeat(50), "d"), { ...de, context })
      )
      expect(causes(outcomes)).toEqual(["Translated", "InvalidRequest", "Translated"])
    }).pipe(identity().provide)
  )

  it("comes back as it was, whatever it is, at any limit of the service", async () => {
    const unit = fc.constantFrom("a", "b c", " ", "\n\n", "世。", "🌍", "\ud800", "\\", "{x}", "&", "é")
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(unit, fc.integer({ min: 1, max: 40_000 })), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 2000, max: maxBytes }),
        fc.constantFrom(undefined, {}),
        (units, limit, placeholders) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const text = units.map(([unit, times]) => unit.repeat(times)).join("")
              const texts = ["first", text, "last"]
              const outcomes = yield* collect(
                TranslateStream.translate(Stream.fromIterable(texts), { ...de, placeholders })
              ).pipe(identity(limit).provide)
              expect(values(outcomes).map((value, index) => value === texts[index])).toEqual([
                true,
                true,
                true
              ])
            })
          )
      ),
      { numRuns: runs(15), endOnFailure: true }
    )
  })
})

describe("a request refused as too large", () => {
  const texts = Array.from({ length: 900 }, (_, index) => `${index} ${chinese(900)}`)

  it.virtual("is halved, and the limit is learned: few are refused in the whole job", () =>
    Effect.gen(function* () {
      const limit = maxBytes - 4000
      yield* script(limited(limit))
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
      expect(values(outcomes)).toEqual(texts.map((text) => `[de] ${text}`))
      const { characters, requests, statuses } = yield* meter
      expect(characters).toBe(charactersOf(texts))
      expect(statuses[413]).toBeLessThanOrEqual(2)
      // 2.4 MB in bodies of nine tenths of the limit.
      expect(requests).toBeLessThanOrEqual(2 + Math.ceil(bodyBytes(texts) / (0.85 * limit)))
    }).pipe(Effect.provide(served()))
  )

  it.virtual.each([[100_000], [60_000], [20_000]])("is learned from at a limit of %i bytes", ([limit]) =>
    Effect.gen(function* () {
      const translator = identity(limit)
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de)).pipe(
        translator.provide
      )
      expect(values(outcomes)).toEqual(texts)
      expect(translator.refused.length).toBeLessThanOrEqual(12)
    })
  )

  it.virtual("when many are in flight is learned from too", () =>
    Effect.gen(function* () {
      const first = "first"
      const limit = 100_000
      const translator = identity(limit)
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.concat(Stream.make(first), Stream.fromIterable(texts)), de)
      ).pipe(translator.provide)
      expect(values(outcomes)).toEqual([first, ...texts])
      // Those that were on their way, and then two or three.
      expect(translator.refused.length).toBeLessThanOrEqual(8 + 4)
    })
  )

  it.virtual("with a single text is cut", () =>
    Effect.gen(function* () {
      yield* script(limited(30_000))
      const text = chinese(40_000)
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("b", text, "d"), de))
      expect(causes(outcomes)).toEqual(["Translated", "Translated", "Translated"])
      expect(outcomes[1]!.value.replaceAll("[de] ", "") === text).toBe(true)
      expect(outcomes[1]!.cost).toEqual({ characters: 40_000, ambiguousCharacters: 0 })
      expect((yield* meter).characters).toBe(40_002)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("with a single text is Failed where texts are not to be cut; its siblings are delivered", () =>
    Effect.gen(function* () {
      yield* script(limited(30_000))
      const text = chinese(20_000)
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("b", text, "d"), uncut))
      expect(causes(outcomes)).toEqual(["Translated", "PayloadTooLarge", "Translated"])
      expect(outcomes[1]).toMatchObject({
        cost: { characters: 0, ambiguousCharacters: 0 },
        failures: [{ error: { status: 413, delivery: "rejected" } }]
      })
      expect((yield* meter).characters).toBe(2)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("with a single text that can't be cut any more is Failed", () =>
    Effect.gen(function* () {
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("b", "x".repeat(5000)), de))
      expect(causes(outcomes)).toEqual(["Translated", "PayloadTooLarge"])
    }).pipe(
      fake((texts) =>
        texts.some((text) => text.startsWith("x")) ? Effect.fail(payloadTooLarge) : Effect.void
      ).provide
    )
  )

  it.virtual("holds a bad text besides: both are found", () =>
    Effect.gen(function* () {
      yield* script(limited(50_000), Fault.poison("!"))
      const all = texts.slice(0, 200).map((text, index) => (index % 90 === 60 ? `${text}!` : text))
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(all), de))
      expect(causes(outcomes)).toEqual(all.map((text) => (text.endsWith("!") ? "BadRequest" : "Translated")))
      expect((yield* meter).characters).toBe(charactersOf(all.filter((text) => !text.endsWith("!"))))
    }).pipe(Effect.provide(served()))
  )

  it.virtual("does not make later requests small for ever if it was small itself", () =>
    Effect.gen(function* () {
      // A service, or a proxy, that says 413 now and then for other reasons.
      const translator = fake((_, call) =>
        call > 0 && call % 10 === 0 ? Effect.fail(payloadTooLarge) : Effect.void
      )
      const many = numbered(20_000)
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(many), de)).pipe(
        translator.provide
      )
      expect(values(outcomes)).toEqual(many.map(mark))
      expect(translator.calls.length).toBeLessThan(700)
    })
  )
})
