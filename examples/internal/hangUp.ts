/** A closed terminal (SIGHUP) ends a program as SIGTERM does: it cleans up. */
import { Effect } from "effect"

const terminate = () => process.kill(process.pid, "SIGTERM")

export const terminates = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => process.once("SIGHUP", terminate)),
    () => self,
    () => Effect.sync(() => process.off("SIGHUP", terminate))
  )
