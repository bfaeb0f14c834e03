/**
 * Sources into languages, as one value: checked, forecast, translated with a store, and reported. The same job again goes on where the
 * last one ended, and pays for nothing twice.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as taggedError from "../internal/taggedError.js"

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export const TypeId: unique symbol = Symbol.for("effect-translate/TranslationJob")

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export type TypeId = typeof TypeId

const error = taggedError.make(TypeId)

/**
 * More texts have failed than the job allows.
 *
 * @since 0.1.0
 * @category errors
 */
export class TooManyFailed extends error<TooManyFailed>()(
  "TooManyFailed",
  {
    /** Texts that failed. */
    failed: Schema.Number,
    /** Texts so far. */
    texts: Schema.Number,
    /** The share of texts that may fail. */
    maxFailedShare: Schema.Number
  },
  ({ failed, maxFailedShare, texts }) =>
    `${failed} of ${texts} texts have failed, more than the share of ${maxFailedShare} that the job allows: see why in its failed units, mend that, and run the job again. What was translated is stored.`
) {}

/**
 * Whether a value is a `TooManyFailed`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isTooManyFailed = (value: unknown): value is TooManyFailed =>
  Predicate.hasProperty(value, TypeId)
