import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FormatLaws from "../../src/format/FormatLaws.js"
import * as Json from "../../src/format/Json.js"
import { merge, partsOf, rewrite, textsOf, untouched } from "./formats.js"

const json = (value: unknown): string => JSON.stringify(value)

const vue = json({
  nav: { home: "Home" },
  see: "See @:nav.home",
  cars: "car | cars",
  n: "none | one | {n} cars"
})

const laravel = json({
  apples: "{0} No apples|{1} One apple|]1,Inf] :count apples",
  days: ":count day|:count days",
  title: "Apples"
})

const marked = ({ text }: { readonly text: string }) => `${text}!`

describe("Plural forms between bars", () => {
  it.effect("of vue-i18n are translated one by one, where the file shows it", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(Json.format, vue)).toEqual({
        "nav.home": "Home",
        see: "See @:nav.home",
        "cars|0": "car",
        "cars|1": "cars",
        "n|0": "none",
        "n|1": "one",
        "n|2": "{n} cars"
      })
      expect(JSON.parse(yield* rewrite(Json.format, vue, marked))).toMatchObject({
        cars: "car! | cars!",
        n: "none! | one! | {n} cars!"
      })
    })
  )

  it.effect("of vue-i18n are told in a language of more forms, and stay", () =>
    Effect.gen(function* () {
      const parts = yield* partsOf(Json.format, vue, { targetLang: "pl" })
      expect(parts.flatMap(({ problem }) => problem?.key ?? [])).toEqual(["cars", "n"])
      expect(JSON.parse(yield* rewrite(Json.format, vue, marked, { targetLang: "pl" }))).toMatchObject({
        cars: "car | cars"
      })
    })
  )

  it.effect("of vue-i18n are known by an argument that several forms have", () =>
    Effect.gen(function* () {
      for (const file of [
        json({ votes: "{0} votes|{0} vote|{0} votes", days: "days|day|days" }),
        json({ day: "today|{n} day|{n} days", days: "days|day|days" })
      ]) {
        expect(yield* textsOf(Json.format, file)).toMatchObject({
          "days|0": "days",
          "days|1": "day",
          "days|2": "days"
        })
      }
    })
  )

  it.effect("of Laravel keep their numbers, and others are those of the target", () =>
    Effect.gen(function* () {
      const written = yield* rewrite(Json.format, laravel, marked, { targetLang: "pl" })
      expect(JSON.parse(written)).toEqual({
        apples: "One apple!|:count apples!|:count apples!|{0} No apples!",
        days: ":count day!|:count days!|:count days!",
        title: "Apples!"
      })
      expect(JSON.parse(yield* rewrite(Json.format, laravel, marked, { targetLang: "ja" }))).toMatchObject({
        apples: "{0} No apples!|{1} One apple!|]1,Inf] :count apples!",
        days: ":count days!"
      })
    })
  )

  it.effect("of Laravel say one where a language has its form for other numbers too", () =>
    Effect.gen(function* () {
      const written = yield* rewrite(Json.format, laravel, marked, { targetLang: "ru" })
      expect(JSON.parse(written)).toMatchObject({
        apples: ":count apples!|:count apples!|:count apples!|{0} No apples!|{1} One apple!"
      })
    })
  )

  it.effect("of Laravel are told where the language of the file has fewer", () =>
    Effect.gen(function* () {
      const file = json({ a: ":count day|:count days", b: "none|one|many" })
      const parts = yield* partsOf(Json.format, file, { targetLang: "de" })
      expect(parts.flatMap(({ problem }) => problem?.key ?? [])).toEqual(["b"])
    })
  )

  it.effect("are prose where nothing else shows a framework", () =>
    Effect.gen(function* () {
      const prose = json({ title: "Home | My Shop", note: "Write to me@example.org, or a: b" })
      expect(yield* textsOf(Json.format, prose)).toMatchObject({ title: "Home | My Shop" })
      const titles = json({ apples: "{0} No apples|[1,*] :count apples", title: "Home | My Shop" })
      expect(yield* textsOf(Json.format, titles, { targetLang: "pl" })).toMatchObject({
        title: "Home | My Shop"
      })
      const asked = Json.make({ plurals: "laravel" })
      expect(yield* textsOf(asked, json({ a: "apple|apples" }))).toEqual({
        "a|0": "apple",
        "a|1": "apples"
      })
    })
  )

  it.effect("leave the file as it is where nothing is translated, and merge", () =>
    Effect.gen(function* () {
      for (const file of [vue, laravel]) {
        expect(yield* untouched(Json.format, file, { targetLang: "pl" })).toBe(file)
      }
      const merged = yield* merge(Json.format, vue, json({ see: "Siehe @:nav.home", cars: "Auto | Autos" }))
      expect(JSON.parse(merged)).toMatchObject({ cars: "Auto | Autos", see: "Siehe @:nav.home" })
    })
  )

  it.effect("keep the laws of formats", () =>
    Effect.forEach([vue, laravel], (file) =>
      Effect.forEach(
        FormatLaws.all.filter(({ appliesTo }) => appliesTo(Json.format)),
        (law) =>
          law.check(Json.format, {
            document: new TextEncoder().encode(file),
            target: new TextEncoder().encode(json({ title: "Titel" })),
            cuts: [9]
          })
      )
    )
  )
})
