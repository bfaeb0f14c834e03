/**
 * Which rules of the specification refuse a request before it is sent, although the service may have changed them since.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * The rules that may change.
 *
 * @since 0.1.0
 * @category models
 */
export interface Checks {
  /**
   * Whether languages are looked up in the table of the specification: `more` and `less` are refused for a target without
   * formality, models other than `quality_optimized` for a target in beta, and text improvement for a language without it.
   * Unknown codes pass, and a listing that the client has fetched overrules the table. @default true
   */
  readonly languages: boolean
  /** Whether limits are kept that the specification says may change: 200 instructions in a style rule list. @default true */
  readonly limits: boolean
}

/**
 * The checks of calls. Provide others to a call, a stream or a layer.
 *
 * Source: service specification, Endpoints, Text translation, "formality"; Versioning, 7; Limits.
 *
 * @since 0.1.0
 * @category tags
 */
export class RequestChecks extends Context.Reference<RequestChecks>()("effect-translate/RequestChecks", {
  defaultValue: (): Checks => ({ languages: true, limits: true })
}) {}

/**
 * Runs calls with some of the current checks changed: `adjusted({ languages: false })` leaves languages to the service.
 *
 * @since 0.1.0
 * @category combinators
 */
export const adjusted =
  (values: Partial<Checks>) =>
  <A, E, R>(calls: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(RequestChecks, (checks) =>
      Effect.provideService(calls, RequestChecks, { ...checks, ...values })
    )
