/** The interface between a job and its sources. */
import type * as Deferred from "effect/Deferred"
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type * as LanguageCode from "../../api/LanguageCode.js"
import type * as Format from "../../format/Format.js"
import type { FaultlessBlocks } from "../../internal/faultlessBlocks.js"
import { is, TaggedError } from "../../internal/taggedError.js"
import type { TextError } from "../../stream/FailedUnits.js"
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
 * Returns `true` for a `JobStopped`.
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
  /** The text of the source; `undefined` for a record that could not be read. */
  readonly text: string | undefined
  readonly error: TextError
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
 * A text, and its outcome.
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
  /** The text of the source; `undefined` for a record that could not be read, and for a unit that only the output has. */
  readonly text: string | undefined
  /** The text of the output in its place. */
  readonly translation: string | undefined
  /** `cached` came from the store, or from an equal text; `skipped` was kept as it is. */
  readonly state: "translated" | "cached" | "skipped" | "failed"
  /** Why it has failed. */
  readonly error?: TextError | undefined
  /** The findings of checks in a translation that was kept. @default nothing */
  readonly findings?: ReadonlyArray<Check.Finding> | undefined
}

/**
 * A text of a source, and its outcome: a {@link UnitOutcome} of a known language, and of this source unless it names
 * another one.
 *
 * @since 0.1.0
 * @category models
 */
export interface ObservedUnit extends Omit<UnitOutcome, "source" | "targetLang"> {
  /** @default this source */
  readonly source?: string | undefined
}

/**
 * The number of some texts, and the first of them.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NamedTexts = Schema.Struct({
  texts: Schema.Number,
  /** Name the first of them in their source. */
  keys: Schema.Array(Schema.String)
})

/**
 * The number of some texts, and the first of them.
 *
 * @since 0.1.0
 * @category models
 */
export interface NamedTexts extends Schema.Schema.Type<typeof NamedTexts> {}

/**
 * The outcomes of an element's texts, or only the figures of several elements.
 *
 * @since 0.1.0
 * @category models
 */
export interface Observed {
  readonly texts: Outcome.Texts
  readonly cost: Outcome.Cost
  readonly failures: ReadonlyArray<UnitFailure>
  /** Texts among those that were skipped that hold letters, and are nothing but placeholders. @default none */
  readonly onlyPlaceholders?: NamedTexts | undefined
  /** The number of records that were left out of the output, since a text of them has failed. @default none */
  readonly dropped?: number | undefined
  /** Those of the translated texts that look wrong. @default none */
  readonly flagged?: ReadonlyArray<FlaggedUnit> | undefined
  /** Each text, for a job that wants them: see {@link Translation}. @default nothing is told of them */
  readonly units?: ReadonlyArray<ObservedUnit> | undefined
}

/** Texts that are translated with the same options. */
export interface SharedTexts<A> {
  readonly options: TranslateStream.OptionsWith<A, ReadonlyArray<string | undefined>, A>
  readonly elements: ReadonlyArray<A>
}

/** Outcomes of texts, and the error that has ended their translation. */
export interface SharedOutcomes<A, H> {
  readonly outcomes: ReadonlyArray<Outcome.Outcome<A, A>>
  readonly error: Outcome.StreamError | H | undefined
}

/** Requests that small sources fill together. */
export interface SharedRequests<H> {
  /** Translates all texts of a source, once other sources have handed in theirs. */
  readonly translate: <A>(
    texts: ReadonlyArray<SharedTexts<A>>
  ) => Effect.Effect<ReadonlyArray<SharedOutcomes<A, H>>>
  /** Says that nothing more comes from this source. */
  readonly leave: Effect.Effect<void>
}

/** The forecast of requests that small sources fill together. */
export interface SharedForecast {
  readonly add: <A>(texts: ReadonlyArray<SharedTexts<A>>) => void
}

