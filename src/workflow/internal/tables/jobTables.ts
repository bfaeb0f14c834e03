import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Reason } from "../../../job/JobReport.js"
import type { StoreError } from "../../../store/StoreError.js"
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

/** What one worker does as one execution. */
export interface Step {
  /**
   * - `slice`: a slice of a source, whose translations are in the store then.
   * - `sources`: sources that are not cut.
   * - `output`: the outputs of a source whose slices are done.
   */
  readonly kind: "slice" | "sources" | "output"
  /** The names of its sources: one, but for `sources`. */
  readonly sources: ReadonlyArray<string>
  readonly slice?: unknown
  /** About how many texts it has; 0 if that is not known, or its slices have them. */
  readonly texts: number
}

/** How many steps a job has. */
export interface Plan {
  /** How many come first: the others write the outputs of sources that were cut. */
  readonly first: number
  readonly steps: number
}

/** A step, and how far it is. */
export interface Planned extends Step {
  readonly isDone: boolean
  /** What it has come to, or an attempt before. */
  readonly tallies: Tallies
  readonly failedOutputs: number
  readonly error?: Reason | undefined
}

/** What became of the texts of a step, by language. */
export type Tallies = Readonly<Record<string, Outcome.Texts>>

/** A generation that was purged, whose executions have a journal. */
export interface Purged extends Generation {
  /** How many executions it has besides its own, at most. */
  readonly steps: number
  /** Nobody can be about to begin it any more. */
  readonly isLate: boolean
}

/** A budget of which the database is told a little later what was spent. */
export interface JobBudget extends Budget.Service {
  /** Tells the database what was spent, and gives back what is held for nothing. */
  readonly flush: Effect.Effect<void, StoreError>
}

/** What workers know of jobs, in the tables of the database. All of it may be done twice. */
export interface Service {
  readonly active: Effect.Effect<ReadonlyArray<Active>, JobControlError>
  readonly load: (job: Generation) => Effect.Effect<CorpusJob, JobControlError>
  /** The job is under way, by an execution of the engine. */
  readonly started: (job: Generation, execution: string) => Effect.Effect<void, JobControlError>
  /** The plan of a job; none before it is stored. */
  readonly plan: (job: Generation) => Effect.Effect<Option.Option<Plan>, JobControlError>
  /**
   * Stores a plan as a whole, and tells which one counts: the first. A worker that was frozen in the middle may come with another one, as
   * sizes depend on how many workers there are.
   */
  readonly planned: (
    job: Generation,
    plan: {
      readonly steps: ReadonlyArray<Step>
      /** Texts of slices, counted once. */
      readonly texts: number
      /** Outputs, each for all languages. */
      readonly sources: number
    }
  ) => Effect.Effect<Plan, JobControlError>
  /** A step of a plan; none if its job is gone. */
  readonly step: (job: Generation, step: number) => Effect.Effect<Option.Option<Planned>, JobControlError>
  /** How far a step is that is not done. */
  readonly progressed: (
    job: Generation,
    step: number,
    tallies: Tallies
  ) => Effect.Effect<void, JobControlError>
  /** What became of a step: the first record counts, as a repetition finds everything in the store. */
  readonly record: (
    job: Generation,
    step: number,
    result: {
      readonly tallies: Tallies
      /** Outputs that could not be written. */
      readonly failedOutputs: number
      /** Why the first of them could not be. */
      readonly error?: Reason | undefined
      /** Texts that have failed in what was written. */
      readonly failures: ReadonlyArray<Failure>
    }
  ) => Effect.Effect<void, JobControlError>
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
  /** What was purged, and has its journals still. */
  readonly purged: Effect.Effect<ReadonlyArray<Purged>, JobControlError>
  /** Of a purged generation, the journals of so many steps are left: the first ones. */
  readonly clearing: (job: Generation, steps: number) => Effect.Effect<void, JobControlError>
  /** The journals of a purged generation are gone. */
  readonly cleared: (job: Generation) => Effect.Effect<void, JobControlError>
  /** How many workers are there, without those that are leaving. */
  readonly workers: Effect.Effect<number, JobControlError>
  /**
   * A worker is alive. One that leaves tells so with `undefined`. Fails with `JobsVersionUnknown`, and writes nothing, once the tables are
   * those of another version.
   */
  readonly seen: (
    address: string,
    worker: Omit<Worker, "address" | "seenAt"> | undefined
  ) => Effect.Effect<void, JobControlError>
  /** Whether this worker is to remove what is old: it is true for one of all workers once an hour. */
  readonly isUpkeepDue: Effect.Effect<boolean, JobControlError>
  /** What was learned of a service by all machines, once this is added. */
  readonly learn: (
    service: string,
    state: ServiceLimits.State
  ) => Effect.Effect<ServiceLimits.State, JobControlError>
  /** The budget of a job, with the cap of the job of its name that was submitted last. */
  readonly budget: (job: CorpusJob) => Effect.Effect<JobBudget, JobControlError, Scope.Scope>
  /** The time of the database. */
  readonly now: Effect.Effect<DateTime.Utc, JobControlError>
}

/** What workers know of jobs. */
export class Jobs extends Context.Tag("effect-translate/workflow/Jobs")<Jobs, Service>() {}
