/** Streams that keep placeholders: through translation, through cuts, and what becomes of a text that loses one. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Outcome, Placeholder, type TranslateClient, TranslateStream, Translator } from "effect-translate"
import { PseudoTranslation } from "effect-translate/emulator"
import * as fc from "fast-check"
import { runs } from "../support/long.js"
import {
  answerOf,
  badRequest,
  bodyBytes,
  causes,
  charactersOf,
  chunked,
  collect,
  de,
  drain,
  failsWith,
  maxBytes,
  meter,
  numbered,
  provide,
  quotaExceeded,
  randomTurns,
  served,
  tags,
  values
} from "./support.js"

const kept = { ...de, placeholders: {} } as const

/** Asks once more for a text that has lost a placeholder. */
const retried = { ...kept, verify: {} } as const

/** A translator that changes each text, and keeps what it was asked. */
const translator = (change: (text: string, call: number) => string) => {
  const calls: Array<{
    readonly texts: ReadonlyArray<string>
    readonly options: TranslateClient.TranslateOptions
  }> = []
  const service = Translator.Translator.of({
    translate: (texts, options) =>
      Effect.zipRight(
        randomTurns(3),
        Effect.sync(() => {
          const call = calls.push({ texts, options }) - 1
          return {
            ...answerOf(texts),
            translations: texts.map((text) => ({ text: change(text, call) })) as unknown as ReturnType<
              typeof answerOf
            >["translations"]
          }
        })
      )
  })
  return { calls, service, provide: provide(service) }
}

const isProtected = (text: string) => text.includes('<x id="')

/** Loses the placeholders of texts with this word, in the first request that has one or in all. */
const losing = (word: string, isAlways = false) => {
  let first: number | undefined
  return translator((text, call) => {
    if (!text.includes(word) || !isProtected(text)) return `${text}!`
    first ??= call
    return isAlways || call === first ? "lost" : `${text}!`
  })
}

