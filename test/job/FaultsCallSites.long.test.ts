/** What is listed as out of reach of the jobs whose calls are disturbed. */
import { expect, it } from "vitest"
import { find } from "./faults/callSites.js"
import { stale } from "./faults/expectations.js"

it("each reason why a call site is out of reach is the reason of some", () => {
  const sites = find()
  expect(sites.length).toBeGreaterThan(200)
  expect(stale(sites)).toEqual([])
})
