/** What looks wrong is asked for once more: in which requests, and what is stored if that did not happen. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Stream from "effect/Stream"
import { Budget, RetryPolicy, TranslateStream, TranslationStore, Translator } from "effect-translate"
import { Check } from "effect-translate/checks"
import { badRequest, causes, de, drain, fake, mark, numbered, quotaExceeded } from "./support.js"

/** Answers as often as it is told with nothing to texts that have a word; it says what it was asked with. */
const emptyFor = (
  word: string,
  times: number,
  options: { readonly fails?: (call: number) => boolean } = {}
) => {
  const calls: Array<{ readonly texts: ReadonlyArray<string>; readonly context: string | undefined }> = []
  const asked = new Map<string, number>()
  const inner = fake()
  return {
    calls,
    provide: Effect.provideService(Translator.Translator, {
      ...inner.service,
      translate: (texts, { context }) => {
        calls.push({ texts, context })
        if (options.fails?.(calls.length) === true) return Effect.fail(quotaExceeded)
        return Effect.map(inner.service.translate(texts, de), (answer) => ({
          ...answer,
          translations: answer.translations.map((translation, index) => {
            const text = texts[index]!
            const before = asked.get(text) ?? 0
            asked.set(text, before + 1)
            return text.includes(word) && before < times ? { text: "" } : translation
          }) as unknown as typeof answer.translations
        }))
      }
    })
  }
}

const verify = { checks: [Check.empty], policies: { answers: "off" } } as const

const run = (texts: ReadonlyArray<string>, options: Partial<TranslateStream.Options> = {}) =>
  drain(TranslateStream.translate(Stream.fromIterable(texts), { ...de, verify, ...options }))

describe("an answer of which 50 translations are empty", () => {
  it.effect("is asked for once more in one request, of 3,000 texts, and none is refused", () =>
    Effect.gen(function* () {
      const texts = numbered(3000)
      const service = emptyFor("t", 0)
      const first = emptyFor("t", 1)
      const inner = fake()
      const calls: Array<number> = []
      const { out } = yield* run(texts, { store: yield* TranslationStore.makeMemory() }).pipe(
        Effect.provideService(Translator.Translator, {
          ...inner.service,
          translate: (batch) =>
            calls.push(batch.length) === 1
              ? Effect.map(inner.service.translate(batch, de), (answer) => ({
                  ...answer,
                  translations: batch.map(() => ({ text: "" })) as unknown as typeof answer.translations
                }))
              : inner.service.translate(batch, de)
        })
      )
      expect(out.map(({ value }) => value)).toEqual(texts.map(mark))
      expect(calls).toEqual(Array.from({ length: 61 }, () => 50))
      expect([service.calls, first.calls]).toEqual([[], []])
    })
  )

  it.effect(
    "and empty again goes text by text with its neighbours as context, within the bounds of the policy",
    () =>
      Effect.gen(function* () {
        const service = emptyFor("t", 2)
        const { out } = yield* run(numbered(50)).pipe(service.provide)
        expect(service.calls.slice(0, 2).map(({ texts }) => texts.length)).toEqual([50, 50])
        const alone = service.calls.slice(2)
        // 10 and a tenth of the 100 that were answered, without the one request of them all.
        expect(alone).toHaveLength(19)
        expect(alone.every(({ texts }) => texts.length === 1)).toBe(true)
        expect(alone[1]).toEqual({ texts: ["t1"], context: "t0\nt2" })
        expect(causes(out).filter((cause) => cause === "Translated")).toHaveLength(19)
        const refused = out.find((outcome) => outcome._tag === "Failed")
        expect(refused).toMatchObject({ failures: [{ error: { answers: 2, isDue: false } }] })
      }).pipe(Effect.scoped)
  )

  it.effect("alone among good ones goes by itself at once, and is refused when it is empty twice", () =>
    Effect.gen(function* () {
      const service = emptyFor("t7", 9)
      const { out } = yield* run(numbered(7).concat("t7", "x")).pipe(service.provide)
      expect(service.calls.slice(1)).toEqual([{ texts: ["t7"], context: "t6\nx" }])
      const [failure] = out[7]?._tag === "Failed" ? out[7].failures : []
      expect(failure!.error.message).toContain("refused twice by empty")
    })
  )
})

