import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import * as Errors from "../../../client/Errors.js"
import { isTranslateError } from "../../../client/TranslateError.js"
import * as Translator from "../../../client/Translator.js"
import { type Reason, reasonOf } from "../../../job/JobReport.js"
import * as JobSource from "../../../job/JobSource.js"
import * as Outcome from "../../../stream/Outcome.js"
import type { Failure, Waiting } from "../../CorpusJob.js"
import type { Fit, Step, Tallies } from "../tables/jobTables.js"
import * as haltableTranslator from "./haltableTranslator.js"
import type { Opened } from "./openJobs.js"

/** The result of a step. */
export interface Translated {
  readonly failures: ReadonlyArray<Failure>
  /** Why outputs could not be written. */
  readonly errors: ReadonlyArray<Reason>
  /** The fit of the chosen columns or paths of its sources, each once. */
  readonly fits: ReadonlyArray<Fit>
  /** The number of persons' translations of earlier texts, by language. */
  readonly stale: Readonly<Record<string, number>>
}

/** An obstacle that keeps a job from going on. */
export type Obstacle =
  /** It may not go on. */
  | { readonly _tag: "Halted" }
  /** The quota is used up, or the service or the store is down. */
  | { readonly _tag: "Waits"; readonly reason: Waiting["reason"]; readonly error: Reason }
  /** All other work would meet that too. */
  | { readonly _tag: "Failed"; readonly error: Reason }

/** The result, or the obstacle. */
export type Result<A> = Either.Either<A, Obstacle>

/** More texts of a source that have failed are counted, but not listed. Outputs that could not be written always are. */
const mostFailures = 1000

/** The number of its sources that a step translates at once. */
const sourcesAtOnce = 4

const passing: ReadonlySet<string> = new Set([
  "Outage",
  "TransportError",
  "ProxyRefused",
  "TimedOut",
  "ServerError",
  "RateLimited"
])

/** True if the same may succeed later: errors of a store and of a corpus say so themselves. */
const mayPass = (error: unknown): boolean =>
  isTranslateError(error)
    ? passing.has(error._tag)
    : Predicate.hasProperty(error, "isRetryable") && error.isRetryable === true

/** The obstacle of an error that ends more than a language of a source. */
const obstacleOf = (error: unknown): Obstacle | undefined => {
  if (JobSource.isJobStopped(error)) return { _tag: "Halted" }
  const reason = reasonOf(error)
  if (reason.tag === "QuotaExceeded") return { _tag: "Waits", reason: "quota", error: reason }
  if (mayPass(error)) return { _tag: "Waits", reason: "outage", error: reason }
  return Errors.isFatal(error) ? { _tag: "Failed", error: reason } : undefined
}

/** The obstacle of an error of a part that the job can't do without. */
export const graveObstacleOf = (error: unknown): Obstacle =>
  obstacleOf(error) ?? { _tag: "Failed", error: reasonOf(error) }

/** The code of an error of Node, which holds no text; its message may. */
const codeOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" && /^[A-Z0-9_]+$/.test(error.code)
    ? ` (${error.code})`
    : ""

/** The reason of a failure that no error is declared for. */
const reasonOfDefect = (defect: unknown): Reason => ({
  tag: "Defect",
  message: `A bug has ended the job: ${defect instanceof Error ? defect.name : "what was thrown is no error"}${codeOf(defect)}. If its corpus is of a kind of your own, mend that; report it otherwise, and submit the job again to translate what is left.`
})

export type Halted = Deferred.Deferred<never, JobSource.JobStopped>

type Results = Either.Either<ReadonlyArray<Either.Either<JobSource.Written, unknown>>, unknown>

/** A value that was chosen and is no text counts as one that has failed. */
const noText = {
  _tag: "NoText",
  message: "There is no text: make it one, or leave it out of what is translated."
} as const

/** A person's translation that was kept, though its text is another one now. */
const staleTranslation = {
  _tag: "Stale",
  message:
    "A person's translation of an earlier text was kept: correct it, or remove it and submit the job again to have it translated."
} as const

/** True if an output is not whole. */
const isCut = (results: Results) =>
  Either.isRight(results) &&
  results.right.some(
    (result) => Either.isRight(result) && ["partial", "withheld"].includes(result.right.state)
  )

