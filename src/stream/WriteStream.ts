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
import { without } from "../internal/ownOptions.js"
import type { Namespace } from "../store/TranslationStore.js"
import * as Row from "./internal/element.js"
import { type Requests, running } from "./internal/options.js"
import { type Connection, runStream } from "./internal/runStream.js"
import * as writeNamespace from "./internal/writeNamespace.js"
import type * as Outcome from "./Outcome.js"
import type * as TranslateStream from "./TranslateStream.js"

interface RunOptions
  extends Pick<
    TranslateStream.Options,
    "concurrency" | "unordered" | "linger" | "progress" | "serviceLimits" | "store" | "verify"
  > {
  /** Most texts of a request. @default as many as fit into a body */
  readonly maxTexts?: number | undefined
  /** Most bytes of a body; a text that takes more by itself is sent alone. @default 10240, the most that the service takes */
  readonly maxBytes?: number | undefined
}

type Elements<A, T extends ReadonlyArray<TranslateStream.MaybeText>, B> = Pick<
  TranslateStream.OptionsWith<A, T, B>,
  "texts" | "replace" | "maxCharacters" | "known"
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
export interface RephraseOptionsWith<A, T extends ReadonlyArray<TranslateStream.MaybeText>, B>
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
export interface CorrectOptionsWith<A, T extends ReadonlyArray<TranslateStream.MaybeText>, B>
  extends CorrectOptions,
    Elements<A, T, B> {}

interface Request extends RunOptions {
  readonly targetLang?: string | undefined
}

const requestOf = without<keyof RunOptions>(running)

/** Sends elements to an endpoint. The service limits the bytes of a body, not its texts. */
const improving =
  <O extends Request, Q, I>(
    requests: Pick<Requests<Q, I>, "endpoint" | "schema" | "longest">,
    requestOf: (options: O) => Q,
    send: (
      write: ClientWrite.Write,
      request: Q & { readonly text: ReadonlyArray<string> }
    ) => Effect.Effect<ClientWrite.Improved, TranslateError.TranslateError>,
    namespaceOf: (
      endpoint: Requests<Q, I>["endpoint"],
      options: O,
      identity: TranslateClient.Identity
    ) => Namespace
  ) =>
  <A, B, E, R>(self: Stream.Stream<A, E, R>, options: O, elements: Row.Elements<A, B>) => {
    const request = requestOf(options)
    return runStream(
      self,
      elements,
      {
        ...requests,
        options: request,
        maxBytes: Limits.writeBodyBytes,
        maxTexts: Number.POSITIVE_INFINITY
      },
      { ...options, oversized: "fail" },
      Effect.map(
        TranslateClient.TranslateClient,
        ({ identity, kind, write }): Connection => ({
          kind,
          send: (text) =>
            Effect.map(send(write, { ...request, text }), ({ improvements, ...delivery }) => ({
              translations: improvements,
              ...delivery
            })),
          namespace: Effect.sync(() => namespaceOf(requests.endpoint, options, identity))
        })
      )
    )
  }

const rephrasing = improving(
  { endpoint: Write.rephrase, schema: Write.RephraseOptions, longest: "writingStyle" },
  (options: RephraseOptions) => requestOf(options),
  (write, request) => write.rephrase(request),
  writeNamespace.ofRephrasing
)

const correcting = improving(
  { endpoint: Write.correct, schema: Write.CorrectOptions, longest: "targetLang" },
  (options: CorrectOptions) => requestOf(options),
  (write, request) => write.correct(request),
  writeNamespace.ofCorrection
)

/**
 * Rephrases a stream of texts: spelling, grammar, wording, style or tone.
 *
 * Blank texts are passed through unbilled, and so is whitespace around a text. A text that fits into no request is a
 * `Failed` outcome with `InvalidRequest`. The stream fails with `InvalidRequest` before anything is pulled if an option
 * breaks a rule; and after `Unauthorized` or `QuotaExceeded`, once everything pulled has its outcome.
 *
 * Source: service specification, Endpoints, Text improvement.
 *
 * @since 0.1.0
 * @category combinators
 */
