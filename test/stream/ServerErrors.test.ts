/** Texts that the service fails with each time: each fails alone, the others of its request are translated, and an outage stays one. */
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  Outcome,
  Progress,
  RetryPolicy,
  TranslateStream,
  TranslationStore,
  WriteStream
} from "effect-translate"
import { Fault } from "effect-translate/emulator"
import { probing, retries } from "../support/retries.js"
import * as unreliable from "../support/unreliableService.js"
import { client } from "./outages.js"
import {
  causes,
  charactersOf,
  collect,
  de,
  drain,
  german,
  meter,
  numbered,
  script,
  served,
  values
} from "./support.js"

const endless = Number.POSITIVE_INFINITY

/** The service fails with each request that holds one of these texts. */
const failing = (...bad: ReadonlyArray<string>) =>
  Fault.status(500).pipe(
    Fault.times(endless),
    Fault.where(({ texts }) => texts.some((text) => bad.includes(text)))
  )

/** The default policy, without its pauses. */
const quickly = Effect.provideService(
  RetryPolicy.RetryPolicy,
  RetryPolicy.make({ schedule: retries(5, "1 millis") })
)

const causesOf = (texts: ReadonlyArray<string>, ...bad: ReadonlyArray<string>) =>
  texts.map((text) => (bad.includes(text) ? "ServerError" : "Translated"))

describe("a text that the service fails with each time", () => {
  it.virtual.each([["t0"], ["t25"], ["t49"]])(
    "fails alone, also if its request is the only one: %s",
    ([bad]) =>
      Effect.gen(function* () {
        yield* script(failing(bad!))
        const texts = numbered(50)
        const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
        expect(causes(outcomes)).toEqual(causesOf(texts, bad!))
        expect(values(outcomes)).toEqual(texts.map((text) => (text === bad ? text : german(text))))
      }).pipe(quickly, Effect.provide(served()))
  )

  it.virtual.each([[1], [8]])("fails alone amid others, at concurrency %d", ([concurrency]) =>
    Effect.gen(function* () {
      const texts = numbered(500)
      yield* script(failing("t100", "t333"))
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.fromIterable(texts), { ...de, concurrency: concurrency! })
      )
      expect(causes(outcomes)).toEqual(causesOf(texts, "t100", "t333"))
    }).pipe(quickly, Effect.provide(served()))
  )

  it.virtual("is sent five times, most of its siblings twice before they are translated", () =>
    Effect.gen(function* () {
      yield* script(failing("t60"))
      const texts = numbered(200)
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
      // Twice with its request, once with its part, and twice alone.
      expect(outcomes.map(({ cost, source }) => cost.ambiguousCharacters / source.length)).toEqual(
        texts.map((_, index) =>
          index === 60 ? 5 : index < 50 || index >= 100 ? 0 : index >= 57 && index < 64 ? 3 : 2
        )
      )
      expect((yield* meter).requests).toBe(4 + 1 + 8 + 7 + 1)
    }).pipe(quickly, Effect.provide(served()))
  )

  it.virtual("leaves every character that may have been billed in the costs, and none twice", () =>
    Effect.gen(function* () {
      yield* script(
        Fault.status(500, { when: "after" }).pipe(
          Fault.times(endless),
          Fault.where(({ texts }) => texts.includes("t60"))
        )
      )
      const texts = numbered(120)
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
      const sum = yield* Stream.run(Stream.fromIterable(outcomes), Outcome.tally)
      expect(sum).toMatchObject({ translated: 119, failed: 1, characters: charactersOf(texts) - 3 })
      expect((yield* meter).characters).toBe(sum.characters + sum.ambiguousCharacters)
    }).pipe(quickly, Effect.provide(served()))
  )

  it.virtual(
    "is found as long as the client may repeat requests that may have been billed, and no longer",
    () =>
      Effect.gen(function* () {
        yield* script(failing("t0"))
        const texts = numbered(50)
        const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
        // One repetition, and eight parts of which the first is not divided any more.
        expect((yield* meter).requests).toBe(1 + 1 + 8)
        expect(causes(outcomes)).toEqual(causesOf(texts, ...texts.slice(0, 7)))
      }).pipe(
        Effect.provideService(
          RetryPolicy.RetryPolicy,
          RetryPolicy.make({
            schedule: retries(5, "1 millis"),
            ambiguousBudget: 2,
            ambiguousBudgetPerSuccess: 0
          })
        ),
        Effect.provide(served())
      )
  )

  it.virtual("is not looked for by a policy that sends nothing again", () =>
    Effect.gen(function* () {
      yield* script(failing("t0"))
      const texts = numbered(50)
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
      expect((yield* meter).requests).toBe(1)
      expect(causes(outcomes)).toEqual(causesOf(texts, ...texts))
    }).pipe(Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none), Effect.provide(served()))
  )

  it.virtual("costs no text of a crowd of others more than its request", () =>
    Effect.gen(function* () {
      const bad = ["t3", "t17", "t29", "t41"]
      yield* script(failing(...bad))
      const texts = numbered(50)
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
      expect(causes(outcomes)).toEqual(causesOf(texts, ...bad))
    }).pipe(
      Effect.provideService(
        RetryPolicy.RetryPolicy,
        RetryPolicy.make({ schedule: retries(5, "1 millis"), ambiguousBudget: 100 })
      ),
      Effect.provide(served())
    )
  )

  it.virtual("fails alone in text improvement too", () =>
    Effect.gen(function* () {
      const service = yield* unreliable.make(({ texts }) => (texts.includes("t7") ? 500 : "ok"))
      const outcomes = yield* collect(
        WriteStream.rephrase(Stream.fromIterable(numbered(20)), { targetLang: "en-US" })
      ).pipe(Effect.provide(client(service.url)))
      expect(causes(outcomes)).toEqual(causesOf(numbered(20), "t7"))
    }).pipe(quickly, Effect.scoped)
  )
})

