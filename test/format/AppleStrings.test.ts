import { describe, expect, it } from "@effect/vitest"
import { parse as parseOpenStep } from "@plist/openstep.parse"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { format } from "../../src/format/AppleStrings.js"
import { runs } from "../support/long.js"
import { merge, partsOf, rewrite, rewriteBytes, textsOf, unitsOf, untouched, writtenAnew } from "./formats.js"

const file = `/* Licence */

/* No comment provided by engineer. */
"Hello, %@!" = "Hello, %1$@!";

// Title of the list
/* With
 * two lines */
title = 'Don\\'t "stop"';   // here
"tabs" = "a\\tb\\n\\"c\\" \\\\ \\U00e9 \\101";
"key /* no comment */ = ;" = "x";"same" = "line";
own;
"blank" = " ";
"two
lines" = "first
second";
`

const utf16 = (text: string) => Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, "utf16le")])

describe("AppleStrings", () => {
  it.effect("reads keys and values, quoted or not", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(format, file)).toStrictEqual({
        "Hello, %@!": "Hello, %1$@!",
        title: 'Don\'t "stop"',
        tabs: 'a\tb\n"c" \\ é A',
        "key /* no comment */ = ;": "x",
        same: "line",
        own: "own",
        "two\nlines": "first\nsecond"
      })
    })
  )

  it.effect("gives the place of a value and the comment directly above it", () =>
    Effect.gen(function* () {
      const parts = yield* partsOf(format, file)
      expect(parts.filter(({ units }) => units.length > 0).slice(0, 3)).toMatchObject([
        { context: undefined, units: [{ key: "Hello, %@!", line: 4, state: "missing" }] },
        { context: "Title of the list\nWith\ntwo lines", units: [{ key: "title", line: 9 }] },
        { context: undefined, units: [{ key: "tabs", line: 10 }] }
      ])
    })
  )

  it.effect("leaves a file as it is", () =>
    Effect.gen(function* () {
      for (const newline of ["\n", "\r\n"]) {
        const text = `\uFEFF${file.replaceAll("\n", newline)}`
        expect(yield* untouched(format, text, { chunkSize: 3 })).toBe(text)
        expect(yield* writtenAnew(format, text)).toBe(text)
      }
    })
  )

  it.effect("keeps UTF-16", () =>
    Effect.gen(function* () {
      const bytes = utf16('"a" = "é";\n')
      expect(yield* textsOf(format, bytes)).toStrictEqual({ a: "é" })
      const written = yield* rewriteBytes(format, bytes, () => "日😀")
      expect(Buffer.from(written).equals(utf16('"a" = "日😀";\n'))).toBe(true)
    })
  )

  it.effect("escapes characters that a string cannot hold", () =>
    Effect.gen(function* () {
      const translate = () => "\"a\" 'b' \\ \n\t\r\u0001"
      expect(yield* rewrite(format, "a = \"x\";b='x';c;", translate)).toBe(
        `a = "\\"a\\" 'b' \\\\ \\n\\t\\r\\U0001";b='"a" \\'b\\' \\\\ \\n\\t\\r\\U0001';c = "\\"a\\" 'b' \\\\ \\n\\t\\r\\U0001";`
      )
    })
  )

  it.effect("breaks lines as the string did", () =>
    Effect.gen(function* () {
      expect(yield* rewrite(format, 'a = "x\ny";', () => "1\n2")).toBe('a = "1\n2";')
      expect(yield* rewrite(format, 'a = "x\\ny";', () => "1\n2")).toBe('a = "1\\n2";')
    })
  )

  it.effect("writes \\U escapes in an ASCII file that has some", () =>
    Effect.gen(function* () {
      expect(yield* rewrite(format, 'a = "caf\\U00e9";', () => "ä😀")).toBe('a = "\\U00e4\\Ud83d\\Ude00";')
      expect(yield* rewrite(format, 'a = "x";', () => "ä😀")).toBe('a = "ä😀";')
    })
  )

  it.effect("takes the names of JavaScript's prototypes as keys", () =>
    Effect.gen(function* () {
      const units = yield* unitsOf(format, '"__proto__" = "x"; constructor = "y";')
      expect(units.map(({ key }) => key)).toStrictEqual(["__proto__", "constructor"])
    })
  )

  it.effect("names the mistake in a file, and its place", () =>
    Effect.gen(function* () {
      for (const [text, line, column, message] of [
        ['a = "secret', 1, 5, "closing quote"],
        ['a = "x";\n b "y";', 2, 4, "= is missing"],
        ['a = "x"\nb = "y";', 1, 8, "; is missing"],
        ["/* secret", 1, 1, "*/"],
        ['a = "x";\n"a" = "y";', 2, 1, "line 1"],
        ['a = { b = "x"; };', 1, 5, "property lists"],
        ['{ a = "x"; }', 1, 1, "property lists"],
        ["= ;", 1, 1, "string is expected"],
        ['<?xml version="1.0"?><plist/>', 1, undefined, "XML property list"],
        ["bplist00\u0001", 1, undefined, "binary property list"],
        ['a\0=\0"\0', 1, undefined, "UTF-16"]
      ] as const) {
        const error = yield* Effect.flip(partsOf(format, text))
        expect(error).toMatchObject({ line, message: expect.stringContaining(message) })
        expect(error.column).toBe(column)
        expect(error.message).not.toContain("secret")
      }
    })
  )

  it.effect("ends with an error for brackets without end", () =>
    Effect.gen(function* () {
      expect((yield* Effect.flip(partsOf(format, `a = ${"{a=".repeat(10_000)}`))).column).toBe(5)
    })
  )

  it.effect("inserts missing entries after the one that they follow in the source", () =>
    Effect.gen(function* () {
      const source = '/* A */\n"a" = "1";\n\n/* B */\n"b" = "2"; // two\n\n/* C */\n"c" = "3";\n'
      const target = '/* A */\n"a" = "eins";\n\n/* D */\n"d" = "vier";\n'
      const merged = '/* A */\n"a" = "eins";\n\n/* B */\n"b" = "2"; // two\n\n/* C */\n"c" = "3";\n'
      expect(yield* merge(format, source, target)).toBe(`${merged}\n/* D */\n"d" = "vier";\n`)
      expect(yield* merge(format, source, target, { removed: "drop" })).toBe(merged)
      expect(yield* merge(format, source, source.replace('"1"', '"eins"'))).toBe(
        source.replace('"1"', '"eins"')
      )
    })
  )

  const key = fc.fullUnicodeString({ minLength: 1, maxLength: 8 })
  const text = fc.oneof(key, fc.stringOf(fc.constantFrom("\\", '"', "'", "\n", "\r", "U0041", "1", " ")))

  it.effect.prop(
    "reads the same as was written",
    [
      fc.uniqueArray(fc.tuple(key, text), { selector: ([key]) => key, minLength: 1, maxLength: 5 }),
      fc.constantFrom("\n", "\r\n")
    ],
    ([rows, newline]) =>
      Effect.gen(function* () {
        const quoted = (value: string) => `"${value.replace(/["\\]/g, "\\$&")}"`
        const file = rows.map(([key]) => `/* n */${newline}${quoted(key)} = "x";`).join(newline)
        expect(yield* untouched(format, file, { chunkSize: 2 })).toBe(file)
        const written = new Map(rows)
        const result = yield* rewrite(format, file, ({ key }) => written.get(key))
        const units = yield* unitsOf(format, result)
        expect(units.map(({ key, text }) => [key, text])).toStrictEqual(
          rows.filter(([, value]) => value.trim() !== "")
        )
      }),
    { fastCheck: { numRuns: runs(30) } }
  )

  it.effect.prop(
    "another reader reads the same as was written",
    [
      fc.array(
        text.filter((value) => !/[\u0000-\u0008\u000b-\u001f\u007f\uFEFF]/.test(value)),
        { maxLength: 5 }
      )
    ],
    ([texts]) =>
      Effect.gen(function* () {
        const file = texts.map((_, index) => `/* n */\nkey${index} = "x";\n`).join("")
        const result = yield* rewrite(format, file, ({ key }) => texts[Number(key.slice(3))])
        expect(parseOpenStep(`{${result}}`)).toEqual(
          Object.fromEntries(texts.map((value, index) => [`key${index}`, value]))
        )
      }),
    { fastCheck: { numRuns: runs(30) } }
  )
})
