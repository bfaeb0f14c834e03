import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type * as Format from "../../src/format/Format.js"
import * as FormatLaws from "../../src/format/FormatLaws.js"
import * as Formats from "../../src/format/Formats.js"
import { runs, runsTimeout, someOf } from "../support/long.js"
import * as brokenFormats from "./brokenFormats.js"
import { kinds } from "./corpusKinds.js"
import { documents, type Generated } from "./lawDocuments.js"

const encoder = new TextEncoder()

const lawsOf = (format: Format.Format) => FormatLaws.all.filter(({ appliesTo }) => appliesTo(format))

const namesOf = (format: Format.Format) =>
  lawsOf(format)
    .map(({ name }) => name)
    .join(", ")

const cuts = fc.array(fc.nat(400), { maxLength: 5 })

const sampleOf = ({ document, target }: Generated, cuts: ReadonlyArray<number>): FormatLaws.Sample => ({
  document: encoder.encode(document),
  target: target === undefined ? undefined : encoder.encode(target),
  cuts
})

/** Throws the first law that is broken, or the refusal of the document. */
const expectLaws = (laws: ReadonlyArray<FormatLaws.Law>, format: Format.Format, sample: FormatLaws.Sample) =>
  Effect.runSync(Effect.forEach(laws, (law) => law.check(format, sample), { discard: true }))

describe("Documents made by chance", () => {
  for (const { format, generated } of documents) {
    it(`of ${format.name} keep its laws: ${namesOf(format)}`, { timeout: runsTimeout }, () =>
      fc.assert(
        fc.property(generated, cuts, (made, cuts) =>
          expectLaws(lawsOf(format), format, sampleOf(made, cuts))
        ),
        { numRuns: runs(200, 3) }
      )
    )

    it(`of ${format.name} are refused with a place if they are damaged and can't be read`, {
      timeout: runsTimeout
    }, () => {
      const damage = fc.tuple(
        fc.nat(400),
        fc.constantFrom("", '"', "<", "{", "}", "[", "\\", ":", "\u0000", "%")
      )
      return fc.assert(
        fc.property(generated, cuts, damage, ({ document }, cuts, [place, put]) => {
          const at = place % document.length
          const end = put === "" ? document.length : at
          const damaged = document.slice(0, at) + put + document.slice(end)
          expectLaws([FormatLaws.refusal], format, sampleOf({ document: damaged }, cuts))
        }),
        { numRuns: runs(200, 3) }
      )
    })
  }

  it("are there for each format, but those that are read at any place", () => {
    const decoded = Formats.all.filter(({ columnar }) => columnar === undefined)
    expect(documents.map(({ format, generated }) => [format.name, generated !== undefined])).toEqual(
      decoded.map(({ name }) => [name, true])
    )
  })
})

describe("A file in an encoding that is not read", () => {
  for (const [name, what, document] of [
    ["po", "by its header", 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=Shift_JIS\\n"\n'],
    ["xml", "by its declaration", '<?xml version="1.0" encoding="Shift_JIS"?>\n<a>b</a>\n'],
    ["apple-strings", "by half a character behind its mark", Uint8Array.of(0xff, 0xfe, 0x41)],
    ["json", "by a byte that is not UTF-8", Uint8Array.of(0x22, 0xff, 0x22)]
  ] as const) {
    it.effect(`${what} is refused with a place: ${name}`, () =>
      Effect.gen(function* () {
        const format = documents.find(({ format }) => format.name === name)!.format
        const sample = {
          document: typeof document === "string" ? encoder.encode(document) : document,
          cuts: [2]
        }
        yield* FormatLaws.refusal.check(format, sample)
        const error = yield* Effect.flip(FormatLaws.identity.check(format, sample))
        expect(error._tag).toBe("FormatError")
      })
    )
  }
})

describe("The small files of the corpus", () => {
  const folder = fileURLToPath(new URL("corpus", import.meta.url))
  for (const { folder: name, format: formatOf, language } of kinds) {
    const files = readdirSync(join(folder, name), { withFileTypes: true, recursive: true }).filter((entry) =>
      entry.isFile()
    )
    for (const { name: file, parentPath } of files) {
      const document = readFileSync(join(parentPath, file))
      const text = document.toString()
      const format = formatOf(text)
      it(`${name}/${file} as ${format.name} keep its laws: ${namesOf(format)}`, () => {
        const targetLang = format.isBilingual ? language?.(text) : undefined
        for (const size of someOf([1, 7])) {
          const cuts = Array.from({ length: document.length }, (_, index) => index * size)
          expectLaws(lawsOf(format), format, { document, cuts, targetLang })
        }
      })
    }
  }
})

describe("A format with tables", () => {
  const { broken, damaged, large, sample, sound } = brokenFormats

  const lawOf = (law: FormatLaws.Name) => FormatLaws.all.find(({ name }) => name === law)!

  it("keeps all laws", () => {
    expectLaws(FormatLaws.all, sound, sample)
    expectLaws([FormatLaws.memory], sound, large)
    expectLaws([FormatLaws.refusal], sound, damaged)
  })

  for (const { fault, format, law, sample: own = sample } of broken) {
    it.effect(`that ${fault} breaks the law ${law}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(lawOf(law).check(format, own))
        expect(FormatLaws.isLawBroken(error) ? error.law : error.message).toBe(law)
      })
    )
  }

  it.effect("names the law that it breaks, the difference and its place, without a text", () =>
    Effect.gen(function* () {
      const { format } = broken.find(({ law }) => law === "merge")!
      const error = yield* Effect.flip(FormatLaws.merge.check(format, sample))
      expect(error).toMatchObject({
        _tag: "LawBroken",
        law: "merge",
        format: "tables",
        key: "cart.title",
        line: 6,
        message: 'tables, line 6, key "cart.title": the merged file lacks it.'
      })
    })
  )
})
