/**
 * Why a job fails.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Violation from "../api/Violation.js"
import type * as GlossarySync from "../glossary/GlossarySync.js"
import { is, TaggedError } from "../internal/taggedError.js"
import type { StoreError } from "../store/StoreError.js"
import type * as Outcome from "../stream/Outcome.js"
import type { DetectorMissing } from "../text/Check.js"

/**
 * The job breaks a rule. Nothing was read and nothing was sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidJob extends TaggedError<InvalidJob>()(
  "InvalidJob",
  {
    /** Every rule that it breaks. */
    violations: Schema.Array(Violation.Violation)
  },
  ({ violations }) => `Nothing was sent: ${Violation.format(violations)}.`,
  { isFatal: true }
) {}

/**
 * More texts have failed than the job allows.
 *
 * @since 0.1.0
 * @category errors
 */
export class TooManyFailed extends TaggedError<TooManyFailed>()(
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
    `${failed} of ${texts} texts have failed, more than the share of ${maxFailedShare} that the job allows: see why in its failed units, mend that, and run the job again. Finished translations are stored.`,
  { isFatal: true }
) {}

/**
 * The effect `haltWhen` of the job has ended. Requests in flight are stored; the same job again goes on.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobHalted extends TaggedError<JobHalted>()(
  "JobHalted",
  {},
  () => "Stopped: finished translations are stored. Run the same again to go on.",
  { isFatal: true }
) {}

/**
 * Returns `true` for a `JobHalted`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isJobHalted = is(JobHalted)

/**
 * Returns `true` for an `InvalidJob`, a `TooManyFailed` or a `JobHalted`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isJobError = is(InvalidJob, TooManyFailed, JobHalted)

/**
 * The reasons for which a job fails, apart from the errors of its sources and callbacks.
 *
 * @since 0.1.0
 * @category errors
 */
export type JobError =
  | InvalidJob
  | TooManyFailed
  | JobHalted
  | DetectorMissing
  | GlossarySync.GlossarySyncError
  | Outcome.StreamError
  | StoreError
