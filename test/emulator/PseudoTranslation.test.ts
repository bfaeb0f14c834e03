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

  it("accents what only looks like a tag or a placeholder", () => {
    expect(translate("a < b & c { d", "de")).toBe("[de] å < b & ç { d")
  })

  it("accents long texts as it does short ones", () => {
    expect(translate("on👍".repeat(5000), "de")).toBe(`[de] ${"öñ👍".repeat(5000)}`)
  })

  it("keeps every character that it doesn't accent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const translated = translate(text, "de")
        if (text.trim() === "") return translated === text
        const plain = (s: string) => s.normalize("NFD").replace(/\p{M}/gu, "")
        return plain(translated.replace("[de] ", "")) === plain(text)
      })
    )
  })
})
