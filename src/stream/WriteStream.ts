/**
 * Streams of texts through text improvement: packed into full requests of 10,240 bytes, sent by a bounded number of
 * fibers, one outcome for each element. Improvements stand in outcomes where translations do.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import type * as Stream from "effect/Stream"
import * as Limits from "../api/Limits.js"
import * as Write from "../api/Write.js"
import * as TranslateClient from "../client/TranslateClient.js"
import type * as TranslateError from "../client/TranslateError.js"
import type * as ClientWrite from "../client/Write.js"
import type { Options, Requests } from "./internal/options.js"
import * as Row from "./internal/row.js"
import * as workers from "./internal/workers.js"
import type * as Outcome from "./Outcome.js"
import type * as TranslateStream from "./TranslateStream.js"

type RunOptions = Pick<TranslateStream.Options, "concurrency" | "unordered" | "progress" | "serviceLimits">

type Elements<A, T extends ReadonlyArray<Row.MaybeText>, B> = Pick<
  TranslateStream.OptionsWith<A, T, B>,
  "texts" | "replace"
>

/**
 * The options of rephrasing, and how it runs.
 *
 * @since 0.1.0
 * @category models
 */
export interface RephraseOptions extends Write.RephraseOptions, RunOptions {}

/**
 * The options of rephrasing, with the way texts leave and enter an element.
 *
 * @since 0.1.0
 * @category models
 */
export interface RephraseOptionsWith<A, T extends ReadonlyArray<Row.MaybeText>, B>
  extends RephraseOptions,
    Elements<A, T, B> {}

/**
 * The options of correction, and how it runs.
 *
 * @since 0.1.0
 * @category models
 */
export interface CorrectOptions extends Write.CorrectOptions, RunOptions {}

/**
 * The options of correction, with the way texts leave and enter an element.
 *
 * @since 0.1.0
 * @category models
 */
export interface CorrectOptionsWith<A, T extends ReadonlyArray<Row.MaybeText>, B>
  extends CorrectOptions,
    Elements<A, T, B> {}

type Improving<B, A, E, R> = Stream.Stream<
  Outcome.Outcome<B, A>,
  E | Outcome.StreamError,
  R | TranslateClient.TranslateClient
>

/** Runs elements through one of the two endpoints. The service limits the bytes of a body, not its texts. */
const run = <A, B, E, R, O, I>(
  self: Stream.Stream<A, E, R>,
  elements: Row.Elements<A, B>,
  requests: Pick<Requests<O, I>, "endpoint" | "options" | "schema" | "longest">,
  options: Options,
  send: (
    write: ClientWrite.Write,
    texts: ReadonlyArray<string>
  ) => Effect.Effect<ClientWrite.Improved, TranslateError.TranslateError>
): Improving<B, A, E, R> =>
  workers.run(
    self,
    elements,
    { ...requests, maxBytes: Limits.writeBodyBytes, maxTexts: Number.POSITIVE_INFINITY },
    { ...options, oversized: "fail" },
    Effect.map(
      TranslateClient.TranslateClient,
      ({ write }): workers.Send =>
        (texts) =>
          Effect.map(send(write, texts), ({ improvements, ...delivery }) => ({
            translations: improvements,
            ...delivery
          }))
    )
  )

const rephraseElements = <A, B, E, R>(
  self: Stream.Stream<A, E, R>,
  elements: Row.Elements<A, B>,
  { concurrency, progress, serviceLimits, unordered, ...options }: RephraseOptions
): Improving<B, A, E, R> =>
  run(
    self,
    elements,
    { endpoint: Write.rephrase, schema: Write.RephraseOptions, options, longest: "writingStyle" },
    { concurrency, progress, serviceLimits, unordered, targetLang: options.targetLang },
    (write, text) => write.rephrase({ ...options, text })
  )

