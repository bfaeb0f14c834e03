/**
 * Sources into languages, as one value: checked, forecast, translated with a store, and reported. The same job again goes on where the
 * last one ended, and pays for nothing twice.
 *
 * @since 0.1.0
 */
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as LanguageCode from "../api/LanguageCode.js"
import type * as LanguageSupport from "../client/LanguageSupport.js"
import type * as TranslateClient from "../client/TranslateClient.js"
import type * as GlossarySync from "../glossary/GlossarySync.js"
import type * as TranslationStore from "../store/TranslationStore.js"
import type * as Forecast from "../stream/Forecast.js"
import * as Progress from "../stream/Progress.js"
import type * as TranslateStream from "../stream/TranslateStream.js"
import type * as Translator from "../stream/Translator.js"
import type * as Verification from "../stream/Verification.js"
import type { FailedUnit } from "./FailedUnits.js"
import * as jobAccounting from "./internal/jobAccounting.js"
import * as jobForecast from "./internal/jobForecast.js"
import * as jobReport from "./internal/jobReport.js"
import * as preparation from "./internal/preparation.js"
import * as running from "./internal/running.js"
import type { JobError } from "./JobError.js"
import type * as JobReport from "./JobReport.js"
import type * as JobSource from "./JobSource.js"

/**
 * The options of the streams of a job: they share the budget and what they learn of the service.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options
  extends Omit<TranslateStream.Options, "targetLang" | "unordered" | "store" | "progress" | "verify"> {
  /** Checks translations for what looks wrong, and says what becomes of them then. @default `Check.defaults` */
  readonly verify?: Verification.Options | undefined
  /**
   * A glossary, which is made equal to these dictionaries first: targets that it has a dictionary for are translated with it. It needs
   * `sourceLang`. @default none
   */
  readonly glossary?: GlossarySync.Options | undefined
  /**
   * What to do about a formality that a target does not have: fail, or prefer it where there is one. @default "fail"
   */
  readonly onUnsupportedFormality?: LanguageSupport.CheckSettings["onUnsupportedFormality"]
  /**
   * How many sources are translated at the same time, each into all languages: more of them help where sources are small. Each stream
   * has the `concurrency` of its own. @default 1
   */
  readonly sourceConcurrency?: number | undefined
  /** A pilot: translates so many texts of each source into each language. The store keeps what it has paid for. @default all */
  readonly limit?: number | undefined
  /**
   * Sends texts again whose translations the machine has stored before the job began, or before a time: with a time, a job that
   * was killed goes on where it was. @default false
   */
  readonly refresh?: boolean | DateTime.Utc | undefined
  /**
   * Sends texts again that have failed before the job began, or before a time: those that the service has failed with alone, while it
   * answered others, and those whose translations checks have refused. @default false: they are `Failed` with `FailedBefore` and
   * `TranslationRefused`, at no cost
   */
  readonly retryFailed?: boolean | DateTime.Utc | undefined
  /**
   * Ends the job with `TooManyFailed` once a larger share of all texts has failed, from 0 to 1: judged from 100 texts on, and at the
   * end. @default 1: never
   */
  readonly maxFailedShare?: number | undefined
  /** Publishes outputs that are not whole. @default false */
  readonly partial?: boolean | undefined
  /** What a million billed characters cost, for the report. @default unknown */
  readonly pricePerMillion?: number | undefined
}

/**
 * Sources, the languages to translate them into, and how. The errors of callbacks end the job.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslationJob<S extends JobSource.JobSource<unknown, unknown>, E = never, R = never>
  extends Options {
  readonly sources: ReadonlyArray<S>
  /** The languages, in any casing. */
  readonly targets: ReadonlyArray<LanguageCode.TargetLanguage>
  /** Receives texts that were not translated, one at a time. @default nothing */
  readonly onFailed?: ((unit: FailedUnit) => Effect.Effect<unknown, E, R>) | undefined
  /** Receives texts whose translations look wrong and were kept, one at a time, with the reason `Flagged`. @default nothing */
  readonly onFlagged?: ((unit: FailedUnit) => Effect.Effect<unknown, E, R>) | undefined
  /** Receives every text and what became of it, in groups: those of a source in one language in its order. @default nothing */
  readonly onUnits?:
    | ((units: ReadonlyArray<JobSource.UnitOutcome>) => Effect.Effect<unknown, E, R>)
    | undefined
  /**
   * Ends the job in good order once this effect has ended: nothing more is read, what was read shortly before is translated and stored, and
   * the job fails with `JobHalted`, unless nothing was left. Waits for a quota, an outage or a repetition go on: interrupt the job to
   * end them. @default never
   */
  readonly haltWhen?: Effect.Effect<unknown> | undefined
  /** Receives the report, however the job ends: also if it fails or is interrupted. @default nothing */
  readonly onEnd?: ((report: JobReport.JobReport) => Effect.Effect<unknown, E, R>) | undefined
  /** Receives the progress of all streams of the job. {@link makeProgress} makes one that knows the total. @default none */
  readonly progress?: Progress.Progress | undefined
}

