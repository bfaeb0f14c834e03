/** Calls of a job that has ended: what waits is not sent any more, what is in flight goes on. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { ConcurrencyLimit } from "effect-translate"
import * as bulkCalls from "../../src/internal/bulkCalls.js"
import { Halted } from "../../src/internal/halted.js"
import { hello, layerOver, translate } from "../support/client.js"
import { count, scripted } from "../support/scriptedClient.js"

const oneAtATime = { limit: ConcurrencyLimit.makeFixed(1) }

/** A call that is halted by the first effect of the pair. */
const halting = Effect.map(Deferred.make<void>(), (halted) => ({
  halt: Deferred.succeed(halted, undefined),
  call: Effect.provideService(translate(hello), Halted, Deferred.await(halted))
}))

const isInterrupted = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)

describe("a call of a job that has ended", () => {
  it.effect("in a back-off fails at once with its last error, and is not sent again", () =>
    Effect.gen(function* () {
      const { call, halt } = yield* halting
      const fiber = yield* Effect.fork(Effect.flip(call))
      yield* TestClock.adjust("1 millis")
      yield* halt
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "ServerError", status: 503, attempts: 1 })
      yield* TestClock.adjust("1 hour")
      expect(yield* count).toBe(1)
    }).pipe(Effect.provide(scripted([{ status: 503 }])))
  )

  it.effect("in a back-off after an attempt in doubt tells that attempt once", () =>
    Effect.gen(function* () {
      const { call, halt } = yield* halting
      const fiber = yield* Effect.fork(Effect.flip(call))
      yield* TestClock.adjust("1 millis")
      yield* halt
      expect(yield* Fiber.join(fiber)).toMatchObject({
        delivery: "ambiguous",
        attempts: 1,
        ambiguousAttempts: 1
      })
    }).pipe(Effect.provide(scripted([{ status: 500 }])))
  )

  it.effect("that fails afterwards is not sent again", () =>
    Effect.gen(function* () {
      const { call, halt } = yield* halting
      const fiber = yield* Effect.fork(Effect.flip(call))
      yield* TestClock.adjust("1 second")
      yield* halt
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ status: 503, attempts: 1 })
      expect(yield* count).toBe(1)
    }).pipe(Effect.provide(scripted([{ status: 503, after: "10 seconds" }])))
  )

  it.effect("that is in flight goes on, and its answer counts", () =>
    Effect.gen(function* () {
      const { call, halt } = yield* halting
      const fiber = yield* Effect.fork(call)
      yield* TestClock.adjust("1 second")
      yield* halt
      yield* TestClock.adjust("10 seconds")
      expect((yield* Fiber.join(fiber)).translations[0].text).toBe("Hallo")
    }).pipe(
      Effect.provide(
        scripted([
          { after: "10 seconds", body: { translations: [{ text: "Hallo", detected_source_language: "EN" }] } }
        ])
      )
    )
  )

  it.effect("that waits for its turn is interrupted: it was never sent", () =>
    Effect.gen(function* () {
      const { call, halt } = yield* halting
      const busy = yield* Effect.fork(translate(hello))
      yield* TestClock.adjust("1 second")
      const fiber = yield* Effect.fork(call)
      yield* TestClock.adjust("1 second")
      yield* halt
      expect(isInterrupted(yield* Fiber.await(fiber))).toBe(true)
      yield* Fiber.interrupt(busy)
      expect(yield* count).toBe(1)
      // No permit is lost.
      expect((yield* translate(hello)).attempts).toBe(1)
    }).pipe(Effect.provide(scripted(["hang"], oneAtATime)))
  )

  it.effect("that waits while a Retry-After lasts fails with its last error", () =>
    Effect.gen(function* () {
      const { call, halt } = yield* halting
      const fiber = yield* Effect.fork(Effect.flip(call))
      yield* TestClock.adjust("1 second")
      const other = yield* Effect.fork(call)
      yield* TestClock.adjust("58 seconds")
      yield* halt
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "RateLimited", attempts: 1 })
      expect(isInterrupted(yield* Fiber.await(other))).toBe(true)
      expect(yield* count).toBe(1)
    }).pipe(Effect.provide(scripted([{ status: 429, headers: { "retry-after": "60" } }])))
  )

  it.effect("that waits for its second turn fails with its last error", () =>
    Effect.gen(function* () {
      const { call, halt } = yield* halting
      const fiber = yield* Effect.fork(Effect.flip(call))
      yield* TestClock.adjust("1 millis")
      const busy = yield* Effect.fork(translate(hello))
      yield* TestClock.adjust("10 seconds")
      expect(yield* count).toBe(2)
      yield* halt
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "ServerError", attempts: 1 })
      yield* Fiber.interrupt(busy)
    }).pipe(Effect.provide(scripted([{ status: 503 }, "hang"], oneAtATime)))
  )

  it.virtual(
    "that would have to wait when it is made is interrupted too, whenever the fibers take turns",
    () =>
      Effect.gen(function* () {
        const { call, halt } = yield* halting
        yield* halt
        const busy = yield* Effect.fork(translate(hello))
        yield* Effect.sleep(1)
        for (let operations = 20; operations <= 160; operations++) {
          const exit = yield* Effect.exit(Effect.withMaxOpsBeforeYield(call, operations))
          expect(isInterrupted(exit), `a turn after ${operations} operations`).toBe(true)
        }
        yield* Fiber.interrupt(busy)
        expect(yield* count).toBe(1)
      }).pipe(Effect.provide(scripted(["hang"], oneAtATime)))
  )

  it.effect("leaves the calls of others alone", () =>
    Effect.gen(function* () {
      const { call, halt } = yield* halting
      const own = yield* Effect.fork(Effect.flip(call))
      const other = yield* Effect.fork(translate(hello))
      yield* TestClock.adjust("1 millis")
      yield* halt
      yield* TestClock.adjust("1 minute")
      expect((yield* Fiber.join(own)).attempts).toBe(1)
      expect((yield* Fiber.join(other)).attempts).toBe(2)
      expect(yield* count).toBe(3)
    }).pipe(Effect.provide(scripted([{ status: 503 }, { status: 503 }])))
  )
})

