/**
 * The number of requests that may be in flight at once. An adaptive limit finds the number that the service takes by
 * itself.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import * as adaptiveLimit from "./internal/pacing/adaptiveLimit.js"
import * as limiter from "./internal/pacing/limiter.js"

/**
 * The right to one attempt. It is handed back once, in one of three ways; a second time does nothing.
 *
 * @since 0.1.0
 * @category models
 */
export interface Permit {
  /** The service took the request. */
  readonly accepted: Effect.Effect<void>
  /** The service refused it as one too many (429, 503, 529). A time to wait pauses all requests, not only this one. */
  readonly refused: (retryAfter?: Duration.Duration) => Effect.Effect<void>
  /** Nothing is known of the request. */
  readonly release: Effect.Effect<void>
}

/**
 * The state of a concurrency limit.
 *
 * @since 0.1.0
 * @category models
 */
export interface State {
  /** The number of attempts that may be in flight. */
  readonly limit: number
  /** The number that the service took at once when it last refused one; `undefined` if it never did. */
  readonly ceiling: number | undefined
  /** Attempts in flight. */
  readonly inUse: number
  /** Attempts that wait for a permit. */
  readonly waiting: number
  /** Attempts that the service has refused as one too many, since the beginning. */
  readonly refused: number
  /** True while a `Retry-After` pauses all attempts. */
  readonly paused: boolean
}

/**
 * A concurrency limit: it gives permits to attempts, first come, first served.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /**
   * Waits for a permit. Only the wait can be interrupted, so run this in an uninterruptible region to lose no permit. A
   * client hands the permit back when the headers are there, or else when the attempt ends.
   */
  readonly take: Effect.Effect<Permit>
  /** Takes a permit if there is one now. */
  readonly takeIfAvailable: Effect.Effect<Option.Option<Permit>>
  /** The state now. */
  readonly state: Effect.Effect<State>
  /** The state now, and after each change of the limit, the ceiling or the pause. */
  readonly changes: Stream.Stream<State>
}

/**
 * The concurrency limit of a client.
 *
 * @since 0.1.0
 * @category tags
 */
export class ConcurrencyLimit extends Context.Tag("effect-translate/ConcurrencyLimit")<
  ConcurrencyLimit,
  Service
>() {}

/**
 * Options of {@link makeAdaptive}.
 *
 * @since 0.1.0
 * @category models
 */
export interface AdaptiveOptions {
  /** The number of attempts that may be in flight before the service's own limit is known. @default 8 */
  readonly initial?: number | undefined
}

/**
 * A limit that adapts to the service. It grows with each success until the first refusal (429, 503, 529), and then
 * remembers how many requests were served at once. After 30 seconds without a refusal it tries one more.
 *
 * Where refusals come although few are in flight, the service limits requests per second: attempts are then spaced, at 95 % of the rate
 * that was accepted. After 10 seconds without many refusals the rate grows by 1 % a second. Once twice as much is accepted as was known,
 * attempts are no longer spaced.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeAdaptive: (options?: AdaptiveOptions) => Effect.Effect<Service, never, Scope.Scope> = ({
  initial = 8
} = {}) => limiter.make(adaptiveLimit.adaptive(initial))

/**
 * A limit that adapts to the service, as of {@link makeAdaptive}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerAdaptive = (options?: AdaptiveOptions): Layer.Layer<ConcurrencyLimit> =>
  Layer.scoped(ConcurrencyLimit, makeAdaptive(options))

/**
 * A fixed number of attempts at once, and none while a `Retry-After` lasts.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeFixed = (permits: number): Effect.Effect<Service, never, Scope.Scope> =>
  limiter.make(adaptiveLimit.fixed(permits))

/**
 * A fixed number of attempts at once, and none while a `Retry-After` lasts.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFixed = (permits: number): Layer.Layer<ConcurrencyLimit> =>
  Layer.scoped(ConcurrencyLimit, makeFixed(permits))

/**
 * No limit, except that nothing is sent while a `Retry-After` lasts. The concurrency of a stream still holds.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeUnlimited: Effect.Effect<Service, never, Scope.Scope> = makeFixed(Number.POSITIVE_INFINITY)

/**
 * No limit, except that nothing is sent while a `Retry-After` lasts. The concurrency of a stream still holds.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerUnlimited: Layer.Layer<ConcurrencyLimit> = /* #__PURE__ */ Layer.scoped(
  ConcurrencyLimit,
  makeUnlimited
)
