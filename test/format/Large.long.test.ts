/** Formats on inputs of megabytes: in time in proportion, and refused where they would fill the memory. */
import * as zlib from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Compression from "../../src/format/Compression.js"
import * as Csv from "../../src/format/Csv.js"
import * as Html from "../../src/format/Html.js"
import * as JsonLines from "../../src/format/JsonLines.js"
import * as Lines from "../../src/format/Lines.js"
import * as Markdown from "../../src/format/Markdown.js"
import * as Mdx from "../../src/format/Mdx.js"
import * as Paragraphs from "../../src/format/Paragraphs.js"
import * as Tmx from "../../src/format/Tmx.js"
import * as Xliff from "../../src/format/Xliff.js"
import * as Yaml from "../../src/format/Yaml.js"
import * as cpuTime from "../support/cpuTime.js"
import { runs } from "../support/long.js"
import { bytesOf, partsOf, rewrite, unitsOf, untouched, writtenAnew } from "./formats.js"
import { bytes, collect, text, untilError } from "./support.js"

const Row = Schema.Struct({ sku: Schema.String, price: Schema.NumberFromString })

const megabyte = new Uint8Array(1 << 20).fill(97)

describe("Csv on large inputs", () => {
  it.effect("reads a quoted field of megabytes in small chunks without parsing it again and again", () =>
    Effect.gen(function* () {
      const field = "line one, with a comma\n".repeat(300_000)
      const rows = yield* collect(bytes(`a,b\n1,"${field}"\n2,x\n`).pipe(Csv.decodeRecords()))
      expect(rows.map((row) => row.b!.length)).toStrictEqual([field.length, 1])
    })
  )

  it.effect("reads and writes tens of thousands of rows in chunks of 64 KiB", () =>
    Effect.gen(function* () {
      const count = 50_000
      const input = `sku,price\n${Array.from({ length: count }, (_, i) => `"sku ""${i}""",${i}`).join("\n")}\n`
      const output = yield* bytes(input).pipe(Csv.decode(Row), Csv.encode(Row), text)
      expect(output).toBe(input)
    })
  )

  it.effect("stops at a record without end before it fills the memory", () =>
    Effect.gen(function* () {
      const piece = new TextEncoder().encode("x,\n".repeat(1 << 20))
      const endless = Stream.concat(bytes('a,b\n1,"'), Stream.forever(Stream.make(piece)))
      const { error } = yield* untilError(endless.pipe(Csv.decodeRecords()))
      expect(error).toMatchObject({ line: 2, message: expect.stringContaining("never closed") })
    })
  )
})

describe("a table of CSV", () => {
  it.effect("ends a record that never ends at its bound", () =>
    Effect.gen(function* () {
      const file = `title\n"${"x".repeat(17 * 1024 * 1024)}`
      const message = Effect.map(
        Effect.flip(partsOf(Csv.make({ columns: ["title"] }), file, { chunkSize: 1 << 22 })),
        (error) => error.message
      )
      expect(yield* message).toContain("the record is longer than 16777216 characters")
      const headless = Effect.flip(
        partsOf(Csv.make({ columns: ["title"] }), `"${file}`, { chunkSize: 1 << 22 })
      )
      expect((yield* headless).message).toContain("the record is longer than")
    })
  )
})

describe("Tmx.decode", () => {
  it.effect("stops at a unit without end", () =>
    Effect.gen(function* () {
      const endless = Stream.concat(
        bytes("<tmx><body><tu><tuv xml:lang='en'><seg>"),
        Stream.forever(Stream.make(megabyte))
      )
      const { error } = yield* untilError(endless.pipe(Tmx.decode()))
      expect(error).toMatchObject({ message: expect.stringContaining("split it") })
    })
  )
})

describe("Compression", () => {
  it.effect("refuses parts that become too large, and files that become much larger", () =>
    Effect.gen(function* () {
      const bomb = zlib.gzipSync(Buffer.alloc(80 * 1024 * 1024))
      const read = (options: Compression.DecompressOptions) =>
        Effect.either(Stream.runCount(Compression.gzip.decompress(options)(bytes(bomb))))
      for (const options of [{}, { maxBytes: 1_000_000, maxRatio: 1e9 }]) {
        expect(yield* read(options)).toMatchObject({ left: { reason: "tooLarge" } })
      }
      expect(Either.isRight(yield* read({ maxRatio: 1e9 }))).toBe(true)
    })
  )
})

describe("Xliff", () => {
  it.effect("writes a text with 10,000 codes in linear time", () =>
    Effect.gen(function* () {
      const codes = '<g id="1">a</g>'.repeat(10_000)
      const file = `<xliff version="1.2"><file original="a" source-language="en" target-language="de"><body><trans-unit id="a"><source>${codes}</source></trans-unit></body></file></xliff>`
      const used = cpuTime.start()
      const written = yield* writtenAnew(Xliff.format, file)
      expect(written).toContain('<target state="translated"><g id="1">a</g>')
      expect(used()).toBeLessThan(3000)
    })
  )
})

