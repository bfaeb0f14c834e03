import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Placeholder } from "effect-translate"
import * as fc from "fast-check"
import * as OversizedText from "../../src/text/OversizedText.js"
import { translate } from "../support/client.js"
import * as cpuTime from "../support/cpuTime.js"
import { emulatedInProcess } from "../support/emulator.js"
import { runs } from "../support/long.js"

const { protect, restore } = Placeholder

const found = (text: string, options?: Placeholder.Options) => protect(text, options).placeholders

/** What came back for a translation of `text`: the restored text, or the counts of what is wrong. */
const back = (text: string, translated: string, options?: Placeholder.Options) =>
  Either.match(restore(protect(text, options), translated), {
    onRight: (restored) => restored,
    onLeft: ({ broken, expected, missing, surplus }) => ({ expected, missing, surplus, broken })
  })

describe("protect", () => {
  it.each([
    ["{name}", "{0}", "{ name }", "{user.name}", "{0:N2}", "{0:yyyy-MM-dd HH:mm}", "{x!r:>10}", "{0,10}"],
    ["{{x}}", "{{ user name | upper }}", "{{{html}}}", "{{#if x}}"],
    [
      "$" + "{x}",
      "$" + '{count > 1 ? "many" : "one"}',
      "$" + "{a({ b: {} })}",
      "#{x}",
      "%{x}",
      "$" + "{{ x }}"
    ],
    ["%s", "%d", "%@", "%1$s", "%2$@", "%02d", "%-10s", "%.2f", "%*d", "%lld", "%(name)s", "%(n).1f", "%%"],
    [
      "<b>",
      "</b>",
      "<br/>",
      '<a href="x > y">',
      "<img alt='>' src=a>",
      "<input disabled>",
      "<0>",
      "</1>",
      "<2/>"
    ],
    ["&nbsp;", "&amp;", "&frac12;", "&#39;", "&#x27;", "&#X1F600;"],
    ["<!-- note -->", '<?xml version="1.0"?>', "<!DOCTYPE html>", "<ns:tag-name.x>", "<me@example.org>"],
    ["{price, number, ::currency/EUR}", "{day, date, short}", "{n, selectordinal, one {#st} other {#th}}"],
    ["{count, plural, =0 {none} one {# file} other {# files}}"],
    [
      "{g, select, female {{n, plural, one {her {a} file} other {her files}}} other {{n, plural, other {files}}}}"
    ]
  ])("finds %s …", (...placeholders) => {
    for (const placeholder of placeholders) {
      expect(found(`on ${placeholder} on`)).toEqual([placeholder])
      expect(found(placeholder + placeholder)).toEqual([placeholder, placeholder])
    }
  })

  it.each([
    "100% sure, 50 % of it, 20%",
    "a < b, a <b, c > d, Map<string, number>, <3, <-, < b>",
    "{two words}, {a, b}, {}, { }, {unclosed",
    "5$ & £6; #1",
    "AT&T, a && b; &c &; &#; &#x; &1;"
  ])("finds nothing in: %s", (text) => {
    expect(found(text)).toEqual([])
  })

  it("marks placeholders and escapes characters that have a meaning in XML", () => {
    expect(protect("Hi {name}, <b>5 < 6</b> & %s").text).toBe(
      'Hi <x id="1">{name}</x>, <x id="2">&lt;b&gt;</x>5 &lt; 6<x id="3">&lt;/b&gt;</x> &amp; <x id="4">%s</x>'
    )
  })

  it("leaves a text alone that has nothing to protect or escape", () => {
    for (const text of ["", "Hello.", ' "Quoted" it\'s\r\n', "100% 世界 👍🏽 \ud800"])
      expect(protect(text).text).toBe(text)
  })

  it("protects matches of the caller's patterns, whatever their flags, besides or instead", () => {
    const patterns = [/acme\s+pro/i, /\b[A-Z]{2}-\d+/g, /x*/, /^The/y]
    expect(found("The Acme Pro {n} is AB-12, not AB-13", { patterns })).toEqual([
      "The",
      "Acme Pro",
      "{n}",
      "AB-12",
      "AB-13"
    ])
    expect(found("Acme Pro {n} %s", { kinds: ["printf"], patterns })).toEqual(["Acme Pro", "%s"])
    expect(found("Acme Pro {n} %s", { kinds: [] })).toEqual([])
  })

  it("takes matches that overlap for one, and those that touch for two", () => {
    expect(found("SKU {id}-7 {a}b", { patterns: [/SKU \{/, /\}-\d/, /b/] })).toEqual([
      "SKU {id}-7",
      "{a}",
      "b"
    ])
  })
})

