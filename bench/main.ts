/** `npm run bench` runs all, `npm run bench -- cpu memory throughput` some. How to read it: docs/performance.md. */
import Table from "cli-table3"
import { type Measurement, measure, startEmulator, startServer } from "./processes.js"

const median = (numbers: ReadonlyArray<number>): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

const verdict = (ok: boolean) => (ok ? "yes" : "NO")

const subjects = { ours: "effect-translate", deepl: "deepl-node", undici: "bare undici" }
type Subject = keyof typeof subjects

const cpu = async () => {
  const rounds = 5
  const count = 300_000
  const server = await startServer()
  for (const language of ["en", "ja"] as const) {
    const runs: Record<Subject, Array<Measurement & { requests: number }>> = {
      ours: [],
      deepl: [],
      undici: []
    }
    for (let round = 0; round < rounds; round++) {
      for (const subject of Object.keys(subjects) as Array<Subject>) {
        await server.meter()
        const measured = await measure(subject, server.url, language, count, 8)
        const { requests } = await server.meter()
        runs[subject].push({ ...measured, requests })
      }
    }
    const of = (subject: Subject, figure: (run: Measurement & { requests: number }) => number) =>
      median(runs[subject].map(figure))
    const ratio = (subject: Subject) =>
      median(runs.ours.map((run, round) => run.cpuMicrosPerText / runs[subject][round]!.cpuMicrosPerText))
    const table = new Table({
      head: [
        language === "en" ? "ASCII, 60 characters" : "Japanese, 200 characters",
        "CPU µs/text",
        "texts/s",
        "peak RSS MiB",
        "requests",
        "ours : this"
      ],
      style: { head: [], border: [] },
      colAligns: ["left", "right", "right", "right", "right", "right"]
    })
    for (const [subject, name] of Object.entries(subjects) as Array<[Subject, string]>) {
      table.push([
        name,
        of(subject, (run) => run.cpuMicrosPerText).toFixed(2),
        of(subject, (run) => count / run.seconds).toFixed(0),
        of(subject, (run) => run.peakRssMiB).toFixed(0),
        of(subject, (run) => run.requests).toFixed(0),
        ratio(subject).toFixed(2)
      ])
    }
    console.log(table.toString())
    const most = language === "en" ? 1 : 0.7
    console.log(
      `at most ${most} of deepl-node: ${verdict(ratio("deepl") <= most)}; at most 4 times undici: ${verdict(ratio("undici") <= 4)}\n`
    )
  }
  server.stop()
}

const memory = async () => {
  const server = await startServer()
  const peak = async (count: number) =>
    (await measure("ours", server.url, "en", count, 8, ["--max-old-space-size=160"])).peakRssMiB
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
  const { seconds } = await measure("ours", emulator.url, "en", count, 8)
  const share = count / seconds / ideal
  console.log(
    `8 requests at once, answers in 100 ms: ${(count / seconds).toFixed(0)} texts/s over ${seconds.toFixed(1)} s`
  )
  console.log(`at least 95 % of ${ideal}: ${verdict(share >= 0.95)} (${(share * 100).toFixed(1)} %)\n`)
  emulator.stop()
}

const benches = { cpu, memory, throughput }
const chosen = process.argv.slice(2)
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length === 0 || chosen.includes(name)) await bench()
}
