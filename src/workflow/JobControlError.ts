/**
 * Every way in which the control of durable jobs fails.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as systemCauses from "../internal/systemCauses.js"
import { is, TaggedError } from "../internal/taggedError.js"
import { InvalidJob } from "../job/JobError.js"
import * as SqlErrorCode from "../sql/SqlErrorCode.js"
import { InvalidReference } from "./Corpus.js"

/**
 * No job has this id.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobNotFound extends TaggedError<JobNotFound>()(
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
export class JobConflict extends TaggedError<JobConflict>()(
  "JobConflict",
  { id: Schema.String },
  ({ id }) =>
    `The job ${JSON.stringify(id)} has not ended, and says something else: wait for its end, cancel it, or choose another id.`
) {}

/**
 * The command can't be done in the state that the job is in.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobStateError extends TaggedError<JobStateError>()("JobStateError", {
  id: Schema.String,
  state: Schema.String,
  /** The advice. */
  message: Schema.String
}) {}

/**
 * The database of the jobs can't be used.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobsUnavailable extends TaggedError<JobsUnavailable>()(
  "JobsUnavailable",
  {
    /** The code of the driver, such as `SQLITE_BUSY` or `ECONNREFUSED`. */
    code: Schema.String
  },
  ({ code }) =>
    `The database of the jobs can't be used${systemCauses.because(code, "start it, or correct its address, and try again")}.`,
  { isRetryable: ({ code }) => SqlErrorCode.isPassing(code), isFatal: true }
) {}

/**
 * Another version of this library has made the tables of the jobs, with another layout.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobsVersionUnknown extends TaggedError<JobsVersionUnknown>()(
  "JobsVersionUnknown",
  { version: Schema.Number, supported: Schema.Number },
  ({ supported, version }) =>
    `The tables of the jobs have version ${version}, and this version of effect-translate knows ${supported}: ${version > supported ? "update effect-translate" : "begin with another database or schema"}.`,
  { isFatal: true }
) {}

/**
 * The server of the jobs has not done the command: only control over HTTP fails so.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobServerError extends TaggedError<JobServerError>()(
  "JobServerError",
  {
    /** No answer has come, the key or the request was refused, or the answer is not from a server of jobs. */
    reason: Schema.Literal("Unreachable", "KeyRefused", "RequestRefused", "UnknownAnswer"),
    /** The advice. */
    message: Schema.String
  },
  undefined,
  {
    isRetryable: ({ reason }) => reason === "Unreachable",
    isFatal: ({ reason }) => reason !== "RequestRefused"
  }
) {}

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
  InvalidJob,
  InvalidReference,
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
 * Returns `true` for one of these errors.
 *
 * @since 0.1.0
 * @category guards
 */
export const isJobControlError = is(JobControlError)
