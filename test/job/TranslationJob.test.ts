/** Jobs over tables: checks, what is paid for, what ends what, and the report of each end. */
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { Budget, type FailedUnits, LanguageSupport, Progress, TranslationStore } from "effect-translate"
import type { Check } from "effect-translate/checks"
import { Emulator, Fault } from "effect-translate/emulator"
import { JobError, JobReport, JobSource, TranslationJob } from "effect-translate/jobs"
import { StoreError } from "effect-translate/store"
import { openStore } from "../support/openStore.js"
import { billed, many, rowsOf, SinkError, script, table, withService } from "./jobs.js"

const targets = ["de", "fr"] as const

describe("TranslationJob.run", () => {
  it.effect("translates each source into all languages, and reports texts, characters and requests", () =>
    Effect.gen(function* () {
      const first = table(rowsOf("grr", " ", null, "hmm"), { name: "first" })
      const second = table(rowsOf("psst"), { name: "second" })
      const report = yield* TranslationJob.run({ sources: [first.source, second.source], targets })
      expect(first.translations("de")).toEqual(["[de] grr", " ", null, "[de] hmm"])
      expect(second.translations("fr")).toEqual(["[fr] psst"])
      expect(first.state.reads).toBe(1)
      expect(report.end).toEqual({
        state: "complete",
        next: "All texts are translated, and the same again bills nothing. 20 characters were billed."
      })
      expect(report.targets[0]).toMatchObject({
        targetLang: "de",
        in: 5,
        translated: 3,
        cached: 0,
        skipped: 2,
        failed: 0,
        characters: { least: 10, most: 10 },
        requests: 2,
        retries: 0,
        refusals: {}
      })
      expect(report.outputs.map(({ source, state, targetLang }) => [source, targetLang, state])).toEqual([
        ["first", "de", "written"],
        ["first", "fr", "written"],
        ["second", "de", "written"],
        ["second", "fr", "written"]
      ])
      expect(report.outputs[0]!.tally).toMatchObject({ in: 4, translated: 2, skipped: 2, characters: 6 })
      expect(yield* billed).toBe(20)
    }).pipe(withService())
  )

  it.effect("bills nothing when the same is run again", () =>
    Effect.gen(function* () {
      const rows = many(120)
      yield* TranslationJob.run({ sources: [table(rows).source], targets })
      const before = yield* billed
      const again = table(rows)
      const report = yield* TranslationJob.run({ sources: [again.source], targets })
      expect(yield* billed).toBe(before)
      expect(again.translations("de")).toHaveLength(120)
      expect(report.targets[0]).toMatchObject({ in: 120, cached: 120, requests: 0 })
      expect(report.end.state).toBe("complete")
    }).pipe(withService())
  )

  it.effect("pays for new and changed rows only", () =>
    Effect.gen(function* () {
      yield* TranslationJob.run({ sources: [table(many(60)).source], targets: ["de"] })
      const before = yield* billed
      const edited = many(61).map((row) => (row.id === 7 ? { ...row, title: "nws" } : row))
      yield* TranslationJob.run({ sources: [table(edited).source], targets: ["de"] })
      expect((yield* billed) - before).toBe("nws".length + "t60".length)
    }).pipe(withService())
  )

  it.effect("goes on after the rows that its sink has committed", () =>
    Effect.gen(function* () {
      const kept = table(rowsOf("b1", "b2", "b3", "b4", "b5"), {
        onCommit: (_, rows) =>
          rows.some(({ id }) => id === 3) && kept.state.reads === 1
            ? Effect.fail(new SinkError("full"))
            : Effect.void
      })
      const first = yield* TranslationJob.run({ sources: [kept.source], targets: ["de"] })
      expect(kept.translations("de")).toEqual(["[de] b1", "[de] b2"])
      expect(first.end.state).toBe("incomplete")
      expect(first.outputs[0]).toMatchObject({
        state: "failed",
        error: { tag: "SinkError", message: "full" }
      })
      const before = yield* billed
      yield* TranslationJob.run({ sources: [kept.source], targets: ["de"] })
      expect(kept.translations("de")).toEqual(["b1", "b2", "b3", "b4", "b5"].map((text) => `[de] ${text}`))
      expect(kept.state.rowsRead).toBe(5 + 3)
      expect(yield* billed).toBe(before)
    }).pipe(withService())
  )

  it.effect("an error of a sink ends its language only", () =>
    Effect.gen(function* () {
      const source = table(rowsOf("b1", "b2", "b3"), {
        group: 1,
        onCommit: (targetLang) => (targetLang === "fr" ? Effect.fail(new SinkError("full")) : Effect.void)
      })
      const report = yield* TranslationJob.run({ sources: [source.source], targets })
      expect(source.translations("de")).toHaveLength(3)
      expect(report.outputs.map(({ state }) => state)).toEqual(["written", "failed"])
    }).pipe(withService())
  )

  it.effect("an error of a source leaves the other sources going", () =>
    Effect.gen(function* () {
      const good = table(rowsOf("b1"), { name: "good" })
      const bad = { ...table(rowsOf("b2")).source, translate: () => Effect.fail(new SinkError("gone")) }
      const report = yield* TranslationJob.run({ sources: [bad, good.source], targets: ["de"] })
      expect(good.translations("de")).toEqual(["[de] b1"])
      expect(report.outputs.map(({ state }) => state)).toEqual(["failed", "written"])
      expect(report.end.state).toBe("incomplete")
    }).pipe(withService())
  )

  it.effect("hands over failed units one by one, and leaves the others as they are", () =>
    Effect.gen(function* () {
      yield* script(Fault.poison("psn"))
      const units: Array<FailedUnits.FailedUnit> = []
      const source = table(rowsOf("b1", "psn", "b3"))
      const report = yield* TranslationJob.run({
        sources: [source.source],
        targets: ["DE"],
        options: { sourceLang: "en" },
        onFailed: (unit) => Effect.sync(() => units.push(unit))
      })
      expect(units).toMatchObject([
        { source: "table", key: "2", targetLang: "de", sourceLang: "en", text: "psn", reason: "BadRequest" }
      ])
      expect(source.translations("de")).toEqual(["[de] b1", "[de] b3"])
      expect(report.end.state).toBe("incomplete")
      expect(report.end.next).toMatch(/^1 text has failed\. See why/)
      expect(report.targets[0]).toMatchObject({ in: 3, translated: 2, failed: 1 })
      expect(report.targets[0]!.refusals.BadRequest).toBeGreaterThan(0)
    }).pipe(withService())
  )

  it.effect("ends when its budget is used up, says how to go on, and goes on", () =>
    Effect.gen(function* () {
      const reports: Array<JobReport.JobReport> = []
      const first = table(many(50, "bb"), { name: "first" })
      const second = table(many(60, "cc"), { name: "second" })
      const job = {
        sources: [first.source, second.source],
        targets: ["de"],
        onEnd: (report: JobReport.JobReport) => Effect.sync(() => reports.push(report))
      }
      const { texts } = yield* TranslationJob.forecast(job)
      const progress = yield* Progress.make({ total: texts })
      const error = yield* Effect.flip(TranslationJob.run({ ...job, options: { budget: 200 }, progress }))
      expect(error._tag).toBe("BudgetExceeded")
      expect(first.translations("de")).toHaveLength(50)
      expect(reports[0]!.end).toMatchObject({ state: "failed", error: { tag: "BudgetExceeded" } })
      expect(reports[0]!.end.next).toBe(
        "Run the same again once the cause is mended: 57 texts are left, and stored translations are not paid for again. 199 characters were billed."
      )
      expect(reports[0]!.outputs.map(({ state }) => state)).toEqual(["written", "failed"])
      yield* TranslationJob.run(job)
      expect(second.translations("de")).toHaveLength(60)
      expect(reports[1]!.end.state).toBe("complete")
    }).pipe(withService())
  )

  it.effect("ends at a refused key before the next source is read", () =>
    Effect.gen(function* () {
      yield* script(Fault.status(403).pipe(Fault.on("POST", "/v2/translate"), Fault.times(99)))
      const next = table(rowsOf("b2"), { name: "next" })
      const exit = yield* Effect.either(
        TranslationJob.run({ sources: [table(rowsOf("b1")).source, next.source], targets })
      )
      expect(Either.getOrThrow(Either.flip(exit))._tag).toBe("Unauthorized")
      expect(next.state.reads).toBe(0)
    }).pipe(withService())
  )

  it.effect("ends when a larger share of texts has failed than it allows", () =>
    Effect.gen(function* () {
      yield* script(Fault.poison("psn"))
      const rows = [...many(80), ...many(200, "psn").map((row) => ({ ...row, id: row.id + 80 }))]
      const source = table(rows)
      const error = yield* Effect.flip(
        TranslationJob.run({
          sources: [source.source],
          targets: ["de"],
          maxFailedShare: 0.2,
          options: { concurrency: 1, maxTexts: 10 }
        })
      )
      expect(error).toBeInstanceOf(JobError.TooManyFailed)
      expect(error).toMatchObject({ maxFailedShare: 0.2 })
      expect(source.state.rowsRead).toBeLessThan(280)
    }).pipe(withService())
  )

  it.effect("judges the share of a small job at its end", () =>
    Effect.gen(function* () {
      yield* script(Fault.poison("psn"))
      const rows = rowsOf("psn", "b2", "b3")
      const run = (maxFailedShare: number) =>
        TranslationJob.run({ sources: [table(rows).source], targets: ["de"], maxFailedShare })
      expect(yield* Effect.flip(run(0.3))).toBeInstanceOf(JobError.TooManyFailed)
      expect((yield* run(0.4)).end.state).toBe("incomplete")
    }).pipe(withService())
  )

  it.effect("an error of a callback ends the job with it", () =>
    Effect.gen(function* () {
      yield* script(Fault.poison("psn"))
      const next = table(rowsOf("b1"), { name: "next" })
      const error = yield* Effect.flip(
        TranslationJob.run({
          sources: [table(rowsOf("psn")).source, next.source],
          targets: ["de"],
          onFailed: () => Effect.fail("no space" as const)
        })
      )
      expect(error).toBe("no space")
      expect(next.state.reads).toBe(0)
    }).pipe(withService())
  )

  it.effect("translates the texts of a pilot, and pays for the rest later", () =>
    Effect.gen(function* () {
      const pilot = table(many(30))
      const report = yield* TranslationJob.run({ sources: [pilot.source], targets, limit: 7 })
      expect(pilot.translations("fr")).toHaveLength(7)
      expect(report.outputs.map(({ state }) => state)).toEqual(["partial", "partial"])
      expect(report.end.next).toMatch(
        /^This was a pilot: 2 outputs are not whole\. Run the job without its limit/
      )
      const before = yield* billed
      yield* TranslationJob.run({ sources: [table(many(30)).source], targets })
      expect(yield* billed).toBe(before + 2 * (2 * 3 + 3 * 20))
    }).pipe(withService())
  )

  it.effect("does not count blank and empty fields among the texts of a pilot", () =>
    Effect.gen(function* () {
      const pilot = table(rowsOf(" ", null, "grr", "", "hmm", "psst"))
      yield* TranslationJob.run({ sources: [pilot.source], targets: ["de"], limit: 2 })
      expect(pilot.translations("de")).toEqual([" ", null, "[de] grr", "", "[de] hmm"])
    }).pipe(withService())
  )

  it.effect("sends stored texts again when it is told to refresh", () =>
    Effect.gen(function* () {
      const rows = many(10)
      const job = () => ({ sources: [table(rows).source], targets: ["de"] })
      yield* TranslationJob.run(job())
      const once = yield* billed
      yield* TestClock.adjust("5 millis")
      const before = yield* DateTime.now
      yield* TranslationJob.run({ ...job(), refresh: true })
      expect(yield* billed).toBe(2 * once)
      yield* TranslationJob.run({ ...job(), refresh: before })
      expect(yield* billed).toBe(2 * once)
    }).pipe(withService())
  )

  it.effect("reports when it is interrupted, and pays again for texts in flight only", () =>
    Effect.gen(function* () {
      const reports: Array<JobReport.JobReport> = []
      const reached = yield* Deferred.make<void>()
      const rows = many(200)
      const source = table(rows, {
        group: 50,
        onCommit: (_, [first]) =>
          first!.id > 100 && source.state.reads === 1
            ? Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never)
            : Effect.void
      })
      const job = (source: ReturnType<typeof table>) => ({
        sources: [source.source],
        targets: ["de"],
        onEnd: (report: JobReport.JobReport) => Effect.sync(() => reports.push(report))
      })
      const fiber = yield* Effect.fork(TranslationJob.run(job(source)))
      yield* Deferred.await(reached)
      expect(Exit.isInterrupted(yield* Fiber.interrupt(fiber))).toBe(true)
      expect(source.translations("de")).toHaveLength(100)
      expect(reports[0]!.end.state).toBe("interrupted")
      expect(reports[0]!.end.next).toMatch(
        /^Run the same again: the rest is translated, and stored translations are not paid for again\. \d+ characters/
      )
      expect(reports[0]!.outputs[0]!.state).toBe("unfinished")
      yield* TranslationJob.run(job(source))
      expect(source.translations("de")).toHaveLength(200)
      const { characters } = reports[0]!.targets[0]!
      const all = rows.reduce((sum, { title }) => sum + title!.length, 0)
      expect(yield* billed).toBeLessThanOrEqual(all + (characters.most - characters.least))
      expect(reports[1]!.end.state).toBe("complete")
    }).pipe(withService())
  )

  it.effect("names texts that may be paid twice", () =>
    Effect.gen(function* () {
      yield* script(Fault.cutConnection({ when: "after" }).pipe(Fault.on("POST", "/v2/translate")))
      const report = yield* TranslationJob.run({ sources: [table(rowsOf("b1")).source], targets: ["de"] })
      expect(report.targets[0]).toMatchObject({ characters: { least: 0, most: 2 } })
      expect(report.inDoubt!.sinceStart).toMatchObject([{ state: "unknown", requests: 1, characters: 2 }])
      expect(report.inDoubt!.everything).toMatchObject([{ state: "unknown", requests: 1, characters: 2 }])
      expect(report.end.next).toContain("up to 2 more may have been")
    }).pipe(withService())
  )

  it.effect("ends with an error of the store, and emits nothing that is not stored", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.TranslationStore
      const full = new StoreError.StoreFull({ store: "a file" })
      let reads = 0
      const broken: TranslationStore.Service = {
        ...store,
        stats: Effect.sync(() => {
          reads++
        }).pipe(Effect.zipRight(store.stats)),
        open: (namespace, options) =>
          Effect.map(openStore(store, namespace, options), (session) => ({
            pollInterval: session.pollInterval,
            lookUp: (texts) => session.lookUp(texts),
            claim: (texts) => session.claim(texts),
            record: () => Effect.fail(full)
          }))
      }
      const source = table(rowsOf("b1", "b2"), { group: 1 })
      const next = table(rowsOf("b3"), { name: "next" })
      const reports: Array<JobReport.JobReport> = []
      const error = yield* TranslationJob.run({
        sources: [source.source, next.source],
        targets,
        onEnd: (report) => Effect.sync(() => reports.push(report))
      }).pipe(Effect.provideService(TranslationStore.TranslationStore, broken), Effect.flip)
      expect(error).toBe(full)
      expect(source.translations("de")).toEqual([])
      expect(next.state.reads).toBe(0)
      expect(reports[0]!.end).toMatchObject({ state: "failed", error: { tag: "StoreFull" } })
      expect(reads).toBe(0)
    }).pipe(withService())
  )

  it.effect("translates several sources at once if told", () =>
    Effect.gen(function* () {
      const met = yield* Effect.makeLatch()
      const first = table(rowsOf("b1"), { name: "first", onCommit: () => met.await })
      const second = table(rowsOf("b2"), { name: "second", onCommit: () => met.open })
      const report = yield* TranslationJob.run({
        sources: [first.source, second.source],
        targets,
        sourceConcurrency: 2
      })
      expect(report.end.state).toBe("complete")
    }).pipe(withService())
  )

  it.effect("knows the price, and one progress of all its streams", () =>
    Effect.gen(function* () {
      const job = { sources: [table(rowsOf("b1", "b2")).source], targets, pricePerMillion: 20 }
      const progress = yield* TranslationJob.makeProgress(job)
      const report = yield* TranslationJob.run({ ...job, progress })
      expect(report.targets[0]!.cost).toEqual({ least: 0.00008, most: 0.00008 })
      expect(yield* progress.state).toMatchObject({
        done: 4,
        total: 4,
        characters: 8,
        targets: targets.map((targetLang) => ({ targetLang, done: 2, total: 2, characters: 4 }))
      })
    }).pipe(withService())
  )
})

