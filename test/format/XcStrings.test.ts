import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import * as XcStrings from "../../src/format/XcStrings.js"
import { runs } from "../support/long.js"
import { partsOf, rewrite, textsOf, unitsOf, untouched } from "./formats.js"

const format = XcStrings.format

const unit = (state: string, value: string, indent: string) =>
  `{\n${indent}  "stringUnit" : {\n${indent}    "state" : "${state}",\n${indent}    "value" : "${value}"\n${indent}  }\n${indent}}`

/** As Xcode 15 writes it. */
const file = `{
  "sourceLanguage" : "en",
  "strings" : {
    "" : {

    },
    "%lld items" : {
      "comment" : "How many there are",
      "localizations" : {
        "en" : {
          "variations" : {
            "plural" : {
              "one" : ${unit("translated", "%lld item", "              ")},
              "other" : ${unit("translated", "%lld items", "              ")}
            }
          }
        },
        "fr" : ${unit("needs_review", "%lld choses", "        ")}
      }
    },
    "Hello" : {

    },
    "Logo" : {
      "shouldTranslate" : false
    },
    "title" : {
      "extractionState" : "manual",
      "localizations" : {
        "de" : ${unit("needs_review", "Tittel", "        ")},
        "en" : ${unit("translated", "Title", "        ")},
        "ja" : ${unit("translated", "題", "        ")}
      }
    }
  },
  "version" : "1.0"
}
`

