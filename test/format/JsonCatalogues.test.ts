import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { IntlMessageFormat } from "intl-messageformat"
import * as Arb from "../../src/format/Arb.js"
import * as ChromeMessages from "../../src/format/ChromeMessages.js"
import * as FormatJs from "../../src/format/FormatJs.js"
import { runs } from "../support/long.js"
import { merge, partsOf, rewrite, textsOf, unitsOf, untouched, writtenAnew } from "./formats.js"

const contextsOf = (...args: Parameters<typeof partsOf>) =>
  Effect.map(partsOf(...args), (parts) =>
    Object.fromEntries(parts.flatMap(({ context, units }) => units.map(({ key }) => [key, context])))
  )

const arb = `{
    "@@locale": "en_US",
    "@@last_modified": "2026-01-01",
    "files": "{count, plural, one {# file} other {# files}}",
    "@files": {
        "description": "How many files there are.",
        "placeholders": { "count": { "type": "int", "example": "5" } }
    },
    "hello": "Hello \\u003cb>"
}
`

describe("Arb", () => {
  it.effect("takes messages, with their attributes as context", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(Arb.format, arb)).toEqual({
        files: "{count, plural, one {# file} other {# files}}",
        hello: "Hello <b>"
      })
      expect(yield* contextsOf(Arb.format, arb)).toEqual({
        files: "How many files there are.\n{count}: 5",
        hello: undefined
      })
    })
  )

  it.effect("says the target language in @@locale, and leaves all else", () =>
    Effect.gen(function* () {
      expect(yield* untouched(Arb.format, arb, { targetLang: "en-US" })).toBe(arb)
      expect(yield* writtenAnew(Arb.format, arb, { targetLang: "pt-BR" })).toBe(arb.replace("en_US", "pt_BR"))
      expect(yield* untouched(Arb.format, arb, { targetLang: "zh-hant" })).toBe(
        arb.replace("en_US", "zh_Hant")
      )
    })
  )

  it.effect("merges attributes with their messages only, and nothing that is of one file", () =>
    Effect.gen(function* () {
      const target = `{
  "@@locale": "de",
  "old": "x",
  "@old": {},
  "hello": "Hallo"
}`
      const merged = yield* merge(Arb.format, arb, target, { removed: "drop" })
      expect(merged).toBe(`{
  "@@locale": "de",
  "files": "{count, plural, one {# file} other {# files}}",
  "@files": {
    "description": "How many files there are.",
    "placeholders": { "count": { "type": "int", "example": "5" } }
  },
  "hello": "Hallo"
}`)
      expect(yield* merge(Arb.format, arb, `{"hello": "x"}`)).toBe(
        `{"files": "{count, plural, one {# file} other {# files}}","hello": "x"}`
      )
    })
  )
})

const extracted = `{
  "app.title": { "defaultMessage": "Title", "description": "The title" },
  "app.files": {
    "defaultMessage": "{n, plural, one {# file} other {# files}} in <b>{dir}</b>"
  },
  "compiled": [{ "type": 0, "value": "x" }]
}`

describe("FormatJs", () => {
  it.effect("takes messages as they were extracted, with their descriptions as context", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(FormatJs.format, extracted)).toEqual({
        "app.title": "Title",
        "app.files": "{n, plural, one {# file} other {# files}} in <b>{dir}</b>"
      })
      expect((yield* contextsOf(FormatJs.format, extracted))["app.title"]).toBe("The title")
      expect(yield* writtenAnew(FormatJs.format, extracted)).toBe(extracted)
    })
  )

  it.effect("takes plain messages, and lets syntax trees pass", () =>
    Effect.gen(function* () {
      const flat = `{"a": "A {x}", "b": [{"type": 0, "value": "v"}], "c": ""}`
      expect(yield* textsOf(FormatJs.format, flat)).toEqual({ a: "A {x}" })
      const written = yield* rewrite(FormatJs.format, flat, ({ text }) => text.replace("A", "B"))
      expect(new IntlMessageFormat(JSON.parse(written).a, "en").format({ x: 1 })).toBe("B 1")
    })
  )

  it.effect("merges extracted messages into a target of plain ones", () =>
    Effect.gen(function* () {
      expect(yield* merge(FormatJs.format, extracted, `{\n  "app.title": "Titel"\n}`)).toBe(`{
  "app.title": "Titel",
  "app.files": "{n, plural, one {# file} other {# files}} in <b>{dir}</b>",
  "compiled": [{ "type": 0, "value": "x" }]
}`)
      expect(yield* merge(FormatJs.format, extracted, "{}")).toBe(extracted)
    })
  )

  it("is detected by defaultMessage", () => {
    expect(FormatJs.format.detect!("en.json", extracted)).toBe(true)
    expect(FormatJs.format.detect!("en.json", `{"a": "b"}`)).toBe(false)
  })
})

