import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Translator from "../../client/Translator.js"
import * as Forecast from "../../stream/Forecast.js"
import type * as Outcome from "../../stream/Outcome.js"
import * as Targets from "../../stream/Targets.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import * as Syntax from "../../text/Syntax.js"
import type * as JobSource from "./contract.js"
import * as halting from "./halting.js"
import { observedAll, observedTexts, type Text, telling } from "./observedOutcomes.js"

/**
 * The outcome of a row, with its key.
 *
 * @since 0.1.0
 * @category models
 */
export type RowOutcome<B, A = B> = Outcome.Outcome<B, A> & { readonly key: string }

/**
 * The errors that end the outcomes of rows early.
 *
 * @since 0.1.0
 * @category errors
 */
export type RowsError = Outcome.StreamError | JobSource.JobStopped

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
   * The part of a row that a language lacks: the row, one without the texts that it has already, or `undefined` if it
   * has all: then it neither translates nor writes the row. An output of which no row was written is `unchanged`.
   * @default every row is translated and written
   */
  readonly lacking?: ((row: A, targetLang: string) => A | undefined) | undefined
  /**
   * Writes the rows of a language: their outcomes come in the order of the rows, and none that is not stored. It may commit them in
   * groups. If the outcomes fail, those before were translated. Its own error ends this language only.
   */
  readonly write: (
    targetLang: string
  ) => (outcomes: Stream.Stream<RowOutcome<B, A>, RowsError>) => Effect.Effect<unknown, E2, R2>
}

type MaybeText = string | null | undefined

type Named = Pick<JobSource.UnitFailure, "source" | "key" | "line">

/** Where the texts of rows are, and where their translations go. */
export interface Rows<A, B, E, R, E2, R2> {
  readonly name: string
  readonly rows: Stream.Stream<A, E, R>
  readonly texts: (row: A) => ReadonlyArray<MaybeText>
  readonly translate: (
    options: TranslateStream.Options
  ) => (
    rows: Stream.Stream<A, JobSource.JobStopped>
  ) => Stream.Stream<Outcome.Outcome<B, A>, RowsError, Translator.Translator>
  readonly key: (row: A) => string
  /** Names the text at a position of a row. */
  readonly unitOf: (row: A, position: number) => Named
  /** Where the texts are that have a name. @default it is their position */
  readonly fields?: ReadonlyArray<string> | undefined
  readonly lacking?: ((row: A, targetLang: string) => A | undefined) | undefined
  readonly write: (
    targetLang: string
  ) => (outcomes: Stream.Stream<RowOutcome<B, A>, RowsError>) => Effect.Effect<unknown, E2, R2>
}

