/** What a store keeps apart: whether an option changes the namespace, as it changes a translation or does not. */
import { describe, expect, it } from "@effect/vitest"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import {
  Budget,
  Progress,
  ServiceLimits,
  type TranslateStream,
  TranslationStore,
  type WriteStream
} from "effect-translate"
import { IcuMessage } from "effect-translate/icu"
import * as fc from "fast-check"
import * as Text from "../../src/api/Text.js"
import * as Write from "../../src/api/Write.js"
import type * as Translator from "../../src/client/Translator.js"
import * as namespace from "../../src/stream/internal/namespace.js"
import * as writeNamespace from "../../src/stream/internal/writeNamespace.js"
import { runs } from "../support/long.js"

/** Whether an option changes a translation, and values of different meanings: each meaning in all its spellings. */
interface Option<A> {
  readonly matters: boolean
  readonly meanings: ReadonlyArray<ReadonlyArray<A>>
}

/** A new option does not compile until it is here. */
type Table<O> = { readonly [K in keyof O]-?: Option<O[K]> }

const changes = <A>(...meanings: ReadonlyArray<ReadonlyArray<A>>): Option<A> => ({ matters: true, meanings })

const changesNothing = <A>(...values: ReadonlyArray<A>): Option<A | undefined> => ({
  matters: false,
  meanings: [[undefined], ...values.map((value) => [value])]
})

const running = {
  concurrency: changesNothing(1, 8),
  unordered: changesNothing(true, false),
  maxTexts: changesNothing(1, 50),
  maxBytes: changesNothing(1000),
  linger: changesNothing<Duration.DurationInput>("1 second", 5),
  progress: changesNothing(Effect.runSync(Progress.make())),
  serviceLimits: changesNothing(Effect.runSync(ServiceLimits.make())),
  store: changesNothing(Effect.runSync(TranslationStore.makeMemory())),
  verify: changesNothing<TranslateStream.Options["verify"]>({}, { checks: [] })
}

const tags = () =>
  changes(
    [undefined, []],
    [["b"], ["b", "b"]],
    [
      ["a", "b"],
      ["b", "a"]
    ]
  )

const id = () => changes([undefined], ["a"], ["b"])

const protecting: Table<Omit<TranslateStream.Placeholders, "apart">> = {
  kinds: changes<TranslateStream.Placeholders["kinds"]>(
    [undefined, ["braces", "printf", "tags"], ["braces", "printf", "liquid", "tags", "laravel"]],
    [[], ["vue-i18n"]],
    [["braces"]],
    [["tags"]]
  ),
  patterns: changes(
    [undefined, []],
    [[/a/], [/a/g], [/a/y, /a/]],
    [[/a/i]],
    [
      [/a/, /b/],
      [/b/, /a/]
    ]
  ),
  messageFormat: changes(
    [undefined],
    [IcuMessage.format, { ...IcuMessage.format }],
    [{ ...IcuMessage.format, name: "icu/0" }]
  )
}

