import { describe, expect, it } from "@effect/vitest"
import { PseudoTranslation } from "effect-translate/emulator"
import * as fc from "fast-check"

const { translate } = PseudoTranslation

describe("PseudoTranslation", () => {
  it("marks the text with the target language and accents its letters", () => {
    expect(translate("Hello world", "de")).toBe("[de] Héllö wörld")
  })

  it("writes the language in its canonical casing", () => {
    expect(translate("x", "PT-br")).toBe("[pt-BR] x")
  })

  it("keeps scripts without accents, and marks them", () => {
    expect(translate("こんにちは 世界", "de")).toBe("[de] こんにちは 世界")
    expect(translate("Привет 👍🏽", "de")).toBe("[de] Привет 👍🏽")
  })

  it("keeps surrounding whitespace, and blank texts as they are", () => {
    expect(translate("\n  Hello \t", "de")).toBe("\n  [de] Héllö \t")
    expect(["", " ", "\n\t "].map((text) => translate(text, "de"))).toEqual(["", " ", "\n\t "])
  })

  it.each([
    ["<b>", "</b>", "<br/>", '<a href="once">', "<!-- note -->", "<x id='1'/>"],
    ["{name}", "{{ name }}", "$" + "{name}", "{0}", "{count, number}"],
    ["%s", "%d", "%1$s", "%02d", "%.2f", "%@", "%(name)s", "%%", "100%"],
    ["&amp;", "&#233;", "&#xE9;", "&nbsp;"]
  ])("leaves tags, placeholders and entities alone: %s …", (...codes) => {
    for (const code of codes) {
      expect(translate(`on ${code} on`, "de")).toBe(`[de] öñ ${code} öñ`)
    }
  })

  it("accents a text that only looks like a tag or a placeholder", () => {
    expect(translate("a < b & c { d", "de")).toBe("[de] å < b & ç { d")
  })

  it("leaves the content of ignored tags alone", () => {
    const ignoring = (text: string) => translate(text, "de", undefined, ["x", "a.b"])
    expect(ignoring('on <x id="1">on <b>on</b></x> on')).toBe('[de] öñ <x id="1">on <b>on</b></x> öñ')
    expect(ignoring("<x>on</x>on<x>on</x>")).toBe("[de] <x>on</x>öñ<x>on</x>")
    expect(ignoring("<a.b>on</a.b> <aab>on</aab> <xy>on</xy>")).toBe(
      "[de] <a.b>on</a.b> <aab>öñ</aab> <xy>öñ</xy>"
    )
    expect(translate("<x>on</x>", "de")).toBe("[de] <x>öñ</x>")
  })

  it("accents long texts as it does short ones", () => {
    expect(translate("on👍".repeat(5000), "de")).toBe(`[de] ${"öñ👍".repeat(5000)}`)
  })

  it("keeps every character that it doesn't accent", () => {
    fc.assert(
      fc.property(fc.fullUnicodeString(), (text) => {
        const translated = translate(text, "de")
        if (text.trim() === "") return translated === text
        const plain = (s: string) => s.normalize("NFD").replace(/\p{M}/gu, "")
        return plain(translated.replace("[de] ", "")) === plain(text)
      })
    )
  })

  describe("with the entries of a glossary", () => {
    const entries = (terms: Readonly<Record<string, string>>) =>
      Object.entries(terms).map(([source, target]) => ({ source, target }))
    const de = (text: string, terms: Readonly<Record<string, string>>) =>
      translate(text, "de", entries(terms))

    it.each([
      ["the House, a House", { House: "Haus" }, "[de] thé Haus, å Haus"],
      ["house HOUSE Houses Warehouse", { House: "Haus" }, "[de] höûsé HÖÛSÉ Höûsés Wåréhöûsé"],
      ["tree house tree", { tree: "Baum", "tree house": "Baumhaus" }, "[de] Baumhaus Baum"],
      ["a b c d", { "a b": "1", "b c d": "2" }, "[de] 1 ç d"],
      ["naïve naï naïveté", { naï: "X", naïve: "Y" }, "[de] Y X ñåïvété"],
      ["cafe\u0301 cafe", { cafe: "Kaffee" }, "[de] çåfé\u0301 Kaffee"],
      ["дом домовой", { дом: "Haus" }, "[de] Haus домовой"],
      ["😀x x😀 😀", { x: "Y", "😀": "Z" }, "[de] ZY YZ Z"],
      ["𝒳y 𝒳", { y: "Y", 𝒳: "X" }, "[de] 𝒳ý X"],
      ["C++ and C", { "C++": "C+1", C: "Ce" }, "[de] C+1 åñd Ce"],
      ["ASP.NET .NET", { ".NET": "Netz" }, "[de] ÅSPNetz Netz"],
      ["こんにちは世界です", { 世界: "Welt" }, "[de] こんにちはWeltです"],
      ["constructor __proto__ on", { constructor: "1", __proto__x: "2" }, "[de] 1 __prötö__ öñ"],
      ["x_on on_x on-x 1on on1", { on: "an" }, "[de] x_öñ öñ_x an-x 1öñ öñ1"],
      ["50% off (A.)", { "50% off": "halb", "A.": "B." }, "[de] halb (B.)"],
      [" on ", { on: "an" }, " [de] an "],
      ["  ", { on: "an" }, "  "],
      ["on", {}, "[de] öñ"]
    ] as const)("%j", (text, terms, expected) => {
      expect(de(text, terms)).toBe(expected)
    })

    it("replaces none within tags and placeholders, and those between them", () => {
      expect(de('<a href="on">on</a> {on} %(on)s &on;', { on: "an" })).toBe(
        '[de] <a href="on">an</a> {on} %(on)s &on;'
      )
    })

    it("takes the first of equal sources, and replaces no target again", () => {
      const twice = [
        { source: "a", target: "b" },
        { source: "a", target: "c" },
        { source: "b", target: "d" }
      ]
      expect(translate("a b", "de", twice)).toBe("[de] b d")
    })

    it("changes no text without their sources, and agrees with replacing word by word", () => {
      const word = fc.constantFrom("on", "cat", "Tür", "世", "x1")
      fc.assert(
        fc.property(fc.array(word, { minLength: 1 }), fc.uniqueArray(word), (words, sources) => {
          const terms = sources.map((source) => ({ source, target: `<${source}>` }))
          const expected = words.map((each) =>
            sources.includes(each) ? `<${each}>` : translate(each, "de").replace("[de] ", "")
          )
          return translate(words.join(" "), "de", terms) === `[de] ${expected.join(" ")}`
        })
      )
    })
  })
})
