/** Random programs under fire: some of the seeds of `npm run test:campaign -- soak`. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { runsTimeout } from "../support/long.js"
import { make } from "../support/soak/program.js"
import { explain, type Report, soak, soakShared, total } from "../support/soak.js"

const seeds = Array.from({ length: 120 }, (_, index) => index + 1)

describe("whatever befalls it, each text is accounted for", () => {
  const reports: Array<Report> = []

  it.live.each(seeds)(
    "seed %i",
    (seed) =>
      Effect.map(soak(make(seed)), (report) => {
        reports.push(report)
        expect(report.problems, explain(report)).toEqual([])
      }),
    runsTimeout
  )

  it("and much befell it", () => {
    const seen = total(reports)
    const least = {
      "texts translated": 800,
      "texts cached": 20,
      "texts skipped": 400,
      "texts failed": 200,
      "texts cut and joined": 1,
      "characters in doubt": 20_000,
      "ended well": 4,
      "ended interrupted": 3,
      "ended BudgetExceeded": 1,
      "ended QuotaExceeded": 1,
      faults: 40
    }
    for (const [what, times] of Object.entries(least)) {
      expect(seen.get(what) ?? 0, what).toBeGreaterThanOrEqual(times)
    }
  })
})

describe("several streams with one store send each text once, but for what the ledger names", () => {
  const reports: Array<Report> = []

  it.live.each(seeds.slice(0, 40))(
    "seed %i",
    (seed) =>
      Effect.map(soakShared(make(seed)), (report) => {
        reports.push(report)
        expect(report.problems, explain(report)).toEqual([])
      }),
    runsTimeout
  )

  it("and much was sent, found and in doubt", () => {
    const seen = total(reports)
    for (const [what, times] of seen) expect(times, what).toBeGreaterThan(200)
  })
})