/** Terms make the glossary count for nothing: see below. */
const translating: Table<Omit<TranslateStream.Options, "glossaryTerms">> = {
  ...running,
  dedupe: changesNothing<TranslateStream.Options["dedupe"]>(true, { texts: 5 }),
  budget: changesNothing<TranslateStream.Options["budget"]>(5, Effect.runSync(Budget.make(5))),
  enableBetaLanguages: changesNothing(true, false),
  targetLang: changes(["de", "DE"], ["en-US", "EN-us"], ["zh-Hant", "zh-hant"]),
  sourceLang: changes([undefined], ["en", "EN"], ["pt"]),
  context: changes([undefined], ["a"], ["b"]),
  modelType: changes<Text.ModelType | undefined>(
    [undefined],
    ["latency_optimized"],
    ["quality_optimized"],
    ["prefer_quality_optimized"]
  ),
  // What its absence means depends on another option: see below.
  splitSentences: changes<"0" | "1" | "nonewlines" | undefined>(["0"], ["1"], ["nonewlines"]),
  preserveFormatting: changes([undefined, false], [true]),
  formality: changes<Text.Formality | undefined>(
    [undefined, "default"],
    ["more"],
    ["less"],
    ["prefer_more"],
    ["prefer_less"]
  ),
  glossaryId: id(),
  glossaryIds: changes([undefined], [["a"]], [["a", "b"]], [["b", "a"]]),
  styleId: id(),
  customInstructions: changes([undefined], [["a"]], [["a", "b"]], [["b", "a"]]),
  translationMemoryId: changes([undefined], ["a-1", "A-1"], ["b-1"]),
  translationMemoryThreshold: changes([undefined, 75], [0], [100]),
  tagHandling: changes<"xml" | "html" | undefined>([undefined], ["xml"], ["html"]),
  tagHandlingVersion: changes<"v1" | "v2" | undefined>([undefined], ["v1"], ["v2"]),
  outlineDetection: changes([undefined, true], [false]),
  nonSplittingTags: tags(),
  splittingTags: tags(),
  ignoreTags: tags(),
  oversized: changes<TranslateStream.Options["oversized"]>([undefined, "segment"], ["fail"]),
  segmentContext: changes([undefined, 0], [100]),
  syntax: changesNothing<TranslateStream.Options["syntax"]>(
    { place: "catalogue" },
    { protect: ["laravel", /a/], notUnderstood: "flag" }
  ),
  placeholders: changes<TranslateStream.Placeholders | undefined>(
    [undefined, { apart: true, patterns: [/a/] }],
    [{}, { kinds: undefined }],
    [{ kinds: [] }]
  ),
  extraParameters: changes<TranslateStream.Options["extraParameters"]>(
    [undefined, {}],
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 }
    ],
    [{ a: 2, b: [2] }],
    [{ a: 1 }]
  )
}

const correcting: Table<WriteStream.CorrectOptions> = {
  ...running,
  targetLang: changes([undefined], ["de", "DE"], ["en-US", "en-us"]),
  extraParameters: changes<WriteStream.CorrectOptions["extraParameters"]>([undefined, {}], [{ a: 1 }])
}

const rephrasing: Table<WriteStream.RephraseOptions> = {
  ...correcting,
  writingStyle: changes([undefined], ["default"], ["business"], ["prefer_business"]),
  tone: changes([undefined], ["default"], ["friendly"], ["prefer_friendly"])
}

const ours: Required<Translator.Identity> = { service: "https://a.test", account: "key:1", content: "c" }

const identities: Table<Translator.Identity> = {
  service: changes(["https://a.test"], ["https://b.test"], ["name:emulator"]),
  account: changes(["key:1"], ["key:2"], ["name:1"]),
  content: changes([undefined], ["a"], ["b"])
}

const namesOf = <O>(table: Table<O>) => Object.keys(table) as unknown as ReadonlyArray<keyof O & string>

const keyOf = (value: object): string => JSON.stringify(value)

const spelling = <A>(spellings: ReadonlyArray<A>) => fc.constantFrom(...spellings)

/** Options of one meaning in two spellings; and one of them changed in one option, with what that is. */
const anyChange = <O>(table: Table<O>) => {
  const names = namesOf(table)
  const entries = names.map((name) =>
    fc.integer({ min: 0, max: table[name].meanings.length - 1 }).chain((meaning) =>
      fc.record({
        meaning: fc.constant(meaning),
        first: spelling(table[name].meanings[meaning]!),
        second: spelling(table[name].meanings[meaning]!)
      })
    )
  )
  return fc
    .record({ options: fc.tuple(...entries), changed: fc.nat(names.length - 1), isMissing: fc.boolean() })
    .chain(({ changed, isMissing, options }) => {
      const name = names[changed]!
      const given = (of: "first" | "second") =>
        Object.fromEntries(
          options
            .map((option, index) => [names[index]!, option[of]] as const)
            .filter(([, value]) => !(isMissing && of === "second" && value === undefined))
        ) as O
      const others = table[name].meanings.filter((_, meaning) => meaning !== options[changed]!.meaning)
      return fc.record({
        name: fc.constant(name),
        first: fc.constant(given("first")),
        second: fc.constant(given("second")),
        other: fc.constantFrom(...others.flat()).map((value) => ({ ...given("first"), [name]: value }) as O)
      })
    })
}

