import * as Effect from "effect/Effect"
import * as inMemoryBackend from "../../src/store/internal/inMemoryBackend.js"
import { runs } from "../support/long.js"
import { conformance } from "./conformance.js"

conformance("memory", {
  make: Effect.sync(() => ({ owner: Effect.sync(() => inMemoryBackend.make({})) })),
  runs: runs(100)
})
