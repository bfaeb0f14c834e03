/** What comes between the circuit breaker and its calls: interruption, permits, other streams, schedules of users. */
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import {
  CircuitBreaker,
  ConcurrencyLimit,
  Outcome,
  RetryPolicy,
  TranslateStream,
  Translator
} from "effect-translate"
import * as bulkCalls from "../../src/internal/bulkCalls.js"
import { Halted } from "../../src/internal/halted.js"
import { layerOver } from "../support/client.js"
import { probing, retries } from "../support/retries.js"
import * as unreliable from "../support/unreliableService.js"
import { collect, drain, failsWith, numbered, tags } from "./support.js"

const client = (url: string, circuit?: CircuitBreaker.Policy, limit = ConcurrencyLimit.makeUnlimited) =>
  Layer.provide(layerOver({ url, circuit, limit }), unreliable.transport)

const quickly = Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ schedule: retries(5, 5) }))

const translate = (texts: ReadonlyArray<string>, options: Partial<TranslateStream.Options> = {}) =>
  TranslateStream.translate(Stream.fromIterable(texts), { targetLang: "de", ...options })

const allTranslated = (outcomes: ReadonlyArray<Outcome.Outcome<string, string>>) =>
  expect(new Set(tags(outcomes))).toEqual(new Set(["Translated"]))

describe("a schedule", () => {
  it.virtual("that dies ends the streams that wait, with its defect", () =>
    Effect.gen(function* () {
      const { url } = yield* unreliable.make(() => 503)
      const dying = Schedule.tapInput(Schedule.forever, () => Effect.die("a bug of the user's"))
      const exit = yield* Effect.exit(collect(translate(numbered(500)))).pipe(
        Effect.provide(client(url, probing(dying)))
      )
      expect(Exit.isFailure(exit) && Cause.dieOption(exit.cause)).toEqual(Option.some("a bug of the user's"))
    })
  )

  it.virtual("that ends when the service has answered meanwhile gives nothing up", () =>
    Effect.gen(function* () {
      const { url } = yield* unreliable.make(({ index }) =>
        index === 2 ? unreliable.later(60, () => "ok" as const) : index > 2 && index < 5 ? 503 : "ok"
      )
      const slowlyEnding = Schedule.tapInput(Schedule.stop, () => Effect.sleep(120))
      const outcomes = yield* collect(translate(numbered(500), { concurrency: 4 })).pipe(
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ schedule: retries(5, 250) })),
        Effect.provide(client(url, probing(slowlyEnding, 2)))
      )
      allTranslated(outcomes)
    })
  )

  it.virtual("is not waited for if the service asks for more time than calls may wait", () =>
    Effect.gen(function* () {
      const { url } = yield* unreliable.make(({ index }) =>
        index === 1 ? "ok" : { status: 503, retryAfter: 86_400 }
      )
      const { exit } = yield* drain(translate(numbered(1000))).pipe(
        quickly,
        Effect.provide(client(url, probing(Schedule.spaced(5))))
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "Outage", lastError: "ServerError (status 503)" })
    })
  )

  it.virtual("that belongs to an outage nobody waits for any more ends no later stream", () =>
    Effect.gen(function* () {
      let down = true
      const { seen, url } = yield* unreliable.make(() => (down ? 503 : "ok"))
      yield* Effect.gen(function* () {
        const first = yield* Effect.fork(collect(translate(numbered(500))))
        while (seen.length < 7) yield* Effect.sleep(2)
        yield* Fiber.interrupt(first)
        yield* Effect.sleep(150)
        setTimeout(() => {
          down = false
        }, 30)
        allTranslated(yield* collect(translate(numbered(500))))
      }).pipe(quickly, Effect.provide(client(url, probing(Schedule.upTo(Schedule.spaced(10), "100 millis")))))
    })
  )
})

