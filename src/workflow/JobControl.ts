/**
 * Submits durable jobs, tells how far they are, and pauses, resumes, cancels and purges them: by the database alone, whichever machines
 * run. Workers see what is asked within half a second.
 *
 * @since 0.1.0
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import type { CorpusJob, Failure, Status, Worker } from "./CorpusJob.js"
import * as jobSubmission from "./internal/tables/jobSubmission.js"
import type { JobControlError } from "./JobControlError.js"

/**
 * Which jobs are purged.
 *
 * @since 0.1.0
 * @category models
 */
export interface PurgeOptions {
  /** The job; it must have ended. @default all that have ended */
  readonly id?: string | undefined
  /** Leaves those that have ended within this time. @default 0: none is left */
  readonly olderThan?: Duration.DurationInput | undefined
}

/**
 * Control of durable jobs.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /**
   * Submits a job. Idempotent by its id: a job that has not ended, or that is done at the same `revision`, stays as it is. One that has
   * failed or was cancelled, or whose source or options have changed since it was done, begins anew as its next generation: what is paid
   * for is in the store, and is not paid again. Fails with `JobConflict` if it has not ended and says something else.
   */
  readonly submit: (job: CorpusJob) => Effect.Effect<Status, JobControlError>
  /** The last generation of a job. */
  readonly status: (id: string) => Effect.Effect<Status, JobControlError>
  /** The last generations of all jobs, the newest first. */
  readonly list: Effect.Effect<ReadonlyArray<Status>, JobControlError>
  /** The status now, and after each change, until the job has ended. */
  readonly watch: (
    id: string,
    options?: {
      /** How often it is asked for. @default 1 second */
      readonly interval?: Duration.DurationInput | undefined
    }
  ) => Stream.Stream<Status, JobControlError>
  /** Texts of the last generation that were not translated. */
  readonly failures: (id: string) => Stream.Stream<Failure, JobControlError>
  /** Sends nothing more until it is resumed. What is in flight is recorded. */
  readonly pause: (id: string) => Effect.Effect<Status, JobControlError>
  /** Goes on with a job that is paused, or that waits. */
  readonly resume: (id: string) => Effect.Effect<Status, JobControlError>
  /** Ends a job: nothing more is sent within a second, what is in flight is recorded, and outputs that are not whole are not written. */
  readonly cancel: (id: string) => Effect.Effect<Status, JobControlError>
  /**
   * Removes jobs that have ended, with their journals. Translations stay in the store. Tells how many generations there were. Waits for up
   * to 20 seconds for workers that are still about one; what they are about then is left for the next purge.
   */
  readonly purge: (options?: PurgeOptions) => Effect.Effect<number, JobControlError>
  /** The machines that translate. */
  readonly workers: Effect.Effect<ReadonlyArray<Worker>, JobControlError>
}

/**
 * Control of durable jobs.
 *
 * @since 0.1.0
 * @category tags
 */
export class JobControl extends Context.Tag("effect-translate/JobControl")<JobControl, Service>() {}

/**
 * Control of the jobs of a database: PostgreSQL, or a libsql file. It makes the tables if they are missing; any number of processes may
 * begin at once. Their names begin with `effect_translate_job`.
 *
 * Errors: `JobsUnavailable`, `JobsVersionUnknown`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<Service, JobControlError, SqlClient.SqlClient> = jobSubmission.make

/**
 * A layer of {@link make}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<JobControl, JobControlError, SqlClient.SqlClient> = Layer.effect(
  JobControl,
  make
)
