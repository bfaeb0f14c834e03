import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import { Emulator, Fault } from "effect-translate/emulator"
import { abandoned, hello, meter, overHttp, script, send, served, translate, usage } from "./support.js"

const three = { text: ["one", "two", "three"], target_lang: "de" }

const statuses = (answers: ReadonlyArray<{ readonly status: number }>) => answers.map(({ status }) => status)

const billed = Effect.map(meter, ({ characters }) => characters)

describe("status", () => {
  it.effect("answers the status once, bills nothing, and leaves the next request alone", () =>
    Effect.gen(function* () {
      yield* script(Fault.status(503))
      const [faulty, next] = yield* Effect.all([hello(), hello()])
      expect(statuses([faulty, next])).toEqual([503, 200])
      expect(faulty.json).toEqual({ message: "Scripted fault: 503" })
      expect(faulty.headers["x-trace-id"]).toBeDefined()
      expect(yield* meter).toMatchObject({
        requests: 2,
        characters: 5,
        faults: 1,
        statuses: { 503: 1, 200: 1 }
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("carries Retry-After, in seconds or as a date", () =>
    Effect.gen(function* () {
      const date = "Fri, 31 Dec 1999 23:59:59 GMT"
      yield* script([Fault.status(429, { retryAfter: 7 }), Fault.status(503, { retryAfter: date })])
      const [seconds, at] = yield* Effect.all([hello(), hello()])
      expect([seconds.headers["retry-after"], at.headers["retry-after"]]).toEqual(["7", date])
    }).pipe(Effect.provide(served()))
  )

  it.effect("carries any body", () =>
    Effect.gen(function* () {
      yield* script([
        Fault.status(400, { body: { message: "no", detail: "why" } }),
        Fault.status(500, { body: "oops" })
      ])
      const [json, text] = yield* Effect.all([hello(), hello()])
      expect([json.json, text.text]).toEqual([{ message: "no", detail: "why" }, "oops"])
    }).pipe(Effect.provide(served()))
  )

  it.effect("bills if it comes after the work", () =>
    Effect.gen(function* () {
      yield* script(Fault.status(504, { when: "after" }))
      expect((yield* hello()).status).toBe(504)
      expect(yield* billed).toBe(5)
    }).pipe(Effect.provide(served()))
  )
})

describe("html and emptyBody", () => {
  it.effect("answer the page of a proxy", () =>
    Effect.gen(function* () {
      yield* script(Fault.html(502))
      const answer = yield* hello()
      expect([answer.status, answer.headers["content-type"]]).toEqual([502, "text/html"])
      expect(answer.text).toMatch(/^<html>.*502/)
      expect(yield* billed).toBe(0)
    }).pipe(Effect.provide(served()))
  )

  it.effect("answer nothing but a status", () =>
    Effect.gen(function* () {
      yield* script(Fault.emptyBody(500))
      const answer = yield* hello()
      expect([answer.status, answer.text]).toEqual([500, ""])
    }).pipe(Effect.provide(served()))
  )
})

describe("cutConnection", () => {
  it.live.each([
    ["before", 0],
    ["after", 5]
  ] as const)("cuts %s the work, which bills %i characters", ([when, characters]) =>
    Effect.gen(function* () {
      yield* script(Fault.cutConnection({ when }))
      const error = yield* Effect.flip(hello())
      expect(error).toMatchObject({ _tag: "RequestError", reason: "Transport" })
      expect(yield* meter).toMatchObject({ characters, requests: 1, faults: 1, statuses: {} })
      expect((yield* hello()).status).toBe(200)
    }).pipe(Effect.provide(overHttp()))
  )

  it.live("cuts amid the body, after the headers, and bills", () =>
    Effect.gen(function* () {
      yield* script(Fault.cutConnection({ when: "mid-body" }))
      const { url } = yield* Emulator.Emulator
      const client = yield* HttpClient.HttpClient
      const response = yield* HttpClientRequest.post(`${url}/v2/translate`).pipe(
        HttpClientRequest.setHeader("authorization", `Service-Auth-Key ${Emulator.defaultKey}`),
        HttpClientRequest.bodyUnsafeJson(three),
        client.execute
      )
      expect(response.status).toBe(200)
      expect(response.headers["x-trace-id"]).toBeDefined()
      expect(Number(response.headers["content-length"])).toBeGreaterThan(100)
      expect((yield* Effect.flip(response.text))._tag).toBe("ResponseError")
      expect(yield* billed).toBe(11)
      expect((yield* hello()).status).toBe(200)
    }).pipe(Effect.provide(overHttp()))
  )
})

describe("slow", () => {
  it.virtual.each(["before", "after", "mid-body"] as const)("waits %s", (when) =>
    Effect.gen(function* () {
      yield* script(Fault.slow("50 millis", { when }))
      const [elapsed, answer] = yield* Effect.timed(hello())
      expect(Duration.toMillis(elapsed)).toBeGreaterThanOrEqual(50)
      expect(answer.json.translations).toHaveLength(1)
      expect(yield* billed).toBe(5)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("has billed if the client gives up after the work, and not before it", () =>
    Effect.gen(function* () {
      yield* script([Fault.slow("500 millis"), Fault.slow("1 minute", { when: "after" })])
      yield* abandoned
      yield* Effect.sleep("600 millis")
      expect(yield* billed).toBe(0)
      const late = yield* Effect.fork(hello())
      yield* Effect.sleep("30 seconds")
      yield* Fiber.interrupt(late)
      expect(yield* billed).toBe(5)
    }).pipe(Effect.provide(served()))
  )
})

describe("answers that don't match", () => {
  it.effect("lack an item, and are billed in full", () =>
    Effect.gen(function* () {
      yield* script(Fault.shortAnswer)
      const answer = yield* translate(three)
      expect(answer.status).toBe(200)
      expect(answer.json.translations).toHaveLength(2)
      expect(yield* billed).toBe(11)
    }).pipe(Effect.provide(served()))
  )

  it.effect("hold an item too many", () =>
    Effect.gen(function* () {
      yield* script(Fault.longAnswer)
      const answer = yield* translate(three)
      expect(answer.json.translations).toHaveLength(4)
      expect(yield* billed).toBe(11)
    }).pipe(Effect.provide(served()))
  )

  it.effect("are JSON that breaks off, complete as HTTP, and billed", () =>
    Effect.gen(function* () {
      yield* script(Fault.garbage)
      const answer = yield* translate(three)
      expect(answer.status).toBe(200)
      expect(answer.text).toMatch(/^\{"translations":\[/)
      expect(answer.json).toBeUndefined()
      expect(yield* billed).toBe(11)
    }).pipe(Effect.provide(served()))
  )

  it.effect("leave refusals as they are", () =>
    Effect.gen(function* () {
      yield* script(Fault.garbage)
      const answer = yield* send("{")
      expect([answer.status, typeof answer.json.message]).toEqual([400, "string"])
    }).pipe(Effect.provide(served()))
  )
})

describe("poison", () => {
  it.effect("refuses every request that holds such a text, wherever it is", () =>
    Effect.gen(function* () {
      yield* script(Fault.poison("☠\n"))
      const poisoned = { text: ["fine", "a ☠\n here"], target_lang: "de" }
      const form = { headers: { "content-type": "application/x-www-form-urlencoded" } }
      const answers = yield* Effect.all([
        translate(poisoned),
        translate({ ...three, context: "☠\n" }),
        translate(poisoned),
        send("text=fine&text=%E2%98%A0%0A&target_lang=de", form)
      ])
      expect(statuses(answers)).toEqual([400, 200, 400, 400])
      expect(answers[0].text).not.toContain("fine")
      expect(yield* billed).toBe(11)
    }).pipe(Effect.provide(served()))
  )
})

describe("a script", () => {
  it.effect("is worked off in its order, each fault as often as it says", () =>
    Effect.gen(function* () {
      yield* script([Fault.times(Fault.status(500), 2), Fault.status(503)])
      yield* script(Fault.status(429))
      const answers = yield* Effect.replicateEffect(hello(), 5)
      expect(statuses(answers)).toEqual([500, 500, 503, 429, 200])
    }).pipe(Effect.provide(served()))
  )

  it.effect("can go on for ever, until it is cleared", () =>
    Effect.gen(function* () {
      yield* script(Fault.status(500).pipe(Fault.times(Number.POSITIVE_INFINITY)))
      const before = yield* Effect.replicateEffect(hello(), 5)
      yield* Effect.flatMap(Emulator.Emulator, ({ clear }) => clear)
      expect(statuses([...before, yield* hello()])).toEqual([500, 500, 500, 500, 500, 200])
    }).pipe(Effect.provide(served()))
  )

  it.effect("can come with the options", () =>
    Effect.gen(function* () {
      expect((yield* hello()).status).toBe(500)
    }).pipe(Effect.provide(served({ faults: [Fault.status(500)] })))
  )

  it.effect("waits for the method and path that it names", () =>
    Effect.gen(function* () {
      yield* script(Fault.on(Fault.status(500), "get", "/v2/usage"))
      const answers = yield* Effect.all([hello(), usage({ path: "/v2/usage?x=1" }), usage()])
      expect(statuses(answers)).toEqual([200, 500, 200])
    }).pipe(Effect.provide(served()))
  )

  it.effect("waits for the requests that fulfil all its predicates", () =>
    Effect.gen(function* () {
      yield* script(
        Fault.status(500).pipe(
          Fault.times(9),
          Fault.on("POST", "/v2/translate"),
          Fault.where(({ body }) => body.includes("three")),
          Fault.where(({ texts }) => texts.length > 2)
        )
      )
      const answers = yield* Effect.all([
        translate(three),
        translate({ text: ["three"], target_lang: "de" }),
        hello()
      ])
      expect(statuses(answers)).toEqual([500, 200, 200])
    }).pipe(Effect.provide(served()))
  )

  it.effect("happens by chance", () =>
    Effect.gen(function* () {
      yield* script(Fault.status(500).pipe(Fault.times(1000), Fault.probability(0.5)))
      const failed = (yield* Effect.replicateEffect(hello(), 100)).filter(
        ({ status }) => status === 500
      ).length
      expect(failed).toBeGreaterThan(20)
      expect(failed).toBeLessThan(80)
      expect((yield* meter).faults).toBe(failed)
    }).pipe(Effect.withRandom(Random.make("seed")), Effect.provide(served()))
  )

  it.effect("leaves those that chance spares to the next fault", () =>
    Effect.gen(function* () {
      yield* script([Fault.probability(Fault.status(500), 0), Fault.probability(Fault.status(503), 1)])
      expect(statuses(yield* Effect.replicateEffect(hello(), 2))).toEqual([503, 200])
    }).pipe(Effect.provide(served()))
  )

  it.effect("isn't used up by requests that are refused as too many", () =>
    Effect.gen(function* () {
      yield* script(Fault.status(500))
      expect((yield* hello()).status).toBe(429)
      expect((yield* meter).faults).toBe(0)
    }).pipe(Effect.provide(served({ maxConcurrent: 0 })))
  )
})
