/** LanguageSupport: what is remembered and for how long, the answers, and requests checked before they are sent. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import {
  LanguageSupport,
  type Languages,
  Outcome,
  RequestChecks,
  type StyleRules,
  TranslateClient,
  TranslateError,
  TranslateStream,
  type Write
} from "effect-translate"
import type { Documents } from "effect-translate/documents"
import { Emulator } from "effect-translate/emulator"
import type { Glossaries } from "effect-translate/glossaries"
import { emulatedInProcess } from "../support/emulator.js"

const language = (
  lang: string,
  roles: "source" | "target" | "both",
  features: ReadonlyArray<string> = [],
  status = "stable"
): Languages.Language => ({
  lang,
  name: lang,
  usableAsSource: roles !== "target",
  usableAsTarget: roles !== "source",
  status,
  features: Object.fromEntries(features.map((name) => [name, { status: "stable" }]))
})

const stable = [
  language("de", "both", ["formality", "glossary", "style_rules"]),
  language("en", "source", ["glossary", "auto_detection"]),
  language("en-US", "target", ["glossary"]),
  language("en-GB", "target", ["glossary"]),
  language("da", "both", []),
  language("zh-Hant", "target", [])
]

const beta = [...stable, language("de-CH", "target", ["formality"], "beta")]

const resources: ReadonlyArray<Languages.Resource> = [
  {
    name: "translate_text",
    features: [
      { name: "formality", needsTargetSupport: true },
      { name: "glossary", needsSourceSupport: true, needsTargetSupport: true },
      { name: "style_rules", needsTargetSupport: true },
      { name: "auto_detection", needsSourceSupport: true, needsTargetSupport: false },
      { name: "free" }
    ]
  }
]

const text: Languages.Query = { resource: "translate_text" }

const fields = { method: "GET", path: "/", delivery: "rejected", attempts: 1, ambiguousAttempts: 0 } as const

const notFound = new TranslateError.NotFound({ ...fields, status: 404 })

const forbidden = new TranslateError.Unauthorized({ ...fields, status: 403 })

/** A client that counts what it is asked. */
const fake = () => {
  const asked: Array<string> = []
  const answers: {
    languages: LanguageSupport.Service["languages"]
    resources: LanguageSupport.Service["resources"]
    /** All lists of glossaries and style rules. */
    lists: Effect.Effect<unknown, TranslateError.TranslateError>
  } = {
    resources: Effect.succeed(resources),
    lists: Effect.succeed([]),
    languages: ({ include = [] }) => Effect.succeed(include.includes("beta") ? beta : stable)
  }
  const ask = <A, E>(what: string, answer: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      asked.push(what)
      return answer
    })
  const client = {
    languages: {
      list: (query: Languages.Query) =>
        ask(
          [query.resource, ...(query.include ?? [])].join(" "),
          Effect.suspend(() => answers.languages(query))
        ),
      resources: ask(
        "resources",
        Effect.suspend(() => answers.resources)
      )
    },
    glossaries: {
      list: ask(
        "glossaries",
        Effect.suspend(() => answers.lists)
      ),
      get: (id: string) =>
        ask(
          `glossary ${id}`,
          id === "missing"
            ? Effect.fail(notFound)
            : Effect.succeed({
                glossaryId: id,
                name: id,
                dictionaries: [{ sourceLang: "en", targetLang: id }]
              } satisfies Glossaries.Glossary)
        )
    },
    styleRules: {
      list: () =>
        ask(
          "styles",
          Effect.suspend(() => answers.lists)
        ),
      get: (id: string) =>
        ask(
          `style ${id}`,
          id === "missing"
            ? Effect.fail(notFound)
            : Effect.succeed({ language: id } as StyleRules.StyleRuleList)
        )
    }
  }
  const layer = (options?: LanguageSupport.Options) =>
    LanguageSupport.layer(options).pipe(
      Layer.provide(
        Layer.succeed(TranslateClient.TranslateClient, client as unknown as TranslateClient.Service)
      )
    )
  return { asked, answers, layer }
}

const service = LanguageSupport.LanguageSupport

const codes = (languages: ReadonlyArray<Languages.Language>) => languages.map(({ lang }) => lang)

