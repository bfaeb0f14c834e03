/** What comes between the circuit breaker and its calls: interruption, permits, other streams, schedules of users. */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
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
import { CallHooks } from "../../src/internal/callHooks.js"
import { layerOver } from "../support/client.js"
import { retries } from "../support/retries.js"
import { collect, drain, failsWith, numbered, soon, tags } from "./support.js"

type Answer = (response: ServerResponse, texts: ReadonlyArray<string>, request: number) => void

const ok = (response: ServerResponse, texts: ReadonlyArray<string>) => {
  response.setHeader("content-type", "application/json")
  response.end(
    JSON.stringify({
      translations: texts.map((text) => ({
        text: `<${text}>`,
        detected_source_language: "EN",
        billed_characters: text.length
      }))
    })
  )
}

const unavailable = (response: ServerResponse, retryAfter?: number) =>
  response.writeHead(503, retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }).end()

/** A service that answers as a test says, and the texts of its requests. */
const service = (answer: Answer) =>
  Effect.gen(function* () {
    const seen: Array<ReadonlyArray<string>> = []
    const server = createServer((request, response) => {
      const parts: Array<Buffer> = []
      request.on("data", (part) => parts.push(part))
      request.on("end", () => {
        const { text } = JSON.parse(Buffer.concat(parts).toString()) as { text: ReadonlyArray<string> }
        answer(response, text, seen.push(text))
      })
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    )
    return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  })

const client = (url: string, concurrencyLimit = ConcurrencyLimit.layerUnlimited) =>
  Translator.layer.pipe(
    Layer.provideMerge(layerOver({ url, concurrencyLimit })),
    Layer.provide(NodeHttpClient.layerUndici)
  )

const probing = (schedule: Schedule.Schedule<unknown>, failures?: number) =>
  Effect.provideService(
    CircuitBreaker.CircuitBreaker,
    CircuitBreaker.make({ schedule, startSchedule: schedule, failures })
  )

const quickly = Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ schedule: retries(5, 5) }))

const translate = (texts: ReadonlyArray<string>, options: Partial<TranslateStream.Options> = {}) =>
  TranslateStream.translate(Stream.fromIterable(texts), { targetLang: "de", ...options })

const allTranslated = (outcomes: ReadonlyArray<Outcome.Outcome<string, string>>) =>
  expect(new Set(tags(outcomes))).toEqual(new Set(["Translated"]))

describe("a schedule", () => {
  it.live("that dies ends the streams that wait, with its defect", () =>
    Effect.gen(function* () {
      const { url } = yield* service((response) => unavailable(response))
      const dying = Schedule.tapInput(Schedule.forever, () => Effect.die("a bug of the user's"))
      const exit = yield* Effect.exit(collect(translate(numbered(500))).pipe(probing(dying))).pipe(
        Effect.provide(client(url))
      )
      expect(Exit.isFailure(exit) && Cause.dieOption(exit.cause)).toEqual(Option.some("a bug of the user's"))
    }).pipe(Effect.scoped, soon)
  )

  it.live("that ends when the service has answered meanwhile gives nothing up", () =>
    Effect.gen(function* () {
      const { url } = yield* service((response, texts, request) => {
        if (request === 2) setTimeout(() => ok(response, texts), 60)
        else if (request > 2 && request < 5) unavailable(response)
        else ok(response, texts)
      })
      const slowlyEnding = Schedule.tapInput(Schedule.stop, () => Effect.sleep(120))
      const outcomes = yield* collect(translate(numbered(500), { concurrency: 4 })).pipe(
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ schedule: retries(5, 250) })),
        probing(slowlyEnding, 2),
        Effect.provide(client(url))
      )
      allTranslated(outcomes)
    }).pipe(Effect.scoped, soon)
  )

  it.live("is not waited for if the service asks for more time than calls may wait", () =>
    Effect.gen(function* () {
      const { url } = yield* service((response, texts, request) =>
        request === 1 ? ok(response, texts) : unavailable(response, 86_400)
      )
      const { exit } = yield* drain(translate(numbered(1000))).pipe(
        quickly,
        probing(Schedule.spaced(5)),
        Effect.provide(client(url))
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "Outage", lastError: "ServerError (status 503)" })
    }).pipe(Effect.scoped, soon)
  )

  it.live("that belongs to an outage nobody waits for any more ends no later stream", () =>
    Effect.gen(function* () {
      let down = true
      const { seen, url } = yield* service((response, texts) => {
        if (down) unavailable(response)
        else ok(response, texts)
      })
      yield* Effect.gen(function* () {
        const first = yield* Effect.fork(collect(translate(numbered(500))))
        while (seen.length < 7) yield* Effect.sleep(2)
        yield* Fiber.interrupt(first)
        yield* Effect.sleep(150)
        setTimeout(() => {
          down = false
        }, 30)
        allTranslated(yield* collect(translate(numbered(500))))
      }).pipe(quickly, probing(Schedule.upTo(Schedule.spaced(10), "100 millis")), Effect.provide(client(url)))
    }).pipe(Effect.scoped, soon)
  )
})

