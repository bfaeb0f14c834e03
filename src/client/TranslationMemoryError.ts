/**
 * Why an import or an export of a translation memory fails, beside the errors of each call. No error holds a text, or an address of a
 * file.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { is, TaggedError } from "../internal/taggedError.js"

const Operation = Schema.Literal("import", "export")

const said = (message: string | undefined): string =>
  message === undefined ? "" : `The service says: ${message.replace(/[.\s]+$/, "")}. `

const adviceFor = (operation: typeof Operation.Type, status: string): string => {
  if (operation === "export") return "Begin the export again."
  switch (status) {
    case "completed":
      return "The service does not say which memory it has made: look for it in the list of memories."
    case "failed":
      return "Check that the file is TMX, then import it again; no memory was made."
    default:
      return "Begin the import again."
  }
}

/**
 * The job has ended and there is nothing to take from it: it has `failed`, or it is `expired`, as its file did not come, or was not
 * taken, in time.
 *
 * @since 0.1.0
 * @category errors
 */
export class MemoryJobFailed extends TaggedError<MemoryJobFailed>()(
  "MemoryJobFailed",
  {
    operation: Operation,
    jobId: Schema.String,
    /** The status that it has ended with. */
    status: Schema.String,
    /** The service's message. */
    serviceMessage: Schema.optional(Schema.String)
  },
  ({ jobId, operation, serviceMessage, status }) => [
    `The ${operation} of a translation memory, job ${jobId}, is "${status}"`,
    said(serviceMessage) + adviceFor(operation, status)
  ],
  { isRetryable: ({ status }) => status !== "failed" }
) {}

/**
 * The job was not done when the schedule that waits for it ended. It goes on: wait for it by its id.
 *
 * @since 0.1.0
 * @category errors
 */
export class MemoryJobOverdue extends TaggedError<MemoryJobOverdue>()(
  "MemoryJobOverdue",
  {
    operation: Operation,
    jobId: Schema.String,
    /** Its last status. */
    lastStatus: Schema.String
  },
  ({ jobId, lastStatus, operation }) => [
    `The ${operation} of a translation memory, job ${jobId}, is still "${lastStatus}"`,
    "It goes on: wait for this job again, by `awaitJob` with its id, or take a longer `pollSchedule`."
  ],
  { isRetryable: true }
) {}

/**
 * Where the service keeps files, one is not taken or not given out. The address of a file works for a while only.
 *
 * @since 0.1.0
 * @category errors
 */
export class MemoryTransferRefused extends TaggedError<MemoryTransferRefused>()(
  "MemoryTransferRefused",
  {
    operation: Operation,
    /** The HTTP status. */
    status: Schema.Number
  },
  ({ operation, status }) => [
    operation === "import"
      ? "The file of a translation memory was not taken"
      : "The file of a translation memory was not given out",
    `Its address answers with status ${status}. It may have expired: begin the ${operation} again.`
  ],
  { isRetryable: true }
) {}

/**
 * 409: the service can't export the memory now, as something else is done with it.
 *
 * @since 0.1.0
 * @category errors
 */
export class MemoryBusy extends TaggedError<MemoryBusy>()(
  "MemoryBusy",
  { translationMemoryId: Schema.String },
  ({ translationMemoryId }) => [
    `The translation memory ${translationMemoryId} can't be exported now (status 409)`,
    "Something else is done with it: try again later, or take a longer `pollSchedule`."
  ],
  { isRetryable: true }
) {}

/**
 * Why an import or an export fails, beside the errors of each call.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TranslationMemoryError = Schema.Union(
  MemoryJobFailed,
  MemoryJobOverdue,
  MemoryTransferRefused,
  MemoryBusy
)

/**
 * Why an import or an export fails, beside the errors of each call.
 *
 * @since 0.1.0
 * @category models
 */
export type TranslationMemoryError = typeof TranslationMemoryError.Type

/**
 * Returns `true` for one of these errors.
 *
 * @since 0.1.0
 * @category guards
 */
export const isTranslationMemoryError = is(TranslationMemoryError)