const correctElements = <A, B, E, R>(
  self: Stream.Stream<A, E, R>,
  elements: Row.Elements<A, B>,
  { concurrency, progress, serviceLimits, unordered, ...options }: CorrectOptions
): Improving<B, A, E, R> =>
  run(
    self,
    elements,
    { endpoint: Write.correct, schema: Write.CorrectOptions, options, longest: "targetLang" },
    { concurrency, progress, serviceLimits, unordered, targetLang: options.targetLang },
    (write, text) => write.correct({ ...options, text })
  )

/**
 * Rephrases a stream of texts: spelling, grammar, wording, style or tone.
 *
 * Blanks are passed through unbilled. A text that fits into no request is a `Failed` outcome with `InvalidRequest`. The
 * stream fails with `InvalidRequest` before anything is pulled if an option breaks a rule; and after `Unauthorized` or
 * `QuotaExceeded`, once everything pulled has its outcome.
 *
 * Source: service specification, Endpoints, Text improvement.
 *
 * @since 0.1.0
 * @category combinators
 */
export const rephrase: {
  (options: RephraseOptions): <E, R>(self: Stream.Stream<string, E, R>) => Improving<string, string, E, R>
  <E, R>(self: Stream.Stream<string, E, R>, options: RephraseOptions): Improving<string, string, E, R>
} = dual(
  2,
  <E, R>(self: Stream.Stream<string, E, R>, options: RephraseOptions): Improving<string, string, E, R> =>
    rephraseElements(self, Row.texts, options)
)

/**
 * Rephrases the texts that a function finds in the elements of a stream, and puts them back with another.
 *
 * @since 0.1.0
 * @category combinators
 */
export const rephraseWith: {
  <A, T extends ReadonlyArray<Row.MaybeText>, B>(
    options: RephraseOptionsWith<A, T, B>
  ): <E, R>(self: Stream.Stream<A, E, R>) => Improving<B, A, E, R>
  <A, E, R, T extends ReadonlyArray<Row.MaybeText>, B>(
    self: Stream.Stream<A, E, R>,
    options: RephraseOptionsWith<A, T, B>
  ): Improving<B, A, E, R>
} = dual(
  2,
  <A, E, R, T extends ReadonlyArray<Row.MaybeText>, B>(
    self: Stream.Stream<A, E, R>,
    { replace, texts, ...options }: RephraseOptionsWith<A, T, B>
  ): Improving<B, A, E, R> => rephraseElements(self, Row.elements(texts, replace), options)
)

/**
 * Corrects a stream of texts: spelling and grammar only, with as few changes as possible. Outcomes and failures are those
 * of `rephrase`.
 *
 * Source: service specification, Endpoints, Text improvement.
 *
 * @since 0.1.0
 * @category combinators
 */
export const correct: {
  (options: CorrectOptions): <E, R>(self: Stream.Stream<string, E, R>) => Improving<string, string, E, R>
  <E, R>(self: Stream.Stream<string, E, R>, options: CorrectOptions): Improving<string, string, E, R>
} = dual(
  2,
  <E, R>(self: Stream.Stream<string, E, R>, options: CorrectOptions): Improving<string, string, E, R> =>
    correctElements(self, Row.texts, options)
)

/**
 * Corrects the texts that a function finds in the elements of a stream, and puts them back with another.
 *
 * @since 0.1.0
 * @category combinators
 */
export const correctWith: {
  <A, T extends ReadonlyArray<Row.MaybeText>, B>(
    options: CorrectOptionsWith<A, T, B>
  ): <E, R>(self: Stream.Stream<A, E, R>) => Improving<B, A, E, R>
  <A, E, R, T extends ReadonlyArray<Row.MaybeText>, B>(
    self: Stream.Stream<A, E, R>,
    options: CorrectOptionsWith<A, T, B>
  ): Improving<B, A, E, R>
} = dual(
  2,
  <A, E, R, T extends ReadonlyArray<Row.MaybeText>, B>(
    self: Stream.Stream<A, E, R>,
    { replace, texts, ...options }: CorrectOptionsWith<A, T, B>
  ): Improving<B, A, E, R> => correctElements(self, Row.elements(texts, replace), options)
)
