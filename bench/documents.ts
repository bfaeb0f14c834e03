/** Memory of uploads and downloads: `npm run bench:documents`, with the number of megabytes (300). */
import { open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Table from "cli-table3"
import { bundle } from "./bundle.js"
import { firstMessage, median, start } from "./processes.js"

interface Measurement {
  readonly bytes: number
  readonly peakRssMiB: number
}

/** Issue 5: a file of 300 MB keeps the peak under 200 MB. */
const limit = 200

const rounds = 5

const size = Number(process.argv[2] ?? 300) * 1_000_000
const path = join(tmpdir(), `effect-translate-bench-${process.pid}.txt`)
const file = await open(path, "w")
await file.truncate(size)
await file.close()

const modules = "./documentSubject.js"
const bundled = await bundle(modules)

/** Megabytes per second: of this machine, and of a gigabit network, which has buffers fill. */
const rates = { "full speed": Number.POSITIVE_INFINITY, "125 MB/s": 125 }

const ways = ["undici", "node", "fetch"].flatMap((transport) =>
  ["upload", "download", "stream"].map((direction) => [transport, direction] as const)
)

const peakOf = async (program: string, url: string, transport: string, direction: string) => {
  const peaks: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const { bytes, peakRssMiB } = await firstMessage<Measurement>(
      start(program, [direction, transport, url, path])
    )
    const isWhole = direction === "upload" ? bytes > size && bytes < size + 1000 : bytes === size
    if (!isWhole) throw new Error(`${transport} ${direction}: ${bytes} bytes`)
    peaks.push((peakRssMiB * 1024 * 1024) / 1e6)
  }
  return median(peaks)
}

const table = new Table({
  head: [
    "peak RSS in MB",
    ...Object.keys(rates).flatMap((speed) => [`bundled, ${speed}`, `modules, ${speed}`])
  ],
  style: { head: [], border: [] }
})
const rows = ways.map(([transport, direction]) => [`${direction} over ${transport}`])
const tooMuch: Array<string> = []

for (const rate of Object.values(rates)) {
  const server = start("./documentServer.js", [], { env: { MEGABYTES_PER_SECOND: String(rate) } })
  const url = await firstMessage<string>(server)
  for (const [index, [transport, direction]] of ways.entries()) {
    for (const program of [bundled, modules]) {
      const peak = await peakOf(program, url, transport, direction)
      rows[index]!.push(peak.toFixed(0))
      // What fetch does with streams is not ours.
      if (transport !== "fetch" && peak >= limit) tooMuch.push(`${direction} over ${transport}`)
    }
  }
  server.disconnect()
}
await rm(path)
await rm(`${path}.download`)

table.push(...rows)
console.log(table.toString())
console.log(
  `over undici and node, less than ${limit} MB: ${tooMuch.length === 0 ? "yes" : `NO: ${tooMuch.join(", ")}`}`
)
if (tooMuch.length > 0) process.exitCode = 1