const holds = <O extends object>(table: Table<O>, namespaceOf: (options: O) => object) => {
  it("is another one if an option that changes results is another, and else the same", () => {
    fc.assert(
      fc.property(anyChange(table), ({ first, name, other, second }) => {
        expect(keyOf(namespaceOf(second))).toBe(keyOf(namespaceOf(first)))
        expect(keyOf(namespaceOf(other)) !== keyOf(namespaceOf(first)), name).toBe(table[name].matters)
      }),
      { numRuns: runs(5000, 250) }
    )
  })

  it("is another one for each meaning of each option by itself", () => {
    for (const name of namesOf(table)) {
      const { matters, meanings } = table[name]
      const base = Object.fromEntries(
        Object.entries<Option<unknown>>(table).map(([key, option]) => [key, option.meanings[0]![0]])
      )
      const keys = meanings.map(
        (spellings) =>
          new Set(spellings.map((value) => keyOf(namespaceOf({ ...base, [name]: value } as unknown as O))))
      )
      expect(
        keys.map(({ size }) => size),
        name
      ).toEqual(meanings.map(() => 1))
      expect(new Set(keys.flatMap((each) => [...each])).size, name).toBe(matters ? meanings.length : 1)
    }
  })
}

const ofTranslation = (options: TranslateStream.Options) =>
  namespace.ofTranslation(Text.translateText, options, ours)

describe("the namespace of a translation", () => holds(translating, ofTranslation))

describe("the namespace of a translation with placeholders", () =>
  holds(protecting, (placeholders) => ofTranslation({ targetLang: "de", placeholders })))

describe("the namespace of a translator", () =>
  holds(identities, (identity) =>
    namespace.ofTranslation(Text.translateText, { targetLang: "de" }, identity)
  ))

describe("the namespace of rephrasing", () =>
  holds(rephrasing, (options) => writeNamespace.ofRephrasing(Write.rephrase, options, ours)))

describe("the namespace of correction", () =>
  holds(correcting, (options) => writeNamespace.ofCorrection(Write.correct, options, ours)))

describe("a namespace", () => {
  it("names the endpoint, the languages as asked, and the other options as JSON with sorted keys", () => {
    const { settings, ...others } = ofTranslation({
      targetLang: "EN-us",
      formality: "more",
      context: "c",
      concurrency: 3
    })
    expect(others).toEqual({
      endpoint: "POST /v2/translate",
      service: "https://a.test",
      account: "key:1",
      sourceLang: undefined,
      targetLang: "en-US"
    })
    expect(settings).toBe('{"content":"c","context":"c","formality":"more","versions":{"segmenter":1}}')
  })

  it("keeps corrected and rephrased texts apart", () => {
    expect(writeNamespace.ofRephrasing(Write.rephrase, {}, ours)).not.toEqual(
      writeNamespace.ofCorrection(Write.correct, {}, ours)
    )
  })

  it("is that without a glossary if the terms are known, as they are in the keys of texts", () => {
    const glossaryTerms = new Map([["cart", "Wagen"]])
    const without = keyOf(ofTranslation({ targetLang: "de" }))
    expect(keyOf(ofTranslation({ targetLang: "de", glossaryId: "a", glossaryTerms }))).toBe(without)
    expect(keyOf(ofTranslation({ targetLang: "de", glossaryIds: ["a"], glossaryTerms }))).toBe(without)
    expect(keyOf(ofTranslation({ targetLang: "de", glossaryId: "a" }))).not.toBe(without)
  })

  it("knows where sentences are split by default", () => {
    const splitting = (
      tagHandling: "xml" | "html" | undefined,
      splitSentences?: "0" | "1" | "nonewlines" | undefined
    ) => keyOf(ofTranslation({ targetLang: "de", tagHandling, splitSentences }))
    expect(splitting(undefined)).toBe(splitting(undefined, "1"))
    expect(splitting("xml")).toBe(splitting("xml", "1"))
    expect(splitting("html")).toBe(splitting("html", "nonewlines"))
    expect(splitting("html")).not.toBe(splitting("html", "1"))
    expect(splitting("xml")).not.toBe(splitting("xml", "nonewlines"))
  })
})
