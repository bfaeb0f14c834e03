import * as Activity from "@effect/workflow/Activity"
import type { WorkflowEngine, WorkflowInstance } from "@effect/workflow/WorkflowEngine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * True if no earlier run of this execution has come here. The mark in the journal is an activity whose result is the
 * name of the run that has recorded it. Make it once in a run; it may be asked often.
 */
export const make = (name: string): Effect.Effect<boolean, never, WorkflowEngine | WorkflowInstance> => {
  // Not by `Random`: processes may have the same seed.
  const run = crypto.randomUUID()
  return Effect.map(
    Activity.make({ name, success: Schema.String, execute: Effect.succeed(run) }),
    (first) => first === run
  )
}
