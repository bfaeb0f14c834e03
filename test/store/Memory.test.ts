import * as Effect from "effect/Effect"
import * as memory from "../../src/store/internal/memory.js"
import { conformance } from "./conformance.js"

conformance("memory", {
  make: Effect.sync(() => ({ owner: Effect.sync(() => memory.make({})) })),
  runs: 100
})
