/** What a large CSV file takes, through a file source into two languages, in a process of its own. */
import { execFile } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Result } from "./memorySubject.js"

const program = fileURLToPath(new URL("memorySubject.ts", import.meta.url))

const writeRows = (path: string, bytes: number): void => {
  const file = openSync(path, "w")
  writeSync(file, "id,title,body\n")
  for (let row = 0, written = 0; written < bytes; ) {
    const rows = Array.from({ length: 1000 }, () => {
      row++
      return `${row},Mug of stoneware ${row},${"not translated ".repeat(6)}\n`
    })
    written += writeSync(file, rows.join(""))
  }
  closeSync(file)
}

/** Translates with a heap of so many MiB, by a service whose answers take some time. */
export const translate = async (megabytes: number, heap = 256, milliseconds = 0) => {
  const folder = mkdtempSync(`${tmpdir()}/file-memory-`)
  try {
    writeRows(`${folder}/a.csv`, megabytes * 1_000_000)
    const args = [`--max-old-space-size=${heap}`, "--import", "tsx", program, folder, `${milliseconds}`]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    const result = JSON.parse(stdout) as Result
    // Each title has two brackets more.
    const grown = ["de", "fr"].map(
      (lang) => statSync(`${folder}/${lang}.csv`).size - statSync(`${folder}/a.csv`).size
    )
    return { ...result, grown }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
