/** Streams of ICU messages: each branch is translated as a sentence, and the message counts as one text. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Forecast, Outcome, TranslateStream, Translator } from "effect-translate"
import { IcuMessage } from "effect-translate/icu"
import * as fc from "fast-check"
import { IntlMessageFormat } from "intl-messageformat"
import { runs } from "../support/long.js"
import {
  answerOf,
  badRequest,
  causes,
  charactersOf,
  collect,
  meter,
  provide,
  served,
  tags,
  values
} from "./support.js"

const russian = {
  sourceLang: "en",
  targetLang: "ru",
  placeholders: { messageFormat: IcuMessage.format }
} as const

const files = "You have {n, plural, one {# file} other {# files}} in {folder}."

/** A translator that changes each text, and keeps what it was asked. */
const translator = (change: (text: string) => string = (text) => text) => {
  const calls: Array<ReadonlyArray<string>> = []
  const service = Translator.Translator.of({
    translate: (texts) =>
      Effect.sync(() => {
        calls.push(texts)
        return {
          ...answerOf(texts),
          translations: texts.map((text) => ({
            text: change(text),
            billedCharacters: charactersOf([text])
          })) as unknown as ReturnType<typeof answerOf>["translations"]
        }
      })
  })
  return { calls, service, provide: provide(service) }
}

