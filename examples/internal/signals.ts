/** What becomes of a program that is broken off: Ctrl+C (SIGINT), SIGTERM, or a closed terminal (SIGHUP). */
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Effect, Exit } from "effect"

const terminate = () => process.kill(process.pid, "SIGTERM")

/** A closed terminal ends it as SIGTERM does: it cleans up. */
export const handlesHangUp = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => process.once("SIGHUP", terminate)),
    () => self,
    () => Effect.sync(() => process.off("SIGHUP", terminate))
  )

/** The exit code: 130 if the user broke off, so that a script does not take that for a success. */
export const exitCode = <E, A>(exit: Exit.Exit<A, E>, onExit: (code: number) => void): void =>
  onExit(Exit.isSuccess(exit) ? 0 : Cause.isInterruptedOnly(exit.cause) ? 130 : 1)

/** Runs a program that writes files. */
export const runMain = <A, E>(self: Effect.Effect<A, E>): void =>
  NodeRuntime.runMain(handlesHangUp(self), { teardown: exitCode })
