import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CorpusJob from "../../../workflow/CorpusJob.js"
import { JobControl } from "../../../workflow/JobControl.js"
import type { ListInput } from "../../commands/job.js"
import { withJobs } from "../../job/database.js"
import * as words from "../../job/words.js"
import { Output } from "../../output.js"

const encode = Schema.encodeSync(Schema.Array(CorpusJob.Worker))

export const handle = ({ jobs }: ListInput) =>
  withJobs(
    jobs,
    Effect.gen(function* () {
      const { result } = yield* Output
      const { workers } = yield* JobControl
      const all = yield* workers
      yield* result(
        { workers: encode(all) },
        all.length === 0 ? "No worker runs: effect-translate worker starts one." : words.ofWorkers(all)
      )
    })
  )
