import * as Effect from "effect/Effect"
import { JobControl } from "../../../workflow/JobControl.js"
import type { ListInput } from "../../commands/job.js"
import { withJobs } from "../../job/database.js"
import { encodeStatus } from "../../job/told.js"
import * as words from "../../job/words.js"
import { Output } from "../../output.js"

export const handle = ({ jobs }: ListInput) =>
  withJobs(
    jobs,
    Effect.gen(function* () {
      const { result } = yield* Output
      const { list } = yield* JobControl
      const all = yield* list
      yield* result(
        { jobs: all.map((status) => encodeStatus(status)) },
        all.length === 0 ? "There are no jobs." : words.ofList(all)
      )
    })
  )