describe("calls that wait for a permit", () => {
  it.live("are not sent while the circuit is open", () =>
    Effect.gen(function* () {
      let down = 0
      const { seen, url } = yield* service((response, texts, request) => {
        if (request > 20 && down++ < 12) setTimeout(() => response.destroy(), 5)
        else setTimeout(() => ok(response, texts), 5)
      })
      const texts = numbered(5000)
      const policy = RetryPolicy.make({ schedule: retries(5, 5), ambiguousBudget: 1000 })
      const outcomes = yield* collect(translate(texts, { concurrency: 40 })).pipe(
        Effect.provideService(RetryPolicy.RetryPolicy, policy),
        probing(retries(100, 20)),
        Effect.provide(client(url, ConcurrencyLimit.layerFixed(2)))
      )
      allTranslated(outcomes)
      const inDoubt = outcomes.reduce((sum, { cost }) => sum + cost.ambiguousCharacters, 0)
      expect(inDoubt).toBe(seen.slice(20, 32).flat().join("").length)
    }).pipe(Effect.scoped, soon)
  )

  it.live("wait no more than one at a time is sent once the service is down", () =>
    Effect.gen(function* () {
      let isDown = false
      const { seen, url } = yield* service((response, texts, request) => {
        if (request === 20) isDown = true
        setTimeout(() => (isDown ? response.destroy() : ok(response, texts)), 5)
      })
      const { exit } = yield* drain(translate(numbered(5000), { concurrency: 40 })).pipe(
        Effect.provideService(
          RetryPolicy.RetryPolicy,
          RetryPolicy.make({ schedule: retries(5, 5), ambiguousBudget: 1000 })
        ),
        probing(retries(2, 20)),
        Effect.provide(client(url, ConcurrencyLimit.layerFixed(2)))
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "Outage" })
      // Two were in flight; four more were tried until the circuit opened, and then two probes.
      expect(seen.length - 19).toBeLessThanOrEqual(2 + 5 + 2)
    }).pipe(Effect.scoped, soon)
  )

  it.live("lose no turn if they are interrupted as it is given", () =>
    Effect.gen(function* () {
      const { url } = yield* service((response, texts, request) => {
        if (request === 1) unavailable(response)
        else ok(response, texts)
      })
      const limit = yield* ConcurrencyLimit.makeFixed(Number.POSITIVE_INFINITY)
      let victim: Fiber.RuntimeFiber<unknown, unknown> | undefined
      const striking = Layer.succeed(ConcurrencyLimit.ConcurrencyLimit, {
        ...limit,
        takeIfAvailable: limit.takeIfAvailable,
        take: Effect.tap(limit.take, () => Effect.sync(() => victim?.unsafeInterruptAsFork(FiberId.none)))
      } as ConcurrencyLimit.Service)
      yield* Effect.gen(function* () {
        const { translate } = yield* Translator.Translator
        const send = Effect.exit(translate(["Hello"], { targetLang: "de" }))
        expect(Exit.isFailure(yield* send)).toBe(true)
        victim = yield* Effect.fork(send)
        expect(Exit.isInterrupted(yield* Fiber.await(victim))).toBe(true)
        victim = undefined
        expect(Exit.isSuccess(yield* send)).toBe(true)
      }).pipe(
        Effect.provideService(CallHooks, { halted: Effect.never, circuit: {} }),
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none),
        Effect.provide(client(url, striking))
      )
    }).pipe(Effect.scoped, soon)
  )
})

