/**
 * Programs of Node that end in good order: signals, and the exit code.
 *
 * @since 0.1.0
 */
import { makeRunMain } from "@effect/platform/Runtime"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import { constVoid } from "effect/Function"

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Shells, npm and npx relay a signal that the program got itself: so soon after another one it is the same, in milliseconds. */
const relayed = 1000

let received = Deferred.unsafeMake<NodeJS.Signals>(FiberId.none)
let waiting = 0

/**
 * Completes with the first signal that {@link runMain} receives: SIGINT (Ctrl+C), SIGTERM or SIGHUP (a closed terminal).
 * While a fiber waits for it, this signal interrupts nothing: the program stops taking work, finishes requests in flight,
 * and ends by itself. A second signal interrupts it. If no fiber waits, the first signal interrupts.
 *
 *     Stream.fromQueue(queue).pipe(Stream.interruptWhen(NodeProgram.awaitSignal))
 *
 * @since 0.1.0
 * @category accessors
 */
export const awaitSignal: Effect.Effect<NodeJS.Signals> = Effect.acquireUseRelease(
  Effect.sync(() => waiting++),
  () => Deferred.await(received),
  () => Effect.sync(() => waiting--)
)

/**
 * The exit code of a program: 0 after success, 1 after a failure, and 130 after an interruption, so that a script does not take that for a
 * success.
 *
 * @since 0.1.0
 * @category accessors
 */
export const exitCode = <A, E>(exit: Exit.Exit<A, E>): number => {
  if (Exit.isSuccess(exit)) return 0
  return Cause.isInterruptedOnly(exit.cause) ? 130 : 1
}

const run = makeRunMain(({ fiber }) => {
  received = Deferred.unsafeMake(FiberId.none)
  const keepAlive = setInterval(constVoid, 2 ** 31 - 1)
  let last = Number.NEGATIVE_INFINITY
  let count = 0
  let isInterrupted = false
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (now - last < relayed) return
    last = now
    count++
    if (isInterrupted) process.exit(130)
    if (count === 1 && waiting > 0) return Deferred.unsafeDone(received, Effect.succeed(signal))
    isInterrupted = true
    fiber.unsafeInterruptAsFork(fiber.id())
  }
  for (const name of signals) process.on(name, onSignal)
  fiber.addObserver((exit) => {
    clearInterval(keepAlive)
    for (const name of signals) process.off(name, onSignal)
    const code = exitCode(exit)
    if (code !== 0) process.exit(code)
    if (count > 0) process.exit(process.exitCode ?? 130)
  })
})

/**
 * Runs a program. Ctrl+C (SIGINT), SIGTERM and a closed terminal (SIGHUP) interrupt it, unless it waits for them by {@link
 * awaitSignal}: finalizers run, temporary files are removed, and it ends with {@link exitCode}. Its failure is logged. A
 * program that ended by itself after a signal ends with 130 too, since it may have left work undone: `process.exitCode` sets
 * another code.
 *
 *     program.pipe(Effect.provide(services), NodeProgram.runMain)
 *
 * @since 0.1.0
 * @category constructors
 */
export const runMain = <A, E>(self: Effect.Effect<A, E>): void =>
  // Signals are handled before its first step.
  run(Effect.zipRight(Effect.yieldNow(), self))
