/** What must hold of jobs whose processes are disturbed, on all stores. */
import { afterAll, beforeAll, describe, it } from "vitest"
import * as check from "./crash/check.js"
import { type Prepared, prepare } from "./crash/kills.js"
import { stores } from "./crash/stores.js"

const texts = 20_000

const kills = 10

let prepared: Prepared | undefined

beforeAll(async () => {
  prepared = await prepare()
})

afterAll(() => prepared?.remove())

describe.each(stores)(`a job of ${texts} texts into three languages, with $name`, (stores) => {
  const timeout = 600_000

  it(
    `that is killed ${kills} times ends with the outputs of an undisturbed one, pays twice for what the ledger names at most, and bills nothing when it is run again`,
    { timeout },
    () => check.afterKills(prepared!, stores, { kills, texts })
  )

  it("that two processes run at once is billed once, and both end well", { timeout }, () =>
    check.ofTwoProcesses(prepared!, stores, texts)
  )
})
