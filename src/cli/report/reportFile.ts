/**
 * The report for people: one page that holds every text. Its draft is written while the job runs, so that no text is kept in memory, and
 * gets its name when the job has ended.
 */
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import type * as ConcurrencyLimit from "../../client/ConcurrencyLimit.js"
import * as files from "../../internal/files.js"
import * as monotonic from "../../internal/monotonic.js"
import { codeOf, find, reasonOf } from "../../internal/systemCauses.js"
import { version } from "../../internal/version.js"
import * as JobReport from "../../job/JobReport.js"
import type * as JobSource from "../../job/JobSource.js"
import {
  type Finding,
  type Glossary,
  type Data as Page,
  type Sample,
  states,
  type Unit
} from "../../pages/report/reportData.js"
import type * as Progress from "../../stream/Progress.js"
import type * as Check from "../../text/Check.js"
import { all as placeholders } from "../../text/PlaceholderPatterns.js"
import { type Usage, usage } from "../failure.js"
import { shown } from "../lastWord.js"
import * as sampleList from "./progressSamples.js"
import * as html from "./reportHtml.js"

/** The job has ended, but its report is not written. */
export class ReportUnwritable extends Data.TaggedError("ReportUnwritable")<{ readonly message: string }> {}

export interface Report {
  /** Takes texts: the callback of a job. A report that can't be written does not end the job: `write` tells. */
  readonly onUnits: (units: ReadonlyArray<JobSource.UnitOutcome>) => Effect.Effect<void>
  /** Takes samples for the timeline while an effect runs. */
  readonly sampling: (
    progress: Progress.Progress,
    limit: ConcurrencyLimit.Service
  ) => <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Ends the page, and gives it its name. The terms of the glossaries are marked in the texts. */
  readonly write: (
    report: JobReport.JobReport,
    glossaries?: ReadonlyArray<Glossary>
  ) => Effect.Effect<void, ReportUnwritable>
}

/** The most units that a browser lists quickly: those beyond are counted. The same number of failed ones is added. */
const mostUnits = 100_000

/** The number of units that are written at once. */
const blockUnits = 500

const encodeReport = Schema.encodeSync(JobReport.JobReport)

/** The places of values in the order in which they have come. */
const places = <A>(keyOf: (value: A) => string) => {
  const found = new Map<string, number>()
  const all: Array<A> = []
  return {
    all,
    of: (value: A): number => {
      const key = keyOf(value)
      const known = found.get(key)
      if (known !== undefined) return known
      found.set(key, all.length)
      return all.push(value) - 1
    }
  }
}

const placesIn = (ranges: Check.Finding["source"]) => ranges.map(({ end, start }) => [start, end] as const)

const findingOf = ({ explanation, source, translation }: Check.Finding): Finding => [
  explanation,
  placesIn(source),
  placesIn(translation)
]

/** Units as the page holds them. */
const makeUnits = () => {
  const sources = places<string>((name) => name)
  const targetLangs = places<string>((code) => code)
  const reasons = places<Page["reasons"][number]>(({ message, tag }) => `${tag}\n${message}`)
  const room = { failed: mostUnits, others: mostUnits }
  let omitted = 0
  return {
    encode: (unit: JobSource.UnitOutcome): ReadonlyArray<string> => {
      const kind = unit.state === "failed" ? "failed" : "others"
      if (room[kind]-- <= 0) {
        omitted++
        return []
      }
      const { error, findings } = unit
      const told = [
        states.indexOf(findings === undefined ? unit.state : "flagged"),
        sources.of(unit.source),
        targetLangs.of(unit.targetLang),
        shown(unit.key),
        unit.line ?? null,
        unit.text ?? null,
        unit.translation ?? null,
        error === undefined ? null : reasons.of({ tag: error._tag, message: error.message })
      ] as const
      const encoded: Unit = findings === undefined ? told : [...told, findings.map(findingOf)]
      return [html.json(encoded)]
    },
    lists: () => ({ sources: sources.all, targetLangs: targetLangs.all, reasons: reasons.all, omitted })
  }
}

/** The draft beside it is made first. */
const why = (error: PlatformError.PlatformError): string =>
  files.isMissing(error)
    ? "its folder does not exist"
    : find(codeOf(error)) === undefined && error._tag === "SystemError"
      ? (error.description ?? error.message)
      : reasonOf(error)

