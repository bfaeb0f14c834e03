import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type * as Format from "../../src/format/Format.js"
import * as Json from "../../src/format/Json.js"
import { runs } from "../support/long.js"
import { merge, rewrite, textsOf, unitsOf, untouched, writtenAnew } from "./formats.js"

const failure = (file: string | Uint8Array, format: Format.Format = Json.format) =>
  Effect.flip(unitsOf(format, file))

const file = `\uFEFF{
    "title" : "Cups & pots",\r
  "list": [ "a\\nb", { "x.y": "deep" }, 1, null, "" ],
\t"n": 12e3, "blank": "  "
}

`

describe("Json", () => {
  it.effect("takes every string that is not blank, by its path", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(Json.format, file)).toEqual({
        title: "Cups & pots",
        "list[0]": "a\nb",
        'list[1]["x.y"]': "deep"
      })
    })
  )

  it.effect("says the lines of units", () =>
    Effect.gen(function* () {
      const units = yield* unitsOf(Json.format, file)
      expect(units.map(({ line }) => line)).toEqual([2, 3, 3])
    })
  )

  it.effect("leaves the file as it is where nothing is translated", () =>
    Effect.gen(function* () {
      expect(yield* untouched(Json.format, file)).toBe(file)
      expect(yield* writtenAnew(Json.format, file)).toBe(file)
    })
  )

  it.effect("takes only texts that the selectors name", () =>
    Effect.gen(function* () {
      const format = Json.make({ select: ["title", "list[*].*"] })
      expect(Object.keys(yield* textsOf(format, file))).toEqual(["title", 'list[1]["x.y"]'])
    })
  )

  it.effect("fails files with a selector that cannot be read", () =>
    Effect.gen(function* () {
      const error = yield* failure("{}", Json.make({ select: ["a["] }))
      expect(error.message).toContain('the selector "a[" cannot be read')
    })
  )

  it.effect("takes keys that objects of JavaScript have already", () =>
    Effect.gen(function* () {
      const units = yield* unitsOf(Json.format, `{"__proto__": "a", "constructor": {"toString": "b"}}`)
      expect(units.map(({ key, text }) => [key, text])).toEqual([
        ["__proto__", "a"],
        ["constructor.toString", "b"]
      ])
    })
  )

  it.effect("keeps keys that an object has several times, which JSON allows", () =>
    Effect.gen(function* () {
      const text = `{"a": "1", "b": {"c": "2"}, "a": "3", "b": {"c": "4"}, "a#2": "5", "a": "6"}`
      expect(yield* textsOf(Json.format, text)).toEqual({
        a: "1",
        "b.c": "2",
        "a#2": "3",
        "b#2.c": "4",
        "a#2#2": "5",
        "a#3": "6"
      })
      expect(yield* untouched(Json.format, text)).toBe(text)
      expect(yield* rewrite(Json.format, text, ({ text }) => `${text}!`)).toBe(
        `{"a": "1!", "b": {"c": "2!"}, "a": "3!", "b": {"c": "4!"}, "a#2": "5!", "a": "6!"}`
      )
      expect(Object.keys(yield* textsOf(Json.make({ select: ["a", "b.c"] }), text))).toEqual([
        "a",
        "b.c",
        "a#2",
        "b#2.c",
        "a#3"
      ])
    })
  )

  it.effect("takes a document that is one string", () =>
    Effect.gen(function* () {
      expect(yield* rewrite(Json.format, ` "a" `, () => "b")).toBe(` "b" `)
    })
  )

  it.effect("writes escapes above ASCII where the file has no other characters", () =>
    Effect.gen(function* () {
      expect(yield* rewrite(Json.format, `{"a": "caf\\u00e9", "b": "x"}`, () => "ü😀")).toBe(
        `{"a": "\\u00fc\\ud83d\\ude00", "b": "\\u00fc\\ud83d\\ude00"}`
      )
      expect(yield* rewrite(Json.format, `{"a": "\\u00E9"}`, () => "ë")).toBe(`{"a": "\\u00EB"}`)
      expect(yield* rewrite(Json.format, `{"a": "é", "b": "\\u00e9"}`, () => "ü")).toBe(
        `{"a": "ü", "b": "ü"}`
      )
    })
  )

  it.effect("writes slashes and other characters as the string had them", () =>
    Effect.gen(function* () {
      const escaped = `{"a": "1\\/2", "b": "\\u003cb\\u003e \\u0022", "c": "a/b <", "d": "\\\\/"}`
      expect(yield* writtenAnew(Json.format, escaped)).toBe(escaped)
      expect(yield* rewrite(Json.format, `{"a": "\\u003cb>"}`, () => "<i>")).toBe(`{"a": "\\u003ci>"}`)
    })
  )

  it.effect("gives the place where a file is malformed, and advice", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<[string, number, number, string]> = [
        ["", 1, 1, "the file is empty"],
        ['{\n  "a": "b', 2, 8, "a string is not closed"],
        ['{\n  "a": "b"', 2, 11, "the file ends where a comma or a closing bracket is missing"],
        ['{"a": 1,}', 1, 8, "nothing follows the last comma"],
        ['["a",\r\n]', 1, 5, "nothing follows the last comma"],
        ['{"a": 1 // x\n}', 1, 9, "JSON has no comments"],
        ['{"a": "\\x"}', 1, 7, "an escape"],
        ['{"a": "\\u12"}', 1, 7, "four hexadecimal digits"],
        ['{"a": "\t"}', 1, 7, "a control character"],
        ["{'a': 1}", 1, 2, "a key in double quotes"],
        ['{"a" 1}', 1, 6, "a colon"],
        ['{"a": 01}', 1, 8, "a comma or a closing bracket"],
        ['{"a": yes}', 1, 7, "no value of JSON"],
        ["{} {}", 1, 4, "behind the end"]
      ]
      for (const [text, line, column, message] of cases) {
        const error = yield* failure(text)
        expect(error, text).toMatchObject({ line, column })
        expect(error.message, text).toContain(message)
      }
    })
  )

  it.effect("refuses nesting that would overflow the stack", () =>
    Effect.gen(function* () {
      for (const text of ["[".repeat(10_000), '{"a":'.repeat(100_000)]) {
        expect((yield* failure(text)).message).toContain("nested more than 500 levels deep")
      }
      expect(yield* unitsOf(Json.format, `${"[".repeat(500)}"a"${"]".repeat(500)}`)).toHaveLength(1)
    })
  )

  it.effect("refuses bytes that are not UTF-8, and files beyond the bound", () =>
    Effect.gen(function* () {
      expect((yield* failure(Uint8Array.of(0x22, 0xff, 0x22))).message).toContain("not UTF-8")
      const { message } = yield* Effect.flip(unitsOf(Json.format, '["123456"]', { maxBytes: 8 }))
      expect(message).toContain("more than 8 bytes")
    })
  )

  it.effect("keeps any document byte for byte, and holds any text, however it arrives", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.json({ maxDepth: 3, stringUnit: "binary" }),
          fc.constantFrom("", "  ", "\t"),
          fc.constantFrom("\n", "\r\n", "\r"),
          fc.integer({ min: 1, max: 9 }),
          fc.fullUnicodeString().filter((text) => text.trim() !== ""),
          (json, indent, newline, chunkSize, text) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const file = JSON.stringify(JSON.parse(json), null, indent).replaceAll("\n", newline)
                expect(yield* untouched(Json.format, file, { chunkSize })).toBe(file)
                expect(yield* writtenAnew(Json.format, file)).toBe(file)
                const written = yield* rewrite(Json.format, file, () => text, { chunkSize })
                const units = yield* unitsOf(Json.format, written)
                expect(units.map((unit) => unit.key)).toEqual(
                  (yield* unitsOf(Json.format, file)).map((unit) => unit.key)
                )
                for (const unit of units) expect(unit.text).toBe(text)
                JSON.parse(written)
              })
            )
        ),
        { numRuns: runs(20) }
      )
    )
  )
})

