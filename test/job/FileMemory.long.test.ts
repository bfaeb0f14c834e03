/** A CSV file of 100 MB through a file source into two languages: the memory that it takes. */
import { expect, it } from "vitest"
import { translate } from "./fileMemory.js"

it("a large file goes into two languages in flat memory", async () => {
  const few = await translate(10)
  const { grown, peakRssMiB, states, texts } = await translate(100)
  console.log(`10 MB: peak RSS ${few.peakRssMiB.toFixed(0)} MiB; 100 MB: ${peakRssMiB.toFixed(0)} MiB`)
  expect(states).toEqual(["written", "written"])
  expect(grown).toEqual([texts, texts])
  expect(peakRssMiB).toBeLessThan(few.peakRssMiB + 120)
})
