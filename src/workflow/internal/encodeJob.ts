import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Violation from "../../api/Violation.js"
import { InvalidJob } from "../../job/JobError.js"
import * as TranslationJob from "../../job/TranslationJob.js"
import * as CorpusJob from "../CorpusJob.js"
import * as jobData from "./jobData.js"

const encode = Schema.encode(CorpusJob.CorpusJob, { errors: "all", onExcessProperty: "error" })

/** The stored parts of a job beside its options, which are texts. */
const problemsOf = ({ corpus, revision }: CorpusJob.CorpusJob): ReadonlyArray<Violation.Violation> =>
  Object.entries({ corpus, revision }).flatMap(([field, value]) => {
    const rule = jobData.problemOf(value)
    return rule === undefined ? [] : [{ field, rule }]
  })

/** A job as it is stored and sent, if it obeys the rules of all jobs. */
export const encodeJob = (
  job: CorpusJob.CorpusJob
): Effect.Effect<typeof CorpusJob.CorpusJob.Encoded, InvalidJob> =>
  encode(job).pipe(
    Effect.mapError(({ issue }) => new InvalidJob({ violations: Violation.fromIssue(issue) })),
    Effect.zipLeft(
      Effect.suspend(() =>
        TranslationJob.checkShared({ ...job, policies: job.checks, checks: [] }, problemsOf(job))
      )
    )
  )