describe("restore", () => {
  const text = "Hi {name}, %s and %s < 5"

  it("takes placeholders in any order", () => {
    expect(back(text, '<x id="3">%s</x> &lt; 5 <x id="2">%s</x>, Hallo <x id="1">{name}</x>')).toBe(
      "%s < 5 %s, Hallo {name}"
    )
  })

  it("takes the changes of translators to marks and entities without harm", () => {
    expect(
      back(
        text,
        "Hallo <x id='1' >{name}</x >, <x id=2>%s</x> und %s &#60; &quot;5&#x22; &unknown; &#9999999;"
      )
    ).toBe('Hallo {name}, %s und %s < "5" &unknown; &#9999999;')
    expect(back("a {b} c", 'a<x id="1"> {b} </x>c')).toBe("a {b} c")
    expect(back("a <b> c", 'a <x id="1"><b></x> c')).toBe("a <b> c")
  })

  it("tells dropped, doubled, changed, translated and broken ones", () => {
    const one = '<x id="1">{name}</x>'
    expect(back("Hi {name}", "Hallo")).toEqual({ expected: 1, missing: 1, surplus: 0, broken: 0 })
    expect(back("Hi {name}", 'Hallo <x id="1"/>')).toEqual({ expected: 1, missing: 1, surplus: 0, broken: 1 })
    expect(back("Hi {name}", 'Hallo <x id="1"></x>')).toEqual({
      expected: 1,
      missing: 1,
      surplus: 1,
      broken: 0
    })
    expect(back("Hi {name}", `Hallo ${one}${one}`)).toEqual({
      expected: 1,
      missing: 0,
      surplus: 1,
      broken: 0
    })
    expect(back("Hi {name}", `Hallo ${one} {name}`)).toEqual({
      expected: 1,
      missing: 0,
      surplus: 1,
      broken: 0
    })
    expect(back("Hi {name}", 'Hallo <x id="1">{Name}</x>')).toEqual({
      expected: 1,
      missing: 1,
      surplus: 1,
      broken: 0
    })
    expect(back("Hi {name}", "Hallo {Name}")).toEqual({ expected: 1, missing: 1, surplus: 0, broken: 0 })
    expect(back("Hi {name}", 'Hallo <x id="1">{name}')).toEqual({
      expected: 1,
      missing: 0,
      surplus: 0,
      broken: 1
    })
    expect(back("Hi", "Hallo</x>")).toEqual({ expected: 0, missing: 0, surplus: 0, broken: 1 })
  })

  it("does not take words of the translation for placeholders", () => {
    expect(back("{curly braces} of {x}", '{Klammern} von <x id="1">{x}</x>')).toBe("{Klammern} von {x}")
    expect(back("US dollars {x}", 'US$<x id="1">{x}</x>')).toBe("US$" + "{x}")
  })

  it("fails with counts and without any text", () => {
    const lost = Either.flip(restore(protect("Secret {one} {two}"), "Geheim {zwei}")).pipe(Either.getOrThrow)
    expect(Placeholder.isPlaceholderLost(lost)).toBe(true)
    expect(Placeholder.isPlaceholderLost(new Error())).toBe(false)
    expect(lost).toMatchObject({ _tag: "PlaceholderLost", expected: 2, missing: 2, surplus: 0, broken: 0 })
    expect(`${lost.message} ${JSON.stringify(lost)}`).not.toMatch(/secret|geheim|one\}|zwei/i)
  })

  const piece = fc.oneof(
    fc.constantFrom(
      '<x id="1">',
      "</x>",
      '<x id="1">{a}</x>',
      "<x/>",
      "&amp;",
      "&lt;x id=1&gt;",
      "&#39;",
      "&#x1F600;",
      "&",
      "<",
      ">",
      "<![CDATA[ a < b ]]>",
      "<!--",
      "-->",
      "{name}",
      "{{x}}",
      "{n, plural, one {# a} other {# b}}",
      "$" + "{x}",
      "%s",
      "%1$s",
      "100%",
      "{",
      "}",
      "$",
      "<b>",
      '"',
      "'"
    ),
    fc.constantFrom("\ud83d", "\ude00", "👍🏽", "e\u0301", "\r\n", " ", "\u0000", "word", "ſ"),
    fc.fullUnicodeString({ maxLength: 6 })
  )
  const anyText = fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(""))
  const anyOptions: fc.Arbitrary<Placeholder.Options> = fc.constantFrom(
    {},
    {},
    { kinds: [] },
    { kinds: ["braces"] },
    { patterns: [/wor/, /(?<=\{)n/, /^a/m, /[\ud83d]/, /\s+/, /id="\d"/, /x*/] }
  )

  it("gives back every text that comes back as it was sent", () => {
    fc.assert(
      fc.property(anyText, anyOptions, (text, options) => {
        const sent = protect(text, options)
        expect(Either.getOrThrow(restore(sent, sent.text))).toBe(text)
        expect(sent.text).not.toMatch(/<(?!x id="\d+">|\/x>)|&(?!(amp|lt|gt);)/)
      }),
      { numRuns: runs(1500) }
    )
  })

  it("gives back every text that was cut by a Segmenter on its way", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 8, max: 100 }), (text, maxBytes) => {
        const sent = protect(text)
        const segments = OversizedText.split(sent.text, { maxBytes, unbreakable: Placeholder.unbreakable })
        const joined = OversizedText.join(
          segments,
          segments.map(({ text }) => text)
        )
        expect(Either.getOrThrow(restore(sent, joined))).toBe(text)
      }),
      { numRuns: runs(1000) }
    )
  })

  it("keeps marks in one piece when a text is cut", () => {
    const sent = protect("{a} & {b}! <c> ".repeat(50))
    for (const { text } of OversizedText.split(sent.text, {
      maxBytes: 60,
      unbreakable: Placeholder.unbreakable
    })) {
      expect(text).toMatch(/^(?:<x id="\d+">[^<>]*<\/x>|&\w+;|[^<>&])*$/)
    }
  })

  it("tells every single placeholder that is dropped, doubled or changed", () => {
    const placeholder = fc.constantFrom("{a}", "{b}", "%s", "%d", "<b>", "</b>", "{{c}}", "&", "word ")
    fc.assert(
      fc.property(
        fc.array(placeholder, { minLength: 1, maxLength: 10 }),
        fc.nat(),
        fc.constantFrom("drop", "double", "change"),
        (pieces, at, how) => {
          const sent = protect(pieces.join(" "))
          const elements = [...sent.text.matchAll(/<x id="\d+">[^<>]*<\/x>/g)]
          fc.pre(elements.length > 0)
          const { 0: element, index } = elements[at % elements.length]!
          const instead = {
            drop: "",
            double: element + element,
            change: element.replace(/(.)<\/x>/, "ä$1</x>")
          }[how]
          const translated = sent.text.slice(0, index) + instead + sent.text.slice(index + element.length)
          expect(Either.isLeft(restore(sent, translated))).toBe(true)
        }
      ),
      { numRuns: runs(1000) }
    )
  })
})

