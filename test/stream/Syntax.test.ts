/** Streams of texts with syntax: which requests they go into, and what becomes of those that are not understood. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  Outcome,
  Syntax,
  type TranslateClient,
  TranslateResolver,
  TranslateStream,
  TranslationStore,
  Translator
} from "effect-translate"
import { Check } from "effect-translate/checks"
import { answerOf, collect, de, numbered, provide } from "./support.js"

/** A translator that changes each letter outside of ignored elements, and keeps what it was asked. */
const makeTranslator = (spoil = (text: string) => text) => {
  const calls: Array<{
    readonly texts: ReadonlyArray<string>
    readonly options: TranslateClient.TranslateOptions
  }> = []
  const change = (text: string) =>
    spoil(text.replace(/<x id="\d+">.*?<\/x>|[a-z]/g, (found) => (found.length > 1 ? found : "ä")))
  /** As a service does it: nothing within tags, and of ignored elements. */
  const changeHtml = (text: string) =>
    text.replace(/<x-ph id="\d+">.*?<\/x-ph>|<[^>]*>|[a-z]/g, (found) => (found.length > 1 ? found : "ä"))
  const service = Translator.Translator.of({
    identify: () => Effect.succeed({ service: "test", account: "test" }),
    translate: (texts, options) =>
      Effect.sync(() => {
        calls.push({ texts, options })
        return {
          ...answerOf(texts),
          translations: texts.map((text) => ({
            text: options?.tagHandling === "html" ? spoil(changeHtml(text)) : change(text)
          })) as unknown as ReturnType<typeof answerOf>["translations"]
        }
      })
  })
  return { calls, provide: provide(service) }
}

const apart = { ...de, placeholders: { apart: true } } as const

const run = (texts: ReadonlyArray<string>, options: TranslateStream.Options) => {
  const { calls, provide } = makeTranslator()
  return Effect.map(
    provide(Stream.fromIterable(texts).pipe(TranslateStream.translate(options), collect)),
    (outcomes) => ({ calls, outcomes, values: outcomes.map(({ value }) => value) })
  )
}

describe("HTML apart", () => {
  const options = { ...apart, syntax: { html: true } } as const

  it.effect("is sent as HTML, in requests of its own, and comes back with its tags", () =>
    Effect.gen(function* () {
      const html = '<p class="b">a {b}</p>'
      const { calls, values } = yield* run(["a < b", html, "{a} b"], options)
      expect(values).toStrictEqual(["ä < ä", '<p class="b">ä {b}</p>', "{a} ä"])
      const byTags = (tagHandling: string | undefined) =>
        calls.filter(({ options }) => options.tagHandling === tagHandling).flatMap(({ texts }) => texts)
      expect(byTags("html")).toStrictEqual(['<p class="b">a <x-ph id="1">{b}</x-ph></p>'])
      expect(byTags("xml")).toStrictEqual(['<x id="1">{a}</x> b'])
      expect(byTags(undefined)).toStrictEqual(["a < b"])
    })
  )

  it.effect("fails where a tag is lost", () =>
    Effect.gen(function* () {
      const { provide } = makeTranslator((text) => text.replace("</b>", ""))
      const [outcome] = yield* provide(
        Stream.make("<b>a</b>").pipe(TranslateStream.translate(options), collect)
      )
      expect(outcome).toMatchObject({ _tag: "Failed", failures: [{ error: { _tag: "TranslationRefused" } }] })
    })
  )

  it.effect("is sent as it is where it was not asked for, or the stream is all of HTML", () =>
    Effect.gen(function* () {
      const { calls } = yield* run(["<b>a</b>"], { ...apart, syntax: { html: false } })
      expect(calls).toMatchObject([{ texts: ["<b>a</b>"], options: {} }])
      expect(calls[0]?.options.tagHandling).toBeUndefined()
    })
  )
})

