import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { TranslateError } from "../../client/TranslateError.js"
import * as Translator from "../../client/Translator.js"
import { is } from "../../internal/taggedError.js"
import { StoreError } from "../../store/StoreError.js"
import { BudgetExceeded } from "../../stream/Budget.js"
import { FailedBefore } from "../../stream/FailedBefore.js"
import { ImplausibleAnswers } from "../../stream/ImplausibleAnswers.js"
import type * as Outcome from "../../stream/Outcome.js"
import * as StreamOptions from "../../stream/StreamOptions.js"
import { TranslationRefused } from "../../stream/Verification.js"
import { NotUnderstood } from "../../text/Syntax.js"
import { JobHalted } from "../JobError.js"
import * as canonicalTarget from "./canonicalTarget.js"
import * as JobSource from "./contract.js"
import type { Account, Output } from "./jobAccount.js"
import type { Job } from "./jobOptions.js"
import * as jobPreparation from "./jobPreparation.js"
import * as sharedRequests from "./sharedRequests.js"

/** True if an error is none of a source. */
export const isStreamError = is(
  TranslateError,
  BudgetExceeded,
  FailedBefore,
  ImplausibleAnswers,
  NotUnderstood,
  TranslationRefused,
  StoreError
)

type Halted = Deferred.Deferred<never, JobSource.JobStopped>

/** Fails once the job is to end in good order. */
const haltedBy = (haltWhen: Effect.Effect<unknown> | undefined) =>
  haltWhen === undefined
    ? Effect.succeed(undefined)
    : Effect.tap(Deferred.make<never, JobSource.JobStopped>(), (halted) =>
        Effect.exit(haltWhen).pipe(
          Effect.zipRight(Deferred.fail(halted, new JobSource.JobStopped())),
          Effect.forkScoped
        )
      )

const isHalted = (halted: Halted | undefined): Effect.Effect<boolean> =>
  halted === undefined ? Effect.succeed(false) : Deferred.isDone(halted)

/** Fails once the job is halted: nothing was translated yet. */
const unlessHalted = <A, E, R>(self: Effect.Effect<A, E, R>, halted: Halted | undefined) =>
  halted === undefined
    ? self
    : Effect.raceFirst(
        self,
        Effect.mapError(Deferred.await(halted), () => new JobHalted())
      )

/** Tells the job of outcomes, one group after the other. */
const teller = <E2, R2>(
  { onFailed, onFlagged, onUnits }: Job<unknown, unknown, E2, R2>,
  account: Account<E2>
) =>
  Effect.zipWith(
    Effect.makeSemaphore(1),
    Effect.context<R2>(),
    (oneAtATime, context) => (output: Output) => (outcomes: ReadonlyArray<JobSource.Observed>) =>
      Effect.suspend(() => {
        const { failed, flagged } = account.observe(output, outcomes)
        account.judge()
        const units = onUnits === undefined ? [] : outcomes.flatMap((outcome) => output.unitsOf(outcome))
        const calls: Array<Effect.Effect<unknown, E2, R2>> = []
        if (onUnits !== undefined && units.length > 0) calls.push(onUnits(units))
        if (onFailed !== undefined) for (const unit of failed) calls.push(onFailed(unit))
        if (onFlagged !== undefined) for (const unit of flagged) calls.push(onFlagged(unit))
        const told =
          calls.length === 0
            ? Effect.void
            : Effect.all(calls, { discard: true }).pipe(
                oneAtATime.withPermits(1),
                Effect.provide(context),
                Effect.catchAll((error) => Effect.sync(() => account.stop(error)))
              )
        return Effect.flatMap(told, () =>
          account.isStopped ? Effect.fail(new JobSource.JobStopped()) : Effect.void
        )
      })
  )

