import * as Effect from "effect/Effect"
import { JobControl } from "../../../workflow/JobControl.js"
import type { PurgeInput } from "../../commands/job.js"
import { confirm } from "../../confirm.js"
import * as duration from "../../duration.js"
import { Usage } from "../../failure.js"
import { withJobs } from "../../job/database.js"
import { Output } from "../../output.js"
import * as text from "../../text.js"

export const handle = ({ id: [id, ...others], jobs, olderThan, yes }: PurgeInput) =>
  Effect.gen(function* () {
    if (others.length > 0) {
      return yield* new Usage({ message: "job purge takes one job, or none for all that have ended." })
    }
    const age = olderThan === undefined ? undefined : yield* duration.parse("--older-than", olderThan)
    yield* withJobs(
      jobs,
      Effect.gen(function* () {
        const { result } = yield* Output
        const { purge } = yield* JobControl
        const which = id === undefined ? "all jobs that have ended" : `the job ${id}`
        yield* confirm(
          `Forget ${which}${olderThan === undefined ? "" : ` (older than ${olderThan})`}, and the texts that failed?`,
          { yes }
        )
        const purged = yield* purge({ id, olderThan: age })
        yield* result({ purged }, `${text.plural(purged, "run")} of jobs forgotten.`)
      })
    )
  })
