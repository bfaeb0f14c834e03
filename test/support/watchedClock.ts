/** The clock of this machine, on which a test sees that somebody waits; and its next turn and millisecond. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

export const make = Effect.gen(function* () {
  const machine = yield* Effect.clock
  const waits = yield* Queue.unbounded<void>()
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => machine.unsafeCurrentTimeMillis(),
    unsafeCurrentTimeNanos: () => machine.unsafeCurrentTimeNanos(),
    currentTimeMillis: machine.currentTimeMillis,
    currentTimeNanos: machine.currentTimeNanos,
    sleep: () => Effect.zipRight(Queue.offer(waits, undefined), machine.sleep(Duration.millis(1)))
  }
  return {
    /** Ends with the next wait of an effect that has this clock. */
    waiting: Queue.take(waits),
    /** Waits of this effect are seen, and last a millisecond. */
    provide: Effect.withClock(clock)
  }
})

/** Lets the event loop do all that is due: timers, input and output. */
export const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** Ends with the millisecond: what happens after it is later by the clock. */
export const nextMilli = Effect.flatMap(Clock.currentTimeMillis, (before) =>
  Effect.repeat(Effect.zipRight(turn, Clock.currentTimeMillis), { until: (now) => now > before })
)