describe("listings", () => {
  it.effect("are fetched once for each resource and include, in whatever order it is written", () => {
    const { asked, layer } = fake()
    return Effect.gen(function* () {
      const support = yield* service
      yield* support.languages(text)
      yield* support.languages({ ...text, include: [] })
      yield* support.languages({ ...text, include: ["beta", "external"] })
      yield* support.languages({ ...text, include: ["external", "beta", "beta"] })
      yield* support.languages({ resource: "voice" })
      yield* support.resources
      yield* support.resources
      expect(asked).toEqual(["translate_text", "translate_text beta external", "voice", "resources"])
    }).pipe(Effect.provide(layer()))
  })

  it.effect("are remembered for an hour", () => {
    const { asked, layer } = fake()
    return Effect.gen(function* () {
      const support = yield* service
      yield* support.supports(text, { targetLang: "de" })
      yield* TestClock.adjust("59 minutes")
      yield* support.supports(text, { targetLang: "de" })
      expect(asked).toHaveLength(2)
      yield* TestClock.adjust("61 seconds")
      yield* support.supports(text, { targetLang: "de" })
      expect(asked).toHaveLength(4)
    }).pipe(Effect.provide(layer()))
  })

  it.effect("are remembered as long as told", () => {
    const { asked, layer } = fake()
    return Effect.gen(function* () {
      const support = yield* service
      yield* support.resources
      yield* TestClock.adjust("9 seconds")
      yield* support.resources
      expect(asked).toHaveLength(1)
      yield* TestClock.adjust("2 seconds")
      yield* support.resources
      expect(asked).toHaveLength(2)
    }).pipe(Effect.provide(layer({ ttl: "10 seconds" })))
  })

  it.effect("are fetched once for all callers at the same time", () => {
    const { answers, asked, layer } = fake()
    return Effect.gen(function* () {
      const gate = yield* Deferred.make<ReadonlyArray<Languages.Language>>()
      answers.languages = () => Deferred.await(gate)
      const support = yield* service
      const callers = yield* Effect.fork(
        Effect.all(
          Array.from({ length: 20 }, () => support.languages(text)),
          { concurrency: "unbounded" }
        )
      )
      yield* Effect.yieldNow()
      yield* Deferred.succeed(gate, stable)
      expect(yield* Fiber.join(callers)).toEqual(Array.from({ length: 20 }, () => stable))
      expect(asked).toEqual(["translate_text"])
    }).pipe(Effect.provide(layer()))
  })

  it.effect("come to the others when the first caller goes away", () => {
    const { answers, asked, layer } = fake()
    return Effect.gen(function* () {
      const gate = yield* Deferred.make<ReadonlyArray<Languages.Language>>()
      const started = yield* Deferred.make<void>()
      answers.languages = () => Effect.zipRight(Deferred.succeed(started, undefined), Deferred.await(gate))
      const support = yield* service
      const first = yield* Effect.fork(support.languages(text))
      yield* Deferred.await(started)
      const second = yield* Effect.fork(support.languages(text))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(gate, stable)
      expect(yield* Fiber.join(second)).toBe(stable)
      expect(asked).toEqual(["translate_text"])
    }).pipe(Effect.provide(layer()))
  })

  it.effect("are fetched again after a failure, which all callers get", () => {
    const { answers, asked, layer } = fake()
    return Effect.gen(function* () {
      const support = yield* service
      const works = answers.languages
      answers.languages = () => Effect.fail(notFound)
      const both = Effect.all([support.languages(text), support.languages(text)].map(Effect.flip), {
        concurrency: 2
      })
      expect(yield* both).toEqual([notFound, notFound])
      expect(asked).toHaveLength(1)
      answers.languages = works
      expect(yield* support.languages(text)).toBe(stable)
      expect(asked).toHaveLength(2)
    }).pipe(Effect.provide(layer()))
  })

  it.effect("are no longer fetched when the layer is closed", () => {
    const { answers, layer } = fake()
    return Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      answers.languages = () =>
        Effect.zipRight(Deferred.succeed(started, undefined), Effect.never).pipe(
          Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
        )
      yield* Effect.provide(
        Effect.flatMap(service, (support) =>
          Effect.zipRight(Effect.fork(support.languages(text)), Deferred.await(started))
        ),
        layer()
      )
      yield* Deferred.await(ended)
    })
  })
})

