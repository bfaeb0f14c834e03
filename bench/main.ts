/** `npm run bench` runs all, `npm run bench -- cpu memory throughput limit interruption` some. How to read it: docs/internals/performance.md. */
import Table from "cli-table3"
import { bundle } from "./bundle.js"
import { interruptAfter } from "./interruption.js"
import { type Measurement, measure, median, startEmulator, startServer } from "./processes.js"

const verdict = (ok: boolean) => (ok ? "yes" : "NO")

const subjects = { ours: "effect-translate", deepl: "deepl-node", undici: "bare undici" }
type Subject = keyof typeof subjects

/** How many texts: of two runs the start and each further text are told apart. */
const sizes = [20_000, 300_000] as const

interface Cost {
  /** Microseconds of CPU before the first text, with what the compiler does for all of them. */
  readonly start: number
  /** Microseconds of CPU of each further text. */
  readonly each: number
  readonly large: Measurement
}

const cpu = async () => {
  const rounds = 5
  const [few, many] = sizes
  const server = await startServer()
  for (const subject of Object.keys(subjects)) await bundle(`./subjects/${subject}.js`)
  const tables = (["en", "ja"] as const).flatMap((language) =>
    (["", ".bundle"] as const).map((kind) => ({ language, kind }))
  )
  for (const { kind, language } of tables) {
    const costs: Record<Subject, Array<Cost>> = { ours: [], deepl: [], undici: [] }
    for (let round = 0; round < rounds; round++) {
      for (const subject of Object.keys(subjects) as Array<Subject>) {
        const run = (count: number) => measure(subject + kind, server.url, language, count, 8, { warmUp: 0 })
        const [small, large] = [await run(few), await run(many)]
        const each = (large.cpuMicros - small.cpuMicros) / (many - few)
        costs[subject].push({ start: small.cpuMicros - few * each, each, large })
      }
    }
    const of = (subject: Subject, figure: (cost: Cost) => number) => median(costs[subject].map(figure))
    const ratio = (subject: Subject, figure: "start" | "each") =>
      median(costs.ours.map((cost, round) => cost[figure] / costs[subject][round]![figure]))
    const table = new Table({
      head: [
        `${language === "en" ? "ASCII, 60 characters" : "Japanese, 200 characters"}, ${kind === "" ? "modules" : "bundled"}`,
        "start, CPU s",
        "each further text, CPU µs",
        "texts/s",
        "peak RSS MiB",
        "start, ours : this",
        "each, ours : this"
      ],
      style: { head: [], border: [] },
      colAligns: ["left", "right", "right", "right", "right", "right", "right"]
    })
    for (const [subject, name] of Object.entries(subjects) as Array<[Subject, string]>) {
      table.push([
        name,
        of(subject, ({ start }) => start / 1e6).toFixed(2),
        of(subject, ({ each }) => each).toFixed(2),
        of(subject, ({ large }) => many / large.seconds).toFixed(0),
        of(subject, ({ large }) => large.peakRssMiB).toFixed(0),
        ratio(subject, "start").toFixed(2),
        ratio(subject, "each").toFixed(2)
      ])
    }
    console.log(table.toString())
    const most = language === "en" ? 1 : 0.7
    console.log(
      `each further text at most ${most} of deepl-node's: ${verdict(ratio("deepl", "each") <= most)}; at most 4 times undici's: ${verdict(ratio("undici", "each") <= 4)}\n`
    )
  }
  server.stop()
}

const memory = async () => {
  const server = await startServer()
  const peak = async (count: number) =>
    (await measure("ours", server.url, "en", count, 8, { execArgv: ["--max-old-space-size=160"] })).peakRssMiB
  const small = await peak(300_000)
  const large = await peak(3_000_000)
  console.log(
    `peak RSS with --max-old-space-size=160: ${small.toFixed(0)} MiB for 300,000 texts, ${large.toFixed(0)} MiB for 3,000,000`
  )
  console.log(`within 20 %: ${verdict(large <= small * 1.2)} (${(large / small).toFixed(2)})\n`)
  server.stop()
}

const throughput = async () => {
  const emulator = await startEmulator()
  const ideal = (8 * 50) / 0.1
  const count = ideal * 60
  const shareOf = async (subject: Subject) => {
    const { seconds } = await measure(subject, emulator.url, "en", count, 8)
    const share = count / seconds / ideal
    console.log(
      `${subjects[subject]}, 8 requests at once, answers in 100 ms: ${(count / seconds).toFixed(0)} texts/s over ${seconds.toFixed(1)} s, ${(share * 100).toFixed(1)} %`
    )
    return share
  }
  const share = await shareOf("ours")
  await shareOf("undici")
  console.log(`at least 95 % of ${ideal}: ${verdict(share >= 0.95)}\n`)
  emulator.stop()
}

/** A service that takes 6 requests at once and asks to wait a second beyond. */
const limit = async () => {
  const seconds = 60
  const count = ((6 * 50) / 0.1) * seconds
  const limits = [
    { name: "fixed at 6", concurrency: 6, concurrencyLimit: "fixed 6" },
    { name: "adaptive, started at 1", concurrency: 64, concurrencyLimit: "adaptive 1" },
    { name: "adaptive, started at 64", concurrency: 64, concurrencyLimit: "adaptive 64" }
  ]
  const table = new Table({
    head: ["limit", "texts/s", "of fixed", "refused later"],
    style: { head: [], border: [] }
  })
  let best = 0
  let ok = true
  for (const { concurrency, name, concurrencyLimit } of limits) {
    const emulator = await startEmulator(6)
    const running = measure("ours", emulator.url, "en", count, concurrency, {
      env: { LIMIT: concurrencyLimit }
    })
    await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / 2))
    const middle = await emulator.meter()
    const { seconds: took } = await running
    const end = await emulator.meter()
    emulator.stop()
    const rate = count / took
    best = Math.max(best, concurrencyLimit === "fixed 6" ? rate : best)
    const refused =
      ((end.statuses[429] ?? 0) - (middle.statuses[429] ?? 0)) / Math.max(1, end.requests - middle.requests)
    ok = ok && rate >= 0.9 * best && refused < 0.03
    table.push([name, rate.toFixed(0), (rate / best).toFixed(2), `${(refused * 100).toFixed(2)} %`])
  }
  console.log(table.toString())
  console.log(`at least 90 % of the fixed limit, less than 3 % refused in the second half: ${verdict(ok)}\n`)
}

const interruption = async () => {
  const emulator = await startEmulator()
  const times: Array<number> = []
  for (let round = 0; round < 20; round++) times.push(await interruptAfter(emulator.url, 500))
  emulator.stop()
  console.log(
    `interrupted with 8 requests in flight: the stream has ended after ${median(times).toFixed(1)} ms (most: ${Math.max(...times).toFixed(1)} ms)\n`
  )
}

const benches = { cpu, memory, throughput, limit, interruption }
const chosen = process.argv.slice(2)
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length === 0 || chosen.includes(name)) await bench()
}
