import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as CorpusJob from "../../../workflow/CorpusJob.js"
import { JobControl } from "../../../workflow/JobControl.js"
import type { OneInput } from "../../commands/job.js"
import { withJobs } from "../../job/database.js"
import * as words from "../../job/words.js"
import { Output } from "../../output.js"

const encode = Schema.encodeSync(CorpusJob.Failure)

/** Prints them as they come: there may be many. */
export const handle = ({ id, jobs }: OneInput) =>
  withJobs(
    jobs,
    Effect.gen(function* () {
      const { event, json, result } = yield* Output
      const { failures } = yield* JobControl
      const count = yield* Stream.runFoldEffect(Stream.chunks(failures(id)), 0, (count, chunk) => {
        const all = Chunk.toReadonlyArray(chunk)
        const print = json
          ? Effect.forEach(all, (failure) => event({ type: "failure", ...encode(failure) }), {
              discard: true
            })
          : result({}, words.ofFailures(all))
        return Effect.as(all.length === 0 ? Effect.void : print, count + all.length)
      })
      yield* result({ id, failures: count }, count === 0 ? `No text of ${id} has failed.` : "")
    })
  )
