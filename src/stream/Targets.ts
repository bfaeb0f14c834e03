/**
 * Several target languages from one reading of the source. An error that ends one target leaves the others going.
 *
 * @since 0.1.0
 */
import type * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { dual, identity } from "effect/Function"
import * as Mailbox from "effect/Mailbox"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import { distribute, reader } from "./internal/distribute.js"
import * as Outcome from "./Outcome.js"

/**
 * An error has ended the translation into one language. Its elements that were not translated by then have no outcome.
 *
 * @since 0.1.0
 * @category models
 */
export interface TargetFailed<T, E> {
  readonly _tag: "TargetFailed"
  readonly targetLang: T
  readonly error: E
}

/**
 * An outcome that names its target.
 *
 * @since 0.1.0
 * @category models
 */
export type Named<T, O> = O & { readonly targetLang: T }

/**
 * The result of the translation into one language: the result of its pipeline, or the error that has ended it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Result<T, X, E> {
  readonly targetLang: T
  readonly result: Either.Either<X, E>
}

/**
 * A sum over the outcomes of one language.
 *
 * @since 0.1.0
 * @category models
 */
export interface Tally<T, E> extends Outcome.Tally {
  readonly targetLang: T
  /** The error that has ended the translation into this language before all elements were read. */
  readonly error: E | undefined
}

/**
 * A pipeline that reads the elements itself. Behind a buffer for readers nearly all of them outlive the young generation: the collector
 * takes two or three times as long.
 */
const alone = <A, E, R, T extends string, X, E2, R2>(
  self: Stream.Stream<A, E, R>,
  targetLang: T,
  pipeline: (elements: Stream.Stream<A>) => Effect.Effect<X, E2, R2>
): Effect.Effect<ReadonlyArray<Result<T, X, E2>>, E, R | R2> =>
  Effect.flatMap(Effect.context<R>(), (context) => {
    let failure: Cause.Cause<E> | undefined
    const elements = Stream.catchAllCause(Stream.provideContext(self, context), (cause) => {
      failure = cause
      return Stream.empty
    })
    return Effect.flatMap(Effect.either(pipeline(elements)), (result) =>
      failure === undefined ? Effect.succeed([{ targetLang, result }]) : Effect.failCause(failure)
    )
  })

/** Outcomes of all targets that may wait for the consumer. */
const capacity = 100

/**
 * Runs a pipeline for each target, all of them on one reading of the source.
 *
 * A target has at most 100 elements waiting for it, and of bytes 256 KiB; a target that is slower than that holds back the
 * others. One that has ended holds back nothing. The effect fails with the error of the source, once all pipelines have
 * ended with the elements before it. The error of a pipeline is in its result.
 *
 * @since 0.1.0
 * @category combinators
 */
export const run: {
  /**
   * Runs a pipeline for each target, all of them on one reading of the source.
   *
   * A target has at most 100 elements waiting for it, and of bytes 256 KiB; a target that is slower than that holds back the
   * others. One that has ended holds back nothing. The effect fails with the error of the source, once all pipelines have
   * ended with the elements before it. The error of a pipeline is in its result.
   */
  <const T extends string, A, X, E2, R2>(
    targets: ReadonlyArray<T>,
    pipeline: (targetLang: T) => (elements: Stream.Stream<A>) => Effect.Effect<X, E2, R2>
  ): <E, R>(self: Stream.Stream<A, E, R>) => Effect.Effect<ReadonlyArray<Result<T, X, E2>>, E, R | R2>
  /**
   * Runs a pipeline for each target, all of them on one reading of the source.
   *
   * A target has at most 100 elements waiting for it, and of bytes 256 KiB; a target that is slower than that holds back the
   * others. One that has ended holds back nothing. The effect fails with the error of the source, once all pipelines have
   * ended with the elements before it. The error of a pipeline is in its result.
   */
  <A, E, R, const T extends string, X, E2, R2>(
    self: Stream.Stream<A, E, R>,
    targets: ReadonlyArray<T>,
    pipeline: (targetLang: T) => (elements: Stream.Stream<A>) => Effect.Effect<X, E2, R2>
  ): Effect.Effect<ReadonlyArray<Result<T, X, E2>>, E, R | R2>
} = dual(
  3,
  <A, E, R, T extends string, X, E2, R2>(
    self: Stream.Stream<A, E, R>,
    targets: ReadonlyArray<T>,
    pipeline: (targetLang: T) => (elements: Stream.Stream<A>) => Effect.Effect<X, E2, R2>
  ): Effect.Effect<ReadonlyArray<Result<T, X, E2>>, E, R | R2> => {
    const [only] = targets
    if (only !== undefined && targets.length === 1) return alone(self, only, pipeline(only))
    return Effect.flatMap(
      Effect.forEach(targets, (targetLang) => reader(identity<Chunk.Chunk<A>>, pipeline(targetLang))),
      (readers) =>
        distribute(self, readers, () =>
          Effect.forEach(
            readers,
            ({ read }, index) =>
              Effect.map(Effect.either(read), (result) => ({ targetLang: targets[index]!, result })),
            { concurrency: "unbounded" }
          )
        )
    )
  }
)

