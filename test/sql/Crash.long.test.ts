/** What must hold of jobs whose processes are disturbed, on all stores. */
import { afterAll, beforeAll, describe, it } from "vitest"
import { runs } from "../support/long.js"
import * as check from "./crash/check.js"
import { type Prepared, prepare } from "./crash/kills.js"
import { stores } from "./crash/stores.js"

const texts = runs(20_000, 1000)

const kills = runs(10, 1)

let prepared: Prepared | undefined

beforeAll(async () => {
  prepared = await prepare()
})

afterAll(() => prepared?.remove())

describe.each(stores)(`a job of ${texts} texts into three languages, with $name`, (stores) => {
  it(`whose process is killed (${kills}) ends with the outputs of an undisturbed one, pays twice at most for requests that the ledger names, and bills nothing when it is run again`, () =>
    check.afterKills(prepared!, stores, { kills, texts }))

  it("that two processes run at once is billed once, and both end well", () =>
    check.ofTwoProcesses(prepared!, stores, texts))
})
