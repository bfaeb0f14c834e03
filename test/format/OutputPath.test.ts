import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as LanguageCode from "../../src/api/LanguageCode.js"
import * as OutputPath from "../../src/format/OutputPath.js"

const paths = (pattern: OutputPath.Pattern, langs: ReadonlyArray<string>, options?: OutputPath.Options) =>
  langs.map((lang) => OutputPath.make(pattern, options).path(lang))

describe("OutputPath", () => {
  it("writes BCP 47 codes where the platform has none of its own", () => {
    expect(paths("locales/{lang}.json", ["de", "PT-BR", "zh_hant"])).toStrictEqual([
      "locales/de.json",
      "locales/pt-BR.json",
      "locales/zh-Hant.json"
    ])
    expect(paths("App/{lang}.lproj/Localizable.strings", ["pt-BR", "zh-Hans"])).toStrictEqual([
      "App/pt-BR.lproj/Localizable.strings",
      "App/zh-Hans.lproj/Localizable.strings"
    ])
  })

  it("writes Android's codes in folders of resources", () => {
    const langs = ["de", "pt-BR", "sr-Latn", "zh-Hant", "es-419", "he", "id", "sr-Latn-RS"]
    expect(paths("app/res/values-{lang}/strings.xml", langs)).toStrictEqual(
      ["de", "pt-rBR", "b+sr+Latn", "b+zh+Hant", "b+es+419", "iw", "in", "b+sr+Latn+RS"].map(
        (code) => `app/res/values-${code}/strings.xml`
      )
    )
  })

  it("writes underscores where gettext, Java, Flutter and Chrome read them", () => {
    for (const pattern of [
      "po/{lang}.po",
      "{lang}/LC_MESSAGES/app.mo",
      "lib/l10n/app_{lang}.arb",
      "messages_{lang}.properties",
      "_locales/{lang}/messages.json"
    ] as const) {
      expect(paths(pattern, ["pt-BR"])).toStrictEqual([pattern.replace("{lang}", "pt_BR")])
    }
  })

  it("writes the style and the codes it is told", () => {
    expect(paths("{lang}.json", ["pt-BR"], { style: "lower" })).toStrictEqual(["pt-br.json"])
    expect(paths("{lang}.json", ["pt-BR"], { style: "lowerUnderscore" })).toStrictEqual(["pt_br.json"])
    const chinese = OutputPath.make("{lang}.po", { codes: { "zh-hant": "zh_TW.UTF-8" } })
    expect(chinese.path("ZH-HANT")).toBe("zh_TW.UTF-8.po")
    expect(chinese.match("zh_TW.UTF-8.po")).toBe("zh-Hant")
  })

  it("reads every style as a code of the service", () => {
    const { match } = OutputPath.make("i18n/{lang}.json")
    const codes = {
      "pt-BR": "pt-BR",
      pt_BR: "pt-BR",
      "pt-br": "pt-BR",
      pt_br: "pt-BR",
      "pt-rBR": "pt-BR",
      PT_BR: "pt-BR",
      "en-US": "en-US",
      "b+sr+Latn": "sr-Latn",
      "sr@latin": "sr-Latn",
      "sr_RS@latin": "sr-Latn-RS",
      "ca@valencia": "ca-valencia",
      zh_TW: "zh-Hant",
      "zh-CN": "zh-Hans",
      "zh-HANT": "zh-Hant",
      zh_HK: "zh-HK",
      "es-419": "es-419",
      iw: "he",
      "in-rID": "id-ID",
      no: "nb",
      "pt_BR.UTF-8": "pt-BR"
    }
    for (const [code, lang] of Object.entries(codes))
      expect([code, match(`i18n/${code}.json`)]).toStrictEqual([code, lang])
  })

  it("does not take other names for languages", () => {
    const { match } = OutputPath.make("locales/{lang}.json")
    for (const name of ["app", "ui", "index", "Base", "de-verylongvariant", "xx", "de/at", ""]) {
      expect([name, match(`locales/${name}.json`)]).toStrictEqual([name, undefined])
    }
    expect(match("src/locales/de.json")).toBeUndefined()
    expect(match("locales/de.json.orig")).toBeUndefined()
    expect(match("locales/dexjson")).toBeUndefined()
    const android = OutputPath.make("res/values-{lang}/strings.xml")
    for (const name of ["night", "land", "sw600dp", "v21", "car", "de-night"]) {
      expect([name, android.match(`res/values-${name}/strings.xml`)]).toStrictEqual([name, undefined])
    }
    expect(OutputPath.make("{lang}.lproj").match("Base.lproj")).toBeUndefined()
  })

  it("needs the same code at all places", () => {
    const { glob, match, path } = OutputPath.make("{lang}/app-{lang}.json")
    expect(path("de")).toBe("de/app-de.json")
    expect(match("de/app-de.json")).toBe("de")
    expect(match("de/app-fr.json")).toBeUndefined()
    expect(glob).toBe("*/app-*.json")
  })

  it("reads paths of Windows, and paths from here", () => {
    const { match } = OutputPath.make("./locales/{lang}.json")
    expect(match("locales\\de.json")).toBe("de")
    expect(match("./locales/de.json")).toBe("de")
  })

  it("knows a pattern", () => {
    expect(OutputPath.isPattern("a/{lang}.json")).toBe(true)
    expect(OutputPath.isPattern("a/de.json")).toBe(false)
  })

  it("reads its own output for every language of the service", () => {
    const pattern = fc.constantFrom<OutputPath.Pattern>(
      "{lang}.json",
      "values-{lang}/strings.xml",
      "$&[a-z]/{lang}.po"
    )
    const style = fc.constantFrom<OutputPath.Style>(
      "bcp47",
      "underscore",
      "lower",
      "lowerUnderscore",
      "android"
    )
    const langs = fc.constantFrom(...LanguageCode.known, "sr-Latn-RS", "yi", "ca-valencia")
    fc.assert(
      fc.property(pattern, style, langs, (pattern, style, lang) => {
        const { match, path } = OutputPath.make(pattern, { style })
        expect(match(path(lang))).toBe(lang)
      })
    )
  })
})
