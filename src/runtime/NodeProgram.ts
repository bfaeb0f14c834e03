/**
 * Programs of Node: what becomes of them when they are broken off, and the code they end with.
 *
 * @since 0.1.0
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

const terminate = () => process.kill(process.pid, "SIGTERM")

/** A closed terminal ends it as SIGTERM does: it cleans up. */
const handlesHangUp = <A, E>(self: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => process.once("SIGHUP", terminate)),
    () => self,
    () => Effect.sync(() => process.off("SIGHUP", terminate))
  )

/**
 * The code that a program ends with: 0 after success, 1 after a failure, and 130 after a signal, so that a script does not take
 * that for a success.
 *
 * @since 0.1.0
 * @category accessors
 */
export const exitCode = <A, E>(exit: Exit.Exit<A, E>): number => {
  if (Exit.isSuccess(exit)) return 0
  return Cause.isInterruptedOnly(exit.cause) ? 130 : 1
}

/**
 * Runs a program. Ctrl+C (SIGINT), SIGTERM and a closed terminal (SIGHUP) interrupt it: what is in flight is finished as its parts say,
 * temporary files are removed, and then it ends with {@link exitCode}. What it fails with is logged. A program that has succeeded can
 * set another code by `process.exitCode`.
 *
 *     program.pipe(Effect.provide(services), NodeProgram.runMain)
 *
 * @since 0.1.0
 * @category constructors
 */
export const runMain = <A, E>(self: Effect.Effect<A, E>): void =>
  // Signals are handled before its first step.
  NodeRuntime.runMain(handlesHangUp(Effect.zipRight(Effect.yieldNow(), self)), {
    teardown: (exit, onExit) => onExit(exitCode(exit))
  })
