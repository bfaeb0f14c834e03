/**
 * Texts that were not translated, or whose translations look wrong, one JSON object a line: why, and where they are. A person may fill in corrections, and a job
 * takes them as a source, to translate them again. Queues of messages call such a list a dead letter queue.
 *
 * @since 0.1.0
 */
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import { dual } from "effect/Function"
import * as Option from "effect/Option"
import type * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Violation from "../api/Violation.js"
import * as Lines from "../format/Lines.js"
import { is, TaggedError } from "../internal/taggedError.js"
import { isBlank } from "../internal/texts.js"
import type * as TranslationStore from "../store/TranslationStore.js"
import { distribute, reader } from "./internal/distribute.js"
import * as file from "./internal/failedUnitsFile.js"
import * as Outcome from "./Outcome.js"
import * as TranslateSchema from "./TranslateSchema.js"

/**
 * A text that was not translated, or whose translation looks wrong.
 *
 * @since 0.1.0
 * @category schemas
 */
export const FailedUnit = Schema.Struct({
  /** The name of its source. */
  source: Schema.String,
  /** Names the text in its source. */
  key: Schema.String,
  /** Where it begins, in a source that has lines. */
  line: Schema.optional(Schema.Number),
  targetLang: Schema.String,
  sourceLang: Schema.optional(Schema.String),
  /** The text of the source; none for a record that could not be read. */
  text: Schema.optional(Schema.String),
  /** The tag of the error, or `Flagged`. */
  reason: Schema.String,
  /** The error's message, with advice; or the finding of a check. */
  message: Schema.String,
  /** The names of the checks that have refused its translation. */
  checks: Schema.optional(Schema.Array(Schema.String)),
  /** The translation that looks wrong, and was kept. */
  translation: Schema.optional(Schema.String),
  /** The findings of checks in it. */
  findings: Schema.optional(Schema.Array(TranslateSchema.Finding)),
  /**
   * Characters of attempts whose result is unknown. They may have been billed, and are billed again if the text is sent again. Those
   * of several texts of an element are all at the first one.
   */
  ambiguousCharacters: Schema.Number,
  /** A translation that a person has filled in: see {@link corrections}. */
  correction: Schema.optional(Schema.String),
  /** True if a person says that the translation is right: see `OutputCheck.acceptUnits`. @default false */
  accepted: Schema.optional(Schema.Boolean)
})

/**
 * A text that was not translated, or whose translation looks wrong.
 *
 * @since 0.1.0
 * @category models
 */
export interface FailedUnit extends Schema.Schema.Type<typeof FailedUnit> {}

/**
 * A line is no failed unit. The message names the file and the line, and holds nothing of the line.
 *
 * @since 0.1.0
 * @category errors
 */
export class FailedUnitsError extends TaggedError<FailedUnitsError>()("FailedUnitsError", {
  file: Schema.String,
  /** Counts from 1. */
  line: Schema.Number,
  message: Schema.String
}) {}

/**
 * Returns `true` for a `FailedUnitsError`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isFailedUnitsError = is(FailedUnitsError)

/**
 * The error of a text, of any kind.
 *
 * @since 0.1.0
 * @category models
 */
export interface TextError {
  readonly _tag: string
  readonly message: string
  /** The names of the checks that have refused its translation. @default none */
  readonly checks?: ReadonlyArray<string> | undefined
}

/**
 * The units of failures: of several texts of an element the first one has the characters of unknown attempts.
 *
 * @internal
 */
export const ofFailures = <U extends object>(
  failures: ReadonlyArray<U & { readonly error: TextError }>,
  ambiguousCharacters: number
) =>
  failures.map(({ error, ...unit }, index) => ({
    ...unit,
    reason: error._tag,
    message: error.message,
    checks: error.checks,
    ambiguousCharacters: index === 0 ? ambiguousCharacters : 0
  }))

/**
 * Where the elements of a stream are from.
 *
 * @since 0.1.0
 * @category models
 */
export interface Origin<A> extends Pick<FailedUnit, "source" | "sourceLang" | "targetLang"> {
  /** Names an element. */
  readonly key: (element: A) => string
  /** The texts of an element, as `translateWith` takes them. @default the element itself, or its fields */
  readonly texts?: ((element: A) => ReadonlyArray<string | null | undefined>) | undefined
}

const textIn = (element: unknown, field: string | number): string | undefined => {
  const text = typeof element === "string" ? element : (element as Readonly<Record<string, unknown>>)[field]
  return typeof text === "string" ? text : undefined
}

