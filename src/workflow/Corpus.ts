/**
 * The corpus of a durable job, as every worker reaches it: files of a shared path, a table, or sources of your own.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import * as Violation from "../api/Violation.js"
import { TaggedError } from "../internal/taggedError.js"
import type { JobSource } from "../job/JobSource.js"

/**
 * Some texts of a source, one behind the other, which one worker translates in one step.
 *
 * @since 0.1.0
 * @category models
 */
export interface Slice {
  /** Where it is: a range of bytes or keys, as JSON. It is stored, and holds no text. */
  readonly reference: unknown
  /** About how many texts it has. */
  readonly texts: number
  /** About how many bytes, where texts may be long. @default texts are short */
  readonly bytes?: number | undefined
}

/**
 * Asked before each slice: about how many texts it should have.
 *
 * @since 0.1.0
 * @category models
 */
export type SliceSize = () => number

/**
 * A source of a job, whose translation writes its outputs.
 *
 * First its slices are translated by all workers, which fills the store. Then one worker translates the source as a whole, as a
 * `TranslationJob` does: it finds everything in the store, and writes the outputs. A source that is no more than a share of a worker is translated
 * as a whole at once.
 *
 * @since 0.1.0
 * @category models
 */
export interface Source<E = never, R = never> {
  /** The source. Its name is unique in the corpus, and the same on every machine. */
  readonly source: JobSource<E, R>
  /**
   * Cuts it into slices, in their order: reads it once. Of a source that is translated as a whole at once they only tell its size.
   * @default it is not cut, and one worker translates it
   */
  readonly slices?: ((size: SliceSize) => Stream.Stream<Slice, E, R>) | undefined
  /** The texts of a slice, as a source that writes nothing. They and their options are those of the source. */
  readonly slice?: ((reference: unknown) => JobSource<E, R>) | undefined
}

/**
 * The sources that a job translates.
 *
 * @since 0.1.0
 * @category models
 */
export interface Corpus<E = never, R = never> {
  readonly sources: ReadonlyArray<Source<E, R>>
}

/**
 * The reference of a job can't be read by the kind that it names, or no worker knows that kind.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidReference extends TaggedError<InvalidReference>()("InvalidReference", {
  /** The kind that the job names. */
  kind: Schema.String,
  message: Schema.String
}) {}

/**
 * A kind of corpus, which workers know by its name.
 *
 * An error of a source whose property `isRetryable` is `true` lets the job wait, as while the service is down; any other ends the output.
 *
 * @since 0.1.0
 * @category models
 */
export interface Kind<E = never, R = never> {
  readonly name: string
  /** Fails if jobs may not refer to that. It is asked when a job is submitted, so it opens nothing. */
  readonly check: (reference: unknown) => Effect.Effect<void, InvalidReference>
  /** Opens the corpus that a job refers to. It is called often, so it should be cheap. */
  readonly open: (reference: unknown) => Effect.Effect<Corpus<E, R>, E | InvalidReference, R>
}

/**
 * The kind that a job names.
 *
 * @internal
 */
export const kindOf = <K extends Pick<Kind, "name">>(
  kinds: ReadonlyArray<K>,
  name: string
): Effect.Effect<K, InvalidReference> => {
  const found = kinds.find((kind) => kind.name === name)
  return found === undefined
    ? Effect.fail(
        new InvalidReference({
          kind: name,
          message: `No worker knows the kind of corpus ${JSON.stringify(name)}: name one of ${kinds.map((kind) => kind.name).join(", ")}, or start workers that know it.`
        })
      )
    : Effect.succeed(found)
}

/**
 * The errors of a kind, or of several.
 *
 * @since 0.1.0
 * @category models
 */
export type ErrorOf<K> = K extends Kind<infer E, infer _R> ? E : never

/**
 * The context of a kind, or of several.
 *
 * @since 0.1.0
 * @category models
 */
export type ContextOf<K> = K extends Kind<infer _E, infer R> ? R : never

/**
 * Kinds of one type.
 *
 * @internal
 */
export const unified = <K extends Kind<unknown, unknown>>(
  kinds: ReadonlyArray<K>
): ReadonlyArray<Kind<ErrorOf<K>, ContextOf<K>>> => kinds as ReadonlyArray<Kind<ErrorOf<K>, ContextOf<K>>>

/**
 * Options for making a kind of corpus.
 *
 * @since 0.1.0
 * @category models
 */
export interface KindOptions<A, I, E, R> {
  /** The name that jobs have of it. */
  readonly name: string
  /** The reference of jobs to a corpus, as JSON. */
  readonly reference: Schema.Schema<A, I>
  /** Opens the corpus that a job refers to. It is called often, so it should be cheap. */
  readonly open: (reference: A) => Effect.Effect<Corpus<E, R>, E, R>
}

/**
 * A kind of corpus.
 *
 * @since 0.1.0
 * @category constructors
 */
export const kind: <A, I, E, R>(options: KindOptions<A, I, E, R>) => Kind<E, R> = ({
  name,
  open,
  reference
}) => {
  const decode = Schema.decodeUnknown(reference, { onExcessProperty: "error" })
  const read = (given: unknown) =>
    Effect.mapError(
      decode(given),
      ({ issue }) =>
        new InvalidReference({
          kind: name,
          message: `The corpus of the job can't be used: ${Violation.format(Violation.fromIssue(issue))}`
        })
    )
  return { name, check: read, open: (given) => Effect.flatMap(read(given), open) }
}
