import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Calls } from "./limitClient.js"

type Host = Pick<Calls, "take" | "report">

/** The host of a limit while it is in this process: it is called at once there, as a call by the engine costs 0.8 ms of CPU also then. */
export class LocalHost {
  private host: Host | undefined

  /** It is here until the scope is closed. */
  readonly enter = (host: Host): Effect.Effect<void, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => {
        this.host = host
      }),
      () =>
        Effect.sync(() => {
          if (this.host === host) this.host = undefined
        })
    )

  /** Calls of the host, by the engine if it is elsewhere. */
  readonly callsOr = (remote: Host): Calls => ({
    take: (asked) => (this.host ?? remote).take(asked),
    report: (told) => (this.host ?? remote).report(told),
    isHere: () => this.host !== undefined
  })
}