describe("placeholders apart", () => {
  it.effect(
    "protects the texts that have one, in requests of their own, and sends all others as they are",
    () =>
      Effect.gen(function* () {
        const { calls, values } = yield* run(["a b", "a {b}", "<b>a</b> & 5 %", "%s a", "c"], apart)
        expect(values).toStrictEqual(["ä ä", "ä {b}", "<ä>ä</ä> & 5 %", "%s ä", "ä"])
        expect(calls.map(({ texts }) => texts).sort()).toStrictEqual(
          [['<x id="1">%s</x> a', 'a <x id="1">{b}</x>'].reverse(), ["a b", "<b>a</b> & 5 %", "c"]].sort()
        )
        expect(calls.map(({ options, texts }) => [texts.length, options.tagHandling])).toEqual(
          expect.arrayContaining([
            [2, "xml"],
            [3, undefined]
          ])
        )
      })
  )

  it.effect("protects kinds of catalogues that have none of the characters of all others", () =>
    Effect.gen(function* () {
      const placeholders = { apart: true, kinds: ["underscores"] } as const
      const { values } = yield* run(["a __name__"], { ...de, placeholders, syntax: { place: "catalogue" } })
      expect(values).toStrictEqual(["ä __name__"])
    })
  )

  it.effect("sends the same requests as without the option, if no text has a placeholder", () =>
    Effect.gen(function* () {
      const texts = numbered(120)
      const [first, second] = yield* Effect.all([run(texts, apart), run(texts, de)])
      expect(first.calls).toStrictEqual(second.calls)
    })
  )

  it.effect("cuts a protected text that is too large at no placeholder", () =>
    Effect.gen(function* () {
      const text = `${"word. ".repeat(40)}{name} ${"word. ".repeat(40)}`.trim()
      const { calls, values } = yield* run([text, "plain"], { ...apart, maxBytes: 400 })
      expect(values).toStrictEqual([
        text.replace(/\{name\}|[a-z]/g, (found) => (found.length > 1 ? found : "ä")),
        "äääää"
      ])
      for (const { options, texts } of calls)
        expect(options.tagHandling).toBe(texts.includes("plain") ? undefined : "xml")
    })
  )

  it.effect("leaves a text of placeholders alone, and sends one of tags alone, as without the option", () =>
    Effect.gen(function* () {
      const { calls, outcomes } = yield* run([" {a} ", "<br>"], apart)
      expect(outcomes.map(({ _tag }) => _tag)).toStrictEqual(["Skipped", "Translated"])
      expect(calls.map(({ texts }) => texts)).toStrictEqual([["<br>"]])
    })
  )

  it.effect("has the translations that a store holds from before, and pays nothing for them", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const texts = ["a {b}", "%count% a", "a b", "Hi @x"]
      const { calls, provide } = makeTranslator()
      const translated = (options: TranslateStream.Options) =>
        provide(Stream.fromIterable(texts).pipe(TranslateStream.translate({ ...options, store }), collect))
      yield* translated(de)
      const before = calls.length
      const outcomes = yield* translated({
        ...apart,
        syntax: { place: "rows", protect: ["drupal"] }
      })
      expect(outcomes.map(({ _tag }) => _tag)).toStrictEqual(texts.map(() => "Cached"))
      expect(calls.length).toBe(before)
    })
  )
})

describe("the option syntax", () => {
  const catalogue = { ...de, placeholders: {}, syntax: { place: "catalogue" } } as const

  it.effect("fails a text of a catalogue that is not understood, and does not send it", () =>
    Effect.gen(function* () {
      const { calls, outcomes } = yield* run(["Hi :name", "a"], catalogue)
      expect(calls.flatMap(({ texts }) => texts)).toStrictEqual(["a"])
      const [first, second] = outcomes
      expect(first).toMatchObject({ _tag: "Failed", value: "Hi :name", cost: { characters: 0 } })
      expect(Outcome.isFailed(first!) && first.failures[0].error).toStrictEqual(
        new Syntax.NotUnderstood({ syntax: "laravel", offset: 3 })
      )
      expect(second!._tag).toBe("Translated")
    })
  )

  it.effect("sends it if it was accepted, and protects the named syntax", () =>
    Effect.gen(function* () {
      const accepted = new Set(["Hi :name"])
      const sent = yield* run(["Hi :name", "Hi :other"], {
        ...catalogue,
        syntax: { place: "catalogue", accepted }
      })
      expect(sent.outcomes.map(({ _tag }) => _tag)).toStrictEqual(["Translated", "Failed"])
      const kept = yield* run(["Hi :name and ACME"], {
        ...catalogue,
        syntax: { place: "catalogue", protect: ["laravel", /ACME/] }
      })
      expect(kept.values).toStrictEqual(["Hä :name äää ACME"])
    })
  )

  it.effect("is one of resolvers too: a call for such a text fails", () =>
    Effect.gen(function* () {
      const { calls, provide } = makeTranslator()
      const error = yield* provide(
        TranslateResolver.translate("Hi :name", { targetLang: "de" }).pipe(
          Effect.flip,
          Effect.provide(TranslateResolver.layer({ placeholders: {}, syntax: { place: "catalogue" } }))
        )
      )
      expect([error._tag, calls.length]).toStrictEqual(["NotUnderstood", 0])
    })
  )

  it.effect("flags a text of rows that is not understood, and fails it if it is strict", () =>
    Effect.gen(function* () {
      const text = "You have {n, plural, one {a} other {b}}"
      const rows = { ...apart, syntax: { place: "rows" }, verify: { checks: Check.defaults } } as const
      const { outcomes } = yield* run([text, "a"], rows)
      expect(outcomes.map(({ _tag }) => _tag)).toStrictEqual(["Translated", "Translated"])
      expect(
        outcomes.map((outcome) =>
          Outcome.flaggedOf(outcome).flatMap(({ findings }) => findings.map(({ check }) => check))
        )
      ).toStrictEqual([["syntax"], []])
      const strict = yield* run([text, "a"], { ...rows, syntax: { place: "rows", notUnderstood: "fail" } })
      expect(strict.outcomes.map(({ _tag }) => _tag)).toStrictEqual(["Failed", "Translated"])
    })
  )

  it.effect("has the translation that a store holds of a text that is not understood", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const { calls, provide } = makeTranslator()
      const translated = (options: TranslateStream.Options) =>
        provide(
          Stream.fromIterable(["Hi :name"]).pipe(TranslateStream.translate({ ...options, store }), collect)
        )
      yield* translated({ ...de, placeholders: {} })
      const [outcome] = yield* translated(catalogue)
      expect([outcome!._tag, calls.length]).toStrictEqual(["Cached", 1])
    })
  )
})
