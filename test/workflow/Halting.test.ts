/** A step in flight, when its job is to pause or to end, or its worker leaves. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { ConcurrencyLimit, TranslateClient, Translator } from "effect-translate"
import { JobSource } from "effect-translate/jobs"
import * as haltableTranslator from "../../src/workflow/internal/steps/haltableTranslator.js"
import * as stepTranslation from "../../src/workflow/internal/steps/stepTranslation.js"
import { count, scripted } from "../support/scriptedClient.js"

const halted = Either.left({ _tag: "Halted" as const })

/** A step that sends a request which takes a second, and one more after it unless it is halted. */
const step = Effect.gen(function* () {
  const log: Array<string> = []
  const begun = yield* Deferred.make<void>()
  const closed = yield* Deferred.make<void>()
  const run = (signal: stepTranslation.Halted) =>
    Effect.gen(function* () {
      for (const request of ["first", "second"]) {
        if (yield* Deferred.isDone(signal)) return halted
        log.push(`${request} sent`)
        yield* Deferred.succeed(begun, undefined)
        yield* Effect.sleep("1 second")
        log.push(`${request} recorded`)
      }
      return Either.right("done")
    }).pipe(Effect.onInterrupt(() => Effect.sync(() => log.push("given up"))))
  const scope = yield* Effect.scope
  return {
    log,
    begun: Deferred.await(begun),
    close: Deferred.succeed(closed, undefined),
    run: (bound: Duration.DurationInput = "12 seconds") =>
      stepTranslation.halting(run, { bound: Duration.decode(bound), closed: Deferred.await(closed), scope })
  }
})

describe("a step that is halted", () => {
  it.scoped("runs to its end if nothing halts it", () =>
    Effect.gen(function* () {
      const { log, run } = yield* step
      const fiber = yield* Effect.fork(run())
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(fiber)).toEqual(Either.right("done"))
      expect(log).toHaveLength(4)
    })
  )

  it.scoped("records sent texts, and sends nothing more", () =>
    Effect.gen(function* () {
      const { begun, close, log, run } = yield* step
      const fiber = yield* Effect.fork(run())
      yield* begun
      yield* close
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(fiber)).toEqual(halted)
      expect(log).toEqual(["first sent", "first recorded"])
    })
  )

  it.scoped("records sent texts before an interruption goes on", () =>
    Effect.gen(function* () {
      const { begun, log, run } = yield* step
      const fiber = yield* Effect.fork(run())
      yield* begun
      const interrupted = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* TestClock.adjust("1 second")
      expect(Exit.isInterrupted(yield* Fiber.join(interrupted))).toBe(true)
      expect(log).toEqual(["first sent", "first recorded"])
    })
  )

  it.scoped("gives up an answer that does not come within the bound", () =>
    Effect.gen(function* () {
      const { begun, close, log, run } = yield* step
      const fiber = yield* Effect.fork(run("500 millis"))
      yield* begun
      yield* close
      yield* TestClock.adjust("500 millis")
      expect(yield* Fiber.join(fiber)).toEqual(halted)
      expect(log).toEqual(["first sent", "given up"])
    })
  )

  it.scoped("gives up within the bound when it is interrupted, too", () =>
    Effect.gen(function* () {
      const { begun, log, run } = yield* step
      const fiber = yield* Effect.fork(run("500 millis"))
      yield* begun
      const interrupted = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* TestClock.adjust("500 millis")
      yield* Fiber.join(interrupted)
      expect(log).toEqual(["first sent", "given up"])
    })
  )
})

describe("a request of a step that is halted", () => {
  it.scoped("is not sent if it waits for its turn, and goes on if it was sent", () =>
    Effect.gen(function* () {
      const signal = yield* Deferred.make<never, JobSource.JobStopped>()
      let held = 0
      const translator = haltableTranslator.make(Translator.make(yield* TranslateClient.TranslateClient), {
        halted: signal,
        requests: yield* ConcurrencyLimit.makeFixed(2),
        judged: Effect.succeed(true),
        isOpen: Effect.succeed(true),
        onQuotaExceeded: Effect.void,
        onHeld: () => {
          held++
        }
      })
      const translate = Effect.fork(Effect.either(translator.translate(["Hi"], { targetLang: "de" })))
      const [first, second] = yield* Effect.all([translate, translate])
      yield* TestClock.adjust("1 millis")
      yield* Deferred.fail(signal, new JobSource.JobStopped())
      expect(Either.isLeft(yield* Fiber.join(second))).toBe(true)
      expect(held).toBe(1)
      yield* TestClock.adjust("1 second")
      expect(Either.isRight(yield* Fiber.join(first))).toBe(true)
      expect(yield* count).toBe(1)
    }).pipe(
      Effect.provide(
        scripted(
          [
            { after: "1 second", body: { translations: [{ text: "Hallo", detected_source_language: "EN" }] } }
          ],
          {
            limit: ConcurrencyLimit.makeFixed(1)
          }
        )
      )
    )
  )
})
