/** Files as sources with a store: what is billed, and how corrections reach outputs. */
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { Csv, TranslationStore } from "effect-translate"
import { Json, JsonLines, Properties } from "effect-translate/formats"
import type { JobSource } from "effect-translate/jobs"
import { bilingual, keyed, unmerged } from "../support/keyedFormat.js"
import { folderWith, run, sourceIn, textIn } from "./fileSources.js"
import { marking } from "./support.js"

const correction = (source: string, translation: string): TranslationStore.Correction => ({
  source,
  translation,
  targetLang: "de",
  at: DateTime.unsafeMake(0)
})

const rows = (count: number, changed: (row: number) => boolean = () => false) =>
  Array.from({ length: count }, (_, row) => `${row},Mug ${row}${changed(row) ? " (new)" : ""}`)

const files: ReadonlyArray<
  readonly [
    name: string,
    format: JobSource.FileOptions["format"],
    text: (rows: ReadonlyArray<string>) => string
  ]
> = [
  ["a.csv", Csv.make({ columns: ["title"] }), (rows) => `id,title\n${rows.join("\n")}\n`],
  ["a.json", Json.make(), (rows) => JSON.stringify(Object.fromEntries(rows.map((row) => row.split(","))))],
  ["a.properties", Properties.format, (rows) => rows.map((row) => `${row.replace(",", "=")}\n`).join("")]
]

describe("a second run", () => {
  for (const [name, format, textOf] of files) {
    it.effect(`bills nothing, and after an edit of 1 % of the rows exactly those: ${name}`, () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const store = yield* TranslationStore.makeMemory()
        const folder = yield* folderWith({ [name]: textOf(rows(200)) })
        const source = sourceIn(folder, name, { format })
        const again = run(source, ["de", "fr"], { options: { store } })
        yield* again
        expect(sent()).toHaveLength(400)
        for (const lang of ["de", "fr"]) utimesSync(`${folder}/${lang}/${name}`, 1, 1)
        expect((yield* again).states).toEqual(["unchanged", "unchanged"])
        expect(statSync(`${folder}/de/${name}`).mtimeMs).toBe(1000)
        expect(sent()).toHaveLength(400)
        writeFileSync(`${folder}/${name}`, textOf(rows(200, (row) => row % 100 === 7)))
        expect((yield* again).states).toEqual(["written", "written"])
        expect(sent().slice(400).sort()).toEqual(
          ["Mug 107 (new)", "Mug 107 (new)", "Mug 7 (new)", "Mug 7 (new)"].sort()
        )
        expect(textIn(folder, `de/${name}`)).toContain("de: Mug 107 (new)")
      }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
    })
  }
})

