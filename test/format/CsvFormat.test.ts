import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import Papa from "papaparse"
import * as Csv from "../../src/format/Csv.js"
import { runs } from "../support/long.js"
import { partsOf, rewrite, textsOf, unitsOf, untouched, writtenAnew } from "./formats.js"

const titles = Csv.make({ columns: ["title"] })

const bilingual = Csv.make({ columns: ["title"], outputColumn: "{column}.{lang}" })

const problemOf = (format: ReturnType<typeof Csv.make>, file: string | Uint8Array) =>
  Effect.map(Effect.flip(partsOf(format, file, { file: "a.csv", chunkSize: 3 })), ({ message }) => message)

const upper = ({ text }: { readonly text: string }) => text.toUpperCase()

describe("Csv.make", () => {
  it.effect("has a unit per record and column that is not blank", () =>
    Effect.gen(function* () {
      const format = Csv.make({ columns: ["title", "text"] })
      expect(yield* unitsOf(format, 'id,text,title\n1,"a\nb",Cup\n\n2, ,Pot\n')).toStrictEqual([
        { key: "1:title", text: "Cup", line: 2, state: "missing" },
        { key: "1:text", text: "a\nb", line: 2, state: "missing" },
        { key: "2:title", text: "Pot", line: 5, state: "missing" }
      ])
    })
  )

  it.effect("leaves all bytes of a file without translations", () =>
    Effect.gen(function* () {
      for (const file of [
        '\uFEFFid;title\r\n1;Cup\r\n\r\n"2"  ;"Pot" \r\n\r\n',
        "id\ttitle\n1\tCup\n2\t",
        "title\r1\r\r2",
        'title|\n\'a|""\r\n',
        "title\n1\n\r\r",
        "id,title\n1,x\r\r\n2,y\n"
      ]) {
        for (const chunkSize of [1, 2, 3, 100])
          expect(yield* untouched(titles, file, { chunkSize })).toBe(file)
        expect(yield* writtenAnew(titles, file)).toBe(file)
      }
    })
  )

  it.effect(
    "writes translations in place, quoted as the text was or as it needs, and leaves the other fields",
    () =>
      Effect.gen(function* () {
        const file = 'id,title,note\r\n"1",Cup , "x" \r\n2,"Pot"  ,"a""b"\r\n3,Pan,\r\n'
        const translations: Record<string, string> = {
          "1:title": 'a "b", c',
          "2:title": "x",
          "3:title": "1\r\n2"
        }
        expect(yield* rewrite(titles, file, ({ key }) => translations[key])).toBe(
          'id,title,note\r\n"1","a ""b"", c", "x" \r\n2,"x"  ,"a""b"\r\n3,"1\r\n2",\r\n'
        )
      })
  )

  it.effect("finds the delimiter with which the header has the columns", () =>
    Effect.gen(function* () {
      for (const delimiter of [",", ";", "\t", "|"]) {
        for (const chunkSize of [1, 100]) {
          const file = ["id", "title", '"a,b;c\td|e"\n'].join(delimiter) + ["1", "Cup", "x\n"].join(delimiter)
          const options = { chunkSize }
          expect(yield* rewrite(titles, file, upper, options)).toBe(file.replace("Cup", "CUP"))
        }
      }
      expect(yield* textsOf(titles, "a,b;title;c,d\n1,2;Cup;3\n")).toStrictEqual({ "1:title": "Cup" })
      expect(yield* textsOf(titles, "title")).toStrictEqual({})
      expect(yield* textsOf(Csv.make({ columns: ["b"], delimiter: "::" }), "a::b\n1::x\n")).toStrictEqual({
        "1:b": "x"
      })
    })
  )

  describe("behind a record whose quotes are wrong, if bad lines are skipped,", () => {
    const skipping = Csv.make({ columns: ["title"], onBadLine: "skip" })
    const read = (file: string, chunkSize: number) =>
      Effect.map(partsOf(skipping, file, { file: "a.csv", chunkSize }), (parts) => ({
        raw: parts.map(({ raw }) => raw).join(""),
        texts: parts.flatMap(({ units }) => units.map(({ key, text }) => `${key} ${text}`)),
        problems: parts.flatMap(({ problem }) => problem?.message ?? [])
      }))
    const wrong = (line: number) =>
      `a.csv, line ${line}: a quoted field of this record goes on after its closing quote: double the quotes inside quoted fields.`

    it.effect("goes on at the line that no reading of its quotes has in it", () =>
      Effect.gen(function* () {
        const files = {
          'id,title\n1,"a"b\n2,Cup\n3,"Pot"\n': ["2:title Cup", "3:title Pot"],
          'id,title\r\n1,"say "hi" now"\r\n2,Cup\r\n': ["2:title Cup"],
          'id,title\n1,"say "hi"\n there",x\n2,Cup\n': ["2:title Cup"],
          'id,title\n1,"a"b': [],
          'title,id\r"a"b,1\rCup,2': ["2:title Cup"]
        }
        for (const [file, texts] of Object.entries(files)) {
          for (const chunkSize of [1, 2, 3, 7, 100])
            expect(yield* read(file, chunkSize)).toEqual({ raw: file, texts, problems: [wrong(2)] })
        }
        const both = 'id,title\n1,"a"b\n2,"b"c\n3,Cup\n'
        expect(yield* read(both, 5)).toEqual({
          raw: both,
          texts: ["3:title Cup"],
          problems: [wrong(2), wrong(3)]
        })
      })
    )

    it.effect("goes on in a file that has no other quotes, and is longer than a piece", () =>
      Effect.gen(function* () {
        const file = `id,title\n1,"a"b\n${"2,Cup\n".repeat(50_000)}`
        const { raw, texts } = yield* read(file, 65_536)
        expect([raw.length, texts.length, texts[0]]).toEqual([file.length, 50_000, "2:title Cup"])
      })
    )

    it.effect("ends with the line of a quote that is open to the end of the file", () =>
      Effect.gen(function* () {
        for (const file of ['id,title\n1,Cup\n2,"a\n3,b\n', 'id,title\n1,Cup\n2,"a\n3,"b"\n4,c\n']) {
          for (const chunkSize of [1, 5, 100]) {
            const error = yield* Effect.flip(read(file, chunkSize))
            expect(error.message).toMatch(/^a.csv, line 3: a quoted field .* is never closed/)
          }
        }
      })
    )
  })

  it.effect("adds a column for translations, and an empty field to records without one", () =>
    Effect.gen(function* () {
      const file = '\uFEFF"title",id\r\n"Cup",1\r\n,2\r\nPot,3'
      expect(
        yield* rewrite(bilingual, file, ({ text }) => (text === "Cup" ? "Tasse" : undefined), {
          targetLang: "de"
        })
      ).toBe('\uFEFF"title",id,"title.de"\r\n"Cup",1,"Tasse"\r\n,2,\r\nPot,3,')
    })
  )

  it.effect("fills a column for translations that is there, whose fields are translations that exist", () =>
    Effect.gen(function* () {
      const file = "title,title.de,id\nCup,Tasse,1\nPot,,2\nPan, ,3\n"
      expect(bilingual.isBilingual).toBe(true)
      expect(yield* unitsOf(bilingual, file)).toStrictEqual([
        { key: "1:title", text: "Cup", line: 2, state: "translated", translation: "Tasse" },
        { key: "2:title", text: "Pot", line: 3, state: "missing" },
        { key: "3:title", text: "Pan", line: 4, state: "missing" }
      ])
      expect(yield* untouched(bilingual, file)).toBe(file)
      expect(yield* rewrite(bilingual, file, ({ key }) => (key === "2:title" ? "Kanne" : undefined))).toBe(
        "title,title.de,id\nCup,Tasse,1\nPot,Kanne,2\nPan, ,3\n"
      )
    })
  )

  it.effect("holds several languages, one after the other", () =>
    Effect.gen(function* () {
      const german = yield* rewrite(bilingual, "title\nCup\n", () => "Tasse", { targetLang: "de" })
      const both = yield* rewrite(bilingual, german, () => "Tasse à thé", { targetLang: "fr" })
      expect(both).toBe("title,title.de,title.fr\nCup,Tasse,Tasse à thé\n")
    })
  )

  it.effect("keeps a line of one empty field apart from a blank line", () =>
    Effect.gen(function* () {
      expect(yield* rewrite(titles, "title\nCup\n", () => "")).toBe('title\n""\n')
    })
  )

  it.effect("keeps columns that share a name, unless they are translated", () =>
    Effect.gen(function* () {
      const file = "title,,\nCup,1,2\n"
      expect(yield* rewrite(titles, file, upper)).toBe("title,,\nCUP,1,2\n")
      expect(yield* problemOf(titles, "title,title\n1,2\n")).toBe(
        'a.csv, line 1: the header names the column "title" more than once: give each column a name of its own.'
      )
    })
  )

  it.effect("says which columns there are if one is not", () =>
    Effect.gen(function* () {
      expect(yield* problemOf(titles, "\nid,titel\n1,x\n")).toBe(
        'a.csv, line 2: the header, with the delimiter ",", has no column "title", but "id", "titel": correct `columns`.'
      )
    })
  )

  it.effect("says only the beginning of a line that is no header", () =>
    Effect.gen(function* () {
      expect((yield* problemOf(titles, `${"long text ".repeat(50)}\n`)).length).toBeLessThan(250)
      expect((yield* problemOf(titles, `${"text,".repeat(500)}\n`)).length).toBeLessThan(400)
    })
  )

  it.effect("says which columns there are if none is chosen", () =>
    Effect.gen(function* () {
      expect(yield* problemOf(Csv.format, "id;titel\n1;x\n")).toBe(
        'a.csv, line 1: no column is chosen: give `columns` some of "id", "titel".'
      )
    })
  )

  it.effect("refuses a column for translations that is in use", () =>
    Effect.gen(function* () {
      const columns = ["a", "b"]
      for (const outputColumn of ["b", "c"]) {
        const message = yield* problemOf(Csv.make({ columns, outputColumn }), "a,b\n1,2\n")
        expect(message).toContain("`outputColumn` gives")
      }
    })
  )

  it.effect(
    "fails with the line at bad quotes, ragged records, bytes that are not UTF-8, and no header",
    () =>
      Effect.gen(function* () {
        expect(yield* problemOf(titles, 'title,id\nx,1\n"a,2\n')).toContain(
          "a.csv, line 3: a quoted field that begins"
        )
        expect(yield* problemOf(titles, 'title,id\n"a"b,2\n')).toContain(
          "a.csv, line 2: a quoted field of this record"
        )
        expect(yield* problemOf(titles, "title,id\nx\n")).toContain(
          "a.csv, line 2: the record has 1 fields, the header has 2"
        )
        expect(yield* problemOf(titles, "title,id\nx,1,2\n")).toContain(
          "a.csv, line 2: the record has 3 fields"
        )
        expect(yield* problemOf(titles, Buffer.from("title\nCaf\u00e9\n", "latin1"))).toContain(
          "a.csv, line 2: it holds bytes"
        )
        expect(yield* problemOf(titles, "")).toContain("a.csv, line 1: there is no header")
        expect(yield* problemOf(Csv.make({ delimiter: "" }), "a\n")).toContain("`delimiter`")
      })
  )

  it.effect("keeps names such as __proto__", () =>
    Effect.gen(function* () {
      const format = Csv.make({ columns: ["__proto__", "constructor"] })
      expect(yield* textsOf(format, "__proto__,constructor\na,b\n")).toStrictEqual({
        "1:__proto__": "a",
        "1:constructor": "b"
      })
    })
  )
})

