/** Follows a job until it has ended. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as monotonic from "../../internal/monotonic.js"
import * as jobProgress from "../../pages/shared/jobProgress.js"
import type * as CorpusJob from "../../workflow/CorpusJob.js"
import { JobControl } from "../../workflow/JobControl.js"
import { type JobControlError, JobNotFound } from "../../workflow/JobControlError.js"
import { Output } from "../output.js"
import * as screens from "../terminal/screen.js"
import { encodeStatus } from "./jobResult.js"
import * as jobText from "./jobText.js"

/** A database that restarts is waited for. */
const patience = Schedule.spaced("1 second").pipe(Schedule.upTo("2 minutes"))

/** The status of a job once it has ended; `onStatus` receives it on the way. */
export const untilEnded = <R>(
  id: string,
  onStatus: (status: CorpusJob.Status) => Effect.Effect<void, never, R>
): Effect.Effect<CorpusJob.Status, JobControlError, R | JobControl> =>
  Effect.gen(function* () {
    const { status, watch } = yield* JobControl
    yield* status(id)
    const last = yield* watch(id).pipe(
      Stream.tap(onStatus),
      Stream.runLast,
      Effect.retry({ schedule: patience, while: ({ _tag }) => _tag === "JobsUnavailable" })
    )
    return yield* Option.match(last, {
      onNone: () => Effect.fail(new JobNotFound({ id })),
      onSome: Effect.succeed
    })
  })

/** A line is printed once another tenth is done, but not more often than this; and after some time at any rate. In milliseconds. */
const pauses = { least: 5_000, most: 60_000 }

/** A line when the state changes, and now and then. */
const asLines = Effect.map(Output, ({ note }) => {
  let state: string | undefined
  let last = 0
  let tenths = 0
  return (status: CorpusJob.Status) =>
    Effect.gen(function* () {
      const now = yield* monotonic.millis
      const done = Math.floor(10 * (jobProgress.share(status) ?? 0))
      const isNew = jobText.stateOf(status) !== state
      if (!isNew && now - last < (done > tenths ? pauses.least : pauses.most)) return
      state = jobText.stateOf(status)
      last = now
      tenths = done
      yield* note(jobText.lineOf(status))
    })
})

const width = 30

/** The console of Linux has few characters. */
const [full, empty] = process.env.TERM === "linux" ? ["#", "-"] : ["█", "░"]

/** A bar and a line, which are gone when the job has ended. */
const asBar = Effect.gen(function* () {
  const screen = yield* screens.open(process.stderr)
  yield* Output.divert(screen.print)
  return (status: CorpusJob.Status) =>
    Effect.sync(() => {
      const done = Math.round(width * (jobProgress.share(status) ?? 0))
      const bar = `${full.repeat(done)}${empty.repeat(width - done)}`
      const { columns } = screen.size()
      screen.draw([bar, jobText.lineOf(status)].map((line) => line.slice(0, columns - 1)))
    })
})

const asEvents = Effect.map(
  Output,
  ({ event }) =>
    (status: CorpusJob.Status) =>
      event({ type: "status", ...encodeStatus(status) })
)

/** Shows a job until it has ended: on a terminal as a bar, elsewhere as lines, with `--json` as events. */
export const watching = (id: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const output = yield* Output
      const show = yield* output.json ? asEvents : output.isInteractive ? asBar : asLines
      return yield* untilEnded(id, show)
    })
  )
