/**
 * Which errors are worth another attempt, and which end a run: for every error of the library, of each entry.
 *
 * Both are properties of the errors themselves as well.
 *
 * @since 0.1.0
 */
import { isMarked } from "../internal/taggedError.js"

/**
 * Whether the same may succeed a little later, with nothing changed: the service, a store or a database was busy, away or
 * too slow. What was ambiguous may be billed twice then. The library has tried again already, by its `RetryPolicy` or
 * schedule. `false` for what is no error of the library.
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
 * Whether all other texts, documents and files of a run would meet it too, so that going on is in vain: a refused key, a
 * quota or a budget that is used up, a service that is down, a store that fails, a full disk, or a run that was told to stop.
 * `false` for what is no error of the library.
 *
 * @since 0.1.0
 * @category guards
 */
export const isFatal = (error: unknown): boolean => isMarked(error) && error.isFatal
