import * as Effect from "effect/Effect"
import { JobControl } from "../../../workflow/JobControl.js"
import type { OneInput } from "../../commands/job.js"
import { withJobs } from "../../job/database.js"
import { tell } from "../../job/told.js"
import * as words from "../../job/words.js"

export const handle = ({ id, jobs }: OneInput) =>
  withJobs(
    jobs,
    Effect.gen(function* () {
      const { status } = yield* JobControl
      yield* tell(yield* status(id), words.ofStatus)
    })
  )
