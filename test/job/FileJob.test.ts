/** Jobs over files: what is refused before anything is sent, and what a second run costs. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { Csv, TranslationStore, Translator } from "effect-translate"
import { TranslationJob } from "effect-translate/jobs"
import { keyed } from "../support/keyedFormat.js"
import { folderWith, sourceIn, textIn } from "./fileSources.js"
import { billed, withService } from "./jobs.js"

const csv = Csv.make({ columns: ["title"] })

describe("a job over files", () => {
  it.effect("translates all of them, and bills nothing the second time", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.csv": "title\ngrr\nhmm\n", "b.keyed": "a = grr\nb = psst\n" })
      const job = {
        sources: [sourceIn(folder, "a.csv", { format: csv }), sourceIn(folder, "b.keyed", { format: keyed })],
        targets: ["de", "fr"]
      }
      const forecast = yield* TranslationJob.forecast(job)
      expect(existsSync(`${folder}/de`)).toBe(false)
      const first = yield* TranslationJob.run(job)
      expect(first.outputs.map(({ state }) => state)).toEqual(["written", "written", "written", "written"])
      expect(textIn(folder, "de/b.keyed")).toBe("a = [de] grr\nb = [de] psst\n")
      const before = yield* billed
      expect([forecast.texts, forecast.characters, before]).toEqual([8, 26, 26])
      const second = yield* TranslationJob.run(job)
      expect(second.outputs.map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => "unchanged"))
      expect(yield* billed).toBe(before)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("gives each language its own options, and its own name in paths", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.csv": "title\ngrr\n", "b.keyed": "a = hmm\n" })
      const job = {
        sources: [sourceIn(folder, "a.csv", { format: csv }), sourceIn(folder, "b.keyed", { format: keyed })],
        options: { formality: "prefer_less" },
        targets: ["fr", { lang: "de", options: { formality: "more" } }, { lang: "ZH-hant", name: "zh-TW" }]
      } as const
      const asked = new Map<string, unknown>()
      const report = yield* TranslationJob.run(job).pipe(
        Effect.updateService(Translator.Translator, (translator) => ({
          ...translator,
          translate: (texts, options) => {
            asked.set(options.targetLang, options.formality)
            return translator.translate(texts, options)
          }
        }))
      )
      expect(Object.fromEntries(asked)).toEqual({ fr: "prefer_less", de: "more", "zh-Hant": "prefer_less" })
      const outputs = ["fr", "de", "zh-TW"].map((name) => `${folder}/${name}`)
      const all = [...outputs.map((path) => `${path}/a.csv`), ...outputs.map((path) => `${path}/b.keyed`)]
      expect(report.outputs.map(({ output }) => output)).toEqual(all)
      expect(textIn(folder, "zh-TW/b.keyed")).toBe("a = [zh-Hant] hmm\n")
      expect((yield* TranslationJob.forecast(job)).texts).toBe(6)
      const again = yield* TranslationJob.run(job)
      expect(again.outputs.map(({ state }) => state)).toEqual(all.map(() => "unchanged"))
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is refused if a file is the output of another one", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "en.csv": "title\ngrr\n", "de.csv": "title\nhmm\n" })
      const output = `${folder}/{lang}.csv` as const
      const error = yield* TranslationJob.run({
        sources: [
          sourceIn(folder, "en.csv", { format: csv, output, existing: "overwrite" }),
          sourceIn(folder, "de.csv", { format: csv })
        ],
        targets: ["de", "fr"]
      }).pipe(Effect.flip)
      expect(error).toMatchObject({
        _tag: "InvalidJob",
        violations: [{ field: "sources[1]", rule: expect.stringContaining("de.csv") }]
      })
      expect(yield* billed).toBe(0)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("names the texts of nobody in an output that a pilot leaves as it was", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.keyed": "a = grr\nb = hmm\nc = wuff\n" })
      mkdirSync(`${folder}/de`)
      writeFileSync(`${folder}/de/a.keyed`, "a = brumm\n")
      const { outputs } = yield* TranslationJob.run({
        sources: [sourceIn(folder, "a.keyed", { format: keyed })],
        targets: ["de"],
        limit: 1
      })
      expect(outputs[0]).toMatchObject({ state: "withheld", unknown: { texts: 1, keys: ["a"] } })
      expect(textIn(folder, "de/a.keyed")).toBe("a = brumm\n")
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("names stale texts, and a correction for one replaces it", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.keyed": "a = grr\n" })
      const job = { sources: [sourceIn(folder, "a.keyed", { format: keyed })], targets: ["de"] }
      yield* TranslationJob.run(job)
      writeFileSync(`${folder}/de/a.keyed`, "a = brumm\n")
      writeFileSync(`${folder}/a.keyed`, "a = hmm\n")
      const { outputs } = yield* TranslationJob.run(job)
      expect(outputs[0]).toMatchObject({
        state: "unchanged",
        stale: [{ key: "a", text: "hmm", translation: "brumm" }]
      })
      const store = yield* TranslationStore.TranslationStore
      yield* store.correct([
        { source: "hmm", translation: "summ", targetLang: "de", at: yield* DateTime.now }
      ])
      const again = yield* TranslationJob.run(job)
      expect([again.outputs[0]!.stale, textIn(folder, "de/a.keyed")]).toEqual([[], "a = summ\n"])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("asks again for translations of the machine, if it is to refresh", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.keyed": "a = grr\nb = hmm\n" })
      const job = { sources: [sourceIn(folder, "a.keyed", { format: keyed })], targets: ["de"] }
      yield* TranslationJob.run(job)
      const before = yield* billed
      yield* TestClock.adjust("10 millis")
      const refresh = yield* DateTime.now
      expect((yield* TranslationJob.forecast({ ...job, refresh })).characters).toBe(6)
      const { outputs } = yield* TranslationJob.run({ ...job, refresh })
      expect(outputs[0]!.state).toBe("unchanged")
      expect(yield* billed).toBe(2 * before)
      yield* TranslationJob.run({ ...job, refresh })
      expect(yield* billed).toBe(2 * before)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )
})