describe("Json.merge", () => {
  const source = `{
  "a": "A",
  "b": {
    "c": "C",
    "d": ["x", "y"]
  },
  "e": "E"
}
`

  it.effect("inserts missing keys behind those before them, in the target's indentation", () =>
    Effect.gen(function* () {
      const target = `{\r\n\t"e": "e!",\r\n\r\n\t"a": "a!"\r\n}`
      expect(yield* merge(Json.format, source, target)).toBe(
        `{\r\n\t"e": "e!",\r\n\r\n\t"a": "a!",\r\n\t"b": {\r\n\t\t"c": "C",\r\n\t\t"d": ["x", "y"]\r\n\t}\r\n}`
      )
    })
  )

  it.effect("inserts at the start, into nested objects and arrays, and in place of blank texts", () =>
    Effect.gen(function* () {
      const target = `{ "b": { "d": ["X"] }, "e": "" }`
      expect(yield* merge(Json.format, source, target)).toBe(
        `{ "a": "A", "b": { "c": "C", "d": ["X","y"] }, "e": "E" }`
      )
    })
  )

  it.effect("keeps or drops keys that the source does not have", () =>
    Effect.gen(function* () {
      const target = `{"x": 1, "a": "a", "b": {"c": "c", "d": ["x", "y", "z"], "q": {}}, "e": "e", "z": 2}`
      expect(yield* merge(Json.format, source, target)).toBe(target)
      expect(yield* merge(Json.format, source, target, { removed: "drop" })).toBe(
        `{"a": "a", "b": {"c": "c", "d": ["x", "y"]}, "e": "e"}`
      )
    })
  )

  it.effect("tells keys that are there several times apart by their order", () =>
    Effect.gen(function* () {
      const twice = `{"a": "A", "b": "B", "a": "A2"}`
      expect(yield* merge(Json.format, twice, `{"a": "a", "b": "b"}`)).toBe(`{"a": "a", "b": "b", "a": "A2"}`)
      expect(yield* merge(Json.format, twice, `{"a": "a", "a": "a2"}`)).toBe(
        `{"a": "a", "b": "B", "a": "a2"}`
      )
      const once = `{"a": "A"}`
      expect(yield* merge(Json.format, once, `{"a": "a", "a": "a2"}`)).toBe(`{"a": "a", "a": "a2"}`)
      expect(yield* merge(Json.format, once, `{"a": "a", "a": "a2"}`, { removed: "drop" })).toBe(`{"a": "a"}`)
    })
  )

  it.effect("fills an empty target in the source's indentation", () =>
    Effect.gen(function* () {
      expect(yield* merge(Json.format, source, "{}\n")).toBe(source)
    })
  )

  it.effect("holds the units of a source whose keys are there several times", () =>
    Effect.promise(() => {
      const entries = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("x", "y")))
      const fileOf = (entries: ReadonlyArray<readonly [string, string]>) =>
        `{${entries.map(([key, text]) => `"${key}":"${text}"`).join(",")}}`
      return fc.assert(
        fc.asyncProperty(entries, entries, (one, other) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const source = fileOf(one)
              const merged = yield* merge(Json.format, source, fileOf(other))
              const texts = (text: string) => Effect.map(textsOf(Json.format, text), Object.keys)
              expect(yield* texts(merged)).toEqual(expect.arrayContaining(yield* texts(source)))
              expect(yield* merge(Json.format, source, merged)).toBe(merged)
            })
          )
        ),
        { numRuns: runs(50) }
      )
    })
  )
})

