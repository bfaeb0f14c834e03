import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { runs } from "../support/long.js"
import type { Result } from "./memorySubject.js"

const program = fileURLToPath(new URL("memorySubject.ts", import.meta.url))

/** In megabytes: the file, more than the heap takes, also if it is read as characters of one byte. */
const [size, heap] = [runs(1000, 150), runs(256, 128)]

const run = async (kind: string): Promise<Result> => {
  const args = [`--max-old-space-size=${heap}`, "--import", "tsx", program, kind, String(size)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as Result
}

describe("A file that is larger than the memory", () => {
  for (const kind of ["csv", "jsonl"]) {
    it(`passes through the format ${kind} in flat memory`, async () => {
      const { peakRssMiB, read, units, written } = await run(kind)
      console.log(`${kind}: ${read} bytes, ${units} units, peak RSS ${peakRssMiB.toFixed(0)} MiB`)
      expect(read).toBeGreaterThanOrEqual(size * 1_000_000)
      // Each title has two brackets more.
      expect(written).toBe(read + 2 * units)
      // The heap, and what Node itself takes.
      expect(peakRssMiB).toBeLessThan(heap + 144)
    })
  }
})
