/** What a job asks of a source, and what a source tells the job. */
import type * as Deferred from "effect/Deferred"
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type * as LanguageCode from "../../api/LanguageCode.js"
import { is, TaggedError } from "../../internal/taggedError.js"
import type * as Forecast from "../../stream/Forecast.js"
import type * as Outcome from "../../stream/Outcome.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import type * as Check from "../../text/Check.js"

/**
 * The job has ended, for a reason that is no fault of this source: no output is written any more.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobStopped extends TaggedError<JobStopped>()(
  "JobStopped",
  {},
  () => "The job has ended before this output was whole: run the same again once its cause is mended.",
  { isFatal: true }
) {}

/**
 * Whether a value is a `JobStopped`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isJobStopped = is(JobStopped)

/**
 * A text of a source that was not translated, and why.
 *
 * @since 0.1.0
 * @category models
 */
export interface UnitFailure {
  /** The source it is of, if that is another one: of a source that translates failed units again. @default this source */
  readonly source?: string | undefined
  /** Names the text in its source. */
  readonly key: string
  /** Where it begins, in a source that has lines. */
  readonly line?: number | undefined
  /** `undefined` for what could not be read. */
  readonly text: string | undefined
  readonly error: { readonly _tag: string; readonly message: string }
}

/**
 * A text of a source whose translation looks wrong, and was kept.
 *
 * @since 0.1.0
 * @category models
 */
export interface FlaggedUnit extends Omit<UnitFailure, "error"> {
  readonly translation: string
  readonly findings: ReadonlyArray<Check.Finding>
}

/**
 * A text, and what became of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface UnitOutcome {
  /** The name of its source. */
  readonly source: string
  /** Names the text in its source. */
  readonly key: string
  /** Where it begins, in a source that has lines. */
  readonly line?: number | undefined
  readonly targetLang: string
  /** `undefined` for what could not be read, or is in the output only. */
  readonly text: string | undefined
  /** What the output holds in its place. */
  readonly translation: string | undefined
  /** `cached` came from the store, or from an equal text; `skipped` was kept as it is. */
  readonly state: "translated" | "cached" | "skipped" | "failed"
  /** Why it has failed. */
  readonly error?: { readonly _tag: string; readonly message: string } | undefined
  /** What looks wrong in a translation that was kept. @default nothing */
  readonly findings?: ReadonlyArray<Check.Finding> | undefined
}

/**
 * A text of a source, and what became of it: a {@link UnitOutcome} of a known language, and of this source unless it names another one.
 *
 * @since 0.1.0
 * @category models
 */
export interface ObservedUnit extends Omit<UnitOutcome, "source" | "targetLang"> {
  /** @default this source */
  readonly source?: string | undefined
}

/**
 * Texts that hold letters and were passed through, since they are nothing but placeholders.
 *
 * @since 0.1.0
 * @category schemas
 */
export const OnlyPlaceholders = Schema.Struct({
  texts: Schema.Number,
  /** Name the first of them in their source. */
  keys: Schema.Array(Schema.String)
})

/**
 * Texts that hold letters and were passed through.
 *
 * @since 0.1.0
 * @category models
 */
export interface OnlyPlaceholders extends Schema.Schema.Type<typeof OnlyPlaceholders> {}

/**
 * What became of the texts of an element, or of several of which there is nothing to tell but figures.
 *
 * @since 0.1.0
 * @category models
 */
export interface Observed {
  readonly texts: Outcome.Texts
  readonly cost: Outcome.Cost
  readonly failures: ReadonlyArray<UnitFailure>
  /** Texts among those that were skipped. @default none */
  readonly onlyPlaceholders?: OnlyPlaceholders | undefined
  /** Those of the translated texts that look wrong. @default none */
  readonly flagged?: ReadonlyArray<FlaggedUnit> | undefined
  /** Each text, for a job that wants them: see {@link Translation}. @default nothing is told of them */
  readonly units?: ReadonlyArray<ObservedUnit> | undefined
}

/**
 * How a job wants a source translated into one language.
 *
 * @since 0.1.0
 * @category models
 */
export interface Translation {
  /** The options of the stream, with the store, the budget and the progress of the job. */
  readonly options: TranslateStream.Options
  /** How many texts are translated; the rest is left as it is. @default all */
  readonly limit?: number | undefined
  /** Whether an output that is not whole is published. */
  readonly partial: boolean
  /** Whether what the machine has translated is asked for again, though the output holds it. @default false */
  readonly refresh?: boolean | undefined
  /** Whether `observe` wants the `units` of what it takes. @default false */
  readonly wantsUnits?: boolean | undefined
  /**
   * Fails once the job is to end in good order: the source reads nothing more then, waits for what it has sent, and ends with this error.
   * `JobSource.untilHalted` does that. @default never
   */
  readonly halted?: Deferred.Deferred<never, JobStopped> | undefined
  /** Takes outcomes before they are written. Fails once the job has ended. */
  readonly observe: (outcomes: ReadonlyArray<Observed>) => Effect.Effect<void, JobStopped>
}

