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
import * as namespace from "./internal/namespace.js"
import { type Requests, running } from "./internal/options.js"
import { type Connection, runStream } from "./internal/runStream.js"
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

type Elements<A, T extends ReadonlyArray<Row.MaybeText>, B> = Pick<
  TranslateStream.OptionsWith<A, T, B>,
  "texts" | "replace" | "maxCharacters"
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

interface Improve<O> {
  (options: O): <E, R>(self: Stream.Stream<string, E, R>) => Improving<string, string, E, R>
  <E, R>(self: Stream.Stream<string, E, R>, options: O): Improving<string, string, E, R>
}

interface ImproveWith<O> {
  <A, T extends ReadonlyArray<Row.MaybeText>, B>(
    options: O & Elements<A, T, B>
  ): <E, R>(self: Stream.Stream<A, E, R>) => Improving<B, A, E, R>
  <A, E, R, T extends ReadonlyArray<Row.MaybeText>, B>(
    self: Stream.Stream<A, E, R>,
    options: O & Elements<A, T, B>
  ): Improving<B, A, E, R>
}

interface Request extends RunOptions {
  readonly targetLang?: string | undefined
}

const requestOf = without<keyof RunOptions>(running)

/** The operators of an endpoint. The service limits the bytes of a body, not its texts. */
const operators = <O extends Request, Q, I>(
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
): { readonly improve: Improve<O>; readonly improveWith: ImproveWith<O> } => {
  const run = <A, B, E, R>(
    self: Stream.Stream<A, E, R>,
    options: O,
    elements: Row.Elements<A, B>
  ): Improving<B, A, E, R> => {
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
        ({ identity, write }): Connection => ({
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
  return {
    improve: dual(2, <E, R>(self: Stream.Stream<string, E, R>, options: O) => run(self, options, Row.texts)),
    improveWith: dual(
      2,
      <A, E, R, T extends ReadonlyArray<Row.MaybeText>, B>(
        self: Stream.Stream<A, E, R>,
        { maxCharacters, replace, texts, ...options }: O & Elements<A, T, B>
      ) => run(self, options as unknown as O, Row.elements(texts, replace, maxCharacters))
    )
  }
}

const rephrasing = operators(
  { endpoint: Write.rephrase, schema: Write.RephraseOptions, longest: "writingStyle" },
  (options: RephraseOptions) => requestOf(options),
  (write, request) => write.rephrase(request),
  namespace.ofRephrasing
)

const correcting = operators(
  { endpoint: Write.correct, schema: Write.CorrectOptions, longest: "targetLang" },
  (options: CorrectOptions) => requestOf(options),
  (write, request) => write.correct(request),
  namespace.ofCorrection
)

/**
 * Rephrases a stream of texts: spelling, grammar, wording, style or tone.
 *
 * Blanks are passed through unbilled, also those around a text. A text that fits into no request is a `Failed` outcome with `InvalidRequest`. The
 * stream fails with `InvalidRequest` before anything is pulled if an option breaks a rule; and after `Unauthorized` or
 * `QuotaExceeded`, once everything pulled has its outcome.
 *
 * Source: service specification, Endpoints, Text improvement.
 *
 * @since 0.1.0
 * @category combinators
 */
export const rephrase: Improve<RephraseOptions> = rephrasing.improve

/**
 * Rephrases the texts that a function finds in the elements of a stream, and puts them back with another.
 *
 * @since 0.1.0
 * @category combinators
 */
export const rephraseWith: ImproveWith<RephraseOptions> = rephrasing.improveWith

/**
 * Corrects a stream of texts: spelling and grammar only, with as few changes as possible. Outcomes and failures are those
 * of `rephrase`.
 *
 * Source: service specification, Endpoints, Text improvement.
 *
 * @since 0.1.0
 * @category combinators
 */
export const correct: Improve<CorrectOptions> = correcting.improve

/**
 * Corrects the texts that a function finds in the elements of a stream, and puts them back with another.
 *
 * @since 0.1.0
 * @category combinators
 */
export const correctWith: ImproveWith<CorrectOptions> = correcting.improveWith
