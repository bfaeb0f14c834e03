/**
 * What a job costs: `npm run bench:job` runs all, `npm run bench:job -- csv jsonl` some; a number says how many texts there are, and
 * `rounds=1` how often each program runs. How to read it: docs/internals/performance.md.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import Table from "cli-table3"
import { texts } from "./corpus.js"
import * as files from "./files.js"
import { databases, median, startEmulator, startServer } from "./processes.js"
import { cli, type Run, runner } from "./programs.js"

const given = process.argv.slice(2)
const chosen = given.filter((each) => /^[a-z]+$/.test(each))
const count = Number(given.find((each) => /^\d+$/.test(each)) ?? 400_000)
const rounds = Number(given.find((each) => each.startsWith("rounds="))?.slice(7) ?? 3)

const folder = mkdtempSync(join(tmpdir(), "bench-job-"))
const emulator = await startEmulator()
const server = await startServer({ BEHIND: emulator.url })
const database = await databases()

const run = runner(folder, server.url)

const written = new Set<string>()

/** A file of so many texts. */
const sourceOf = async (kind: files.Kind, size: number): Promise<string> => {
  const name = `texts-${size}.${kind}`
  if (!written.has(name)) await files.write(join(folder, name), { from: texts("en", size), size })
  written.add(name)
  return name
}

interface Subject {
  readonly name: string
  /** What is run, the texts in a store of its own. */
  readonly program: (
    source: string,
    size: number,
    store: string,
    targets: ReadonlyArray<string>
  ) => Array<string>
  readonly store?: "file" | "postgres"
  readonly outputOf?: (target: string, source: string) => string
}

const own = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const translate =
  (...flags: ReadonlyArray<string>): Subject["program"] =>
  (source, _, store, targets) => [
    ...[cli, "translate", source, "--to", targets.join(","), "--existing", "overwrite"],
    ...(source.endsWith(".csv") ? ["--column", "text"] : ["--field", "text"]),
    ...flags,
    ...(store === "" ? [] : ["--store", store])
  ]

const script: Subject = {
  name: "script by hand",
  program: (source, _, __, targets) => [own("./jobs/script.js"), source, ...targets]
}
const none: Subject = { name: "`translate --store none`", program: translate("--store", "none") }
const file: Subject = { name: "`translate`, a file as its store", program: translate(), store: "file" }
const postgres: Subject = {
  name: "`translate --store postgres://…`",
  program: translate(),
  store: "postgres"
}
const rows: Subject = {
  name: "`TranslationJob` of rows",
  program: (_, size, store, targets) => [own("./jobs/rows.js"), String(size), store, ...targets],
  store: "file",
  outputOf: (target) => `rows.${target}.jsonl`
}

/** As the script, which checks nothing. */
const unchecked = (subject: Subject): Subject => ({
  ...subject,
  name: `${subject.name}, \`--check all=off\``,
  program: (...job) => [...subject.program(...job), "--check", "all=off"]
})

/** The same of a compressed file, into one. */
const compressed = (subject: Subject): Subject => ({
  ...subject,
  name: `${subject.name}, .csv.gz`,
  program: (source, ...rest) => {
    const file = join(folder, `${source}.gz`)
    if (!existsSync(file)) writeFileSync(file, gzipSync(readFileSync(join(folder, source))))
    return [...subject.program(source, ...rest).map((part) => (part === source ? `${source}.gz` : part))]
  },
  outputOf: (target, source) => source.replace(/\.csv$/, `.${target}.csv.gz`)
})

/** The same of a Parquet file. */
const columnar = (subject: Subject): Subject => ({
  ...subject,
  name: `${subject.name}, .parquet`,
  program: (source, ...rest) => {
    const name = source.replace(/\.csv$/, ".parquet")
    const file = join(folder, name)
    if (!existsSync(file)) files.toParquet(join(folder, source), file)
    const flags = ["--out", "{name}.{lang}.parquet"]
    return [...subject.program(source, ...rest).map((part) => (part === source ? name : part)), ...flags]
  },
  outputOf: (target, source) => source.replace(/\.csv$/, `.${target}.parquet`)
})

let stores = 0
const storeOf = async ({ store }: Subject): Promise<string> =>
  store === undefined ? "" : store === "postgres" ? await database!() : join(folder, `store-${stores++}.db`)

const outputsOf = ({ outputOf }: Subject, source: string, targets: ReadonlyArray<string>) =>
  targets.map((target) => outputOf?.(target, source) ?? source.replace(/(\.[^.]+)$/, `.${target}$1`))

interface Measured {
  readonly first: Array<Run>
  readonly second: Array<Run>
  /** CPU of a run of one text: what the process takes by itself. */
  readonly alone: Array<number>
}

const measure = async (
  subjects: ReadonlyArray<Subject>,
  kind: files.Kind,
  targets: ReadonlyArray<string>,
  {
    execArgv = [],
    rounds: times = rounds,
    size = count
  }: { execArgv?: ReadonlyArray<string>; rounds?: number; size?: number } = {}
) => {
  const source = await sourceOf(kind, size)
  const one = await sourceOf(kind, 1)
  const results = new Map(
    subjects.map((subject) => [subject, { first: [], second: [], alone: [] } as Measured])
  )
  const once = async (subject: Subject, from: string, size: number, store: string) => {
    const outputs = outputsOf(subject, from, targets)
    for (const output of outputs) rmSync(join(folder, output), { force: true })
    const result = await run(subject.program(from, size, store, targets), { execArgv })
    for (const output of outputs) await files.check(join(folder, output), { from: texts("en", size), size })
    return result
  }
  for (let round = 0; round < times; round++) {
    for (const [subject, { alone, first, second }] of results) {
      alone.push((await once(subject, one, 1, await storeOf(subject))).cpu)
      const store = await storeOf(subject)
      first.push(await once(subject, source, size, store))
      if (subject.store !== undefined) {
        await server.meter()
        second.push(await once(subject, source, size, store))
        const { texts } = await server.meter()
        if (texts > 0) throw new Error(`${subject.name}: ${texts} texts were sent again`)
      }
      if (subject.store === "file")
        for (const end of ["", "-wal", "-shm"]) rmSync(store + end, { force: true })
    }
  }
  return results
}

