import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Job, JobResult } from "../../../api/TranslationMemoryJob.js"
import type { CallError } from "../../TranslateError.js"
import { MemoryJobFailed, MemoryJobOverdue } from "../../TranslationMemoryError.js"

/** Pauses from a quarter of a second to ten seconds, for two hours. */
export const pollSchedule: Schedule.Schedule<unknown> = Schedule.exponential("250 millis", 1.5).pipe(
  Schedule.union(Schedule.spaced("10 seconds")),
  Schedule.jitteredWith({ min: 0.75, max: 1 }),
  Schedule.upTo("2 hours")
)

/** Asks how far a job is, by the schedule, until it is done. */
export const awaitDone = (
  ask: Effect.Effect<Job, CallError>,
  { jobId, operation }: { readonly jobId: string; readonly operation: "import" | "export" },
  schedule: Schedule.Schedule<unknown, Job>
): Effect.Effect<JobResult, CallError | MemoryJobFailed | MemoryJobOverdue> =>
  Effect.flatMap(Schedule.driver(schedule), (pauses) => {
    const again: Effect.Effect<JobResult, CallError | MemoryJobFailed | MemoryJobOverdue> = Effect.flatMap(
      ask,
      (job) => {
        const [result] = job.results
        const status = result?.status ?? "unknown"
        switch (status) {
          case "completed":
          case "downloaded":
            return Effect.succeed(result!)
          case "failed":
          case "expired":
            return new MemoryJobFailed({ operation, jobId, status, serviceMessage: result?.error?.message })
          default:
            return Effect.matchEffect(pauses.next(job), {
              onFailure: () => new MemoryJobOverdue({ operation, jobId, lastStatus: status }),
              onSuccess: () => again
            })
        }
      }
    )
    return again
  })