describe("answers", () => {
  const answers = <A>(
    name: string,
    expected: A,
    ask: (support: LanguageSupport.Service) => Effect.Effect<A, TranslateError.TranslateError>
  ) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        expect(yield* ask(yield* service)).toEqual(expected)
      }).pipe(Effect.provide(fake().layer()))
    )

  answers("sources", ["de", "en", "da"], ({ sources }) => Effect.map(sources(text), codes))
  answers("targets", ["de", "en-US", "en-GB", "da", "zh-Hant"], ({ targets }) =>
    Effect.map(targets(text), codes)
  )
  answers("which targets accept formality", ["de"], ({ formalityTargets }) =>
    Effect.map(formalityTargets(text), codes)
  )
  answers("which targets accept formality, those in beta too", ["de", "de-CH"], ({ formalityTargets }) =>
    Effect.map(formalityTargets({ ...text, include: ["beta"] }), codes)
  )

  const pair = (name: string, expected: boolean, pair: LanguageSupport.Pair, query = text) =>
    answers(`${name}: ${expected ? "supported" : "not supported"}`, expected, ({ supports }) =>
      supports(query, pair)
    )

  pair("a pair", true, { sourceLang: "en", targetLang: "de" })
  pair("any casing", true, { sourceLang: "EN", targetLang: "ZH-hant" })
  pair("a source that is detected", true, { targetLang: "de" })
  pair("a source variant that is listed as a target only", true, { sourceLang: "en-us", targetLang: "de" })
  pair("a variant of a listed base language", true, { sourceLang: "de-AT", targetLang: "de-1996" })
  pair("a variant of a listed variant", true, { targetLang: "zh-Hant-TW" })
  pair("a target that is listed as a source only", false, { targetLang: "en" })
  pair("a variant of a base language that is a source only", false, { targetLang: "en-AU" })
  pair("a base language of which a variant is listed", false, { targetLang: "zh" })
  pair("a source that is a target only", false, { sourceLang: "zh-Hant", targetLang: "de" })
  pair("a language that is not listed", false, { sourceLang: "xx", targetLang: "de" })
  pair("a target in beta, of stable ones", true, { targetLang: "de-CH" })
  pair("a target in beta", true, { targetLang: "de-CH" }, { ...text, include: ["beta"] })

  const feature = (name: string, expected: boolean, feature: string, pair: LanguageSupport.Pair) =>
    answers(`${name}: ${expected ? "available" : "not available"}`, expected, ({ supportsFeature }) =>
      supportsFeature(text, feature, pair)
    )

  describe('"A feature is available for a pair only if each side required by the flags lists the feature."', () => {
    feature("both sides list it", true, "glossary", { sourceLang: "EN", targetLang: "de" })
    feature("the base of the source lists it", true, "glossary", { sourceLang: "en-US", targetLang: "de" })
    feature("only the target lists it", false, "glossary", { sourceLang: "da", targetLang: "de" })
    feature("only the source lists it", false, "glossary", { sourceLang: "en", targetLang: "da" })
    feature("the target is all it needs", true, "formality", { sourceLang: "da", targetLang: "de" })
    feature("only the side lists it that it does not need", false, "formality", {
      sourceLang: "de",
      targetLang: "da"
    })
    feature("the source is all it needs, as a flag is false", true, "auto_detection", {
      sourceLang: "en",
      targetLang: "da"
    })
    feature("an absent flag needs nothing", true, "free", { sourceLang: "da", targetLang: "de" })
    feature("nothing is needed, but a language is not usable", false, "free", { targetLang: "xx" })
    feature("the resource does not know it", false, "levitation", { sourceLang: "en", targetLang: "de" })
    for (const name of ["constructor", "__proto__", "toString"]) {
      feature(`${name} is a name like any other`, false, name, { sourceLang: "en", targetLang: "de" })
    }
  })

  it.effect("a target variant that is listed as a source only is not as its base", () => {
    const { answers, layer } = fake()
    answers.languages = () => Effect.succeed([...stable, language("de-LI", "source")])
    return Effect.gen(function* () {
      const { supports } = yield* service
      expect(yield* supports(text, { targetLang: "de-LI" })).toBe(false)
      expect(yield* supports(text, { sourceLang: "de-LI", targetLang: "de" })).toBe(true)
    }).pipe(Effect.provide(layer()))
  })

  it.effect('"A feature is supported when its key exists in features", whatever else is said of it', () => {
    const { answers, layer } = fake()
    const features = { formality: { status: "early_access", note: "not yet" } }
    answers.languages = () =>
      Effect.succeed([{ ...language("de", "both"), features }, language("da", "both")])
    return Effect.gen(function* () {
      const { supportsFeature } = yield* service
      expect(yield* supportsFeature(text, "formality", { targetLang: "de" })).toBe(true)
      expect(yield* supportsFeature(text, "formality", { targetLang: "da" })).toBe(false)
    }).pipe(Effect.provide(layer()))
  })

  it.effect("constructor and __proto__ may be features", () => {
    const names = ["constructor", "__proto__"]
    const { answers, layer } = fake()
    answers.languages = () => Effect.succeed([language("de", "both", names), language("da", "both")])
    answers.resources = Effect.succeed([
      { name: "translate_text", features: names.map((name) => ({ name, needsTargetSupport: true })) }
    ])
    return Effect.gen(function* () {
      const { supportsFeature } = yield* service
      for (const name of names) {
        expect(yield* supportsFeature(text, name, { targetLang: "de" })).toBe(true)
        expect(yield* supportsFeature(text, name, { targetLang: "da" })).toBe(false)
      }
    }).pipe(Effect.provide(layer()))
  })
})