/** The same job, whose sources have one type. */
const unified = <S extends JobSource.JobSource<unknown, unknown>, E, R>(job: TranslationJob<S, E, R>) =>
  job as jobAccounting.Job<JobSource.ErrorOf<S>, JobSource.ContextOf<S>, E, R>

/**
 * Runs a job.
 *
 * First everything is checked: the options by what the service supports for each language, glossaries, and the sources. A
 * failure there ends the job before anything was translated, unless it is one of a source and others can be read: then the outputs of
 * that source have failed, and the others are translated. The listings are those of the
 * client, unless there is a `LanguageSupport` in the context. Then one source is translated after the other, or so many at once as
 * `sourceConcurrency` says, each into all languages at once.
 *
 * What ends a language of a source leaves the others going, and is in the report. What all others would meet too ends the job:
 * `Unauthorized`, `QuotaExceeded`, `BudgetExceeded`, `Outage`, and an error of the store; so do `TooManyFailed` and errors of
 * callbacks. A job that has come to its end succeeds with its report, also if texts have failed: see its `end`.
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
      const account = yield* jobAccounting.make(job)
      const exit = yield* Effect.exit(restore(running.run(unified(job), account)))
      const report = yield* jobReport.make(account, exit, job.sourceLang)
      const told = yield* Effect.exit(job.onEnd?.(report) ?? Effect.void)
      return yield* Exit.as(Exit.zipLeft(exit, told), report)
    })
  )

/**
 * What the translation into one language takes. `cached` are texts that are `paid` for, and others that are equal to one of the
 * job; without a store, to one of the same source that `dedupe` remembers.
 *
 * @since 0.1.0
 * @category models
 */
export interface TargetForecast extends Forecast.Forecast {
  /** Texts whose translation is in the store. */
  readonly paid: number
}

/**
 * A source that can't be read, and why.
 *
 * @since 0.1.0
 * @category models
 */
export interface SourceFailure {
  readonly source: string
  readonly error: JobReport.Reason
}

/**
 * What a job takes.
 *
 * @since 0.1.0
 * @category models
 */
export interface JobForecast {
  /** For each language, in their order. */
  readonly targets: ReadonlyArray<TargetForecast>
  /** Texts of all languages. */
  readonly texts: number
  /** Requests of all languages. */
  readonly requests: number
  /** Characters (code points) that are billed for all languages. */
  readonly characters: number
  /** Sources that can't be read: the figures are without them. */
  readonly failures: ReadonlyArray<SourceFailure>
  /**
   * Whether there are no more than four million different texts to send, each counted in each language. Of more, those that come again may
   * count each time: the characters are the most that is billed.
   */
  readonly isExact: boolean
  /** What they cost, if the job knows the price. */
  readonly cost: number | undefined
  /** What is left of the budget, and whether it suffices; `undefined` without a budget. */
  readonly budget: { readonly left: number; readonly suffices: boolean } | undefined
}

/**
 * What a job takes, without sending a text. Options are checked as {@link run} does, and glossaries are not changed. Each source is
 * read once; it fails with the error of a source only if none can be read. Equal texts are counted once if the job has a store, wherever they
 * are; repetitions of failed requests are not counted.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forecast = <S extends JobSource.JobSource<unknown, unknown>, E, R>(
  job: TranslationJob<S, E, R>
): Effect.Effect<
  JobForecast,
  JobError | JobSource.ErrorOf<S>,
  | JobSource.ContextOf<S>
  | TranslationStore.TranslationStore
  | Translator.Translator
  | TranslateClient.TranslateClient
> => jobForecast.ofJob(unified(job))

/**
 * What a job takes with nothing stored.
 *
 * @since 0.1.0
 * @category models
 */
export interface JobEstimate extends Pick<JobForecast, "texts" | "requests" | "characters" | "failures"> {
  /** For each language, in their order. */
  readonly targets: ReadonlyArray<Forecast.Forecast>
  /** Whether all sources were read as a whole. Otherwise, figures are scaled from samples. */
  readonly isExact: boolean
}

/**
 * What a job takes with nothing stored, without sending a text. It asks no store, and of a long file whose format streams it reads the
 * first mebibyte only. Otherwise as {@link forecast}.
 *
 * @since 0.1.0
 * @category combinators
 */
export const estimate = <S extends JobSource.JobSource<unknown, unknown>, E, R>(
  job: TranslationJob<S, E, R>
): Effect.Effect<
  JobEstimate,
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
 * How a job verifies translations.
 *
 * @internal
 */
export const verificationOf: (verify?: Verification.Options) => Effect.Effect<Verification.Options> =
  preparation.verificationOf
