import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import {
  CircuitBreaker,
  Outcome,
  Progress,
  RetryPolicy,
  type TranslateError,
  TranslateStream,
  WriteStream
} from "effect-translate"
import { translations } from "../support/client.js"
import { recordingTracer } from "../support/recordingTracer.js"
import { probing, retries } from "../support/retries.js"
import { count, scripted } from "../support/scriptedClient.js"
import * as unreliable from "../support/unreliableService.js"
import * as outages from "./outages.js"
import { client, quickly } from "./outages.js"
import { collect, counted, drain, failsWith, numbered, tags, values } from "./support.js"

const translate = (texts: ReadonlyArray<string>, options: Partial<TranslateStream.Options> = {}) =>
  TranslateStream.translate(Stream.fromIterable(texts), { targetLang: "de", ...options })

const outage = { _tag: "Outage", path: "/v2/translate" }

describe("an outage in the middle of a job", () => {
  outages.amidJob("undici", NodeHttpClient.layerUndici)

  it.virtual("sends calls that may have been billed again only within the ambiguous budget", () =>
    Effect.gen(function* () {
      let down = 0
      const service = yield* unreliable.make(({ index }) => (index > 10 && down++ < 12 ? "cut" : "ok"))
      const texts = numbered(4000)
      const outcomes = yield* collect(translate(texts)).pipe(
        Effect.provideService(
          RetryPolicy.RetryPolicy,
          RetryPolicy.make({ ambiguousBudget: 0, ambiguousBudgetPerSuccess: 0 })
        ),
        Effect.provide(client(service.url, probing(retries(40, "5 millis"))))
      )
      const failed = outcomes.filter(Outcome.isFailed)
      expect(failed.map(({ source }) => source).sort()).toEqual([...service.unanswered].sort())
      for (const { failures } of failed)
        expect(failures[0]!.error).toMatchObject({ delivery: "ambiguous", ambiguousAttempts: 1 })
      expect(tags(outcomes).filter((tag) => tag === "Translated")).toHaveLength(4000 - 12 * 50)
    })
  )

  it.virtual("is sat out by streams of text improvement", () =>
    Effect.gen(function* () {
      let down = 0
      const { url } = yield* unreliable.make(({ index }) => (index > 5 && down++ < 12 ? "cut" : "ok"))
      const texts = numbered(4000)
      const outcomes = yield* collect(
        WriteStream.rephrase(Stream.fromIterable(texts), { targetLang: "en-US" })
      ).pipe(Effect.provide(client(url, probing(retries(40, "5 millis")))))
      expect(values(outcomes)).toEqual(texts.map((text) => `<${text}>`))
    })
  )

  it.virtual("stops the pulling", () =>
    Effect.gen(function* () {
      const { url } = yield* unreliable.make(({ index }) => (index > 1 ? 503 : "ok"))
      const source = counted(100_000, (index) => `t${index}`, 50)
      const { exit } = yield* drain(TranslateStream.translate(source.stream, { targetLang: "de" })).pipe(
        Effect.provide(client(url, probing(retries(10, "20 millis"))))
      )
      expect(failsWith(exit)).toMatchObject(outage)
      expect(source.state.pulled).toBeLessThan(50 * 40)
    })
  )

  it.virtual("shows in the progress, as long as it lasts", () =>
    Effect.gen(function* () {
      let down = 0
      const { url } = yield* unreliable.make(({ index }) => (index > 5 && down++ < 12 ? 503 : "ok"))
      const progress = yield* Progress.make()
      const events: Array<Progress.Event> = []
      yield* Effect.forkScoped(
        Stream.runForEach(progress.events, (event) => Effect.sync(() => void events.push(event)))
      )
      yield* Effect.yieldNow()
      yield* collect(translate(numbered(2000), { progress })).pipe(
        Effect.provide(client(url, probing(retries(40, "5 millis"))))
      )
      yield* Effect.sleep(5)
      const told = events.filter(({ _tag }) => _tag.startsWith("Outage"))
      expect(told).toEqual([
        { _tag: "OutageBegan", targetLang: "de", sourceLang: undefined, error: "ServerError" },
        { _tag: "OutageEnded", targetLang: "de", sourceLang: undefined }
      ])
      expect((yield* progress.state).outage).toBeUndefined()
    })
  )

  it.virtual("tells when the service is tried again", () =>
    Effect.gen(function* () {
      const { url } = yield* unreliable.make(() => 503)
      const progress = yield* Progress.make()
      const { state } = progress
      yield* Effect.fork(
        collect(translate(numbered(100), { progress })).pipe(
          quickly,
          Effect.provide(client(url, probing(Schedule.spaced("1 hour"))))
        )
      )
      const { nextTry } = yield* Effect.repeat(Effect.delay(state, "5 millis"), {
        until: ({ nextTry }) => nextTry !== undefined
      })
      expect(Duration.toMinutes(nextTry!)).toBeCloseTo(60, 0)
    })
  )

  it.virtual("is known to all streams of a client", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* unreliable.make(unreliable.outage(503, 10))
      yield* Effect.all(
        Array.from({ length: 4 }, (_, stream) =>
          drain(translate(numbered(2000).map((text) => `${stream} ${text}`)))
        ),
        { concurrency: "unbounded" }
      ).pipe(Effect.provide(client(url, probing(retries(3, "30 millis")))))
      // Up to 32 were in flight; every stream may have sent a batch or two of its own before the circuit opened.
      expect(seen.length).toBeLessThan(10 + 32 + 6 + 4)
    })
  )
})