describe("a batch that failed once", () => {
  it.live("is sent again though the source never ends and the order is free", () =>
    Effect.gen(function* () {
      const { url } = yield* service((response, texts, request) => {
        if (request === 5) unavailable(response)
        else setTimeout(() => ok(response, texts), 1)
      })
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
    }).pipe(Effect.scoped, soon)
  )
})

describe("a client whose scope has closed", () => {
  it.live("ends its streams in an outage instead of waiting for ever", () =>
    Effect.gen(function* () {
      const { url } = yield* service((response) => unavailable(response))
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(client(url), scope)
      yield* Scope.close(scope, Exit.void)
      const { exit } = yield* drain(translate(numbered(500))).pipe(
        Effect.provideService(Translator.Translator, Context.get(context, Translator.Translator)),
        quickly
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "Outage" })
    }).pipe(Effect.scoped, soon)
  )
})

describe("the policy without a circuit", () => {
  it.live("lets calls be sent side by side though some fail", () =>
    Effect.gen(function* () {
      const state = { inFlight: 0, most: 0 }
      const { url } = yield* service((response, texts, request) => {
        if (request === 1) return ok(response, texts)
        state.most = Math.max(state.most, ++state.inFlight)
        setTimeout(() => {
          state.inFlight--
          unavailable(response)
        }, 10)
      })
      state.most = 0
      yield* drain(translate(numbered(2000))).pipe(
        Effect.provideService(CircuitBreaker.CircuitBreaker, CircuitBreaker.none),
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ schedule: retries(1, 5) })),
        Effect.tap(() => Effect.sync(() => expect(state.most).toBe(8))),
        Effect.provide(client(url))
      )
    }).pipe(Effect.scoped, soon)
  )

  it.live("takes no part in the outage of another stream", () =>
    Effect.gen(function* () {
      const { url } = yield* service((response, texts) => {
        if (texts[0]!.startsWith("good")) ok(response, texts)
        else unavailable(response)
      })
      yield* Effect.gen(function* () {
        const isOpen = yield* Deferred.make<void>()
        const schedule = Schedule.tapInput(Schedule.spaced("1 minute"), () =>
          Deferred.succeed(isOpen, undefined)
        )
        const waiting = yield* Effect.fork(drain(translate(numbered(500))).pipe(quickly, probing(schedule)))
        yield* Deferred.await(isOpen)
        const outcomes = yield* collect(translate(["good"])).pipe(
          Effect.provideService(CircuitBreaker.CircuitBreaker, CircuitBreaker.none)
        )
        allTranslated(outcomes)
        yield* Fiber.interrupt(waiting)
      }).pipe(Effect.provide(client(url)))
    }).pipe(Effect.scoped, soon)
  )
})

describe("an attempt that times out after one that was refused", () => {
  it.live("has timed out: the status before it decides nothing", () =>
    Effect.gen(function* () {
      const { url } = yield* service((response, _, request) => {
        if (request === 1) unavailable(response)
      })
      const outcomes = yield* collect(translate(["Hello"])).pipe(
        Effect.provideService(
          RetryPolicy.RetryPolicy,
          RetryPolicy.make({ schedule: retries(1, 5), timeout: "50 millis" })
        ),
        Effect.provide(client(url))
      )
      const [outcome] = outcomes
      expect(outcome !== undefined && Outcome.isFailed(outcome) && outcome.failures[0].error).toMatchObject({
        _tag: "TimedOut",
        attempts: 2
      })
    }).pipe(Effect.scoped, soon)
  )
})
