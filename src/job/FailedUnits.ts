/**
 * Texts that a job did not translate, or whose translations look wrong, one JSON object a line: why, and where they are. A person may fill in corrections, and a job
 * takes them as a source, to translate them again.
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
import * as Option from "effect/Option"
import type * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Violation from "../api/Violation.js"
import * as Lines from "../format/Lines.js"
import { is, TaggedError } from "../internal/taggedError.js"
import type * as TranslationStore from "../store/TranslationStore.js"
import * as Codec from "../stream/Codec.js"
import type * as Translator from "../stream/Translator.js"
import { correctionsOf } from "./internal/corrections.js"
import * as file from "./internal/failedUnitsFile.js"
import * as failedUnitsSource from "./internal/failedUnitsSource.js"
import { unified } from "./internal/sourceContract.js"
import type * as JobSource from "./JobSource.js"

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
  /** None for what could not be read. */
  text: Schema.optional(Schema.String),
  /** The tag of the error, or `Flagged`. */
  reason: Schema.String,
  /** What the error says, and what to do next; or what looks wrong. */
  message: Schema.String,
  /** The translation that looks wrong, and was kept. */
  translation: Schema.optional(Schema.String),
  /** What looks wrong in it. */
  findings: Schema.optional(Schema.Array(Codec.Finding)),
  /**
   * Characters of attempts whose result is unknown. They may have been billed, and are billed again if the text is sent again. Those
   * of several texts of an element are all at the first one.
   */
  ambiguousCharacters: Schema.Number,
  /** A translation that a person has filled in: see {@link corrections}. */
  correction: Schema.optional(Schema.String)
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
 * Whether a value is a `FailedUnitsError`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isFailedUnitsError = is(FailedUnitsError)

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
 * What of the file of an earlier job stays in that of this one.
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
 * Writes the units of a job into a file: `use` gets what takes them, the callback `onFailed` of a job. The file gets its name when the
 * job has ended, however it ends. It replaces the one that is there, whose corrections are to be given to the store before; a job
 * without failed units removes that, if it succeeds, and leaves it alone otherwise. Units of it that `keep` names stay.
 *
 * @since 0.1.0
 * @category combinators
 */
export const toFile = <A, E, R>(
  path: string,
  use: (
    onFailed: (unit: FailedUnit) => Effect.Effect<void, PlatformError.PlatformError>
  ) => Effect.Effect<A, E, R>,
  { keep }: ToFileOptions<A, E> = {}
): Effect.Effect<A, E | PlatformError.PlatformError, R | FileSystem.FileSystem | Path.Path> =>
  file.write(
    path,
    (write) => use((unit) => write(toJson(unit))),
    (exit) => (keep === undefined ? Stream.empty : keptLines(path, keep(exit)))
  )

/**
 * What a person has filled in, for `correct` of the store. The same job again writes these translations.
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
 * A source of exactly these units, each into its own language only: targets of the job that no unit names get nothing. It writes
 * nothing; translations go to the store, where the job that failed finds them. The units are held in memory.
 *
 * `of` are the sources that they come from: the units are sent with the same options, such as the placeholders of a format, which
 * the store tells apart. What has options of its own in a source, as the context of a unit, is translated without them, and paid again
 * by the job that failed.
 *
 * @since 0.1.0
 * @category constructors
 */
export const source = <E, R, S extends JobSource.JobSource<unknown, unknown> = JobSource.JobSource>({
  name = "failed units",
  of = [],
  units: failed
}: {
  /** Names the source in reports. @default "failed units" */
  readonly name?: string | undefined
  readonly units: Stream.Stream<FailedUnit, E, R>
  /** @default none: the options of the job */
  readonly of?: ReadonlyArray<S> | undefined
}): JobSource.JobSource<E | JobSource.ErrorOf<S>, R | JobSource.ContextOf<S> | Translator.Translator> =>
  failedUnitsSource.source(name, Effect.map(Stream.runCollect(failed), Chunk.toReadonlyArray), unified(of))