/** Translates small sources at once, which fill requests together. */
const together = <S, R>(
  sources: ReadonlyArray<S>,
  languages: number,
  signals: sharedRequests.Signals,
  translate: (
    source: S,
    shared: ReadonlyArray<JobSource.SharedRequests<JobSource.JobStopped>>
  ) => Effect.Effect<void, never, R>
) =>
  Effect.gen(function* () {
    const sharedOf = yield* sharedRequests.make(sources.length, languages, signals)
    const one = (source: S, index: number) => {
      const own = Array.from({ length: languages }, (_, language) => sharedOf(index, language))
      return Effect.ensuring(
        translate(source, own),
        Effect.forEach(own, ({ leave }) => leave, { discard: true })
      )
    }
    yield* Effect.forEach(sources, one, { concurrency: "unbounded", discard: true })
  }).pipe(Effect.scoped)

/** Runs a job. Its account has the result. */
export const run = <E, R, E2, R2>(job: Job<E, R, E2, R2>, account: Account<E2 | Outcome.StreamError>) =>
  Effect.gen(function* () {
    yield* jobPreparation.check(job)
    const { startedAt, targets } = account
    const halted = yield* haltedBy(job.haltWhen)
    const preparing = Effect.zip(
      Effect.zipRight(
        jobPreparation.checkSelections(job),
        jobPreparation.prepare(job, { dryRun: false, startedAt })
      ),
      jobPreparation.checkSources(job, job.targets.map(canonicalTarget.canonical))
    )
    const [prepared, broken] = yield* unlessHalted(preparing, halted)
    for (const output of account.outputs) {
      if (broken.has(output.source)) output.fail(broken.get(output.source))
    }
    const whole = job.sources.filter(({ name }) => !broken.has(name))
    if (whole.length === 0) for (const error of broken.values()) return yield* Effect.fail(error)
    const tell = yield* teller(job, account)
    const translator = yield* Effect.flatMap(Translator.Translator, StreamOptions.cacheIdentity)

    const ended = (output: Output, result: Either.Either<JobSource.Written, unknown>) => {
      if (Either.isRight(result)) return output.written(result.right)
      if (JobSource.isJobStopped(result.left)) return
      output.fail(result.left)
      if (isStreamError(result.left) && result.left.isFatal) account.stop(result.left)
    }

    const tracked = prepared.targets.map(({ name, options }) => ({
      name,
      options: { ...options, progress: account.progressOf(options.targetLang) }
    }))

    const translate = (
      source: JobSource.JobSource<E, R>,
      shared: ReadonlyArray<JobSource.Translation["shared"]> = []
    ) =>
      Effect.gen(function* () {
        if (account.isStopped || (yield* isHalted(halted))) return
        const outputs = account.outputs.filter((output) => output.source === source.name)
        const translations = outputs.map(
          (output, index): JobSource.Translation => ({
            ...tracked[index]!,
            shared: shared[index],
            limit: job.limit,
            partial: job.partial ?? false,
            refresh: jobPreparation.isRefreshed(job),
            includeUnits: job.onUnits !== undefined,
            halted,
            observe: tell(output)
          })
        )
        for (const output of outputs) output.begin(account.now)
        const results = yield* Effect.either(source.translate(translations))
        for (const [index, output] of outputs.entries()) {
          ended(
            output,
            Either.flatMap(results, (found) => found[index]!)
          )
        }
      })

    const isStopped: sharedRequests.Signals["isStopped"] = (untold) => {
      account.judge(undefined, untold)
      return account.isStopped
    }
    const translateTogether = (sources: ReadonlyArray<JobSource.JobSource<E, R>>) =>
      together(sources, targets.length, { halted, isStopped }, translate)

    const groups = yield* sharedRequests.groupsOf(whole, targets.length)
    yield* Effect.forEach(
      groups,
      (sources): Effect.Effect<void, never, R | Translator.Translator> =>
        sources.length === 1 ? translate(sources[0]!) : translateTogether(sources),
      { concurrency: job.sourceConcurrency ?? 1, discard: true }
    ).pipe(Effect.updateService(Translator.Translator, () => translator))
    account.judge(1)
    if (yield* isHalted(halted)) account.halt()
    yield* account.proceed
  }).pipe(Effect.scoped)
