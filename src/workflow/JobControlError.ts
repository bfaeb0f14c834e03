/**
 * Every way in which the control of durable jobs fails.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as taggedError from "../internal/taggedError.js"
import * as SqlErrorCode from "../sql/SqlErrorCode.js"

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export const TypeId: unique symbol = Symbol.for("effect-translate/JobControlError")

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export type TypeId = typeof TypeId

const error = taggedError.make(TypeId)

/**
 * No job has this id.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobNotFound extends error<JobNotFound>()(
  "JobNotFound",
  { id: Schema.String },
  ({ id }) => `There is no job ${JSON.stringify(id)}: list the jobs to see which there are.`
) {}

/**
 * A job of this id has not ended, and it is another one.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobConflict extends error<JobConflict>()(
  "JobConflict",
  { id: Schema.String },
  ({ id }) =>
    `The job ${JSON.stringify(id)} has not ended, and says something else: wait for its end, cancel it, or choose another id.`
) {}

/**
 * What was asked can't be done in the state that the job is in.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobStateError extends error<JobStateError>()("JobStateError", {
  id: Schema.String,
  state: Schema.String,
  /** What to do. */
  message: Schema.String
}) {}

/**
 * The database of the jobs can't be used.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobsUnavailable extends error<JobsUnavailable>()(
  "JobsUnavailable",
  {
    /** What the driver says: a code such as `SQLITE_BUSY` or `ECONNREFUSED`. */
    code: Schema.String
  },
  ({ code }) =>
    `The database of the jobs can't be used (${code}): start it, or correct its address, and try again.`
) {
  /** Whether the same may succeed a little later. */
  get isPassing(): boolean {
    return SqlErrorCode.isPassing(this.code)
  }
}

/**
 * A newer version of this library has made the tables of the jobs.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobsVersionUnknown extends error<JobsVersionUnknown>()(
  "JobsVersionUnknown",
  { version: Schema.Number, supported: Schema.Number },
  ({ supported, version }) =>
    `The tables of the jobs have version ${version}; this version of effect-translate knows ${supported} at most: update effect-translate.`
) {}

/**
 * The server of the jobs has not done what was asked: only control over HTTP fails so.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobServerError extends error<JobServerError>()("JobServerError", {
  /** No answer has come, the key or the request was refused, or what has answered is no server of jobs. */
  reason: Schema.Literal("Unreachable", "KeyRefused", "RequestRefused", "UnknownAnswer"),
  /** What to do. */
  message: Schema.String
}) {}

/**
 * Every way in which the control of durable jobs fails.
 *
 * @since 0.1.0
 * @category schemas
 */
export const JobControlError = Schema.Union(
  JobNotFound,
  JobConflict,
  JobStateError,
  JobsUnavailable,
  JobsVersionUnknown,
  JobServerError
)

/**
 * Every way in which the control of durable jobs fails.
 *
 * @since 0.1.0
 * @category errors
 */
export type JobControlError = typeof JobControlError.Type

/**
 * Whether a value is one of these errors.
 *
 * @since 0.1.0
 * @category guards
 */
export const isJobControlError = (value: unknown): value is JobControlError =>
  Predicate.hasProperty(value, TypeId)