describe("of markup", () => {
  const html = { tagHandling: "html" } as const

  it("only text is looked at, and nothing is escaped", () => {
    const text =
      '<p title="{a}">Hi {b}, &nbsp;<!-- {c} <b> -->%s <x id="1">own</x></p><script>if (a < b) {d}</script> {e}<![CDATA[{f}]]>'
    const sent = protect(text, html)
    expect(sent.placeholders).toEqual(["{b}", "%s", "{e}"])
    expect(sent.text).toBe(
      '<p title="{a}">Hi <x-ph id="1">{b}</x-ph>, &nbsp;<!-- {c} <b> --><x-ph id="2">%s</x-ph> <x id="1">own</x></p><script>if (a < b) {d}</script> <x-ph id="3">{e}</x-ph><![CDATA[{f}]]>'
    )
    expect(Either.getOrThrow(restore(sent, sent.text))).toBe(text)
  })

  it("tags may come back changed or doubled, placeholders may not", () => {
    expect(back("<b>Hi {a}</b>", '<b>Hallo</b> <b class="{a}"><x-ph id="1">{a}</x-ph></b>', html)).toBe(
      '<b>Hallo</b> <b class="{a}">{a}</b>'
    )
    expect(back("<b>Hi {a}</b>", "<b>Hallo</b>", html)).toMatchObject({ missing: 1 })
    expect(back("<b>Hi {a}</b>", '<b><x-ph id="1">{a}</x-ph>{a}</b>', html)).toMatchObject({ surplus: 1 })
    expect(back("<b>Hi {a}</b>", '<b><x-ph id="1">{a}</b>', html)).toMatchObject({ broken: 1 })
  })

  it("a placeholder across a tag is left alone", () => {
    expect(protect("{a<b>c}</b> {d}", html).text).toBe('{a<b>c}</b> <x-ph id="1">{d}</x-ph>')
  })

  it("requests ignore an element more", () => {
    expect(Placeholder.requestOptions({ tagHandling: "xml", ignoreTags: ["code"] })).toEqual({
      tagHandling: "xml",
      ignoreTags: ["code", "x-ph"]
    })
    expect(Placeholder.requestOptions()).toEqual({ tagHandling: "xml", ignoreTags: ["x"] })
  })

  it("every text comes back as it was sent, and whole when it is cut", () => {
    const piece = fc.constantFrom(
      "{a}",
      "%s",
      "<b>",
      "</b>",
      "<br/>",
      "&nbsp;",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<script>",
      "</script>",
      "<style>",
      "{",
      "}",
      "<",
      ">",
      "&",
      "word ",
      "$" + "{x}",
      '"',
      "<a href='{u}'>",
      "\ud83d",
      "\u202b"
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join("")),
        fc.constantFrom("html" as const, "xml" as const),
        (text, tagHandling) => {
          const sent = protect(text, { tagHandling })
          expect(Either.getOrThrow(restore(sent, sent.text))).toBe(text)
          const segments = OversizedText.split(sent.text, {
            maxBytes: 40,
            unbreakable: Placeholder.unbreakable
          })
          expect(segments.map(({ after, before, text }) => before + text + after).join("")).toBe(sent.text)
          // What takes more than a segment by itself is cut all the same.
          const parts = sent.text.match(new RegExp(Placeholder.unbreakable, "g")) ?? []
          const fits = parts.every((part) => Buffer.byteLength(JSON.stringify(part)) <= 40)
          for (const { text } of segments) {
            if (fits && Buffer.byteLength(text) < 38)
              expect(text.match(/<x-ph/g)?.length).toBe(text.match(/<\/x-ph>/g)?.length)
          }
        }
      ),
      { numRuns: runs(500) }
    )
  })
})