/**
 * How a job wants a source forecast.
 *
 * @since 0.1.0
 * @category models
 */
export interface Forecasting {
  /** The options of each language, in the order of the languages, with the store of the job. */
  readonly options: ReadonlyArray<TranslateStream.Options>
  /** How many texts would be translated. @default all */
  readonly limit?: number | undefined
  /** See {@link Translation}. @default false */
  readonly refresh?: boolean | undefined
}

/**
 * What the translation of a source takes with nothing stored.
 *
 * @since 0.1.0
 * @category models
 */
export interface Estimate {
  /** For each language, in the order of the languages. */
  readonly forecasts: ReadonlyArray<SourceForecast>
  /** Whether all of the source was read, and not a sample only. */
  readonly isExact: boolean
}

/**
 * A person's translation whose source has changed since.
 *
 * @since 0.1.0
 * @category models
 */
export interface StaleUnit {
  readonly key: string
  /** The source as it is now. */
  readonly text: string
  /** What the person has written for an earlier source. */
  readonly translation: string
}

/**
 * What became of the output of a source in one language. `unchanged` was right already, and was not touched; `withheld` is not whole, and
 * partial outputs were not asked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface Written {
  /** The file, or what else the output is called. */
  readonly output?: string | undefined
  readonly state: "written" | "unchanged" | "partial" | "withheld"
  readonly stale: ReadonlyArray<StaleUnit>
  /** How many translations a person has written, in the output or as a correction, and were kept; of an output that is updated. @default none */
  readonly byPersons?: number | undefined
}

/**
 * What the translation of a source into one language takes.
 *
 * @since 0.1.0
 * @category models
 */
export interface SourceForecast extends Forecast.Forecast {
  /** How many of the cached texts are known to be paid for without asking the store. @default none */
  readonly paid?: number | undefined
}

/**
 * Something to translate into several languages.
 *
 * @since 0.1.0
 * @category models
 */
export interface JobSource<E = never, R = never> {
  /** Names it in reports and failed units; no two sources of a job have the same. */
  readonly name: string
  /**
   * The options with which its texts are translated, from those of the job: with the placeholders of its format, say.
   * @default those of the job
   */
  readonly optionsFrom?:
    | ((options: TranslateStream.Options) => Effect.Effect<TranslateStream.Options, E, R>)
    | undefined
  /**
   * Checks that it can be read and its outputs can be written; makes missing folders, sends nothing. Names what it reads and writes:
   * no two sources of a job may share any of it. A job asks all of its sources before it translates the first.
   * @default nothing is checked
   */
  readonly check?:
    | ((targets: ReadonlyArray<LanguageCode.TargetLanguage>) => Effect.Effect<ReadonlyArray<string>, E, R>)
    | undefined
  /**
   * Translates it, reading it once. What ends one language is in its result, in the order of the languages. Fails if the source can't
   * be read.
   */
  readonly translate: (
    translations: ReadonlyArray<Translation>
  ) => Effect.Effect<ReadonlyArray<Either.Either<Written, E | Outcome.StreamError | JobStopped>>, E, R>
  /** What its translation takes, for each language. Reads it once, and sends nothing. */
  readonly forecast: (
    forecasting: Forecasting
  ) => Effect.Effect<ReadonlyArray<SourceForecast>, E | Outcome.StreamError, R>
  /** What its translation takes with nothing stored, in less work than its forecast. @default its forecast without a store */
  readonly estimate?:
    | ((forecasting: Forecasting) => Effect.Effect<Estimate, E | Outcome.StreamError, R>)
    | undefined
}

/**
 * The errors of a source, or of several.
 *
 * @since 0.1.0
 * @category models
 */
export type ErrorOf<S> = S extends JobSource<infer E, infer _R> ? E : never

/**
 * What a source needs, or several.
 *
 * @since 0.1.0
 * @category models
 */
export type ContextOf<S> = S extends JobSource<infer _E, infer R> ? R : never

/** Sources of one type. */
export const unified = <S extends JobSource<unknown, unknown>>(
  sources: ReadonlyArray<S>
): ReadonlyArray<JobSource<ErrorOf<S>, ContextOf<S>>> =>
  sources as ReadonlyArray<JobSource<ErrorOf<S>, ContextOf<S>>>
