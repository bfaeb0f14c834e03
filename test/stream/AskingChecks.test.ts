/** Checks that ask somebody: when they are asked, and what becomes of their answers. */
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type Outcome, TranslateStream, TranslationStore, type Verification } from "effect-translate"
import { Check } from "effect-translate/checks"
import { Fault } from "effect-translate/emulator"
import { causes, collect, de, german, meter, numbered, script, served, tags, values } from "./support.js"

type Find = Check.EffectOptions<unknown, never>["find"]

const poor: ReadonlyArray<Omit<Check.Finding, "check">> = [
  { severity: "error", explanation: "Its score is low.", source: [], translation: [] }
]

/** Finds translations with a mark to be poor, and counts what it is asked about. */
const judge = (more: Partial<Check.EffectOptions<unknown, never>> = {}) => {
  const asked: Array<ReadonlyArray<string>> = []
  const find: Find = (pairs) =>
    Effect.sync(() => {
      asked.push(pairs.map(({ source }) => source))
      return pairs.map(({ translation }) => (translation.includes("#") ? poor : []))
    })
  return Effect.map(Check.effect({ name: "quality", version: "1", find, ...more }), (check) => ({
    check,
    asked
  }))
}

const verified = (
  check: Check.Check,
  policy: Verification.Policy = "flag",
  store?: TranslationStore.Service
): TranslateStream.Options => ({
  ...de,
  concurrency: 1,
  ...(store === undefined ? {} : { store }),
  verify: { checks: [check], policies: { quality: policy } }
})

const translate = (texts: ReadonlyArray<string>, options: TranslateStream.Options) =>
  collect(TranslateStream.translate(Stream.fromIterable(texts), options))

/** Answers the next requests with a mark behind texts that have this word. */
const spoil = (word: string, times = 1) =>
  script(
    Fault.mistranslate((source, translation) =>
      source.includes(word) ? `${translation}#` : translation
    ).pipe(Fault.times(times))
  )

const foundIn = (outcomes: ReadonlyArray<Outcome.Outcome<unknown, unknown>>) =>
  outcomes.map((outcome) =>
    "flagged" in outcome
      ? outcome.flagged?.flatMap(({ findings }) => findings.map(({ check }) => check))
      : undefined
  )

const unaskedIn = (outcomes: ReadonlyArray<Outcome.Outcome<unknown, unknown>>) =>
  outcomes.map((outcome) =>
    "unasked" in outcome ? outcome.unasked?.flatMap(({ checks }) => checks) : undefined
  )

const newStore = Effect.map(
  Layer.build(Layer.fresh(TranslationStore.layerMemory())),
  Context.get(TranslationStore.TranslationStore)
)

