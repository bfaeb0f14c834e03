import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import * as Lines from "../../src/format/Lines.js"
import * as Paragraphs from "../../src/format/Paragraphs.js"
import { runs } from "../support/long.js"
import {
  bytesOf,
  partsOf,
  rewrite,
  rewriteBytes,
  textsOf,
  unitsOf,
  untouched,
  writtenAnew
} from "./formats.js"
import { untilError } from "./support.js"

const upper = ({ text }: { readonly text: string }) => text.toUpperCase()

describe("Lines.format", () => {
  it.effect("has a unit for each line that is not blank, by its number", () =>
    Effect.gen(function* () {
      expect(yield* unitsOf(Lines.format, "one\n\n  \ntwo\r\n42")).toStrictEqual([
        { key: "1", text: "one", line: 1, state: "missing" },
        { key: "4", text: "two", line: 4, state: "missing" },
        { key: "5", text: "42", line: 5, state: "missing" }
      ])
    })
  )

  it.effect("keeps whitespace around a line, its break and the byte order mark", () =>
    Effect.gen(function* () {
      const file = "\uFEFF one\t\r\n\n\u3000two \rthree"
      expect(yield* rewrite(Lines.format, file, upper)).toBe("\uFEFF ONE\t\r\n\n\u3000TWO \rTHREE")
    })
  )

  it.effect("leaves lines without a translation as they are", () =>
    Effect.gen(function* () {
      const translate = ({ key }: { readonly key: string }) => (key === "2" ? "zwei" : undefined)
      expect(yield* rewrite(Lines.format, "one \ntwo\nthree", translate)).toBe("one \nzwei\nthree")
    })
  )

  it.effect("writes line breaks of a translation as spaces", () =>
    Effect.gen(function* () {
      expect(yield* rewrite(Lines.format, "one\ntwo\n", () => "a\r\nb\nc\rd")).toBe("a b c d\na b c d\n")
    })
  )

  it.effect("counts a CRLF that is cut between chunks once", () =>
    Effect.gen(function* () {
      for (const chunkSize of [1, 2, 3, 4]) {
        const parts = yield* partsOf(Lines.format, "a\r\nb\r\rc\r", { chunkSize })
        expect(parts.map(({ raw }) => raw)).toStrictEqual(["a\r\n", "b\r", "\r", "c\r"])
      }
    })
  )

  it.effect("emits lines before the file has ended", () =>
    Effect.gen(function* () {
      const endless = Stream.forever(Stream.make(bytesOf("a line\n")))
      const parts = yield* endless.pipe(
        Lines.format.decode({ targetLang: "de" }),
        Stream.take(3),
        Stream.runCollect
      )
      expect(Chunk.size(parts)).toBe(3)
    })
  )

  it.effect("names file, line and column of bytes that are not UTF-8, after the lines before them", () =>
    Effect.gen(function* () {
      const input = Stream.make(bytesOf("é\nsec"), new Uint8Array([0xff]))
      const { error, values } = yield* untilError(
        input.pipe(Lines.format.decode({ targetLang: "de", file: "a.txt" }))
      )
      expect(values).toHaveLength(1)
      expect(error).toMatchObject({
        _tag: "FormatError",
        line: 2,
        column: 4,
        message: "a.txt, line 2, column 4: there are bytes that are not UTF-8: save the file as UTF-8."
      })
    })
  )
})

describe("Paragraphs", () => {
  it.effect("joins the lines of a paragraph, by the number of the first", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(Paragraphs.format, "\nA text\n  in two lines.  \n \t\nAnother\n")).toStrictEqual({
        "2": "A text in two lines.",
        "5": "Another"
      })
    })
  )

  it.effect("wraps a translation to the longest line, with the indentation of the source", () =>
    Effect.gen(function* () {
      const file = "  * A lists\r\n    entry\r\n    here \r\n\r\nOne line\r\n"
      const long = "eins zwei drei vier fuenf"
      expect(yield* rewrite(Paragraphs.format, file, () => long)).toBe(
        `  eins zwei\r\n    drei\r\n    vier\r\n    fuenf \r\n\r\n${long}\r\n`
      )
    })
  )

  it.effect("counts the width in characters, and gives a longer word a line of its own", () =>
    Effect.gen(function* () {
      expect(yield* rewrite(Paragraphs.format, "😀 😀\n😀\n", () => "😀 ab 12345678 c")).toBe(
        "😀\nab\n12345678\nc\n"
      )
    })
  )

  it.effect("writes the same lines for a text that was filled to a width", () =>
    Effect.gen(function* () {
      const file = [
        "   The Project is a text.  It has two blanks behind a full stop, and",
        "   its lines are filled up to seventy characters, as an editor does",
        "   it. A line without a break at its end is the last one of them all.",
        "",
        "\tNext"
      ].join("\n")
      expect(yield* writtenAnew(Paragraphs.format, file)).toBe(file)
    })
  )
})

describe("Texts of any lines", () => {
  const file = fc.stringOf(fc.constantFrom("\r", "\n", "\r\n", "\uFEFF", " ", "\t", "a", "é", "😀", "b c"), {
    maxLength: 30
  })
  const formats = fc.constantFrom(Lines.format, Paragraphs.format)

  it.effect.prop(
    "come out as they are, whatever the chunks",
    [formats, file, fc.integer({ min: 1, max: 9 })],
    ([format, file, chunkSize]) =>
      Effect.gen(function* () {
        expect(yield* untouched(format, file, { chunkSize })).toBe(file)
      }),
    { fastCheck: { numRuns: runs(50) } }
  )

  it.effect.prop(
    "hold the translations that were written",
    [formats, file, fc.fullUnicodeString({ minLength: 1 })],
    ([format, file, text]) =>
      Effect.gen(function* () {
        const translation = `x${text}y`
        const written = yield* rewriteBytes(format, file, () => translation)
        const plain = (value: string) => value.replace(/[\r\n \t]+/g, " ")
        const expected = (yield* unitsOf(format, file)).map(() => plain(translation))
        expect((yield* unitsOf(format, written)).map(({ text }) => plain(text))).toStrictEqual(expected)
      }),
    { fastCheck: { numRuns: runs(50) } }
  )
})
