/**
 * Documents as durable jobs of their own: one upload per document, also if a process dies in between.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Workflow from "@effect/workflow/Workflow"
import type { WorkflowEngine } from "@effect/workflow/WorkflowEngine"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type * as TranslateClient from "../client/TranslateClient.js"
import type * as DocumentJournal from "../document/DocumentJournal.js"
import * as DocumentSchema from "../document/DocumentSchema.js"
import type * as DocumentTranslation from "../document/DocumentTranslation.js"
import * as Activities from "./Activities.js"
import * as CorpusJob from "./CorpusJob.js"
import * as activitySchema from "./internal/activities/activitySchema.js"

/**
 * A document, as it is submitted.
 *
 * @since 0.1.0
 * @category schemas
 */
export const DocumentJob = Schema.Struct({
  id: CorpusJob.JobId,
  /**
   * The version of the document. One that has ended, done or failed, is final: it begins anew if it is submitted with
   * another revision.
   * @default unknown
   */
  revision: Schema.optional(Schema.String),
  /** Which file becomes which, and how. */
  document: activitySchema.DocumentPayload
}).annotations({ identifier: "DocumentJob" })

/**
 * A document, as it is submitted.
 *
 * @since 0.1.0
 * @category models
 */
export interface DocumentJob extends Schema.Schema.Type<typeof DocumentJob> {}

/**
 * The workflow: uploads a file, waits, and downloads its translation; see `Activities.document`. Its executions are known by the `id` and
 * the `revision` of the document.
 *
 * @since 0.1.0
 * @category constructors
 */
export const workflow: Workflow.Workflow<
  "effect-translate/Document",
  typeof DocumentJob,
  typeof DocumentSchema.Translated,
  typeof DocumentSchema.DocumentTranslationError
> = Workflow.make({
  name: "effect-translate/Document",
  payload: DocumentJob,
  success: DocumentSchema.Translated,
  error: DocumentSchema.DocumentTranslationError,
  idempotencyKey: ({ id, revision }) => JSON.stringify([id, revision]),
  // The time after which a caller that waits for the end of a sleeping one looks again: by default after up to 30 seconds.
  suspendedRetrySchedule: Schedule.spaced("1 second")
}).annotate(Workflow.CaptureDefects, false)

/**
 * Options of a worker for translating documents.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Omit<Activities.DocumentOptions, "name" | "payload"> {}

/**
 * Registers the workflow at an engine: this process translates documents from then on.
 *
 * An upload is sent once, also if a process dies in between. Once the quota is used up (456) the document waits, durably, and
 * goes on once a try gets through (see `quotaPause`). A restart in between changes nothing.
 *
 * Provide the client and the file system outside of the engine, so that they end after its requests in flight.
 *
 * Errors of a document are its result. `AmbiguousUpload` says that nobody knows whether the upload arrived: look at the usage, then submit
 * it with another `revision` and `resubmit: ["ambiguous"]`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options = {}
): Layer.Layer<
  never,
  never,
  | WorkflowEngine
  | TranslateClient.TranslateClient
  | DocumentJournal.DocumentJournal
  | FileSystem.FileSystem
  | Path.Path
> =>
  workflow.toLayer(({ document }) => Activities.document({ ...options, name: "document", payload: document }))

/**
 * Submits a document, and returns its execution. The same document again is no second one.
 *
 * @since 0.1.0
 * @category combinators
 */
export const submit = (job: DocumentJob): Effect.Effect<string, never, WorkflowEngine> =>
  workflow.execute(job, { discard: true })

/**
 * Submits a document, and waits for its end.
 *
 * @since 0.1.0
 * @category combinators
 */
export const translate = (
  job: DocumentJob
): Effect.Effect<
  DocumentTranslation.Translated,
  DocumentTranslation.DocumentTranslationError,
  WorkflowEngine
> => workflow.execute(job)

/** Executions are named by id and revision alone. */
const nothing: activitySchema.DocumentPayload = { file: "", output: "", targetLang: "de" }

/**
 * The result of a document: `Complete` with its result, `Suspended` while it waits, and `undefined` while it is under
 * way or unknown.
 *
 * @since 0.1.0
 * @category combinators
 */
export const poll = (
  job: Pick<DocumentJob, "id" | "revision">
): Effect.Effect<
  Workflow.Result<DocumentTranslation.Translated, DocumentTranslation.DocumentTranslationError> | undefined,
  never,
  WorkflowEngine
> =>
  Effect.flatMap(
    workflow.executionId({ ...Struct.pick(job, "id", "revision"), document: nothing }),
    workflow.poll
  )
