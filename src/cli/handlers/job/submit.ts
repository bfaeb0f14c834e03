import * as Effect from "effect/Effect"
import { JobControl } from "../../../workflow/JobControl.js"
import type { SubmitInput } from "../../commands/job.js"
import { find, withNewJobs } from "../../job/database.js"
import * as plans from "../../job/plan.js"
import { tell } from "../../job/told.js"
import * as words from "../../job/words.js"
import { Output } from "../../output.js"

export const handle = (input: SubmitInput) =>
  Effect.gen(function* () {
    const { note } = yield* Output
    // What is wrong with the command is told before a file of jobs is made.
    const place = yield* find(input.jobs)
    const job = yield* plans.make(input, place)
    yield* withNewJobs(
      input.jobs,
      Effect.gen(function* () {
        const { submit, workers } = yield* JobControl
        const status = yield* submit(job)
        yield* tell(status, words.lineOf)
        if (status.state === "done") return
        yield* note(`effect-translate job watch ${status.id} shows how far it is.`)
        const isAnyRunning = (yield* workers).some(({ state }) => state === "running")
        if (!isAnyRunning) yield* note("No worker runs yet: effect-translate worker starts one.")
      })
    )
  })
