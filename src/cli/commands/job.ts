import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as CorpusJob from "../../workflow/CorpusJob.js"
import { JobControl, type Service } from "../../workflow/JobControl.js"
import type { JobControlError } from "../../workflow/JobControlError.js"
import type { Actions } from "../command.js"
import type { job } from "../declarations/jobs.js"
import * as leftOuts from "../discovery/leftOut.js"
import { encodeStatus, judge, tell } from "../durableJob/jobResult.js"
import { find, withJobs, withNewJobs } from "../durableJob/jobsDatabase.js"
import * as jobText from "../durableJob/jobText.js"
import { untilEnded, watching } from "../durableJob/watchJob.js"
import * as duration from "../duration.js"
import { usage } from "../failure.js"
import { Output } from "../output.js"
import { Settings } from "../settings/settings.js"
import { confirm } from "../terminal/prompt.js"
import * as text from "../textTable.js"

const encodeFailure = Schema.encodeSync(CorpusJob.Failure)

const encodeWorkers = Schema.encodeSync(Schema.Array(CorpusJob.Worker))

const isCursor = Schema.is(CorpusJob.Cursor)

/** Asks the control of jobs for something of one job, and prints the job. */
const ask =
  (
    of: (control: Service) => (id: string) => Effect.Effect<CorpusJob.Status, JobControlError>,
    inWords: (status: CorpusJob.Status) => string
  ) =>
  ({ id, jobs }: { readonly id: string; readonly jobs: string | undefined }) =>
    withJobs(
      jobs,
      Effect.flatMap(JobControl, (control) =>
        Effect.flatMap(of(control)(id), (status) => tell(status, inWords))
      )
    )

export const actions: Actions<typeof job> = {
  submit: (input) =>
    Effect.gen(function* () {
      // The problem of the command is told before a file of jobs is made.
      const place = yield* find(input.jobs)
      const [{ make }, jobKinds] = yield* Effect.promise(() =>
        Promise.all([import("../durableJob/submitOptions.js"), import("../durableJob/jobKinds.js")])
      )
      // A job that workers refuse by the same settings is refused before it is in the database.
      const { worker } = yield* Settings
      const sources = input.sources.length === 0 ? worker.sources : input.sources
      const kinds = yield* jobKinds.of({ ...worker, sources })
      const submission = yield* make(input, place, kinds)
      yield* leftOuts.tell(submission.leftOut)
      yield* withNewJobs(
        input.jobs,
        kinds,
        Effect.gen(function* () {
          const { submit, workers } = yield* JobControl
          const status = yield* submit(submission.job)
          yield* tell(status, jobText.lineOf, submission.leftOut)
          if (status.state === "done") return
          yield* Output.note(`effect-translate job watch ${status.id} shows how far it is.`)
          const isAnyRunning = (yield* workers).some(({ state }) => state === "running")
          if (!isAnyRunning) yield* Output.note("No worker runs yet: effect-translate worker starts one.")
        })
      )
    }),

  status: ask(({ status }) => status, jobText.ofStatus),

  watch: ({ id, jobs }) =>
    withJobs(
      jobs,
      Effect.gen(function* () {
        const status = yield* watching(id)
        yield* tell(status, jobText.ofStatus)
        yield* judge(status)
      })
    ),

  list: ({ cursor, jobs, limit, prefix, state }) =>
    withJobs(
      jobs,
      Effect.gen(function* () {
        if (cursor !== undefined && !isCursor(cursor)) {
          return yield* usage(`--cursor ${cursor}: give the cursor of an earlier page.`)
        }
        const { list } = yield* JobControl
        const states = state.length === 0 ? undefined : state
        const page = yield* list({ cursor, limit, prefix, states })
        const { counts, next } = page
        const none = counts.all === 0 && prefix === undefined ? "There are no jobs." : "No job is like that."
        yield* Output.result(
          { jobs: page.jobs.map((status) => encodeStatus(status)), next, counts },
          page.jobs.length === 0 ? none : jobText.ofList(page.jobs)
        )
        if (next !== undefined) yield* Output.note(`There are more: add --cursor ${next}.`)
      })
    ),

  /** Prints them as they come: there may be many. */
  failures: ({ id, jobs }) =>
    withJobs(
      jobs,
      Effect.gen(function* () {
        const { json } = yield* Output
        const { failures } = yield* JobControl
        const count = yield* Stream.runFoldEffect(Stream.chunks(failures(id)), 0, (count, chunk) => {
          const all = Chunk.toReadonlyArray(chunk)
          const print = json
            ? Effect.forEach(all, (failure) => Output.event({ type: "failure", ...encodeFailure(failure) }), {
                discard: true
              })
            : Output.result({}, jobText.ofFailures(all))
          return Effect.as(all.length === 0 ? Effect.void : print, count + all.length)
        })
        yield* Output.result({ id, failures: count }, count === 0 ? `No text of ${id} has failed.` : "")
      })
    ),

  pause: ask(({ pause }) => pause, jobText.lineOf),

  resume: ask(({ resume }) => resume, jobText.lineOf),

  cancel: ({ id, jobs, wait }) =>
    withJobs(
      jobs,
      Effect.gen(function* () {
        const { cancel } = yield* JobControl
        const status = yield* cancel(id)
        if (!wait || CorpusJob.isEnded(status)) return yield* tell(status, jobText.lineOf)
        yield* Output.note(`${id}: waiting for requests in flight.`)
        yield* tell(yield* untilEnded(id, () => Effect.void), jobText.lineOf)
      })
    ),

  purge: ({ id, jobs, olderThan, yes }) =>
    Effect.gen(function* () {
      const age = olderThan === undefined ? undefined : yield* duration.parse("--older-than", olderThan)
      yield* withJobs(
        jobs,
        Effect.gen(function* () {
          const { purge } = yield* JobControl
          const which = id === undefined ? "all jobs that have ended" : `the job ${id}`
          yield* confirm(
            `Forget ${which}${olderThan === undefined ? "" : ` (older than ${olderThan})`}, and the texts that failed?`,
            { yes }
          )
          const purged = yield* purge({ id, olderThan: age })
          yield* Output.result({ purged }, `${text.plural(purged, "run")} of jobs forgotten.`)
        })
      )
    }),

  workers: ({ jobs }) =>
    withJobs(
      jobs,
      Effect.gen(function* () {
        const { workers } = yield* JobControl
        const all = yield* workers
        yield* Output.result(
          { workers: encodeWorkers(all) },
          all.length === 0 ? "No worker runs: effect-translate worker starts one." : jobText.ofWorkers(all)
        )
      })
    )
}
