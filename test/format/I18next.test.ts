import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { createInstance } from "i18next"
import * as I18next from "../../src/format/I18next.js"
import { runs } from "../support/long.js"
import { merge, rewrite, textsOf, untouched, writtenAnew } from "./formats.js"

const format = I18next.format

const file = `{
  "nav": { "home": "Home", "items": ["One", "Two"] },
  "file_one": "{{count}} file",
  "file_other": "{{count}} files",
  "friend_male": "A boyfriend",
  "last": "Last"
}
`

/** The target's form of the text. */
const marked = ({ key, text }: { readonly key: string; readonly text: string }) => `${key}|${text}`

describe("I18next", () => {
  it.effect("takes nested keys, arrays and contexts as they are", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(format, file)).toEqual({
        "nav.home": "Home",
        "nav.items[0]": "One",
        "nav.items[1]": "Two",
        file_one: "{{count}} file",
        file_other: "{{count}} files",
        friend_male: "A boyfriend",
        last: "Last"
      })
    })
  )

  it.effect(
    "gives each form of the target the text of the source's form of its name, or for its numbers",
    () =>
      Effect.gen(function* () {
        const texts = yield* textsOf(format, file, { targetLang: "ru" })
        expect(Object.entries(texts).filter(([key]) => key.startsWith("file"))).toEqual([
          ["file_one", "{{count}} file"],
          ["file_few", "{{count}} files"],
          ["file_many", "{{count}} files"],
          ["file_other", "{{count}} files"]
        ])
      })
  )

  it.effect("gives a form that is for 21, too, no text that is right for 1 alone", () =>
    Effect.gen(function* () {
      const single = file.replace("{{count}} file", "<1>A file</1>")
      expect((yield* textsOf(format, single, { targetLang: "ru" })).file_one).toBe("{{count}} files")
      expect((yield* textsOf(format, single, { targetLang: "pl" })).file_one).toBe("<1>A file</1>")
    })
  )

  it.effect("leaves the file as it is where nothing is translated, whatever forms the target has", () =>
    Effect.gen(function* () {
      for (const targetLang of ["de", "ru", "ja", "ar"]) {
        expect(yield* untouched(format, file, { targetLang })).toBe(file)
      }
      expect(yield* writtenAnew(format, file)).toBe(file)
    })
  )

  it.effect("adds the forms that the target has more", () =>
    Effect.gen(function* () {
      expect(
        yield* rewrite(format, `{\n\t"a": "A",\n\t"f_one":"1",\n\t"f_other":"n"\n}`, marked, {
          targetLang: "ru"
        })
      ).toBe(`{
\t"a": "a|A",
\t"f_one":"f_one|n",
\t"f_few":"f_few|n",
\t"f_many":"f_many|n",
\t"f_other":"f_other|n"
}`)
    })
  )

  it.effect("drops the forms that the target does not have", () =>
    Effect.gen(function* () {
      const rest = `"z":"z|z"`
      expect(
        yield* rewrite(format, `{"f_one":"1","f_other":"n","z":"z"}`, marked, { targetLang: "ja" })
      ).toBe(`{"f_other":"f_other|n",${rest}}`)
      expect(
        yield* rewrite(format, `{"f_other":"n","z":"z","f_one":"1"}`, marked, { targetLang: "ja" })
      ).toBe(`{"f_other":"f_other|n",${rest}}`)
    })
  )

  it.effect("keeps the source's text of forms without a translation", () =>
    Effect.gen(function* () {
      const translate = ({ key }: { readonly key: string }) => (key === "f_few" ? "FEW" : undefined)
      expect(yield* rewrite(format, `{"f_one":"1","f_other":"n"}`, translate, { targetLang: "ru" })).toBe(
        `{"f_one":"1","f_few":"FEW","f_many":"n","f_other":"n"}`
      )
    })
  )

  it.effect("takes forms that are apart as one text, with the text between them", () =>
    Effect.gen(function* () {
      const apart = `{"f_one":"1","x":{"y":"Y","g_one":"a","g_other":"b"},"h_one":"3","f_other":"n","h_other":"4","q":"Q"}`
      expect(yield* untouched(format, apart, { targetLang: "ja" })).toBe(apart)
      expect(yield* rewrite(format, apart, marked, { targetLang: "ja" })).toBe(
        `{"x":{"y":"x.y|Y","g_other":"x.g_other|b"},"f_other":"f_other|n","h_other":"h_other|4","q":"q|Q"}`
      )
      expect(yield* writtenAnew(format, apart)).toBe(apart)
    })
  )

  it.effect("takes ordinals by the ordinal rules of the target", () =>
    Effect.gen(function* () {
      const ordinals = `{"p_ordinal_one":"{{count}}st","p_ordinal_two":"{{count}}nd","p_ordinal_few":"{{count}}rd","p_ordinal_other":"{{count}}th"}`
      expect(yield* textsOf(format, ordinals, { targetLang: "de" })).toEqual({
        p_ordinal_other: "{{count}}th"
      })
    })
  )

  it.effect("keeps keys that are there several times beside the plural", () =>
    Effect.gen(function* () {
      const text = `{"a_one": "1", "a_other": "2", "a_other": "3", "b": "4", "b": "5"}`
      expect(yield* textsOf(format, text)).toEqual({
        a_one: "1",
        a_other: "2",
        "a_other#2": "3",
        b: "4",
        "b#2": "5"
      })
      expect(yield* untouched(format, text)).toBe(text)
      expect(yield* rewrite(format, text, ({ text }) => `${text}!`)).toBe(
        `{"a_one": "1!", "a_other": "2!", "a_other": "3!", "b": "4!", "b": "5!"}`
      )
    })
  )

  it.effect("keeps _zero, which stands for 0 in every language", () =>
    Effect.gen(function* () {
      const zero = `{"f_zero":"none","f_one":"1","f_other":"n"}`
      expect(yield* textsOf(format, zero, { targetLang: "ja" })).toEqual({ f_zero: "none", f_other: "n" })
      expect((yield* textsOf(format, zero, { targetLang: "ar" })).f_zero).toBe("none")
    })
  )

  it.effect("takes a lone _other for a context, unless the source has no other form", () =>
    Effect.gen(function* () {
      const lone = `{"gender_other":"Other"}`
      expect(yield* textsOf(format, lone, { targetLang: "ru" })).toEqual({ gender_other: "Other" })
      expect(Object.keys(yield* textsOf(format, lone, { sourceLang: "ja", targetLang: "en" }))).toEqual([
        "gender_one",
        "gender_other"
      ])
    })
  )

  it.effect("is read by i18next, which finds each form by its numbers", () =>
    Effect.gen(function* () {
      const numbers = [0, 1, 2, 5, 11, 21, 100]
      for (const targetLang of ["ru", "ja", "ar", "fr", "en"]) {
        const written = yield* rewrite(format, file, marked, { targetLang })
        const i18n = createInstance()
        yield* Effect.promise(() =>
          i18n.init({
            showSupportNotice: false,
            lng: targetLang,
            resources: { [targetLang]: { translation: JSON.parse(written) } }
          })
        )
        expect(i18n.t("nav.home")).toBe("nav.home|Home")
        expect(i18n.t("friend", { context: "male" })).toBe("friend_male|A boyfriend")
        const rules = new Intl.PluralRules(targetLang)
        for (const count of numbers) {
          expect(i18n.t("file", { count })).toMatch(
            new RegExp(`^file_${rules.select(count)}\\|${count} files?$`)
          )
        }
      }
    })
  )

  it("is detected by plural keys", () => {
    expect(format.detect!("en.json", file)).toBe(true)
    expect(format.detect!("en.json", `{"other": "x"}`)).toBe(false)
  })

  it("is detected by texts that other texts are put into", () => {
    expect(format.detect!("en.json", `{"a": {"b": "See $t(nav.home)"}}`)).toBe(true)
    expect(format.detect!("en.json", `{"a": "It costs $t"}`)).toBe(false)
  })

  it.effect("writes the forms of any language as JSON that another reader reads", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(
            fc.constantFrom("a_one", "a_other", "b_one", "b_other", "b_few", "c", "d_zero", "d_other"),
            {
              minLength: 1
            }
          ),
          fc.constantFrom("de", "ru", "ja", "ar", "xx"),
          fc.constantFrom("", "  "),
          fc.fullUnicodeString(),
          (keys, targetLang, indent, text) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const nested = { o: Object.fromEntries(keys.map((key) => [key, `text of ${key}`])), z: ["z"] }
                const file = JSON.stringify(nested, null, indent)
                expect(yield* untouched(format, file, { targetLang, chunkSize: 3 })).toBe(file)
                const written = yield* rewrite(format, file, ({ key }) => key + text, { targetLang })
                const texts = yield* textsOf(format, file, { targetLang })
                const read = JSON.parse(written)
                expect(read.z).toEqual([`z[0]${text}`])
                expect(Object.entries(read.o).sort()).toEqual(
                  Object.keys(texts)
                    .filter((key) => key.startsWith("o."))
                    .map((key) => [key.slice(2), key + text])
                    .sort()
                )
                expect(written).toBe(JSON.stringify(read, null, indent))
              })
            )
        ),
        { numRuns: runs(20) }
      )
    )
  )
})

