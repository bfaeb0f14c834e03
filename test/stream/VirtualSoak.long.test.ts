/** Small random programs in virtual time: some of the seeds of `npm run test:campaign -- soak-virtual`. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeSmall } from "../support/soak/program.js"
import { explain, soak, soakShared } from "../support/soak.js"

const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe("in virtual time each text is accounted for, and a seed repeats exactly", () => {
  it.live.each(seeds(24))("seed %i", (seed) =>
    Effect.map(soak(makeSmall(seed)), (report) => expect(report.problems, explain(report)).toEqual([]))
  )
})

describe("several streams with one store repeat exactly", () => {
  it.live.each(seeds(8))("seed %i", (seed) =>
    Effect.map(soakShared(makeSmall(seed)), (report) => expect(report.problems, explain(report)).toEqual([]))
  )
})