describe("an outage amid a batch of documents", () => {
  outages.amidDocuments("undici", NodeHttpClient.layerUndici)
})

describe("a probe", () => {
  it.virtual("is sent alone, and is not the batch that failed last", () =>
    Effect.gen(function* () {
      let inFlight = 0
      const most: Array<number> = []
      const { seen, url } = yield* unreliable.make(({ index }) => {
        if (index === 1) return "ok"
        most.push(++inFlight)
        return unreliable.later(5, () => {
          inFlight--
          return 503
        })
      })
      const { exit } = yield* drain(translate(numbered(3000))).pipe(
        Effect.provide(client(url, probing(retries(10, "5 millis"))))
      )
      expect(failsWith(exit)).toMatchObject(outage)
      // The first may meet requests that were under way when the circuit opened.
      expect(most.slice(-9)).toEqual(Array.from({ length: 9 }, () => 1))
      const probes = seen.slice(-11).map(({ texts }) => texts[0])
      for (const [index, probe] of probes.slice(1).entries()) expect(probe).not.toBe(probes[index])
    })
  )

  it.effect.each([
    ["defaultSchedule", [1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30, 30, 30], 301],
    ["defaultStartSchedule", [1, 2, 4], 7]
  ] as const)("is sent by default after growing pauses, for some time: %s", ([name, pauses, seconds]) =>
    Effect.gen(function* () {
      const waited: Array<number> = []
      const fiber = yield* Schedule.delays(CircuitBreaker[name]).pipe(
        Schedule.tapOutput((pause) => Effect.sync(() => waited.push(Duration.toSeconds(pause)))),
        (schedule) => Effect.repeat(Effect.void, schedule),
        Effect.timed,
        Effect.fork
      )
      yield* TestClock.adjust("1 hour")
      const [took] = yield* Fiber.join(fiber)
      expect([waited.slice(0, -1), Duration.toSeconds(took)]).toEqual([pauses, seconds])
    })
  )
})

describe("when the schedule ends", () => {
  it.virtual(
    "the stream fails with an error that names the cause, and unsent texts have failed at no cost",
    () =>
      Effect.gen(function* () {
        const { url } = yield* unreliable.make(({ index }) => (index > 3 ? 503 : "ok"))
        const progress = yield* Progress.make()
        const { exit, out } = yield* drain(translate(numbered(3000), { progress })).pipe(
          Effect.provide(client(url, probing(retries(2, "10 millis"))))
        )
        const error = failsWith(exit) as TranslateError.Outage
        expect(error).toMatchObject({ ...outage, lastError: "ServerError (status 503)" })
        expect(error.message).toContain(
          "attempts in a row have failed, the last with ServerError (status 503)"
        )
        expect((yield* progress.state).outage).toBe("ServerError")
        expect(tags(out).filter((tag) => tag === "Translated")).toHaveLength(150)
        const failed = out.filter(Outcome.isFailed)
        expect(failed.length).toBeGreaterThan(0)
        for (const { cost } of failed) expect(cost).toEqual({ characters: 0, ambiguousCharacters: 0 })
      })
  )

  it.virtual("characters that may have been billed are reported", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* unreliable.make(({ index }) => (index > 3 ? "cut" : "ok"))
      const { exit, out } = yield* drain(translate(numbered(3000))).pipe(
        Effect.provide(client(url, probing(retries(2, "10 millis"))))
      )
      expect(failsWith(exit)).toMatchObject({
        _tag: "Outage",
        lastError: expect.stringContaining("TransportError")
      })
      const cut = seen
        .slice(3)
        .flatMap(({ texts }) => texts)
        .join("").length
      const inDoubt = out.reduce((sum, { cost }) => sum + cost.ambiguousCharacters, 0)
      expect(inDoubt).toBe(cut)
    })
  )

  it.virtual("another stream of the same client tries again", () =>
    Effect.gen(function* () {
      let isDown = true
      const { url } = yield* unreliable.make(() => (isDown ? 503 : "ok"))
      yield* Effect.gen(function* () {
        const { exit } = yield* drain(translate(numbered(500)))
        expect(failsWith(exit)).toMatchObject(outage)
        isDown = false
        expect(tags(yield* collect(translate(["Hello"])))).toEqual(["Translated"])
      }).pipe(Effect.provide(client(url, probing(retries(1, "5 millis")))))
    })
  )
})

