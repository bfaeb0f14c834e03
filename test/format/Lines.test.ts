import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import * as Lines from "../../src/format/Lines.js"
import { runs } from "../support/long.js"
import { bytes, collect, concat, text, untilError } from "./support.js"

const lines = (input: string | Uint8Array, sizes?: ReadonlyArray<number>) =>
  collect(bytes(input, sizes).pipe(Lines.decode()))

describe("Lines.decode", () => {
  it.effect("splits at LF and CRLF, wherever the chunks end", () =>
    Effect.gen(function* () {
      for (const size of [1, 2, 3, 100]) {
        expect(yield* lines("one\ntwo\r\nthree\n", [size])).toStrictEqual(["one", "two", "three"])
      }
    })
  )

  it.effect("keeps blank lines", () =>
    Effect.gen(function* () {
      expect(yield* lines("\na\n\n\r\nb\n\n", [1])).toStrictEqual(["", "a", "", "", "b", ""])
    })
  )

  it.effect("takes a last line without a line break, and makes none of the last break", () =>
    Effect.gen(function* () {
      expect(yield* lines("a\nb")).toStrictEqual(["a", "b"])
      expect(yield* lines("a\nb\n")).toStrictEqual(["a", "b"])
      expect(yield* lines("")).toStrictEqual([])
      expect(yield* lines("\n")).toStrictEqual([""])
    })
  )

  it.effect("keeps a CR inside a line, so that the number of lines is that of LF", () =>
    Effect.gen(function* () {
      expect(yield* lines("a\rb\nc", [1])).toStrictEqual(["a\rb", "c"])
    })
  )

  it.effect("strips a byte order mark at the start and nowhere else", () =>
    Effect.gen(function* () {
      expect(yield* lines("\uFEFFa\n\uFEFFb\n", [1])).toStrictEqual(["a", "\uFEFFb"])
    })
  )

  it.effect("strips one of two byte order marks, wherever the first is cut", () =>
    Effect.gen(function* () {
      for (const cut of [1, 2, 3, 4]) {
        expect(yield* lines("\uFEFF\uFEFFa\n", [cut, 100])).toStrictEqual(["\uFEFFa"])
      }
    })
  )

  it.effect("joins characters that are split between chunks", () =>
    Effect.gen(function* () {
      expect(yield* lines("日本語\n😀é\n", [1])).toStrictEqual(["日本語", "😀é"])
    })
  )

  it.effect("names the line of bytes that are not UTF-8, after the lines in front", () =>
    Effect.gen(function* () {
      for (const bad of [[0xff], [0xe2, 0x82], [0xc0, 0xaf]]) {
        const input = concat([new TextEncoder().encode("é\n\nsecret😀"), new Uint8Array(bad)])
        for (const size of [1, 3, 100]) {
          const { values, error } = yield* untilError(bytes(input, [size]).pipe(Lines.decode()))
          expect(values).toStrictEqual(["é", ""])
          expect(Lines.isLinesError(error)).toBe(true)
          expect(error).toMatchObject({
            _tag: "LinesError",
            line: 3,
            message: expect.stringContaining("UTF-8")
          })
          expect(error.message).not.toContain("secret")
        }
      }
    })
  )

  it.effect("stops at a line without end before it fills the memory", () =>
    Effect.gen(function* () {
      const endless = Stream.concat(
        bytes("a\n"),
        Stream.forever(Stream.make(new Uint8Array(1 << 20).fill(97)))
      )
      const { error } = yield* untilError(endless.pipe(Lines.decode()))
      expect(error).toMatchObject({ line: 2, message: expect.stringContaining("longer") })
    })
  )

  it.effect("passes on failures of its source", () =>
    Effect.gen(function* () {
      const source = Stream.concat(bytes("a\nb"), Stream.fail("broken disk" as const))
      const { values, error } = yield* untilError(source.pipe(Lines.decode()))
      expect(values).toStrictEqual(["a"])
      expect(error).toBe("broken disk")
    })
  )
})

describe("Lines.encode", () => {
  it.effect("ends every line", () =>
    Effect.gen(function* () {
      expect(yield* text(Stream.make("a", "", "b").pipe(Lines.encode()))).toBe("a\n\nb\n")
      expect(yield* text(Stream.empty.pipe(Lines.encode()))).toBe("")
    })
  )

  it.effect("writes CRLF and a byte order mark", () =>
    Effect.gen(function* () {
      const stream = Stream.make("a", "b").pipe(Stream.rechunk(1))
      expect(yield* text(stream.pipe(Lines.encode({ newline: "\r\n", bom: true })))).toBe("\uFEFFa\r\nb\r\n")
    })
  )

  it.effect("refuses a text that would become two lines, by its number, after the lines in front", () =>
    Effect.gen(function* () {
      for (const bad of ["secret\nx", "secret\r\n", "secret\r", "\n"]) {
        const stream = Stream.make("a", "b", bad, "c").pipe(Stream.rechunk(2))
        const { values, error } = yield* untilError(stream.pipe(Lines.encode()))
        expect(new TextDecoder().decode(concat(values))).toBe("a\nb\n")
        expect(error).toMatchObject({ line: 3, message: expect.stringContaining("line break") })
        expect(error.message).not.toContain("secret")
      }
    })
  )

  it.effect("refuses half of a surrogate pair instead of writing a replacement character", () =>
    Effect.gen(function* () {
      const { error } = yield* untilError(Stream.make("😀", "\uDE00").pipe(Lines.encode()))
      expect(error).toMatchObject({ line: 2, message: expect.stringContaining("surrogate") })
    })
  )
})

describe("Lines that are written are read back", () => {
  const line = fc
    .oneof(
      fc.stringOf(fc.constantFrom("\r", "\uFEFF", " ", "a", "é", "😀", "\u2028", "\u0085"), { maxLength: 8 }),
      fc.fullUnicodeString({ maxLength: 12 })
    )
    .map((line) => line.replace(/\n|\r+$/g, ""))
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })

  it.effect.prop(
    "whatever the texts, the line ends and the chunks are",
    [
      fc.array(line, { maxLength: 8 }),
      fc.record({ newline: fc.constantFrom("\n" as const, "\r\n" as const), bom: fc.boolean() }),
      sizes
    ],
    ([input, options, sizes]) =>
      Effect.gen(function* () {
        const pieces = yield* Stream.fromIterable(input).pipe(
          Stream.rechunk(sizes[0]!),
          Lines.encode(options),
          collect
        )
        expect(yield* lines(concat(pieces), sizes)).toStrictEqual(input)
      }),
    { fastCheck: { numRuns: runs(50) } }
  )

  it.effect.prop(
    "and every line that is read can be written",
    [fc.stringOf(fc.constantFrom("\r", "\n", "a"), { maxLength: 20 }), sizes],
    ([input, sizes]) =>
      Effect.gen(function* () {
        const first = yield* lines(input, sizes)
        const pieces = yield* collect(Stream.fromIterable(first).pipe(Lines.encode()))
        expect(yield* lines(concat(pieces))).toStrictEqual(first)
      }),
    { fastCheck: { numRuns: runs(50) } }
  )
})
