/** Durable jobs of a worker whose proxy refuses it. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ProxyHttpClient } from "effect-translate/node"
import { JobControl } from "effect-translate/workflow"
import { layerOver } from "../support/client.js"
import * as proxies from "../support/proxy.js"
import { bench, until, withEmulator } from "./jobs.js"

describe("a durable job whose worker has the wrong password for its proxy", () => {
  it.scopedLive("waits, as another worker or another password does it", () =>
    Effect.gen(function* () {
      const proxy = yield* proxies.make({ to: 4, password: "me:s3cret" })
      const client = layerOver({ url: "https://service.test" }).pipe(
        Layer.provide(ProxyHttpClient.layer({ httpsProxy: proxy.addressWith("me:wrong") }))
      )
      const status = yield* Effect.gen(function* () {
        const { jobOver, worker } = yield* bench()
        const job = yield* jobOver("products.csv")
        return yield* Effect.gen(function* () {
          const { submit } = yield* JobControl.JobControl
          yield* submit(job)
          return yield* until(job.id, ({ state }) => state === "waiting" || state === "failed")
        }).pipe(Effect.provide(worker))
      }).pipe(Effect.provide(client))
      expect(status).toMatchObject({ state: "waiting" })
      expect(JSON.stringify(status)).not.toMatch(/wrong|s3cret/)
    }).pipe(withEmulator())
  )
})
