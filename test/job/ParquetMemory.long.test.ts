/** Parquet files of some megabytes through a file source into two languages: the memory that it takes. */
import { expect, it } from "vitest"
import { translateParquet } from "./fileMemory.js"

/** Of a kilobyte each. */
const rows = 122_880

it("a large Parquet file goes into columns of two languages in flat memory", async () => {
  const few = await translateParquet(10_240)
  const { bytes, peakRssMiB, right, states, texts } = await translateParquet(rows)
  console.log(
    `10 MB: peak RSS ${few.peakRssMiB.toFixed(0)} MiB; ${Math.round(bytes / 1e6)} MB: ${peakRssMiB.toFixed(0)} MiB`
  )
  expect(bytes).toBeGreaterThan(1000 * rows)
  expect(states).toEqual(["written", "written"])
  expect([texts, right]).toEqual([2 * rows, rows])
  // Six runs took 133 to 163 MiB more; a file in memory would take 125 MB beside them.
  expect(peakRssMiB).toBeLessThan(few.peakRssMiB + 200)
})
