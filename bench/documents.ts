/** Memory of uploads and downloads: `npm run bench:documents`, with the number of megabytes (300). */
import { open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { firstMessage, start } from "./processes.js"

interface Measurement {
  readonly bytes: number
  readonly seconds: number
  readonly peakRssMiB: number
}

const ways = ["undici", "node", "fetch"].flatMap((transport) =>
  ["upload", "download"].map((direction) => [transport, direction] as const)
)

/** Issue 5: a file of 300 MB keeps the peak under 200 MB. */
const limit = 200

const size = Number(process.argv[2] ?? 300) * 1_000_000
const path = join(tmpdir(), `effect-translate-bench-${process.pid}.txt`)
const file = await open(path, "w")
await file.truncate(size)
await file.close()

/** Megabytes per second: as fast as this machine, and as a gigabit network, which has buffers fill. */
const rates = [Number.POSITIVE_INFINITY, 125]

for (const rate of rates) {
  const server = start("./documentServer.js", [], { env: { MEGABYTES_PER_SECOND: String(rate) } })
  const url = await firstMessage<string>(server)
  for (const [transport, direction] of ways) {
    const { bytes, peakRssMiB, seconds } = await firstMessage<Measurement>(
      start("./documentSubject.js", [direction, transport, url, path])
    )
    const peak = (peakRssMiB * 1024 * 1024) / 1e6
    const isWhole = direction === "upload" ? bytes > size && bytes < size + 1000 : bytes === size
    console.log(
      `${transport} ${direction}: ${bytes} bytes in ${seconds.toFixed(1)} s, peak RSS ${peak.toFixed(0)} MB`
    )
    // What fetch does with streams is not ours.
    if (!isWhole || (peak > limit && transport !== "fetch")) process.exitCode = 1
  }
  server.disconnect()
}

await rm(path)
