/** CSV files of 3 and of 100 MB through a file source into two languages: the memory that it takes. */
import { expect, it } from "vitest"
import { processTimeout } from "../examples/process.js"
import { translate } from "./fileMemory.js"

it("a large file goes into two languages in flat memory", async () => {
  const few = await translate(10)
  const { grown, peakRssMiB, states, texts } = await translate(100)
  console.log(`10 MB: peak RSS ${few.peakRssMiB.toFixed(0)} MiB; 100 MB: ${peakRssMiB.toFixed(0)} MiB`)
  expect(states).toEqual(["written", "written"])
  expect(grown).toEqual([texts, texts])
  expect(peakRssMiB).toBeLessThan(few.peakRssMiB + 120)
})

it("a slow service does not fill the memory with what was read ahead", async () => {
  const { grown, states, texts } = await translate(25, 160, 5)
  expect(states).toEqual(["written", "written"])
  expect(grown).toEqual([texts, texts])
})

it("a large file goes into two languages as a whole", { timeout: processTimeout }, async () => {
  const { grown, states, texts } = await translate(3)
  expect(states).toEqual(["written", "written"])
  expect(grown).toEqual([texts, texts])
})