describe("a second request that does not happen", () => {
  const policy = RetryPolicy.make({ ambiguousBudget: 0, ambiguousBudgetPerSuccess: 0 })

  for (const [what, options, fails, around] of [
    ["for want of budget", (budget: number) => ({ budget }), undefined, undefined],
    ["by the policy of repetitions", () => ({}), undefined, policy],
    ["since the quota is used up", () => ({}), (call: number) => call === 2, undefined]
  ] as const) {
    it.effect(`${what} leaves the text as asked for once, and a later run makes only that request`, () =>
      Effect.gen(function* () {
        const store = yield* TranslationStore.makeMemory()
        const texts = ["abc", "bcd", "cde"]
        const first = emptyFor("b", 1, fails === undefined ? {} : { fails })
        const { out } = yield* run(texts, { store, ...options(10) }).pipe(
          first.provide,
          around === undefined ? identity : Effect.provideService(RetryPolicy.RetryPolicy, around)
        )
        expect(first.calls[0]!.texts).toEqual(texts)
        const [failure] = out[0]?._tag === "Failed" ? out[0].failures : []
        if (fails === undefined) {
          expect(failure!.error).toMatchObject({ answers: 1, isDue: true })
          expect(failure!.error.message).toContain("It was not asked for again")
        }
        expect(yield* store.stats).toMatchObject({ translations: 1, refused: 2 })
        const known = yield* run(texts, { store }).pipe(
          emptyFor("b", 0).provide,
          Effect.provideService(RetryPolicy.RetryPolicy, policy)
        )
        expect(causes(known.out)).toEqual(["TranslationRefused", "TranslationRefused", "Cached"])
        const second = emptyFor("abc", 1)
        const later = yield* run(texts, { store }).pipe(second.provide)
        expect(second.calls).toEqual([
          { texts: ["abc", "bcd"], context: undefined },
          { texts: ["abc"], context: "bcd" }
        ])
        expect(later.out.map(({ _tag }) => _tag)).toEqual(["Translated", "Translated", "Cached"])
        const last = emptyFor("b", 0)
        expect(causes((yield* run(texts, { store }).pipe(last.provide)).out)).toEqual([
          "Cached",
          "Cached",
          "Cached"
        ])
        expect(last.calls).toEqual([])
      })
    )
  }

  it.effect("is made for fields of rows, by several targets for themselves, whatever the order", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      for (const targetLang of ["de", "fr"]) {
        const rows = Array.from({ length: 60 }, (_, index) => ({ a: `a${index}`, b: `b${index}` }))
        const options = { targetLang, store, verify, unordered: true, concurrency: 4, maxTexts: 10 }
        const translate = TranslateStream.translateFields(Stream.fromIterable(rows), ["a", "b"], options)
        yield* drain(translate).pipe(
          emptyFor("b", 9).provide,
          Effect.provideService(RetryPolicy.RetryPolicy, policy)
        )
        const again = emptyFor("b", 0)
        const { out } = yield* drain(translate).pipe(again.provide)
        expect(out.every(({ _tag }) => _tag === "Translated")).toBe(true)
        expect(again.calls.flatMap(({ texts }) => texts).toSorted()).toEqual(
          rows.map(({ b }) => b).toSorted()
        )
        expect(again.calls).toHaveLength(6)
      }
    })
  )

  it.effect("of a text in segments asks for all of them, and for none twice", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const text = "One sentence. ".repeat(40).trim()
      const wrong = {
        ...verify,
        checks: [
          {
            ...Check.empty,
            find: ({ translation }: Check.Pair) =>
              translation.includes("<One")
                ? []
                : [
                    {
                      check: "empty",
                      severity: "error" as const,
                      explanation: "It is empty.",
                      source: [],
                      translation: []
                    }
                  ]
          }
        ]
      }
      const options = { store, verify: wrong, maxBytes: 200 }
      const budget = yield* Budget.make(text.length)
      yield* run([text], { ...options, budget }).pipe(emptyFor("One", 1).provide)
      expect((yield* store.stats).refused).toBe(1)
      const again = emptyFor("One", 0)
      const { out } = yield* run([text], options).pipe(again.provide)
      expect(out[0]!._tag).toBe("Translated")
      expect(again.calls.flatMap(({ texts }) => texts).join(" ")).toBe(text)
    })
  )

  it.effect("is no matter of an error of the service: the text fails with that, and stays due", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const first = emptyFor("b", 1)
      const inner = fake((texts) => (texts.length === 1 ? Effect.fail(badRequest) : Effect.void))
      const { out } = yield* run(["a", "b"], { store }).pipe(
        Effect.provideService(Translator.Translator, {
          ...inner.service,
          translate: (texts, options) =>
            texts.length === 1
              ? inner.service.translate(texts, options)
              : Effect.map(inner.service.translate(texts, options), (answer) => ({
                  ...answer,
                  translations: [{ text: "A" }, { text: "" }] as const
                }))
        })
      )
      expect(causes(out)).toEqual(["Translated", "BadRequest"])
      expect(first.calls).toEqual([])
      const again = emptyFor("b", 0)
      yield* run(["a", "b"], { store }).pipe(again.provide)
      expect(again.calls.map(({ texts }) => texts)).toEqual([["b"]])
    })
  )
})