describe("check", () => {
  const violationsOf = (
    options: TranslateClient.TranslateOptions,
    settings?: LanguageSupport.CheckSettings
  ) =>
    LanguageSupport.check(options, settings).pipe(
      Effect.flip,
      Effect.map((error) => (error._tag === "InvalidRequest" ? error.violations : error))
    )

  const refuses = (
    name: string,
    options: TranslateClient.TranslateOptions,
    ...violations: ReadonlyArray<readonly [field: string, rule: string]>
  ) =>
    it.effect(`refuses ${name}`, () =>
      Effect.gen(function* () {
        expect(yield* violationsOf(options)).toEqual(violations.map(([field, rule]) => ({ field, rule })))
      }).pipe(Effect.provide(fake().layer()))
    )

  const passes = (name: string, options: TranslateClient.TranslateOptions) =>
    it.effect(`lets ${name} pass as it is`, () =>
      Effect.gen(function* () {
        expect(yield* LanguageSupport.check(options)).toBe(options)
      }).pipe(Effect.provide(fake().layer()))
    )

  passes("a target", { targetLang: "DE" })
  passes("a pair", { sourceLang: "en-us", targetLang: "de-AT" })
  passes("formality where there is some", { targetLang: "de", formality: "more" })
  passes("soft formality where there is none", { targetLang: "da", formality: "prefer_less" })
  passes("the default formality", { targetLang: "da", formality: "default" })
  passes("a target in beta without a model", { targetLang: "de-CH" })
  passes("a target in beta with quality_optimized", { targetLang: "de-ch", modelType: "quality_optimized" })
  passes("no instructions where there are no style rules", { targetLang: "da", customInstructions: [] })
  passes("no glossaries where there are none", { sourceLang: "da", targetLang: "da", glossaryIds: [] })

  refuses("a target that is none, with its variants", { targetLang: "EN" }, [
    "targetLang",
    'is "EN", which is no target language of text translation: choose among en-US, en-GB'
  ])
  refuses(
    "both languages at once, and nothing that follows from them",
    { sourceLang: "xx", targetLang: "yy", formality: "more", glossaryId: "yy" },
    ["sourceLang", 'is "xx", which is no source language of text translation: choose among de, en, da'],
    [
      "targetLang",
      'is "yy", which is no target language of text translation: choose among de, en-US, en-GB, da, zh-Hant, de-CH'
    ],
    [
      "glossaryId",
      'names a glossary without a dictionary from "xx" to "yy": add it or choose another glossary'
    ]
  )
  for (const formality of ["more", "less"] as const) {
    refuses(
      `formality: "more/less fail on a target language without formality" (${formality})`,
      { targetLang: "da", formality },
      [
        "formality",
        `is "${formality}", which \`targetLang\` "da" does not know: use "prefer_${formality}", or drop it`
      ]
    )

    it.effect(`"prefer_ variants fall back to default": takes prefer_${formality} instead, if told to`, () =>
      Effect.gen(function* () {
        const options = { targetLang: "da", formality, context: "c", concurrency: 3 }
        const checked = yield* LanguageSupport.check(options, { onUnsupportedFormality: "prefer" })
        expect(checked).toEqual({ ...options, formality: `prefer_${formality}` })
        const supported = { targetLang: "de", formality }
        expect(yield* LanguageSupport.check(supported, { onUnsupportedFormality: "prefer" })).toBe(supported)
      }).pipe(Effect.provide(fake().layer()))
    )
  }
  for (const modelType of ["latency_optimized", "prefer_quality_optimized"] as const) {
    refuses(
      `"Beta target languages work only with quality_optimized or an unset model_type" (${modelType})`,
      { targetLang: "DE-ch", modelType },
      [
        "modelType",
        `is "${modelType}", but \`targetLang\` "DE-ch" is in beta: drop it or set "quality_optimized"`
      ]
    )
  }
  refuses(
    "a glossary for a source without",
    { sourceLang: "da", targetLang: "de", glossaryId: "de" },
    [
      "glossaryId",
      `can't be used with \`sourceLang\` "da": drop it, or choose languages with the feature glossary`
    ],
    [
      "glossaryId",
      'names a glossary without a dictionary from "da" to "de": add it or choose another glossary'
    ]
  )
  refuses("glossaries for a target without", { sourceLang: "en", targetLang: "da", glossaryIds: ["da"] }, [
    "glossaryIds",
    `can't be used with \`targetLang\` "da": drop it, or choose languages with the feature glossary`
  ])
  refuses("a style rule list for a target without", { targetLang: "da", styleId: "da" }, [
    "styleId",
    `can't be used with \`targetLang\` "da": drop it, or choose languages with the feature style_rules`
  ])
  refuses(
    "instructions for a target without style rules",
    { targetLang: "en-GB", customInstructions: ["x"] },
    [
      "customInstructions",
      `can't be used with \`targetLang\` "en-GB": drop it, or choose languages with the feature style_rules`
    ]
  )

  const tags = Effect.gen(function* () {
    const { answers, layer } = fake()
    answers.resources = Effect.succeed([
      {
        name: "translate_text",
        features: [{ name: "tag_handling", needsSourceSupport: true, needsTargetSupport: true }]
      }
    ])
    answers.languages = () =>
      Effect.succeed([
        language("de", "both", ["tag_handling"]),
        language("en", "source", ["tag_handling"]),
        language("da", "both")
      ])
    return layer()
  })

  it.effect("names the code to write in place of one that the service has under another name", () => {
    const { answers, layer } = fake()
    answers.languages = () => Effect.succeed([language("nb", "both"), language("de", "both")])
    return Effect.gen(function* () {
      expect(yield* violationsOf({ sourceLang: "no", targetLang: "nn" })).toEqual([
        { field: "sourceLang", rule: 'is "no", which is no source language of text translation: write "nb"' },
        { field: "targetLang", rule: 'is "nn", which is no target language of text translation: write "nb"' }
      ])
    }).pipe(Effect.provide(layer()))
  })

  it.effect("takes a glossary of any source where one is asked for none", () =>
    Effect.gen(function* () {
      const relaxed = RequestChecks.withRequestChecks({ glossaryWithoutSource: false })
      const options = { targetLang: "de", glossaryId: "de" }
      expect(yield* relaxed(LanguageSupport.check(options))).toBe(options)
      expect(yield* relaxed(violationsOf({ targetLang: "fr", glossaryId: "de" }))).toContainEqual({
        field: "glossaryId",
        rule: 'names a glossary without a dictionary to "fr": add it or choose another glossary'
      })
    }).pipe(Effect.provide(fake().layer()))
  )

  it.effect("refuses tag handling for a pair of which one side lacks it", () =>
    Effect.gen(function* () {
      const layer = yield* tags
      const violations = violationsOf({ sourceLang: "en", targetLang: "da", tagHandling: "html" })
      expect(yield* Effect.provide(violations, layer)).toEqual([
        {
          field: "tagHandling",
          rule: `can't be used with \`targetLang\` "da": drop it, or choose languages with the feature tag_handling`
        }
      ])
      const options = { sourceLang: "en", targetLang: "de", tagHandling: "xml" } as const
      expect(yield* Effect.provide(LanguageSupport.check(options), layer)).toBe(options)
    })
  )

  describe("looks up the ids that are named", () => {
    const asks = (
      name: string,
      options: TranslateClient.TranslateOptions,
      ...expected: ReadonlyArray<string>
    ) =>
      it.effect(name, () => {
        const { asked, layer } = fake()
        return Effect.gen(function* () {
          yield* Effect.either(LanguageSupport.check(options))
          yield* Effect.either(LanguageSupport.check(options))
          const listings = ["translate_text beta external", "resources"]
          expect([...asked].sort()).toEqual([...listings, ...expected, ...expected].sort())
        }).pipe(Effect.provide(layer()))
      })
    asks("nothing but the listings, once", { targetLang: "de" })
    asks("a list of style rules, each time", { targetLang: "de", styleId: "de" }, "style de")
    asks(
      "glossaries, each time",
      { sourceLang: "en", targetLang: "de", glossaryIds: ["de", "fr"] },
      "glossary de",
      "glossary fr"
    )

    passes("a glossary of these languages", { sourceLang: "en-US", targetLang: "de-AT", glossaryId: "DE" })
    passes("a list of this language", { targetLang: "de-AT", styleId: "de" })
    refuses(
      '"glossary language pair must match the request pair"',
      { sourceLang: "en", targetLang: "de", glossaryIds: ["de", "fr"] },
      [
        "glossaryIds",
        'names a glossary without a dictionary from "en" to "de": add it or choose another glossary'
      ]
    )
    refuses(`"target language must equal the list's language"`, { targetLang: "de", styleId: "fr" }, [
      "styleId",
      'names a list for "fr", but `targetLang` is "de": choose a list of that language'
    ])
    refuses(
      "what is not there, all of it at once",
      { sourceLang: "en", targetLang: "de", glossaryId: "missing", styleId: "missing" },
      ["glossaryId", "names nothing that this key and region know: take the id from the list"],
      ["styleId", "names nothing that this key and region know: take the id from the list"]
    )
  })

  it.effect("refuses options that break a rule of its own, and asks nobody", () => {
    const { asked, layer } = fake()
    return Effect.gen(function* () {
      const concurrency = "no business of ours"
      expect(
        yield* violationsOf({ targetLang: "d", concurrency } as TranslateClient.TranslateOptions)
      ).toEqual([
        {
          field: "targetLang",
          rule: 'is no language code: write the target language as BCP 47, such as "de" or "en-GB"'
        }
      ])
      expect(yield* violationsOf({ targetLang: "de", glossaryId: "de" })).toEqual([
        { field: "glossaryId", rule: "needs `sourceLang`: set the language that is translated from" }
      ])
      expect(asked).toEqual([])
    }).pipe(Effect.provide(layer()))
  })

  it.effect("fails as the listing does", () => {
    const { answers, layer } = fake()
    const refused = new TranslateError.Unauthorized({ ...fields, status: 401 })
    answers.languages = () => Effect.fail(refused)
    return Effect.gen(function* () {
      expect(yield* violationsOf({ targetLang: "de" })).toBe(refused)
    }).pipe(Effect.provide(layer()))
  })

  for (const error of [forbidden, notFound]) {
    it.effect(`passes options whose listing is answered with ${error.status}, and tells that once`, () => {
      const { answers, asked, layer } = fake()
      answers.languages = () => Effect.fail(error)
      const told: Array<LanguageSupport.Unknown> = []
      const onUnknown = (unknown: LanguageSupport.Unknown) => Effect.sync(() => void told.push(unknown))
      return Effect.gen(function* () {
        const { check, languages } = yield* service
        for (const targetLang of ["de", "da", "xx"]) {
          const options = { targetLang, formality: "more" } as const
          expect(yield* check(options)).toBe(options)
        }
        expect(told).toMatchObject([{ error, message: expect.stringContaining(`with ${error.status}`) }])
        expect(asked.filter((what) => what !== "resources")).toEqual(["translate_text beta external"])
        // Who asks for the languages themselves is told that there are none.
        expect(yield* Effect.flip(languages(text))).toBe(error)
      }).pipe(Effect.provide(layer({ onUnknown })))
    })
  }

  it.effect("asks again for open questions, once the listing would be fetched again", () => {
    const { answers, layer } = fake()
    const works = answers.languages
    answers.languages = () => Effect.fail(forbidden)
    return Effect.gen(function* () {
      const { check } = yield* service
      yield* check({ targetLang: "xx" })
      answers.languages = works
      yield* TestClock.adjust("61 minutes")
      expect(yield* Effect.flip(check({ targetLang: "xx" }))).toMatchObject({ _tag: "InvalidRequest" })
    }).pipe(Effect.provide(layer({ onUnknown: () => Effect.void })))
  })

  it.effect("passes an id that is not found, if no list tells it from an endpoint that is missing", () => {
    const { answers, layer } = fake()
    const told: Array<string> = []
    const onUnknown = ({ error }: LanguageSupport.Unknown) => Effect.sync(() => void told.push(error._tag))
    return Effect.gen(function* () {
      const { check } = yield* service
      const options = { sourceLang: "en", targetLang: "de" } as const
      const ids = [
        { ...options, glossaryId: "missing" },
        { ...options, styleId: "missing" }
      ]
      for (const each of ids)
        expect(yield* Effect.flip(check(each))).toMatchObject({ _tag: "InvalidRequest" })
      answers.lists = Effect.fail(notFound)
      for (const each of ids) expect(yield* check(each)).toBe(each)
      expect(told).toEqual(["NotFound"])
    }).pipe(Effect.provide(layer({ onUnknown })))
  })
})

