import * as Effect from "effect/Effect"
import * as CorpusJob from "../../../workflow/CorpusJob.js"
import { JobControl } from "../../../workflow/JobControl.js"
import type { CancelInput } from "../../commands/job.js"
import { withJobs } from "../../job/database.js"
import { tell } from "../../job/told.js"
import { untilEnded } from "../../job/watching.js"
import * as words from "../../job/words.js"
import { Output } from "../../output.js"

export const handle = ({ id, jobs, wait }: CancelInput) =>
  withJobs(
    jobs,
    Effect.gen(function* () {
      const { note } = yield* Output
      const { cancel } = yield* JobControl
      const status = yield* cancel(id)
      if (!wait || CorpusJob.isEnded(status)) return yield* tell(status, words.lineOf)
      yield* note(`${id}: waiting for what is in flight.`)
      yield* tell(yield* untilEnded(id, () => Effect.void), words.lineOf)
    })
  )
