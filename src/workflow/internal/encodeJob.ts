import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Violation from "../../api/Violation.js"
import { InvalidJob } from "../../job/JobError.js"
import * as CorpusJob from "../CorpusJob.js"

const encode = Schema.encode(CorpusJob.CorpusJob, { errors: "all" })

/** A job as it is stored and sent, if it is one. */
export const encodeJob = (
  job: CorpusJob.CorpusJob
): Effect.Effect<typeof CorpusJob.CorpusJob.Encoded, InvalidJob> =>
  Effect.mapError(encode(job), ({ issue }) => new InvalidJob({ violations: Violation.fromIssue(issue) }))