describe("calls that wait for a permit", () => {
  it.virtual("are not sent while the circuit is open", () =>
    Effect.gen(function* () {
      let down = 0
      const { seen, url } = yield* unreliable.make(({ index }) => {
        const what = index > 20 && down++ < 12 ? "cut" : "ok"
        return unreliable.later(5, () => what)
      })
      const texts = numbered(5000)
      const policy = RetryPolicy.make({ schedule: retries(5, 5), ambiguousBudget: 1000 })
      const outcomes = yield* collect(translate(texts, { concurrency: 40 })).pipe(
        Effect.provideService(RetryPolicy.RetryPolicy, policy),
        Effect.provide(client(url, probing(retries(100, 20)), ConcurrencyLimit.makeFixed(2)))
      )
      allTranslated(outcomes)
      const inDoubt = outcomes.reduce((sum, { cost }) => sum + cost.ambiguousCharacters, 0)
      expect(inDoubt).toBe(
        seen
          .slice(20, 32)
          .flatMap(({ texts }) => texts)
          .join("").length
      )
    })
  )

  it.virtual("wait no more than one at a time is sent once the service is down", () =>
    Effect.gen(function* () {
      let isDown = false
      let inFlight = 0
      const most: Array<number> = []
      const { seen, url } = yield* unreliable.make(({ index }) => {
        if (index === 20) isDown = true
        most.push(++inFlight)
        return unreliable.later(4 + (index % 3), () => {
          inFlight--
          return isDown ? "cut" : "ok"
        })
      })
      const { exit } = yield* drain(translate(numbered(5000), { concurrency: 40 })).pipe(
        Effect.provideService(
          RetryPolicy.RetryPolicy,
          RetryPolicy.make({ schedule: retries(5, 5), ambiguousBudget: 1000 })
        ),
        Effect.provide(client(url, probing(retries(2, 20)), ConcurrencyLimit.makeFixed(2)))
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "Outage" })
      // Two were in flight, and one more when the first of them failed; four more were tried until the circuit opened, and then two probes.
      expect(most.slice(22)).toEqual(most.slice(22).map(() => 1))
      expect(seen.length - 19).toBeLessThanOrEqual(2 + 5 + 2)
    })
  )

  it.virtual("lose no turn if they are interrupted as it is given", () =>
    Effect.gen(function* () {
      const { url } = yield* unreliable.make(({ index }) => (index === 1 ? 503 : "ok"))
      const limit = yield* ConcurrencyLimit.makeUnlimited
      let victim: Fiber.RuntimeFiber<unknown, unknown> | undefined
      const striking: ConcurrencyLimit.Service = {
        ...limit,
        take: Effect.tap(limit.take, () => Effect.sync(() => victim?.unsafeInterruptAsFork(FiberId.none)))
      }
      yield* Effect.gen(function* () {
        const { translate } = yield* Translator.Translator
        const send = Effect.exit(translate(["Hello"], { targetLang: "de" }))
        expect(Exit.isFailure(yield* send)).toBe(true)
        victim = yield* Effect.fork(send)
        expect(Exit.isInterrupted(yield* Fiber.await(victim))).toBe(true)
        victim = undefined
        expect(Exit.isSuccess(yield* send)).toBe(true)
      }).pipe(
        Effect.provideService(Halted, Effect.never),
        Effect.provideService(bulkCalls.BulkCalls, bulkCalls.plain()),
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none),
        Effect.provide(client(url, undefined, Effect.succeed(striking)))
      )
    })
  )
})

describe("a batch that failed once", () => {
  it.virtual("is sent again though the source never ends and the order is free", () =>
    Effect.gen(function* () {
      const { url } = yield* unreliable.make(({ index }) =>
        index === 5 ? 503 : unreliable.later(1, () => "ok" as const)
      )
      const late = yield* TranslateStream.translate(
        Stream.iterate(0, (n) => n + 1).pipe(Stream.map((n) => `t${n}`)),
        { targetLang: "de", unordered: true, concurrency: 2 }
      ).pipe(
        Stream.map(({ source }) => Number(source.slice(1))),
        Stream.takeUntil((n) => n === 220),
        Stream.runFold(0, (most, n) => Math.max(most, n)),
        quickly,
        Effect.provide(client(url))
      )
      expect(late).toBeLessThan(50 * 40)
    })
  )
})

describe("a client whose scope has closed", () => {
  it.virtual("ends its streams in an outage instead of waiting for ever", () =>
    Effect.gen(function* () {
      const { url } = yield* unreliable.make(() => 503)
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(client(url), scope)
      yield* Scope.close(scope, Exit.void)
      const { exit } = yield* drain(translate(numbered(500))).pipe(
        Effect.provideService(Translator.Translator, Context.get(context, Translator.Translator)),
        quickly
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "Outage" })
    })
  )
})

describe("the policy without a circuit", () => {
  it.virtual("lets calls be sent side by side though some fail", () =>
    Effect.gen(function* () {
      const state = { inFlight: 0, most: 0 }
      const { url } = yield* unreliable.make(({ index }) => {
        if (index === 1) return "ok"
        state.most = Math.max(state.most, ++state.inFlight)
        return unreliable.later(10, () => {
          state.inFlight--
          return 503
        })
      })
      yield* drain(translate(numbered(2000))).pipe(
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ schedule: retries(1, 5) })),
        Effect.tap(() => Effect.sync(() => expect(state.most).toBe(8))),
        Effect.provide(client(url, CircuitBreaker.none))
      )
    })
  )
})

describe("an attempt that times out after one that was refused", () => {
  it.virtual("has timed out: the status before it decides nothing", () =>
    Effect.gen(function* () {
      const { url } = yield* unreliable.make(({ index }) => (index === 1 ? 503 : "silence"))
      const outcomes = yield* collect(translate(["Hello"])).pipe(
        Effect.provideService(
          RetryPolicy.RetryPolicy,
          RetryPolicy.make({ schedule: retries(1, 5), timeout: "150 millis" })
        ),
        Effect.provide(client(url))
      )
      const [outcome] = outcomes
      expect(outcome !== undefined && Outcome.isFailed(outcome) && outcome.failures[0].error).toMatchObject({
        _tag: "TimedOut",
        attempts: 2
      })
    })
  )
})
