import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { isTranslateError } from "../../client/TranslateError.js"
import { isStoreError } from "../../store/StoreError.js"
import * as Budget from "../../stream/Budget.js"
import type * as Outcome from "../../stream/Outcome.js"
import * as Translator from "../../stream/Translator.js"
import * as JobSource from "../JobSource.js"
import type { Account, Job, Output } from "./accounts.js"
import * as identifying from "./identifying.js"
import * as preparation from "./preparation.js"

const fatal: ReadonlySet<string> = new Set(["Unauthorized", "QuotaExceeded", "Outage"])

/** Whether all other sources and languages would meet the error too. */
const isFatal = (error: unknown): error is Outcome.StreamError =>
  Budget.isBudgetExceeded(error) || isStoreError(error) || (isTranslateError(error) && fatal.has(error._tag))

/** Runs a job. Its account knows what came of it. */
export const run = <E, R, E2, R2>(job: Job<E, R, E2, R2>, account: Account<E2 | Outcome.StreamError>) =>
  Effect.gen(function* () {
    yield* preparation.check(job)
    const { startedAt, targets } = account
    const prepared = yield* preparation.prepare(job, { dryRun: false, startedAt })
    yield* preparation.checkSources(job, targets)
    const oneAtATime = yield* Effect.makeSemaphore(1)
    const context = yield* Effect.context<R2>()
    const translator = yield* identifying.once

    const tell = (output: Output) => (outcomes: ReadonlyArray<JobSource.Observed>) =>
      Effect.suspend(() => {
        const units = account.observe(output, outcomes)
        account.judge()
        const { onFailed } = job
        const told =
          onFailed === undefined || units.length === 0
            ? Effect.void
            : Effect.forEach(units, onFailed, { discard: true }).pipe(
                oneAtATime.withPermits(1),
                Effect.provide(context),
                Effect.catchAll((error) => Effect.sync(() => account.stop(error)))
              )
        return Effect.flatMap(told, () =>
          account.isStopped ? Effect.fail(new JobSource.JobStopped()) : Effect.void
        )
      })

    const ended = (output: Output, result: Either.Either<JobSource.Written, unknown>) => {
      if (Either.isRight(result)) return output.written(result.right)
      if (JobSource.isJobStopped(result.left)) return
      output.failed(result.left)
      if (isFatal(result.left)) account.stop(result.left)
    }

    const translate = (source: JobSource.JobSource<E, R>) => {
      if (account.isStopped) return Effect.void
      const outputs = account.outputs.filter((output) => output.source === source.name)
      const translations = outputs.map(
        (output, index): JobSource.Translation => ({
          options: { ...prepared[index]!, progress: account.progressOf(output.targetLang) },
          limit: job.limit,
          partial: job.partial ?? false,
          refresh: preparation.isRefreshed(job),
          observe: tell(output)
        })
      )
      for (const output of outputs) output.begin(account.now)
      return Effect.map(Effect.either(source.translate(translations)), (results) => {
        for (const [index, output] of outputs.entries()) {
          ended(
            output,
            Either.flatMap(results, (found) => found[index]!)
          )
        }
      })
    }

    yield* Effect.forEach(job.sources, (source) => Effect.suspend(() => translate(source)), {
      concurrency: job.sourceConcurrency ?? 1,
      discard: true
    }).pipe(Effect.updateService(Translator.Translator, () => translator))
    account.judge(1)
    yield* account.proceed
  })