describe("a bulk job that would be refused", () => {
  const emulator = (options?: Emulator.Options) =>
    Layer.provideMerge(LanguageSupport.layer(), emulatedInProcess(options))

  it.effect("is refused before its first text: none is pulled, none is sent", () =>
    Effect.gen(function* () {
      let pulled = 0
      const texts = Stream.make("Hello", "World").pipe(Stream.tap(() => Effect.sync(() => void pulled++)))
      const run = (options: TranslateStream.Options) =>
        Stream.runCollect(
          LanguageSupport.checked(options, (options) => TranslateStream.translate(texts, options))
        )
      const refused: ReadonlyArray<TranslateStream.Options> = [
        { targetLang: "da", formality: "more" },
        { targetLang: "xx" },
        { targetLang: "fr-CA", modelType: "latency_optimized" },
        { targetLang: "de", sourceLang: "en", glossaryId: "51b2b63f-3c0b-4b4a-8a8e-9e0e5c2b6a4d" },
        { targetLang: "de", styleId: "51b2b63f-3c0b-4b4a-8a8e-9e0e5c2b6a4d" }
      ]
      for (const options of refused) {
        const error = yield* Effect.flip(run(options))
        expect(error).toMatchObject({ _tag: "InvalidRequest", path: "/v2/translate", attempts: 0 })
      }
      const { meter } = yield* Emulator.Emulator
      expect(pulled).toBe(0)
      expect((yield* meter).texts).toBe(0)
      const outcomes = yield* run({ targetLang: "de", formality: "more", concurrency: 1 })
      expect(Chunk.toReadonlyArray(outcomes).map(({ _tag }) => _tag)).toEqual(["Translated", "Translated"])
      expect(pulled).toBe(2)
      expect((yield* meter).texts).toBe(2)
    }).pipe(Effect.provide(emulator()))
  )

  it.effect("goes on with the soft form, if told to", () =>
    Effect.gen(function* () {
      const outcomes = LanguageSupport.checked(
        { targetLang: "da", formality: "more", unordered: true },
        (options) => TranslateStream.translate(Stream.make("Hello"), options),
        { onUnsupportedFormality: "prefer" }
      )
      expect(Chunk.toReadonlyArray(yield* Stream.runCollect(Outcome.orFail(outcomes)))).toHaveLength(1)
    }).pipe(Effect.provide(emulator()))
  )

  it.effect("is refused by the emulator too, so a check that passes is worth something", () =>
    Effect.gen(function* () {
      const { translateText } = yield* TranslateClient.TranslateClient
      const support = yield* service
      const targets = yield* support.targets({ resource: "translate_text", include: ["beta"] })
      const variations: ReadonlyArray<Omit<TranslateClient.TranslateOptions, "targetLang">> = [
        ...(["more", "less", "prefer_more"] as const).map((formality) => ({ formality })),
        ...(["latency_optimized", "quality_optimized", "prefer_quality_optimized"] as const).map(
          (modelType) => ({ modelType })
        )
      ]
      expect(targets).toHaveLength(37)
      for (const { lang } of targets) {
        for (const variation of variations) {
          const options = { ...variation, targetLang: lang }
          const checked = yield* Effect.either(support.check(options))
          const sent = yield* Effect.either(translateText({ ...options, text: ["x"] }))
          expect([options, checked._tag]).toEqual([options, sent._tag])
        }
      }
    }).pipe(Effect.provide(emulator()))
  )

  it.effect("covers documents, which have languages and formality of their own", () =>
    Effect.gen(function* () {
      const { checkDocument } = yield* service
      const failed = (options: Documents.UploadOptions) =>
        Effect.map(Effect.flip(checkDocument(options)), (error) =>
          error._tag === "InvalidRequest" ? error.violations.map(({ field }) => field) : [error._tag]
        )
      expect(yield* failed({ targetLang: "vi" })).toEqual(["targetLang"])
      expect(yield* failed({ targetLang: "es-419", formality: "more" })).toEqual(["formality"])
      expect(yield* failed({ targetLang: "de", glossaryId: "x" })).toEqual(["glossaryId"])
      expect(yield* failed({ sourceLang: "en", targetLang: "uk", styleId: "x" })).toEqual([
        "styleId",
        "styleId"
      ])
      const soft = { onUnsupportedFormality: "prefer" } as const
      const options = { targetLang: "es-419", formality: "less", concurrency: 3 } as const
      expect(yield* checkDocument(options, soft)).toEqual({ ...options, formality: "prefer_less" })
      const passing = {
        targetLang: "de",
        formality: "more",
        outputFormat: "docx",
        modelType: "latency_optimized"
      } as const
      expect(yield* checkDocument(passing)).toBe(passing)
    }).pipe(Effect.provide(emulator()))
  )

  it.effect("covers text improvement, which has languages, styles and tones of its own", () =>
    Effect.gen(function* () {
      const { checkWrite } = yield* service
      const failed = (options: Write.RephraseOptions) =>
        Effect.map(Effect.flip(checkWrite(options)), (error) =>
          error._tag === "InvalidRequest" ? error.violations : error
        )
      expect(yield* failed({ targetLang: "da" })).toEqual([
        { field: "targetLang", rule: expect.stringContaining("no target language of text improvement") }
      ])
      expect(yield* failed({ targetLang: "ja", tone: "friendly" })).toHaveLength(1)
      for (const options of [
        {},
        { tone: "friendly" },
        { targetLang: "en-gb", writingStyle: "business" },
        { targetLang: "ja", tone: "prefer_friendly" }
      ]) {
        yield* checkWrite(options)
      }
    }).pipe(Effect.provide(emulator()))
  )

  it.effect("refuses a style that the listing does not have for a language", () =>
    Effect.gen(function* () {
      const { answers, layer } = fake()
      answers.resources = Effect.succeed([
        { name: "write", features: [{ name: "tone", needsTargetSupport: true }] }
      ])
      answers.languages = () => Effect.succeed([language("de", "both")])
      const error = yield* Effect.flatMap(service, ({ checkWrite }) =>
        checkWrite({ targetLang: "de", tone: "friendly" })
      ).pipe(Effect.flip, Effect.provide(layer()))
      expect(error._tag === "InvalidRequest" && error.violations).toEqual([
        {
          field: "tone",
          rule: `can't be used with \`targetLang\` "de": drop it, or choose languages with the feature tone`
        }
      ])
    })
  )

  it.effect("knows the glossaries and style rule lists of the account", () =>
    Effect.gen(function* () {
      const { glossaries, styleRules } = yield* TranslateClient.TranslateClient
      const { glossaryId } = yield* glossaries.create({
        name: "Terms",
        dictionaries: [{ sourceLang: "en", targetLang: "pt", entries: [{ source: "mug", target: "caneca" }] }]
      })
      const { styleId } = yield* styleRules.create({ name: "House", language: "fr" })
      const check = (options: TranslateClient.TranslateOptions) =>
        Effect.map(Effect.either(LanguageSupport.check(options)), ({ _tag }) => _tag)
      expect(yield* check({ sourceLang: "en-GB", targetLang: "pt-BR", glossaryId })).toBe("Right")
      expect(yield* check({ sourceLang: "pt", targetLang: "en-GB", glossaryId })).toBe("Left")
      expect(yield* check({ targetLang: "fr-CA", styleId })).toBe("Right")
      expect(yield* check({ targetLang: "de", styleId })).toBe("Left")
    }).pipe(Effect.provide(emulator()))
  )
})
