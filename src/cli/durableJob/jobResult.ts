/** What commands print of a job, and how they end. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as jobProgress from "../../pages/shared/jobProgress.js"
import * as CorpusJob from "../../workflow/CorpusJob.js"
import { type Described, Incomplete } from "../failure.js"
import { Output } from "../output.js"
import * as text from "../textTable.js"

/** A status as JSON. */
export const encodeStatus = Schema.encodeSync(CorpusJob.Status)

/** Prints a job. */
export const tell = (
  status: CorpusJob.Status,
  inWords: (status: CorpusJob.Status) => string
): Effect.Effect<void, never, Output> =>
  Effect.flatMap(Output, ({ result }) => result(encodeStatus(status), inWords(status)))

/** Ends a command as the job has ended. */
export const judge = (status: CorpusJob.Status): Effect.Effect<void, Described> => {
  const { error, id, state } = status
  const fail = (error: Described) => Effect.fail(error)
  if (state === "cancelled") return fail({ _tag: "JobCancelled", message: `The job ${id} was cancelled.` })
  if (state === "failed") {
    return fail({
      _tag: error?.tag ?? "JobFailed",
      message: `The job ${id} has failed${error === undefined ? "." : `: ${error.message}`}`
    })
  }
  const failed = jobProgress.failedTexts(status)
  return failed === 0
    ? Effect.void
    : new Incomplete({
        message: `Not everything is translated: ${text.plural(failed, "text")} failed. effect-translate job failures ${id} lists them.`
      })
}
