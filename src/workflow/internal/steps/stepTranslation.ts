import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import * as CircuitBreaker from "../../../client/CircuitBreaker.js"
import * as Errors from "../../../client/Errors.js"
import { isTranslateError } from "../../../client/TranslateError.js"
import { type Reason, reasonOf } from "../../../job/JobReport.js"
import * as JobSource from "../../../job/JobSource.js"
import * as Outcome from "../../../stream/Outcome.js"
import * as Translator from "../../../stream/Translator.js"
import type { Failure, Waiting } from "../../CorpusJob.js"
import type { Step, Tallies } from "../tables/jobTables.js"
import * as haltableTranslator from "./haltableTranslator.js"
import type { Opened } from "./openJobs.js"

/** What became of a step. */
export interface Translated {
  readonly failures: ReadonlyArray<Failure>
  /** Why outputs could not be written. */
  readonly errors: ReadonlyArray<Reason>
}

/** What prevents a job from going on. */
export type Obstacle =
  /** It may not go on. */
  | { readonly _tag: "Halted" }
  /** The quota is used up, or the service or the store is down. */
  | { readonly _tag: "Waits"; readonly reason: Waiting["reason"]; readonly error: Reason }
  /** Whatever else is tried would meet that too. */
  | { readonly _tag: "Failed"; readonly error: Reason }

/** What was done, or what prevents it. */
export type Result<A> = Either.Either<A, Obstacle>

/** More texts of a source that have failed are counted, but not listed. Outputs that could not be written always are. */
const mostFailures = 1000

/** How many of its sources a step translates at once. */
const sourcesAtOnce = 4

const passing: ReadonlySet<string> = new Set([
  "Outage",
  "TransportError",
  "ProxyRefused",
  "TimedOut",
  "ServerError",
  "RateLimited"
])

/** Whether the same may succeed later: errors of a store and of a corpus say so themselves. */
const mayPass = (error: unknown): boolean =>
  isTranslateError(error)
    ? passing.has(error._tag)
    : Predicate.hasProperty(error, "isRetryable") && error.isRetryable === true

/** What an error means for the job, if it ends more than a language of a source. */
const obstacleOf = (error: unknown): Obstacle | undefined => {
  if (JobSource.isJobStopped(error)) return { _tag: "Halted" }
  const reason = reasonOf(error)
  if (reason.tag === "QuotaExceeded") return { _tag: "Waits", reason: "quota", error: reason }
  if (mayPass(error)) return { _tag: "Waits", reason: "outage", error: reason }
  return Errors.isFatal(error) ? { _tag: "Failed", error: reason } : undefined
}

/** What an error means for the job that nothing can be done without. */
export const graveObstacleOf = (error: unknown): Obstacle =>
  obstacleOf(error) ?? { _tag: "Failed", error: reasonOf(error) }

/** Jobs wait themselves while the service is down, so that a pause or a restart need not wait for requests. */
const impatient = CircuitBreaker.make({ schedule: CircuitBreaker.defaultStartSchedule })

export type Halted = Deferred.Deferred<never, JobSource.JobStopped>

type Results = Either.Either<ReadonlyArray<Either.Either<JobSource.Written, unknown>>, unknown>

/** Whether an output is not whole. */
const isCut = (results: Results) =>
  Either.isRight(results) &&
  results.right.some(
    (result) => Either.isRight(result) && ["partial", "withheld"].includes(result.right.state)
  )

/** What an attempt at a step obeys. */
export type Attempt = Omit<haltableTranslator.Options<JobSource.JobStopped>, "onHeld">

/** A step that is translated, and what became of its texts so far. */
export interface Translation<R> {
  readonly run: Effect.Effect<Result<Translated>, never, R>
  readonly tallies: () => Tallies
}

