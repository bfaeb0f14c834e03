/**
 * Durable jobs beside the queue that one would write by hand: `npm run bench:durable` runs all, `npm run bench:durable -- jobs` or `scaling` a
 * part; a number says how many texts there are, and `rounds=1` how often each runs. `statements` counts those too, `nosync` is PostgreSQL without
 * `fsync`, `--csv` prints each round as a line. How to read it: docs/internals/performance.md.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Table from "cli-table3"
import * as Arr from "effect/Array"
import { texts } from "./corpus.js"
import { rateOf, warmUp } from "./durable/scaling.js"
import { start } from "./durable/server.js"
import * as subjects from "./durable/subjects.js"
import * as fileOf from "./files.js"
import { median, startEmulator, startServer } from "./processes.js"

const given = process.argv.slice(2)
const count = Number(given.find((each) => /^\d+$/.test(each)) ?? 100_000)
const rounds = Number(given.find((each) => each.startsWith("rounds="))?.slice(7) ?? 3)
const isCounting = given.includes("statements")
const isSynced = !given.includes("nosync")
const isCsv = given.includes("--csv")
const chosen = given.filter((each) => ["jobs", "scaling"].includes(each))

/** Issue 28. */
const goals = {
  worker: 2.5,
  server: 2,
  stored: 1,
  plain: 1.5,
  connections: 10,
  megabytes: 250,
  scaling: 1.8
}

const folder = mkdtempSync(join(tmpdir(), "bench-durable-"))
const emulator = await startEmulator()
const server = await start({ isCounting, isSynced })

/** Files of so many texts in all, no two of them equal. */
const filesOf = async (size: number) => {
  const from = texts("en", size)
  const each = Math.ceil(size / 4)
  const files = Arr.makeBy(4, (file) => ({
    name: `texts-${file}.csv`,
    size: Math.min(each, size - file * each)
  }))
  for (const { name, size } of files) await fileOf.write(join(folder, name), { from, size })
  return files
}

const namesOf = (files: Arr.NonEmptyReadonlyArray<{ readonly name: string }>) =>
  Arr.map(files, ({ name }) => name)

const jobs = async () => {
  const service = await startServer({ BEHIND: emulator.url })
  const files = await filesOf(count)
  await fileOf.write(join(folder, "one.csv"), { from: texts("en", 1), size: 1 })
  const setting: subjects.Setting = {
    server,
    service,
    folder,
    files: namesOf(files),
    one: "one.csv",
    check: async (outputOf) => {
      const from = texts("en", count)
      for (const { name, size } of files) await fileOf.check(join(folder, outputOf(name)), { from, size })
    }
  }
  const results = new Map<string, Array<subjects.Figures>>()
  for (let round = 0; round < rounds; round++) {
    for (const subject of [subjects.queue, subjects.durable, subjects.plain]) {
      for (const { figures, name } of await subject(setting)) {
        results.set(name, [...(results.get(name) ?? []), figures])
      }
    }
  }
  service.stop()
  tell(results)
}

const perText = (seconds: number) => (seconds * 1e6) / count
/** A request has fifty texts. */
const perRequest = (counted: number | undefined) =>
  counted === undefined ? undefined : counted / (count / 50)
const fixed = (value: number | undefined, digits: number) => value?.toFixed(digits) ?? ""

const columns = {
  "CPU of the process, µs/text": ({ cpuSeconds }: subjects.Figures) => fixed(perText(cpuSeconds), 1),
  "of PostgreSQL": ({ serverSeconds }: subjects.Figures) => fixed(perText(serverSeconds), 1),
  seconds: ({ seconds }: subjects.Figures) => fixed(seconds, 1),
  connections: ({ connections }: subjects.Figures) => fixed(connections, 0),
  "peak MB": ({ peak }: subjects.Figures) => fixed(peak, 0),
  "commits a request": ({ counts }: subjects.Figures) => fixed(perRequest(counts.commits), 1),
  "statements a request": ({ counts }: subjects.Figures) => fixed(perRequest(counts.statements), 1)
}

