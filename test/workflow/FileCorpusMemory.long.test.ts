/** Planning of a large file, and reading of its slices, in a small heap. */
import { execFile } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { isCampaign, runs } from "../support/long.js"
import type { Result } from "./fileCorpusSubject.js"

const program = fileURLToPath(new URL("fileCorpusSubject.ts", import.meta.url))

const plan = async (rows: number, slices: number) => {
  const folder = mkdtempSync(`${tmpdir()}/plan-memory-`)
  try {
    const path = `${folder}/a.csv`
    const file = openSync(path, "w")
    writeSync(file, "id,title,body\n")
    for (let row = 0; row < rows; row += 1000) {
      const lines = Array.from(
        { length: 1000 },
        (_, index) => `${row + index},Mug of stoneware ${row + index},"not translated, ${index}"\n`
      )
      writeSync(file, lines.join(""))
    }
    closeSync(file)
    // The modules take some 70 MiB of it.
    const args = ["--max-old-space-size=144", "--import", "tsx", program, path, `${slices}`]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    return JSON.parse(stdout) as Result
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const rows = runs(1_000_000, 300_000)

/** Slices that are read, of 50 rows each: of the small file, and of this one. */
const [few, many] = [runs(500, 125), runs(2000, 500)]

describe(`a file of ${rows} rows`, () => {
  it("is cut and read in the memory that a small one takes", async () => {
    const small = await plan(50_000, few)
    const large = await plan(rows, many)
    console.log(JSON.stringify({ small, large }))
    expect([large.slices, large.texts, large.read]).toEqual([rows / 50, rows, many * 50])
    expect(large.peakRssMiB).toBeLessThan(small.peakRssMiB + 80)
    if (isCampaign) expect(large.planCpuSeconds).toBeLessThan(20)
  })
})