const unusable = (path: string) => (error: PlatformError.PlatformError) =>
  usage(`The report can't be written to ${path}: ${why(error)}. Name another file with --report.`)

/** Another file is not replaced by a report: it may be one of the sources. */
const refuseOther = (fs: FileSystem.FileSystem, path: string) =>
  Effect.gen(function* () {
    if (!(yield* fs.exists(path))) return
    const expected = new TextEncoder().encode(html.beginning)
    const found = new Uint8Array(expected.length)
    const read = yield* Effect.scoped(Effect.flatMap(fs.open(path), (file) => file.read(found)))
    if (Number(read) > 0 && !Buffer.from(found).equals(expected)) {
      return yield* usage(
        `${path} is there, and is no report: it is not overwritten. Name another file with --report.`
      )
    }
  })

/** Samples of a job while it runs, and one of its end. */
const makeSampling = () => {
  const seen = sampleList.make()
  let sample: Effect.Effect<Sample> | undefined
  const sampling: Report["sampling"] = (progress, limit) => (self) =>
    Effect.flatMap(monotonic.millis, (startedAt) => {
      const now = Effect.gen(function* () {
        const [{ done }, { inUse, limit: most, refused }] = yield* Effect.all([progress.state, limit.state])
        const at = ((yield* monotonic.millis) - startedAt) / 1000
        return { at, done, refused, limit: Number.isFinite(most) ? most : null, inUse }
      })
      sample = now
      return Effect.acquireUseRelease(
        Effect.fork(
          Effect.interruptible(Effect.repeat(Effect.map(now, seen.add), Schedule.spaced("1 second")))
        ),
        () => self,
        Fiber.interrupt
      )
    })
  return {
    sampling,
    samples: Effect.suspend(() =>
      sample === undefined ? Effect.succeed([]) : Effect.map(sample, seen.endingWith)
    )
  }
}

/**
 * Begins the page beside its name. It fails if the folder can't be written, or if the disk is full already. Without `write` nothing is
 * left of it after its scope.
 */
export const make = (
  path: string
): Effect.Effect<Report, Usage, Scope.Scope | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    yield* refuseOther(fs, path)
    const draft = yield* files.draftFor(path)
    yield* Effect.addFinalizer(() => Effect.provideService(files.discard(draft), FileSystem.FileSystem, fs))
    const opened = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    const file = yield* Scope.extend(fs.open(draft, { flag: "wx" }), opened)
    const encoder = new TextEncoder()
    const print = (text: string) => Effect.uninterruptible(file.writeAll(encoder.encode(text)))
    yield* Effect.zipRight(print(html.head), file.sync)

    const { sampling, samples } = makeSampling()
    const units = makeUnits()
    const oneAtATime = yield* Effect.makeSemaphore(1)
    let waiting: Array<string> = []
    let problem: PlatformError.PlatformError | undefined
    const flush = Effect.suspend(() => {
      const block = html.units(waiting)
      waiting = []
      return print(block)
    })

    const made: Report = {
      onUnits: (outcomes) =>
        Effect.suspend(() => {
          if (problem !== undefined) return Effect.void
          for (const outcome of outcomes) waiting.push(...units.encode(outcome))
          return waiting.length < blockUnits ? Effect.void : flush
        }).pipe(
          Effect.catchAll((error) =>
            Effect.sync(() => {
              problem = error
            })
          ),
          oneAtATime.withPermits(1)
        ),
      sampling,
      write: (report, glossaries = []) =>
        Effect.gen(function* () {
          if (problem !== undefined) return yield* problem
          const data: Page = {
            version,
            report: encodeReport(report),
            ...units.lists(),
            samples: yield* samples,
            glossaries,
            placeholder: placeholders.source
          }
          yield* flush
          yield* print(html.tail(data))
          yield* file.sync
          yield* Scope.close(opened, Exit.void)
          yield* fs.rename(draft, path)
        }).pipe(
          Effect.mapError(
            (error) => new ReportUnwritable({ message: `The report ${path} is not written: ${why(error)}.` })
          )
        )
    }
    return made
  }).pipe(Effect.catchTags({ SystemError: unusable(path), BadArgument: unusable(path) }))
