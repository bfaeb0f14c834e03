/** Random jobs with faults, which are interrupted and run again: what they account for, and what they pay. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TranslationStore } from "effect-translate"
import { Emulator, Fault } from "effect-translate/emulator"
import { type JobReport, TranslationJob } from "effect-translate/jobs"
import * as fc from "fast-check"
import { runs } from "../support/long.js"
import * as virtualClock from "../support/virtualClock.js"
import { billed, rowsOf, script, table, withService } from "./jobs.js"

const titles = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 60 }).map((number) => `t${number}`) },
    { weight: 1, arbitrary: fc.constantFrom(" ", null, "psn", " t1 ") }
  ),
  { minLength: 1, maxLength: 150 }
)

const fault = fc.record({
  kind: fc.constantFrom(
    Fault.cutConnection({ when: "after" }),
    Fault.status(500),
    Fault.status(429),
    Fault.garbage
  ),
  after: fc.integer({ min: 0, max: 5 })
})

const settings = fc.record({
  titles: fc.array(titles, { minLength: 1, maxLength: 3 }),
  targets: fc.constantFrom(["de"], ["de", "fr"], ["fr", "da", "de"]),
  faults: fc.array(fault, { maxLength: 4 }),
  maxTexts: fc.constantFrom(1, 7, 50),
  group: fc.integer({ min: 1, max: 40 }),
  sourceConcurrency: fc.constantFrom(1, 3),
  stops: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 3 }),
  seed: fc.nat()
})

const checkEquation = ({ outputs, targets }: JobReport.JobReport) => {
  for (const part of [...targets, ...outputs.map(({ tally }) => tally)]) {
    expect(part.in).toBe(part.translated + part.cached + part.skipped + part.failed)
  }
}

const charactersOf = (titles: Iterable<string>) =>
  Array.from(titles).reduce((sum, title) => sum + title.length, 0)

describe("Random jobs", () => {
  it.effect(
    "account for every text, write the output of an undisturbed job, and pay twice at most for texts that the ledger names",
    () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            settings,
            ({ faults, group, maxTexts, seed, sourceConcurrency, stops, targets, titles }) =>
              Effect.gen(function* () {
                yield* script(
                  Fault.poison("psn"),
                  ...faults.map(({ after, kind }) =>
                    kind.pipe(Fault.on("POST", "/v2/translate"), Fault.after(after))
                  )
                )
                const tables = titles.map((titles, index) =>
                  table(rowsOf(...titles), { name: `t${index}`, group })
                )
                const reports: Array<JobReport.JobReport> = []
                const job = TranslationJob.run({
                  sourceConcurrency,
                  options: { maxTexts },
                  sources: tables.map(({ source }) => source),
                  targets,
                  onEnd: (report) => Effect.sync(() => reports.push(report))
                })
                for (const stop of stops) yield* Effect.timeoutOption(job, stop)
                yield* job
                yield* Effect.flatMap(Emulator.Emulator, ({ clear }) => clear)
                const last = yield* job
                for (const report of reports) checkEquation(report)
                expect(last.end.state).toBe("complete")

                const texts = new Set(titles.flat().flatMap((title) => title?.trim() || []))
                const undisturbed = targets.length * charactersOf(texts)
                const excess = (yield* billed) - undisturbed
                const { attempts } = yield* Effect.flatMap(
                  TranslationStore.TranslationStore,
                  ({ stats }) => stats
                )
                expect(excess).toBeGreaterThanOrEqual(0)
                expect(excess).toBeLessThanOrEqual(attempts.unknown.characters + attempts.expired.characters)

                for (const targetLang of targets) {
                  for (const [index, { column }] of tables.entries()) {
                    const written = column(targetLang)
                    expect(written.size).toBe(titles[index]!.length)
                    for (const [position, title] of titles[index]!.entries()) {
                      const text = title?.trim()
                      if (!text) expect(written.get(position + 1)).toBe(title)
                      else expect(written.get(position + 1)).toContain(`[${targetLang}]`)
                    }
                  }
                }
              }).pipe(
                withService({ latency: "3 millis" }),
                (job) => virtualClock.run(job, { seed }),
                Effect.runPromise
              )
          ),
          { numRuns: runs(60, 4) }
        )
      )
  )
})
