/** Corrections that people make in outputs of rows: found again in the source, kept, and stored. */
import { readFileSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Csv, Lines, TranslationStore } from "effect-translate"
import { JsonLines } from "effect-translate/formats"
import type { JobSource } from "effect-translate/jobs"
import { folderWith, run, sourceIn, textIn } from "./fileSources.js"
import { marking } from "./support.js"

const inFolder = Effect.provide(NodeContext.layer)

const corrected = (store: TranslationStore.Service) =>
  Effect.map(Stream.runCollect(store.corrections), (corrections) =>
    Chunk.toReadonlyArray(corrections).map(({ source, translation }) => [source, translation])
  )

/** A file that was translated once, and functions that change it and translate it again. */
const translated = (name: string, text: string, options: Pick<JobSource.FileOptions, "format">) =>
  Effect.gen(function* () {
    const { provide, sent } = marking()
    const store = yield* TranslationStore.makeMemory()
    const folder = yield* folderWith({ [name]: text })
    const source = sourceIn(folder, name, options)
    const again = (of = source, own = store) =>
      Effect.map(provide(run(of, ["de"], { options: { store: own } })), (result) => ({
        ...result,
        written: result.written[0],
        text: textIn(folder, `de/${name}`)
      }))
    yield* again()
    const before = sent().length
    const edit = (path: string) => (from: string, to: string) => {
      const before = readFileSync(path, "utf8")
      expect(before).toContain(from)
      writeFileSync(path, before.replace(from, to))
    }
    return {
      store,
      folder,
      source,
      again,
      provide,
      /** The texts that were sent since. */
      sent: () => sent().slice(before),
      editOutput: edit(`${folder}/de/${name}`),
      editSource: edit(`${folder}/${name}`),
      write: (text: string) => writeFileSync(`${folder}/${name}`, text)
    }
  })

const bySku = Csv.make({ columns: ["title"], key: ["sku"] })
const products = "sku,title,price\nA,Mug,1\nB,Cup,2\nC,Plate,3\n"

