/** CSV files of some megabytes through a file source into two languages: the memory that it takes. */
import { expect, it } from "vitest"
import { runs } from "../support/long.js"
import { translate } from "./fileMemory.js"

/** Megabytes. The larger one does not fit into its heap as rows. */
const [small, large] = [runs(10, 5), runs(100, 40)]

it("a large file goes into two languages in flat memory", async () => {
  const few = await translate(small)
  const { grown, peakRssMiB, states, texts } = await translate(large, runs(256, 144))
  console.log(
    `${small} MB: peak RSS ${few.peakRssMiB.toFixed(0)} MiB; ${large} MB: ${peakRssMiB.toFixed(0)} MiB`
  )
  expect(states).toEqual(["written", "written"])
  expect(grown).toEqual([texts, texts])
  expect(peakRssMiB).toBeLessThan(few.peakRssMiB + 120)
})

it("a slow service does not fill the memory with texts that were read ahead", async () => {
  const { grown, states, texts } = await translate(25, 160, 5)
  expect(states).toEqual(["written", "written"])
  expect(grown).toEqual([texts, texts])
})

it("a large file goes into two languages as a whole", async () => {
  const { grown, states, texts } = await translate(3)
  expect(states).toEqual(["written", "written"])
  expect(grown).toEqual([texts, texts])
})