describe("mayRepeat", () => {
  const asked = (answer: boolean) => {
    const state = { asked: 0 }
    const call = Effect.provideService(translate(hello), bulkCalls.BulkCalls, {
      ...bulkCalls.plain(),
      mayRepeat: Effect.sync(() => {
        state.asked++
        return answer
      })
    })
    return { state, call }
  }

  it.effect("is asked before each repetition of an attempt in doubt, and of no other", () =>
    Effect.gen(function* () {
      const { call, state } = asked(true)
      const fiber = yield* Effect.fork(call)
      yield* TestClock.adjust("1 hour")
      expect(yield* Fiber.join(fiber)).toMatchObject({ attempts: 5, ambiguousAttempts: 2 })
      expect(state.asked).toBe(2)
    }).pipe(
      Effect.provide(scripted([{ status: 503 }, { status: 500 }, { status: 429 }, { fails: "ECONNRESET" }]))
    )
  )

  it.effect("that says no leaves the call with its error", () =>
    Effect.gen(function* () {
      const { call } = asked(false)
      expect(yield* Effect.flip(call)).toMatchObject({ status: 500, attempts: 1, ambiguousAttempts: 1 })
      expect(yield* count).toBe(1)
    }).pipe(Effect.provide(scripted([{ status: 500 }])))
  )
})

describe("a defect of the transport", () => {
  it.effect("in a later attempt is a defect, and not the error of the attempt before", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(translate(hello))
      yield* TestClock.adjust("1 hour")
      const exit = yield* Fiber.await(fiber)
      expect(Exit.isFailure(exit) && Cause.isDie(exit.cause)).toBe(true)
    }).pipe(
      Effect.provide(
        layerOver().pipe(
          Layer.provide(
            Layer.sync(HttpClient.HttpClient, () => {
              let sent = 0
              return HttpClient.make((request) =>
                sent++ === 0
                  ? Effect.succeed(HttpClientResponse.fromWeb(request, new Response(null, { status: 503 })))
                  : Effect.dieMessage("broken")
              )
            })
          )
        )
      )
    )
  )
})