/** Files whose first column is `title`, with Papa Parse as the writer. */
const files = fc
  .record({
    rows: fc.array(
      fc.array(fc.oneof(fc.fullUnicodeString({ maxLength: 5 }), fc.stringMatching(/^[",;|\t \n"a]{0,5}$/)), {
        minLength: 2,
        maxLength: 2
      }),
      { maxLength: 5 }
    ),
    delimiter: fc.constantFrom(",", ";", "\t", "|"),
    newline: fc.constantFrom("\n", "\r\n", "\r"),
    quotes: fc.boolean(),
    bom: fc.constantFrom("", "\uFEFF"),
    end: fc.boolean()
  })
  .map(({ bom, end, rows, newline, ...options }) => {
    const text = bom + Papa.unparse([["title", "id"], ...rows], { ...options, newline })
    return end ? text + newline : text
  })

describe("A CSV file", () => {
  it("comes out byte for byte if it is not translated, whatever its pieces", () => {
    fc.assert(
      fc.property(files, fc.integer({ min: 1, max: 9 }), (file, chunkSize) => {
        expect(Effect.runSync(untouched(titles, file, { chunkSize }))).toBe(file)
        expect(Effect.runSync(writtenAnew(titles, file, {}))).toBe(file)
      }),
      { numRuns: runs(50) }
    )
  })

  it("holds any translation, and the same other fields", () => {
    const text = fc.fullUnicodeString({ maxLength: 8 }).map((value) => `${value}"`)
    fc.assert(
      fc.property(files, fc.oneof(text, fc.fullUnicodeString(), fc.constant("a\r")), (file, translation) => {
        const written = Effect.runSync(rewrite(titles, file, () => translation))
        const before = Effect.runSync(unitsOf(titles, file))
        const after = Effect.runSync(partsOf(titles, written)).flatMap(({ units }) => units)
        const isBlank = !/\S/.test(translation)
        expect(after.map((unit) => unit.text)).toStrictEqual(isBlank ? [] : before.map(() => translation))
        const ids = (source: string) => Effect.runSync(textsOf(Csv.make({ columns: ["id"] }), source))
        expect(ids(written)).toStrictEqual(ids(file))
      }),
      { numRuns: runs(50) }
    )
  })
})
