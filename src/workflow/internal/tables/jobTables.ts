import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Format from "../../../format/Format.js"
import type { Reason } from "../../../job/JobReport.js"
import type { StoreError } from "../../../store/StoreError.js"
import type * as Budget from "../../../stream/Budget.js"
import type * as Outcome from "../../../stream/Outcome.js"
import type * as ServiceLimits from "../../../stream/ServiceLimits.js"
import type * as Verification from "../../../stream/Verification.js"
import type { CorpusJob, Failure, Waiting, Worker } from "../../CorpusJob.js"
import type { JobControlError } from "../../JobControlError.js"

/** A run of a job. */
export interface Generation {
  readonly id: string
  readonly generation: number
}

/** A job that has not ended, and its control. */
export interface Active extends Generation {
  readonly isStarted: boolean
  readonly told: "run" | "pause" | "cancel"
  /** The reason to wait, until that time has come. */
  readonly waiting: Waiting | undefined
}

/** The work of one worker as one execution. */
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

/** The number of steps of a job. */
export interface Plan {
  /** The number of steps that come first: the others write the outputs of sources that were cut. */
  readonly first: number
  readonly steps: number
}

/** A step, and how far it is. */
export interface Planned extends Step {
  readonly isDone: boolean
  /** Its counts, or those of an attempt before. */
  readonly tallies: Tallies
  readonly failedOutputs: number
  readonly error?: Reason | undefined
}

/** The counts of a step's texts, by language. */
export type Tallies = Readonly<Record<string, Outcome.Texts>>

/** A generation that was purged, whose executions have a journal. */
export interface Purged extends Generation {
  /** The number of its executions apart from its own, at most. */
  readonly steps: number
  /** Nobody can be about to begin it any more. */
  readonly isLate: boolean
}

/** The columns or paths that were chosen of a source, as far as another source may have those that it lacks. */
export type Fit = Pick<Format.Selection, "found" | "known" | "lacks" | "option">

/** A budget whose spent characters are written to the database a little later. */
export interface JobBudget extends Budget.Service {
  /** Writes the spent characters to the database, and gives back those that are held for nothing. */
  readonly flush: Effect.Effect<void, StoreError>
}

/** The first answers of a job in the tables. A worker has the turn until it gives it back, or is gone. */
export interface FirstAnswers {
  /** Takes the turn to send requests whose answers are judged. `false` if another worker has it. */
  readonly take: (job: Generation, worker: string) => Effect.Effect<boolean, JobControlError>
  /** Gives the turn back, with the judgement. */
  readonly give: (
    job: Generation,
    worker: string,
    known: Verification.KnownAnswers | undefined
  ) => Effect.Effect<void, JobControlError>
  /** The judgement, and the number of steps with texts that are not done. */
  readonly look: (job: Generation) => Effect.Effect<
    {
      readonly known: Verification.KnownAnswers | undefined
      readonly steps: number
    },
    JobControlError
  >
}

/** The state of jobs for workers, in the tables of the database. Each method may be called twice. */
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
  /** Records the progress of a step that is not done. */
  readonly progressed: (
    job: Generation,
    step: number,
    tallies: Tallies
  ) => Effect.Effect<void, JobControlError>
  /** Records the result of a step: the first record counts, as a repetition finds everything in the store. */
  readonly record: (
    job: Generation,
    step: number,
    result: {
      readonly tallies: Tallies
      /** Outputs that could not be written. */
      readonly failedOutputs: number
      /** Why the first of them could not be. */
      readonly error?: Reason | undefined
      /** Failed texts of outputs that were written. */
      readonly failures: ReadonlyArray<Failure>
      /** The fit of its sources, each once. */
      readonly fits?: ReadonlyArray<Fit> | undefined
    }
  ) => Effect.Effect<void, JobControlError>
  /** The fit of all sources that are done. */
  readonly fits: (job: Generation) => Effect.Effect<ReadonlyArray<Fit>, JobControlError>
  /** The job waits, on all machines. Tells how often in a row it has waited, this time included. */
  readonly wait: (job: Generation, waiting: Waiting) => Effect.Effect<number, JobControlError>
  /** The first answers of a job, which all workers judge together. */
  readonly firstAnswers: FirstAnswers
  /** Something was translated: the next wait is the first again. */
  readonly proceeded: (job: Generation) => Effect.Effect<void, JobControlError>
  /** Ends a job. Returns `true` if it had not ended: many steps may meet its end. */
  readonly ended: (
    job: Generation,
    state: "done" | "failed" | "cancelled",
    error?: { readonly tag: string; readonly message: string }
  ) => Effect.Effect<boolean, JobControlError>
  /** Generations that were purged, and have their journals still. */
  readonly purged: Effect.Effect<ReadonlyArray<Purged>, JobControlError>
  /** Only the journals of the first `steps` steps of a purged generation are left. */
  readonly clearing: (job: Generation, steps: number) => Effect.Effect<void, JobControlError>
  /** The journals of a purged generation are gone. */
  readonly cleared: (job: Generation) => Effect.Effect<void, JobControlError>
  /** The number of workers, without those that are leaving. */
  readonly workers: Effect.Effect<number, JobControlError>
  /**
   * A worker is alive. One that leaves tells so with `undefined`. Fails with `JobsVersionUnknown`, and writes nothing, once the tables are
   * those of another version.
   */
  readonly seen: (
    address: string,
    worker: Omit<Worker, "address" | "seenAt"> | undefined
  ) => Effect.Effect<void, JobControlError>
  /** True for one of all workers once an hour: it is its turn to remove old entries. */
  readonly isUpkeepDue: Effect.Effect<boolean, JobControlError>
  /** Adds findings about a service, and returns those of all machines. */
  readonly learn: (
    service: string,
    state: ServiceLimits.State
  ) => Effect.Effect<ServiceLimits.State, JobControlError>
  /** The budget of a job, with the cap of the job of its name that was submitted last. */
  readonly budget: (job: CorpusJob) => Effect.Effect<JobBudget, JobControlError, Scope.Scope>
  /** The time of the database. */
  readonly now: Effect.Effect<DateTime.Utc, JobControlError>
}

/** The state of jobs for workers. */
export class Jobs extends Context.Tag("effect-translate/workflow/Jobs")<Jobs, Service>() {}