describe("selectors that find nothing", () => {
  const refused = (text: string, ...select: ReadonlyArray<string>) =>
    Effect.map(Effect.flip(unitsOf(Json.make({ select }), text)), ({ choice, message }) => ({
      choice,
      message
    }))
  const found = (text: string, ...select: ReadonlyArray<string>) => unitsOf(Json.make({ select }), text)

  it.effect("fail a file, and name the fields it has", () =>
    Effect.gen(function* () {
      expect(yield* refused('{"title":"Mug","items":[{"text":"a"},{"text":"b"}],"n":1}', "titel")).toEqual({
        choice: { option: "select", value: "titel", known: "title, items[*].text" },
        message: "json: no text is at titel, but at title, items[*].text: correct `select`."
      })
      expect((yield* refused('{"items":[{"text":"a"}]}', "items[*].txt", "x")).choice).toEqual({
        option: "select",
        value: "items[*].txt, x",
        known: "items[*].text"
      })
    })
  )

  it.effect("fail no file that has their fields without a text, or no string at all", () =>
    Effect.gen(function* () {
      for (const text of [
        '{"title":"","id":"a"}',
        '{"title":null,"id":"a"}',
        '{"title":{},"id":"a"}',
        '{"messages":[],"id":"a"}',
        '{"n":1}',
        "{}"
      ]) {
        expect(yield* found(text, "title", "messages[*].content")).toEqual([])
      }
    })
  )

  it.effect("fail no file in which one of them finds something", () =>
    Effect.gen(function* () {
      expect(yield* found('{"title":"Mug"}', "title", "body")).toHaveLength(1)
    })
  )
})
