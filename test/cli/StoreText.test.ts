/** The figures of a durable job, as `job status` and `memory stats` tell them. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TranslationStore } from "effect-translate"
import { ofStatus } from "../../src/cli/durableJob/jobText.js"
import { ofStats } from "../../src/cli/storeText.js"
import { bench, done, withEmulator } from "../workflow/jobs.js"

describe("the requests of a durable job, and their bill", () => {
  it.scopedLive(
    "are two figures with a name each, where the service bills nothing for one of the languages",
    () =>
      Effect.gen(function* () {
        const { jobOver, worker } = yield* bench({ files: { "products.csv": "id,title\n1,Good mug\n" } })
        yield* Effect.gen(function* () {
          const { stats } = yield* TranslationStore.TranslationStore
          const job = yield* jobOver("products.csv", { targets: ["de", "de-CH"] })
          expect(ofStatus(yield* done(job))).toContain("Billed: 8 characters")
          const told = ofStats("store.db", yield* stats)
          expect(told).toMatch(/^requests +number +characters sent +billed$/m)
          expect(told).toMatch(/^answered +2 +16 +as the service counts$/m)
        }).pipe(Effect.provide(worker))
      }).pipe(withEmulator())
  )
})