describe("a message", () => {
  it.virtual("is sent as whole sentences, with a number of each category of the target", () =>
    Effect.gen(function* () {
      const { calls, provide } = translator((text) => text.replace("You have", "У вас"))
      const [outcome] = yield* collect(TranslateStream.translate(Stream.make(files), russian)).pipe(provide)
      const rest = 'in <x id="2">{folder}</x>.'
      expect(calls).toEqual([
        [
          `You have <x id="1">1</x> file ${rest}`,
          `You have <x id="1">2</x> files ${rest}`,
          `You have <x id="1">5</x> files ${rest}`,
          `You have <x id="1">2.5</x> files ${rest}`
        ]
      ])
      expect(outcome).toMatchObject({
        _tag: "Translated",
        value:
          "{n, plural, one {У вас # file in {folder}.} few {У вас # files in {folder}.} many {У вас # files in {folder}.} other {У вас # files in {folder}.}}",
        texts: { translated: 1, cached: 0, skipped: 0, failed: 0 },
        cost: { characters: charactersOf(calls[0]!) }
      })
    })
  )

  it.virtual("counts as one text among others, and costs the service's bill", () =>
    Effect.gen(function* () {
      const texts = [files, "Hello", "{n, plural, one {#} other {#}}", "it''s {name}", "no message {", files]
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.fromIterable(texts), { ...russian, dedupe: true })
      )
      expect(tags(outcomes)).toEqual([
        "Translated",
        "Translated",
        "Skipped",
        "Translated",
        "Translated",
        "Cached"
      ])
      expect(values(outcomes).slice(1, 5)).toEqual([
        "[ru] Héllö",
        "{n, plural, one {#} other {#}}",
        "[ru] ît's {name}",
        "[ru] ñö méssågé {"
      ])
      const sum = yield* Stream.run(Stream.fromIterable(outcomes), Outcome.tally)
      expect(sum).toMatchObject({ in: 6, translated: 4, cached: 1, skipped: 1, failed: 0 })
      expect(sum.characters).toBe((yield* meter).characters)
      const [forecast] = yield* Forecast.forecast(Stream.fromIterable(texts), {
        sourceLang: "en",
        placeholders: russian.placeholders,
        dedupe: true,
        targets: ["ru"]
      })
      expect(forecast).toMatchObject({ translated: 4, characters: sum.characters, requests: 1 })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("of which a branch loses its number is Failed", () =>
    Effect.gen(function* () {
      const { calls, provide } = translator((text) => text.replace('<x id="1">5</x>', "5"))
      const outcomes = yield* collect(TranslateStream.translate(Stream.make(files, "a {x}"), russian)).pipe(
        provide
      )
      expect(causes(outcomes)).toEqual(["TranslationRefused", "Translated"])
      expect(outcomes[0]).toMatchObject({
        value: files,
        texts: { failed: 1 },
        failures: [
          {
            error: {
              checks: ["placeholders"],
              explanations: [
                "Of 8 placeholders, 1 are missing or changed; 0 are too many, and 0 marks are broken."
              ]
            }
          }
        ]
      })
      expect(calls).toHaveLength(1)
    })
  )

  it.virtual("takes placeholders that have lost their marks, and quotes braces that are not its own", () =>
    Effect.gen(function* () {
      const { provide } = translator((text) =>
        text.replace(/<x id="2">(.*)<\/x>/, "$1").replace("You have", "{Sie} haben '")
      )
      const [outcome] = yield* collect(
        TranslateStream.translate(Stream.make(files), { ...russian, targetLang: "de" })
      ).pipe(provide)
      expect(outcome!.value).toBe(
        "{n, plural, one {'{'Sie'}' haben ' # file in {folder}.} other {'{'Sie'}' haben ' # files in {folder}.}}"
      )
    })
  )

  it.virtual("means the same with an identical translation, whatever looks like a placeholder in it", () =>
    Effect.gen(function* () {
      const texts = [
        "'{name}' is {name}",
        "{n, plural, one {'{n}' is '#', # is {n}} other {'#'{n} %s {{n} <b class=\"{c}\">x</b> &amp; ''{c}''}}",
        "%{a} $" + "{b} #{c} it''s '{{x}}' {d, number, ::percent}",
        "<b title='{a}'>x</b> 'y'",
        "{n, plural, offset:2 =0 {a '{' b} one {#'s} other {{n}{n}#'#'}}"
      ]
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.fromIterable(texts), { ...russian, targetLang: "en" })
      ).pipe(translator((text) => text).provide)
      const values = { name: "N", a: "A", b: "B", c: "C", d: 0.5 }
      for (const { source, value } of outcomes) {
        const parsed = IcuMessage.format.parse(source, {}) !== undefined
        if (!parsed) expect(value).toBe(source)
        else {
          const [before, after] = [source, value].map(
            (text) => new IntlMessageFormat(text, "en", undefined, { ignoreTag: true })
          )
          for (const n of [0, 1, 2, 3, 5]) {
            expect(after!.format({ ...values, n })).toBe(before!.format({ ...values, n }))
          }
        }
      }
      expect(causes(outcomes)).toEqual(texts.map(() => "Translated"))
    })
  )

  it.virtual("of nothing but invisible characters is Skipped", () =>
    Effect.gen(function* () {
      const texts = ["\u202b", "\n\u200f{x}\u200f", "{n, plural, other {\u202b#\u202c}}"]
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), russian)).pipe(
        translator().provide
      )
      expect(values(outcomes)).toEqual(texts)
      expect(tags(outcomes)).toEqual(texts.map(() => "Skipped"))
    })
  )

  it.virtual("may have ten thousand arguments", () =>
    Effect.gen(function* () {
      const text = `${"{a} ".repeat(10_000)}and '{b}'`
      const [outcome] = yield* collect(TranslateStream.translate(Stream.make(text), russian)).pipe(
        translator().provide
      )
      expect(outcome!.value === text.replace("'{b}'", "'{'b'}'")).toBe(true)
    })
  )

  it.virtual("of which the service doubles, drops, swaps or breaks a mark is Failed or whole", () =>
    Effect.gen(function* () {
      const number = '<x id="1">1</x>'
      const answers: ReadonlyArray<readonly [string, string]> = [
        [number + number, "TranslationRefused"],
        ["", "TranslationRefused"],
        ['<x id="1">one</x>', "TranslationRefused"],
        ['<x id="1">1', "TranslationRefused"],
        ['<x id="1"/>1', "TranslationRefused"],
        ['<x id="2">1</x>', "Translated"],
        ["<x id='1' > 1 </x >", "Translated"]
      ]
      for (const [answer, expected] of answers) {
        const outcomes = yield* collect(
          TranslateStream.translate(Stream.make(files), { ...russian, targetLang: "en" })
        ).pipe(translator((text) => text.replace(number, answer)).provide)
        expect(causes(outcomes), answer).toEqual([expected])
      }
    })
  )

  it.virtual("may be a million braces, or quotes, or hold half of a character: each is accounted for", () =>
    Effect.gen(function* () {
      const texts = [
        "{".repeat(200_000),
        "'{".repeat(50_000),
        "{a, select, other {".repeat(10_000),
        "{n, plural, other {\ud83d # \u202b}}",
        "\u202b{x}\u202c",
        "}{ {n, plural, one {a} other {b}}"
      ]
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.fromIterable(texts), { ...russian, targetLang: "ja" })
      ).pipe(translator().provide)
      expect(outcomes.map(({ value }, index) => value === texts[index])).toEqual(texts.map(() => true))
      expect(tags(outcomes)).toEqual([...texts.slice(0, 4).map(() => "Translated"), "Skipped", "Translated"])
    })
  )

  it.virtual("of which a branch is refused is Failed once", () =>
    Effect.gen(function* () {
      const { service } = translator()
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("a", files, "b"), russian)).pipe(
        provide({
          translate: (texts, options) =>
            texts.some((text) => text.includes(">5<"))
              ? Effect.fail(badRequest)
              : service.translate(texts, options)
        })
      )
      expect(causes(outcomes)).toEqual(["Translated", "BadRequest", "Translated"])
      expect(outcomes[1]!.texts).toEqual({ translated: 0, cached: 0, skipped: 0, failed: 1 })
    })
  )

  it.virtual("whose branch is too large for a request is cut, and put together", () =>
    Effect.gen(function* () {
      const long = "A sentence with {x}. ".repeat(4000).trimEnd()
      const text = `{n, plural, one {one ${long}} other {# ${long}}}`
      const { calls, provide } = translator()
      const [outcome] = yield* collect(
        TranslateStream.translate(Stream.make(text), { ...russian, targetLang: "en" })
      ).pipe(provide)
      expect(outcome!.value === text).toBe(true)
      expect(calls.length).toBeGreaterThan(2)
    })
  )

  it.virtual("keeps tags, entities and whitespace, and sends no whitespace around a sentence", () =>
    Effect.gen(function* () {
      const text = ' {n, plural, one { <b>#</b>&nbsp;file } other {  <a href="{u}">#</a> files}}\n'
      const { calls, provide } = translator((text) => text.replace("file", "Datei"))
      const [outcome] = yield* collect(
        TranslateStream.translate(Stream.make(text), { ...russian, targetLang: "de" })
      ).pipe(provide)
      expect(outcome!.value).toBe(
        ' {n, plural, one { <b>#</b>&nbsp;Datei } other {  <a href="{u}">#</a> Dateis}}\n'
      )
      for (const sent of calls.flat()) expect(sent).toBe(sent.trim())
    })
  )

  it.virtual("may be markup", () =>
    Effect.gen(function* () {
      const { calls, provide } = translator()
      const text = "<p>{n, plural, one {<b>#</b> file} other {<b>#</b> files}} &amp; {x}</p>"
      const [outcome] = yield* collect(
        TranslateStream.translate(Stream.make(text), { ...russian, targetLang: "de", tagHandling: "html" })
      ).pipe(provide)
      expect(outcome!.value).toBe(
        "{n, plural, one {<p><b>#</b> file &amp; {x}</p>} other {<p><b>#</b> files &amp; {x}</p>}}"
      )
      expect(calls[0]![0]).toBe('<p><b><x-ph id="1">1</x-ph></b> file &amp; <x-ph id="2">{x}</x-ph></p>')
    })
  )

  it.virtual("is one of a row's fields", () =>
    Effect.gen(function* () {
      const [outcome] = yield* Stream.make({ a: files, b: "plain", c: "{x}" }).pipe(
        TranslateStream.translateFields(["a", "b", "c"], { ...russian, targetLang: "en" }),
        collect,
        translator((text) => text.replace("plain", "simple")).provide
      )
      expect(outcome!.texts).toEqual({ translated: 2, cached: 0, skipped: 1, failed: 0 })
      expect(outcome!.value).toEqual({
        a: "{n, plural, one {You have # file in {folder}.} other {You have # files in {folder}.}}",
        b: "simple",
        c: "{x}"
      })
    })
  )
})