describe("an address without a service", () => {
  for (const code of ["ECONNREFUSED", "ENOTFOUND"]) {
    for (const rows of [1, 400]) {
      it.effect(`(${code}) ends a job of ${rows} texts in 30 seconds with the default settings`, () =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(drain(translate(numbered(rows))))
          yield* TestClock.adjust("30 seconds")
          const { exit, out } = yield* Fiber.join(fiber)
          expect(failsWith(exit)).toMatchObject({ _tag: "Outage", lastError: `TransportError (${code})` })
          expect(out).toHaveLength(rows)
          for (const { cost } of out) expect(cost).toEqual({ characters: 0, ambiguousCharacters: 0 })
        }).pipe(Effect.provide(scripted(Array.from({ length: 100 }, () => ({ fails: code })))))
      )
    }
  }

  it.scopedLive("that has a certificate which is refused ends the job at once", () =>
    Effect.gen(function* () {
      const { url } = yield* unreliable.makeServed(() => "ok")
      const { exit } = yield* drain(translate(numbered(500))).pipe(
        Effect.provide(client(url.replace("http:", "https:"), undefined, NodeHttpClient.layerUndici))
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "TransportError" })
    })
  )
})

describe("a black hole", () => {
  const hanging = (answered: number) =>
    scripted([
      ...Array.from({ length: answered }, () => translations(...numbered(50))),
      ...Array.from({ length: 200 }, () => "hang" as const)
    ])

  const events = (progress: Progress.Progress) =>
    Effect.gen(function* () {
      const told: Array<string> = []
      yield* Effect.forkScoped(
        Stream.runForEach(progress.events, ({ _tag }) => Effect.sync(() => void told.push(_tag)))
      )
      yield* Effect.yieldNow()
      return told
    })

  for (const concurrency of [1, 2, 8]) {
    it.scoped(`opens the circuit after two time-outs, at concurrency ${concurrency}`, () =>
      Effect.gen(function* () {
        const progress = yield* Progress.make()
        const told = yield* events(progress)
        const fiber = yield* Effect.fork(drain(translate(numbered(5000), { concurrency, progress })))
        yield* TestClock.adjust("29 seconds")
        expect(told).not.toContain("OutageBegan")
        // Each takes half a minute, and as much as its characters add.
        yield* TestClock.adjust(concurrency === 1 ? "32 seconds" : "2 seconds")
        expect(told).toContain("OutageBegan")
        expect((yield* count) - 10).toBe(Math.max(2, concurrency))
        yield* TestClock.adjust("10 minutes")
        const { exit } = yield* Fiber.join(fiber)
        expect(failsWith(exit)).toMatchObject({ _tag: "Outage", lastError: "TimedOut" })
      }).pipe(Effect.provide(hanging(10)))
    )
  }

  it.scoped("that never answered anything opens it after two time-outs of the same call", () =>
    Effect.gen(function* () {
      const progress = yield* Progress.make()
      const told = yield* events(progress)
      const fiber = yield* Effect.fork(drain(translate(["Hello"], { progress })))
      yield* TestClock.adjust("91 seconds")
      expect(told).toContain("OutageBegan")
      expect(yield* count).toBe(2)
      yield* TestClock.adjust("5 minutes")
      expect(failsWith((yield* Fiber.join(fiber)).exit)).toMatchObject({ _tag: "Outage" })
    }).pipe(Effect.provide(hanging(0)))
  )

  it.scoped("of one text opens nothing: it fails alone", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(collect(translate(numbered(101), { concurrency: 1 })))
      yield* TestClock.adjust("20 minutes")
      const outcomes = yield* Fiber.join(fiber)
      expect(outcomes.filter(Outcome.isFailed)).toMatchObject([
        { source: "t100", failures: [{ error: { _tag: "TimedOut", attempts: 6 } }] }
      ])
    }).pipe(Effect.provide(hanging(2)))
  )

  it.scoped("for some calls, between which others are answered, opens nothing", () =>
    Effect.gen(function* () {
      const progress = yield* Progress.make()
      const told = yield* events(progress)
      const answered = translations(...numbered(50))
      const script = Array.from({ length: 80 }, (_, request) =>
        request % 2 === 1 ? ("hang" as const) : answered
      )
      const fiber = yield* collect(translate(numbered(1000), { concurrency: 1, progress })).pipe(
        Effect.provide(scripted(script)),
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ ambiguousBudget: 1000 })),
        Effect.fork
      )
      yield* TestClock.adjust("1 hour")
      expect(new Set(tags(yield* Fiber.join(fiber)))).toEqual(new Set(["Translated"]))
      expect(told).not.toContain("OutageBegan")
    })
  )
})