/** The texts of rows that a language lacks. */
const lackingIn =
  <A>(
    { lacking }: { readonly lacking?: ((row: A, targetLang: string) => A | undefined) | undefined },
    targetLang: string
  ) =>
  <E, R>(rows: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> =>
    lacking === undefined
      ? rows
      : Stream.filterMap(rows, (row) => Option.fromNullable(lacking(row, targetLang)))

/** The options of texts that are rows, unless they are from a file. */
const asRows = <O extends Omit<TranslateStream.Options, "targetLang">>(options: O): O => ({
  ...options,
  placeholders: options.placeholders ?? Syntax.ofRows,
  syntax: { place: "rows", html: true, ...options.syntax }
})

const isText = (text: MaybeText): boolean => typeof text === "string" && text.trim() !== ""

/** The rows up to the one that has the last text of a pilot. */
const limited =
  <A>(
    texts: (row: A) => ReadonlyArray<MaybeText>,
    limit: number | undefined,
    onLimit: () => void = () => undefined
  ) =>
  <E, R>(rows: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> => {
    if (limit === undefined) return rows
    let count = 0
    return Stream.takeUntil(rows, (row) => {
      count += texts(row).filter(isText).length
      if (count >= limit) onLimit()
      return count >= limit
    })
  }

type Texts<A, B> = Pick<Rows<A, B, never, never, never, never>, "fields" | "texts" | "unitOf">

const textsOf = <A, B>({ fields, texts, unitOf }: Texts<A, B>, row: A): ReadonlyArray<Text> =>
  texts(row).map((found, position) => {
    const text = found ?? undefined
    const field = fields?.[position] ?? position
    return { ...unitOf(row, position), field, text, kept: text, failed: text }
  })

/** Translates the rows into one language, and writes them as they come. */
export const pipeline =
  <A, B, E2, R2>(
    own: Omit<Rows<A, B, never, never, E2, R2>, "name" | "rows">,
    { halted, limit, observe, options, includeUnits }: JobSource.Translation
  ) =>
  (rows: Stream.Stream<A>): Effect.Effect<JobSource.Written, E2 | RowsError, R2 | Translator.Translator> =>
    Effect.suspend(() => {
      const { key, texts, translate, write } = own
      let isWhole = false
      let isLimited = false
      // Without `lacking` all rows are written, also if there are none.
      let isUnchanged = own.lacking !== undefined
      let error: RowsError | undefined
      const observed = (outcome: Outcome.Outcome<B, A>) =>
        observedTexts(outcome, textsOf(own, outcome.source), includeUnits)
      const outcomes = halting.failing(rows, halted, options).pipe(
        lackingIn(own, options.targetLang),
        limited(texts, limit, () => {
          isLimited = true
        }),
        translate(asRows(options)),
        telling(observe, (found) => {
          isUnchanged = false
          return {
            seen: Effect.succeed(observedAll(found, includeUnits, observed)),
            // An outcome is not shared yet; a copy of each would take time.
            values: found.map((outcome) => Object.assign(outcome, { key: key(outcome.source) }))
          }
        }),
        Stream.tapError((failure) =>
          Effect.sync(() => {
            error = failure
          })
        ),
        Stream.concat(
          Stream.execute(
            Effect.sync(() => {
              isWhole = true
            })
          )
        )
      )
      return Effect.context<Translator.Translator>().pipe(
        Effect.flatMap((context) => write(options.targetLang)(Stream.provideContext(outcomes, context))),
        Effect.flatMap(() =>
          // A sink may have taken the failure for the end.
          error === undefined
            ? Effect.succeed<JobSource.Written>({
                state: !isWhole || isLimited ? "partial" : isUnchanged ? "unchanged" : "written",
                stale: []
              })
            : Effect.fail(error)
        )
      )
    })

/** The forecast of the rows in one language. */
export const forecast =
  <A>(
    { texts, ...own }: Pick<Rows<A, never, never, never, never, never>, "lacking" | "texts">,
    { targetLang, ...options }: TranslateStream.Options,
    limit: number | undefined
  ) =>
  <E, R>(rows: Stream.Stream<A, E, R>) =>
    Effect.map(
      Forecast.forecastWith(limited(texts, limit)(lackingIn(own, targetLang)(rows)), {
        ...asRows(options),
        targets: [targetLang],
        texts
      }),
      ([forecast]) => forecast!
    )

/** A source of rows. The error that ends the outcomes is none of its own, though its sink may pass it on. */
export const make = <A, B, E, R, E2, R2>(
  rows: Rows<A, B, E, R, E2, R2>
): JobSource.JobSource<E | Exclude<E2, RowsError>, R | R2 | Translator.Translator> => ({
  name: rows.name,
  translate: (translations) =>
    Effect.map(
      Targets.run(
        halting.interruptWhen(rows.rows, translations[0]?.halted),
        translations.map(({ options }) => options.targetLang),
        (targetLang) => pipeline(rows, translations.find(({ options }) => options.targetLang === targetLang)!)
      ),
      (results) =>
        results.map(
          ({ result }) => result as Either.Either<JobSource.Written, Exclude<E2, RowsError> | RowsError>
        )
    ),
  forecast: ({ limit, targets }) =>
    Targets.run(
      rows.rows,
      targets.map(({ options }) => options.targetLang),
      (targetLang) =>
        forecast(rows, targets.find(({ options }) => options.targetLang === targetLang)!.options, limit)
    ).pipe(Effect.flatMap((results) => Either.all(results.map(({ result }) => result))))
})
