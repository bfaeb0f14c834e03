import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Budget from "../../../stream/Budget.js"
import type * as Outcome from "../../../stream/Outcome.js"
import type * as ServiceLimits from "../../../stream/ServiceLimits.js"
import type { CorpusJob, Failure, Waiting, Worker } from "../../CorpusJob.js"
import type { JobControlError } from "../../JobControlError.js"

/** A run of a job. */
export interface Generation {
  readonly id: string
  readonly generation: number
}

/** A job that has not ended, and what it was told. */
export interface Active extends Generation {
  readonly isStarted: boolean
  readonly told: "run" | "pause" | "cancel"
  /** What it waits for, until that time has come. */
  readonly waiting: Waiting | undefined
}

/** Something that one worker does in one step: a slice of a source, or a source as a whole. */
export interface Step {
  /** The name of the source. */
  readonly source: string
  /** The slice; `undefined` if the outputs of the source are written. */
  readonly slice?: unknown
  /** Texts of a slice. */
  readonly texts?: number | undefined
}

/** Steps that one execution does. */
export interface Shard {
  /** Counts from 0 in its job: slices come first. */
  readonly number: number
  /** The execution of the engine, whose journal is purged with the job. */
  readonly execution: string
  readonly steps: ReadonlyArray<Step>
}

/** What became of the texts of a step, by language. */
export type Tallies = Readonly<Record<string, Outcome.Texts>>

/** What workers know of jobs, in the tables of the database. All of it may be done twice. */
export interface Service {
  readonly active: Effect.Effect<ReadonlyArray<Active>, JobControlError>
  readonly load: (job: Generation) => Effect.Effect<CorpusJob, JobControlError>
  /** The job is under way, by an execution of the engine. */
  readonly started: (job: Generation, execution: string) => Effect.Effect<void, JobControlError>
  /** Forgets a plan that was not made to its end. */
  readonly unplan: (job: Generation) => Effect.Effect<void, JobControlError>
  readonly addShard: (job: Generation, shard: Shard) => Effect.Effect<void, JobControlError>
  /** The plan is whole: so many texts of slices, counted once, and so many outputs, each for all languages. */
  readonly planned: (
    job: Generation,
    totals: { readonly texts: number; readonly sources: number }
  ) => Effect.Effect<void, JobControlError>
  /** The steps of a shard, in their order. */
  readonly steps: (job: Generation, shard: number) => Effect.Effect<ReadonlyArray<Step>, JobControlError>
  /**
   * What became of a step: the first record counts, as a repetition finds everything in the store. The failures of a whole source replace
   * those that it had; those of a slice are not recorded.
   */
  readonly record: (
    job: Generation,
    step: {
      readonly shard: number
      readonly step: number
      readonly source: string
      readonly isWhole: boolean
      /** Outputs of a whole source that could not be written. @default 0 */
      readonly failedOutputs?: number | undefined
    },
    tallies: Tallies,
    failures: ReadonlyArray<Failure>
  ) => Effect.Effect<void, JobControlError>
  /** Adds up the steps of a shard that is done, and forgets them. Shards of slices are closed before those of their whole sources. */
  readonly closeShard: (job: Generation, shard: number) => Effect.Effect<void, JobControlError>
  /** The job waits, on all machines. Tells how often in a row it has waited, this time included. */
  readonly wait: (job: Generation, waiting: Waiting) => Effect.Effect<number, JobControlError>
  /** Something was translated: the next wait is the first again. */
  readonly proceeded: (job: Generation) => Effect.Effect<void, JobControlError>
  /** Ends a job. Tells whether it had not ended: many steps may meet what ends it. */
  readonly ended: (
    job: Generation,
    state: "done" | "failed" | "cancelled",
    error?: { readonly tag: string; readonly message: string }
  ) => Effect.Effect<boolean, JobControlError>
  /** A worker is alive. One that leaves tells so with `undefined`. */
  readonly seen: (
    address: string,
    worker: Omit<Worker, "address" | "seenAt"> | undefined
  ) => Effect.Effect<void, JobControlError>
  /** What was learned of a service by all machines, once this is added. */
  readonly learn: (
    service: string,
    state: ServiceLimits.State
  ) => Effect.Effect<ServiceLimits.State, JobControlError>
  /** The budget of a job, with the cap of the job of its name that was submitted last. */
  readonly budget: (job: CorpusJob) => Effect.Effect<Budget.Service, JobControlError>
  /** The time of the database. */
  readonly now: Effect.Effect<DateTime.Utc, JobControlError>
}

/** What workers know of jobs. */
export class Jobs extends Context.Tag("effect-translate/workflow/Jobs")<Jobs, Service>() {}
