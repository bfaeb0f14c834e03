/** Parquet files of 10 and of 120 MB through a file source into two languages: the memory that it takes. */
import { expect, it } from "vitest"
import { processTimeout } from "../examples/process.js"
import { translateParquet } from "./fileMemory.js"

it("a large Parquet file goes into columns of two languages in flat memory", {
  timeout: processTimeout
}, async () => {
  const few = await translateParquet(10_240)
  const { bytes, peakRssMiB, right, states, texts } = await translateParquet(122_880)
  console.log(`10 MB: peak RSS ${few.peakRssMiB.toFixed(0)} MiB; 120 MB: ${peakRssMiB.toFixed(0)} MiB`)
  expect(bytes).toBeGreaterThan(120_000_000)
  expect(states).toEqual(["written", "written"])
  expect([texts, right]).toEqual([2 * 122_880, 122_880])
  expect(peakRssMiB).toBeLessThan(few.peakRssMiB + 160)
})
