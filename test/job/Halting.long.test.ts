/** Jobs that are told to stop: what was sent is kept, nothing is in doubt, and the same job again does the rest. */

import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { Csv, type FailedUnits, TranslationStore, Translator } from "effect-translate"
import { Emulator, Fault } from "effect-translate/emulator"
import { type Format, Po, Properties } from "effect-translate/formats"
import { type JobReport, JobSource, TranslationJob } from "effect-translate/jobs"
import * as fc from "fast-check"
import { runs, runsTimeout } from "../support/long.js"
import { filesIn, folderWith, sourceIn, textIn } from "./fileSources.js"
import { billed, many, rowsOf, script, table, withService } from "./jobs.js"

const targets = ["de", "fr"]
const texts = 300
const numbers = Array.from({ length: texts }, (_, index) => index)

/** Requests of few texts, a few at a time: halting finds some that are sent and many that are not. */
const pace = { maxTexts: 2, concurrency: 2 } as const

type Job = Omit<TranslationJob.TranslationJob<JobSource.JobSource>, "sources" | "onUnits" | "onEnd">

/** Runs a job that is halted once so many requests were answered. */
const halted = <E, R>(
  sources: ReadonlyArray<JobSource.JobSource<E, R>>,
  after: number,
  options: Partial<Job> = {}
) =>
  Effect.gen(function* () {
    const stop = yield* Deferred.make<void>()
    let requests = 0
    const count = Effect.suspend(() => (++requests > after ? Deferred.succeed(stop, undefined) : Effect.void))
    const units: Array<JobSource.UnitOutcome> = []
    const reports: Array<JobReport.JobReport> = []
    const result = yield* TranslationJob.run({
      targets,
      options: pace,
      haltWhen: Deferred.await(stop),
      ...options,
      sources,
      onUnits: (found) => Effect.sync(() => units.push(...found)),
      onEnd: (report) => Effect.sync(() => reports.push(report))
    }).pipe(
      Effect.updateService(Translator.Translator, ({ translate, ...translator }) => ({
        ...translator,
        translate: (texts, options) => Effect.tap(translate(texts, options), count)
      })),
      Effect.either
    )
    return { result, units, report: reports[0]! }
  })

const sum = (report: JobReport.JobReport, of: (target: JobReport.Target) => number) =>
  report.targets.reduce((total, target) => total + of(target), 0)

/** What holds of a job that was halted: nothing is in doubt, and all that was billed is stored and was told. */
const checkHalted = ({
  report,
  result,
  units
}: {
  readonly report: JobReport.JobReport
  readonly result: Either.Either<unknown, unknown>
  readonly units: ReadonlyArray<JobSource.UnitOutcome>
}) =>
  Effect.gen(function* () {
    expect(Either.isLeft(result) ? result.left : result.right).toMatchObject({ _tag: "JobHalted" })
    expect(report.end.state).toBe("interrupted")
    expect(report.end.error).toBeUndefined()
    expect(report.end.next).toMatch(/^Run the same again: .* billed\.$/)
    const { attempts, translations } = yield* Effect.flatMap(
      TranslationStore.TranslationStore,
      ({ stats }) => stats
    )
    expect([attempts.unknown.attempts, attempts.expired.attempts]).toEqual([0, 0])
    expect(sum(report, ({ characters }) => characters.most)).toBe(yield* billed)
    expect(sum(report, ({ characters }) => characters.least)).toBe(yield* billed)
    expect(sum(report, ({ translated }) => translated)).toBe(translations)
    expect(units).toHaveLength(sum(report, (target) => target.in))
    expect(units.filter(({ state }) => state === "translated")).toHaveLength(translations)
    return translations
  })