const table = async (
  title: string,
  subjects: ReadonlyArray<Subject>,
  kind: files.Kind,
  targets: ReadonlyArray<string>
) => {
  const results = await measure([script, ...subjects], kind, targets)
  const out = new Table({
    head: [title, "CPU µs/text", "of the script's", "peak MiB", "the process itself, s"],
    style: { head: [], border: [] },
    colAligns: ["left", "right", "right", "right", "right"]
  })
  const each = (runs: ReadonlyArray<Run>, alone: ReadonlyArray<number>) =>
    runs.map(({ cpu }, round) => (cpu - alone[round]!) / (count * targets.length))
  const byHand = results.get(script)!
  const ofScript = each(byHand.first, byHand.alone)
  for (const [subject, { alone, first, second }] of results) {
    for (const [runs, what] of [
      [first, ""],
      [second, ", again"]
    ] as const) {
      if (runs.length === 0) continue
      const costs = each(runs, alone)
      out.push([
        subject.name + what,
        median(costs).toFixed(1),
        median(costs.map((cost, round) => cost / ofScript[round]!)).toFixed(2),
        median(runs.map(({ peak }) => peak)).toFixed(0),
        (median(alone) / 1e6).toFixed(2)
      ])
    }
  }
  console.log(`${out.toString()}\n`)
}

const withPostgres = database === undefined ? [] : [postgres]

const memory = async () => {
  const out = new Table({
    head: ["peak MiB, heap of 160", `${count} texts`, `${count * 10} texts`, "ratio"],
    style: { head: [], border: [] },
    colAligns: ["left", "right", "right", "right"]
  })
  for (const kind of ["csv", "jsonl"] as const) {
    const options = { execArgv: ["--max-old-space-size=160"], rounds: 1 }
    const small = await measure([none, file], kind, ["de"], options)
    const large = await measure([none, file], kind, ["de"], { ...options, size: count * 10 })
    for (const subject of [none, file]) {
      for (const [which, what] of [
        ["first", ""],
        ["second", ", again"]
      ] as const) {
        const peaks = [small, large].map((results) => results.get(subject)![which][0]?.peak)
        if (peaks[0] === undefined) continue
        out.push([
          `${kind}: ${subject.name}${what}`,
          ...peaks.map((peak) => peak!.toFixed(0)),
          (peaks[1]! / peaks[0]).toFixed(2)
        ])
      }
    }
  }
  console.log(`${out.toString()}\n`)
}

/** Whole runs of files of three sizes, their start included, with the checks that are on by default and without. */
const sizes = async () => {
  const out = new Table({
    head: [
      "CSV, one language",
      "checks: CPU s",
      "of the script's",
      "no checks: CPU s",
      "of the script's",
      "peak MiB"
    ],
    style: { head: [], border: [] },
    colAligns: ["left", "right", "right", "right", "right", "right"]
  })
  for (const size of [3, 40_000, count]) {
    const results = await measure(
      [script, ...[none, file].flatMap((each) => [each, unchecked(each)])],
      "csv",
      ["de"],
      {
        size
      }
    )
    const runsOf = (name: string, which: "first" | "second") =>
      [...results].find(([subject]) => subject.name === name)![1][which]
    const byHand = runsOf(script.name, "first")
    const cells = (runs: ReadonlyArray<Run>) => [
      (median(runs.map(({ cpu }) => cpu)) / 1e6).toFixed(2),
      median(runs.map(({ cpu }, round) => cpu / byHand[round]!.cpu)).toFixed(2)
    ]
    const peakOf = (runs: ReadonlyArray<Run>) => median(runs.map(({ peak }) => peak)).toFixed(0)
    out.push([`${size} texts: ${script.name}`, "", "", ...cells(byHand), peakOf(byHand)])
    for (const [subject, which] of [
      [none, "first"],
      [file, "first"],
      [file, "second"]
    ] as const) {
      const checked = runsOf(subject.name, which)
      out.push([
        `${size} texts: ${subject.name}${which === "second" ? ", again" : ""}`,
        ...cells(checked),
        ...cells(runsOf(unchecked(subject).name, which)),
        peakOf(checked)
      ])
    }
  }
  console.log(`${out.toString()}\n`)
}

const benches = {
  sizes,
  csv: () =>
    table("CSV, one language", [none, unchecked(none), file, unchecked(file), ...withPostgres, rows], "csv", [
      "de"
    ]),
  jsonl: () => table("JSON Lines, one language", [none, file].map(unchecked), "jsonl", ["de"]),
  // None of another script, in which checks would flag each text that the server gives back.
  three: () =>
    table("CSV, three languages", [...[none, file].map(unchecked), rows], "csv", ["de", "fr", "es"]),
  compressed: () => table("CSV, compressed", [none, compressed(none)], "csv", ["de"]),
  parquet: () => table("Parquet", [none, columnar(none)], "csv", ["de"]),
  memory
}

console.log(`${count} texts of 60 characters, ${rounds} rounds\n`)
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length === 0 || chosen.includes(name)) await bench()
}
server.stop()
emulator.stop()
rmSync(folder, { recursive: true })
process.exit()
