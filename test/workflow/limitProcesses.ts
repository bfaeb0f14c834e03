/** Workers as processes that share a limit through PostgreSQL. */
import { spawn } from "node:child_process"
import { rmSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Emulator } from "effect-translate/emulator"
import { bundle, root } from "../examples/process.js"
import { postgres } from "../support/postgres.js"

const file = `${root}/node_modules/.cache/limit-worker-${process.pid}.mjs`

/** Starts workers of a new database that send as much as their limit allows; they are killed with the scope. */
export const starting = Effect.gen(function* () {
  const { url } = yield* Emulator.Emulator
  const database = Redacted.value(yield* Effect.flatMap(postgres, ({ database }) => database))
  yield* Effect.acquireRelease(bundle(`${root}/test/workflow/limitWorker.ts`, file), () =>
    Effect.sync(() => rmSync(file, { force: true }))
  )
  return Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [file, database, url], { stdio: ["ignore", "ignore", "inherit"] })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
})

/** A service that takes 20 requests a second. */
export const service = Emulator.layerNode({ requestsPerSecond: 20, latency: "50 millis", retryAfter: null })
