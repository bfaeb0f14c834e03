/**
 * Which errors are worth another attempt, and which end a run: for every error of the library, of each entry.
 *
 * Both are properties of the errors themselves as well.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import { isMarked } from "../internal/taggedError.js"
import type { Delivery } from "./TranslateError.js"

/**
 * Returns `true` if the same may succeed a little later, with nothing changed: the service, a store or a database was
 * busy, away or too slow. A request that was ambiguous may be billed twice then. The library has tried again already, by
 * its `RetryPolicy` or schedule. `false` for an error of another library.
 *
 * @example
 * import { Errors } from "effect-translate"
 * import * as Effect from "effect/Effect"
 *
 * const patiently = Effect.retry({ times: 3, while: Errors.isRetryable })
 *
 * @since 0.1.0
 * @category guards
 */
export const isRetryable = (error: unknown): boolean => isMarked(error) && error.isRetryable

/**
 * Returns `true` if all other texts, documents and files of a run would meet it too, so that going on is in vain: a
 * refused key, a quota or a budget that is used up, a service that is down, a store that fails, a full disk, or a run
 * that was told to stop. `false` for an error of another library.
 *
 * @since 0.1.0
 * @category guards
 */
export const isFatal = <E>(error: E): error is E & { readonly isFatal: true } =>
  isMarked(error) && error.isFatal

const isDelivered =
  <Name extends Delivery>(name: Name) =>
  <E>(error: E): error is E & { readonly delivery: Name } =>
    isMarked(error) && Predicate.hasProperty(error, "delivery") && error.delivery === name

/**
 * Returns `true` if the service has refused a call: it has answered with an error, and has billed nothing.
 *
 * @since 0.1.0
 * @category guards
 */
export const isRefused: <E>(error: E) => error is E & { readonly delivery: "rejected" } =
  isDelivered("rejected")

/**
 * Returns `true` if the service may have done the work of a call and billed it: its answer did not come, or can't be used.
 *
 * @since 0.1.0
 * @category guards
 */
export const isAmbiguous: <E>(error: E) => error is E & { readonly delivery: "ambiguous" } =
  isDelivered("ambiguous")
