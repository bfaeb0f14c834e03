import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { NodeContext } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { Supervisor } from "effect-translate/workflow"

/** A program that counts its starts in a file, and what it does at each. */
const program = (script: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(`${tmpdir()}/supervisor-`)),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ),
    (folder) => {
      const restarts: Array<{ readonly exitCode: number | undefined; readonly delay: number }> = []
      const read = () => {
        try {
          return readFileSync(`${folder}/starts`, "utf8").length
        } catch {
          return 0
        }
      }
      return {
        starts: read,
        restarts,
        run: Supervisor.run({
          command: process.execPath,
          args: [
            "-e",
            `const fs = require("node:fs"); fs.appendFileSync(process.argv[1], "x"); const start = fs.readFileSync(process.argv[1]).length; ${script}`,
            `${folder}/starts`
          ],
          delays: { first: "10 millis", longest: "20 millis" },
          grace: "1 seconds",
          onRestart: (end) => Effect.sync(() => void restarts.push(end))
        }).pipe(Effect.provide(NodeContext.layer))
      }
    }
  )

it.scopedLive(
  "a program that has lost its database is started again, at once and then ever later, until it ends by itself",
  () =>
    Effect.gen(function* () {
      const { restarts, run, starts } = yield* program("process.exit(start < 5 ? 75 : 0)")
      expect(yield* run).toBe(0)
      expect(starts()).toBe(5)
      expect(restarts.map(({ delay }) => delay)).toEqual([0, 10, 20, 20])
    })
)

it.scopedLive("a program that was killed is started again", () =>
  Effect.gen(function* () {
    const { restarts, run } = yield* program('if (start < 2) process.kill(process.pid, "SIGKILL")')
    expect(yield* run).toBe(0)
    expect(restarts).toEqual([{ exitCode: undefined, delay: 0 }])
  })
)

it.scopedLive("a program that was called wrongly is not started again", () =>
  Effect.gen(function* () {
    const { run, starts } = yield* program("process.exit(2)")
    expect(yield* run).toBe(2)
    expect(starts()).toBe(1)
  })
)

/** Once it says that it can be told to end. */
const interruptOnceReady = <E, R>(run: Effect.Effect<number, E, R>, starts: () => number) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(run)
    yield* Effect.repeat(Effect.sync(starts), {
      until: (n) => n === 2,
      schedule: Schedule.spaced("20 millis")
    })
    yield* Fiber.interrupt(fiber)
  })

it.scopedLive("a program is told to end, and waited for", () =>
  Effect.gen(function* () {
    const { run, starts } = yield* program(
      'process.on("SIGTERM", () => setTimeout(() => { fs.appendFileSync(process.argv[1], "end"); process.exit(75) }, 200)); fs.appendFileSync(process.argv[1], "r"); setInterval(() => {}, 1000)'
    )
    yield* interruptOnceReady(run, starts)
    expect(starts()).toBe(5)
  })
)

it.scopedLive("a program that does not end when it is told to is killed", () =>
  Effect.gen(function* () {
    const { run, starts } = yield* program(
      'process.on("SIGTERM", () => fs.appendFileSync(process.argv[1], "heard")); fs.appendFileSync(process.argv[1], "r"); setInterval(() => {}, 1000)'
    )
    yield* interruptOnceReady(run, starts)
    expect(starts()).toBe(7)
  })
)
