/** Jobs over files with other options than those of the last run. */
import { writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Csv, Lines, TranslationStore } from "effect-translate"
import { Json, Markdown } from "effect-translate/formats"
import { GlossaryEntries } from "effect-translate/glossaries"
import { type JobSource, OutputCheck, TranslationJob } from "effect-translate/jobs"
import { folderWith, sourceIn, textIn } from "./fileSources.js"
import { withService } from "./jobs.js"

const files = { "a.json": '{"a":"cat","b":"dog","c":"hen"}', "a.csv": "title\ncat\ndog\n" }

const jobIn = (folder: string) => ({
  sources: [
    sourceIn(folder, "a.json", { format: Json.format }),
    sourceIn(folder, "a.csv", { format: Csv.make({ columns: ["title"] }) })
  ],
  options: { sourceLang: "en" },
  targets: ["de"] as const
})

const animals = (target: string) => ({
  glossary: {
    name: "animals",
    dictionaries: [{ sourceLang: "en", targetLang: "de", entries: [{ source: "cat", target }] }]
  }
})

/** The JSON file of {@link files}, of which the record alone says what is to be sent. */
const withoutStore = TranslationStore.layerNone

describe("a job over files", () => {
  it.effect(
    "sends by its record texts that hold a term that is new, has changed or is gone, as its forecast says",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderWith({ "a.json": '{"a":"Two cats","b":"dog","c":"A cat and a hen"}' })
        const [source] = jobIn(folder).sources
        const job = { ...jobIn(folder), sources: [source!] }
        const project = "0123456789abcdef"
        const of = (...terms: ReadonlyArray<[string, string]>) => ({
          project,
          dictionaries: [{ sourceLang: "en", targetLang: "de", entries: GlossaryEntries.fromTerms(terms) }]
        })
        yield* TranslationJob.run(job)
        const steps = [
          [of(["owl", "Eule"]), 0],
          [of(["owl", "Eule"], ["cat", "Katze"]), 2],
          [of(["owl", "Eule"], ["cat", "Katze"], ["hen", "Huhn"]), 1],
          [of(["cat", "Mieze"], ["hen", "Huhn"]), 2],
          [of(["owl", "Eule"], ["cat", "Mieze"]), 1],
          [undefined, 2]
        ] as const
        for (const [glossary, texts] of steps) {
          const given = { ...job, glossary }
          expect((yield* TranslationJob.forecast(given)).targets[0]).toMatchObject({
            translated: texts,
            otherTerms: texts
          })
          expect((yield* TranslationJob.run(given)).targets[0]).toMatchObject({
            translated: texts,
            failed: 0
          })
          expect((yield* TranslationJob.run(given)).targets[0]).toMatchObject({ requests: 0 })
        }
      }).pipe(Effect.scoped, Effect.provide([NodeContext.layer, withoutStore]), withService())
  )

  it.effect("writes anew what a run with a format of rows has left, and not the other way round", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.md": "# Cat\n\nA dog.\n" })
      const run = (format: JobSource.FileOptions["format"]) =>
        Effect.map(
          TranslationJob.run({ ...jobIn(folder), sources: [sourceIn(folder, "a.md", { format })] }),
          ({ end }) => end.state
        )
      yield* run(Lines.format)
      const [path, stateFolder] = [`${folder}/a.md`, `${folder}/.state`]
      const file = { path, output: `${folder}/{lang}/a.md`, stateFolder, format: Markdown.format } as const
      const problems = yield* OutputCheck.run({ ...jobIn(folder), files: [file] }).pipe(Stream.runCollect)
      expect(Array.from(problems, ({ kind }) => kind)).toEqual(["missing", "missing"])
      expect(yield* run(Markdown.format)).toBe("complete")
      const written = textIn(folder, "de/a.md")
      expect(written).toMatch(/^# [^#]+$/)
      expect(yield* Effect.flip(run(Lines.format))).toMatchObject({ _tag: "OutputAltered", why: "format" })
      expect(textIn(folder, "de/a.md")).toBe(written)
    }).pipe(Effect.scoped, Effect.provide([NodeContext.layer, withoutStore]), withService())
  )

  it.effect("tells a text whose source and terms have changed as one of another source", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.json": '{"a":"cat","b":"dog"}' })
      const [source] = jobIn(folder).sources
      const job = { ...jobIn(folder), sources: [source!] }
      yield* TranslationJob.run(job)
      writeFileSync(`${folder}/a.json`, '{"a":"cats","b":"dog"}')
      const forecast = yield* TranslationJob.forecast({ ...job, ...animals("Mieze") })
      expect(forecast.targets[0]).toMatchObject({ translated: 1, otherTerms: 0 })
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  for (const [name, options] of Object.entries({
    formality: { formality: "more" },
    context: { context: "A farm" },
    modelType: { modelType: "quality_optimized" }
  } as const)) {
    it.effect(`translates anew the texts of the machine if this option is another: ${name}`, () =>
      Effect.gen(function* () {
        const folder = yield* folderWith(files)
        const job = jobIn(folder)
        yield* TranslationJob.run(job)
        writeFileSync(`${folder}/de/a.json`, textIn(folder, "de/a.json").replace(/"c":".*"/, '"c":"Huhn"'))
        yield* TranslationJob.run(job)
        const changed = { ...job, options: { ...job.options, ...options } }
        const { targets } = yield* TranslationJob.forecast(changed)
        const estimate = yield* TranslationJob.estimate(changed)
        const report = yield* TranslationJob.run(changed)
        expect(targets[0]).toMatchObject({ in: 5, translated: 4, cached: 0, skipped: 1 })
        expect(estimate).toMatchObject({ texts: 5, characters: 12 })
        expect(report.targets[0]).toMatchObject({ in: 5, translated: 4, cached: 0, skipped: 1 })
        expect(textIn(folder, "de/a.json")).toContain('"c":"Huhn"')
        expect((yield* TranslationJob.run(changed)).targets[0]).toMatchObject({ requests: 0 })
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
    )
  }

  it.effect(
    "tells of rows that hold a term that is new, has changed or is gone, and of no row that is new",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderWith({ "a.csv": "title\nTwo cats\ndog\nA cat and a hen\nTwo cats\n" })
        const [, source] = jobIn(folder).sources
        const of = (...terms: ReadonlyArray<[string, string]>) => ({
          ...jobIn(folder),
          sources: [source!],
          glossary: {
            project: "0123456789abcdef",
            dictionaries: [{ sourceLang: "en", targetLang: "de", entries: GlossaryEntries.fromTerms(terms) }]
          }
        })
        yield* TranslationJob.run(of(["owl", "Eule"]))
        writeFileSync(`${folder}/a.csv`, "title\nTwo cats\ndog\nA cat and a hen\nTwo cats\nThe cat\n")
        const steps = [
          [of(["owl", "Eule"], ["cat", "Katze"]), 3, 2],
          [of(["cat", "Katze"], ["hen", "Huhn"]), 1, 1],
          [of(["cat", "Mieze"], ["hen", "Huhn"]), 3, 3],
          [of(["hen", "Huhn"]), 2, 2]
        ] as const
        for (const [given, translated, otherTerms] of steps) {
          expect((yield* TranslationJob.forecast(given)).targets[0]).toMatchObject({ translated, otherTerms })
          yield* TranslationJob.run(given)
        }
        writeFileSync(`${folder}/a.csv`, "title\nOne hen\ndog\n")
        yield* TranslationJob.run(of(["hen", "Huhn"]))
        const without = yield* TranslationJob.forecast({ ...of(), glossary: undefined })
        expect(without.targets[0]).toMatchObject({ translated: 1, otherTerms: 1 })
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect(
    "translates texts anew that hold terms of a glossary, and those that hold them next, as its forecast says",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderWith(files)
        const job = jobIn(folder)
        yield* TranslationJob.run(job)
        for (const target of ["Mieze", "Katze"]) {
          const given = { ...job, ...animals(target) }
          expect((yield* TranslationJob.forecast(given)).targets[0]).toMatchObject({
            translated: 2,
            paid: 1,
            skipped: 2,
            otherTerms: 2
          })
          yield* TranslationJob.run(given)
          expect(textIn(folder, "de/a.json")).toContain(target)
          expect(textIn(folder, "de/a.csv")).toContain(target)
          expect((yield* TranslationJob.forecast(given)).characters).toBe(0)
        }
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )
})
