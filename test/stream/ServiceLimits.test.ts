/** What streams learn of the service, and hand to each other. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { ServiceLimits, TranslateStream, WriteStream } from "effect-translate"
import { emulatedInProcess } from "../support/emulator.js"
import {
  badRequest,
  bodyBytes,
  causes,
  chunked,
  collect,
  counted,
  de,
  fake,
  meter,
  numbered,
  payloadTooLarge,
  still,
  tags,
  unavailable,
  until
} from "./support.js"

type Options = TranslateStream.Options

/** A service that takes smaller bodies than it says. */
const taking = (most: number) =>
  fake((texts) => (bodyBytes(texts) > most ? Effect.fail(payloadTooLarge) : Effect.void))

/** Translates 30 texts of 1000 bytes in one chunk, and gives the bytes of the bodies that were sent. */
const bodiesSent = (most: number, options: Options) =>
  Effect.gen(function* () {
    const service = taking(most)
    const texts = Array.from({ length: 30 }, () => "x".repeat(998))
    const outcomes = yield* collect(TranslateStream.translate(chunked(texts, 30), options)).pipe(
      service.provide
    )
    expect(tags(outcomes)).toEqual(texts.map(() => "Translated"))
    return service.calls.map((texts) => bodyBytes(texts))
  })

/** A stream that translates a text. */
const succeed = (options: Options) =>
  collect(TranslateStream.translate(Stream.make("a"), options)).pipe(fake().provide)

/** How many requests a stream has in flight before any of them is answered. */
const startsWith = (options: Options) =>
  Effect.gen(function* () {
    const service = fake(() => Effect.never)
    const fiber = yield* TranslateStream.translate(counted(5000, String, 1000).stream, options).pipe(
      Stream.runDrain,
      service.provide,
      Effect.fork
    )
    yield* until(() => service.state.inFlight > 0)
    const inFlight = yield* still(() => service.state.inFlight)
    yield* Fiber.interrupt(fiber)
    return inFlight
  })

const Json = Schema.parseJson(ServiceLimits.State)

/** What another process is given. */
const written = (serviceLimits: ServiceLimits.ServiceLimits) =>
  Effect.flatMap(serviceLimits.state, Schema.encode(Json))

const read = (json: string) => Effect.flatMap(Schema.decode(Json)(json), ServiceLimits.make)

