/**
 * Why a job fails.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Violation from "../api/Violation.js"
import type * as GlossarySync from "../glossary/GlossarySync.js"
import * as taggedError from "../internal/taggedError.js"
import type { StoreError } from "../store/StoreError.js"
import type * as Outcome from "../stream/Outcome.js"

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export const TypeId: unique symbol = Symbol.for("effect-translate/JobError")

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export type TypeId = typeof TypeId

const error = taggedError.make(TypeId)

/**
 * The job breaks a rule. Nothing was read and nothing was sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidJob extends error<InvalidJob>()(
  "InvalidJob",
  {
    /** Every rule that it breaks. */
    violations: Schema.Array(Violation.Violation)
  },
  ({ violations }) => `The job was not begun: ${Violation.format(violations)}`
) {}

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
    /** Texts so far, without those that were skipped. */
    texts: Schema.Number,
    /** The share of texts that may fail. */
    maxFailedShare: Schema.Number
  },
  ({ failed, maxFailedShare, texts }) =>
    `${failed} of ${texts} texts have failed, more than the share of ${maxFailedShare} that the job allows: see why in its failed units, mend that, and run the job again. What was translated is stored.`
) {}

/**
 * The effect `haltWhen` of the job has ended. What was in flight is stored; the same job again goes on.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobHalted extends error<JobHalted>()(
  "JobHalted",
  {},
  () => "The job was told to stop. What was translated is stored: run the job again to go on."
) {}

/**
 * Whether a value is a `JobHalted`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isJobHalted = (value: unknown): value is JobHalted =>
  isJobError(value) && value._tag === "JobHalted"

/**
 * Whether a value is an `InvalidJob`, a `TooManyFailed` or a `JobHalted`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isJobError = (value: unknown): value is InvalidJob | TooManyFailed | JobHalted =>
  Predicate.hasProperty(value, TypeId)

/**
 * Why a job fails, besides the errors of its sources and callbacks.
 *
 * @since 0.1.0
 * @category errors
 */
export type JobError =
  | InvalidJob
  | TooManyFailed
  | JobHalted
  | GlossarySync.GlossarySyncError
  | Outcome.StreamError
  | StoreError
