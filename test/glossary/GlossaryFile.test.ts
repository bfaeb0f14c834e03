/** Dictionaries in files: what is read, and errors that name file and line. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { GlossaryEntries, GlossaryFile } from "effect-translate/glossaries"
import { sharedLayer } from "../support/sharedLayer.js"

const pair = { sourceLang: "en", targetLang: "de" }

/** Reads a file of this name and content. */
const read = (name: string, content: string | Uint8Array, options: Partial<GlossaryFile.Options> = {}) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = `${yield* fs.makeTempDirectoryScoped()}/${name}`
    yield* fs.writeFile(file, typeof content === "string" ? new TextEncoder().encode(content) : content)
    return yield* GlossaryFile.read(file, { ...pair, ...options })
  })

/** The error's message, without the folder. */
const refused = (...input: Parameters<typeof read>) =>
  Effect.map(Effect.flip(read(...input)), (error) => {
    expect(GlossaryFile.isGlossaryFileError(error)).toBe(true)
    return error.message.replace(/^.*\//, "")
  })

const test = sharedLayer(NodeFileSystem.layer)

describe("GlossaryFile", () => {
  test("reads CSV with a byte order mark, any line ends and rows in other languages", () =>
    Effect.gen(function* () {
      expect(
        yield* read("terms.CSV", '\uFEFF__proto__,Prototyp\r\n"say ""hi""","a, b",EN,DE\nx,y,en,fr\n')
      ).toEqual({
        ...pair,
        entries: GlossaryEntries.fromTerms([
          ["__proto__", "Prototyp"],
          ['say "hi"', "a, b"]
        ]),
        ignored: 1
      })
    }))

  test("reads TSV, in which quotes are part of a phrase", () =>
    Effect.gen(function* () {
      const entries = GlossaryEntries.fromTerms([['"mug"', "Becher, groß"]])
      expect(yield* read("terms.tsv", '"mug"\tBecher, groß\r\n')).toEqual({ ...pair, entries, ignored: 0 })
      expect((yield* read("terms.txt", '"mug"\tBecher, groß', { format: "tsv" })).entries).toEqual(entries)
    }))

  test("refuses a header, which would be a term, and says that semicolons do not part columns", () =>
    Effect.gen(function* () {
      expect(yield* refused("terms.csv", "source,target\ncart,Wagen\n")).toBe(
        "terms.csv: the row source,target looks like a header, and would be a term: remove it."
      )
      expect(yield* refused("terms.csv", "cart;Wagen\n")).toContain(
        "Line 1: the number of columns is 1: they are parted by semicolons, and CSV by commas: give each row"
      )
    }))

  test("names file and line of all that is wrong", () =>
    Effect.gen(function* () {
      expect(yield* refused("terms.csv", "a,b\n\na,c\nd, e\nf")).toBe(
        [
          "terms.csv: The entries can't be used:",
          'Line 3: the source "a" is on line 1 already: keep one of the two entries.',
          'Line 4: the target " e" begins or ends with whitespace: trim it.',
          "Line 5: the number of columns is 1: give each row a source and a target, and either both languages or none; quote phrases that contain a comma."
        ].join("\n")
      )
      expect(yield* refused("terms.tsv", Buffer.from("a\tb\nc\t\xe4\n", "latin1"))).toBe(
        "terms.tsv: Line 2: it holds bytes that are not UTF-8: save the input as UTF-8."
      )
      expect(yield* refused("terms.xlsx", "")).toBe(
        "terms.xlsx: the name must end with .csv or .tsv, or `format` say what the file holds."
      )
    }))

  test("leaves a missing file to the file system's error", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(GlossaryFile.read("no/such/file.csv", pair))
      expect(error._tag).toBe("SystemError")
    }))
})
