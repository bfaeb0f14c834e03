/** Pages of reports, made of jobs that are written here. */
import { readFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import * as report from "../../src/cli/report/reportFile.js"
import * as ConcurrencyLimit from "../../src/client/ConcurrencyLimit.js"
import type * as JobReport from "../../src/job/JobReport.js"
import type * as JobSource from "../../src/job/JobSource.js"
import type { Data, Glossary } from "../../src/pages/report/reportData.js"
import * as Progress from "../../src/stream/Progress.js"

export interface Job {
  readonly units: ReadonlyArray<JobSource.UnitOutcome>
  readonly sourceLang?: string | undefined
  readonly outputs?: ReadonlyArray<Partial<JobReport.Output>> | undefined
  readonly end?: Partial<JobReport.JobReport["end"]> | undefined
  readonly inDoubt?: JobReport.JobReport["inDoubt"] | undefined
  readonly glossaries?: ReadonlyArray<Glossary> | undefined
  /** What the limit was, and what it had refused, each second. */
  readonly course?: ReadonlyArray<{
    readonly limit: number
    readonly inUse: number
    readonly refused: number
    readonly done: number
  }>
}

const startedAt = DateTime.unsafeMake("2026-11-22T14:03:00Z")

const tally = (units: ReadonlyArray<JobSource.UnitOutcome>) => {
  const of = (state: JobSource.UnitOutcome["state"]) => units.filter((unit) => unit.state === state).length
  return {
    in: units.length,
    translated: of("translated"),
    cached: of("cached"),
    skipped: of("skipped"),
    failed: of("failed")
  }
}

const distinct = (values: ReadonlyArray<string>) => [...new Set(values)]

/** What the job of these units would have reported. */
export const jobReport = ({
  end,
  inDoubt,
  outputs = [],
  sourceLang = "en",
  units
}: Job): JobReport.JobReport => {
  const targetLangs = distinct(units.map(({ targetLang }) => targetLang))
  const sources = distinct(units.map(({ source }) => source))
  const isWhole = units.every(({ state }) => state !== "failed")
  return {
    version: 1,
    startedAt,
    endedAt: DateTime.add(startedAt, { seconds: 97 }),
    sourceLang,
    end: {
      state: isWhole ? "complete" : "incomplete",
      next: isWhole
        ? "Everything is translated."
        : "Some texts have failed: see why, mend that, and run the same again.",
      ...end
    },
    targets: targetLangs.map((targetLang) => {
      const ofTarget = units.filter((unit) => unit.targetLang === targetLang)
      const characters = ofTarget
        .filter(({ state }) => state === "translated")
        .reduce((sum, { text }) => sum + (text ?? "").length, 0)
      const requests = Math.ceil(ofTarget.length / 40)
      return {
        targetLang,
        ...tally(ofTarget),
        characters: { least: characters, most: characters + (targetLang === "ja" ? 412 : 0) },
        cost: { least: characters * 0.00002, most: (characters + (targetLang === "ja" ? 412 : 0)) * 0.00002 },
        requests,
        retries: Math.floor(requests / 9),
        refusals: targetLang === "ja" ? { TimedOut: 1 } : {},
        took: 61_000 + 9000 * targetLangs.indexOf(targetLang)
      }
    }),
    outputs: sources.flatMap((source) =>
      targetLangs.map((targetLang): JobReport.Output => {
        const ofOutput = units.filter((unit) => unit.source === source && unit.targetLang === targetLang)
        const counted = tally(ofOutput)
        return {
          source,
          targetLang,
          output: source.replace(/en(?=[./])/, targetLang),
          state: counted.failed > 0 ? "withheld" : "written",
          tally: { ...counted, characters: 0, ambiguousCharacters: 0 },
          stale: [],
          ...outputs.find((output) => output.source === source && output.targetLang === targetLang)
        }
      })
    ),
    inDoubt
  }
}

/** Writes the page of a job, as the command does. */
export const write = (path: string, job: Job): Promise<void> => {
  const seconds = job.course ?? []
  let second = 0
  const now = () => seconds[Math.min(second, seconds.length - 1)]
  return Effect.gen(function* () {
    const progress = yield* Progress.make()
    const limit = yield* ConcurrencyLimit.makeAdaptive()
    const made = yield* report.make(path)
    const run = Effect.gen(function* () {
      for (let from = 0; from < job.units.length; from += 50) {
        yield* made.onUnits(job.units.slice(from, from + 50))
      }
      for (; second < seconds.length - 1; second++) yield* TestClock.adjust("1 second")
    })
    yield* made.sampling(
      { ...progress, state: Effect.map(progress.state, (state) => ({ ...state, done: now()?.done ?? 0 })) },
      { ...limit, state: Effect.map(limit.state, (state) => ({ ...state, ...now() })) }
    )(run)
    yield* made.write(jobReport(job), job.glossaries)
  }).pipe(
    Effect.scoped,
    Effect.provide(NodeContext.layer),
    Effect.provide(TestContext.TestContext),
    Effect.runPromise
  )
}

/** What a page holds besides its units. */
export const dataOf = (path: string): Data =>
  JSON.parse(
    /<script type="application\/json" id="data">(.*)<\/script>/.exec(readFileSync(path, "utf8"))![1]!
  )
