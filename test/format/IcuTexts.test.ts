import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Arb from "../../src/format/Arb.js"
import type * as Format from "../../src/format/Format.js"
import * as FormatJs from "../../src/format/FormatJs.js"
import * as Json from "../../src/format/Json.js"
import * as Po from "../../src/format/Po.js"
import * as Properties from "../../src/format/Properties.js"
import * as Yaml from "../../src/format/Yaml.js"
import { partsOf, untouched } from "./formats.js"

const po = (text: string) =>
  `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "${text}"\nmsgstr ""\n`

const formats: ReadonlyArray<readonly [Format.Format, (text: string) => string]> = [
  [Json.format, (text) => JSON.stringify({ Cart: { a: text, b: "Plain" } })],
  [Yaml.format, (text) => `a: "${text}"\nb: Plain\n`],
  [Po.format, (text) => `${po(text)}\nmsgid "Plain"\nmsgstr ""\n`],
  [Properties.format, (text) => `a=${text}\nb=Plain\n`]
]

const told = (format: Format.Format, file: string) =>
  Effect.map(partsOf(format, file), (parts) =>
    parts.flatMap(({ problem }) => (problem === undefined ? [] : [problem.message]))
  )

describe("An ICU message", () => {
  for (const [format, fileOf] of formats) {
    it.effect(`in ${format.name} is known by its branches, alone or in a sentence`, () =>
      Effect.gen(function* () {
        for (const text of [
          "{count, plural, one {# item} other {# items}}",
          "You have {count, plural, one {# item} other {# items}} in your cart."
        ]) {
          const parts = yield* partsOf(format, fileOf(text))
          const formatsOf = (wanted: string) =>
            parts
              .filter(({ units }) => units.some(({ text }) => text === wanted))
              .map(({ placeholders }) => placeholders?.messageFormat?.name)
          expect(formatsOf(text)).toEqual(["icu/1"])
          expect(formatsOf("Plain")).toEqual([undefined])
        }
        expect(format.variesPlaceholders).toBe(true)
      })
    )

    it.effect(`in ${format.name} that has no branch for all others is told, and stays`, () =>
      Effect.gen(function* () {
        const file = fileOf("You have {count, plural, one {# item}}.")
        expect(yield* told(format, file)).toEqual([expect.stringContaining('the branch "other"')])
        expect(yield* untouched(format, file)).toBe(file)
      })
    )
  }

  it.effect("that can't be read is told in formats of messages, too", () =>
    Effect.gen(function* () {
      const flat = JSON.stringify({ a: "{n, select, x {y}}", b: "Plain" })
      for (const format of [FormatJs.format, Arb.format]) {
        expect(yield* told(format, flat)).toEqual([expect.stringContaining('key "a"')])
      }
    })
  )

  it.effect("of Java with choices is told", () =>
    Effect.gen(function* () {
      expect(yield* told(Properties.format, "a={0,choice,0#no files|1#one file|1<{0} files}\n")).toEqual([
        expect.stringContaining("its choice format is not read")
      ])
    })
  )

  it.effect("is no text that speaks of one", () =>
    Effect.gen(function* () {
      const texts = ["Write {count}, plural or not", "{a, b, c}", "{n, number} files", "{plural, one}"]
      for (const [format, fileOf] of formats) {
        for (const text of texts) expect(yield* told(format, fileOf(text))).toEqual([])
      }
    })
  )
})
