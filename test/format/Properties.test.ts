import { describe, expect, it } from "@effect/vitest"
import { parse as parseDot } from "dot-properties"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import * as Properties from "../../src/format/Properties.js"
import { runs } from "../support/long.js"
import { merge, partsOf, rewrite, rewriteBytes, textsOf, unitsOf, untouched, writtenAnew } from "./formats.js"

const { format } = Properties

const file = `# Licence

# Greets the user.
! Shown once.
greeting = Hello, {0}!
path:C\\:\\\\temp
long = first \\
       second \\
\tthird
escaped\\ key\\:x=caf\\u00E9
lonely
blank =
spaces   value with blanks  
quote=It's
`

describe("Properties", () => {
  it.effect("reads values as Java does", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(format, file)).toStrictEqual({
        greeting: "Hello, {0}!",
        path: "C:\\temp",
        long: "first second third",
        "escaped key:x": "café",
        spaces: "value with blanks  ",
        quote: "It's"
      })
    })
  )

  it.effect("gives the place of a value and the comment directly above it", () =>
    Effect.gen(function* () {
      const parts = yield* partsOf(format, file)
      expect(parts.filter(({ units }) => units.length > 0).slice(0, 2)).toMatchObject([
        { context: "Greets the user.\nShown once.", units: [{ key: "greeting", line: 5, state: "missing" }] },
        { context: undefined, units: [{ key: "path", line: 6 }] }
      ])
    })
  )

  it.effect("leaves a file as it is", () =>
    Effect.gen(function* () {
      for (const newline of ["\n", "\r\n", "\r"]) {
        const text = `\uFEFF${file.replaceAll("\n", newline)}`
        expect(yield* untouched(format, text, { chunkSize: 3 })).toBe(text)
        expect(yield* writtenAnew(format, text)).toBe(text)
      }
    })
  )

  it.effect("escapes characters that a value cannot hold", () =>
    Effect.gen(function* () {
      const written = yield* rewrite(format, "a=x\nb y\n", () => " =a\\b\n\tc\r\f\u0001")
      expect(written).toBe("a=\\ =a\\\\b\\n\\tc\\r\\f\\u0001\nb \\ =a\\\\b\\n\\tc\\r\\f\\u0001\n")
      expect(yield* rewrite(format, "b y\n", () => ":x")).toBe("b \\:x\n")
    })
  )

  it.effect("escapes separators where the file does", () =>
    Effect.gen(function* () {
      expect(yield* rewrite(format, "a=x\\:y\n", () => "1=2: #!")).toBe("a=1\\=2\\: \\#\\!\n")
    })
  )

  it.effect("writes \\u escapes in an ASCII file that has some, and characters otherwise", () =>
    Effect.gen(function* () {
      const translate = () => "ä😀"
      expect(yield* rewrite(format, "a=caf\\u00e9\n", translate)).toBe("a=\\u00E4\\uD83D\\uDE00\n")
      expect(yield* rewrite(format, "a=x\n", translate)).toBe("a=ä😀\n")
      expect(yield* rewrite(format, "a=é \\u00e9\n", translate)).toBe("a=ä😀\n")
      expect(yield* rewrite(Properties.make({ escapeNonAscii: true }), "a=é\n", translate)).toBe(
        "a=\\u00E4\\uD83D\\uDE00\n"
      )
    })
  )

  it.effect("reads and writes ISO-8859-1 where the bytes are not UTF-8", () =>
    Effect.gen(function* () {
      const bytes = Uint8Array.of(0x61, 0x3d, 0xe9, 0x0a)
      expect(yield* textsOf(format, bytes)).toStrictEqual({ a: "é" })
      expect([...(yield* rewriteBytes(format, bytes, () => "ü€"))]).toStrictEqual([
        0x61, 0x3d, 0xfc, 0x5c, 0x75, 0x32, 0x30, 0x41, 0x43, 0x0a
      ])
      expect([...(yield* rewriteBytes(format, bytes, () => undefined))]).toStrictEqual([...bytes])
    })
  )

  it.effect("doubles apostrophes where the text has arguments, unless the file has single ones there", () =>
    Effect.gen(function* () {
      const translate = () => "l'ami"
      expect(yield* rewrite(format, "a={0}\nb=x\n", translate)).toBe("a=l''ami\nb=l'ami\n")
      expect(yield* rewrite(format, "a={0}\nb={0}'s\n", translate)).toBe("a=l'ami\nb=l'ami\n")
      expect(yield* textsOf(format, "a={0}''s\n")).toStrictEqual({ a: "{0}''s" })
    })
  )

  it.effect("keeps names that are there twice, and those of JavaScript's prototypes", () =>
    Effect.gen(function* () {
      const keys = (yield* unitsOf(format, "a=1\na=2\na#2=3\n__proto__=x\nconstructor=y\n")).map(
        ({ key }) => key
      )
      expect(keys).toStrictEqual(["a", "a#2", "a#2#2", "__proto__", "constructor"])
    })
  )

  it.effect("names line and column of a malformed escape, and a file in UTF-16", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(partsOf(format, "a=1\nb=x\\u12g4 secret\n"))).toMatchObject({
        line: 2,
        column: 4,
        message: expect.not.stringContaining("secret")
      })
      expect(yield* Effect.flip(partsOf(format, Uint8Array.of(0xff, 0xfe, 0x61, 0)))).toMatchObject({
        message: expect.stringContaining("UTF-16")
      })
    })
  )

  it.effect("inserts missing entries after the one that they follow in the source", () =>
    Effect.gen(function* () {
      const source = "z=0\na=1\n# note\nb=2\n\nc=3\n"
      const target = "# Licence\n\nc = drei\na = eins\nold = alt"
      expect(yield* merge(format, source, target)).toBe(
        "# Licence\n\nz=0\nc = drei\na = eins\n# note\nb=2\nold = alt"
      )
      expect(yield* merge(format, source, target, { removed: "drop" })).toBe(
        "# Licence\n\nz=0\nc = drei\na = eins\n# note\nb=2\n"
      )
      expect(yield* merge(format, source, "")).toBe(source)
      expect(yield* merge(format, "a=1\r\n", "a=eins\r\nb=zwei\r\n")).toBe("a=eins\r\nb=zwei\r\n")
    })
  )

  const text = fc.fullUnicodeString({ minLength: 1, maxLength: 12 }).filter((value) => value.trim() !== "")
  const written = fc.oneof(
    text,
    fc.stringOf(fc.constantFrom(" ", "\\", "\n", "\r", "\t", "=", ":", "#", "!", "u0041", "ä"), {
      maxLength: 8
    })
  )

  it.effect.prop(
    "reads the same as was written, by another reader as well",
    [
      fc.array(fc.tuple(fc.constantFrom("=", " : ", " ", "\\\n ="), text, written), {
        minLength: 1,
        maxLength: 5
      }),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.boolean()
    ],
    ([rows, newline, escapeNonAscii]) =>
      Effect.gen(function* () {
        const file = rows
          .map(
            ([separator, value], index) => `k${index}${separator}${value.replace(/[^a-zäöü]/g, "x")}\\u0041`
          )
          .join(newline)
        const own = Properties.make({ escapeNonAscii })
        expect(yield* untouched(own, file, { chunkSize: 2 })).toBe(file)
        const result = yield* rewrite(own, file, ({ key }) => rows[Number(key.slice(1))]![2])
        const expected = rows.map(([, , value], index) => [`k${index}`, value])
        expect(Object.entries(parseDot(result))).toStrictEqual(expected)
        expect(yield* textsOf(own, result)).toStrictEqual(
          Object.fromEntries(expected.filter(([, value]) => value!.trim() !== ""))
        )
      }),
    { fastCheck: { numRuns: runs(50) } }
  )

  it.effect("a merged entry is not joined to a backslash at the end of the target", () =>
    Effect.gen(function* () {
      const merged = yield* merge(format, "a=A\nb=B\n", "a=x\\")
      expect(parseDot(merged.replace(/\\$/, ""))).toStrictEqual({ a: "x", b: "B" })
      expect(yield* textsOf(format, merged)).toStrictEqual({ a: "x", b: "B" })
    })
  )
})
