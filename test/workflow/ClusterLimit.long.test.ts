/** Three workers as processes, which share a limit through PostgreSQL, and lose the machine that has it. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { Emulator } from "effect-translate/emulator"
import { service, starting } from "./limitProcesses.js"

/** Waits until the service has accepted so many requests more. */
const accepts = (requests: number) =>
  Effect.gen(function* () {
    const { meter } = yield* Emulator.Emulator
    const accepted = Effect.map(meter, ({ statuses }) => statuses[200] ?? 0)
    const enough = (yield* accepted) + requests
    yield* Effect.repeat(accepted, {
      until: (count) => count >= enough,
      schedule: Schedule.spaced("50 millis")
    })
  })

const kill = (workers: ReadonlyArray<ChildProcess>) =>
  Effect.promise(() =>
    Promise.all(
      workers.map((worker) => {
        const ended = once(worker, "exit")
        worker.kill("SIGKILL")
        return ended
      })
    )
  )

it.scopedLive("three workers go on sending whichever of them the limit is lost with", () =>
  Effect.gen(function* () {
    const worker = yield* starting
    const workers = yield* Effect.replicateEffect(worker, 3)
    yield* accepts(60)
    yield* kill(workers.slice(0, 2))
    yield* accepts(40)
    // The limit is with the third one now.
    yield* worker
    yield* kill(workers.slice(2))
    yield* accepts(40)
    const { meter } = yield* Emulator.Emulator
    const { statuses } = yield* meter
    expect(Object.keys(statuses).filter((status) => status !== "200" && status !== "429")).toEqual([])
  }).pipe(Effect.provide(service))
)
