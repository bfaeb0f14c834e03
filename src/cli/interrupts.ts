/** What becomes of SIGINT (Ctrl-C), SIGTERM and SIGHUP. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

export interface Service {
  /**
   * Runs an effect that ends by itself soon after `requested` has: the first signal says so, a second one interrupts it. Without this,
   * the first signal interrupts the command.
   */
  readonly graceful: <A, E, R>(
    use: (requested: Effect.Effect<void>) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** The last signal. */
  readonly last: Effect.Effect<NodeJS.Signals | undefined>
}

export class Interrupts extends Context.Tag("effect-translate/cli/Interrupts")<Interrupts, Service>() {}

/** Shells, npm and npx relay a signal that they got themselves: so soon after another one it is the same, in milliseconds. */
const relayed = 1000

/** The signals of a process, and the service that they control. */
export const make = (interrupt: () => void, exit: () => void) => {
  let stopping: Deferred.Deferred<void> | undefined
  let last = Number.NEGATIVE_INFINITY
  let isInterrupted = false
  let lastSignal: NodeJS.Signals | undefined
  const service: Service = {
    last: Effect.sync(() => lastSignal),
    graceful: (use) =>
      Effect.acquireUseRelease(
        Effect.tap(Deferred.make<void>(), (requested) =>
          Effect.sync(() => {
            stopping = requested
          })
        ),
        (requested) => use(Deferred.await(requested)),
        () =>
          Effect.sync(() => {
            stopping = undefined
          })
      )
  }
  const signal = (now: number, name?: NodeJS.Signals) => {
    if (now - last < relayed) return
    last = now
    lastSignal = name
    if (isInterrupted) return exit()
    if (stopping !== undefined) {
      Deferred.unsafeDone(stopping, Effect.void)
      stopping = undefined
      return
    }
    isInterrupted = true
    interrupt()
  }
  return { service, signal }
}