/** Conditions for an attempt at a step. */
export type Attempt = Omit<haltableTranslator.Options<JobSource.JobStopped>, "onHeld" | "judged">

/** A step that is translated, and the counts of its texts so far. */
export interface Translation<R> {
  readonly run: Effect.Effect<Result<Translated>, never, R>
  readonly tallies: () => Tallies
}

/** Translates a step into all languages of its job. */
export const make = <E, R>(
  { judged, sources, targets, translator }: Opened<E, R>,
  step: Step,
  { halted, ...requests }: Attempt
): Translation<R> => {
  /** Something was not sent, or not sent again. */
  let isHeld = false
  const held = haltableTranslator.make(translator, {
    ...requests,
    judged: judged.turn,
    halted,
    onHeld: () => {
      isHeld = true
    }
  })
  const isWhole = step.kind !== "slice"
  const counts: Record<string, Outcome.Texts> = {}
  const languages = targets.map(({ options }) => options.targetLang)
  for (const targetLang of languages) counts[targetLang] = Outcome.zero
  const failures: Array<Failure> = []
  const errors: Array<Reason> = []
  const fits = new Map<string, Fit>()
  const stale: Record<string, number> = {}

  const translateOne = (name: string, source: JobSource.JobSource<E, R>) =>
    Effect.gen(function* () {
      const own: Array<Failure> = []
      const fail = (targetLang: string, { key, line, error }: Omit<JobSource.UnitFailure, "text">) => {
        const { message, tag } = reasonOf(error)
        own.push({ source: name, targetLang, key, line, tag, message })
      }
      const translations = targets.map((target): JobSource.Translation => {
        const { targetLang } = target.options
        return {
          ...target,
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
        ? languages.map((targetLang) => ({ targetLang, error: results.left }))
        : results.right.flatMap((result, index) =>
            Either.isLeft(result) ? [{ targetLang: languages[index]!, error: result.left }] : []
          )
      for (const [index, result] of (isWhole ? Either.getOrElse(results, () => []) : []).entries()) {
        if (Either.isLeft(result)) continue
        const targetLang = languages[index]!
        const { selection, stale: old } = result.right
        stale[targetLang] = (stale[targetLang] ?? 0) + old.length
        for (const { key } of old.slice(0, mostFailures)) fail(targetLang, { key, error: staleTranslation })
        if (selection === undefined) continue
        const { found, keys, known, lacks, noTexts, option } = selection
        const fit = { option, found, lacks, known }
        fits.set(JSON.stringify(fit), fit)
        counts[targetLang] = Outcome.sumTexts([
          { texts: counts[targetLang]! },
          { texts: { ...Outcome.zero, failed: noTexts } }
        ])
        for (const key of keys) fail(targetLang, { key, error: noText })
      }
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

  const translateNamed = (name: string) => {
    const found = sources.get(name)
    // Its files or rows are gone since the job was planned.
    if (found === undefined) return Effect.succeed({ isCut: false, obstacles: [] })
    return translateOne(name, isWhole || found.slice === undefined ? found.source : found.slice(step.slice))
  }

  const run = Effect.gen(function* () {
    const results = yield* judged.step(step, (sourceEnded) =>
      Effect.forEach(step.sources, (name) => Effect.ensuring(translateNamed(name), sourceEnded), {
        concurrency: sourcesAtOnce
      })
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
    return worst === undefined
      ? Either.right({ failures, errors, fits: [...fits.values()], stale })
      : Either.left(worst)
  }).pipe(Effect.provideService(Translator.Translator, held)) as Effect.Effect<Result<Translated>, never, R>

  return {
    run,
    tallies: () => counts
  }
}

/**
 * Runs an effect that can be halted, in the scope of the worker. Once `closed` ends, or the caller is interrupted, it is
 * halted: its requests in flight are waited for and recorded, for as long as `bound`.
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
      return Exit.match(exit, {
        onSuccess: identity,
        onFailure: (cause): Result<A> =>
          Either.left(
            Option.match(Cause.dieOption(cause), {
              onNone: () => ({ _tag: "Halted" }),
              onSome: (defect) => ({ _tag: "Failed", error: reasonOfDefect(defect) })
            })
          )
      })
    })
  )