const chrome = `{
  "greeting": {
    "message": "Hello, $USER$: $1 for $$5",
    "description": "A greeting",
    "placeholders": { "user": { "content": "$1", "example": "Cira" } }
  },
  "bye": { "message": "Bye" }
}
`

describe("ChromeMessages", () => {
  it.effect("takes messages, with descriptions and examples as context", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(ChromeMessages.format, chrome)).toEqual({
        greeting: "Hello, $USER$: $1 for $$5",
        bye: "Bye"
      })
      expect(yield* contextsOf(ChromeMessages.format, chrome)).toEqual({
        greeting: "A greeting\n$USER$: Cira",
        bye: undefined
      })
      expect(yield* writtenAnew(ChromeMessages.format, chrome)).toBe(chrome)
    })
  )

  it("protects placeholders", () => {
    const [pattern] = ChromeMessages.format.placeholders!.patterns!
    const found = "Hello, $USER$: $1 for $$5".match(new RegExp(pattern!, "g"))
    expect(found).toEqual(["$USER$", "$1", "$$"])
  })

  it.effect("merges whole messages", () =>
    Effect.gen(function* () {
      const target = `{"greeting": {"message": ""}, "own": {"message": "x"}}`
      expect(yield* merge(ChromeMessages.format, chrome, target, { removed: "drop" })).toBe(
        `{"greeting": {"message": "Hello, $USER$: $1 for $$5","description": "A greeting","placeholders": { "user": { "content": "$1", "example": "Cira" } }}, "bye": { "message": "Bye" }}`
      )
    })
  )

  it("is detected by its name and messages", () => {
    expect(ChromeMessages.format.detect!("_locales/en/messages.json", chrome)).toBe(true)
    expect(ChromeMessages.format.detect!("messages.json", `{"a": "b"}`)).toBe(false)
    expect(ChromeMessages.format.detect!("other-messages.json", chrome)).toBe(false)
  })
})

describe("catalogues", () => {
  const formats = [Arb.format, FormatJs.format, ChromeMessages.format]

  it.effect("keep messages that are there several times, of whose fields the last is read", () =>
    Effect.gen(function* () {
      for (const [format, field] of [
        [FormatJs.format, "defaultMessage"],
        [ChromeMessages.format, "message"]
      ] as const) {
        const text = `{"a": {"${field}": "x", "${field}": "A"}, "a": {"${field}": "B"}}`
        expect(yield* textsOf(format, text)).toEqual({ a: "A", "a#2": "B" })
        expect(yield* rewrite(format, text, ({ text }) => `${text}!`)).toBe(
          `{"a": {"${field}": "x", "${field}": "A!"}, "a": {"${field}": "B!"}}`
        )
      }
      expect(yield* textsOf(Arb.format, `{"a": "A", "a": "B", "@a": {}, "@a": {}}`)).toEqual({
        a: "A",
        "a#2": "B"
      })
    })
  )

  it.effect("refuse a document that is no object", () =>
    Effect.gen(function* () {
      for (const format of formats) {
        expect((yield* Effect.flip(unitsOf(format, ` []`))).message).toContain(
          "line 1, column 2: the document is no object"
        )
      }
    })
  )

  it.effect("keep any messages byte for byte, hold any text, and merge to the units of the source", () =>
    Effect.promise(() => {
      const key = fc.constantFrom("a", "b", "@a", "__proto__", "constructor", "x.y")
      const message = fc.oneof(
        fc.string(),
        fc.record({ message: fc.string(), defaultMessage: fc.string(), description: fc.string() }),
        fc.nat(9)
      )
      const catalogue = fc.array(fc.tuple(key, message)).map((entries) => new Map(entries))
      const fileOf = (catalogue: ReadonlyMap<string, unknown>) =>
        `{\n${[...catalogue].map(([key, value]) => ` ${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(",\n")}\n}`
      return fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...formats),
          catalogue,
          catalogue,
          fc.fullUnicodeString().filter((text) => text.trim() !== ""),
          (format, one, other, text) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const [source, target] = [fileOf(one), fileOf(other)]
                expect(yield* untouched(format, source, { chunkSize: 3 })).toBe(source)
                const keys = Object.keys(yield* textsOf(format, source))
                const written = yield* rewrite(format, source, () => text)
                expect(Object.values(yield* textsOf(format, written))).toEqual(keys.map(() => text))
                expect(Object.keys(JSON.parse(written))).toEqual([...one.keys()])
                const merged = yield* merge(format, source, target)
                const units = yield* unitsOf(format, merged)
                expect(units.map(({ key }) => key)).toEqual(expect.arrayContaining(keys))
                expect(yield* merge(format, source, merged)).toBe(merged)
              })
            )
        ),
        { numRuns: runs(20) }
      )
    })
  )
})
