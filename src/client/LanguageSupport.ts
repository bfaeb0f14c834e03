/**
 * Which languages and features work together, by the listings of the service. The listings are cached, and options can be
 * checked before anything is sent. Each client has one of its own: `languageSupport`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as Text from "../api/Text.js"
import * as internal from "./internal/checking/languageSupport.js"
import type { Checked, CheckSettings, Options, Service } from "./internal/checking/languageSupportModel.js"
import * as TranslateClient from "./TranslateClient.js"
import type { CallError } from "./TranslateError.js"

/**
 * Questions about languages, and their answers.
 *
 * @since 0.1.0
 * @category models
 */
export type {
  Checked,
  CheckSettings,
  Options,
  Pair,
  Service,
  Unknown
} from "./internal/checking/languageSupportModel.js"

/**
 * Answers from the listings of the service, in place of those of the client.
 *
 * @since 0.1.0
 * @category tags
 */
export class LanguageSupport extends Context.Tag("effect-translate/LanguageSupport")<
  LanguageSupport,
  Service
>() {}

/**
 * Answers from the listings that a client fetches, by the `RetryPolicy` of the current context. They are cached apart from those of
 * the client itself.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options?: Options
): Effect.Effect<Service, never, TranslateClient.TranslateClient | Scope.Scope> =>
  Effect.flatMap(TranslateClient.TranslateClient, (client) => internal.make(client, options))

/**
 * The answers of the current context: of its `LanguageSupport` if there is one, else of its client.
 *
 * @since 0.1.0
 * @category constructors
 */
export const current: Effect.Effect<Service, never, TranslateClient.TranslateClient> = Effect.flatMap(
  Effect.serviceOption(LanguageSupport),
  Option.match({
    onNone: () => Effect.map(TranslateClient.TranslateClient, ({ languageSupport }) => languageSupport),
    onSome: Effect.succeed
  })
)

/**
 * Answers from the listings that a client fetches.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options?: Options
): Layer.Layer<LanguageSupport, never, TranslateClient.TranslateClient> =>
  Layer.scoped(LanguageSupport, make(options))

/**
 * Checks the options of text translations before anything is sent: `check` of the service.
 *
 * @since 0.1.0
 * @category combinators
 */
export const check = <O extends Text.TranslateOptions>(
  options: O,
  settings?: CheckSettings
): Effect.Effect<Checked<O>, CallError, LanguageSupport> =>
  Effect.flatMap(LanguageSupport, (support) => support.check(options, settings))

/**
 * Checks options and then runs a stream with them. If they are refused, the stream fails before it pulls anything.
 *
 * @since 0.1.0
 * @category combinators
 */
export const checked = <O extends Text.TranslateOptions, A, E, R>(
  options: O,
  run: (options: Checked<O>) => Stream.Stream<A, E, R>,
  settings?: CheckSettings
): Stream.Stream<A, E | CallError, R | LanguageSupport> =>
  Stream.unwrap(Effect.map(check(options, settings), run))
