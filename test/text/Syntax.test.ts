/** The table of syntax: what is found in a text, and what is told of it. */
import { describe, expect, it } from "@effect/vitest"
import { Syntax } from "effect-translate"
import { Formats } from "effect-translate/formats"
import * as fc from "fast-check"

const catalogue: ReadonlyArray<Syntax.Name> = ["braces", "printf", "tags", ...Syntax.knownIn("catalogue")]

const found = (text: string, kinds = catalogue, place: Syntax.Place = "catalogue") =>
  Syntax.find(text, { kinds, place })
    .filter(({ isUnderstood }) => isUnderstood)
    .map(({ end, start }) => text.slice(start, end))

const told = (text: string, place: Syntax.Place = "catalogue", kinds = catalogue) =>
  Syntax.notUnderstood(text, { kinds, place })?.syntax

/** A text with each syntax, and the pieces of it. */
const fixtures: Readonly<Record<Syntax.Name, readonly [text: string, ...pieces: ReadonlyArray<string>]>> = {
  braces: ["Hi {name}, {{ x }} {0}", "{name}", "{{ x }}", "{0}"],
  percent: ["%count% of %dx%d %product.name%", "%count%", "%product.name%"],
  printf: ["%s, %1$d, %(who)s", "%s", "%1$d", "%(who)s"],
  "c-format": ["20%ige %s", "%i", "%s"],
  tags: ["a <b>c</b>&nbsp;d", "<b>", "</b>", "&nbsp;"],
  liquid: ["{% if a %}yes{% endif %}", "{% if a %}", "{% endif %}"],
  erb: ["By <%= user.name %>.", "<%= user.name %>"],
  mf2: ["{$count :number} and {#b}x{/b}", "{$count :number}", "{#b}", "{/b}"],
  "vue-i18n": ["See @:nav.home. @.lower:a.b, me{'@'}x.org", "@:nav.home", "@.lower:a.b", "{'@'}"],
  i18next: ["See $t(key, { x }) now", "$t(key, { x })"],
  "home-assistant": ["[%key:common::on%] now", "[%key:common::on%]"],
  shortcodes: ['[gallery id="3"] [quote]a[/quote] see [1]', '[gallery id="3"]', "[quote]", "[/quote]"],
  dollars: ["Hi $name$, $5", "$name$"],
  underscores: ["Hi __name__, a__b__", "__name__"],
  variables: ["Hi $name and $(user), $5", "$name", "$(user)"],
  laravel: [
    "Hi :name, at 12:30 :) a::b, #:id [:text](:url) HH:MM[:ss] :from–:to",
    ":name",
    ":id",
    ":text",
    ":url",
    ":from",
    ":to"
  ],
  drupal: ["Hi @name, !link and %file-name; me@x.org", "@name", "!link", "%file-name"],
  rst: [
    "See :ref:`intro` and :ref:`this page <page>` or `docs <https://a.b>`_ ``x``",
    ":ref:`intro`",
    ":ref:`",
    "<page>`",
    "<https://a.b>`_",
    "``x``"
  ],
  icu: ["{n, plural, one {# a} other {# b}}", "{n, plural,"],
  plurals: ["{0} none|{1} one|[2,Inf] some", "{0} none|{1"],
  expressions: ["{a | b} and {your name}, { ALL | NONE } { <id> [,...] | all }", "{a | b}"],
  marks: ["##a## @@b@@ [[c]] <<d>> *|NAME|* #e#", "##a##", "@@b@@", "[[c]]", "<<d>>", "*|NAME|*", "#e#"],
  macros: ["QBT_TR(Save) and MAX_SIZE, A_B(c)", "QBT_TR(Save)"]
}

