import { describe, expect, it } from "@effect/vitest"
import {
  parseExpression,
  parsePluralForms,
  pluralFormsOf
} from "../../src/format/internal/plurals/pluralForms.js"

describe("plural forms of gettext", () => {
  it("are computed as C does", () => {
    for (const [source, n, value] of [
      ["n != 1", 1, 0],
      ["n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2", 21, 0],
      ["n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2", 0, 2],
      ["!n", 0, 1],
      ["(n + 3) * 2 / 5 - 1", 1, 0],
      ["n > 1 || n < 1 && n >= 0", 0, 1],
      ["1 ? 2 : 1 ? 3 : 4", 0, 2],
      ["n<=2", 2, 1]
    ] as const) {
      expect(parseExpression(source)?.(n)).toBe(value)
    }
  })

  it("are not read from a text that is no expression", () => {
    for (const source of [
      "",
      "n +",
      "(n",
      "n)",
      "n ? 1",
      "process.exit()",
      "constructor",
      "EXPRESSION",
      "(".repeat(2000)
    ]) {
      expect(parseExpression(source)).toBeUndefined()
    }
    expect(parsePluralForms("nplurals=INTEGER; plural=EXPRESSION;")).toBeUndefined()
    expect(parsePluralForms("nplurals=1000000000; plural=0;")).toBeUndefined()
  })

  it("agree with the categories of CLDR", () => {
    for (const language of "ja ko zh id de sv es it tr ru uk be cs sk ro lt pl sl ar fr mk".split(" ")) {
      const rules = new Intl.PluralRules(language)
      const forms = pluralFormsOf(language)
      const index = parseExpression(/plural=(.*?);?$/.exec(forms.header)![1]!)!
      const categories = new Map<string, number>()
      for (let n = 0; n < 300; n++) {
        const category = rules.select(n)
        if (!categories.has(category)) categories.set(category, index(n))
        expect([language, n, index(n)]).toStrictEqual([language, n, categories.get(category)])
      }
      expect(forms.count).toBe(categories.size)
    }
  })

  it("know which form is for 1 alone", () => {
    const singular = (language: string) =>
      Array.from({ length: pluralFormsOf(language).count }, (_, index) =>
        pluralFormsOf(language).isSingular(index)
      )
    expect(singular("de")).toStrictEqual([true, false])
    expect(singular("fr")).toStrictEqual([false, false])
    expect(singular("pl")).toStrictEqual([true, false, false])
    expect(singular("ru")).toStrictEqual([false, false, false])
    expect(singular("ar")).toStrictEqual([false, true, false, false, false, false])
  })

  it("know which form is for 1, but not for 2", () => {
    const ofOne = (language: string) =>
      Array.from({ length: pluralFormsOf(language).count }, (_, index) =>
        pluralFormsOf(language).isOfOne(index)
      )
    expect(ofOne("de")).toStrictEqual([true, false])
    expect(ofOne("fr")).toStrictEqual([true, false])
    expect(ofOne("ru")).toStrictEqual([true, false, false])
    expect(ofOne("ar")).toStrictEqual([false, true, false, false, false, false])
    expect(ofOne("ja")).toStrictEqual([false])
  })

  it("are found by codes with regions, however they are written", () => {
    for (const code of ["pt_BR", "pt-BR", "pt-rBR", "pt-br"])
      expect(pluralFormsOf(code).header).toContain("n > 1")
    expect(pluralFormsOf("pt").header).toContain("n != 1")
    expect(pluralFormsOf("zh_Hant").count).toBe(1)
  })
})
