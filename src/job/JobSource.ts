/**
 * What a job translates: something that is read once for all languages, and knows where its translations go. A file is one, and so
 * is a table or a queue.
 *
 * @since 0.1.0
 */
import type * as Deferred from "effect/Deferred"
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import type * as Stream from "effect/Stream"
import type * as LanguageCode from "../api/LanguageCode.js"
import * as taggedError from "../internal/taggedError.js"
import type * as Forecast from "../stream/Forecast.js"
import type * as Outcome from "../stream/Outcome.js"
import * as TranslateStream from "../stream/TranslateStream.js"
import type * as Translator from "../stream/Translator.js"
import * as halting from "./internal/halting.js"
import * as internal from "./internal/rows.js"

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export const TypeId: unique symbol = Symbol.for("effect-translate/JobSource")

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export type TypeId = typeof TypeId

const error = taggedError.make(TypeId)

/**
 * The job has ended, for a reason that is no fault of this source: no output is written any more.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobStopped extends error<JobStopped>()(
  "JobStopped",
  {},
  () => "The job has ended before this output was whole: run the same again once its cause is mended."
) {}

/**
 * Whether a value is a `JobStopped`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isJobStopped = (value: unknown): value is JobStopped => Predicate.hasProperty(value, TypeId)

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
 * What became of the texts of one element.
 *
 * @since 0.1.0
 * @category models
 */
export interface Observed {
  readonly texts: Outcome.Texts
  readonly cost: Outcome.Cost
  readonly failures: ReadonlyArray<UnitFailure>
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
   * {@link untilHalted} does that. @default never
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
  ) => Effect.Effect<ReadonlyArray<Forecast.Forecast>, E | Outcome.StreamError, R>
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

/**
 * Sources of one type.
 *
 * @internal
 */
export const unified = <S extends JobSource<unknown, unknown>>(
  sources: ReadonlyArray<S>
): ReadonlyArray<JobSource<ErrorOf<S>, ContextOf<S>>> =>
  sources as ReadonlyArray<JobSource<ErrorOf<S>, ContextOf<S>>>

/**
 * The elements of a source until the job is to end in good order: then it fails with `JobStopped`, also if it waits for an element. Those
 * before it go on through the operators of streams, and get their outcomes.
 *
 * @since 0.1.0
 * @category combinators
 */
export const untilHalted =
  ({ halted }: Pick<Translation, "halted">) =>
  <A, E, R>(self: Stream.Stream<A, E, R>): Stream.Stream<A, E | JobStopped, R> =>
    halted === undefined ? self : halting.failing(halting.ending(self, halted), halted)

/**
 * What became of a row, with its key.
 *
 * @since 0.1.0
 * @category models
 */
export type RowOutcome<B, A = B> = Outcome.Outcome<B, A> & { readonly key: string }

/**
 * What ends the outcomes of rows before the last of them.
 *
 * @since 0.1.0
 * @category errors
 */
export type RowsError = Outcome.StreamError | JobStopped

/**
 * Rows with keys, and where their translations go.
 *
 * @since 0.1.0
 * @category models
 */
export interface RowsOptions<A, B, E, R, E2, R2> {
  /** Names the rows in reports and failed units. */
  readonly name: string
  /** The rows: read once for all languages. A job that goes on reads those that it has not written yet. */
  readonly rows: Stream.Stream<A, E, R>
  /** Names a row in failed units. */
  readonly key: (row: A) => string
  /**
   * Writes the rows of a language: their outcomes come in the order of the rows, and none that is not stored. It may commit them in
   * groups. If the outcomes fail, those before were translated. Its own error ends this language only.
   */
  readonly write: (
    targetLang: string
  ) => (outcomes: Stream.Stream<RowOutcome<B, A>, RowsError>) => Effect.Effect<unknown, E2, R2>
}

/**
 * Rows of which some fields are translated: those of a table, or the messages of a queue. The failure of a text is named by the key
 * of its row, and by its field if several are translated: `17.title`.
 *
 * With `limit`, the row that holds the last text is translated as a whole.
 *
 * @since 0.1.0
 * @category constructors
 */
export const rows = <A extends object, E, R, E2, R2, const K extends TranslateStream.TextField<A>>({
  fields,
  key,
  name,
  rows,
  write
}: RowsOptions<A, A, E, R, E2, R2> & {
  /** The fields that are translated. */
  readonly fields: ReadonlyArray<K>
}): JobSource<E | Exclude<E2, RowsError>, R | R2 | Translator.Translator> =>
  internal.make({
    name,
    rows,
    key,
    write,
    fields,
    texts: (row) => fields.map((field) => row[field] as string | null | undefined),
    translate: (options) => (self) => TranslateStream.translateFields(self, fields, options),
    unitOf: (row, position) => ({
      key: fields.length === 1 ? key(row) : `${key(row)}.${fields[position]}`
    })
  })

/**
 * Rows of which a function finds the texts: {@link rows} for what is no field. Several texts of a row are named by their positions:
 * `17.0`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const rowsWith = <A, B, E, R, E2, R2, T extends ReadonlyArray<string | null | undefined>>({
  key,
  name,
  replace,
  rows,
  texts,
  write
}: RowsOptions<A, B, E, R, E2, R2> & {
  /** The texts of a row; blanks, `null` and `undefined` are skipped. */
  readonly texts: (row: A) => T
  /** Makes the result from the row and its texts, translated where they were. */
  readonly replace: (row: A, texts: T) => B
}): JobSource<E | Exclude<E2, RowsError>, R | R2 | Translator.Translator> =>
  internal.make({
    name,
    rows,
    key,
    write,
    texts,
    translate: (options) => TranslateStream.translateWith({ ...options, texts, replace }),
    unitOf: (row, position) => ({
      key: texts(row).length === 1 ? key(row) : `${key(row)}.${position}`
    })
  })
