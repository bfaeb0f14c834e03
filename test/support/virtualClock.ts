/** A clock that jumps to the next sleeper whenever nothing else happens: hours of simulation in milliseconds. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

const idle = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Runs an effect that does no real input or output under such a clock, from time 0. Its date may be set to so many milliseconds after that. */
export const run = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  setTo: () => number = () => 0
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    let now = 0
    const sleepers = new Set<Sleeper>()
    const real = Clock.make()
    const clock: Clock.Clock = {
      ...real,
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      unsafeCurrentTimeMillis: () => now + setTo(),
      unsafeCurrentTimeNanos: () => BigInt(now) * 1_000_000n,
      currentTimeMillis: Effect.sync(() => now + setTo()),
      currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
      sleep: (duration) =>
        Effect.async<void>((resume) => {
          const sleeper = { at: now + Duration.toMillis(duration), wake: () => resume(Effect.void) }
          sleepers.add(sleeper)
          return Effect.sync(() => void sleepers.delete(sleeper))
        })
    }
    const fiber = yield* Effect.fork(Effect.withClock(effect, clock))
    while (fiber.unsafePoll() === null) {
      yield* idle
      const next = Math.min(...Array.from(sleepers, ({ at }) => at))
      if (!Number.isFinite(next)) continue
      now = Math.max(now, next)
      for (const sleeper of sleepers) {
        if (sleeper.at > next) continue
        sleepers.delete(sleeper)
        sleeper.wake()
      }
    }
    return yield* Fiber.join(fiber)
  })
