/**
 * Random programs under fire, checked: see `test/support/soak.ts`. Each is also run by several streams that share a store.
 *
 *     npm run soak                         300 seeds
 *     npm run soak -- 1000 --from 301      as many as you like, from another one
 *     npm run soak -- --seed 17            one of them again
 *     npm run soak -- --bulk               200,000 texts, with each kind of fault for one request in a hundred
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { explain, type Report, soak, soakBulk, soakShared, total } from "../test/support/soak.js"

const args = process.argv.slice(2)

const after = (name: string): number | undefined => {
  const index = args.indexOf(name)
  return index === -1 ? undefined : Number(args[index + 1])
}

const seed = after("--seed")
const from = seed ?? after("--from") ?? 1
const given = args.find((arg, index) => /^\d+$/.test(arg) && args[index - 1] !== "--from")
const count = seed === undefined ? Number(given ?? 300) : 1

const runs = args.includes("--bulk")
  ? [soakBulk(Number(given ?? 200_000))]
  : Array.from({ length: count }, (_, index) => [soak(from + index), soakShared(from + index)]).flat()

const program = Effect.gen(function* () {
  const reports: Array<Report> = []
  for (const run of runs) {
    if (process.stdout.isTTY) process.stdout.write(`\r${reports.length}`)
    const report = yield* run
    reports.push(report)
    if (report.problems.length > 0) console.log(explain(report))
    else if (seed !== undefined) console.log(report.description)
  }
  for (const [what, times] of [...total(reports)].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${what}: ${times}`)
  const failed = reports.filter(({ problems }) => problems.length > 0)
  const slowest = reports.reduce((slowest, report) =>
    report.milliseconds > slowest.milliseconds ? report : slowest
  )
  console.log(`slowest: seed ${slowest.seed}, ${slowest.milliseconds} ms`)
  console.log(
    `${failed.length} of ${reports.length} seeds failed: ${failed.map(({ seed }) => seed).join(" ") || "none"}`
  )
  if (failed.length > 0) process.exitCode = 1
})

NodeRuntime.runMain(program)
