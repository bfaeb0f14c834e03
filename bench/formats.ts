/** Processor time of formats that stream, beside that of their bare parsers: `npm run bench:formats`, with megabytes (50). */
import { writeFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Table from "cli-table3"
import type { Kind, Way } from "./formatSubject.js"
import { firstMessage, median, start } from "./processes.js"

/** Issue 14: a format takes at most this times what its bare parser takes. */
const limit = 3

const rounds = 5

const size = Number(process.argv[2] ?? 50) * 1_000_000

const description = 'A cup of "fine" porcelain, white, for tea or coffee'

/** Rows of data sets for language models are longer than those of catalogues of products. */
const text = `${description}, with a saucer. `.repeat(5)

const jsonRow = (index: number) =>
  `${JSON.stringify({ id: index, sku: `SKU-${index}`, title: `Cup number ${index}`, text, brand: "Tableware & Sons", price: index % 100, tags: ["cup", "white"] })}\n`

const rows: Record<Kind, (index: number) => string> = {
  csv: (index) =>
    `${index},SKU-${index},Cup number ${index},"${description.replaceAll('"', '""')}",${index % 100}.50,true\n`,
  jsonl: jsonRow,
  "jsonl **": jsonRow
}

const toFile = (kind: Kind): string => {
  const pieces = kind === "csv" ? ["id,sku,title,description,price,stock\n"] : []
  for (let length = 0, index = 0; length < size; index++) {
    const row = rows[kind](index)
    pieces.push(row)
    length += row.length
  }
  return pieces.join("")
}

interface Measurement {
  readonly size: number
  readonly seconds: number
}

const folder = await mkdtemp(join(tmpdir(), "effect-translate-bench-"))
const table = new Table({
  head: ["CPU s per 100 MB", "bare parser", "format", `ratio (at most ${limit})`],
  style: { head: [], border: [] }
})
let isSlow = false

for (const kind of ["csv", "jsonl", "jsonl **"] as const) {
  const path = join(folder, "rows")
  writeFileSync(path, toFile(kind))
  const seconds: Record<Way, Array<number>> = { bare: [], format: [] }
  const sizes = new Set<number>()
  for (let round = 0; round < rounds; round++) {
    for (const way of ["bare", "format"] as const) {
      const measured = await firstMessage<Measurement>(start("./formatSubject.js", [kind, way, path]))
      seconds[way].push(measured.seconds)
      sizes.add(measured.size)
    }
  }
  if (sizes.size !== 1) throw new Error(`${kind}: ${[...sizes].join(" and ")} bytes`)
  const ratio = median(seconds.format) / median(seconds.bare)
  isSlow ||= ratio > limit
  const per100 = (way: Way) => ((median(seconds[way]) / size) * 1e8).toFixed(2)
  table.push([kind, per100("bare"), per100("format"), ratio.toFixed(2)])
}
await rm(folder, { recursive: true })

console.log(table.toString())
if (isSlow) process.exitCode = 1