export const rephrase: {
  /**
   * Rephrases a stream of texts: spelling, grammar, wording, style or tone.
   *
   * Blank texts are passed through unbilled, and so is whitespace around a text. A text that fits into no request is a
   * `Failed` outcome with `InvalidRequest`. The stream fails with `InvalidRequest` before anything is pulled if an option
   * breaks a rule; and after `Unauthorized` or `QuotaExceeded`, once everything pulled has its outcome.
   *
   * Source: service specification, Endpoints, Text improvement.
   */
  (
    options: RephraseOptions
  ): <E, R>(
    self: Stream.Stream<string, E, R>
  ) => Stream.Stream<
    Outcome.Outcome<string, string>,
    E | Outcome.StreamError,
    R | TranslateClient.TranslateClient
  >
  /**
   * Rephrases a stream of texts: spelling, grammar, wording, style or tone.
   *
   * Blank texts are passed through unbilled, and so is whitespace around a text. A text that fits into no request is a
   * `Failed` outcome with `InvalidRequest`. The stream fails with `InvalidRequest` before anything is pulled if an option
   * breaks a rule; and after `Unauthorized` or `QuotaExceeded`, once everything pulled has its outcome.
   *
   * Source: service specification, Endpoints, Text improvement.
   */
  <E, R>(
    self: Stream.Stream<string, E, R>,
    options: RephraseOptions
  ): Stream.Stream<
    Outcome.Outcome<string, string>,
    E | Outcome.StreamError,
    R | TranslateClient.TranslateClient
  >
} = dual(2, <E, R>(self: Stream.Stream<string, E, R>, options: RephraseOptions) =>
  rephrasing(self, options, Row.texts)
)

/**
 * Rephrases the texts that a function finds in the elements of a stream, and puts them back with another.
 *
 * @since 0.1.0
 * @category combinators
 */
export const rephraseWith: {
  /**
   * Rephrases the texts that a function finds in the elements of a stream, and puts them back with another.
   */
  <A, T extends ReadonlyArray<TranslateStream.MaybeText>, B>(
    options: RephraseOptionsWith<A, T, B>
  ): <E, R>(
    self: Stream.Stream<A, E, R>
  ) => Stream.Stream<Outcome.Outcome<B, A>, E | Outcome.StreamError, R | TranslateClient.TranslateClient>
  /**
   * Rephrases the texts that a function finds in the elements of a stream, and puts them back with another.
   */
  <A, E, R, T extends ReadonlyArray<TranslateStream.MaybeText>, B>(
    self: Stream.Stream<A, E, R>,
    options: RephraseOptionsWith<A, T, B>
  ): Stream.Stream<Outcome.Outcome<B, A>, E | Outcome.StreamError, R | TranslateClient.TranslateClient>
} = dual(
  2,
  <A, E, R, T extends ReadonlyArray<TranslateStream.MaybeText>, B>(
    self: Stream.Stream<A, E, R>,
    { known, maxCharacters, replace, texts, ...options }: RephraseOptionsWith<A, T, B>
  ) => rephrasing(self, options, Row.elements({ known, maxCharacters, replace, texts }))
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
  /**
   * Corrects a stream of texts: spelling and grammar only, with as few changes as possible. Outcomes and failures are those
   * of `rephrase`.
   *
   * Source: service specification, Endpoints, Text improvement.
   */
  (
    options: CorrectOptions
  ): <E, R>(
    self: Stream.Stream<string, E, R>
  ) => Stream.Stream<
    Outcome.Outcome<string, string>,
    E | Outcome.StreamError,
    R | TranslateClient.TranslateClient
  >
  /**
   * Corrects a stream of texts: spelling and grammar only, with as few changes as possible. Outcomes and failures are those
   * of `rephrase`.
   *
   * Source: service specification, Endpoints, Text improvement.
   */
  <E, R>(
    self: Stream.Stream<string, E, R>,
    options: CorrectOptions
  ): Stream.Stream<
    Outcome.Outcome<string, string>,
    E | Outcome.StreamError,
    R | TranslateClient.TranslateClient
  >
} = dual(2, <E, R>(self: Stream.Stream<string, E, R>, options: CorrectOptions) =>
  correcting(self, options, Row.texts)
)

/**
 * Corrects the texts that `get` finds in the elements of a stream, and puts the corrected texts back by `set`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const correctWith: {
  /**
   * Corrects the texts that `get` finds in the elements of a stream, and puts the corrected texts back by `set`.
   */
  <A, T extends ReadonlyArray<TranslateStream.MaybeText>, B>(
    options: CorrectOptionsWith<A, T, B>
  ): <E, R>(
    self: Stream.Stream<A, E, R>
  ) => Stream.Stream<Outcome.Outcome<B, A>, E | Outcome.StreamError, R | TranslateClient.TranslateClient>
  /**
   * Corrects the texts that `get` finds in the elements of a stream, and puts the corrected texts back by `set`.
   */
  <A, E, R, T extends ReadonlyArray<TranslateStream.MaybeText>, B>(
    self: Stream.Stream<A, E, R>,
    options: CorrectOptionsWith<A, T, B>
  ): Stream.Stream<Outcome.Outcome<B, A>, E | Outcome.StreamError, R | TranslateClient.TranslateClient>
} = dual(
  2,
  <A, E, R, T extends ReadonlyArray<TranslateStream.MaybeText>, B>(
    self: Stream.Stream<A, E, R>,
    { known, maxCharacters, replace, texts, ...options }: CorrectOptionsWith<A, T, B>
  ) => correcting(self, options, Row.elements({ known, maxCharacters, replace, texts }))
)
