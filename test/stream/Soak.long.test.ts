/** Random programs under fire: some of the seeds of `npm run test:campaign -- soak`. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { make } from "../support/soak/program.js"
import { explain, soak, soakShared } from "../support/soak.js"

const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe("whatever befalls it, each text is accounted for", () => {
  it.live.each(seeds(12))("seed %i", (seed) =>
    Effect.map(soak(make(seed)), (report) => expect(report.problems, explain(report)).toEqual([]))
  )
})

describe("several streams with one store send each text once, apart from those that the ledger names", () => {
  it.live.each(seeds(4))("seed %i", (seed) =>
    Effect.map(soakShared(make(seed)), (report) => expect(report.problems, explain(report)).toEqual([]))
  )
})