describe("JsonLines", () => {
  it.effect("never holds a line that is too long", () =>
    Effect.gen(function* () {
      const piece = new Uint8Array(4 * 1024 * 1024).fill(0x61)
      const long = Stream.concat(
        Stream.make(bytesOf('{"title":"a"}\n"'), piece, piece, piece, piece, piece),
        Stream.make(bytesOf('"\n{"title":"b"}'))
      ).pipe(Stream.rechunk(1))
      const error = yield* long.pipe(
        JsonLines.make({ select: ["title"] }).decode({ targetLang: "de" }),
        Stream.runDrain,
        Effect.flip
      )
      expect(error).toMatchObject({ line: 2 })
      expect(error.message).toContain("longer than 16777216 characters")
      const seen = yield* long.pipe(
        JsonLines.make({ select: ["title"], onBadLine: "skip" }).decode({ targetLang: "de" }),
        Stream.runFold({ keys: "", problems: 0, length: 0 }, (all, { problem, raw, units }) => ({
          keys: all.keys + units.map(({ key }) => key),
          problems: all.problems + (problem === undefined ? 0 : 1),
          length: all.length + raw.length
        }))
      )
      expect(seen).toEqual({ keys: "1:title3:title", problems: 1, length: 5 * 4 * 1024 * 1024 + 30 })
    })
  )
})

describe("Lines and Paragraphs", () => {
  it.effect("stops at a line without end", () =>
    Effect.gen(function* () {
      const endless = Stream.forever(Stream.make(megabyte))
      for (const format of [Lines.format, Paragraphs.format]) {
        const { error } = yield* untilError(endless.pipe(format.decode({ targetLang: "de" })))
        expect(error).toMatchObject({ line: 1, message: expect.stringContaining("split it") })
      }
    })
  )

  it.effect("stops at a paragraph without end", () =>
    Effect.gen(function* () {
      const lines = Uint8Array.from(megabyte)
      lines[1023] = 10
      const { error } = yield* untilError(
        Stream.forever(Stream.make(lines)).pipe(Paragraphs.format.decode({ targetLang: "de" }))
      )
      expect(error).toMatchObject({ message: expect.stringContaining("split it") })
    })
  )
})

describe("Elements of HTML", () => {
  it.effect("may nest deeply", () =>
    Effect.gen(function* () {
      for (const name of ["b", "div", "svg", "li"]) {
        const file = `${`<${name}>`.repeat(10_000)}text${`</${name}>`.repeat(10_000)}`
        expect(yield* untouched(Html.format, file)).toBe(file)
      }
    })
  )
})

describe("Yaml", () => {
  it.effect("writes long blocks", () =>
    Effect.gen(function* () {
      const lines = "a b\n".repeat(runs(200_000))
      const text = `k: |\n  x\nl: >-\n  x\n  x\n\n\nm: y\n`
      const written = yield* rewrite(Yaml.format, text, ({ key }) => (key === "m" ? undefined : `${lines}c`))
      expect((yield* unitsOf(Yaml.format, written)).map(({ text }) => text)).toStrictEqual([
        `${lines}c`,
        `${lines}c`,
        "y"
      ])
    })
  )

  it.effect("reads and writes many blank lines in linear time", () =>
    Effect.gen(function* () {
      const file = (text: string) => `a: |\n${"\n".repeat(30_000)}  ${text}\nb: c\n`
      expect(
        (yield* rewrite(Yaml.format, file("x"), ({ text }) => text.replace("x", "y"))) === file("y")
      ).toBe(true)
    })
  )
})

describe("a file for which the parser would take too long", () => {
  const slow = {
    "links in links": "[a](".repeat(25_000),
    "comments that nothing closes": "*a <!--".repeat(2000),
    "quotes one behind the other": "> a\n\n".repeat(10_000),
    "links that nothing opens": "](a".repeat(9000),
    "labels in labels": `${"[a ".repeat(8000)}${"]b".repeat(12_000)}`,
    "titles that nothing closes": '[a](b "'.repeat(14_000)
  }
  const slowCode = {
    "expressions in one another": `${"<A>{".repeat(6000)}${"}</A>".repeat(4000)}`,
    "a comment of code that nothing ends": `{/* ${"}a".repeat(10_000)}`,
    "a template that nothing ends": `<A b={\`${"} b".repeat(8000)}`
  }
  for (const [what, text] of Object.entries(slow)) {
    it.effect(`is refused with its line: ${what}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(partsOf(Markdown.format, `# A\n\n${text}\n`))
        expect(error.line).toBeGreaterThan(2)
        expect(error.message).toContain("than can be done in good time")
      })
    )
  }

  for (const [what, text] of Object.entries(slowCode)) {
    it.effect(`is refused with its line in MDX: ${what}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(partsOf(Mdx.format, `# A\n\n${text}\n`))
        expect(error.line).toBeGreaterThan(2)
        expect(error.message).toContain("than can be done in good time")
      })
    )
  }

  it.effect("is not one with many paragraphs, items and rows that hold marks", () =>
    Effect.gen(function* () {
      const rows = "| *a* | [b](c) |\n".repeat(300)
      const text = `${"A *b* [c](d) `e` <b>f</b>.\n\n".repeat(300)}\n${"- **a** b\n".repeat(300)}\n|a|b|\n|-|-|\n${rows}`
      expect((yield* unitsOf(Markdown.format, text)).length).toBe(1202)
    })
  )
})