/** Translates a step into all languages of its job. */
export const make = <E, R>(
  { options, sources, translator }: Opened<E, R>,
  step: Step,
  { halted, ...requests }: Attempt
): Translation<R> => {
  /** Something was not sent, or not sent again. */
  let isHeld = false
  const held = haltableTranslator.make(translator, {
    ...requests,
    halted,
    onHeld: () => {
      isHeld = true
    }
  })
  const isWhole = step.kind !== "slice"
  const counts: Record<string, Outcome.Texts> = {}
  for (const { targetLang } of options) counts[targetLang] = Outcome.zero
  const failures: Array<Failure> = []
  const errors: Array<Reason> = []

  const translateOne = (name: string, source: JobSource.JobSource<E, R>) =>
    Effect.gen(function* () {
      const own: Array<Failure> = []
      const fail = (targetLang: string, { key, line, error }: Omit<JobSource.UnitFailure, "text">) => {
        const { message, tag } = reasonOf(error)
        own.push({ source: name, targetLang, key, line, tag, message })
      }
      const translations = options.map((options): JobSource.Translation => {
        const { targetLang } = options
        return {
          options,
          partial: false,
          halted,
          observe: (outcomes) =>
            Effect.sync(() => {
              counts[targetLang] = Outcome.sumTexts([{ texts: counts[targetLang]! }, ...outcomes])
              for (const { failures } of isWhole ? outcomes : []) {
                for (const failure of failures) if (own.length < mostFailures) fail(targetLang, failure)
              }
            })
        }
      })
      const results: Results = yield* Effect.either(source.translate(translations))
      const ended = Either.isLeft(results)
        ? options.map(({ targetLang }) => ({ targetLang, error: results.left }))
        : results.right.flatMap((result, index) =>
            Either.isLeft(result) ? [{ targetLang: options[index]!.targetLang, error: result.left }] : []
          )
      const obstacles = ended.map(({ error }) => obstacleOf(error)).filter(Predicate.isNotUndefined)
      if (isWhole && obstacles.length === 0) {
        for (const { error, targetLang } of ended) {
          fail(targetLang, { key: "", error: error as JobSource.UnitFailure["error"] })
          errors.push(reasonOf(error))
        }
      }
      failures.push(...own)
      return { isCut: isCut(results), obstacles }
    })

  const run = Effect.gen(function* () {
    const results = yield* Effect.forEach(
      step.sources,
      (name) => {
        const found = sources.get(name)
        // Its files or rows are gone since the job was planned.
        if (found === undefined) return Effect.succeed({ isCut: false, obstacles: [] })
        return translateOne(
          name,
          isWhole || found.slice === undefined ? found.source : found.slice(step.slice)
        )
      },
      { concurrency: sourcesAtOnce }
    )
    const grave = results.flatMap(({ obstacles }) => obstacles)
    // It halts the other requests of its job.
    const quota = grave.find((obstacle) => obstacle._tag === "Waits" && obstacle.reason === "quota")
    if (quota !== undefined) return Either.left(quota)
    // A text that has failed may have waited to be sent again.
    const isCutShort =
      results.some(({ isCut }) => isCut) || Object.values(counts).some(({ failed }) => failed > 0)
    if (isHeld || (isCutShort && (yield* Deferred.isDone(halted)))) {
      return Either.left({ _tag: "Halted" as const })
    }
    const worst =
      grave.find(({ _tag }) => _tag === "Failed") ?? grave.find(({ _tag }) => _tag === "Waits") ?? grave[0]
    return worst === undefined ? Either.right({ failures, errors }) : Either.left(worst)
  }).pipe(
    Effect.provideService(Translator.Translator, held),
    Effect.provideService(CircuitBreaker.CircuitBreaker, impatient)
  ) as Effect.Effect<Result<Translated>, never, R>

  return {
    run,
    tallies: () => counts
  }
}

/**
 * Runs what can be halted, in the scope of the worker. Once `closed` ends, or the caller is interrupted, it is halted: what it has sent is
 * waited for and recorded, for as long as `bound`.
 */
export const halting = <A, R>(
  run: (halted: Halted) => Effect.Effect<Result<A>, never, R>,
  {
    bound,
    closed,
    scope
  }: {
    readonly bound: Duration.Duration
    readonly closed: Effect.Effect<void>
    readonly scope: Scope.Scope
  }
): Effect.Effect<Result<A>, never, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const halted = yield* Deferred.make<never, JobSource.JobStopped>()
      const fiber = yield* Effect.forkIn(Effect.interruptible(run(halted)), scope)
      const finish = Effect.gen(function* () {
        yield* Deferred.fail(halted, new JobSource.JobStopped())
        const late = Effect.interruptible(Effect.delay(Fiber.interruptFork(fiber), bound))
        const timer = yield* Effect.forkIn(late, scope)
        yield* Fiber.await(fiber)
        yield* Fiber.interruptFork(timer)
      })
      yield* Effect.onInterrupt(restore(Effect.raceFirst(Fiber.await(fiber), closed)), () => finish)
      yield* finish
      const exit = yield* Fiber.await(fiber)
      return yield* Exit.isInterrupted(exit) ? Exit.succeed(Either.left({ _tag: "Halted" as const })) : exit
    })
  )
