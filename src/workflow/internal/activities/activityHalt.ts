import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"

/**
 * The time for requests in flight once an activity is interrupted. Kubernetes kills 30 seconds after SIGTERM, unless it
 * is told otherwise.
 */
const grace = "10 seconds"

/** The pause between looks for requests in flight, and the time for recording their answers. */
const interval = "50 millis"
const recording = "1 second"

/** The requests of an activity. */
interface Flight {
  /** Counts a request while it is in flight: as long as the scope is open. */
  readonly begin: Effect.Effect<void, never, Scope.Scope>
  readonly isInFlight: Effect.Effect<boolean>
  /** Lets no other request begin. */
  readonly halt: Effect.Effect<void>
}

export const makeFlight = (): Flight => {
  let requests = 0
  let isHalted = false
  const counted = Effect.acquireRelease(
    Effect.sync(() => void requests++),
    () => Effect.sync(() => void requests--)
  )
  return {
    begin: Effect.suspend(() => (isHalted ? Effect.never : counted)),
    isInFlight: Effect.sync(() => requests > 0),
    halt: Effect.sync(() => {
      isHalted = true
    })
  }
}

/**
 * Runs an effect whose requests do not go to waste: interrupted, as by the end of the process, it sends no more, and
 * waits until answers have come in and are recorded.
 */
export const finishing = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  { halt, isInFlight }: Flight
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDaemon(Effect.interruptible(effect)), (fiber) => {
      const landed = Effect.delay(isInFlight, interval).pipe(
        Effect.repeat({ while: (isInFlight) => isInFlight }),
        Effect.zipRight(Effect.sleep(recording)),
        Effect.raceFirst(Fiber.await(fiber)),
        Effect.timeoutOption(grace)
      )
      const finish = Effect.zipRight(halt, Effect.whenEffect(landed, isInFlight))
      // By another fiber: this one is interrupted, so that its timers would end at once.
      const finished = Effect.flatMap(Effect.forkDaemon(Effect.interruptible(finish)), Fiber.await)
      return Effect.catchAllCause(restore(Fiber.join(fiber)), (cause) =>
        Cause.isInterruptedOnly(cause)
          ? Effect.flatten(Effect.zipRight(finished, Fiber.interrupt(fiber)))
          : Effect.failCause(cause)
      )
    })
  )
