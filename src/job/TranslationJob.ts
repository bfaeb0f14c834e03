/**
 * Sources into languages, as one value: checked, forecast, translated with a store, and reported. The same job again goes on where the
 * last one ended, and pays for nothing twice.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as TranslateClient from "../client/TranslateClient.js"
import type * as Translator from "../client/Translator.js"
import type * as TranslationStore from "../store/TranslationStore.js"
import * as Progress from "../stream/Progress.js"
import type * as Verification from "../stream/Verification.js"
import type { DetectorMissing } from "../text/Check.js"
import * as jobAccount from "./internal/jobAccount.js"
import * as jobForecast from "./internal/jobForecast.js"
import type { Job, TranslationJob } from "./internal/jobOptions.js"
import * as jobPreparation from "./internal/jobPreparation.js"
import * as jobReport from "./internal/jobReport.js"
import * as jobRules from "./internal/jobRules.js"
import * as jobRun from "./internal/jobRun.js"
import type { InvalidJob, JobError } from "./JobError.js"
import type * as JobReport from "./JobReport.js"
import type * as JobSource from "./JobSource.js"

/**
 * Sources, the languages to translate them into, and how.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options, StreamOptions, TranslationJob } from "./internal/jobOptions.js"

/** The same job, whose sources have one type. */
const unified = <S extends JobSource.JobSource<unknown, unknown>, E, R>(job: TranslationJob<S, E, R>) =>
  job as Job<JobSource.ErrorOf<S>, JobSource.ContextOf<S>, E, R>

/**
 * Runs a job.
 *
 * First everything is checked: the options by the service's support of each language, glossaries, and the sources. A failure
 * there ends the job before anything was translated, unless it is one of a source and others can be read: then the outputs
 * of that source have failed, and the others are translated. The listings are those of the client, unless there is a
 * `LanguageSupport` in the context. Then one source is translated after the other, or `sourceConcurrency` of them at once,
 * each into all languages at once. Local files of at most 64 KiB are translated together, and their texts share requests.
 *
 * An error that ends a language of a source leaves the others going, and is in the report. An error that all others would
 * meet too ends the job: `Unauthorized`, `QuotaExceeded`, `BudgetExceeded`, `Outage`, and an error of the store; so do
 * `TooManyFailed` and errors of callbacks. A job that has come to its end succeeds with its report, also if texts have
 * failed: see its `end`.
 *
 * The same job again goes on: nothing that is in the store is paid for again.
 *
 * @since 0.1.0
 * @category combinators
 */
export const run = <S extends JobSource.JobSource<unknown, unknown>, E = never, R = never>(
  job: TranslationJob<S, E, R>
): Effect.Effect<
  JobReport.JobReport,
  JobError | JobSource.ErrorOf<S> | E,
  | JobSource.ContextOf<S>
  | R
  | TranslationStore.TranslationStore
  | Translator.Translator
  | TranslateClient.TranslateClient
> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const account = yield* jobAccount.make(job)
      const exit = yield* Effect.exit(restore(jobRun.run(unified(job), account)))
      const report = yield* jobReport.make(account, exit, job.options?.sourceLang)
      const told = yield* Effect.exit(job.onEnd?.(report) ?? Effect.void)
      return yield* Exit.as(Exit.zipLeft(exit, told), report)
    })
  )

/**
 * The results of {@link forecast} and {@link estimate}, and their parts.
 *
 * @since 0.1.0
 * @category models
 */
export type {
  JobEstimate,
  JobForecast,
  SourceFailure,
  TargetEstimate,
  TargetForecast,
  UnmatchedSource
} from "./internal/jobForecast.js"

/**
 * Forecasts a job, without sending a text. Options are checked as {@link run} does, and glossaries are not changed. Each
 * source is read once; it fails with the error of a source only if none can be read. Equal texts are counted once if the
 * job has a store, wherever they are; repetitions of failed requests are not counted.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forecast = <S extends JobSource.JobSource<unknown, unknown>, E, R>(
  job: TranslationJob<S, E, R>
): Effect.Effect<
  jobForecast.JobForecast,
  JobError | JobSource.ErrorOf<S>,
  | JobSource.ContextOf<S>
  | TranslationStore.TranslationStore
  | Translator.Translator
  | TranslateClient.TranslateClient
> => jobForecast.ofJob(unified(job))

/**
 * Estimates a job with an empty store, without sending a text. It asks no store, and of a long file whose format streams
 * it reads the first mebibyte only. Otherwise as {@link forecast}.
 *
 * @since 0.1.0
 * @category combinators
 */
export const estimate = <S extends JobSource.JobSource<unknown, unknown>, E, R>(
  job: TranslationJob<S, E, R>
): Effect.Effect<
  jobForecast.JobEstimate,
  JobError | JobSource.ErrorOf<S>,
  JobSource.ContextOf<S> | Translator.Translator | TranslateClient.TranslateClient
> => jobForecast.estimateOf(unified(job))

/**
 * A progress for a job that knows its total in each language, from an {@link estimate}.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeProgress = <S extends JobSource.JobSource<unknown, unknown>, E, R>(
  job: TranslationJob<S, E, R>
) =>
  Effect.flatMap(estimate(job), ({ isExact, targets }) =>
    Progress.make({
      totals: Object.fromEntries(targets.map((target) => [target.targetLang, target.in])),
      isEstimate: !isExact,
      pricePerMillion: job.pricePerMillion
    })
  )

/**
 * The verification of a job's translations.
 *
 * @internal
 */
export const verificationOf: (
  verify?: Verification.Options
) => Effect.Effect<Verification.Options, DetectorMissing> = jobPreparation.verificationOf

/**
 * The names of checks that policies may be given for, apart from those of checks of one's own.
 *
 * @internal
 */
export const checkNames = jobRules.checkNames

/**
 * Fails with the rules that a job breaks that is run elsewhere.
 *
 * @internal
 */
export const checkShared = jobPreparation.checkShared

/**
 * Fails if something that was chosen of sources is in none of them.
 *
 * @internal
 */
export const checkSelections: <E, R>(job: {
  readonly sources: ReadonlyArray<Pick<JobSource.JobSource<E, R>, "selection">>
}) => Effect.Effect<void, InvalidJob, R> = jobPreparation.checkSelections