/**
 * Translates a stream into several languages by any operator that makes outcomes, on one reading of the source: see {@link run}.
 *
 * The outcomes of a target are in the order of its operator; those of several targets mix. An error that ends a target is
 * emitted as `TargetFailed`, after the outcomes of that target. The stream fails with the error of the source.
 *
 * @since 0.1.0
 * @category combinators
 */
export const translate: {
  /**
   * Translates a stream into several languages by any operator that makes outcomes, on one reading of the source: see {@link run}.
   *
   * The outcomes of a target are in the order of its operator; those of several targets mix. An error that ends a target is
   * emitted as `TargetFailed`, after the outcomes of that target. The stream fails with the error of the source.
   */
  <const T extends string, A, O extends Outcome.Outcome<unknown, unknown, unknown>, E2, R2>(
    targets: ReadonlyArray<T>,
    operator: (targetLang: T) => (elements: Stream.Stream<A>) => Stream.Stream<O, E2, R2>
  ): <E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<Named<T, O> | TargetFailed<T, E2>, E, R | R2>
  /**
   * Translates a stream into several languages by any operator that makes outcomes, on one reading of the source: see {@link run}.
   *
   * The outcomes of a target are in the order of its operator; those of several targets mix. An error that ends a target is
   * emitted as `TargetFailed`, after the outcomes of that target. The stream fails with the error of the source.
   */
  <A, E, R, const T extends string, O extends Outcome.Outcome<unknown, unknown, unknown>, E2, R2>(
    self: Stream.Stream<A, E, R>,
    targets: ReadonlyArray<T>,
    operator: (targetLang: T) => (elements: Stream.Stream<A>) => Stream.Stream<O, E2, R2>
  ): Stream.Stream<Named<T, O> | TargetFailed<T, E2>, E, R | R2>
} = dual(
  3,
  <A, E, R, T extends string, O extends Outcome.Outcome<unknown, unknown, unknown>, E2, R2>(
    self: Stream.Stream<A, E, R>,
    targets: ReadonlyArray<T>,
    operator: (targetLang: T) => (elements: Stream.Stream<A>) => Stream.Stream<O, E2, R2>
  ): Stream.Stream<Named<T, O> | TargetFailed<T, E2>, E, R | R2> =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const out = yield* Mailbox.make<Named<T, O> | TargetFailed<T, E2>, E>(capacity)
        const pipeline = (targetLang: T) => (elements: Stream.Stream<A>) =>
          Stream.runForEachChunk(operator(targetLang)(elements), (outcomes) =>
            out.offerAll(Chunk.map(outcomes, (outcome) => ({ ...outcome, targetLang })))
          ).pipe(Effect.tapError((error) => out.offer({ _tag: "TargetFailed", targetLang, error })))
        yield* run(self, targets, pipeline).pipe(
          Effect.exit,
          Effect.flatMap((exit) => out.done(Exit.asVoid(exit))),
          Effect.forkScoped
        )
        return Mailbox.toStream(out)
      })
    )
)

/**
 * Adds up the outcomes of each target, in the order of the targets.
 *
 * @since 0.1.0
 * @category combinators
 */
export const tally = <const T extends string, E>(
  targets: ReadonlyArray<T>
): Sink.Sink<
  ReadonlyArray<Tally<T, E>>,
  Named<T, Outcome.Outcome<unknown, unknown, unknown>> | TargetFailed<T, E>
> =>
  Sink.suspend(() => {
    const sums = new Map(
      targets.map((targetLang): [T, Tally<T, E>] => [
        targetLang,
        { targetLang, error: undefined, ...Outcome.zero }
      ])
    )
    return Sink.forEachChunk(
      (events: Chunk.Chunk<Named<T, Outcome.Outcome<unknown, unknown, unknown>> | TargetFailed<T, E>>) =>
        Effect.sync(() => {
          for (const event of events) {
            const sum = sums.get(event.targetLang)
            if (sum === undefined) continue
            sums.set(
              event.targetLang,
              event._tag === "TargetFailed"
                ? { ...sum, error: event.error }
                : { ...sum, ...Outcome.add(sum, event) }
            )
          }
        })
    ).pipe(Sink.map(() => Array.from(sums.values())))
  })
