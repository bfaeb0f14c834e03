/**
 * A job as a workflow: its sources are cut into steps, and each step is an execution of its own on some machine. The journal holds
 * receipts; texts are in the store.
 *
 * `JobControl` submits jobs, and a `Worker` executes them: use these. The workflows are public for reading the journal.
 *
 * @since 0.1.0
 */
import * as Workflow from "@effect/workflow/Workflow"
import * as Schema from "effect/Schema"
import { JobId } from "./CorpusJob.js"

/**
 * The result of a step, or of a job.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Receipt = Schema.Struct({
  /** `stopped`: the job has ended, or was told to end. */
  state: Schema.Literal("done", "stopped"),
  /** The number of outputs that could not be written. */
  failedOutputs: Schema.Number,
  /** Why the first of them could not be. */
  error: Schema.optional(Schema.Struct({ tag: Schema.String, message: Schema.String }))
})

/**
 * The result of a step, or of a job.
 *
 * @since 0.1.0
 * @category models
 */
export interface Receipt extends Schema.Schema.Type<typeof Receipt> {}

const generation = { id: JobId, generation: Schema.Number }

/**
 * A generation of a job: plans it, executes its steps, and ends it. Errors end the job, not the workflow, so it never fails: a finished
 * execution is final in this engine.
 *
 * @since 0.1.0
 * @category constructors
 */
export const CorpusWorkflow = Workflow.make({
  name: "effect-translate/Corpus",
  payload: generation,
  success: Receipt,
  idempotencyKey: ({ generation, id }) => `${id}/${generation}`
}).annotate(Workflow.CaptureDefects, false)

/**
 * A step of a job. It has no activities, as it may be done twice: its translations are in the store.
 *
 * @since 0.1.0
 * @category constructors
 */
export const StepWorkflow = Workflow.make({
  name: "effect-translate/CorpusStep",
  payload: { ...generation, step: Schema.Number },
  success: Receipt,
  idempotencyKey: ({ generation, id, step }) => `${id}/${generation}/${step}`
}).annotate(Workflow.CaptureDefects, false)