describe("placeholders", () => {
  it.virtual("are kept out of the translation, and come back as they were", () =>
    Effect.gen(function* () {
      const texts = [
        "Hello {name}",
        "{{ user }} has %1$s and %d%%",
        "$" + "{price} & <b>more</b>",
        "{n, plural, one {one file} other {# files}} on",
        "nothing here",
        "a < b && c > d",
        '<x id="1">own</x>'
      ]
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), kept))
      expect(causes(outcomes)).toEqual(texts.map(() => "Translated"))
      expect(values(outcomes)).toEqual([
        "[de] Héllö {name}",
        "[de] {{ user }} hås %1$s åñd %d%%",
        "[de] $" + "{price} & <b>möré</b>",
        "[de] {n, plural, one {one file} other {# files}} öñ",
        "[de] ñöthîñg héré",
        "[de] å < b && ç > d",
        '[de] <x id="1">öwñ</x>'
      ])
      expect((yield* meter).requests).toBe(1)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("are sent as XML with ignored tags, all of a request or none", () =>
    Effect.gen(function* () {
      const { calls, provide } = translator((text) => text)
      yield* collect(TranslateStream.translate(Stream.make("a {x}", "b", "c & d"), kept)).pipe(provide)
      expect(calls).toEqual([
        {
          texts: ['a <x id="1">{x}</x>', "b", "c &amp; d"],
          options: { targetLang: "de", tagHandling: "xml", ignoreTags: ["x"], showBilledCharacters: true }
        }
      ])
    })
  )

  it.virtual("are sent as they stand unless it is asked for", () =>
    Effect.gen(function* () {
      const { calls, provide } = translator((text) => text)
      yield* collect(TranslateStream.translate(Stream.make("a {x}"), de)).pipe(provide)
      expect(calls).toEqual([{ texts: ["a {x}"], options: { targetLang: "de", showBilledCharacters: true } }])
    })
  )

  it.virtual("of the user's own patterns are kept too, and only the kinds that are asked for", () =>
    Effect.gen(function* () {
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make("Acme one {name} two"), {
          ...de,
          placeholders: { kinds: [], patterns: [/Acme/] }
        })
      )
      expect(values(outcomes)).toEqual([
        PseudoTranslation.translate("Acme one {name} two", "de").replace("Åçmé", "Acme")
      ])
    }).pipe(Effect.provide(served()))
  )

  it.virtual("are kept within markup, whose tags are the service's", () =>
    Effect.gen(function* () {
      const { calls, provide } = translator((text) => text.replace("Hi", "Hallo"))
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make('<p class="{c}">Hi {x} &amp; %s</p>'), {
          ...kept,
          tagHandling: "html",
          ignoreTags: ["code"]
        })
      ).pipe(provide)
      expect(values(outcomes)).toEqual(['<p class="{c}">Hallo {x} &amp; %s</p>'])
      expect(calls).toEqual([
        {
          texts: ['<p class="{c}">Hi <x-ph id="1">{x}</x-ph> &amp; <x-ph id="2">%s</x-ph></p>'],
          options: {
            targetLang: "de",
            tagHandling: "html",
            ignoreTags: ["code", "x-ph"],
            showBilledCharacters: true
          }
        }
      ])
    })
  )

  it.virtual("within markup are kept by the emulator", () =>
    Effect.gen(function* () {
      const texts = ["<p>Hi {x} &amp; %s</p>", "<b>{x}</b> one"]
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.fromIterable(texts), { ...kept, tagHandling: "html" })
      )
      expect(values(outcomes)).toEqual(["[de] <p>Hî {x} &amp; %s</p>", "[de] <b>{x}</b> öñé"])
    }).pipe(Effect.provide(served()))
  )

  it.virtual("with nothing else in the text are not sent: it is Skipped, at no cost", () =>
    Effect.gen(function* () {
      const texts = [
        "{name}",
        " %s {x}\n",
        "<br/>",
        "&nbsp;",
        "{n, plural, one {# file} other {# files}}",
        "Acme {x}"
      ]
      const { calls, provide } = translator((text) => text)
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make(...texts, "{x}!", "a {x}"), {
          ...de,
          dedupe: true,
          placeholders: { patterns: [/Acme/] }
        })
      ).pipe(provide)
      expect(tags(outcomes)).toEqual([...texts.map(() => "Skipped"), "Translated", "Translated"])
      expect(values(outcomes).slice(0, texts.length)).toEqual(texts)
      expect(outcomes[0]!.cost).toEqual({ characters: 0, ambiguousCharacters: 0 })
      expect(calls.flatMap(({ texts }) => texts)).toEqual(['<x id="1">{x}</x>!', 'a <x id="1">{x}</x>'])
      expect(yield* Stream.run(Stream.fromIterable(outcomes), Outcome.tally)).toMatchObject({
        in: 8,
        translated: 2,
        skipped: 6
      })
    })
  )

  it.virtual("with nothing else are skipped among the fields of a row", () =>
    Effect.gen(function* () {
      const { calls, provide } = translator((text) => text.toUpperCase())
      const [outcome] = yield* Stream.make({ a: "{x}", b: "b", c: null, d: "<hr>" }).pipe(
        TranslateStream.translateFields(["a", "b", "c", "d"], kept),
        collect,
        provide
      )
      expect(outcome).toMatchObject({
        _tag: "Translated",
        value: { a: "{x}", b: "B", c: null, d: "<hr>" },
        texts: { translated: 1, skipped: 3 }
      })
      expect(calls).toHaveLength(1)
    })
  )

  it.virtual("make texts longer: requests stay within the limit all the same", () =>
    Effect.gen(function* () {
      const texts = Array.from({ length: 100 }, (_, index) => `${"{a}&".repeat(1000)}${index}`)
      const { calls, provide } = translator((text) => text)
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), kept)).pipe(
        provide
      )
      expect(values(outcomes)).toEqual(texts)
      for (const { options, texts } of calls) {
        const { ignoreTags, tagHandling } = options
        expect(bodyBytes(texts, { tag_handling: tagHandling, ignore_tags: ignoreTags })).toBeLessThanOrEqual(
          maxBytes
        )
      }
    })
  )

  it.virtual("of fields come back in each", () =>
    Effect.gen(function* () {
      const outcomes = yield* Stream.make({ a: "one {x}", b: "", c: "{y} two" }).pipe(
        TranslateStream.translateFields(["a", "b", "c"], kept),
        collect
      )
      expect(values(outcomes)).toEqual([{ a: "[de] öñé {x}", b: "", c: "[de] {y} twö" }])
    }).pipe(Effect.provide(served()))
  )
})

