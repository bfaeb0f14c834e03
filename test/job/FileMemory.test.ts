/** A CSV file of 3 MB through a file source; `FileMemory.long.test.ts` takes a larger one. */
import { expect, it } from "vitest"
import { processTimeout } from "../examples/process.js"
import { translate } from "./fileMemory.js"

it("a large file goes into two languages as a whole", { timeout: processTimeout }, async () => {
  const { grown, states, texts } = await translate(3)
  expect(states).toEqual(["written", "written"])
  expect(grown).toEqual([texts, texts])
})
