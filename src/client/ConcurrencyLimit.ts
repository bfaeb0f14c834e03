/**
 * The one gate that all requests of a layer pass. It finds by itself how many the service takes at once.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as gate from "./internal/gate.js"

/**
 * The right to one attempt. It is handed back once, in one of three ways; any later one does nothing.
 *
 * @since 0.1.0
 * @category models
 */
export interface Permit extends gate.Permit {}

/**
 * What a gate lets through now.
 *
 * @since 0.1.0
 * @category models
 */
export interface State extends gate.State {}

/**
 * A gate: it lets a number of attempts through at once.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service extends gate.Service {}

/**
 * The gate of a client.
 *
 * @since 0.1.0
 * @category tags
 */
export class ConcurrencyLimit extends Context.Tag("effect-translate/ConcurrencyLimit")<
  ConcurrencyLimit,
  Service
>() {}

/**
 * What {@link makeAdaptive} takes.
 *
 * @since 0.1.0
 * @category models
 */
export interface AdaptiveOptions {
  /** How many attempts to let through before anything is known of the service. @default 8 */
  readonly initial?: number | undefined
}

/**
 * A gate that finds the service's limit. It grows with each success until the first refusal (429, 503, 529), and then
 * remembers how many were served at once. This ceiling is tried again after 30 seconds without a refusal.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeAdaptive = ({
  initial = 8
}: AdaptiveOptions = {}): Effect.Effect<Service, never, Scope.Scope> => gate.make(gate.adaptive(initial))

/**
 * A gate that finds the service's limit.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerAdaptive = (options?: AdaptiveOptions): Layer.Layer<ConcurrencyLimit> =>
  Layer.scoped(ConcurrencyLimit, makeAdaptive(options))

/**
 * A gate that lets a fixed number of attempts through at once, and none while a `Retry-After` lasts.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeFixed = (permits: number): Effect.Effect<Service, never, Scope.Scope> =>
  gate.make(gate.fixed(permits))

/**
 * A gate that lets a fixed number of attempts through at once, and none while a `Retry-After` lasts.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFixed = (permits: number): Layer.Layer<ConcurrencyLimit> =>
  Layer.scoped(ConcurrencyLimit, makeFixed(permits))

/**
 * No limit but the concurrency of the streams; none passes while a `Retry-After` lasts.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerUnlimited: Layer.Layer<ConcurrencyLimit> = layerFixed(Number.POSITIVE_INFINITY)