describe("a text that loses a placeholder", () => {
  it.virtual("is Failed with TranslationRefused and its cost, and leaves the others alone", () =>
    Effect.gen(function* () {
      const { calls, provide } = losing("bad")
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make("a {x}", "bad {x} {y}", "b {x}"), kept)
      ).pipe(provide)
      expect(causes(outcomes)).toEqual(["Translated", "TranslationRefused", "Translated"])
      expect(outcomes[1]).toMatchObject({
        value: "bad {x} {y}",
        cost: { characters: charactersOf([calls[0]!.texts[1]!]), ambiguousCharacters: 0 },
        failures: [
          {
            field: "text",
            error: {
              checks: ["placeholders"],
              explanations: [
                "Of 2 placeholders, 2 are missing or changed; 0 are too many, and 0 marks are broken."
              ]
            }
          }
        ]
      })
      expect(calls).toHaveLength(1)
    })
  )

  it.virtual(
    "is sent once more if verify asks for it, alone and with its neighbours, and pays for both",
    () =>
      Effect.gen(function* () {
        const { calls, provide } = losing("bad")
        const outcomes = yield* collect(
          TranslateStream.translate(Stream.make("a {x}", "bad {x}", "b {x}"), retried)
        ).pipe(provide)
        expect(values(outcomes)).toEqual(["a {x}!", "bad {x}!", "b {x}!"])
        const sent = calls[0]!.texts[1]!
        expect(calls[1]).toEqual({
          texts: [sent],
          options: { ...calls[0]!.options, context: "a {x}\nb {x}" }
        })
        expect(outcomes[1]!.cost.characters).toBe(charactersOf([sent, sent]))
      })
  )

  it.virtual("twice is Failed, and not sent a third time", () =>
    Effect.gen(function* () {
      const { calls, provide } = losing("bad", true)
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("bad {x}"), retried)).pipe(
        provide
      )
      expect(calls).toHaveLength(2)
      expect(causes(outcomes)).toEqual(["TranslationRefused"])
      expect(outcomes[0]!.cost.characters).toBe(charactersOf([calls[0]!.texts[0]!, calls[1]!.texts[0]!]))
    })
  )

  it.virtual("is kept without its marks if verify flags it only", () =>
    Effect.gen(function* () {
      const { provide } = translator((text) => text.replace('<x id="1">{x}</x>', 'y<x id="1">'))
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make(" a {x} & {z}"), {
          ...kept,
          verify: { policies: { placeholders: "flag" } }
        })
      ).pipe(provide)
      expect(outcomes).toMatchObject([
        {
          _tag: "Translated",
          value: " a y & {z}",
          flagged: [{ field: "text", findings: [{ check: "placeholders", severity: "error" }] }]
        }
      ])
    })
  )

  it.virtual("when the job has ended meanwhile is Failed, and not sent again", () =>
    Effect.gen(function* () {
      const inner = losing("bad")
      const outcomes = yield* drain(
        TranslateStream.translate(Stream.make(...numbered(50), "bad {x}", "z"), {
          ...retried,
          concurrency: 1
        })
      ).pipe(
        Effect.provideService(Translator.Translator, {
          translate: (texts, options) =>
            options.context === undefined
              ? inner.service.translate(texts, options)
              : Effect.fail(quotaExceeded)
        })
      )
      expect(failsWith(outcomes.exit)).toBe(quotaExceeded)
      expect(causes(outcomes.out).slice(50)).toEqual(["QuotaExceeded", "Translated"])
    })
  )

  it.virtual("of which that is told after the job has ended is Failed, and not sent again", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const inner = losing("bad")
      const texts = [...numbered(50), "bad {x}", ...numbered(99).slice(50), "last"]
      const { exit, out } = yield* drain(
        TranslateStream.translate(chunked(texts, 101), { ...retried, concurrency: 2 })
      ).pipe(
        Effect.provideService(Translator.Translator, {
          translate: (texts, options) =>
            texts.includes("last")
              ? Effect.zipRight(Deferred.succeed(gate, undefined), Effect.fail(quotaExceeded))
              : Effect.zipRight(
                  texts.includes("t0") ? Effect.void : Effect.zipRight(Deferred.await(gate), Effect.sleep(5)),
                  inner.service.translate(texts, options)
                )
        })
      )
      expect(failsWith(exit)).toBe(quotaExceeded)
      expect(causes(out)).toEqual(
        texts.map((text) =>
          text === "bad {x}" ? "TranslationRefused" : text === "last" ? "QuotaExceeded" : "Translated"
        )
      )
      expect(inner.calls).toHaveLength(2)
    })
  )

  it.virtual("and is refused by the service the second time fails with that", () =>
    Effect.gen(function* () {
      const inner = losing("bad")
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make("a {x}", "b {x}", "bad {y}"), retried)
      ).pipe(
        Effect.provideService(Translator.Translator, {
          translate: (texts, options) =>
            options.context === "b {x}" ? Effect.fail(badRequest) : inner.service.translate(texts, options)
        })
      )
      expect(causes(outcomes)).toEqual(["Translated", "Translated", "BadRequest"])
    })
  )

  it.virtual("too large for one request is cut the second time too", () =>
    Effect.gen(function* () {
      const text = "bad {x} word. ".repeat(14_000).trimEnd()
      const { calls, provide } = losing("bad")
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("a", text, "b"), retried)).pipe(
        provide
      )
      expect(tags(outcomes)).toEqual(["Translated", "Translated", "Translated"])
      expect(outcomes[1]!.value.replaceAll("!", "") === text).toBe(true)
      for (const { options, texts } of calls) {
        const { context, ignoreTags, tagHandling } = options
        expect(
          bodyBytes(texts, { context, tag_handling: tagHandling, ignore_tags: ignoreTags })
        ).toBeLessThanOrEqual(maxBytes)
      }
    })
  )
})

