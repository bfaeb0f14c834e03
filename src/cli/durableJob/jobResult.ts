/** Prints jobs for commands, and sets their exit codes. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as jobProgress from "../../pages/shared/jobProgress.js"
import * as CorpusJob from "../../workflow/CorpusJob.js"
import * as leftOuts from "../discovery/leftOut.js"
import { type Described, Incomplete } from "../failure.js"
import * as optionFlags from "../optionFlags.js"
import { Output } from "../output.js"
import * as text from "../textTable.js"

/** A status as JSON. */
export const encodeStatus = Schema.encodeSync(CorpusJob.Status)

/** Prints a job, and the files left out of it. */
export const tell = (
  status: CorpusJob.Status,
  inWords: (status: CorpusJob.Status) => string,
  leftOut?: ReadonlyArray<leftOuts.LeftOut>
): Effect.Effect<void, never, Output> =>
  Effect.flatMap(Output, ({ result }) =>
    leftOut === undefined
      ? result(encodeStatus(status), inWords(status))
      : result(
          { ...encodeStatus(status), leftOut: leftOuts.counts(leftOut) },
          text.lines(inWords(status), leftOuts.line(leftOut))
        )
  )

/** Ends a command as the job has ended. */
export const judge = (status: CorpusJob.Status): Effect.Effect<void, Described> => {
  const { error, id, state } = status
  const fail = (error: Described) => Effect.fail(error)
  if (state === "cancelled") return fail({ _tag: "JobCancelled", message: `The job ${id} was cancelled.` })
  if (state === "failed") {
    return fail({
      _tag: error?.tag ?? "JobFailed",
      message: `The job ${id} has failed${error === undefined ? "." : `: ${optionFlags.named(error.message, optionFlags.ofJob)}`}`
    })
  }
  const failed = jobProgress.failedTexts(status)
  return failed === 0
    ? Effect.void
    : new Incomplete({
        message: `Not everything is translated: ${text.plural(failed, "text")} failed. effect-translate job failures ${id} lists them.`
      })
}
