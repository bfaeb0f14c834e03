/**
 * What a store costs: `npm run bench:store` runs all, `npm run bench:store -- runs memory` some; a number says how many texts the runs
 * have. How to read it: docs/internals/performance.md.
 */
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Table from "cli-table3"
import { databases, firstMessage, median, start, startServer } from "./processes.js"
import type { Kind, StoreMeasurement } from "./storeSubject.js"

/** Issue 15: a first run takes less than this times the CPU of the same stream without a store. */
const mostCpu = 2

/** Issue 15: a second run takes at least so many texts a second from a file. */
const leastRate = 50_000

const rounds = 5

const chosen = process.argv.slice(2)
const count = Number(chosen.find((each) => /^\d+$/.test(each)) ?? 300_000)

/** Texts that a process has sent before it is measured. */
const warmUp = 5000

interface Run extends StoreMeasurement {
  readonly requests: number
}

const verdict = (ok: boolean) => (ok ? "yes" : "NO")

const names: Record<Kind, string> = {
  none: "without a store",
  memory: "`layerMemory`",
  libsql: "`LibsqlTranslationStore`",
  pg: "`PgTranslationStore`"
}

const folder = await mkdtemp(join(tmpdir(), "effect-translate-bench-"))
const server = await startServer()

const measure = async (
  kind: Kind,
  where: string,
  count: number,
  execArgv: Array<string> = []
): Promise<Run> => {
  await server.meter()
  const child = start("./storeSubject.js", [kind, where, server.url, String(count)], { execArgv })
  const measured = await firstMessage<StoreMeasurement>(child)
  const { requests } = await server.meter()
  return { ...measured, requests }
}

const bytesOf = async (file: string) => (await stat(file)).size

const runs = async () => {
  const database = await databases()
  const kinds: ReadonlyArray<Kind> = ["none", "memory", "libsql", ...(database ? (["pg"] as const) : [])]
  const first = new Map(kinds.map((kind) => [kind, [] as Array<Run>]))
  const second = new Map(kinds.map((kind) => [kind, [] as Array<Run>]))
  let bytes = 0
  for (let round = 0; round < rounds; round++) {
    for (const kind of kinds) {
      const where = kind === "pg" ? await database!() : join(folder, `store-${round}`)
      first.get(kind)!.push(await measure(kind, where, count))
      if (kind === "libsql" || kind === "pg") second.get(kind)!.push(await measure(kind, where, count))
      if (kind === "libsql") {
        bytes = await bytesOf(where)
        await rm(where)
      }
    }
  }
  const none = first.get("none")!
  const of = (runs: ReadonlyArray<Run>, figure: (run: Run) => number) => median(runs.map(figure))
  const ratio = (runs: ReadonlyArray<Run>) =>
    median(runs.map((run, round) => run.cpuMicrosPerText / none[round]!.cpuMicrosPerText))
  for (const [name, runs] of [
    ["First run", first],
    ["Second run", second]
  ] as const) {
    const table = new Table({
      head: [name, "CPU µs/text", "texts/s", "peak RSS MiB", "requests", "longest block ms", "this : none"],
      style: { head: [], border: [] },
      colAligns: ["left", "right", "right", "right", "right", "right", "right"]
    })
    for (const [kind, each] of runs) {
      if (each.length === 0) continue
      table.push([
        names[kind],
        of(each, (run) => run.cpuMicrosPerText).toFixed(2),
        of(each, (run) => count / run.seconds).toFixed(0),
        of(each, (run) => run.peakRssMiB).toFixed(0),
        of(each, (run) => run.requests).toFixed(0),
        of(each, (run) => run.longestBlockMillis).toFixed(1),
        ratio(each).toFixed(2)
      ])
    }
    console.log(table.toString())
  }
  const rerun = second.get("libsql")!
  const rate = of(rerun, (run) => count / run.seconds)
  console.log(
    `the first run with a file less than ${mostCpu} times the CPU: ${verdict(ratio(first.get("libsql")!) < mostCpu)}; ` +
      `the second at least ${leastRate} texts a second: ${verdict(rate >= leastRate)}, without a request: ${verdict(rerun.every(({ requests }) => requests === 0))}`
  )
  console.log(`bytes of the file for a text: ${(bytes / (count + warmUp)).toFixed(0)}\n`)
}

const memory = async () => {
  const peaks = new Map<string, number>()
  for (const count of [300_000, 3_000_000]) {
    const file = join(folder, `store-${count}`)
    for (const name of ["first", "second"]) {
      const run = await measure("libsql", file, count, ["--max-old-space-size=160"])
      peaks.set(`${name} ${count}`, run.peakRssMiB)
      console.log(
        `${count} texts, ${name} run: peak RSS ${run.peakRssMiB.toFixed(0)} MiB, ${(count / run.seconds).toFixed(0)} texts/s, ` +
          `${run.cpuMicrosPerText.toFixed(2)} µs CPU a text, longest block ${run.longestBlockMillis.toFixed(0)} ms`
      )
    }
    console.log(`bytes of the file for a text: ${((await bytesOf(file)) / (count + warmUp)).toFixed(0)}`)
    await rm(file)
  }
  for (const name of ["first", "second"]) {
    const ratio = peaks.get(`${name} 3000000`)! / peaks.get(`${name} 300000`)!
    console.log(`${name} run within 20 %: ${verdict(ratio <= 1.2)} (${ratio.toFixed(2)})`)
  }
}

const benches = { runs, memory }
const parts = chosen.filter((each) => each in benches)
for (const [name, bench] of Object.entries(benches)) {
  if (parts.length === 0 || parts.includes(name)) await bench()
}
server.stop()
await rm(folder, { recursive: true })
process.exit()