describe("a corrected CSV file with a key", () => {
  it.scoped("keeps the correction, stores it, counts it once, and sends nothing", () =>
    Effect.gen(function* () {
      const { again, editOutput, sent, store } = yield* translated("a.csv", products, { format: bySku })
      editOutput("de: Cup", "Tasse")
      const first = yield* again()
      expect(first.text).toBe("sku,title,price\nA,de: Mug,1\nB,Tasse,2\nC,de: Plate,3\n")
      expect(first.written).toMatchObject({ corrections: 1, stale: [] })
      expect(yield* corrected(store)).toEqual([["Cup", "Tasse"]])
      const second = yield* again()
      expect(second.states).toEqual(["unchanged"])
      expect(second.written?.corrections ?? 0).toBe(0)
      expect([second.text, sent()]).toEqual([first.text, []])
    }).pipe(inFolder)
  )

  it.scoped("finds the correction where rows were inserted, removed and moved, and sends new ones", () =>
    Effect.gen(function* () {
      const { again, editOutput, sent, write } = yield* translated("a.csv", products, { format: bySku })
      editOutput("de: Cup", "Tasse")
      write("sku,title,price\nD,Bowl,4\nC,Plate,3\nB,Cup,5\n")
      const { text, written } = yield* again()
      expect(text).toBe("sku,title,price\nD,de: Bowl,4\nC,de: Plate,3\nB,Tasse,5\n")
      expect([written?.corrections, sent()]).toEqual([1, ["Bowl"]])
    }).pipe(inFolder)
  )

  it.scoped("keeps a person's text whose source has changed since, and tells of it in each run", () =>
    Effect.gen(function* () {
      const { again, editOutput, editSource, sent, store } = yield* translated("a.csv", products, {
        format: bySku
      })
      editOutput("de: Cup", "Tasse")
      editSource("Cup", "Large cup")
      editSource("Plate", "Large plate")
      for (const _ of [1, 2, 3]) {
        const { text, written } = yield* again()
        expect(text).toBe("sku,title,price\nA,de: Mug,1\nB,Tasse,2\nC,de: Large plate,3\n")
        expect(written?.stale).toEqual([{ key: "2:title", text: "Large cup", translation: "Tasse" }])
      }
      expect([sent(), yield* corrected(store)]).toEqual([["Large plate"], []])
    }).pipe(inFolder)
  )

  it.scoped(
    "keeps a correction of the store whose source has changed since, and one that the store has anew",
    () =>
      Effect.gen(function* () {
        const { again, editOutput, editSource, sent, store } = yield* translated("a.csv", products, {
          format: bySku
        })
        editOutput("de: Cup", "Tasse")
        editOutput("de: Mug", "Becher")
        yield* again()
        yield* store.correct([
          { source: "Mug", translation: "Krug", sourceLang: "en", targetLang: "de", at: yield* DateTime.now }
        ])
        editSource("Cup", "Large cup")
        for (const _ of [1, 2]) {
          const { text, written } = yield* again()
          expect(text).toBe("sku,title,price\nA,Krug,1\nB,Tasse,2\nC,de: Plate,3\n")
          expect(written?.stale).toEqual([{ key: "2:title", text: "Large cup", translation: "Tasse" }])
        }
        expect(sent()).toEqual([])
      }).pipe(inFolder)
  )

  it.scoped("takes a person's translation of the new source as its correction", () =>
    Effect.gen(function* () {
      const { again, editOutput, editSource, sent, store } = yield* translated("a.csv", products, {
        format: bySku
      })
      editOutput("de: Cup", "Tasse")
      editSource("Cup", "Large cup")
      yield* again()
      editOutput("Tasse", "Große Tasse")
      const { text, written } = yield* again()
      expect(text).toContain("B,Große Tasse,2")
      expect(written).toMatchObject({ corrections: 1, stale: [] })
      expect([yield* corrected(store), sent()]).toEqual([[["Large cup", "Große Tasse"]], []])
      expect((yield* again()).states).toEqual(["unchanged"])
    }).pipe(inFolder)
  )

  it.scoped("names a person's text of a row that the source has no more", () =>
    Effect.gen(function* () {
      const { again, editOutput, write } = yield* translated("a.csv", products, { format: bySku })
      editOutput("de: Cup", "Tasse")
      write("sku,title,price\nA,Mug,1\n")
      const { text, written } = yield* again()
      expect(text).toBe("sku,title,price\nA,de: Mug,1\n")
      expect(written).toMatchObject({
        stale: [],
        deleted: [{ key: "2:title", text: "", translation: "Tasse" }]
      })
    }).pipe(inFolder)
  )

  it.scoped("keeps different corrections of one text, each in its row, whatever is translated later", () =>
    Effect.gen(function* () {
      const { again, editOutput, editSource, store } = yield* translated(
        "a.csv",
        "sku,title\nA,Spring\nB,Spring\nC,Mug\n",
        { format: bySku }
      )
      editOutput("A,de: Spring", "A,Feder")
      editOutput("B,de: Spring", "B,Quelle")
      const text = "sku,title\nA,Feder\nB,Quelle\nC,de: Mug\n"
      expect((yield* again()).text).toBe(text)
      expect(yield* corrected(store)).toHaveLength(1)
      editSource("Mug", "Cup")
      const later = yield* again()
      expect(later.text).toBe("sku,title\nA,Feder\nB,Quelle\nC,de: Cup\n")
      expect([later.written?.corrections ?? 0, later.written?.stale]).toEqual([0, []])
    }).pipe(inFolder)
  )

  it.scoped("takes the machine's translations of other options for no corrections", () =>
    Effect.gen(function* () {
      const { editOutput, provide, source, store } = yield* translated("a.csv", products, { format: bySku })
      editOutput("de: Cup", "Tasse")
      const options = { store, formality: "less" as const }
      const { written } = yield* provide(run(source, ["de"], { options }))
      expect(written[0]).toMatchObject({ corrections: 1, stale: [] })
      expect(yield* corrected(store)).toEqual([["Cup", "Tasse"]])
    }).pipe(inFolder)
  )

  it.scoped("is refused where two rows have the same key, with their places", () =>
    Effect.gen(function* () {
      const { again, editOutput, editSource } = yield* translated("a.csv", products, { format: bySku })
      editOutput("de: Cup", "Tasse")
      editOutput("C,", "A,")
      const { results } = yield* again()
      expect(results[0]).toMatchObject({ left: { _tag: "DuplicateKeys", key: ["sku"], rows: [1, 3] } })
      editSource("B,", "A,")
      const ofSource = yield* again()
      expect(ofSource.results[0]).toMatchObject({ left: { _tag: "DuplicateKeys", rows: [1, 2] } })
      expect(ofSource.text).toContain("Tasse")
    }).pipe(inFolder)
  )

  it.scoped("is refused where the store knows none of its translations", () =>
    Effect.gen(function* () {
      const { again, editOutput, source } = yield* translated("a.csv", products, { format: bySku })
      editOutput("de: Cup", "Tasse")
      for (const store of [TranslationStore.none, yield* TranslationStore.makeMemory()]) {
        const { results, text } = yield* again(source, store)
        expect(results[0]).toMatchObject({ left: { _tag: "OutputAltered", meanwhile: false, why: "store" } })
        expect(text).toContain("Tasse")
        expect(yield* corrected(store)).toEqual([])
      }
    }).pipe(inFolder)
  )

  it.scoped("names the columns that there are where the key is none of them", () =>
    Effect.gen(function* () {
      const format = Csv.make({ columns: ["title"], key: ["id"] })
      const { again, editOutput } = yield* translated("a.csv", products, { format })
      editOutput("de: Cup", "Tasse")
      const { results } = yield* again()
      expect(String(results[0])).toContain('no column \\"id\\"')
    }).pipe(inFolder)
  )

  it.scoped("is not read for a forecast, which stores nothing and counts the text as skipped", () =>
    Effect.gen(function* () {
      const { editOutput, provide, source, store } = yield* translated("a.csv", products, { format: bySku })
      editOutput("de: Cup", "Tasse")
      const [forecast] = yield* provide(
        source.forecast({ targets: [{ options: { targetLang: "de", sourceLang: "en", store } }] })
      )
      expect(forecast).toMatchObject({ cached: 2, skipped: 1, translated: 0 })
      expect(yield* corrected(store)).toEqual([])
    }).pipe(inFolder)
  )
})

