/** What a large CSV or Parquet file takes, through a file source into two languages, in a process of its own. */
import { execFile } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import { sql } from "../support/parquet.js"
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

const run = async (folder: string, heap: number, milliseconds: number, kind: "csv" | "parquet") => {
  const args = [`--max-old-space-size=${heap}`, "--import", "tsx", program, folder, `${milliseconds}`, kind]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as Result
}

/** A Parquet file with so many rows of a kilobyte, which are not compressed, into columns of two languages. */
export const translateParquet = async (rows: number, heap = 256) => {
  const folder = mkdtempSync(`${tmpdir()}/file-memory-`)
  try {
    const texts = `select i as id, 'Mug of stoneware ' || i || repeat(' and so on', 98) as title from (select range i from range(${rows}))`
    const options = "format parquet, compression uncompressed, row_group_size 20480, dictionary_size_limit 1"
    await Effect.runPromise(sql(`copy (${texts}) to '${folder}/a.parquet' (${options})`))
    const result = await run(folder, heap, 0, "parquet")
    const right = `select count(*)::integer as rows from '${folder}/out.parquet' where title_de = '[' || title || ']' and title_fr = title_de`
    const [found] = await Effect.runPromise(sql(right))
    return { ...result, bytes: statSync(`${folder}/a.parquet`).size, right: found!.rows }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Translates with a heap of so many MiB, by a service whose answers take some time. */
export const translate = async (megabytes: number, heap = 256, milliseconds = 0) => {
  const folder = mkdtempSync(`${tmpdir()}/file-memory-`)
  try {
    writeRows(`${folder}/a.csv`, megabytes * 1_000_000)
    const result = await run(folder, heap, milliseconds, "csv")
    // Each title has two brackets more.
    const grown = ["de", "fr"].map(
      (lang) => statSync(`${folder}/${lang}.csv`).size - statSync(`${folder}/a.csv`).size
    )
    return { ...result, grown }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
