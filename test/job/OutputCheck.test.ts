/** What is wrong with outputs that are there: no service is asked, and nothing is written. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Csv, type TranslateStream, TranslationStore } from "effect-translate"
import { Json, Po } from "effect-translate/formats"
import { JobSource, OutputCheck } from "effect-translate/jobs"
import * as Check from "../../src/text/Check.js"
import { badRequest } from "../stream/support.js"
import { filesIn, folderWith, run } from "./fileSources.js"
import { marking } from "./support.js"

const csv = Csv.make({ columns: ["title"] })

type More = Partial<OutputCheck.Options>

/** A file of a folder, and its translation into German. */
const fileIn = (folder: string, name: string): JobSource.FileOptions => ({
  path: `${folder}/${name}`,
  format: name.endsWith(".csv") ? csv : Json.make(),
  output: `${folder}/{lang}/${name}`,
  stateFolder: `${folder}/.state`
})

const checked = (folder: string, names: ReadonlyArray<string>, more: More = {}) =>
  OutputCheck.run({
    files: names.map((name) => fileIn(folder, name)),
    targets: ["de"],
    options: { sourceLang: "en" },
    ...more
  }).pipe(Stream.runCollect, Effect.map(Chunk.toReadonlyArray))

/** Kinds and keys, with the lines in both files. */
const kinds = (problems: ReadonlyArray<OutputCheck.Problem>) =>
  problems.map(({ key, kind, line, outputLine }) => [kind, key, line, outputLine])

const translated = (
  files: Readonly<Record<string, string>>,
  options: Partial<TranslateStream.Options> = {}
) =>
  Effect.gen(function* () {
    const folder = yield* folderWith(files)
    for (const name of Object.keys(files))
      yield* run(JobSource.file(fileIn(folder, name)), ["de"], { options })
    return folder
  })

const po = (translation: string, flags = "") =>
  `msgid ""\nmsgstr "Language: de\\n"\n\n${flags}msgid "Save"\nmsgstr "${translation}"\n`

const checkedPo = (folder: string, output: `${string}{lang}${string}`, more: More = {}) =>
  OutputCheck.run({
    files: [
      { path: `${folder}/de.po`, format: Po.make(), output: `${folder}/${output}`, stateFolder: folder }
    ],
    targets: ["de"],
    options: { sourceLang: "en" },
    ...more
  }).pipe(Stream.runCollect, Effect.map(Chunk.toReadonlyArray))

const json = '{\n  "a": "Mug",\n  "b": "Cup"\n}\n'

