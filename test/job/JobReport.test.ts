/** The report of a job as JSON, and a person's corrections in it. */
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { TranslationStore } from "effect-translate"
import { JobReport, type JobSource, TranslationJob } from "effect-translate/jobs"
import { StoreError } from "effect-translate/store"
import { billed, rowsOf, table, withService } from "./jobs.js"

/** A source of which a person has translated something, whose source text has changed since. */
const staleSource: JobSource.JobSource = {
  name: "menu.json",
  translate: (translations) =>
    Effect.succeed(
      translations.map(() =>
        Either.right({
          output: "menu.de.json",
          state: "written" as const,
          stale: [{ key: "a.b", text: "b2", translation: "B" }]
        })
      )
    ),
  forecast: () => Effect.succeed([])
}

const stale = TranslationJob.run({ sources: [staleSource], targets: ["de"], options: { sourceLang: "en" } })

describe("JobReport", () => {
  it.effect("is read as it was written", () =>
    Effect.gen(function* () {
      const report = yield* TranslationJob.run({
        sources: [table(rowsOf("b1")).source, staleSource],
        targets: ["de", "fr"],
        pricePerMillion: 20
      })
      expect(yield* JobReport.decode(JobReport.encode(report))).toEqual(report)
      expect(JSON.parse(JobReport.encode(report)).version).toBe(1)
    }).pipe(withService())
  )

  it.effect("has the stale units, and advice about them", () =>
    Effect.gen(function* () {
      const { end, outputs } = yield* stale
      expect(outputs[0]).toMatchObject({
        output: "menu.de.json",
        stale: [{ key: "a.b", text: "b2", translation: "B" }]
      })
      expect(end.next).toContain('1 translation of a person is older than the source: fill in "correction"')
    }).pipe(withService())
  )

  it.effect("gives a person's corrections to the store, which the same job then writes unbilled", () =>
    Effect.gen(function* () {
      const json = JobReport.encode(yield* stale).replace(
        '"translation": "B"',
        '"translation": "B", "correction": "Bee zwei"'
      )
      const corrections = yield* Effect.flatMap(JobReport.decode(json), JobReport.corrections)
      expect(corrections).toMatchObject([
        { source: "b2", translation: "Bee zwei", sourceLang: "en", targetLang: "de" }
      ])
      expect(DateTime.isUtc(corrections[0]!.at)).toBe(true)
      const store = yield* TranslationStore.TranslationStore
      yield* store.correct(corrections)
      const rows = table(rowsOf("b2"))
      yield* TranslationJob.run({ sources: [rows.source], targets: ["de"], options: { sourceLang: "en" } })
      expect(rows.translations("de")).toEqual(["Bee zwei"])
      expect(yield* billed).toBe(0)
    }).pipe(withService())
  )

  it.effect("leaves out fields that nobody has filled in", () =>
    Effect.gen(function* () {
      const report = yield* stale
      expect(yield* JobReport.corrections(report)).toEqual([])
      const blank = JobReport.encode(report).replace('"key": "a.b"', '"key": "a.b", "correction": " "')
      expect(yield* Effect.flatMap(JobReport.decode(blank), JobReport.corrections)).toEqual([])
    }).pipe(withService())
  )

  it.effect("an error of reading names the file and the line, or the field, and no text", () =>
    Effect.gen(function* () {
      const json = JobReport.encode(yield* stale)
      const read = (text: string) => Effect.flip(JobReport.decode(text, "report.json"))
      const cut = yield* read(json.replace('"translation": "B"', '"translation" "B"'))
      const line = json.slice(0, json.indexOf('"translation"')).split("\n").length
      expect(cut).toBeInstanceOf(JobReport.JobReportError)
      expect(cut.message).toContain("report.json")
      expect(cut.message).toMatch(new RegExp(`line ${line}\\b`, "i"))
      const wrong = yield* read(json.replace('"translation": "B"', '"translation": 7777'))
      expect(wrong.message).toContain("report.json is no report of a job, or of a newer version")
      expect(wrong.message).toContain("outputs[0].stale[0].translation must be string")
      expect(wrong.message).not.toContain("7777")
      expect((yield* read(json.replace('"version": 1', '"version": 2'))).message).toContain("version")
    }).pipe(withService())
  )

  it.effect("has no ledger if the store can't be read", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.TranslationStore
      const report = yield* Effect.provideService(stale, TranslationStore.TranslationStore, {
        ...store,
        attemptSums: () => Effect.fail(new StoreError.StoreFull({ store: "a file" }))
      })
      expect(report.inDoubt).toBeUndefined()
    }).pipe(withService())
  )
})
