/** Durable jobs of a key that may do nothing but translate, and behind a gateway that has nothing else. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as openQuestions from "../support/openQuestions.js"
import { bench, done, products, withEmulator } from "./jobs.js"

describe("a durable job", () => {
  for (const status of openQuestions.statuses) {
    it.scopedLive(`is done by a key for which the languages are answered with ${status}`, () =>
      Effect.gen(function* () {
        yield* openQuestions.leaveOpen(status)
        const { jobOver, output, worker } = yield* bench({ files: { "products.csv": products(20) } })
        const job = yield* jobOver("products.csv", { options: { sourceLang: "en", glossaryId: undefined } })
        expect(yield* Effect.provide(done(job), worker)).toMatchObject({ state: "done" })
        expect(output("de", "products.csv").split("\n").length).toBeGreaterThan(20)
      }).pipe(withEmulator())
    )
  }
})