const tell = (results: ReadonlyMap<string, ReadonlyArray<subjects.Figures>>) => {
  if (isCsv) {
    console.log(["what", "round", ...Object.keys(columns)].map((name) => `"${name}"`).join(","))
    for (const [name, runs] of results) {
      for (const [round, figures] of runs.entries()) {
        console.log([`"${name}"`, round + 1, ...Object.values(columns).map((of) => of(figures))].join(","))
      }
    }
    return
  }
  const of = (name: string) => results.get(name)!
  const queue = of("queue by hand")
  const whole = queue.map((figures, round) => {
    const read = of("queue by hand, its import")[round]!
    return {
      ...figures,
      cpuSeconds: figures.cpuSeconds + read.cpuSeconds,
      serverSeconds: figures.serverSeconds + read.serverSeconds
    }
  })
  /** The median of the ratios of each round. */
  const ratio = (
    runs: ReadonlyArray<subjects.Figures>,
    those: ReadonlyArray<subjects.Figures>,
    figure: (figures: subjects.Figures) => number
  ) => median(runs.map((run, round) => figure(run) / figure(those[round]!)))
  const cpu = ({ cpuSeconds }: subjects.Figures) => cpuSeconds
  const serverCpu = ({ serverSeconds }: subjects.Figures) => serverSeconds
  const table = new Table({
    head: [`${count} texts`, ...Object.keys(columns), "process : queue", "PostgreSQL : queue"],
    style: { head: [], border: [] },
    wordWrap: true,
    colWidths: [26, 13, 12, 9, 13, 9, 12, 12, 9, 12]
  })
  for (const [name, runs] of results) {
    const medians = Object.values(columns).map((of) => {
      const values = runs.map(of)
      return values[0] === "" ? "" : fixed(median(values.map(Number)), values[0]!.split(".")[1]?.length ?? 0)
    })
    table.push([
      name,
      ...medians,
      ratio(runs, queue, cpu).toFixed(2),
      ratio(runs, queue, serverCpu).toFixed(2)
    ])
  }
  console.log(table.toString())

  const [fresh, stored, plain] = [of("durable job"), of("durable job, all stored"), of("plain job")]
  const most = (figure: (figures: subjects.Figures) => number) =>
    Math.max(...[...fresh, ...stored].map(figure))
  const verdict = (what: string, value: number, goal: number, digits = 2) =>
    console.log(`${what}: ${value.toFixed(digits)}, at most ${goal}: ${value <= goal ? "yes" : "NO"}`)
  verdict(
    `Worker, of the queue's CPU (${ratio(fresh, whole, cpu).toFixed(2)} with its import)`,
    ratio(fresh, queue, cpu),
    goals.worker
  )
  verdict(
    `PostgreSQL, of the queue's (${ratio(fresh, whole, serverCpu).toFixed(2)} with its import)`,
    ratio(fresh, queue, serverCpu),
    goals.server
  )
  verdict("Worker with all stored, of the queue's CPU for new texts", ratio(stored, queue, cpu), goals.stored)
  verdict("PostgreSQL with all stored, of the queue's", ratio(stored, queue, serverCpu), goals.stored)
  verdict("Worker, of a plain job's CPU", ratio(fresh, plain, cpu), goals.plain)
  verdict(
    "Connections of a worker",
    most(({ connections }) => connections),
    goals.connections,
    0
  )
  verdict(
    "Peak of a worker, MB",
    most(({ peak }) => peak),
    goals.megabytes,
    0
  )
  console.log()
}

const scaling = async () => {
  const service = await startServer({ BEHIND: emulator.url, LATENCY: "100" })
  const [concurrency, seconds] = [4, 20]
  // What two workers send at most until they are measured, and as much again.
  const size = 2 * 2 * concurrency * 10 * (warmUp + seconds) * 50
  const files = namesOf(await filesOf(size))
  for (let round = 0; round < rounds; round++) {
    const options = { server, service, folder, files, concurrency, seconds }
    const one = await rateOf(1, options)
    const two = await rateOf(2, options)
    const ratio = two.perSecond / one.perSecond
    const told = ({ cpu, perSecond }: typeof one) =>
      `${perSecond.toFixed(1)} requests/s, ${cpu.toFixed(2)} cores`
    console.log(
      `one worker: ${told(one)}; two: ${told(two)}; ${ratio.toFixed(2)} times as many, at least ${goals.scaling}: ${ratio >= goals.scaling ? "yes" : "NO"}`
    )
  }
  service.stop()
}

if (!isCsv) console.log(`PostgreSQL ${isSynced ? "with" : "without"} fsync, ${rounds} rounds\n`)
for (const [name, bench] of Object.entries({ jobs, scaling })) {
  if (chosen.length === 0 || chosen.includes(name)) await bench()
}
emulator.stop()
rmSync(folder, { recursive: true })
process.exit()