describe("a hostile translator", () => {
  it("that swaps marks without their content changes nothing", () => {
    expect(back("{a} and {b}", '<x id="2">{a}</x> und <x id="1">{b}</x>')).toBe("{a} und {b}")
  })

  it("that invents numbers, nests marks or sends a million is told", () => {
    expect(back("Hi {a}", '<x id="99999999999999999999">{a}</x>')).toBe("{a}")
    expect(back("Hi {a}", '<x id="1"><x id="1">{a}</x></x>')).toMatchObject({ broken: 2 })
    expect(back("Hi {a}", '<x id="1">{a}</x>'.repeat(100_000))).toMatchObject({ surplus: 99_999 })
  })

  it("that reverses ten thousand placeholders is answered soon", () => {
    const sent = protect("{a} ".repeat(10_000))
    const used = cpuTime.start()
    const reversed = sent.text
      .trimEnd()
      .split("> <")
      .reverse()
      .join("> <")
      .replace(/^x/, "<x")
      .replace(/x$/, "x>")
      .replace("<x>", "")
    restore(sent, reversed)
    expect(used()).toBeLessThan(2000)
  })
})

it.effect("texts come back from the emulator with their placeholders", () =>
  Effect.gen(function* () {
    const texts = [
      "Hello {user name}, {name} & <b>all</b>",
      "Plain",
      "{n, plural, one {# file} other {# files}} on"
    ]
    const sent = texts.map((text) => protect(text))
    const { translations } = yield* translate({
      text: sent.map(({ text }) => text),
      targetLang: "de",
      ...Placeholder.requestOptions()
    })
    expect(sent.map((each, index) => Either.getOrThrow(restore(each, translations[index]!.text)))).toEqual([
      "[de] Héllö {user name}, {name} & <b>åll</b>",
      "[de] Plåîñ",
      "[de] {n, plural, one {# file} other {# files}} öñ"
    ])
  }).pipe(Effect.provide(emulatedInProcess()))
)