describe("a corrected CSV file with the source beside the translation", () => {
  const format = Csv.make({ columns: ["title"], outputColumn: "{column}.{lang}" })

  it.scoped(
    "finds corrections by the source's text, wherever it is, and takes them for all rows with that text",
    () =>
      Effect.gen(function* () {
        const { again, editOutput, store, write } = yield* translated(
          "a.csv",
          "title,n\nMug,1\nCup,2\nMug,3\n",
          {
            format
          }
        )
        editOutput("Mug,3,de: Mug", "Mug,3,Becher")
        write("title,n\nBowl,0\nMug,1\nMug,3\nCup,2\n")
        const { text, written } = yield* again()
        expect(text).toBe("title,n,title.de\nBowl,0,de: Bowl\nMug,1,Becher\nMug,3,Becher\nCup,2,de: Cup\n")
        expect([written?.corrections, yield* corrected(store)]).toEqual([1, [["Mug", "Becher"]]])
      }).pipe(inFolder)
  )

  it.scoped(
    "keeps a text whose source has changed, at its place, and stores it for the source that it had",
    () =>
      Effect.gen(function* () {
        const { again, editOutput, editSource, store } = yield* translated(
          "a.csv",
          "title,n\nMug,1\nCup,2\n",
          {
            format
          }
        )
        editOutput("de: Cup", "Tasse")
        editSource("Cup", "Large cup")
        for (const _ of [1, 2]) {
          const { text, written } = yield* again()
          expect(text).toBe("title,n,title.de\nMug,1,de: Mug\nLarge cup,2,Tasse\n")
          expect(written?.stale).toEqual([{ key: "2:title", text: "Large cup", translation: "Tasse" }])
        }
        expect(yield* corrected(store)).toEqual([["Cup", "Tasse"]])
      }).pipe(inFolder)
  )
})

