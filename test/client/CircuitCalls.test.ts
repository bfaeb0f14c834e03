/** How single calls take part in the circuit of their client, over a scripted transport, in the time of the TestClock. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { CircuitBreaker } from "effect-translate"
import * as bulkCalls from "../../src/internal/bulkCalls.js"
import { SendGate } from "../../src/internal/sendGate.js"
import { hello, translate, translations } from "../support/client.js"
import { count, scripted } from "../support/scriptedClient.js"

const taking = Effect.provideService(translate(hello), bulkCalls.BulkCalls, bulkCalls.plain())

const forkedAfter = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.zipRight(TestClock.adjust("100 millis"), Effect.fork(self))

describe("after a call that the service has failed with", () => {
  const failing = [{ status: 500 }]
  const slowly = { ...translations("Hallo"), after: "10 seconds" } as const

  it.effect("one other is sent at a time, until one is answered", () =>
    Effect.gen(function* () {
      const calls = [yield* forkedAfter(taking), yield* forkedAfter(taking), yield* forkedAfter(taking)]
      yield* TestClock.adjust("5 seconds")
      expect(yield* count).toBe(2)
      yield* TestClock.adjust("1 hour")
      const answers = yield* Effect.forEach(calls, (call) => Fiber.join(call))
      expect(answers.map(({ attempts }) => attempts)).toEqual([2, 1, 1])
      const more = [yield* forkedAfter(taking), yield* forkedAfter(taking)]
      yield* TestClock.adjust(0)
      expect(yield* count).toBe(6)
      yield* Fiber.interruptAll(more)
    }).pipe(Effect.provide(scripted([...failing, slowly])))
  )

  it.effect("another one is sent at once if it takes no part, and so it is after one that takes none", () =>
    Effect.gen(function* () {
      yield* forkedAfter(taking)
      yield* forkedAfter(translate(hello))
      yield* TestClock.adjust(0)
      expect(yield* count).toBe(2)
    }).pipe(
      Effect.provide(scripted(failing)),
      Effect.zipRight(
        Effect.gen(function* () {
          yield* forkedAfter(translate(hello))
          yield* forkedAfter(taking)
          yield* TestClock.adjust(0)
          expect(yield* count).toBe(2)
        }).pipe(Effect.provide(scripted(failing)))
      )
    )
  )

  it.effect("another one is sent at once under a policy that never opens a circuit", () =>
    Effect.gen(function* () {
      yield* forkedAfter(taking)
      yield* forkedAfter(taking)
      yield* TestClock.adjust(0)
      expect(yield* count).toBe(2)
    }).pipe(
      Effect.provide(
        scripted(failing, { circuit: CircuitBreaker.make({ failures: Number.POSITIVE_INFINITY }) })
      )
    )
  )

  it.effect("another one gets its turn if its holder is interrupted", () =>
    Effect.gen(function* () {
      yield* forkedAfter(taking)
      const second = yield* forkedAfter(taking)
      yield* TestClock.adjust("20 seconds")
      expect(yield* count).toBe(2)
      yield* Fiber.interrupt(second)
      yield* TestClock.adjust(0)
      expect(yield* count).toBe(3)
    }).pipe(Effect.provide(scripted([...failing, "hang"])))
  )
})

describe("a call that breaks inside", () => {
  it.effect("dies, and is not sent again", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        Effect.provideService(translate(hello), SendGate, () => () => Effect.die("broken"))
      )
      expect(Exit.isFailure(exit) && exit.cause._tag).toBe("Die")
      expect(yield* count).toBe(0)
    }).pipe(Effect.provide(scripted([])))
  )
})