describe("a check that asks somebody", () => {
  it.virtual("gets all translations of a run by batches, and flags its findings", () =>
    Effect.gen(function* () {
      yield* spoil("t3")
      const { asked, check } = yield* judge({ batch: 4 })
      const outcomes = yield* translate(numbered(10), verified(check))
      expect(asked.map(({ length }) => length)).toEqual([4, 4, 2])
      expect(asked.flat()).toEqual(numbered(10))
      expect(foundIn(outcomes)).toEqual(numbered(10).map((text) => (text === "t3" ? ["quality"] : undefined)))
      expect(outcomes[3]!.texts).toEqual({ translated: 1, cached: 0, skipped: 0, failed: 0, flagged: 1 })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("refuses a translation by the policy fail, and a rerun asks nobody and pays nothing", () =>
    Effect.gen(function* () {
      yield* spoil("b")
      const store = yield* newStore
      const { asked, check } = yield* judge()
      const options = verified(check, "fail", store)
      const first = yield* translate(["d", "b"], options)
      expect(tags(first)).toEqual(["Translated", "Failed"])
      expect(causes(first)[1]).toBe("TranslationRefused")
      const before = (yield* meter).characters
      const again = yield* translate(["d", "b"], options)
      expect(tags(again)).toEqual(["Cached", "Failed"])
      expect((yield* meter).characters).toBe(before)
      expect(asked).toEqual([["d", "b"]])
    }).pipe(Effect.scoped, Effect.provide(served()))
  )

  it.virtual("asks the service once more by the policy retry, and judges that answer too", () =>
    Effect.gen(function* () {
      yield* spoil("b")
      const store = yield* newStore
      const { asked, check } = yield* judge()
      const outcomes = yield* translate(["d", "b"], verified(check, "retry", store))
      expect(values(outcomes)).toEqual([german("d"), german("b")])
      expect(tags(outcomes)).toEqual(["Translated", "Translated"])
      expect(asked).toEqual([["d", "b"], ["b"]])
      expect(values(yield* translate(["b"], { ...de, store }))).toEqual([german("b")])
    }).pipe(Effect.scoped, Effect.provide(served()))
  )

  it.virtual("refuses a translation that is poor twice", () =>
    Effect.gen(function* () {
      yield* spoil("b", Number.POSITIVE_INFINITY)
      const { asked, check } = yield* judge()
      const outcomes = yield* translate(["d", "b"], verified(check, "retry"))
      expect(tags(outcomes)).toEqual(["Translated", "Failed"])
      expect(asked).toEqual([["d", "b"], ["b"]])
    }).pipe(Effect.provide(served()))
  )

  it.virtual("that fails leaves the translations as they are, and says which were not looked at", () =>
    Effect.gen(function* () {
      const store = yield* newStore
      const { check } = yield* judge({ find: () => Effect.fail({ _tag: "Timeout" }) })
      const outcomes = yield* translate(["d", "b"], verified(check, "fail", store))
      expect(values(outcomes)).toEqual([german("d"), german("b")])
      expect(unaskedIn(outcomes)).toEqual([
        [{ check: "quality", reason: "Timeout" }],
        [{ check: "quality", reason: "Timeout" }]
      ])
      expect(outcomes[0]!.texts).toEqual({ translated: 1, cached: 0, skipped: 0, failed: 0, unasked: 1 })
      const before = (yield* meter).characters
      yield* translate(["d", "b"], { ...de, store })
      expect((yield* meter).characters).toBe(before)
    }).pipe(Effect.scoped, Effect.provide(served()))
  )

  it.virtual("that gives another number of answers has failed", () =>
    Effect.gen(function* () {
      const { check } = yield* judge({ find: () => Effect.succeed([[]]) })
      const outcomes = yield* translate(["d", "b"], verified(check))
      expect(unaskedIn(outcomes)[1]).toEqual([{ check: "quality", reason: "1 answers to 2 pairs" }])
    }).pipe(Effect.provide(served()))
  )

  it.virtual("is not asked about a translation that was there before without a verdict", () =>
    Effect.gen(function* () {
      const store = yield* newStore
      yield* translate(["d"], { ...de, store })
      const { asked, check } = yield* judge()
      const outcomes = yield* translate(["d", "b"], verified(check, "flag", store))
      expect(asked).toEqual([["b"]])
      expect(unaskedIn(outcomes)).toEqual([[{ check: "quality" }], undefined])
    }).pipe(Effect.scoped, Effect.provide(served()))
  )

  it.virtual("is asked anew once its version is another", () =>
    Effect.gen(function* () {
      const store = yield* newStore
      const first = yield* judge()
      yield* translate(["d"], verified(first.check, "flag", store))
      const second = yield* judge({ version: "2" })
      const outcomes = yield* translate(["d"], verified(second.check, "flag", store))
      expect(second.asked).toEqual([])
      expect(unaskedIn(outcomes)).toEqual([[{ check: "quality" }]])
    }).pipe(Effect.scoped, Effect.provide(served()))
  )

  it.virtual(
    "that is slow does not keep requests waiting, and at most so many questions are asked at a time",
    () =>
      Effect.gen(function* () {
        const state = { now: 0, most: 0 }
        // The first question is answered once the second is asked: about the texts of another request.
        const second = yield* Effect.makeLatch()
        const find: Find = (pairs) =>
          Effect.suspend(() => {
            state.most = Math.max(state.most, ++state.now)
            return state.now === 2 ? second.open : Effect.void
          }).pipe(
            Effect.zipRight(second.await),
            Effect.zipRight(
              Effect.sync(() => {
                state.now--
                return pairs.map(() => [])
              })
            )
          )
        const { check } = yield* judge({ find, concurrency: 2 })
        const outcomes = yield* translate(numbered(200), verified(check))
        expect(outcomes).toHaveLength(200)
        expect(state.most).toBe(2)
      }).pipe(Effect.provide(served()))
  )

  it.virtual("of an empty stream asks nobody", () =>
    Effect.gen(function* () {
      const { asked, check } = yield* judge()
      expect(yield* translate([], verified(check))).toEqual([])
      expect(asked).toEqual([])
    }).pipe(Effect.provide(served()))
  )
})