/**
 * A language that a source is translated into, and its name in paths.
 *
 * @since 0.1.0
 * @category models
 */
export interface NamedLanguage {
  readonly lang: LanguageCode.TargetLanguage
  readonly name?: string | undefined
}

/**
 * A language that a source is translated into, and the options for it.
 *
 * @since 0.1.0
 * @category models
 */
export interface TargetOptions {
  /** The options of the stream, with the store, the budget and the progress of the job. */
  readonly options: TranslateStream.Options
  /** The name of the language in paths. @default its code, as the path writes it */
  readonly name?: string | undefined
}

/**
 * The job's options for translating a source into one language.
 *
 * @since 0.1.0
 * @category models
 */
export interface Translation extends TargetOptions {
  /** The number of texts to translate; the rest is left as it is. @default all */
  readonly limit?: number | undefined
  /** Publishes an output that is not whole. */
  readonly partial: boolean
  /** Asks for the machine's translations again, though the output holds them. @default false */
  readonly refresh?: boolean | undefined
  /** True if `observe` wants the `units` of outcomes. @default false */
  readonly includeUnits?: boolean | undefined
  /**
   * Fails once the job is to end in good order: the source reads nothing more then, waits for its requests in flight,
   * and ends with this error. `JobSource.untilHalted` does that. @default never
   */
  readonly halted?: Deferred.Deferred<never, JobStopped> | undefined
  /** Requests that files of a job fill together; sources of one's own leave them alone. @default none */
  readonly shared?: SharedRequests<JobStopped> | undefined
  /** Texts that are not looked at again; sources of one's own leave them alone. @default none */
  readonly faultless?: FaultlessBlocks | undefined
  /** Takes outcomes before they are written. Fails once the job has ended. */
  readonly observe: (outcomes: ReadonlyArray<Observed>) => Effect.Effect<void, JobStopped>
}

/**
 * The job's options for forecasting a source.
 *
 * @since 0.1.0
 * @category models
 */
export interface Forecasting {
  /** The options of each language, in the order of the languages, with the store of the job. */
  readonly targets: ReadonlyArray<TargetOptions>
  /** The number of texts to translate. @default all */
  readonly limit?: number | undefined
  /** See {@link Translation}. @default false */
  readonly refresh?: boolean | undefined
  /** Takes the texts of files that fill requests together, which the forecasts of these files are without. @default none */
  readonly shared?: SharedForecast | undefined
}

/**
 * The cost of translating a source with an empty store.
 *
 * @since 0.1.0
 * @category models
 */
export interface Estimate {
  /** For each language, in the order of the languages. */
  readonly forecasts: ReadonlyArray<SourceForecast>
  /** True if all of the source was read, and not a sample only. */
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
  /** The source as it is now; empty if it is no text any more. */
  readonly text: string
  /** The person's translation of an earlier source. */
  readonly translation: string
}

/**
 * Texts of the machine that were made with other options than the current ones.
 *
 * @since 0.1.0
 * @category models
 */
export interface OtherChoices {
  readonly texts: number
  /** The options that differ, by their names: as they were, and as they are. None if it is the service, a glossary or a style rule. */
  readonly options: Readonly<Record<string, { readonly before: unknown; readonly now: unknown }>>
}

/**
 * The result of an output of a source in one language. `unchanged` was right already, and was not touched; `withheld` is
 * not whole, and partial outputs were not asked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface Written extends Pick<Unmatched, "selection"> {
  /** The file, or another name of the output. */
  readonly output?: string | undefined
  readonly state: "written" | "unchanged" | "partial" | "withheld"
  readonly stale: ReadonlyArray<StaleUnit>
  /** Texts of the output whose author is not known: they stay as they are, and are not sent. @default none */
  readonly unknown?: NamedTexts | undefined
  /** Texts of a person that the output has no place for any more; those with a `text`, their source, are corrections in the store. @default none */
  readonly deleted?: ReadonlyArray<StaleUnit> | undefined
  /** The number of a person's translations, in the output or as corrections, that were kept; of an output that is updated. @default none */
  readonly byPersons?: number | undefined
  /** The number of a person's corrections that were read from an output of rows, and stored. @default none */
  readonly corrections?: number | undefined
}

