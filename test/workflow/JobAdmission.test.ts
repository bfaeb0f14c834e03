/** Whether a job may go on, by what the tables say. */
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as gates from "../../src/workflow/internal/steps/jobAdmission.js"
import type { Active } from "../../src/workflow/internal/tables/jobTables.js"

const job = { id: "catalogue", generation: 1 }

const running: Active = { ...job, isStarted: true, desired: "run", waiting: undefined }

const makeGate = Effect.gen(function* () {
  const table: { jobs: ReadonlyArray<Active>; reads: number } = { jobs: [running], reads: 0 }
  const gate = yield* gates.make({
    listActive: Effect.sync(() => {
      table.reads++
      return table.jobs
    })
  })
  return {
    gate,
    table,
    tell: (change: Partial<Active>) =>
      Effect.suspend(() => {
        table.jobs = [{ ...running, ...change }]
        return gate.refresh
      })
  }
})

describe("Gate", () => {
  it.effect("admits a job that was submitted since the tables were last read", () =>
    Effect.gen(function* () {
      const { gate, table } = yield* makeGate
      expect(yield* gate.admit(job)).toBe(true)
      expect(table.reads).toBe(1)
      expect(yield* gate.admit(job)).toBe(true)
      expect(table.reads).toBe(1)
    })
  )

  it.effect("keeps a paused job waiting until it is resumed", () =>
    Effect.gen(function* () {
      const { gate, tell } = yield* makeGate
      yield* tell({ desired: "pause" })
      const admitted = yield* Effect.fork(gate.admit(job))
      yield* tell({ desired: "pause" })
      expect(yield* Fiber.poll(admitted)).toMatchObject({ _tag: "None" })
      yield* tell({ desired: "run" })
      expect(yield* Fiber.join(admitted)).toBe(true)
    })
  )

  it.effect("tells steps of a job that is paused to end", () =>
    Effect.gen(function* () {
      const { gate, tell } = yield* makeGate
      yield* gate.refresh
      const closed = yield* Effect.fork(gate.closed(job))
      yield* tell({ desired: "pause" })
      yield* Fiber.join(closed)
    })
  )

  it.effect("does not admit a job that was told to end, and says so to those that wait", () =>
    Effect.gen(function* () {
      const { gate, tell } = yield* makeGate
      yield* tell({ desired: "pause" })
      const waiting = yield* Effect.fork(gate.admit(job))
      yield* tell({ desired: "cancel" })
      expect(yield* Fiber.join(waiting)).toBe(false)
      expect(yield* gate.isCancelled(job)).toBe(true)
    })
  )

  it.effect("does not admit a job that has ended", () =>
    Effect.gen(function* () {
      const { gate, table } = yield* makeGate
      yield* gate.refresh
      table.jobs = []
      yield* gate.refresh
      expect(yield* gate.admit(job)).toBe(false)
      expect(yield* gate.isCancelled(job)).toBe(false)
    })
  )

  it.effect("admits a job that waits once its time has come", () =>
    Effect.gen(function* () {
      const { gate, tell } = yield* makeGate
      const waiting = { reason: "quota" as const, until: DateTime.unsafeMake(60_000) }
      yield* tell({ waiting })
      const admitted = yield* Effect.fork(gate.admit(job))
      // The clock of the database counts: that of a worker may be ahead.
      yield* TestClock.adjust("1 hour")
      yield* tell({ waiting })
      expect(yield* Fiber.poll(admitted)).toMatchObject({ _tag: "None" })
      yield* tell({ waiting: undefined })
      expect(yield* Fiber.join(admitted)).toBe(true)
    })
  )

  it.effect("admits nothing more on a worker that leaves", () =>
    Effect.gen(function* () {
      const { gate } = yield* makeGate
      yield* gate.refresh
      const closed = yield* Effect.fork(gate.closed(job))
      yield* gate.drain
      yield* Fiber.join(closed)
      const admitted = yield* Effect.fork(gate.admit(job))
      yield* gate.refresh
      expect(yield* Fiber.poll(admitted)).toMatchObject({ _tag: "None" })
      yield* Fiber.interrupt(admitted)
    })
  )
})