describe("for any texts", () => {
  const piece = fc.constantFrom(
    "a",
    " ",
    "'",
    "''",
    "'{a}'",
    "it's ",
    "#",
    "👍",
    "\n",
    "<",
    "&nbsp;",
    "%s",
    "<b>",
    "</b>",
    "{",
    "}",
    "\ud83d",
    "\u202b",
    '<a href="',
    '">',
    '<x id="1">',
    "</x>",
    "{a}",
    "{n}",
    "{d, number, ::percent}",
    "{n, plural, one {",
    "{n, plural, =0 {'#'} other {",
    "{s, select, x {",
    "{n, selectordinal, two {#nd} other {",
    "} other {# ",
    "}}",
    "}}"
  )
  const text = fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join(""))
  const whole = fc
    .tuple(text, text, text)
    .map(
      ([a, b, c]) =>
        `${a} {n, plural, one {${b.replace(/[{}']/g, "")}} other {# ${c.replace(/[{}']/g, "")} {a}}}`
    )

  const formatOf = Option.liftThrowable(
    (message: string) => new IntlMessageFormat(message, "en", undefined, { ignoreTag: true })
  )

  const meaning = (message: string, n: number): unknown =>
    Option.getOrUndefined(
      Option.flatMap(formatOf(message), (format) =>
        Option.liftThrowable(() => format.format({ a: "A", d: 0.5, s: "x", n }))()
      )
    )

  it.effect("of markup, one with an argument within a tag is sent as a text", () => {
    const { provide } = translator((text) => text)
    return Effect.gen(function* () {
      const text = '<a href="a {n, plural, one {a} other {# ">a {a}}}'
      const [outcome] = yield* collect(
        TranslateStream.translate(Stream.make(text), { ...russian, targetLang: "en", tagHandling: "html" })
      )
      expect(outcome!.value).toBe(text)
    }).pipe(provide)
  })

  it("each has an outcome, means the same if nothing was translated, and stays a message whatever was", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(text, whole), { minLength: 1, maxLength: 30 }),
        fc.constantFrom(undefined, "html" as const),
        fc.boolean(),
        fc.constantFrom("", "'", "{", "} #", "<b>"),
        (texts, tagHandling, dedupe, added) =>
          Effect.gen(function* () {
            const outcomes = yield* collect(
              TranslateStream.translate(Stream.fromIterable(texts), {
                ...russian,
                targetLang: "en",
                tagHandling,
                dedupe
              })
            ).pipe(translator((text) => added + text + added).provide)
            expect(outcomes.map(({ source }) => source)).toEqual(texts)
            for (const { _tag, source, value } of outcomes) {
              // Of markup, one with an argument or a number within a tag may be sent as a text.
              const isText = tagHandling !== undefined && /<[A-Za-z/!?][^<>]*[{#]/.test(source)
              const isMessage = !isText && IcuMessage.format.parse(source.trim(), {}) !== undefined
              if (_tag === "Failed") expect(added).not.toBe("")
              else if (added !== "") {
                if (isMessage) expect(formatOf(value)._tag).toBe("Some")
              } else if (!isMessage && !isText) expect(value).toBe(source)
              else for (const n of [0, 1, 2, 22]) expect(meaning(value, n)).toBe(meaning(source, n))
            }
          }).pipe(Effect.runPromise)
      ),
      { numRuns: runs(80) }
    )
  })
})
