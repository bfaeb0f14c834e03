/** Jobs whose process is frozen in the middle of requests, for longer than its lease and the time-outs of its requests. */
import { afterAll, beforeAll, describe, it } from "vitest"
import { runs } from "../support/long.js"
import * as check from "./crash/check.js"
import { type Prepared, prepare } from "./crash/kills.js"
import { file, stores } from "./crash/stores.js"

const texts = runs(2000, 1000)

let prepared: Prepared

beforeAll(async () => {
  prepared = await prepare()
})

afterAll(() => prepared?.remove())

describe(`a job of ${texts} texts whose process is frozen for 8 seconds`, () => {
  it("reads the answers that have come meanwhile, and is billed once", () =>
    check.afterFreeze(prepared, file, texts))

  it.each(stores)(
    "ends with right outputs though a second process has done it meanwhile, and the ledger names texts that were paid twice: $name",
    (stores) => check.ofSecondProcess(prepared, stores, texts)
  )
})
