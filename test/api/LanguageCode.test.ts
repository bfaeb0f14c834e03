import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Api from "effect-translate/api"
import * as fc from "fast-check"

describe("a code that the service does not have", () => {
  it.each([
    ["zh-TW", ["zh-Hant"]],
    ["zh-HK", ["zh-Hant"]],
    ["zh-Hant-TW", ["zh-Hant"]],
    ["zh-CN", ["zh-Hans"]],
    ["de-DE", ["de"]],
    ["de-AT", ["de"]],
    ["fr-FR", ["fr"]],
    ["es-MX", ["es-419"]],
    ["es-ES", ["es"]],
    ["en-AU", ["en-GB", "en-US"]],
    ["pt", ["pt-PT", "pt-BR"]],
    ["pt-AO", ["pt-PT", "pt-BR"]],
    ["no", ["nb"]],
    ["nn-NO", ["nb"]],
    ["iw", ["he"]],
    ["English", ["en-GB", "en-US"]],
    ["german", ["de"]],
    ["zh-Hant", []],
    ["de-CH", []],
    ["sr-Latn", []],
    ["Klingon", []]
  ])("as a target, %s has the advice %j", (written, advice) => {
    expect(Api.LanguageCode.suggested(written, "target")).toEqual(advice)
  })

  it.each([
    ["english", ["en"]],
    ["iw", ["he"]],
    ["zh-TW", []],
    ["pt-BR", []],
    ["en", []]
  ])("as a source, %s has the advice %j", (written, advice) => {
    expect(Api.LanguageCode.suggested(written, "source")).toEqual(advice)
  })
})

describe("canonical", () => {
  for (const [code, expected] of [
    ["DE", "de"],
    ["en-us", "en-US"],
    ["PT-BR", "pt-BR"],
    ["pt-pt", "pt-PT"],
    ["ZH-HANS", "zh-Hans"],
    ["zh-hant-tw", "zh-Hant-TW"],
    ["ES-419", "es-419"],
    ["de-ch", "de-CH"],
    ["FR-ca", "fr-CA"],
    ["de-CH-1996", "de-CH-1996"],
    ["sl-ROZAJ-BISKE", "sl-rozaj-biske"],
    ["CKB", "ckb"],
    ["ZH-YUE", "zh-yue"],
    ["", ""]
  ]) {
    it(`makes ${expected || "nothing"} of ${code || "nothing"}: lowercase base, title-case script, uppercase region`, () => {
      expect(Api.LanguageCode.canonical(code!)).toBe(expected)
    })
  }

  it("is settled after one pass", () => {
    fc.assert(
      fc.property(fc.string(), (code) => {
        const once = Api.LanguageCode.canonical(code)
        expect(Api.LanguageCode.canonical(once)).toBe(once)
      })
    )
  })

  it("does not depend on the casing of a well-formed code", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{2,3}(-[a-z0-9]{1,8}){0,3}$/), (code) => {
        expect(Api.LanguageCode.canonical(code.toUpperCase())).toBe(Api.LanguageCode.canonical(code))
      })
    )
  })
})

describe("base", () => {
  for (const [code, expected] of [
    ["EN-us", "en"],
    ["zh-Hant", "zh"],
    ["DE", "de"]
  ]) {
    it(`of ${code} is ${expected}`, () => {
      expect(Api.LanguageCode.base(code!)).toBe(expected)
    })
  }
})

describe("the language of a request", () => {
  const roles = [
    ["SourceLanguage", Api.LanguageCode.SourceLanguage],
    ["TargetLanguage", Api.LanguageCode.TargetLanguage]
  ] as const
  for (const [name, schema] of roles) {
    it(`${name} takes codes that exist, in any casing, and codes that don't exist yet`, () => {
      for (const code of ["de", "EN-gb", "zh-HANS", "es-419", "de-CH", "xx", "qaa-Latn-ZZ"]) {
        expect(Schema.encodeSync(schema)(code)).toBe(Api.LanguageCode.canonical(code))
        expect(Schema.decodeSync(schema)(code)).toBe(Api.LanguageCode.canonical(code))
      }
    })

    it(`${name} refuses an invalid code`, () => {
      for (const code of [
        "",
        "d",
        "German",
        "de_DE",
        "de-",
        "-de",
        " de",
        "de ",
        "de\n",
        "en-verylongsubtag"
      ]) {
        expect(Either.isLeft(Schema.encodeEither(schema)(code))).toBe(true)
        expect(Either.isLeft(Schema.decodeEither(schema)(code))).toBe(true)
      }
    })
  }
})

describe("the language of an answer", () => {
  it("is whatever the service sends, in canonical casing", () => {
    for (const [code, expected] of [
      ["EN", "en"],
      ["ZH-HANT", "zh-Hant"],
      ["", ""],
      ["unknown_language", "unknown_language"]
    ] as const) {
      expect(Schema.decodeSync(Api.LanguageCode.LanguageCode)(code)).toBe(expected)
    }
  })
})