describe("XcStrings", () => {
  it.effect("takes the source's localization, or the key where there is none", () =>
    Effect.gen(function* () {
      const units = yield* unitsOf(format, file)
      expect(units).toEqual([
        { key: "%lld items|==|plural.one", text: "%lld item", line: 7, state: "missing" },
        { key: "%lld items|==|plural.other", text: "%lld items", line: 7, state: "missing" },
        { key: "Hello", text: "Hello", line: 36, state: "missing" },
        { key: "title", text: "Title", line: 42, state: "fuzzy", translation: "Tittel" }
      ])
    })
  )

  it.effect("says which strings are translated, however the language is written", () =>
    Effect.gen(function* () {
      const units = yield* unitsOf(format, file, { targetLang: "JA" })
      expect(units.at(-1)).toMatchObject({ state: "translated", translation: "題" })
    })
  )

  it.effect("takes comments as context", () =>
    Effect.gen(function* () {
      const parts = yield* partsOf(format, file)
      expect(parts.map(({ context }) => context).filter(Boolean)).toEqual(["How many there are"])
    })
  )

  it.effect("keeps strings that are there several times, of whose fields the last is read", () =>
    Effect.gen(function* () {
      const text = `{"sourceLanguage": "en", "strings": {"a": {}, "a": {"localizations": {
        "en": {"stringUnit": {"state": "new", "value": "x"}, "stringUnit": {"state": "new", "value": "B"}}}}}}`
      expect(yield* textsOf(format, text)).toEqual({ a: "a", "a#2": "B" })
      expect(yield* untouched(format, text)).toBe(text)
      const written = yield* rewrite(format, text, ({ text }) => `${text}!`)
      expect((yield* unitsOf(format, written)).map(({ translation }) => translation)).toEqual(["a!", "B!"])
    })
  )

  it.effect("leaves the file as it is where nothing is translated", () =>
    Effect.gen(function* () {
      for (const targetLang of ["de", "ru", "ja", "en"]) {
        expect(yield* untouched(format, file, { targetLang, chunkSize: 7 })).toBe(file)
      }
    })
  )

  it.effect("writes an existing translation again with the same bytes", () =>
    Effect.gen(function* () {
      expect(yield* rewrite(format, file, ({ translation }) => translation, { targetLang: "ja" })).toBe(file)
    })
  )

  it.effect("adds and replaces localizations at their place, as Xcode writes them", () =>
    Effect.gen(function* () {
      const written = yield* rewrite(format, file, ({ text }) => `${text}!`)
      const expected = file
        .replace(
          `"Hello" : {

    }`,
          `"Hello" : {
      "localizations" : {
        "de" : ${unit("translated", "Hello!", "        ")}
      }
    }`
        )
        .replace(unit("needs_review", "Tittel", "        "), unit("translated", "Title!", "        "))
        .replace(
          `"localizations" : {
        "en" : {
          "variations"`,
          `"localizations" : {
        "de" : {
          "variations" : {
            "plural" : {
              "one" : ${unit("translated", "%lld item!", "              ")},
              "other" : ${unit("translated", "%lld items!", "              ")}
            }
          }
        },
        "en" : {
          "variations"`
        )
      expect(written).toBe(expected)
    })
  )

  it.effect(
    "writes the plural categories of the target, and the source's text where one is not translated",
    () =>
      Effect.gen(function* () {
        const translate = ({ key }: { readonly key: string }) => (key.endsWith("few") ? "FEW" : undefined)
        const written = JSON.parse(yield* rewrite(format, file, translate, { targetLang: "ru" }))
        expect(written.strings["%lld items"].localizations.ru).toEqual({
          variations: {
            plural: {
              few: { stringUnit: { state: "translated", value: "FEW" } },
              many: { stringUnit: { state: "new", value: "%lld items" } },
              one: { stringUnit: { state: "new", value: "%lld item" } },
              other: { stringUnit: { state: "new", value: "%lld items" } }
            }
          }
        })
      })
  )

  it.effect("gives a form that is for 21, too, no text that is right for 1 alone", () =>
    Effect.gen(function* () {
      const single = file.replace('%lld item"', 'An item"')
      const units = yield* unitsOf(format, single, { targetLang: "ru" })
      expect(units.find(({ key }) => key.endsWith(".one"))!.text).toBe("%lld items")
    })
  )

  it.effect("takes a target with other variations than the source as a whole", () =>
    Effect.gen(function* () {
      const units = yield* unitsOf(format, file, { targetLang: "fr" })
      expect(units[0]).toMatchObject({ state: "fuzzy", translation: "%lld choses" })
    })
  )

  it.effect("takes variations by device, and substitutions", () =>
    Effect.gen(function* () {
      const string = (value: string) => ({ stringUnit: { state: "translated", value } })
      const rich = {
        sourceLanguage: "en",
        strings: {
          tap: {
            localizations: { en: { variations: { device: { mac: string("Click"), other: string("Tap") } } } }
          },
          birds: {
            localizations: {
              en: {
                ...string("%#@birds@ here"),
                substitutions: {
                  birds: {
                    argNum: 1,
                    formatSpecifier: "lld",
                    variations: { plural: { one: string("%arg bird"), other: string("%arg birds") } }
                  }
                }
              }
            }
          }
        }
      }
      const source = JSON.stringify(rich, null, 2)
      expect(yield* textsOf(format, source, { targetLang: "ja" })).toEqual({
        "tap|==|device.mac": "Click",
        "tap|==|device.other": "Tap",
        birds: "%#@birds@ here",
        "birds|==|substitutions.birds.plural.other": "%arg birds"
      })
      const written = JSON.parse(yield* rewrite(format, source, ({ text }) => text, { targetLang: "ja" }))
      expect(written.strings.tap.localizations.ja).toEqual(rich.strings.tap.localizations.en)
      expect(written.strings.birds.localizations.ja).toEqual({
        ...string("%#@birds@ here"),
        substitutions: {
          birds: {
            argNum: 1,
            formatSpecifier: "lld",
            variations: { plural: { other: string("%arg birds") } }
          }
        }
      })
    })
  )

  it("protects placeholders that printf does not have", () => {
    const [pattern] = format.placeholders!.patterns!
    const found = `%#@birds@ and %1$#@b@ of %arg in \${app}`.match(new RegExp(pattern!, "g"))
    expect(found).toEqual(["%#@birds@", "%1$#@b@", "%arg", `\${app}`])
  })

  it.effect("holds any text, and is translated afterwards", () =>
    Effect.promise(() => {
      const text = fc.fullUnicodeString().filter((text) => text.trim() !== "")
      const localization = fc.oneof(
        fc.record({ stringUnit: fc.record({ state: fc.constantFrom("new", "translated"), value: text }) }),
        fc.record({
          variations: fc.record({
            plural: fc.record({ other: fc.record({ stringUnit: fc.record({ value: text }) }) })
          })
        })
      )
      const entry = fc.oneof(
        fc.constant({}),
        fc.record({ localizations: fc.dictionary(fc.constantFrom("en", "de", "ru"), localization) })
      )
      const strings = fc.dictionary(fc.constantFrom("a", "b", "constructor", "%@"), entry)
      return fc.assert(
        fc.asyncProperty(
          strings,
          text,
          fc.constantFrom("de", "ru", "ja"),
          fc.constantFrom("", "  "),
          (strings, text, targetLang, indent) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const file = JSON.stringify({ sourceLanguage: "en", strings }, null, indent)
                expect(yield* untouched(format, file, { targetLang })).toBe(file)
                const written = yield* rewrite(format, file, () => text, { targetLang })
                const before = yield* unitsOf(format, file, { targetLang })
                const after = yield* unitsOf(format, written, { targetLang })
                expect(after).toMatchObject(
                  before.map(({ key }) => ({ key, state: "translated", translation: text }))
                )
              })
            )
        ),
        { numRuns: runs(25) }
      )
    })
  )
})