/** The parts of a source that are not as they were chosen: the same in each language. */
export interface Unmatched {
  /** The fit of the columns or paths that were chosen, if not all do, or several were chosen. @default all of it is there */
  readonly selection?: Format.Selection | undefined
  /** Records that can't be read and count as failed, and the problems of the first 20. @default none */
  readonly unread?: { readonly records: number; readonly messages: ReadonlyArray<string> } | undefined
}

/**
 * The cost of translating a source into one language.
 *
 * @since 0.1.0
 * @category models
 */
export interface SourceForecast extends Forecast.Forecast, Unmatched {
  /** The number of cached texts that are known to be paid for without asking the store. @default none */
  readonly paid?: number | undefined
  /** The number of a person's translations of earlier sources, in an output that is updated. @default none */
  readonly stale?: number | undefined
  /** The number of texts of such an output whose author is not known. @default none */
  readonly unknown?: number | undefined
  /** The number of texts of such an output that the source does not have. @default none */
  readonly orphaned?: number | undefined
  /** Texts of such an output that are translated again, since they were made with other options. @default none */
  readonly otherChoices?: ReadonlyArray<OtherChoices> | undefined
  /** The number of such texts that are translated again, since they hold other terms of the glossary than before. @default none */
  readonly otherTerms?: number | undefined
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
   * Checks that it can be read and its outputs can be written; makes missing folders, sends nothing. Names the files that it
   * reads and writes: no two sources of a job may share any of them. A job asks all of its sources before it translates the
   * first. Without a store, an altered output of rows is refused. @default nothing is checked
   */
  readonly check?:
    | ((
        targets: ReadonlyArray<NamedLanguage>,
        hasStore?: boolean
      ) => Effect.Effect<ReadonlyArray<string>, E, R>)
    | undefined
  /**
   * The size in bytes of a local file, which is read at once, and whose texts may share requests with those of other sources.
   * @default its texts are sent alone
   */
  readonly size?: Effect.Effect<number | undefined, E, R> | undefined
  /**
   * The fit of the chosen columns or languages, for a job that asks all of its sources before it sends anything: nothing
   * unless several were chosen. @default only its end knows that
   */
  readonly selection?: Effect.Effect<Format.Selection | undefined | "later", E, R> | undefined
  /** Translates it, reading it once. An error of one language is its result, in their order. Fails if the source can't be read. */
  readonly translate: (
    translations: ReadonlyArray<Translation>
  ) => Effect.Effect<ReadonlyArray<Either.Either<Written, E | Outcome.StreamError | JobStopped>>, E, R>
  /** Forecasts its translation, for each language. Reads it once, and sends nothing. */
  readonly forecast: (
    forecasting: Forecasting
  ) => Effect.Effect<ReadonlyArray<SourceForecast>, E | Outcome.StreamError, R>
  /** Estimates its translation with an empty store, in less work than its forecast. @default its forecast without a store */
  readonly estimate?:
    | ((forecasting: Forecasting) => Effect.Effect<Estimate, E | Outcome.StreamError, R>)
    | undefined
}

/** The errors that end a translation, apart from those of its output. */
export type Ending<E> = E | Format.FormatError | Outcome.StreamError | JobStopped

/**
 * The errors of a source, or of several.
 *
 * @since 0.1.0
 * @category models
 */
export type ErrorOf<S> = S extends JobSource<infer E, infer _R> ? E : never

/**
 * The context of a source, or of several.
 *
 * @since 0.1.0
 * @category models
 */
export type ContextOf<S> = S extends JobSource<infer _E, infer R> ? R : never