describe("a corrected file without a key", () => {
  const byPlace = Csv.make({ columns: ["title"] })

  it.scoped("finds corrections by the places of rows whose other columns are the same", () =>
    Effect.gen(function* () {
      const { again, editOutput, editSource, sent } = yield* translated("a.csv", products, {
        format: byPlace
      })
      editOutput("de: Cup", "Tasse")
      editSource("Plate", "Bowl")
      const { text, written } = yield* again()
      expect(text).toBe("sku,title,price\nA,de: Mug,1\nB,Tasse,2\nC,de: Bowl,3\n")
      expect([written?.corrections, sent()]).toEqual([1, ["Bowl"]])
    }).pipe(inFolder)
  )

  it.scoped("takes inserted rows once the store has its corrections", () =>
    Effect.gen(function* () {
      const { again, editOutput, editSource } = yield* translated("a.csv", products, { format: byPlace })
      editOutput("de: Cup", "Tasse")
      yield* again()
      editSource("B,Cup", "D,Bowl,4\nB,Cup")
      expect((yield* again()).text).toBe(
        "sku,title,price\nA,de: Mug,1\nD,de: Bowl,4\nB,Tasse,2\nC,de: Plate,3\n"
      )
    }).pipe(inFolder)
  )

  for (const [what, changed] of [
    ["inserted", "sku,title,price\nA,Mug,1\nD,Bowl,4\nB,Cup,2\nC,Plate,3\n"],
    ["moved", "sku,title,price\nB,Cup,2\nA,Mug,1\nC,Plate,3\n"]
  ] as const) {
    it.scoped(`is refused where rows were ${what}, with the advice to name a key`, () =>
      Effect.gen(function* () {
        const { again, editOutput, write } = yield* translated("a.csv", products, { format: byPlace })
        editOutput("de: Cup", "Tasse")
        write(changed)
        const { results, text } = yield* again()
        expect(results[0]).toMatchObject({ left: { _tag: "OutputAltered", why: "places" } })
        expect(text).toContain("Tasse")
      }).pipe(inFolder)
    )
  }

  it.scoped("finds corrections in lines, also where a translation became one line", () =>
    Effect.gen(function* () {
      const { again, editOutput, store } = yield* translated("a.txt", "Mug\n\nCup\n", {
        format: Lines.format
      })
      editOutput("de: Cup", "Tasse")
      const { text, written } = yield* again()
      expect([text, written?.corrections]).toEqual(["de: Mug\n\nTasse\n", 1])
      expect(yield* corrected(store)).toEqual([["Cup", "Tasse"]])
    }).pipe(inFolder)
  )

  it.scoped("is refused where lines were moved", () =>
    Effect.gen(function* () {
      const { again, editOutput, write } = yield* translated("a.txt", "Mug\nCup\nPlate\n", {
        format: Lines.format
      })
      editOutput("de: Cup", "Tasse")
      write("Plate\nMug\nCup\n")
      expect((yield* again()).results[0]).toMatchObject({ left: { _tag: "OutputAltered", why: "places" } })
    }).pipe(inFolder)
  )
})

describe("a corrected file of JSON Lines", () => {
  const lines = `{"id":1,"title":"Mug","tags":["hot"]}\n{"id":2,"title":"Cup","tags":["hot","new"]}\n`
  const select = ["title", "tags[*]"]

  it.scoped("finds corrections by its key", () =>
    Effect.gen(function* () {
      const format = JsonLines.make({ select, key: ["id"] })
      const { again, editOutput, store, write } = yield* translated("a.jsonl", lines, { format })
      editOutput("de: Cup", "Tasse")
      write(`${lines.split("\n").toReversed().join("\n").trim()}\n`)
      const { text, written } = yield* again()
      expect(text.split("\n")[0]).toBe(`{"id":2,"title":"Tasse","tags":["de: hot","de: new"]}`)
      expect([written?.corrections, yield* corrected(store)]).toEqual([1, [["Cup", "Tasse"]]])
    }).pipe(inFolder)
  )

  it.scoped("finds corrections by places, also where a program has written it anew", () =>
    Effect.gen(function* () {
      const { again, folder, store } = yield* translated("a.jsonl", lines, {
        format: JsonLines.make({ select })
      })
      const path = `${folder}/de/a.jsonl`
      const rows = textIn(folder, "de/a.jsonl").trim().split("\n")
      const written = rows.map((row) => JSON.stringify(JSON.parse(row), null, 1).replaceAll("\n", ""))
      writeFileSync(path, `${written.join("\n").replace("de: Cup", "Tasse")}\n`)
      const { text, written: told } = yield* again()
      expect(text).toContain(`{"id":2,"title":"Tasse"`)
      expect([told?.corrections, yield* corrected(store)]).toEqual([1, [["Cup", "Tasse"]]])
    }).pipe(inFolder)
  )
})
