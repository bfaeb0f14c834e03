/**
 * Events of a worker: for a log, or for a person at a terminal.
 *
 * @since 0.1.0
 */
import type * as DateTime from "effect/DateTime"
import type { Generation } from "./internal/tables/jobTables.js"

/**
 * An event of a worker:
 *
 * - `JobBegun`: an execution of a job has begun, on some machine.
 * - `JobWaits`: a quota is used up or the service is down, and all machines wait.
 * - `JobEnded`: this worker has ended a job.
 *
 * @since 0.1.0
 * @category models
 */
export type WorkerEvent =
  | ({ readonly _tag: "JobBegun" } & Generation)
  | ({
      readonly _tag: "JobWaits"
      readonly reason: "quota" | "outage"
      readonly until: DateTime.Utc
    } & Generation)
  | ({
      readonly _tag: "JobEnded"
      readonly state: "done" | "failed" | "cancelled"
      readonly error?: { readonly tag: string; readonly message: string } | undefined
    } & Generation)
