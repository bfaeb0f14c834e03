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

/** A job that has not ended. */
export interface Active extends Generation {
  readonly isStarted: boolean
  /** The state that its users ask for. */
  readonly desired: "run" | "pause" | "cancel"
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

/** A step of a stored plan. */
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
  /** True once no worker can be about to begin it any more. */
  readonly isLate: boolean
}

/** The columns or paths that were chosen of a source, as far as another source may have those that it lacks. */
export type Fit = Pick<Format.Selection, "found" | "known" | "lacks" | "option">

/** A budget whose spent characters are written to the database a little later. */
export interface JobBudget extends Budget.Service {
  /** Writes the spent characters to the database, and gives back those that are held for nothing. */
  readonly flush: Effect.Effect<void, StoreError>
}

type InTables<A> = Effect.Effect<A, JobControlError>

/** A job as a whole, from its start to its end. */
export interface Lifecycle {
  readonly listActive: InTables<ReadonlyArray<Active>>
  readonly load: (job: Generation) => InTables<CorpusJob>
  /** Records that an execution of the engine has begun the job. */
  readonly start: (job: Generation, execution: string) => InTables<void>
  /** Lets the job wait on all machines. Returns how often in a row it has waited, this time included. */
  readonly wait: (job: Generation, waiting: Waiting) => InTables<number>
  /** Sets the waits in a row to 0, once something was translated. */
  readonly resetWaits: (job: Generation) => InTables<void>
  /** Ends a job. Returns `true` if it had not ended: many steps may meet its end. */
  readonly end: (
    job: Generation,
    state: "done" | "failed" | "cancelled",
    error?: { readonly tag: string; readonly message: string }
  ) => InTables<boolean>
}

/** The steps of jobs. */
export interface Steps {
  /** The plan of a job; none before it is stored. */
  readonly findPlan: (job: Generation) => InTables<Option.Option<Plan>>
  /**
   * Stores a plan as a whole, and returns the one that counts: the first. A worker that was frozen in the middle may come with another one, as
   * sizes depend on how many workers there are.
   */
  readonly storePlan: (
    job: Generation,
    plan: {
      readonly steps: ReadonlyArray<Step>
      /** Texts of slices, counted once. */
      readonly texts: number
      /** Outputs, each for all languages. */
      readonly sources: number
    }
  ) => InTables<Plan>
  /** A step of a plan; none if its job is gone. */
  readonly findStep: (job: Generation, step: number) => InTables<Option.Option<Planned>>
  /** Records the counts of a step that is not done. */
  readonly recordProgress: (job: Generation, step: number, tallies: Tallies) => InTables<void>
  /** Records the result of a step: the first record counts, as a repetition finds everything in the store. */
  readonly recordResult: (
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
  ) => InTables<void>
  /** The fit of all sources that are done. */
  readonly listFits: (job: Generation) => InTables<ReadonlyArray<Fit>>
}

/** The first answers of a job, which its workers judge together. A worker has the turn until it gives it back, or is gone. */
export interface FirstAnswers {
  /** Takes the turn to send requests whose answers are judged. `false` if another worker has it. */
  readonly take: (job: Generation, worker: string) => InTables<boolean>
  /** Gives the turn back, with the judgement. */
  readonly give: (
    job: Generation,
    worker: string,
    known: Verification.KnownAnswers | undefined
  ) => InTables<void>
  /** The judgement, and the number of steps with texts that are not done. */
  readonly look: (
    job: Generation
  ) => InTables<{ readonly known: Verification.KnownAnswers | undefined; readonly steps: number }>
}

/** The journals that the engine keeps of purged generations. */
export interface Journals {
  readonly listPurged: InTables<ReadonlyArray<Purged>>
  /** Records that only the journals of the first `steps` steps are left. */
  readonly recordCleared: (job: Generation, steps: number) => InTables<void>
  /** Forgets a purged generation, once its journals are gone. */
  readonly forget: (job: Generation) => InTables<void>
}

/** The workers of a database. */
export interface Workers {
  /** The number of workers, without those that are leaving. */
  readonly countWorkers: InTables<number>
  /** Records that a worker is alive. Fails with `JobsVersionUnknown`, and writes nothing, once the tables are those of another version. */
  readonly heartbeat: (address: string, worker: Omit<Worker, "address" | "seenAt">) => InTables<void>
  readonly removeWorker: (address: string) => InTables<void>
  /** Takes the turn to remove old entries: `true` for one of all workers, once an hour. */
  readonly takeUpkeep: InTables<boolean>
}

/** The state of jobs for workers, in the tables of the database. Each method may be called twice. */
export interface Service extends Lifecycle, Steps, Journals, Workers {
  readonly firstAnswers: FirstAnswers
  /** Adds limits that a worker has found of a service, and returns those of all workers. */
  readonly mergeLimits: (service: string, state: ServiceLimits.State) => InTables<ServiceLimits.State>
  /** The budget of a job, with the cap of the job of its name that was submitted last. */
  readonly openBudget: (job: CorpusJob) => Effect.Effect<JobBudget, JobControlError, Scope.Scope>
  /** The time of the database. */
  readonly now: InTables<DateTime.Utc>
}

export class Jobs extends Context.Tag("effect-translate/workflow/Jobs")<Jobs, Service>() {}
