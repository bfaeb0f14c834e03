import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { Cluster, ClusterError } from "effect-translate/workflow"

/** A layer that never comes, and does not listen. */
const stuck = Layer.scopedDiscard(
  Effect.zipRight(
    Effect.addFinalizer(() => Effect.never),
    Effect.uninterruptible(Effect.never)
  )
)

it.scoped("a worker that is stuck in its start fails after 45 seconds, and is to be started again", () =>
  Effect.gen(function* () {
    const starting = yield* Effect.fork(Effect.flip(Layer.build(Cluster.withStartDeadline(stuck))))
    yield* TestClock.adjust("51 seconds")
    const error = yield* Fiber.join(starting)
    expect(error).toEqual(new ClusterError.StartTimedOut({ seconds: 45 }))
    expect(ClusterError.exitCode(error)).toBe(ClusterError.exitCodeOfLoss)
  })
)

it.scoped("a worker that is stuck in its start can be told to end", () =>
  Effect.gen(function* () {
    const starting = yield* Effect.fork(Layer.build(Cluster.withStartDeadline(stuck)))
    yield* TestClock.adjust("1 seconds")
    const ending = yield* Effect.fork(Fiber.interrupt(starting))
    yield* TestClock.adjust("5 seconds")
    expect(Exit.isInterrupted(yield* Fiber.join(ending))).toBe(true)
  })
)

it.effect("a worker that has started ends with its scope", () =>
  Effect.gen(function* () {
    const log: Array<string> = []
    const worker = Layer.scopedDiscard(
      Effect.acquireRelease(
        Effect.sync(() => void log.push("begun")),
        () => Effect.sync(() => void log.push("ended"))
      )
    )
    yield* Effect.scoped(Layer.build(Cluster.withStartDeadline(worker)))
    expect(log).toEqual(["begun", "ended"])
  })
)

it.effect("a worker that is told to end is waited for, however long it drains", () =>
  Effect.gen(function* () {
    const log: Array<string> = []
    const slow = Layer.scopedDiscard(
      Effect.addFinalizer(() =>
        Effect.delay(
          Effect.sync(() => void log.push("ended")),
          "5 minutes"
        )
      )
    )
    const running = yield* Effect.fork(Effect.provide(Effect.never, Cluster.withStartDeadline(slow)))
    yield* TestClock.adjust("1 seconds")
    const ending = yield* Effect.fork(Fiber.interrupt(running))
    yield* TestClock.adjust("4 minutes")
    expect(log).toEqual([])
    yield* TestClock.adjust("1 minutes")
    expect(log).toEqual(["ended"])
    expect(Exit.isInterrupted(yield* Fiber.join(ending))).toBe(true)
  })
)
