/** Workers as processes that share a limit through PostgreSQL. */
import { spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Emulator } from "effect-translate/emulator"
import { bundleOf } from "../support/bundles.js"
import { postgres } from "../support/postgres.js"

/** Starts workers of a new database that send as much as their limit allows; they are killed with the scope. */
export const starting = Effect.gen(function* () {
  const { url } = yield* Emulator.Emulator
  const database = Redacted.value(yield* Effect.flatMap(postgres, ({ database }) => database))
  const file = yield* Effect.promise(() => bundleOf("workflow/limitWorker"))
  return Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [file, database, url], { stdio: ["ignore", "ignore", "inherit"] })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
})

/** A service that takes 20 requests a second. */
export const service = Emulator.layerNode({ requestsPerSecond: 20, latency: "50 millis", retryAfter: null })