/**
 * The texts of an element that were not translated. Each is named by the key of its element, and by its field if the element has several
 * texts: `17.title`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofOutcome = <A>(
  origin: Origin<A>
): (<B, E extends TextError>(failed: Outcome.Failed<B, A, E>) => ReadonlyArray<FailedUnit>) => {
  const { key, texts, ...others } = origin
  return ({ cost, failures, source, translations }) =>
    ofFailures(
      failures.map(({ error, field }) => ({
        ...others,
        key: translations.length === 1 ? key(source) : `${key(source)}.${field}`,
        text: textIn(texts?.(source) ?? source, field),
        error
      })),
      cost.ambiguousCharacters
    )
}

const encoder = new TextEncoder()

const toJson = Schema.encodeSync(Schema.parseJson(FailedUnit))

const fromJson = Schema.decodeEither(Schema.parseJson(FailedUnit))

/**
 * Writes units, one a line.
 *
 * @since 0.1.0
 * @category codecs
 */
export const encode = <E, R>(self: Stream.Stream<FailedUnit, E, R>): Stream.Stream<Uint8Array, E, R> =>
  Stream.map(self, (unit) => encoder.encode(`${toJson(unit)}\n`))

/**
 * Reads units, one a line. Blank lines pass. `file` names the input in errors.
 *
 * @since 0.1.0
 * @category codecs
 */
export const decode =
  (file = "failed units") =>
  <E, R>(self: Stream.Stream<Uint8Array, E, R>): Stream.Stream<FailedUnit, E | FailedUnitsError, R> =>
    self.pipe(
      Lines.decode(),
      Stream.mapError((error) =>
        Lines.isLinesError(error)
          ? new FailedUnitsError({ file, line: error.line, message: `${file}: ${error.message}` })
          : error
      ),
      Stream.zipWithIndex,
      Stream.filter(([line]) => line.trim() !== ""),
      Stream.mapChunksEffect((lines) =>
        Effect.map(
          Effect.forEach(lines, ([line, index]) =>
            Either.mapLeft(
              fromJson(line),
              ({ issue }) =>
                new FailedUnitsError({
                  file,
                  line: index + 1,
                  message: `${file}, line ${index + 1} is no failed unit: ${Violation.format(Violation.fromIssue(issue))}`
                })
            )
          ),
          Chunk.unsafeFromArray
        )
      )
    )

/**
 * Options of `toFile`: the units of an earlier job that stay in the file.
 *
 * @since 0.1.0
 * @category models
 */
export interface ToFileOptions<A, E> {
  /**
   * Asked when the job has ended, for each unit of the file that is there. Units that stay come after those of the job.
   *
   * @default none stays
   */
  readonly keep?: ((exit: Exit.Exit<A, E>) => Predicate.Predicate<FailedUnit>) | undefined
}

/** The lines of a file that is there, as far as they are kept. A line that is no unit is left out. */
const keptLines = (path: string, keep: Predicate.Predicate<FailedUnit>) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      return (yield* fs.exists(path))
        ? fs.stream(path).pipe(
            Lines.decode(),
            Stream.filter((line) => Option.exists(Either.getRight(fromJson(line)), keep)),
            Stream.catchTag("LinesError", () => Stream.empty)
          )
        : Stream.empty
    })
  )

/**
 * Writes the units of a job into a file: `use` gets a function that takes them, the callback `onFailed` of a job. The
 * file gets its name when the job has ended, however it ends. It replaces the one that is there, whose corrections are
 * to be given to the store before; a job without failed units removes that, if it succeeds, and leaves it alone
 * otherwise. Units of it that `keep` names stay.
 *
 * @since 0.1.0
 * @category combinators
 */
export const toFile: <A, E, R>(
  path: string,
  use: (
    onFailed: (unit: FailedUnit) => Effect.Effect<void, PlatformError.PlatformError>
  ) => Effect.Effect<A, E, R>,
  options?: ToFileOptions<A, E>
) => Effect.Effect<A, E | PlatformError.PlatformError, R | FileSystem.FileSystem | Path.Path> = (
  path,
  use,
  { keep } = {}
) =>
  file.write(
    path,
    (write) => use((unit) => write(toJson(unit))),
    (exit) => (keep === undefined ? Stream.empty : keptLines(path, keep(exit)))
  )

/**
 * Corrections that a person has filled in.
 *
 * @internal
 */