describe("a correction in the store", () => {
  for (const [name, format] of [
    ["a.keyed", keyed],
    ["b.keyed", unmerged],
    ["a.both", bilingual]
  ] as const) {
    it.effect(`reaches the output where the machine's translation stands: ${format.name}, ${name}`, () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const store = yield* TranslationStore.makeMemory()
        const folder = yield* folderWith({ [name]: "a = A\nb = B\n" })
        const source = sourceIn(folder, name, { format })
        const again = run(source, ["de"], { options: { store } })
        yield* again
        const before = textIn(folder, `de/${name}`)
        yield* store.correct([correction("A", "Richtig")])
        expect((yield* again).states).toEqual(["written"])
        expect(textIn(folder, `de/${name}`)).toBe(before.replace("de: A", "Richtig"))
        expect((yield* again).states).toEqual(["unchanged"])
        expect(sent()).toEqual(["A", "B"])
        // It is known as no edit of the output: a change of the source replaces it.
        writeFileSync(`${folder}/${name}`, "a = A2\nb = B\n")
        yield* again
        expect(textIn(folder, `de/${name}`)).toContain("de: A2")
      }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
    })
  }

  it.effect("changes exactly its rows of a file that streams", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const folder = yield* folderWith({ "a.csv": "title\nMug\nCup\nMug\n" })
      const source = sourceIn(folder, "a.csv", { format: Csv.make({ columns: ["title"] }) })
      const again = run(source, ["de"], { options: { store } })
      yield* again
      yield* store.correct([correction("Mug", "Becher")])
      expect((yield* again).states).toEqual(["written"])
      expect(textIn(folder, "de/a.csv")).toBe("title\nBecher\nde: Cup\nBecher\n")
      expect(sent()).toEqual(["Mug", "Cup"])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect("of the changed source takes the place of a stale translation", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const folder = yield* folderWith({ "a.keyed": "a = A\n" })
      const source = sourceIn(folder, "a.keyed", { format: keyed })
      const again = run(source, ["de"], { options: { store } })
      yield* again
      writeFileSync(`${folder}/de/a.keyed`, "a = Von Hand\n")
      writeFileSync(`${folder}/a.keyed`, "a = A2\n")
      expect((yield* again).written[0]!.stale).toHaveLength(1)
      yield* store.correct([correction("A2", "Richtig")])
      const { states, written } = yield* again
      expect([states, written[0]!.stale, textIn(folder, "de/a.keyed")]).toEqual([
        ["written"],
        [],
        "a = Richtig\n"
      ])
      expect(sent()).toEqual(["A"])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect("never takes the place of a person's edit of the output", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const folder = yield* folderWith({ "a.keyed": "a = A\n" })
      const source = sourceIn(folder, "a.keyed", { format: keyed })
      const again = run(source, ["de"], { options: { store } })
      yield* again
      yield* store.correct([correction("A", "Richtig")])
      writeFileSync(`${folder}/de/a.keyed`, "a = Von Hand\n")
      for (let round = 0; round < 2; round++) {
        expect((yield* again).states).toEqual(["unchanged"])
        expect(textIn(folder, "de/a.keyed")).toBe("a = Von Hand\n")
      }
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect("keeps the whitespace around the text", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const folder = yield* folderWith({ "a.json": '{"a":" A "}' })
      const again = run(sourceIn(folder, "a.json", { format: Json.make() }), ["de"], { options: { store } })
      yield* again
      yield* store.correct([correction("A", "Richtig")])
      yield* again
      expect(textIn(folder, "de/a.json")).toBe('{"a":" Richtig "}')
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })
})

describe("a refresh", () => {
  it.effect("asks again for translations of the machine, and for none that a person has written", () => {
    const { provide, sent } = marking()
    let round = 0
    const changing = marking(undefined, (text) => `${text} ${round}`)
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.keyed": "a = A\nb = B\n" })
      const source = sourceIn(folder, "a.keyed", { format: keyed })
      yield* run(source)
      writeFileSync(`${folder}/de/a.keyed`, "a = Von Hand\nb = de: B\n")
      round++
      yield* changing.provide(run(source, ["de"], { refresh: true }))
      expect(textIn(folder, "de/a.keyed")).toBe("a = Von Hand\nb = B 1\n")
      expect(sent()).toEqual(["A", "B"])
      expect(changing.sent()).toEqual(["B"])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })
})

describe("a forecast with a store", () => {
  it.effect("counts stored translations as paid", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const folder = yield* folderWith({ "a.csv": "title\nMug\n", "a.jsonl": '{"t":"Mug"}\n{"t":"Cup"}\n' })
      yield* run(sourceIn(folder, "a.csv", { format: Csv.make({ columns: ["title"] }) }), ["de"], {
        options: { store }
      })
      const forecast = yield* sourceIn(folder, "a.jsonl", {
        format: JsonLines.make({ select: ["t"] })
      }).forecast({ targets: [{ options: { targetLang: "de", sourceLang: "en", maxTexts: 1, store } }] })
      expect(forecast).toMatchObject([{ in: 2, cached: 1, translated: 1, characters: 3 }])
      expect(sent()).toEqual(["Mug"])
      expect([existsSync(`${folder}/de/a.jsonl`), readFileSync(`${folder}/a.jsonl`, "utf8")]).toEqual([
        false,
        '{"t":"Mug"}\n{"t":"Cup"}\n'
      ])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })
})
