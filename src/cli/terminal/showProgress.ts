/** The progress of a running job for a person: bars on a terminal, a line now and then elsewhere. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { ConcurrencyLimit } from "../../client/ConcurrencyLimit.js"
import * as monotonic from "../../internal/monotonic.js"
import type * as Progress from "../../stream/Progress.js"
import { Output } from "../output.js"
import * as progressBars from "./progressBars.js"
import * as progressText from "./progressText.js"
import * as screens from "./screen.js"

/** The current content of the screen. */
const viewOf = (progress: Progress.Progress, isHalting: () => boolean) =>
  Effect.flatMap(ConcurrencyLimit, (limit) =>
    Effect.map(
      Effect.all([progress.state, limit.state]),
      ([state, limit]): progressBars.View => ({ state, limit, isHalting: isHalting() })
    )
  )

/** Not so with the console of Linux, whose fonts have few characters. */
const hasUnicode = process.env.TERM !== "linux"

const bars = (view: Effect.Effect<progressBars.View, never, ConcurrencyLimit>) =>
  Effect.gen(function* () {
    const { hasColours } = yield* Output
    const screen = yield* screens.open(process.stderr)
    yield* Output.divert(screen.print)
    const style = progressBars.style(hasColours, hasUnicode)
    yield* view.pipe(
      Effect.map((view) => screen.draw(progressBars.make(view, screen.size(), style))),
      Effect.repeat(Schedule.spaced("100 millis")),
      Effect.interruptible,
      Effect.forkScoped
    )
  })

/** A line is printed once another tenth is done, but not more often than this; and after some time at any rate. In milliseconds. */
const pauses = { least: 5_000, most: 60_000 }

const lines = (view: Effect.Effect<progressBars.View, never, ConcurrencyLimit>) =>
  Effect.gen(function* () {
    let last = yield* monotonic.millis
    let tenths = 0
    let trouble: string | undefined
    const tell = Effect.gen(function* () {
      const { limit, state } = yield* view
      const now = yield* monotonic.millis
      const before = trouble
      trouble =
        state.outage === undefined ? undefined : progressText.trouble({ ...state, nextTry: undefined }, limit)
      if (trouble !== undefined && trouble !== before) yield* Output.note(trouble)
      const done = state.total === undefined ? 0 : Math.floor((10 * state.done) / Math.max(1, state.total))
      if (now - last < (done > tenths ? pauses.least : pauses.most) || state.done === state.total) return
      last = now
      tenths = done
      yield* Output.note([...progressText.pace(state), ...progressText.bill(state)].join(", "))
    })
    yield* tell.pipe(Effect.repeat(Schedule.spaced("1 second")), Effect.interruptible, Effect.forkScoped)
  })

/**
 * Shows the progress of an effect while it runs: on a terminal as bars, which are gone when it has ended; elsewhere as
 * notes. Notes meanwhile come above the bars. Once `halting` completes, it says that the job ends in good order.
 */
export const show =
  (progress: Progress.Progress, halting: Effect.Effect<void> = Effect.never) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Output | ConcurrencyLimit> =>
    Effect.scopedWith((scope) =>
      Effect.gen(function* () {
        const output = yield* Output
        if (output.quiet || output.json) return yield* self
        let isHalting = false
        const view = viewOf(progress, () => isHalting)
        const halted = Effect.tap(halting, () =>
          Effect.sync(() => {
            isHalting = true
          })
        )
        if (!output.isInteractive) {
          yield* Scope.extend(lines(view), scope)
          yield* Effect.forkIn(Effect.zipRight(halted, output.note(progressText.halting)), scope)
          return yield* self
        }
        yield* Scope.extend(bars(view), scope)
        yield* Effect.forkIn(halted, scope)
        return yield* self
      })
    )