describe("A job is checked before it reads anything", () => {
  const refused = (job: object) =>
    Effect.gen(function* () {
      const source = table(rowsOf("b1"))
      const error = yield* Effect.flip(
        TranslationJob.run({ sources: [source.source], targets: ["de"], ...job })
      )
      expect(source.state.reads).toBe(0)
      expect(yield* billed).toBe(0)
      return error
    })

  it.effect("names of sources and languages, and numbers", () =>
    Effect.gen(function* () {
      const { source } = table([])
      const error = yield* refused({
        sources: [source, source],
        targets: ["de", "DE"],
        limit: 0,
        maxFailedShare: 2,
        pricePerMillion: -1,
        glossary: { name: "g", dictionaries: [] },
        options: { glossaryId: "id" }
      })
      expect(error).toBeInstanceOf(JobError.InvalidJob)
      expect((error as JobError.InvalidJob).violations.map(({ field }) => field)).toEqual([
        "sources[1]",
        "targets[1]",
        "pricePerMillion",
        "limit",
        "maxFailedShare",
        "glossary"
      ])
      for (const pricePerMillion of [Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(yield* refused({ pricePerMillion })).toMatchObject({
          violations: [{ field: "pricePerMillion" }]
        })
      }
      expect(yield* refused({ sources: [], targets: [] })).toMatchObject({
        violations: [{ field: "sources" }, { field: "targets" }]
      })
    }).pipe(withService())
  )

  it.effect("policies of checks that there are not, and names with control characters", () =>
    Effect.gen(function* () {
      const { source } = table([])
      const own: Check.Check = { name: "own", find: () => [] }
      const error = yield* refused({
        sources: [{ ...source, name: "a\u0000.json" }],
        verify: { checks: [own], policies: { own: "fail", empty: "off", nosuch: "fail" } }
      })
      expect((error as JobError.InvalidJob).violations.map(({ field }) => field)).toEqual([
        "sources[0]",
        "verify.policies.nosuch"
      ])
    }).pipe(withService())
  )

  it.effect("a target that is no language code, by its name", () =>
    Effect.gen(function* () {
      const error = yield* refused({ targets: ["de", "deutsch"] })
      expect(error).toMatchObject({ _tag: "InvalidJob", violations: [{ field: "targets[1]" }] })
      expect(String(error)).toContain('"deutsch"')
    }).pipe(withService())
  )

  it.effect("data of a target that is no name in paths, or no option", () =>
    Effect.gen(function* () {
      const targets = [{ lang: "de", name: "../de", options: { styleId: "" } }]
      expect(yield* refused({ targets })).toMatchObject({
        violations: [{ field: "targets[0].name" }, { field: "targets[0].options.styleId" }]
      })
    }).pipe(withService())
  )

  it.effect("a target that the service does not have, with the code to write, before a forecast too", () =>
    Effect.gen(function* () {
      const job = { sources: [table(rowsOf("a")).source], targets: ["de", "zh-TW"] }
      const rule = 'is "zh-TW", which is no target language: write "zh-Hant"'
      for (const error of [yield* refused(job), yield* Effect.flip(TranslationJob.forecast(job))]) {
        expect(error).toMatchObject({ _tag: "InvalidJob", violations: [{ field: "targets[1]", rule }] })
      }
    }).pipe(withService())
  )

  it.effect("options, by the features of the service for each language", () =>
    Effect.gen(function* () {
      const error = yield* refused({ targets: ["de", "da"], options: { formality: "less" } })
      expect(error._tag).toBe("InvalidRequest")
      const report = yield* TranslationJob.run({
        sources: [table(rowsOf("b1")).source],
        targets: ["de", "da"],
        options: { formality: "less" },
        onUnsupportedFormality: "prefer"
      })
      expect(report.end.state).toBe("complete")
    }).pipe(withService())
  )

  it.effect("sources, and that no two write the same output", () =>
    Effect.gen(function* () {
      const one = table(rowsOf("b1"), { name: "one" }).source
      const two = table(rowsOf("b1"), { name: "two" }).source
      const check = () => Effect.succeed(["out"])
      expect(
        yield* refused({
          sources: [
            { ...one, check },
            { ...two, check }
          ]
        })
      ).toMatchObject({
        violations: [{ field: "sources[1]" }]
      })
      const missing = { ...one, check: () => Effect.fail(new SinkError("missing")) }
      expect(yield* refused({ sources: [missing] })).toBeInstanceOf(SinkError)
    }).pipe(withService())
  )

  it.effect("reports also then", () =>
    Effect.gen(function* () {
      const reports: Array<JobReport.JobReport> = []
      yield* refused({
        limit: 0,
        onEnd: (report: JobReport.JobReport) => Effect.sync(() => reports.push(report))
      })
      expect(reports[0]!.end.error!.tag).toBe("InvalidJob")
      expect(reports[0]!.outputs).toMatchObject([{ source: "table", targetLang: "de", state: "unfinished" }])
    }).pipe(withService())
  )

  it.effect("a glossary is made first, and used for the languages it is for", () =>
    Effect.gen(function* () {
      const source = table(rowsOf("cat"))
      const job = {
        sources: [source.source],
        targets,
        options: { sourceLang: "en" },
        glossary: {
          name: "animals",
          dictionaries: [
            { sourceLang: "en", targetLang: "de", entries: [{ source: "cat", target: "Mieze" }] }
          ]
        }
      } as const
      expect((yield* TranslationJob.forecast(job)).texts).toBe(2)
      yield* TranslationJob.run(job)
      expect(source.translations("de")[0]).toContain("Mieze")
      expect(source.translations("fr")[0]).not.toContain("Mieze")
    }).pipe(withService())
  )

  it.effect("a translation that does not use the terms of the glossary is flagged", () =>
    Effect.gen(function* () {
      const flagged: Array<FailedUnits.FailedUnit> = []
      yield* script(
        Fault.times(
          Fault.mistranslate((source) => `[de] ${source}`),
          Number.POSITIVE_INFINITY
        )
      )
      yield* TranslationJob.run({
        sources: [table(rowsOf("a cat", "a dog")).source],
        targets: ["de"],
        options: { sourceLang: "en" },
        glossary: {
          name: "animals",
          dictionaries: [
            { sourceLang: "en", targetLang: "de", entries: [{ source: "cat", target: "Mieze" }] }
          ]
        },
        onFlagged: (unit) => Effect.sync(() => flagged.push(unit))
      })
      expect(flagged).toMatchObject([{ text: "a cat", findings: [{ check: "glossary" }] }])
    }).pipe(withService())
  )

  it.effect("asks for the content of a glossary once, however many sources there are", () =>
    Effect.gen(function* () {
      const { meter } = yield* Emulator.Emulator
      const requestsOf = (count: number) =>
        Effect.gen(function* () {
          const before = yield* meter
          yield* TranslationJob.run({
            sources: Array.from(
              { length: count },
              (_, index) => table(rowsOf(`cat ${count} ${index}`), { name: `t${index}` }).source
            ),
            targets: ["de"],
            options: { sourceLang: "en" },
            glossary: {
              name: "animals",
              dictionaries: [
                { sourceLang: "en", targetLang: "de", entries: [{ source: "cat", target: "Mieze" }] }
              ]
            }
          })
          return (yield* meter).requests - before.requests
        })
      yield* requestsOf(1)
      expect((yield* requestsOf(21)) - (yield* requestsOf(2))).toBe(19)
    }).pipe(withService())
  )
})

describe("TranslationJob.forecast", () => {
  it.effect(
    "shares the listings of languages with all jobs of the client, and asks a LanguageSupport instead if there is one",
    () =>
      Effect.gen(function* () {
        const { meter } = yield* Emulator.Emulator
        const job = { sources: [table(rowsOf(null)).source], targets }
        const both = Effect.zipRight(TranslationJob.forecast(job), TranslationJob.run(job))
        const requestsOf = <E, R>(self: Effect.Effect<unknown, E, R>) =>
          Effect.gen(function* () {
            const before = yield* meter
            yield* self
            return (yield* meter).requests - before.requests
          })
        const shared = yield* requestsOf(Effect.provide(both, LanguageSupport.layer()))
        expect(shared).toBeGreaterThan(0)
        expect(yield* requestsOf(both)).toBe(shared)
        expect(yield* requestsOf(both)).toBe(0)
      }).pipe(withService())
  )

  it.effect("tells how many texts are paid, equal, and sent, and if the budget suffices", () =>
    Effect.gen(function* () {
      yield* TranslationJob.run({ sources: [table(rowsOf("b1", "b2")).source], targets: ["de"] })
      const before = yield* billed
      const source = table(rowsOf("b1", "b2", "b3", "b3", "b3", " ", "b4"))
      const job = { sources: [source.source], targets, pricePerMillion: 1_000_000, options: { budget: 9 } }
      const forecast = yield* TranslationJob.forecast(job)
      expect(forecast).toMatchObject({
        texts: 14,
        requests: 2,
        characters: 4 + 8,
        cost: 12,
        budget: { left: 9, suffices: false }
      })
      expect(forecast.targets[0]).toMatchObject({
        targetLang: "de",
        in: 7,
        paid: 2,
        cached: 4,
        translated: 2,
        skipped: 1,
        characters: 4,
        requests: 1
      })
      expect(forecast.targets[1]).toMatchObject({ paid: 0, cached: 2, translated: 4, characters: 8 })
      expect(source.state.reads).toBe(1)
      expect(yield* billed).toBe(before)
    }).pipe(withService())
  )

  it.effect("counts equal texts of all sources once, however far apart they are, as the run bills them", () =>
    Effect.gen(function* () {
      const texts = Array.from({ length: 1100 }, (_, index) => `b${index}`)
      const job = {
        sources: [
          table(rowsOf(...texts, ...texts.toReversed()), { name: "one" }).source,
          table(rowsOf(...texts, "b"), { name: "two" }).source
        ],
        targets: ["de"]
      }
      const { characters, isExact, targets: each } = yield* TranslationJob.forecast(job)
      expect(isExact).toBe(true)
      expect(each).toMatchObject([{ translated: 1101, cached: 2200, paid: 0 }])
      yield* TranslationJob.run(job)
      expect(yield* billed).toBe(characters)
    }).pipe(withService())
  )

  it.effect("of a pilot counts its texts, and the rest of a shared budget", () =>
    Effect.gen(function* () {
      const budget = yield* Budget.make(100)
      yield* budget.settle(0, 40)
      const forecast = yield* TranslationJob.forecast({
        sources: [table(many(30)).source],
        targets: ["de"],
        limit: 5,
        options: { budget }
      })
      expect(forecast).toMatchObject({ texts: 5, characters: 10, budget: { left: 60, suffices: true } })
    }).pipe(withService())
  )
})

describe("translations that look wrong", () => {
  const empty = (word: string) =>
    script(
      Fault.mistranslate((source, translation) => (source === word ? "" : translation)).pipe(
        Fault.times(Number.POSITIVE_INFINITY)
      )
    )

  const odd: Check.Check = {
    name: "odd",
    find: ({ source }) =>
      source === "hmm"
        ? [
            {
              check: "odd",
              severity: "warning",
              explanation: "It is odd.",
              source: [{ start: 0, end: 1 }],
              translation: []
            }
          ]
        : []
  }

  it.effect("fail if they are empty twice, and are not paid again until that is asked for", () =>
    Effect.gen(function* () {
      yield* empty("hmm")
      const rows = table(rowsOf("grr", "hmm"))
      const failed: Array<FailedUnits.FailedUnit> = []
      const job = {
        sources: [rows.source],
        targets: ["de"],
        onFailed: (unit: FailedUnits.FailedUnit) => Effect.sync(() => failed.push(unit))
      }
      const first = yield* TranslationJob.run(job)
      expect(first.end.state).toBe("incomplete")
      expect(first.targets[0]).toMatchObject({ translated: 1, failed: 1, characters: { least: 9, most: 9 } })
      expect(failed).toMatchObject([{ key: "2", reason: "TranslationRefused", text: "hmm" }])
      const again = yield* TranslationJob.run({ ...job, sources: [table(rowsOf("grr", "hmm")).source] })
      expect(again.targets[0]).toMatchObject({ cached: 1, failed: 1, characters: { most: 0 } })
      yield* Effect.flatMap(Emulator.Emulator, ({ clear }) => clear)
      yield* TestClock.adjust("1 millis")
      const retried = yield* TranslationJob.run({
        ...job,
        sources: [table(rowsOf("grr", "hmm")).source],
        retryFailed: true
      })
      expect(retried.targets[0]).toMatchObject({ cached: 1, translated: 1, characters: { most: 3 } })
      expect(yield* billed).toBe(12)
    }).pipe(withService())
  )

  it.effect("are told one by one if they are kept, with their translations and findings, and counted", () =>
    Effect.gen(function* () {
      const flagged: Array<FailedUnits.FailedUnit> = []
      const units: Array<JobSource.UnitOutcome> = []
      const report = yield* TranslationJob.run({
        sources: [table(rowsOf("grr", "hmm")).source],
        targets: ["de"],
        verify: { checks: [odd] },
        onFlagged: (unit) => Effect.sync(() => flagged.push(unit)),
        onUnits: (told) => Effect.sync(() => units.push(...told))
      })
      expect(report.end.state).toBe("complete")
      expect(report.targets[0]).toMatchObject({ translated: 2, failed: 0, flagged: 1 })
      expect(report.outputs[0]!.tally).toMatchObject({ flagged: 1 })
      expect(yield* JobReport.decode(JobReport.encode(report))).toEqual(report)
      const findings = odd.find({ source: "hmm", translation: "", sourceLang: undefined, targetLang: "de" })
      expect(flagged).toMatchObject([
        { key: "2", reason: "Flagged", message: "It is odd.", text: "hmm", translation: "[de] hmm", findings }
      ])
      expect(units.map((unit) => unit.findings)).toEqual([undefined, findings])
    }).pipe(withService())
  )

  it.effect("of failed units are asked for again without further ado", () =>
    Effect.gen(function* () {
      yield* empty("hmm")
      const failed: Array<FailedUnits.FailedUnit> = []
      const job = {
        targets: ["de"],
        onFailed: (unit: FailedUnits.FailedUnit) => Effect.sync(() => failed.push(unit))
      }
      yield* TranslationJob.run({ ...job, sources: [table(rowsOf("grr", "hmm")).source] })
      yield* Effect.flatMap(Emulator.Emulator, ({ clear }) => clear)
      yield* TestClock.adjust("1 millis")
      const units = Stream.fromIterable([...failed])
      const report = yield* TranslationJob.run({ ...job, sources: [JobSource.failedUnits({ units })] })
      expect(report.targets[0]).toMatchObject({ translated: 1, characters: { most: 3 } })
      const last = yield* TranslationJob.run({ ...job, sources: [table(rowsOf("grr", "hmm")).source] })
      expect(last.targets[0]).toMatchObject({ cached: 2, characters: { most: 0 } })
    }).pipe(withService())
  )
})