describe("for any texts", () => {
  const part = fc.constantFrom(
    "{x}",
    "%s",
    "<b>",
    "</b>",
    "&",
    "<",
    "{",
    "}",
    " word ",
    "世",
    "🌍",
    "$" + "{y}",
    "%",
    "x"
  )
  const text = fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) => `t${parts.join("")}`)

  it("a translator that changes nothing gives back each text, one that loses marks fails it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 120 }),
        fc.constantFrom("none", "some"),
        fc.constantFrom(undefined, {}),
        fc.boolean(),
        (texts, lose, verify, dedupe) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const { provide } = translator((text) =>
                lose === "some" ? text.replaceAll(/<x id="\d+">[^<]*<\/x>/g, "") : text
              )
              const outcomes = yield* collect(
                TranslateStream.translate(chunked(texts, 9), {
                  ...de,
                  dedupe,
                  concurrency: 4,
                  placeholders: {},
                  verify
                })
              ).pipe(provide)
              expect(outcomes.map(({ source }) => source)).toEqual(texts)
              for (const { source, value, _tag } of outcomes) {
                const isLost = lose === "some" && Placeholder.protect(source).placeholders.length > 0
                expect(value).toBe(source)
                expect(_tag === "Failed").toBe(isLost)
              }
            })
          )
      ),
      { numRuns: runs(60, 5), endOnFailure: true }
    )
  })
})