describe("I18next.merge", () => {
  const source = `{
  "a": "A",
  "f_one": "1",
  "f_other": "n",
  "g": {
    "h_one": "1",
    "h_other": "n"
  }
}`

  it.effect("inserts plurals, and keeps the target's own forms", () =>
    Effect.gen(function* () {
      const target = `{
  "f_one": "1!",
  "f_few": "2!",
  "f_many": "5!",
  "f_other": "n!",
  "old": "x"
}`
      expect(yield* merge(format, source, target, { targetLang: "ru", removed: "drop" })).toBe(`{
  "a": "A",
  "f_one": "1!",
  "f_few": "2!",
  "f_many": "5!",
  "f_other": "n!",
  "g": {
    "h_one": "n",
    "h_few": "n",
    "h_many": "n",
    "h_other": "n"
  }
}`)
    })
  )

  it.effect("inserts the forms that a plural of the target lacks", () =>
    Effect.gen(function* () {
      const japanese = `{"f_other": "n"}`
      expect(
        yield* merge(format, japanese, `{"f_other": "n!"}`, { sourceLang: "ja", targetLang: "en" })
      ).toBe(`{"f_one": "n","f_other": "n!"}`)
    })
  )

  it.effect("does not insert forms that the target language lacks", () =>
    Effect.gen(function* () {
      const target = `{"a": "a", "f_other": "x", "g": {"h_other": "y"}}`
      expect(yield* merge(format, source, target, { targetLang: "ja" })).toBe(target)
    })
  )

  it.effect("holds the units of the source afterwards", () =>
    Effect.promise(() => {
      const catalogue = fc.uniqueArray(
        fc.constantFrom("a", "f_one", "f_few", "f_many", "f_other", "f_zero", "g_one", "g_other"),
        { maxLength: 6 }
      )
      return fc.assert(
        fc.asyncProperty(
          catalogue,
          catalogue,
          fc.constantFrom("de", "ru", "ja", "ar"),
          (one, other, targetLang) =>
            Effect.runPromise(
              Effect.gen(function* () {
                // A source in English has the forms of English.
                const keys = ["f_other", "g_other", ...one.filter((key) => !/_(few|many|other)$/.test(key))]
                const file = (keys: ReadonlyArray<string>) =>
                  JSON.stringify(Object.fromEntries(keys.map((key) => [key, key])))
                const merged = yield* merge(format, file(keys), file(other), { targetLang })
                const units = yield* textsOf(format, merged, { targetLang })
                for (const key of Object.keys(yield* textsOf(format, file(keys), { targetLang }))) {
                  expect(units).toHaveProperty(key)
                }
                expect(yield* merge(format, file(keys), merged, { targetLang })).toBe(merged)
              })
            )
        ),
        { numRuns: runs(25) }
      )
    })
  )
})