describe("Syntax", () => {
  it.each(Syntax.names)("%s is found as it is written, and by nothing but its name", (name) => {
    const [text, ...pieces] = fixtures[name]
    expect(found(text, [name])).toStrictEqual(pieces)
  })

  it("takes no percentage of prose for printf, unless it is told that it is", () => {
    for (const text of ["Eine 20%ige Lösung", "100%ig", "20 %ige", "%50eko", "5%discount", "20% i"]) {
      expect(found(text, ["printf"])).toStrictEqual([])
    }
    expect(found("20%ige", ["printf", "c-format"])).toStrictEqual(["%i"])
    expect(found("%dx%d %ld%% %s%s %5d", ["printf"])).toStrictEqual([
      "%d",
      "%d",
      "%ld",
      "%%",
      "%s",
      "%s",
      "%5d"
    ])
  })

  it("tells in catalogues of syntax that nothing reads, and its place", () => {
    expect(Syntax.notUnderstood("Hello :name", { place: "catalogue", kinds: catalogue })).toMatchObject({
      syntax: "laravel",
      offset: 6
    })
    expect(told("{n, plural, one {# a} other {# b}}")).toBe("icu")
    expect(told("{0} none|{1} one")).toBe("plurals")
    expect(told("{a | b}")).toBe("expressions")
    expect(told("##name##")).toBe("marks")
    expect(told("Hi {name}, {{x}} %s @:a.b $t(c) {% d %}")).toBeUndefined()
    expect(told("Home | My Shop, {your name}, 12:30, US$5")).toBeUndefined()
  })

  it("tells nothing of syntax that is protected on demand", () => {
    expect(told("Hello :name", "catalogue", [...catalogue, "laravel"])).toBeUndefined()
  })

  it("tells in rows only of syntax that can't be prose", () => {
    const inRows = Syntax.knownIn("rows")
    for (const text of ["@name :x $x$ [1] Home | Shop", "Hi $name, ##a##", "array[i] __init__"]) {
      expect(found(text, inRows, "rows")).toStrictEqual([])
      expect(told(text, "rows", inRows)).toBeUndefined()
    }
    expect(told("You have {n, plural, one {# item} other {# items}}", "rows", inRows)).toBe("icu")
    expect(found("See $t(a) {% b %}", inRows, "rows")).toStrictEqual(["$t(a)", "{% b %}"])
    expect(told("{% b %}", "rows", [])).toBe("liquid")
  })

  it("reads a message by its format, and tells one that the format does not read", () => {
    const messageFormat = {
      name: "test",
      parse: (text: string) => (text.includes("other") ? { sentences: [], format: () => text } : undefined)
    }
    const reading = { place: "catalogue", kinds: catalogue, messageFormat } as const
    expect(Syntax.notUnderstood("{n, plural, other {b}}", reading)).toBeUndefined()
    expect(Syntax.notUnderstood("{n, plural, one {b}}", reading)?.syntax).toBe("icu")
  })

  it("names no text in its error, but the reader of its syntax", () => {
    const error = Syntax.notUnderstood("Hello :secret", { place: "catalogue", kinds: [] })
    expect(Syntax.isNotUnderstood(error)).toBe(true)
    expect(error!.message).not.toContain("secret")
    expect(error!.message).toContain("--protect laravel")
  })

  it("finds pieces in their order, within any text", () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      "%",
      "@:a",
      "$t(",
      ")",
      "[",
      "]",
      "<",
      ">",
      "`",
      ":",
      "a",
      " ",
      "|",
      "'",
      "#"
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("")
        const ranges = Syntax.find(text, { place: "catalogue", kinds: Syntax.names })
        let from = 0
        for (const { end, start } of ranges) {
          expect(start).toBeGreaterThanOrEqual(from)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          from = start
        }
      })
    )
  })

  it.each([":a:a", "[1,2]plural,", "{0} a", "$t($t(a)", "[a b=", "<% ", "{{{a", "@:{"])(
    "is found in a time that grows with the text, of %s again and again",
    (piece) => {
      const timeOf = (times: number) => {
        const text = piece.repeat(times)
        const begun = performance.now()
        for (const name of Syntax.names) Syntax.find(text, { place: "catalogue", kinds: [name] })
        return performance.now() - begun
      }
      timeOf(500)
      // Four times as long would take sixteen times as long, were it quadratic; below that a pause of the machine is no fault.
      const [short, long] = [timeOf(2000), timeOf(8000)]
      expect(long).toBeLessThan(12 * short + 300)
    }
  )

  it("has a place for each format, but those that hold translations of others", () => {
    expect(Formats.all.filter(({ place }) => place === undefined).map(({ name }) => name)).toStrictEqual([
      "tmx"
    ])
  })

  it("is protected in each format where it is known, or told", () => {
    for (const { name, place, placeholders } of Formats.all) {
      if (place === undefined) continue
      for (const syntax of Syntax.knownIn(place)) {
        const [text] = fixtures[syntax]
        const { kinds = [], patterns } = placeholders ?? {}
        const isProtected = found(text, [syntax]).every((piece) =>
          Syntax.find(text, { place, kinds, patterns }).some(
            ({ end, isUnderstood, start }) => isUnderstood && text.slice(start, end).includes(piece)
          )
        )
        const isTold = Syntax.notUnderstood(text, { place, kinds, patterns }) !== undefined
        expect([name, syntax, isProtected || isTold]).toStrictEqual([name, syntax, true])
      }
    }
  })
})