describe("texts that the service can't bear", () => {
  /** Each is a batch of its own. */
  const poisoned = Array.from({ length: 5 }, (_, index) => `poison${index} ${"x".repeat(130_900)}`)

  for (const where of ["at the start", "in the middle", "at the end"]) {
    it.virtual(`fail alone and open nothing: five in a row ${where}, at concurrency 1`, () =>
      Effect.gen(function* () {
        const { url } = yield* unreliable.make(({ texts }) => (texts[0]!.startsWith("poison") ? 500 : "ok"))
        const good = numbered(500).map((text) => `${text} ${"y".repeat(300)}`)
        const at = where === "at the start" ? 0 : where === "in the middle" ? 250 : 500
        const texts = [...good.slice(0, at), ...poisoned, ...good.slice(at)]
        const progress = yield* Progress.make()
        const events: Array<string> = []
        yield* Effect.forkScoped(
          Stream.runForEach(progress.events, ({ _tag }) => Effect.sync(() => void events.push(_tag)))
        )
        yield* Effect.yieldNow()
        const outcomes = yield* collect(translate(texts, { concurrency: 1, progress })).pipe(
          Effect.provide(client(url)),
          Effect.provideService(
            RetryPolicy.RetryPolicy,
            RetryPolicy.make({ schedule: retries(5, 5), ambiguousBudget: 1000 })
          )
        )
        yield* Effect.sleep(5)
        const failed = outcomes.filter(Outcome.isFailed)
        expect(failed.map(({ source }) => (source === undefined ? source : source.slice(0, 7)))).toEqual(
          poisoned.map((text) => text.slice(0, 7))
        )
        for (const { failures } of failed)
          expect(failures[0]!.error).toMatchObject({ _tag: "ServerError", attempts: 6 })
        expect(events).not.toContain("OutageBegan")
      })
    )
  }
})

describe("a failure now and then", () => {
  it.virtual("opens nothing, and costs no time", () =>
    Effect.gen(function* () {
      const failed = new Set<string>()
      const { url } = yield* unreliable.make(({ index, texts }) =>
        // Once for each request: by chance one could meet it at all of its attempts.
        index % 3 === 0 && failed.size < failed.add(texts[0]!).size ? 503 : "ok"
      )
      const outcomes = yield* collect(translate(numbered(5000))).pipe(
        quickly,
        Effect.provide(client(url, probing(Schedule.stop)))
      )
      expect(new Set(tags(outcomes))).toEqual(new Set(["Translated"]))
    })
  )
})

describe("a policy", () => {
  it.virtual("without a circuit lets each call fail by itself", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* unreliable.make(({ index }) => (index === 1 ? "ok" : 503))
      const outcomes = yield* collect(translate(numbered(1000))).pipe(
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none),
        Effect.provide(client(url, CircuitBreaker.none))
      )
      expect(tags(outcomes).filter((tag) => tag === "Failed")).toHaveLength(950)
      expect(seen).toHaveLength(20)
    })
  )

  it.virtual("may open the circuit sooner", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* unreliable.make(({ index }) => (index === 1 ? "ok" : 503))
      const { exit } = yield* drain(translate(numbered(1000), { concurrency: 1 })).pipe(
        Effect.provide(client(url, probing(Schedule.stop, 2)))
      )
      expect(failsWith(exit)).toMatchObject({ ...outage, failures: 2 })
      expect(seen.length).toBeLessThanOrEqual(4)
    })
  )
})

describe("a span", () => {
  it.virtual("of a batch that waited tells of the outage", () =>
    Effect.gen(function* () {
      let down = 0
      const { url } = yield* unreliable.make(({ index }) => (index > 2 && down++ < 12 ? 503 : "ok"))
      const { spans, tracer } = recordingTracer()
      yield* collect(translate(numbered(1000))).pipe(
        Effect.provide(client(url, probing(retries(40, "5 millis")))),
        Effect.withTracer(tracer)
      )
      const told = spans.filter((span) => span.attributes.get("translate.outage") === "ServerError")
      expect(told.length).toBeGreaterThan(0)
    })
  )
})