const files: Record<string, { readonly format: Format.Format; readonly text: string }> = {
  "a.csv": { format: Csv.make({ columns: ["t"] }), text: `t\n${numbers.map((n) => `t${n}`).join("\n")}\n` },
  "a.properties": {
    format: Properties.format,
    text: numbers.map((n) => `k${n} = t${n}\n`).join("")
  },
  "a.po": {
    format: Po.format,
    text: `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n${numbers
      .map((n) => `${n % 2 === 0 ? "#, c-format\n" : ""}msgid "t${n}"\nmsgstr ""\n`)
      .join("\n")}`
  }
}

const inFolder = Effect.provide(NodeContext.layer)

describe("a job that is halted", () => {
  for (const [name, { format, text }] of Object.entries(files)) {
    it.live(`keeps the texts that were sent, publishes nothing, and goes on: ${name}`, () =>
      Effect.gen(function* () {
        const folder = yield* folderWith({ [name]: text })
        const sources = [sourceIn(folder, name, { format })]
        const ended = yield* halted(sources, 20)
        const translated = yield* checkHalted(ended)
        expect(translated).toBeGreaterThan(20)
        expect(translated).toBeLessThan(texts)
        expect(filesIn(folder)).toEqual([name])
        expect(ended.report.outputs.map(({ state }) => state)).toEqual(["unfinished", "unfinished"])

        const job = { sources, targets }
        const again = yield* TranslationJob.run(job)
        expect(again.end.state).toBe("complete")
        const expected = 2 * numbers.map((n) => `t${n}`).join("").length
        expect(yield* billed).toBe(expected)
        const once = textIn(folder, `de/${name}`)
        expect(once.match(/\[de\] t\d+/g)).toHaveLength(texts)
        expect((yield* TranslationJob.run({ ...job, refresh: true })).end.state).toBe("complete")
        expect(textIn(folder, `de/${name}`)).toBe(once)
      }).pipe(Effect.scoped, inFolder, withService())
    )

    it.live(`publishes its translations so far, if partial outputs are asked for: ${name}`, () =>
      Effect.gen(function* () {
        const folder = yield* folderWith({ [name]: text })
        const sources = [sourceIn(folder, name, { format })]
        const ended = yield* halted(sources, 20, { partial: true })
        const translated = yield* checkHalted(ended)
        expect(ended.report.outputs.map(({ state }) => state)).toEqual(["partial", "partial"])
        const found = targets.map((targetLang) => textIn(folder, `${targetLang}/${name}`))
        const shown = found.flatMap((text) => text.match(/\[..\] t\d+/g) ?? [])
        expect(shown).toHaveLength(translated)
        for (const [index, text] of found.entries()) {
          const numbersIn = Array.from(text.matchAll(/(?:^|= |msgid "|,)(?:\[..\] )?t(\d+)/gm), ([, n]) => n)
          expect(numbersIn, targets[index]).toEqual(numbers.map(String))
        }
        expect((yield* TranslationJob.run({ sources, targets })).end.state).toBe("complete")
        expect(textIn(folder, `fr/${name}`).match(/\[fr\] t\d+/g)).toHaveLength(texts)
      }).pipe(Effect.scoped, inFolder, withService())
    )
  }

  it.live("keeps the rows that were sent", () =>
    Effect.gen(function* () {
      const rows = many(3 * texts)
      const source = table(rows)
      const ended = yield* halted([source.source], 20)
      const translated = yield* checkHalted(ended)
      expect(source.translations("de").length + source.translations("fr").length).toBe(translated)
      expect(source.state.rowsRead).toBeLessThan(rows.length)
      expect(ended.report.outputs.map(({ state }) => state)).toEqual(["unfinished", "unfinished"])
      yield* TranslationJob.run({ sources: [source.source], targets })
      expect(source.translations("fr")).toEqual(rows.map(({ title }) => `[fr] ${title}`))
    }).pipe(withService())
  )

  it.live("keeps the failed units that were sent", () =>
    Effect.gen(function* () {
      const source = table(many(texts), { name: "failed" }).source
      const failures: Array<FailedUnits.FailedUnit> = many(texts).map(({ id, title }) => ({
        source: "elsewhere",
        key: String(id),
        text: title ?? undefined,
        targetLang: "de",
        reason: "BadRequest",
        message: "",
        ambiguousCharacters: 0
      }))
      const units = JobSource.failedUnits({ units: Stream.fromIterable(failures), of: [source] })
      const ended = yield* halted([units], 20, { targets: ["de"] })
      yield* checkHalted(ended)
      expect(ended.units[0]).toMatchObject({ source: "elsewhere", key: "1", targetLang: "de" })
    }).pipe(withService())
  )

  it.live("ends at once if its source waits for more", () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const source = JobSource.rows({
        name: "queue",
        rows: Stream.fromIterable(rowsOf("b1", "b2")).pipe(Stream.concat(Stream.never)),
        key: ({ id }) => String(id),
        fields: ["title"],
        write: () => (outcomes) =>
          Stream.runForEach(outcomes, ({ value }) => Effect.sync(() => written.push(String(value.title))))
      })
      yield* Effect.flatMap(halted([source], 1), checkHalted)
      expect(written.toSorted()).toEqual(["[de] b1", "[de] b2", "[fr] b1", "[fr] b2"])
    }).pipe(withService())
  )

  it.live("begins no further source", () =>
    Effect.gen(function* () {
      const first = table(many(texts), { name: "first" })
      const second = table(many(4), { name: "second" })
      yield* halted([first.source, second.source], 5)
      expect(second.state.reads).toBe(0)
    }).pipe(withService())
  )

  it.live("sends nothing if that comes while it is prepared", () =>
    Effect.gen(function* () {
      yield* script(Fault.slow("1 minute").pipe(Fault.on("GET", "/v3/languages")))
      const { result, report } = yield* halted([table(many(4)).source], 0, {
        haltWhen: Effect.sleep(20)
      })
      expect(Either.isLeft(result) ? result.left : undefined).toMatchObject({ _tag: "JobHalted" })
      expect(report.end).toMatchObject({ state: "interrupted" })
      expect(report.end.next).toContain("Nothing was billed.")
    }).pipe(withService())
  )

  it.live("has come to its end if nothing was left", () =>
    Effect.gen(function* () {
      const stop = yield* Deferred.make<void>()
      const { source } = table(many(4))
      const report = yield* TranslationJob.run({
        sources: [source],
        targets,
        haltWhen: Deferred.await(stop),
        onUnits: () => Deferred.succeed(stop, undefined)
      })
      expect(report.end.state).toBe("complete")
    }).pipe(withService())
  )

  it.live(
    "is in no doubt, wherever it is halted",
    () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.record({
              after: fc.integer({ min: 0, max: texts }),
              name: fc.constantFrom(...Object.keys(files)),
              maxTexts: fc.constantFrom(1, 3, 50),
              concurrency: fc.integer({ min: 1, max: 4 }),
              partial: fc.boolean()
            }),
            ({ after, concurrency, maxTexts, name, partial }) =>
              Effect.gen(function* () {
                const { format, text } = files[name]!
                const folder = yield* folderWith({ [name]: text })
                const sources = [sourceIn(folder, name, { format })]
                const ended = yield* halted(sources, after, {
                  partial,
                  options: { concurrency, maxTexts }
                })
                if (Either.isLeft(ended.result)) yield* checkHalted(ended)
                const again = yield* TranslationJob.run({ sources, targets })
                expect(again.end.state).toBe("complete")
                expect(yield* billed).toBe(2 * numbers.map((n) => `t${n}`).join("").length)
                expect(textIn(folder, `de/${name}`).match(/\[de\] t\d+/g)).toHaveLength(texts)
                const { meter } = yield* Emulator.Emulator
                const before = yield* meter
                yield* TranslationJob.run({ sources, targets })
                expect((yield* meter).characters).toBe(before.characters)
              }).pipe(Effect.scoped, inFolder, withService(), Effect.runPromise)
          ),
          { numRuns: runs(60) }
        )
      ),
    runsTimeout
  )
})
