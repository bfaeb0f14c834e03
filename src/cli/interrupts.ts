/** The effects of SIGINT (Ctrl-C), SIGTERM and SIGHUP. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import { Output } from "./output.js"
import { halting } from "./terminal/progressText.js"

export interface Service {
  /** Runs an effect that ends by itself after the first signal, which completes `requested`, and says so. */
  readonly graceful: <A, E, R>(
    use: (requested: Effect.Effect<void>) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Completes with a first signal that nothing graceful was there to answer. */
  readonly unanswered: Effect.Effect<void>
  /** The last signal. */
  readonly last: Effect.Effect<NodeJS.Signals | undefined>
}

export class Interrupts extends Context.Tag("effect-translate/cli/Interrupts")<Interrupts, Service>() {}

/** Shells, npm and npx relay a signal that they got themselves: so soon after another one it is the same, in milliseconds. */
const relayed = 1000

/** The time for a command to clean up after the second signal, in milliseconds: it may wait for a store that another process holds. */
const patience = 2000

/** The signals of a process, and the service that they control. After the second one it is interrupted, and exits when the patience is over. */
export const make = (interrupt: () => void, exit: () => void) => {
  const requested = Deferred.unsafeMake<void>(FiberId.none)
  const unanswered = Deferred.unsafeMake<void>(FiberId.none)
  let graceful = 0
  let signals = 0
  let last = Number.NEGATIVE_INFINITY
  let lastSignal: NodeJS.Signals | undefined
  const service: Service = {
    last: Effect.sync(() => lastSignal),
    unanswered: Deferred.await(unanswered),
    graceful: (use) =>
      Effect.acquireUseRelease(
        Effect.sync(() => graceful++),
        () => use(Deferred.await(requested)),
        () => Effect.sync(() => graceful--)
      )
  }
  const signal = (now: number, name?: NodeJS.Signals) => {
    if (now - last < relayed) return
    last = now
    lastSignal = name
    signals++
    if (signals > 2) return exit()
    if (signals === 1) return Deferred.unsafeDone(graceful > 0 ? requested : unanswered, Effect.void)
    interrupt()
    setTimeout(exit, patience)
  }
  return { service, signal }
}

/** The message of the first signal where no work has to be finished. */
export const stopping = "Stopping. Press Ctrl-C again to stop now."

/** Runs a graceful effect, and prints the effect of the first signal. */
export const finishing = <A, E, R>(use: (requested: Effect.Effect<void>) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.all([Interrupts, Output]), ([{ graceful }, { note }]) =>
    graceful((requested) =>
      Effect.scopedWith((scope) =>
        Effect.zipRight(Effect.forkIn(Effect.zipRight(requested, note(halting)), scope), use(requested))
      )
    )
  )

/** Runs a command: the first signal interrupts it and says so, unless something graceful runs in it. */
export const answered = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.all([Interrupts, Output]), ([{ unanswered }, { note }]) =>
    Effect.raceFirst(
      command,
      unanswered.pipe(Effect.zipRight(note(stopping)), Effect.zipRight(Effect.interrupt))
    )
  )
