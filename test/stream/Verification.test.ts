/** Translations that look wrong: kept with what was found, asked for once more, or refused. */

import { NodeFileSystem } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import {
  Budget,
  Forecast,
  Outcome,
  RetryPolicy,
  TranslateStream,
  TranslationStore,
  type Verification
} from "effect-translate"
import { Check } from "effect-translate/checks"
import { Fault } from "effect-translate/emulator"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { temporaryFile } from "../support/databases.js"
import {
  causes,
  charactersOf,
  collect,
  de,
  drain,
  german,
  meter,
  numbered,
  script,
  served,
  tags,
  values
} from "./support.js"

/** Finds a word in translations. */
const finds = (name: string, word: string, severity: Check.Finding["severity"] = "error"): Check.Check => ({
  name,
  find: ({ source, translation }) => {
    const start = translation.indexOf(word)
    return start === -1
      ? []
      : [
          {
            check: name,
            severity,
            explanation: `It has a word of ${name}.`,
            source: [{ start: 0, end: source.length }],
            translation: [{ start, end: start + word.length }]
          }
        ]
  }
})

const checks = [finds("wrong", "#"), finds("odd", "?", "warning")]

const verified = (policies: Verification.Options["policies"] = {}, more: object = {}) => ({
  ...de,
  ...more,
  verify: { checks, policies }
})

/** Answers the next requests with one more character behind texts that have this word. */
const spoil = (word: string, mark: string, times = 1) =>
  script(
    Fault.mistranslate((source, translation) =>
      source.includes(word) ? `${translation}${mark}` : translation
    ).pipe(Fault.times(times))
  )

const always = Number.POSITIVE_INFINITY

const tally = (outcomes: ReadonlyArray<Outcome.Outcome<unknown, unknown>>) =>
  Stream.run(Stream.fromIterable(outcomes), Outcome.tally)

const translate = (texts: ReadonlyArray<string>, options: TranslateStream.Options) =>
  collect(TranslateStream.translate(Stream.fromIterable(texts), options))

