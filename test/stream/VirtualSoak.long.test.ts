/** Small random programs in virtual time: some of the seeds of `npm run test:campaign -- soak-virtual`. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { neverReached } from "../support/soak/faults.js"
import { makeSmall } from "../support/soak/program.js"
import { explain, type Report, soak, soakShared, total } from "../support/soak.js"

const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe("in virtual time each text is accounted for, and a seed repeats exactly", () => {
  const reports: Array<Report> = []

  it.live.each(seeds(100))("seed %i", (seed) =>
    Effect.map(soak(makeSmall(seed)), (report) => {
      reports.push(report)
      expect(report.problems, explain(report)).toEqual([])
    })
  )

  it("and nearly each kind of fault has struck, and has led to all that one may lead to", () => {
    expect(neverReached(total(reports)).length).toBeLessThan(8)
  })
})

describe("several streams with one store repeat exactly", () => {
  it.live.each(seeds(40))("seed %i", (seed) =>
    Effect.map(soakShared(makeSmall(seed)), (report) => {
      expect(report.problems, explain(report)).toEqual([])
    })
  )
})
