import * as Effect from "effect/Effect"
import type { OneInput } from "../../commands/job.js"
import { withJobs } from "../../job/database.js"
import { judge, tell } from "../../job/told.js"
import { watching } from "../../job/watching.js"
import * as words from "../../job/words.js"

export const handle = ({ id, jobs }: OneInput) =>
  withJobs(
    jobs,
    Effect.gen(function* () {
      const status = yield* watching(id)
      yield* tell(status, words.ofStatus)
      yield* judge(status)
    })
  )
