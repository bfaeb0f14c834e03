/** Calls that ask before each attempt whether they may be sent, as those do whose texts a store has granted. */
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { ConcurrencyLimit } from "effect-translate"
import * as bulkCalls from "../../src/internal/bulkCalls.js"
import { SendGate } from "../../src/internal/sendGate.js"
import { hello, translate } from "../support/client.js"
import { count, scripted, sentAt } from "../support/scriptedClient.js"

const oneAtATime = { limit: ConcurrencyLimit.makeFixed(1) }

/** A call that may be sent as `allows` says, and what it has asked. */
const asking = (
  allows: (asked: number, ambiguousAttempts: number) => Effect.Effect<boolean>,
  operator?: bulkCalls.Operator
) => {
  const asked: Array<number> = []
  const maySend = (ambiguousAttempts: number) =>
    Effect.suspend(() => allows(asked.push(ambiguousAttempts), ambiguousAttempts))
  const call = translate(hello).pipe(
    Effect.provideService(SendGate, () => maySend),
    Effect.provideService(bulkCalls.BulkCalls, operator)
  )
  return { asked, call }
}

describe("a call that asks before each attempt", () => {
  it.effect("is told how many attempts before it may have been billed", () =>
    Effect.gen(function* () {
      const { asked, call } = asking(() => Effect.succeed(true))
      const fiber = yield* Effect.fork(call)
      yield* TestClock.adjust("1 hour")
      expect(yield* Fiber.join(fiber)).toMatchObject({ attempts: 4, ambiguousAttempts: 2 })
      expect(asked).toEqual([0, 0, 1, 2])
    }).pipe(Effect.provide(scripted([{ status: 503 }, { status: 500 }, { status: 500 }])))
  )

  it.effect("asks once it has its permit, just before it is sent", () =>
    Effect.gen(function* () {
      const busy = yield* Effect.fork(translate(hello))
      yield* TestClock.adjust("1 second")
      const { asked, call } = asking(() => Effect.as(Effect.sleep("5 seconds"), true))
      const fiber = yield* Effect.fork(call)
      yield* TestClock.adjust("8 seconds")
      expect(asked).toEqual([])
      yield* TestClock.adjust("1 second")
      expect(asked).toEqual([0])
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(fiber)
      yield* Fiber.await(busy)
      expect(yield* sentAt).toEqual([0, 15_000])
    }).pipe(Effect.provide(scripted([{ status: 400, after: "10 seconds" }], oneAtATime)))
  )

  for (const operator of [undefined, bulkCalls.plain()]) {
    const how = operator === undefined ? "" : ", with a circuit"

    it.effect(`and may never be sent is interrupted, and keeps no permit${how}`, () =>
      Effect.gen(function* () {
        const { call } = asking(() => Effect.succeed(false), operator)
        const exit = yield* Effect.exit(call)
        expect(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)).toBe(true)
        expect(yield* count).toBe(0)
        expect((yield* translate(hello)).attempts).toBe(1)
      }).pipe(Effect.provide(scripted([], oneAtATime)))
    )

    it.effect(
      `and may not be sent again fails with its last error, and keeps no permit and no turn${how}`,
      () =>
        Effect.gen(function* () {
          const { call } = asking((asked) => Effect.succeed(asked === 1), operator)
          const fiber = yield* Effect.fork(Effect.flip(call))
          yield* TestClock.adjust("1 hour")
          expect(yield* Fiber.join(fiber)).toMatchObject({
            delivery: "ambiguous",
            attempts: 1,
            ambiguousAttempts: 1
          })
          const next = yield* Effect.fork(asking(() => Effect.succeed(true), operator).call)
          yield* TestClock.adjust("1 hour")
          expect((yield* Fiber.join(next)).attempts).toBe(1)
          expect(yield* count).toBe(2)
        }).pipe(Effect.provide(scripted([{ status: 500 }], oneAtATime)))
    )

    it.effect(`and is interrupted while it asks keeps no permit and no turn${how}`, () =>
      Effect.gen(function* () {
        const { asked, call } = asking(
          (asked) => (asked === 1 ? Effect.succeed(true) : Effect.never),
          operator
        )
        const fiber = yield* Effect.fork(call)
        yield* TestClock.adjust("1 hour")
        expect(asked).toHaveLength(2)
        yield* Fiber.interrupt(fiber)
        const next = yield* Effect.fork(asking(() => Effect.succeed(true), operator).call)
        yield* TestClock.adjust("1 hour")
        expect((yield* Fiber.join(next)).attempts).toBe(1)
      }).pipe(Effect.provide(scripted([{ status: 503 }], oneAtATime)))
    )
  }
})