export const correctionsOf = (
  units: ReadonlyArray<Pick<FailedUnit, "correction" | "sourceLang" | "targetLang" | "text">>,
  at: DateTime.Utc
): ReadonlyArray<TranslationStore.Correction> =>
  units.flatMap(({ correction = "", sourceLang, targetLang, text = "" }) =>
    isBlank(text) || isBlank(correction)
      ? []
      : [{ source: text, translation: correction, sourceLang, targetLang, at }]
  )

/**
 * The translations that a person has filled in, for `correct` of the store. The same job again writes these
 * translations.
 *
 * @since 0.1.0
 * @category combinators
 */
export const corrections = <E, R>(
  failed: Stream.Stream<FailedUnit, E, R>
): Stream.Stream<TranslationStore.Correction, E, R> =>
  Stream.mapChunksEffect(failed, (units) =>
    Effect.map(DateTime.now, (at) => Chunk.unsafeFromArray(correctionsOf(Chunk.toReadonlyArray(units), at)))
  )

/**
 * The sinks for the elements of a stream: for those that were translated or had no text, and for those that have failed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Split<B, A, F, X, E1, R1, Y, E2, R2> {
  /** Takes the elements with their translations. */
  readonly good: (values: Stream.Stream<B>) => Effect.Effect<X, E1, R1>
  /** Takes the failed ones. `FailedUnits.ofOutcome` lists their texts. */
  readonly failed: (outcomes: Stream.Stream<Outcome.Failed<B, A, F>>) => Effect.Effect<Y, E2, R2>
}

/**
 * Runs good and failed elements into two sinks, in one pass. At most 100 elements wait for each; a sink that has ended holds
 * nothing back.
 *
 * When the stream fails, both sinks end with the elements before the error; then the effect fails with it. When a sink fails, the
 * other one ends with its elements so far; then the effect fails with that error.
 *
 * @since 0.1.0
 * @category combinators
 */
export const split: {
  /**
   * Runs good and failed elements into two sinks, in one pass. At most 100 elements wait for each; a sink that has ended holds
   * nothing back.
   *
   * When the stream fails, both sinks end with the elements before the error; then the effect fails with it. When a sink fails, the
   * other one ends with its elements so far; then the effect fails with that error.
   */
  <B, A, F, X, E1, R1, Y, E2, R2>(
    sinks: Split<B, A, F, X, E1, R1, Y, E2, R2>
  ): <E, R>(
    self: Stream.Stream<Outcome.Outcome<B, A, F>, E, R>
  ) => Effect.Effect<{ readonly good: X; readonly failed: Y }, E | E1 | E2, R | R1 | R2>
  /**
   * Runs good and failed elements into two sinks, in one pass. At most 100 elements wait for each; a sink that has ended holds
   * nothing back.
   *
   * When the stream fails, both sinks end with the elements before the error; then the effect fails with it. When a sink fails, the
   * other one ends with its elements so far; then the effect fails with that error.
   */
  <B, A, F, E, R, X, E1, R1, Y, E2, R2>(
    self: Stream.Stream<Outcome.Outcome<B, A, F>, E, R>,
    sinks: Split<B, A, F, X, E1, R1, Y, E2, R2>
  ): Effect.Effect<{ readonly good: X; readonly failed: Y }, E | E1 | E2, R | R1 | R2>
} = dual(
  2,
  <B, A, F, E, R, X, E1, R1, Y, E2, R2>(
    self: Stream.Stream<Outcome.Outcome<B, A, F>, E, R>,
    sinks: Split<B, A, F, X, E1, R1, Y, E2, R2>
  ): Effect.Effect<{ readonly good: X; readonly failed: Y }, E | E1 | E2, R | R1 | R2> =>
    Effect.gen(function* () {
      const good = yield* reader(
        Chunk.filterMap((outcome: Outcome.Outcome<B, A, F>) =>
          Outcome.isFailed(outcome) ? Option.none() : Option.some(outcome.value)
        ),
        sinks.good
      )
      const failed = yield* reader(
        (outcomes: Chunk.Chunk<Outcome.Outcome<B, A, F>>) => Chunk.filter(outcomes, Outcome.isFailed),
        sinks.failed
      )
      const results = yield* distribute(self, [good, failed], (stop) =>
        Effect.all(
          { good: Effect.tapError(good.read, () => stop), failed: Effect.tapError(failed.read, () => stop) },
          { concurrency: "unbounded", mode: "either" }
        )
      )
      return yield* Effect.all(results)
    })
)
