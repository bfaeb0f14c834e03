/**
 * Random programs under fire, checked: see `test/support/soak.ts`.
 *
 *     npm run test:campaign -- soak                      300 seeds, each also by several streams that share a store; a half of them over HTTP
 *     npm run test:campaign -- soak 1000 --from 301      as many as you like, from another one
 *     npm run test:campaign -- soak-virtual              5,000 small programs in virtual time: every other one by several streams, and each twice
 *     npm run test:campaign -- soak --seed 17            one of either again
 *     npm run test:campaign -- soak --bulk               200,000 texts, with each kind of fault for one request in a hundred
 */
import { fork } from "node:child_process"
import { availableParallelism } from "node:os"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as faults from "../test/support/soak/faults.js"
import * as program from "../test/support/soak/program.js"
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

const seeds = Array.from({ length: count }, (_, index) => from + index)

/** Each seed by one stream, and by several that share a store. */
const overSockets = Stream.fromIterable(seeds).pipe(
  Stream.map(program.make),
  Stream.flatMap((program) => Stream.make(soak(program), soakShared(program))),
  Stream.mapEffect((run) => run)
)

/** The reports of a process of its own. */
const inProcess = (seeds: ReadonlyArray<number>): Stream.Stream<Report> =>
  Stream.asyncPush((emit) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        let left = seeds.length
        const child = fork(new URL("soakVirtual.ts", import.meta.url), seeds.map(String), {
          // Fewer collections: 0.9 of the CPU.
          execArgv: [...process.execArgv, "--max-semi-space-size=64"],
          serialization: "advanced"
        })
        child.on("message", (report) => {
          left--
          emit.single(report as Report)
        })
        child.on("disconnect", () => {
          if (left === 0) emit.end()
          else emit.dieMessage(`A process has left out ${left} seeds`)
        })
        return child
      }),
      (child) => Effect.sync(() => child.kill())
    )
  )

const processes = Math.min(availableParallelism(), count)

const inVirtualTime = Stream.mergeAll(
  Array.from({ length: processes }, (_, process) =>
    inProcess(seeds.filter((_, index) => index % processes === process))
  ),
  { concurrency: "unbounded" }
)

const reports = args.includes("--bulk")
  ? Stream.fromEffect(soakBulk(Number(given ?? 200_000)))
  : args.includes("--virtual")
    ? inVirtualTime
    : overSockets

const main = Effect.gen(function* () {
  const all: Array<Report> = []
  yield* Stream.runForEach(reports, (report) =>
    Effect.sync(() => {
      all.push(report)
      if (process.stdout.isTTY) process.stdout.write(`\r${all.length}`)
      if (report.problems.length > 0) console.log(explain(report))
      else if (seed !== undefined) console.log(report.description)
    })
  )
  const seen = total(all)
  for (const [what, times] of [...seen].sort(([a], [b]) => (a < b ? -1 : 1)))
    if (!what.startsWith("fault ")) console.log(`${what}: ${times}`)
  const failed = all.filter(({ problems }) => problems.length > 0)
  const slowest = all.reduce((slowest, report) =>
    report.milliseconds > slowest.milliseconds ? report : slowest
  )
  const never = count < 1000 ? [] : faults.neverReached(seen)
  console.log(faults.table(seen))
  if (never.length > 0) console.log(`never reached: ${never.join(", ")}`)
  console.log(`slowest: seed ${slowest.seed}, ${slowest.milliseconds} ms`)
  console.log(
    `${failed.length} of ${all.length} runs failed: ${failed.map(({ seed }) => seed).join(" ") || "none"}`
  )
  if (failed.length + never.length > 0) process.exitCode = 1
})

NodeRuntime.runMain(main)