describe("a store", () => {
  const run = (store: TranslationStore.Service, texts: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const before = (yield* meter).requests
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), { ...de, store }))
      return { outcomes, requests: (yield* meter).requests - before }
    })

  it.virtual("remembers a text that the service fails with: the next run does not send it", () =>
    Effect.gen(function* () {
      yield* script(failing("t20"))
      const store = yield* TranslationStore.makeMemory()
      const texts = numbered(50)
      const first = yield* run(store, texts)
      expect(causes(first.outcomes)).toEqual(causesOf(texts, "t20"))
      const { outcomes, requests } = yield* run(store, [...texts, "new"])
      expect(requests).toBe(1)
      expect(causes(outcomes)).toEqual([
        ...texts.map((text) => (text === "t20" ? "FailedBefore" : "Cached")),
        "Translated"
      ])
      expect(outcomes[20]).toMatchObject({
        cost: { characters: 0, ambiguousCharacters: 0 },
        failures: [{ error: { failures: 1 } }]
      })
    }).pipe(quickly, Effect.provide(served()))
  )

  it.virtual("lets such a text be sent once it is asked for, and forgets it once it is translated", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const retrying: TranslationStore.Service = {
        ...store,
        open: (namespace, options) =>
          Effect.flatMap(DateTime.now, (now) =>
            store.open(namespace, { ...options, retryFailedBefore: DateTime.add(now, { minutes: 1 }) })
          )
      }
      const texts = numbered(50)
      let isFailing = true
      yield* script(Fault.where(failing("t20"), ({ texts }) => isFailing && texts.includes("t20")))
      yield* run(store, texts)
      expect(causes((yield* run(retrying, ["t20"])).outcomes)).toEqual(["ServerError"])
      isFailing = false
      expect(causes((yield* run(store, ["t20"])).outcomes)).toEqual(["FailedBefore"])
      expect(causes((yield* run(retrying, ["t20"])).outcomes)).toEqual(["Translated"])
      yield* store.prune({ maxBytes: 0 })
      expect(causes((yield* run(store, ["t20"])).outcomes)).toEqual(["Translated"])
    }).pipe(quickly, Effect.provide(served()))
  )

  it.virtual("remembers no text of a service that fails with all of them", () =>
    Effect.gen(function* () {
      let isFailing = true
      yield* script(
        Fault.status(500).pipe(
          Fault.times(endless),
          Fault.where(() => isFailing)
        )
      )
      const store = yield* TranslationStore.makeMemory()
      const texts = numbered(3)
      expect(causes((yield* run(store, texts)).outcomes)).toEqual(causesOf(texts, ...texts))
      isFailing = false
      expect(causes((yield* run(store, texts)).outcomes)).toEqual(causesOf(texts))
    }).pipe(quickly, Effect.provide(served()))
  )
})

describe("a service that fails with every text", () => {
  it.virtual("gets no text of a small job more often than before, and few requests", () =>
    Effect.gen(function* () {
      yield* script(Fault.times(Fault.status(500), endless))
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(numbered(50)), de))
      expect(new Set(causes(outcomes))).toEqual(new Set(["ServerError"]))
      const sum = yield* Stream.run(Stream.fromIterable(outcomes), Outcome.tally)
      expect(sum.ambiguousCharacters).toBeLessThanOrEqual(6 * charactersOf(numbered(50)))
      expect((yield* meter).requests).toBeLessThanOrEqual(2 + 8 + 7 + 8)
    }).pipe(quickly, Effect.provide(served()))
  )

  it.virtual("opens the circuit of a large job: its requests are not halved", () =>
    Effect.gen(function* () {
      let requests = 0
      yield* script(
        Fault.status(500).pipe(
          Fault.times(endless),
          Fault.where(() => ++requests > 20)
        )
      )
      const progress = yield* Progress.make()
      const { out } = yield* drain(
        TranslateStream.translate(Stream.fromIterable(numbered(3000)), { ...de, progress })
      )
      expect((yield* progress.state).outage).toBe("ServerError")
      // 20 were answered, eight were in flight; then probes, one at a time.
      expect((yield* meter).requests).toBeLessThanOrEqual(20 + 8 + 8 + 22)
      expect(out.filter(({ _tag }) => _tag === "Translated")).toHaveLength(1000)
    }).pipe(
      Effect.provideService(
        RetryPolicy.RetryPolicy,
        RetryPolicy.make({ schedule: retries(5, "1 millis"), ambiguousBudget: 1000 })
      ),
      Effect.provide(served({ client: { circuit: probing(retries(20, "1 millis")) } }))
    )
  )

  it.virtual("at the end of a job is not asked for every text alone", () =>
    Effect.gen(function* () {
      yield* script(
        Fault.status(500).pipe(
          Fault.times(endless),
          Fault.where(({ texts }) => texts.some((text) => text.startsWith("t2")))
        )
      )
      const texts = Array.from({ length: 300 }, (_, index) => `t${Math.floor(index / 100)} ${index % 100}`)
      yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de))
      // Two requests twice, each in eight parts; a few of these in texts, and the rest repeated.
      expect((yield* meter).requests).toBeLessThanOrEqual(4 + 2 * 2 + 2 * 8 + 2 * 7 + (16 - 2 + 14) * 2)
    }).pipe(
      Effect.provideService(
        RetryPolicy.RetryPolicy,
        RetryPolicy.make({ schedule: retries(2, "1 millis"), ambiguousBudget: 1000 })
      ),
      Effect.provide(served())
    )
  )
})