describe("a translation that looks wrong", () => {
  it.virtual(
    "is kept if the policy is flag, and its outcome has the finding and its place, with the whitespace around it",
    () =>
      Effect.gen(function* () {
        yield* spoil("b", "#")
        const outcomes = yield* translate(["c", "  b ", "d"], verified())
        expect(tags(outcomes)).toEqual(["Translated", "Translated", "Translated"])
        expect(values(outcomes)[1]).toBe("  [de] b# ")
        expect(outcomes[1]).toMatchObject({
          texts: { translated: 1, flagged: 1 },
          flagged: [
            {
              field: "text",
              findings: [
                { check: "wrong", source: [{ start: 2, end: 3 }], translation: [{ start: 8, end: 9 }] }
              ]
            }
          ]
        })
        expect(outcomes[0]).not.toHaveProperty("flagged")
        expect(yield* tally(outcomes)).toMatchObject({ in: 3, translated: 3, failed: 0, flagged: 1 })
        expect((yield* meter).requests).toBe(1)
      }).pipe(Effect.provide(served()))
  )

  it.virtual("of a field is named by the field", () =>
    Effect.gen(function* () {
      yield* spoil("c", "#")
      const [outcome] = yield* Stream.make({ a: "b", b: "c" }).pipe(
        TranslateStream.translateFields(["a", "b"], verified()),
        collect
      )
      expect(outcome).toMatchObject({ _tag: "Translated", flagged: [{ field: "b" }] })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("has more characters than its element allows, or not the terms of the glossary", () =>
    Effect.gen(function* () {
      const outcomes = yield* Stream.make(
        { text: "Good day", most: 9 },
        { text: "Mug", most: 9 },
        { text: "Cup", most: 8 }
      ).pipe(
        TranslateStream.translateWith({
          ...de,
          texts: ({ text }) => [text],
          replace: (element) => element,
          maxCharacters: ({ most }) => most,
          glossaryTerms: new Map([["Mug", "Becher"]]),
          verify: { checks: [Check.maxLength, Check.glossary] }
        }),
        collect
      )
      expect(
        outcomes.map((outcome) =>
          outcome._tag === "Translated" ? outcome.flagged?.[0]?.findings[0]?.check : outcome
        )
      ).toEqual(["maxLength", "glossary", undefined])
    }).pipe(Effect.provide(served()))
  )

  it.virtual("is refused if the policy is fail, at its cost, and its text stays as it was", () =>
    Effect.gen(function* () {
      yield* spoil("b", "#")
      const outcomes = yield* translate(["c", "b"], verified({ wrong: "fail" }))
      expect(outcomes[1]).toMatchObject({
        _tag: "Failed",
        value: "b",
        cost: { characters: 1 },
        failures: [
          {
            error: {
              _tag: "TranslationRefused",
              checks: ["wrong"],
              explanations: ["It has a word of wrong."]
            }
          }
        ]
      })
      expect((yield* meter).characters).toBe(2)
    }).pipe(Effect.provide(served()))
  )

  it.virtual(
    "is asked for once more if the policy is retry, in a request of its own, and both are paid",
    () =>
      Effect.gen(function* () {
        yield* spoil("b", "#")
        const outcomes = yield* translate(["d", "b", "t"], verified({ wrong: "retry" }))
        expect(values(outcomes)).toEqual(["d", "b", "t"].map(german))
        expect(outcomes[1]).toMatchObject({ _tag: "Translated", cost: { characters: 2 } })
        expect(outcomes[1]).not.toHaveProperty("flagged")
        expect(yield* meter).toMatchObject({ requests: 2, characters: 4 })
        expect((yield* tally(outcomes)).characters).toBe(4)
      }).pipe(Effect.provide(served()))
  )

  it.virtual("twice is refused for an error, and kept for a warning", () =>
    Effect.gen(function* () {
      yield* spoil("b", "#", always)
      const [error] = yield* translate(["b"], verified({ wrong: "retry" }))
      expect(error).toMatchObject({
        failures: [{ error: { _tag: "TranslationRefused" } }],
        cost: { characters: 2 }
      })
    }).pipe(
      Effect.provide(served()),
      Effect.zipRight(
        Effect.gen(function* () {
          yield* spoil("b", "?", always)
          const [warning] = yield* translate(["b"], verified({ odd: "retry" }))
          expect(warning).toMatchObject({
            _tag: "Translated",
            value: "[de] b?",
            flagged: [{ field: "text" }]
          })
          expect((yield* meter).requests).toBe(2)
        }).pipe(Effect.provide(served()))
      )
    )
  )

  it.virtual("keeps its first answer if only the second is refused", () =>
    Effect.gen(function* () {
      yield* spoil("b", "?")
      yield* spoil("b", "#", always)
      const [outcome] = yield* translate(["b"], verified({ odd: "retry", wrong: "fail" }))
      expect(outcome).toMatchObject({ _tag: "Translated", value: "[de] b?" })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("is kept if its second request fails, and that was only a warning", () =>
    Effect.gen(function* () {
      yield* spoil("b", "?")
      yield* script(Fault.status(400))
      const outcomes = yield* translate(["b", "c"], verified({ odd: "retry" }))
      expect(causes(outcomes)).toEqual(["Translated", "Translated"])
      expect(outcomes[0]).toHaveProperty("flagged")
    }).pipe(Effect.provide(served()))
  )

  it.virtual("is not asked for again if the budget does not allow it, and the stream goes on", () =>
    Effect.gen(function* () {
      yield* spoil("bbb", "#", always)
      const budget = yield* Budget.make(5)
      const outcomes = yield* translate(["bbb", "c"], verified({ wrong: "retry" }, { budget, maxTexts: 1 }))
      expect(causes(outcomes)).toEqual(["TranslationRefused", "Translated"])
      expect((yield* budget.state).spent).toBe(4)
      expect((yield* meter).characters).toBe(4)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("is not asked for again more often than the policy of repetitions allows", () =>
    Effect.gen(function* () {
      yield* spoil("t", "#", always)
      const texts = numbered(40)
      const outcomes = yield* translate(texts, verified({ wrong: "retry" })).pipe(
        Effect.provideService(
          RetryPolicy.RetryPolicy,
          RetryPolicy.make({ ambiguousBudget: 3, ambiguousBudgetPerSuccess: 0.05 })
        )
      )
      expect(causes(outcomes)).toEqual(texts.map(() => "TranslationRefused"))
      const { characters, requests } = yield* meter
      // The second time all of them go together. Each alone is a request then: of eighty answers seven are allowed.
      expect(requests).toBe(1 + 1 + 6)
      expect((yield* tally(outcomes)).characters).toBe(characters)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("is left alone if the policy is off", () =>
    Effect.gen(function* () {
      yield* spoil("b", "#")
      const [outcome] = yield* translate(["b"], verified({ wrong: "off" }))
      expect(outcome).not.toHaveProperty("flagged")
    }).pipe(Effect.provide(served()))
  )

  it.virtual("is none for a stream without verify", () =>
    Effect.gen(function* () {
      yield* script(Fault.mistranslate(() => ""))
      const outcomes = yield* translate(["b"], de)
      expect(outcomes).toMatchObject([{ _tag: "Translated", value: "" }])
    }).pipe(Effect.provide(served()))
  )

  it.virtual(
    "by default if it is empty is asked for again, and refused then: that is the policy of the check",
    () =>
      Effect.gen(function* () {
        yield* script(
          Fault.mistranslate((source, translation) => (source === "b" ? "" : translation)).pipe(
            Fault.times(always)
          )
        )
        const outcomes = yield* translate(["b", "c"], { ...de, verify: { checks: [Check.empty] } })
        expect(causes(outcomes)).toEqual(["TranslationRefused", "Translated"])
        expect((yield* meter).requests).toBe(2)
      }).pipe(Effect.provide(served()))
  )

  it.virtual("of a text that comes again is remembered: the equal one fails too, at no cost", () =>
    Effect.gen(function* () {
      yield* spoil("b", "#", always)
      const outcomes = yield* translate(
        ["b", "b", "c", "b"],
        verified({ wrong: "fail" }, { dedupe: true, maxTexts: 1 })
      )
      expect(causes(outcomes)).toEqual([
        "TranslationRefused",
        "TranslationRefused",
        "Translated",
        "TranslationRefused"
      ])
      expect(charactersOf(["b", "c"])).toBe((yield* meter).characters)
      expect(yield* tally(outcomes)).toMatchObject({ in: 4, translated: 1, failed: 3, characters: 2 })
    }).pipe(Effect.provide(served()))
  )

  it.virtual(
    "does not end a stream whose later request does: each text is accounted for, each character too",
    () =>
      Effect.gen(function* () {
        yield* spoil("3", "#", always)
        yield* script(Fault.after(Fault.status(456), 4))
        const { out } = yield* drain(
          TranslateStream.translate(
            Stream.fromIterable(numbered(200)),
            verified({ wrong: "retry" }, { concurrency: 2 })
          )
        )
        const sum = yield* tally(out)
        expect(sum.in).toBe(sum.translated + sum.cached + sum.skipped + sum.failed)
        expect(sum.characters).toBe((yield* meter).characters)
      }).pipe(Effect.provide(served()))
  )
})

describe("the input of a check", () => {
  it.virtual(
    "are text and translation without whitespace around them, the languages, and where protected placeholders are",
    () =>
      Effect.gen(function* () {
        const pairs: Array<Check.Pair> = []
        const check: Check.Check = { name: "spy", find: (pair) => (pairs.push(pair) > 0 ? [] : []) }
        yield* translate([" a {x} b"], { targetLang: "DE", placeholders: {}, verify: { checks: [check] } })
        expect(pairs).toEqual([
          {
            source: "a {x} b",
            translation: "[de] å {x} b",
            sourceLang: expect.any(String),
            targetLang: "de",
            placeholders: [{ start: 2, end: 5 }]
          }
        ])
      }).pipe(Effect.provide(served()))
  )
})

describe("a forecast", () => {
  it.effect("checks nothing", () =>
    Effect.gen(function* () {
      const [forecast] = yield* Forecast.forecast(Stream.make("a"), {
        targets: ["de"],
        verify: { checks: [finds("any", "")], policies: { any: "fail" } }
      })
      expect(forecast).toMatchObject({ translated: 1, failed: 0, requests: 1 })
    })
  )
})

describe.each([
  ["memory", TranslationStore.makeMemory()],
  [
    "a file",
    Effect.flatMap(temporaryFile, (filename) =>
      Effect.map(
        Layer.build(
          LibsqlTranslationStore.layer({ file: filename }).pipe(Layer.provide(NodeFileSystem.layer))
        ),
        Context.get(TranslationStore.TranslationStore)
      )
    )
  ]
] as const)("a store in %s", (_, makeStore) => {
  const bad = (policies: Verification.Options["policies"], store: TranslationStore.Service) =>
    verified(policies, { store })

  it.virtual("keeps refused translations: later runs neither use them nor pay for them, and say so", () =>
    Effect.gen(function* () {
      const store = yield* makeStore
      yield* spoil("b", "#")
      yield* translate(["b", "d"], bad({ wrong: "fail" }, store))
      const outcomes = yield* translate(["b", "d"], bad({ wrong: "fail" }, store))
      expect(causes(outcomes)).toEqual(["TranslationRefused", "Cached"])
      expect(outcomes[0]).toMatchObject({
        cost: { characters: 0 },
        failures: [{ error: { checks: ["wrong"], explanations: [] } }]
      })
      expect(causes(yield* translate(["b"], { ...de, store }))).toEqual(["TranslationRefused"])
      expect(yield* meter).toMatchObject({ requests: 1, characters: 2 })
      expect(yield* store.stats).toMatchObject({ translations: 1, refused: 1 })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("gives a refused translation once its policy allows it, at no cost", () =>
    Effect.gen(function* () {
      const store = yield* makeStore
      yield* spoil("b", "#")
      yield* translate(["b"], bad({ wrong: "fail" }, store))
      const outcomes = yield* translate(["b"], bad({ wrong: "flag" }, store))
      expect(outcomes).toMatchObject([
        {
          _tag: "Cached",
          value: "[de] b#",
          translations: [{ text: "[de] b#" }],
          flagged: [{ findings: [{ check: "wrong" }] }]
        }
      ])
      expect(outcomes[0]).not.toHaveProperty("translations.0.refusedBy")
      expect((yield* meter).requests).toBe(1)
    }).pipe(Effect.provide(served()))
  )

  it.virtual(
    "refuses by a policy that is named later translations that were stored before it, at no cost",
    () =>
      Effect.gen(function* () {
        const store = yield* makeStore
        yield* spoil("b", "#")
        yield* translate(["b", "d"], { ...de, store })
        const outcomes = yield* translate(["b", "d"], bad({ wrong: "fail" }, store))
        expect(causes(outcomes)).toEqual(["TranslationRefused", "Cached"])
        expect(outcomes[0]).toMatchObject({
          cost: { characters: 0 },
          failures: [{ error: { checks: ["wrong"] } }]
        })
        expect(yield* meter).toMatchObject({ requests: 1, characters: 2 })
        expect(yield* store.stats).toMatchObject({ translations: 1, refused: 1 })
      }).pipe(Effect.provide(served()))
  )

  it.virtual("flags a stored translation if it is to look at those, and sends nothing", () =>
    Effect.gen(function* () {
      const store = yield* makeStore
      yield* spoil("b", "#")
      yield* translate(["b"], { ...de, store })
      for (const checksKnown of [false, true]) {
        const [outcome] = yield* translate(["b"], { ...de, store, verify: { checks, checksKnown } })
        const { cached, flagged = 0 } = outcome!.texts
        expect([cached, flagged]).toEqual([1, checksKnown ? 1 : 0])
      }
      expect((yield* meter).requests).toBe(1)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("refuses nothing, and asks for nothing again, for findings that a person has accepted", () =>
    Effect.gen(function* () {
      const store = yield* makeStore
      const isAccepted = ({ check }: Check.Finding, source: string) => check === "wrong" && source === "b"
      const verify = { checks, policies: { wrong: "fail" as const }, retryFlagged: true, isAccepted }
      yield* spoil("", "#", 2)
      yield* translate(["b", "d"], { ...de, store })
      expect(yield* translate(["b", "d"], { ...de, store, verify })).toMatchObject([
        { value: "[de] b#", flagged: [{ findings: [{ check: "wrong" }] }] },
        { _tag: "Failed" }
      ])
      expect((yield* meter).requests).toBe(1)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("uses stored translations, and sends nothing, while no policy is named", () =>
    Effect.gen(function* () {
      const store = yield* makeStore
      const checks = [finds("empty", "#")]
      yield* spoil("b", "#")
      yield* translate(["b"], { ...de, store })
      expect(values(yield* translate(["b"], { ...de, store, verify: { checks } }))).toEqual(["[de] b#"])
      expect((yield* meter).requests).toBe(1)
    }).pipe(Effect.provide(served()))
  )

  it.virtual(
    "asks once more for a stored translation with an error if the policy is retry now, and not again",
    () =>
      Effect.gen(function* () {
        const store = yield* makeStore
        yield* spoil("b", "#", 2)
        yield* translate(["a", "b"], { ...de, store })
        const outcomes = yield* translate(["a", "b"], bad({ wrong: "retry" }, store))
        expect(outcomes).toMatchObject([{ _tag: "Cached" }, { _tag: "Failed", cost: { characters: 1 } }])
        expect(causes(yield* translate(["b"], bad({ wrong: "retry" }, store)))).toEqual([
          "TranslationRefused"
        ])
        expect((yield* meter).requests).toBe(2)
      }).pipe(Effect.provide(served()))
  )

  it.virtual("has the better answer of a stored translation that was flagged and asked for again", () =>
    Effect.gen(function* () {
      const store = yield* makeStore
      const again = { ...de, store, verify: { checks, retryFlagged: true } }
      yield* spoil("b", "?")
      yield* translate(["c", "b"], { ...de, store })
      expect(yield* translate(["c", "b"], again)).toMatchObject([
        { _tag: "Cached" },
        { _tag: "Translated", value: "[de] b", cost: { characters: 1 } }
      ])
      expect(values(yield* translate(["b"], { ...de, store }))).toEqual(["[de] b"])
      expect((yield* meter).requests).toBe(2)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("keeps a stored translation that was flagged if the next answer is no better", () =>
    Effect.gen(function* () {
      const store = yield* makeStore
      const again = { ...de, store, verify: { checks, retryFlagged: true } }
      yield* spoil("b", "?")
      yield* translate(["b"], { ...de, store })
      yield* spoil("b", "#")
      expect(yield* translate(["b"], again)).toMatchObject([
        { value: "[de] b?", flagged: [{ findings: [{ check: "odd" }] }] }
      ])
      expect(values(yield* translate(["b"], { ...de, store }))).toEqual(["[de] b?"])
    }).pipe(Effect.provide(served()))
  )

  it.virtual("forecasts texts that are asked for again since they were flagged", () =>
    Effect.gen(function* () {
      const store = yield* makeStore
      yield* spoil("b", "?")
      yield* translate(["a", "bb"], { ...de, store })
      const verify = { checks, retryFlagged: true }
      const [forecast] = yield* Forecast.forecast(Stream.make("a", "bb"), { targets: ["de"], store, verify })
      expect(forecast).toMatchObject({ characters: 2, requests: 1, translated: 1, cached: 1 })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("tells of a person's correction, which no policy refuses", () =>
    Effect.gen(function* () {
      const store = yield* makeStore
      yield* store.correct([{ source: "b", translation: "B#", targetLang: "de", at: DateTime.unsafeMake(0) }])
      expect(yield* translate(["b"], bad({ wrong: "fail" }, store))).toMatchObject([
        { _tag: "Cached", value: "B#", flagged: [{ findings: [{ check: "wrong" }] }] }
      ])
      expect((yield* meter).requests).toBe(0)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("knows of a text that was asked for twice that both requests were answered", () =>
    Effect.gen(function* () {
      const store = yield* makeStore
      yield* spoil("b", "#")
      yield* translate(["b", "d"], bad({ wrong: "retry" }, store))
      expect((yield* store.stats).attempts).toMatchObject({
        answered: { attempts: 2, characters: 3 },
        unknown: { attempts: 0 }
      })
      expect((yield* meter).characters).toBe(3)
      expect(tags(yield* translate(["b", "d"], bad({ wrong: "retry" }, store)))).toEqual(["Cached", "Cached"])
    }).pipe(Effect.provide(served()))
  )

  it.virtual(
    "knows that a text was asked for once if the stream ends before the second answer: only that request is due",
    () =>
      Effect.gen(function* () {
        const store = yield* makeStore
        yield* spoil("b", "#")
        yield* script(Fault.slow("1 minute"))
        const fiber = yield* Effect.fork(translate(["b"], bad({ wrong: "retry" }, store)))
        yield* Effect.repeat(Effect.delay(meter, "5 millis"), {
          until: ({ requests }) => requests === 2
        })
        yield* Fiber.interrupt(fiber)
        expect((yield* store.stats).attempts).toMatchObject({
          answered: { attempts: 1, characters: 1 },
          unknown: { attempts: 1, characters: 1 }
        })
        yield* spoil("b", "#", always)
        const outcomes = yield* translate(["b"], bad({ wrong: "retry" }, store))
        expect(outcomes).toMatchObject([{ _tag: "Failed", cost: { characters: 1 } }])
        expect((yield* meter).requests).toBe(3)
        expect(causes(yield* translate(["b"], bad({ wrong: "retry" }, store)))).toEqual([
          "TranslationRefused"
        ])
        expect((yield* meter).requests).toBe(3)
      }).pipe(Effect.provide(served()))
  )
})