describe("a stream that shares its service limits", () => {
  it.virtual("with one that has succeeded with the same options starts with all its requests at once", () =>
    Effect.gen(function* () {
      const options = { ...de, serviceLimits: yield* ServiceLimits.make() }
      expect(yield* startsWith(options)).toBe(1)
      yield* succeed(options)
      expect(yield* startsWith(options)).toBe(8)
    })
  )

  it.virtual("with one that has succeeded with other options starts with one request", () =>
    Effect.gen(function* () {
      const serviceLimits = yield* ServiceLimits.make()
      yield* succeed({ ...de, serviceLimits })
      for (const other of [
        { targetLang: "fr" },
        { ...de, formality: "more" },
        { ...de, context: "c" }
      ] as const) {
        expect(yield* startsWith({ ...other, serviceLimits })).toBe(1)
      }
    })
  )

  it.virtual("need not have the same options where these are not sent", () =>
    Effect.gen(function* () {
      const serviceLimits = yield* ServiceLimits.make()
      yield* succeed({ ...de, serviceLimits, dedupe: true, concurrency: 1 })
      expect(yield* startsWith({ targetLang: "DE", serviceLimits, unordered: true, concurrency: 3 })).toBe(3)
    })
  )

  it.virtual("with one that has failed starts with one request", () =>
    Effect.gen(function* () {
      const options = { ...de, serviceLimits: yield* ServiceLimits.make() }
      for (const error of [unavailable, badRequest, payloadTooLarge]) {
        const outcomes = yield* collect(TranslateStream.translate(Stream.make("a"), options)).pipe(
          fake(() => Effect.fail(error)).provide
        )
        expect(causes(outcomes)).toEqual([error._tag])
      }
      expect(yield* startsWith(options)).toBe(1)
    })
  )

  it.virtual("with one that succeeds meanwhile has all its requests in flight after its own first", () =>
    Effect.gen(function* () {
      const options = { ...de, serviceLimits: yield* ServiceLimits.make() }
      const gate = yield* Deferred.make<void>()
      const service = fake((_, call) => (call === 0 ? Deferred.await(gate) : Effect.never))
      const fiber = yield* TranslateStream.translate(counted(5000, String, 1000).stream, options).pipe(
        Stream.runDrain,
        service.provide,
        Effect.fork
      )
      yield* until(() => service.state.inFlight === 1)
      yield* succeed(options)
      yield* Deferred.succeed(gate, undefined)
      yield* until(() => service.state.inFlight === 8)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.virtual("makes no larger bodies than the one that was refused as too large", () =>
    Effect.gen(function* () {
      const options = { ...de, serviceLimits: yield* ServiceLimits.make() }
      const first = yield* bodiesSent(20_000, options)
      expect(first.filter((bytes) => bytes > 20_000)).toHaveLength(1)
      const most = 0.9 * first[0]!
      const second = yield* bodiesSent(27_500, options)
      expect(Math.max(...second)).toBeLessThanOrEqual(most)
      expect(second.filter((bytes) => bytes > 27_500)).toEqual([])
    })
  )

  it.virtual("learns of the body even if its options are others", () =>
    Effect.gen(function* () {
      const serviceLimits = yield* ServiceLimits.make()
      const [largest] = yield* bodiesSent(20_000, { ...de, serviceLimits })
      const bodies = yield* bodiesSent(27_500, { targetLang: "fr", serviceLimits })
      expect(Math.max(...bodies)).toBeLessThanOrEqual(0.9 * largest!)
    })
  )

  it.virtual("at another endpoint learns nothing of the body or the options", () =>
    Effect.gen(function* () {
      const serviceLimits = yield* ServiceLimits.make()
      yield* bodiesSent(20_000, { ...de, serviceLimits })
      yield* collect(WriteStream.rephrase(chunked(numbered(10), 10), { serviceLimits }))
      const { accepted, maxBytes } = yield* serviceLimits.state
      expect(accepted).toHaveLength(2)
      expect(Object.keys(maxBytes)).toEqual(["/v2/translate"])
      expect((yield* meter).requests).toBe(1)
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.virtual("shares nothing unless it is given something to share", () =>
    Effect.gen(function* () {
      yield* succeed(de)
      expect(yield* startsWith(de)).toBe(1)
    })
  )
})

describe("learned limits", () => {
  it.effect("takes the limits that others have learned: more options, and the smaller bodies", () =>
    Effect.gen(function* () {
      const limits = yield* ServiceLimits.make({ accepted: [1], maxBytes: { "/a": 10, "/b": 5 } })
      yield* limits.learn({ accepted: [1, 2], maxBytes: { "/a": 7, "/b": 9, "/c": 3 } })
      expect(yield* limits.state).toEqual({ accepted: [1, 2], maxBytes: { "/a": 7, "/b": 5, "/c": 3 } })
      expect(limits.of("/c", 2).isAccepted()).toBe(true)
      expect(limits.of("/c", 2).maxBytes()).toBe(3)
    })
  )

  it.virtual("goes on in another process, by way of JSON", () =>
    Effect.gen(function* () {
      const serviceLimits = yield* ServiceLimits.make()
      const [largest] = yield* bodiesSent(20_000, { ...de, serviceLimits })
      const other = yield* Effect.flatMap(written(serviceLimits), read)
      expect(yield* other.state).toEqual(yield* serviceLimits.state)
      expect(yield* startsWith({ ...de, serviceLimits: other })).toBe(8)
      expect(yield* startsWith({ targetLang: "fr", serviceLimits: other })).toBe(1)
      const bodies = yield* bodiesSent(27_500, { ...de, serviceLimits: other })
      expect(Math.max(...bodies)).toBeLessThanOrEqual(0.9 * largest!)
    })
  )

  it.effect("is nothing at first, in JSON too", () =>
    Effect.gen(function* () {
      const serviceLimits = yield* ServiceLimits.make()
      expect(yield* written(serviceLimits)).toBe('{"accepted":[],"maxBytes":{}}')
      expect(yield* (yield* read('{"accepted":[],"maxBytes":{}}')).state).toEqual({
        accepted: [],
        maxBytes: {}
      })
    })
  )

  it.virtual("holds no text and no option", () =>
    Effect.gen(function* () {
      const serviceLimits = yield* ServiceLimits.make()
      yield* collect(
        TranslateStream.translate(Stream.make("secret text"), {
          targetLang: "pt-BR",
          context: "secret context",
          glossaryId: "secret-glossary",
          sourceLang: "en",
          serviceLimits
        })
      ).pipe(fake().provide)
      const json = yield* written(serviceLimits)
      expect(json).toMatch(/^\{"accepted":\[-?\d+\],"maxBytes":\{\}\}$/)
    })
  )

  it.effect("of a body is the largest that was accepted, and never less than that is sent", () =>
    Effect.gen(function* () {
      const serviceLimits = yield* ServiceLimits.make()
      const learned = serviceLimits.of("/a", 1)
      expect(learned.maxBytes()).toBe(Number.POSITIVE_INFINITY)
      learned.accept(950)
      learned.accept(400)
      learned.refuse(2000)
      expect(learned.maxBytes()).toBe(1800)
      learned.refuse(1000)
      expect(learned.maxBytes()).toBe(950)
      learned.refuse(5000)
      expect(learned.maxBytes()).toBe(950)
      expect(yield* serviceLimits.state).toEqual({
        accepted: [1],
        maxBytes: { "/a": 950 }
      })
    })
  )
})
