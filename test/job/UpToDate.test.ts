/** Outputs that are known to be up to date: what is told of them without reading, and what makes a job read again. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { Csv, TranslationStore, Translator } from "effect-translate"
import { Json, JsonLines, XcStrings } from "effect-translate/formats"
import { type JobSource, TranslationJob } from "effect-translate/jobs"
import type * as Format from "../../src/format/Format.js"
import { badRequest } from "../stream/support.js"
import { keyed } from "../support/keyedFormat.js"
import { folderWith, run, sourceIn, textIn } from "./fileSources.js"
import { billed, withService } from "./jobs.js"
import { marking } from "./support.js"

/** A format that counts how often it reads a file. */
const counting = (format: Format.Format) => {
  let count = 0
  const counted: Format.Format = {
    ...format,
    decode: (options) => {
      count++
      return format.decode(options)
    }
  }
  /** How often it has read since the last time that this was asked. */
  const reads = () => {
    const found = count
    count = 0
    return found
  }
  return { format: counted, reads }
}

const csv = Csv.make({ columns: ["title"] })

const at = DateTime.unsafeMake(0)

describe("an output that is up to date", () => {
  it.effect("is told of in forecast, estimate, report and progress, and its source is not read", () =>
    Effect.gen(function* () {
      const [table, catalogue] = [counting(csv), counting(Json.format)]
      const folder = yield* folderWith({
        "a.csv": "title\ngrr\nhmm\ngrr\n\n",
        "b.json": '{"a":"psst","b":"{name}"}'
      })
      const job = {
        sources: [
          sourceIn(folder, "a.csv", { format: table.format }),
          sourceIn(folder, "b.json", { format: catalogue.format })
        ],
        targets: ["de", "fr"]
      } as const
      yield* TranslationJob.run(job)
      // As it is told where texts are asked for one by one, which reads the files.
      const read = yield* TranslationJob.run({ ...job, onUnits: () => Effect.void })
      expect([table.reads() > 0, catalogue.reads() > 0]).toEqual([true, true])
      const before = yield* billed
      const progress = yield* TranslationJob.makeProgress(job)
      const report = yield* TranslationJob.run({ ...job, progress })
      const forecast = yield* TranslationJob.forecast(job)
      const estimate = yield* TranslationJob.estimate(job)
      expect([table.reads(), catalogue.reads()]).toEqual([0, 0])
      expect(report.outputs).toEqual(read.outputs)
      expect(report.end).toEqual(read.end)
      expect(report.targets.map(({ took: _, ...target }) => target)).toEqual(
        read.targets.map(({ took: _, ...target }) => target)
      )
      expect(report.targets[0]).toMatchObject({ in: 5, cached: 3, skipped: 2, requests: 0 })
      expect(report.outputs[1]).toMatchObject({ state: "unchanged" })
      expect(forecast.targets[0]).toMatchObject({ in: 5, cached: 3, paid: 3, skipped: 2, characters: 0 })
      expect(estimate).toMatchObject({ texts: 10, characters: 0, isExact: true })
      expect(yield* progress.state).toMatchObject({ done: 10, total: 10, cached: 6, skipped: 4 })
      expect(yield* billed).toBe(before)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is known for each language: the source is read for those that are not", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const { format } = counting(csv)
      const folder = yield* folderWith({ "a.csv": "title\nMug\n" })
      const source = sourceIn(folder, "a.csv", { format })
      yield* run(source, ["de"])
      const { states, written } = yield* run(source, ["fr", "de"])
      expect([states, sent()]).toEqual([
        ["written", "unchanged"],
        ["Mug", "Mug"]
      ])
      expect(written.map((one) => one?.output)).toEqual([`${folder}/fr/a.csv`, `${folder}/de/a.csv`])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect("is its own source in a file of all languages", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const { format, reads } = counting(XcStrings.format)
      const folder = yield* folderWith({
        "a.xcstrings": '{"sourceLanguage":"en","strings":{"Mug":{}},"version":"1.0"}'
      })
      const source = sourceIn(folder, "a.xcstrings", { format, output: () => `${folder}/a.xcstrings` })
      yield* run(source, ["de", "fr"])
      yield* run(source, ["de", "fr"])
      reads()
      expect((yield* run(source, ["de", "fr"])).states).toEqual(["unchanged", "unchanged"])
      expect(reads()).toBe(0)
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })
})

describe("a source is read again", () => {
  /** Runs twice, with a change in between. Tells how often the second run has read, and its states. */
  const changed = (
    format: Format.Format,
    change: (
      folder: string
    ) => Partial<JobSource.FileOptions> & Parameters<typeof run>[2] & { readonly service?: string }
  ) =>
    Effect.gen(function* () {
      const counted = counting(format)
      const folder = yield* folderWith({ "a.txt": "title\nMug\n" })
      const runWith = ({
        format,
        limit,
        options,
        refresh,
        service = "test",
        includeUnits,
        ...own
      }: ReturnType<typeof change> = {}) =>
        run(
          sourceIn(folder, "a.txt", { format: counted.format, ...own, ...(format && { format }) }),
          ["de"],
          {
            limit,
            options,
            refresh,
            includeUnits
          }
        ).pipe(
          Effect.updateService(Translator.Translator, (translator) => ({
            ...translator,
            identify: () => Effect.succeed({ service, account: "test" })
          }))
        )
      yield* runWith()
      yield* runWith()
      counted.reads()
      const { states } = yield* runWith(change(folder))
      return { reads: counted.reads(), states }
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))

  const reasons: Readonly<Record<string, Parameters<typeof changed>[1]>> = {
    "it was edited": (folder) => {
      writeFileSync(`${folder}/a.txt`, "title\nCup\n")
      return {}
    },
    "it was edited, and has the same size and time": (folder) => {
      writeFileSync(`${folder}/a.txt`, "title\nJug\n")
      return {}
    },
    "its output is gone": (folder) => {
      rmSync(`${folder}/de/a.txt`)
      return {}
    },
    "its output was altered": (folder) => {
      appendFileSync(`${folder}/de/a.txt`, "Von Hand\n")
      return { existing: "overwrite" }
    },
    "what is remembered is gone": (folder) => {
      rmSync(`${folder}/.state`, { recursive: true })
      return { existing: "overwrite" }
    },
    "an option that changes translations is another": () => ({ options: { formality: "more" } }),
    "another service translates": () => ({ service: "other" }),
    "it is to be translated again": () => ({ refresh: true }),
    "each text is asked for": () => ({ includeUnits: true }),
    "a pilot is asked for": () => ({ limit: 5 }),
    "outputs are written anew": () => ({ existing: "overwrite" })
  }

  for (const [reason, change] of Object.entries(reasons)) {
    it.effect(`if ${reason}`, () =>
      Effect.gen(function* () {
        expect((yield* changed(csv, change)).reads).toBe(1)
      })
    )
  }

  it.effect("if its format is told to find other texts", () =>
    Effect.gen(function* () {
      const format = JsonLines.make({ select: ["title"] })
      const other = counting(JsonLines.make({ select: ["title", "body"] }))
      const folder = yield* folderWith({ "a.jsonl": '{"title":"Mug","body":"A mug"}\n' })
      yield* run(sourceIn(folder, "a.jsonl", { format }))
      yield* run(sourceIn(folder, "a.jsonl", { format: other.format }))
      expect([other.reads(), textIn(folder, "de/a.jsonl")]).toEqual([
        1,
        '{"title":"de: Mug","body":"de: A mug"}\n'
      ])
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("if its format does not tell its options", () =>
    Effect.gen(function* () {
      const { format, reads } = counting(keyed)
      const folder = yield* folderWith({ "a.keyed": "a = A\n" })
      yield* run(sourceIn(folder, "a.keyed", { format }))
      yield* run(sourceIn(folder, "a.keyed", { format }))
      expect(reads()).toBeGreaterThan(1)
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )

  for (const [name, format, text, corrected] of [
    ["a.csv", csv, "title\nMug\n", "title\nBecher\n"],
    ["a.json", Json.format, '{"a":"Mug"}', '{"a":"Becher"}']
  ] as const) {
    it.effect(`if the store has other corrections: ${name}`, () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const counted = counting(format)
        const store = yield* TranslationStore.makeMemory()
        const folder = yield* folderWith({ [name]: text })
        const source = sourceIn(folder, name, { format: counted.format })
        const again = run(source, ["de"], { options: { store } })
        yield* again
        yield* store.correct([{ source: "Mug", translation: "Becher", targetLang: "de", at }])
        expect((yield* again).states).toEqual(["written"])
        expect(textIn(folder, `de/${name}`)).toBe(corrected)
        counted.reads()
        expect((yield* again).states).toEqual(["unchanged"])
        expect([counted.reads(), sent()]).toEqual([0, ["Mug"]])
        // One that knows none has no newer ones.
        const empty = yield* TranslationStore.makeMemory()
        expect((yield* run(source, ["de"], { options: { store: empty } })).states).toEqual(["unchanged"])
        expect(counted.reads()).toBe(0)
      }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
    })
  }

  it.effect("as long as a text has failed", () => {
    let isDown = true
    const { provide, sent } = marking((texts) => (isDown && texts.includes("Cup") ? badRequest : undefined))
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.csv": "title\nMug\nCup\n", "b.json": '{"a":"Mug","b":"Cup"}' })
      const sources = [
        sourceIn(folder, "a.csv", { format: csv }),
        sourceIn(folder, "b.json", { format: Json.format })
      ]
      const store = yield* TranslationStore.makeMemory()
      const again = Effect.forEach(sources, (source) => run(source, ["de"], { options: { store } }))
      yield* again
      const failed = (yield* again).map(({ seen }) => seen.flatMap(({ failures }) => failures).length)
      expect(failed).toEqual([1, 1])
      isDown = false
      yield* again
      expect(sent().filter((text) => text === "Cup")).toHaveLength(6)
      expect(readFileSync(`${folder}/de/b.json`, "utf8")).toBe('{"a":"de: Mug","b":"de: Cup"}')
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect("as long as a person's translation is older than it", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.json": '{"a":"Mug"}' })
      const source = sourceIn(folder, "a.json", { format: Json.format })
      yield* run(source)
      writeFileSync(`${folder}/de/a.json`, '{"a":"Becher"}')
      writeFileSync(`${folder}/a.json`, '{"a":"Cup"}')
      for (const _ of [1, 2, 3]) {
        const { written } = yield* run(source)
        expect(written[0]).toMatchObject({ stale: [{ key: "a" }], byPersons: 1 })
      }
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )
})
