import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { CorpusJob, Failure, Page, State, Status, Worker } from "../../CorpusJob.js"
import type { JobControlError } from "../../JobControlError.js"

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
 * Which jobs are listed, and how many at once.
 *
 * @since 0.1.0
 * @category models
 */
export interface ListOptions {
  /** The states that they may be in. @default all */
  readonly states?: ReadonlyArray<State> | undefined
  /** The prefix of their ids. @default anything */
  readonly prefix?: string | undefined
  /** Only those that have failed, or of which a text was not translated. @default false */
  readonly hasFailures?: boolean | undefined
  /** The largest number of jobs: `CorpusJob.longestPage` are possible. @default 100 */
  readonly limit?: number | undefined
  /** `next` of the page before. @default the newest jobs */
  readonly cursor?: string | undefined
}

/**
 * Control of durable jobs.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /**
   * Submits a job. Idempotent by its id: a job that has not ended, or that is done at the same `revision`, stays as it is.
   * One that has failed or was cancelled, or whose source or options have changed since it was done, begins anew as its next
   * generation: paid translations are in the store, and are not paid again. Fails with `JobConflict` if it has not ended and
   * says something else, with `InvalidJob` if it is none, and with `InvalidReference` if the kinds of {@link layerFor} do
   * not take its corpus.
   */
  readonly submit: (job: CorpusJob) => Effect.Effect<Status, JobControlError>
  /** The last generation of a job. */
  readonly status: (id: string) => Effect.Effect<Status, JobControlError>
  /** The last generations of jobs, the newest first, page by page: 100 of all jobs unless it is told otherwise. */
  readonly list: (options?: ListOptions) => Effect.Effect<Page, JobControlError>
  /** The status now, and after each change, until the job has ended. */
  readonly watch: (
    id: string,
    options?: {
      /** The pause between looks. @default 1 second */
      readonly interval?: Duration.DurationInput | undefined
    }
  ) => Stream.Stream<Status, JobControlError>
  /** Texts of the last generation that were not translated. */
  readonly failures: (id: string) => Stream.Stream<Failure, JobControlError>
  /** Sends nothing more until it is resumed. Requests in flight are recorded. */
  readonly pause: (id: string) => Effect.Effect<Status, JobControlError>
  /** Goes on with a job that is paused, or that waits. */
  readonly resume: (id: string) => Effect.Effect<Status, JobControlError>
  /** Ends a job: nothing more is sent within a second, requests in flight are recorded, and outputs that are not whole are not written. */
  readonly cancel: (id: string) => Effect.Effect<Status, JobControlError>
  /**
   * Removes jobs that have ended. Translations stay in the store. Tells how many generations there were. Their journals go within seconds,
   * once nothing of a job is in flight any more: workers remove them, or the next one that is started.
   */
  readonly purge: (options?: PurgeOptions) => Effect.Effect<number, JobControlError>
  /** The machines that translate. */
  readonly workers: Effect.Effect<ReadonlyArray<Worker>, JobControlError>
}