describe("outputs that are there", () => {
  it.effect("are missing if they are not, though the source holds translations itself", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "de.po": po("Sichern") })
      expect(kinds(yield* checkedPo(folder, "out/{lang}.po"))).toEqual([["missing", "Save", 4, undefined]])
      expect(kinds(yield* checkedPo(folder, "{lang}.po"))).toEqual([["unknown", "Save", 4, 4]])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("are unasked by a check that asks somebody, until it is to ask, and flagged from then on", () =>
    Effect.gen(function* () {
      const folder = yield* translated({ "a.json": json })
      const store = yield* TranslationStore.makeMemory()
      let asked = 0
      const quality = yield* Check.effect({
        name: "quality",
        version: "1",
        find: (pairs) =>
          Effect.sync(() => {
            asked += pairs.length
            return pairs.map(({ source }) =>
              source === "Cup"
                ? [{ severity: "warning" as const, explanation: "Poor.", source: [], translation: [] }]
                : []
            )
          })
      })
      const found = (ask: boolean) =>
        Effect.map(checked(folder, ["a.json"], { checks: [quality], store, ask }), (problems) =>
          problems.map(({ key, kind }) => [kind, key])
        )
      expect(yield* found(false)).toEqual([
        ["unasked", "a"],
        ["unasked", "b"]
      ])
      expect(yield* found(true)).toEqual([["flagged", "b"]])
      expect(yield* found(false)).toEqual([["flagged", "b"]])
      expect(asked).toBe(2)
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("are flagged if a translation is longer than its file allows", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "de.po": po("Sichern", "#, max-length:6\n") })
      const problems = yield* checkedPo(folder, "{lang}.po", { checks: [Check.maxLength] })
      expect(problems).toMatchObject([
        { kind: "unknown", key: "Save" },
        { kind: "flagged", key: "Save", finding: { check: "maxLength" } }
      ])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("have nothing wrong once they are translated, and stay as they are", () =>
    Effect.gen(function* () {
      const folder = yield* translated({ "a.json": json, "b.csv": "title\nMug\n\nCup\n" })
      const before = filesIn(folder)
      expect(yield* checked(folder, ["a.json", "b.csv"])).toEqual([])
      expect(filesIn(folder)).toEqual(before)
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("lack each text of a source that was never translated, whatever its format", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.json": json, "b.csv": "id,title\n1,Mug\n" })
      expect(kinds(yield* checked(folder, ["a.json", "b.csv"]))).toEqual([
        ["missing", "a", 2, undefined],
        ["missing", "b", 3, undefined],
        ["missing", "1:title", 2, undefined]
      ])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("lack new texts of the source, and emptied ones", () =>
    Effect.gen(function* () {
      const folder = yield* translated({ "a.json": json })
      writeFileSync(`${folder}/a.json`, '{\n  "a": "Mug",\n  "b": "Cup",\n  "c": "Pot"\n}\n')
      const output = `${folder}/de/a.json`
      writeFileSync(output, readFileSync(output, "utf8").replace("de: Mug", ""))
      expect(kinds(yield* checked(folder, ["a.json"]))).toEqual([
        ["missing", "a", 2, undefined],
        ["missing", "c", 4, undefined]
      ])
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("are stale where the source has changed, also where a person has written them", () =>
    Effect.gen(function* () {
      const folder = yield* translated({ "a.json": json })
      const output = `${folder}/de/a.json`
      writeFileSync(output, readFileSync(output, "utf8").replace("de: Mug", "Becher"))
      writeFileSync(`${folder}/a.json`, json.replace("Mug", "Large mug").replace("Cup", "Small cup"))
      expect(kinds(yield* checked(folder, ["a.json"]))).toEqual([
        ["stale", "a", 2, 2],
        ["stale", "b", 3, 3]
      ])
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("were made with other options, apart from a person's texts", () =>
    Effect.gen(function* () {
      const folder = yield* translated({ "a.json": json }, { formality: "more" })
      const output = `${folder}/de/a.json`
      writeFileSync(output, readFileSync(output, "utf8").replace("de: Mug", "Becher"))
      expect(
        yield* checked(folder, ["a.json"], { options: { sourceLang: "en", formality: "more" } })
      ).toEqual([])
      expect(kinds(yield* checked(folder, ["a.json"]))).toEqual([["otherOptions", "b", 3, 3]])
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("were made with other terms of the glossary, as far as these are known", () =>
    Effect.gen(function* () {
      const folder = yield* translated({ "a.json": json })
      expect(kinds(yield* checked(folder, ["a.json"]))).toEqual([])
      const terms = (...terms: ReadonlyArray<[string, string]>) => ({ terms: () => new Map(terms) })
      expect(kinds(yield* checked(folder, ["a.json"], terms(["pot", "Topf"])))).toEqual([])
      const other = kinds(yield* checked(folder, ["a.json"], { ...terms(["cup", "Tasse"]), checks: [] }))
      expect(other).toEqual([["otherTerms", "b", 3, 3]])
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("have a text of the source where its translation has failed", () =>
    Effect.gen(function* () {
      const folder = yield* translated({ "a.json": json })
      expect(kinds(yield* checked(folder, ["a.json"]))).toEqual([["failed", "b", 3, 3]])
    }).pipe(
      marking((texts) => (texts.includes("Cup") ? badRequest : undefined)).provide,
      Effect.scoped,
      Effect.provide(NodeContext.layer)
    )
  )

  it.effect(
    "are known as a whole if their format streams: another source, other options or terms, and the rows of texts that have failed",
    () =>
      Effect.gen(function* () {
        const folder = yield* translated({ "a.csv": "title\nMug\n", "b.csv": "title\nMug\nCup\n" })
        expect(kinds(yield* checked(folder, ["a.csv", "b.csv"]))).toEqual([["failed", "2:title", 3, 3]])
        expect(
          kinds(yield* checked(folder, ["a.csv"], { options: { sourceLang: "en", formality: "more" } }))
        ).toEqual([["otherOptions", undefined, undefined, undefined]])
        const terms = () => new Map([["Mug", "Becher"]])
        expect(kinds(yield* checked(folder, ["a.csv"], { terms }))).toEqual([
          ["otherTerms", undefined, undefined, undefined]
        ])
        rmSync(`${folder}/.state`, { recursive: true })
        expect(kinds(yield* checked(folder, ["a.csv"]))).toEqual([
          ["unknown", undefined, undefined, undefined]
        ])
        yield* run(JobSource.file({ ...fileIn(folder, "a.csv"), existing: "overwrite" }), ["de"])
        writeFileSync(`${folder}/a.csv`, "title\nPot\n")
        expect(kinds(yield* checked(folder, ["a.csv"]))).toEqual([["stale", undefined, undefined, undefined]])
      }).pipe(
        marking((texts) => (texts.includes("Cup") ? badRequest : undefined)).provide,
        Effect.scoped,
        Effect.provide(NodeContext.layer)
      )
  )

  it.effect("have records that can't be read, each named by its line", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.csv": "id,title\n1,Mug\n2\n3,Pot\n" })
      const file = { ...fileIn(folder, "a.csv"), format: Csv.make({ columns: ["title"], onBadLine: "skip" }) }
      yield* run(JobSource.file(file), ["de"])
      const problems = yield* checked(folder, [], { files: [file] })
      expect(kinds(problems)).toEqual([["unreadable", undefined, 3, undefined]])
      expect(problems[0]!.error?.message).toContain("a.csv, line 3: the record has 1 fields")
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("are checked text by text, with their record", () =>
    Effect.gen(function* () {
      const pairs: Array<Check.Pair> = []
      const long: Check.Check = {
        name: "long",
        find: (pair) => {
          pairs.push(pair)
          const translation = [{ start: 0, end: 2 }]
          return pair.source === "Cup"
            ? [{ check: "long", severity: "warning", explanation: "It is long.", source: [], translation }]
            : []
        }
      }
      const folder = yield* translated({ "a.json": json, "b.csv": "id,title\n1,Mug\n2,Cup\n" })
      const problems = yield* checked(folder, ["a.json", "b.csv"], {
        checks: [long],
        terms: () => new Map([["Mug", "Becher"]])
      })
      expect(kinds(problems)).toEqual([
        ["otherTerms", "a", 2, 2],
        ["flagged", "b", 3, 3],
        ["otherTerms", undefined, undefined, undefined],
        ["flagged", "2:title", 3, 3]
      ])
      expect(problems[1]!.finding).toMatchObject({ explanation: "It is long." })
      expect(pairs.map(({ source, translation }) => [source, translation])).toEqual([
        ["Mug", "de: Mug"],
        ["Cup", "de: Cup"],
        ["Mug", "de: Mug"],
        ["Cup", "de: Cup"]
      ])
      expect(pairs[0]).toMatchObject({ targetLang: "de", glossary: new Map([["Mug", "Becher"]]) })
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("do not end the others when they can't be read", () =>
    Effect.gen(function* () {
      const folder = yield* translated({ "a.json": json, "b.json": json, "c.json": json })
      writeFileSync(`${folder}/de/a.json`, "{")
      rmSync(`${folder}/b.json`)
      writeFileSync(`${folder}/c.json`, json.replace("Cup", "Small cup"))
      const problems = yield* checked(folder, ["a.json", "b.json", "c.json"])
      expect(problems.map(({ kind, output }) => [kind, output])).toEqual([
        ["unreadable", `${folder}/de/a.json`],
        ["unreadable", `${folder}/b.json`],
        ["stale", `${folder}/de/c.json`]
      ])
      expect(problems[0]!.error?.message).toContain(`${folder}/de/a.json`)
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect(
    "are orphaned where the source that their record names is gone, beside those of other sources",
    () =>
      Effect.gen(function* () {
        const folder = yield* translated({ "a.json": json, "b.json": json, "c.csv": "title\nMug\n" })
        rmSync(`${folder}/b.json`)
        rmSync(`${folder}/c.csv`)
        const problems = yield* checked(folder, ["a.json"])
        expect(problems.map(({ key, kind, targetLang }) => [kind, key, targetLang])).toEqual([
          ["orphaned", undefined, "de"],
          ["orphaned", undefined, "de"]
        ])
        expect(problems.map(({ output }) => resolve(output)).sort()).toEqual([
          `${folder}/de/b.json`,
          `${folder}/de/c.csv`
        ])
        expect(problems.every(({ record }) => record !== undefined && existsSync(record))).toBe(true)
        expect(yield* checked(folder, ["a.json"], { targets: ["fr"], checks: [] })).toMatchObject([
          { kind: "missing" },
          { kind: "missing" }
        ])
      }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect(
    "are not orphaned once they are gone too, nor if they lie elsewhere and their sources are not asked for",
    () =>
      Effect.gen(function* () {
        const folder = yield* translated({ "a.json": json, "b.json": json })
        const elsewhere = { ...fileIn(folder, "b.json"), output: `${folder}/other/{lang}.json` as const }
        yield* run(JobSource.file(elsewhere), ["de"])
        rmSync(`${folder}/b.json`)
        rmSync(`${folder}/de/b.json`)
        expect(yield* checked(folder, ["a.json"])).toEqual([])
        const isSource = (path: string) => path === `${folder}/b.json`
        expect(yield* checked(folder, ["a.json"], { isSource })).toMatchObject([{ kind: "orphaned" }])
      }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )
})
