import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import * as Json from "../../src/format/Json.js"
import * as JsonLines from "../../src/format/JsonLines.js"
import { runs } from "../support/long.js"
import { bytesOf, partsOf, rewrite, textsOf, unitsOf, untouched, writtenAnew } from "./formats.js"

const format = JsonLines.make({ select: ["title", "messages[*].content"] })
const skipping = JsonLines.make({ select: ["title"], onBadLine: "skip" })

const file = `\uFEFF{"id": 1, "title": "One", "sub": {"title": "no"}}
\r
 { "messages" : [ {"role":"user", "content":"Hi \\"you\\" \\\\"}, {"content": "b"} ], "title": null }\r
[]
{"title":"ü \\u00fc \\/"}`

describe("JsonLines", () => {
  it.effect("takes the selected strings of each line, with its number", () =>
    Effect.gen(function* () {
      const units = yield* unitsOf(format, file)
      expect(units).toEqual([
        { key: "1:title", text: "One", line: 1, state: "missing" },
        { key: "3:messages[0].content", text: 'Hi "you" \\', line: 3, state: "missing" },
        { key: "3:messages[1].content", text: "b", line: 3, state: "missing" },
        { key: "5:title", text: "ü ü /", line: 5, state: "missing" }
      ])
    })
  )

  it.effect("makes a part of each line", () =>
    Effect.gen(function* () {
      const parts = yield* partsOf(format, file, { chunkSize: 5 })
      expect(parts.map(({ raw }) => raw)).toEqual([...file.split(/(?<=\n)/), ""])
    })
  )

  it.effect("leaves lines as they are where nothing is translated", () =>
    Effect.gen(function* () {
      for (const chunkSize of [1, 2, 3, 1000])
        expect(yield* untouched(format, file, { chunkSize })).toBe(file)
      expect(yield* writtenAnew(format, file.replace("\\u00fc \\/", "/"))).toBe(
        file.replace("\\u00fc \\/", "/")
      )
    })
  )

  it.effect("escapes above ASCII once all lines so far do", () =>
    Effect.gen(function* () {
      const ascii = `{"title":"a"}\n{"title":"\\u00e9"}\n{"title":"b"}\n{"x":"é"}\n{"title":"c"}\n`
      expect(yield* rewrite(format, ascii, () => "ü")).toBe(
        `{"title":"ü"}\n{"title":"\\u00fc"}\n{"title":"\\u00fc"}\n{"x":"é"}\n{"title":"ü"}\n`
      )
    })
  )

  it.effect("ends the file at a bad line, after the parts before it", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        unitsOf(format, `{"title":"a"}\n{"title": 'b'}\n`, { file: "x.jsonl" })
      )
      expect(error).toMatchObject({ line: 2, column: 11, file: "x.jsonl" })
      expect(error.message).toContain("x.jsonl, line 2, column 11: this is no value of JSON")
      for (const bad of [`{"title":"a"`, `{"title":"a"} x`, "[".repeat(10_000)]) {
        expect(yield* Effect.flip(unitsOf(format, `{}\n${bad}\n{}`)), bad).toMatchObject({ line: 2 })
      }
    })
  )

  it.effect("keeps a selected key that an object has several times", () =>
    Effect.gen(function* () {
      const twice = `{"title":"a","title":"b"}\n`
      expect(yield* textsOf(format, twice)).toEqual({ "1:title": "a", "1:title#2": "b" })
      expect(yield* rewrite(format, twice, ({ text }) => `${text}!`)).toBe(`{"title":"a!","title":"b!"}\n`)
    })
  )

  it.effect("lets bad lines pass where they are skipped", () =>
    Effect.gen(function* () {
      const bad = `{"title":"a"}\n{"title": 'b'}\n{"title":"c"}\n{"tit`
      const parts = yield* partsOf(skipping, bad)
      expect(parts.map(({ problem }) => problem?.line)).toEqual([undefined, 2, undefined, 4])
      expect(yield* rewrite(skipping, bad, ({ text }) => `${text}!`)).toBe(
        `{"title":"a!"}\n{"title": 'b'}\n{"title":"c!"}\n{"tit`
      )
    })
  )

  it.effect("refuses a selected text that is nested too deep", () =>
    Effect.gen(function* () {
      const deep = `${"[".repeat(10_000)}"a"${"]".repeat(10_000)}`
      const error = yield* Effect.flip(unitsOf(JsonLines.make({ select: ["**"] }), deep))
      expect(error.message).toContain("nested more than 500 levels deep")
      expect(yield* unitsOf(format, `{"x":${deep},"title":"a"}`)).toHaveLength(1)
    })
  )

  it.effect("ends the file at bytes that are not UTF-8, and at a selector that cannot be read", () =>
    Effect.gen(function* () {
      const bytes = Uint8Array.of(...bytesOf("{}\n{"), 0xff)
      expect(yield* Effect.flip(unitsOf(skipping, bytes))).toMatchObject({ line: 2 })
      expect((yield* Effect.flip(unitsOf(JsonLines.format, "{}"))).message).toContain("no field is chosen")
    })
  )

  it.effect("finds the same as the reader of whole documents, and holds any text", () =>
    Effect.promise(() => {
      const key = fc.constantFrom("title", "a", 'b"\\', "__proto__")
      const value = fc.letrec((tie) => ({
        value: fc.oneof(
          { depthSize: "small" },
          fc.fullUnicodeString(),
          fc.constantFrom(1, -1e-7, true, null, "\\", '"'),
          fc.array(tie("value"), { maxLength: 3 }),
          fc.dictionary(key, tie("value"), { maxKeys: 3 })
        )
      })).value
      const select = fc.constantFrom(["**"], ["title"], ["*.title"], ["**.title", "a[*]"], ["**[0]"])
      const text = fc.fullUnicodeString().filter((text) => text.trim() !== "")
      return fc.assert(
        fc.asyncProperty(fc.array(value), select, text, fc.nat(4), (rows, select, text, spaces) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const blanks = " ".repeat(spaces)
              const lines = rows.map((row) => `${blanks}${JSON.stringify(row)}${blanks}`)
              const format = JsonLines.make({ select })
              const file = lines.join("\n")
              // What leads nowhere in one line may lead to a text in another.
              const whole = yield* Effect.forEach(lines, (line) =>
                Effect.catchIf(
                  textsOf(Json.make({ select }), line),
                  ({ choice }) => choice !== undefined,
                  () => Effect.succeed<Readonly<Record<string, string>>>({})
                )
              )
              const read = yield* Effect.either(textsOf(format, file))
              if (Either.isLeft(read)) {
                expect(read.left.choice?.option).toBe("select")
                expect(whole.flatMap(Object.keys)).toEqual([])
                return
              }
              expect(yield* untouched(format, file, { chunkSize: 3 })).toBe(file)
              const found = read.right
              expect(found).toEqual(
                Object.fromEntries(
                  whole.flatMap((texts, index) =>
                    Object.entries(texts).map(([key, text]) => [`${index + 1}:${key}`, text])
                  )
                )
              )
              const written = yield* rewrite(format, file, () => text)
              expect(Object.values(yield* textsOf(format, written))).toEqual(
                Object.keys(found).map(() => text)
              )
            })
          )
        ),
        { numRuns: runs(20) }
      )
    })
  )
})

describe("selectors that find nothing in JSON Lines", () => {
  const titles = JsonLines.make({ select: ["titel"] })

  it.effect("fail the file at its end, and name the fields of its lines", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(unitsOf(titles, '{"title":"Mug"}\n\n{"body":"A mug","n":1}\n'))
      expect(error.choice).toEqual({ option: "select", value: "titel", known: "title, body" })
    })
  )

  it.effect("fail neither a file with a text in its last line, nor a piece of a file", () =>
    Effect.gen(function* () {
      expect(yield* unitsOf(titles, '{"title":"Mug"}\n{"titel":"Cup"}\n')).toHaveLength(1)
      expect(yield* unitsOf(titles, '{"title":"Mug"}\n', { isPiece: true })).toEqual([])
      expect(yield* unitsOf(titles, "")).toEqual([])
    })
  )
})
