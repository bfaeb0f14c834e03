/** Streams with a store of translations in memory: what is sent, what is billed, and what the ledger says of it. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import {
  ConcurrencyLimit,
  Forecast,
  RetryPolicy,
  TranslateResolver,
  TranslateStream,
  TranslationStore,
  Translator
} from "effect-translate"
import { Fault } from "effect-translate/emulator"
import { IcuMessage } from "effect-translate/icu"
import { runs } from "../support/long.js"
import { openStore } from "../support/openStore.js"
import { retries } from "../support/retries.js"
import {
  charactersOf,
  chunked,
  collect,
  de,
  fake,
  german,
  hasty,
  mark,
  meter,
  numbered,
  once,
  script,
  served,
  tags,
  values
} from "./support.js"

const storingWith = (options?: TranslationStore.MemoryOptions) =>
  Effect.map(TranslationStore.makeMemory(options), (store) => ({
    store,
    options: { ...de, store },
    /** The characters of the ledger by what became of them, without what is nought. */
    ledger: Effect.map(store.stats, ({ attempts }) =>
      Object.fromEntries(
        Object.entries(attempts).flatMap(([state, { characters }]) =>
          characters === 0 ? [] : [[state, characters]]
        )
      )
    )
  }))

const translated = (texts: ReadonlyArray<string>, options: TranslateStream.Options) =>
  collect(TranslateStream.translate(chunked(texts, 33), options))

const storing = storingWith({ pollInterval: "5 millis" })

describe("a store", () => {
  it.virtual("makes a second run bill nothing, and a run over changed texts bill those", () =>
    Effect.gen(function* () {
      const { ledger, options } = yield* storing
      const texts = numbered(300)
      const characters = charactersOf(texts)
      expect(tags(yield* translated(texts, options))).toEqual(texts.map(() => "Translated"))
      expect((yield* meter).characters).toBe(characters)
      const again = yield* translated(texts, { ...options, concurrency: 1, unordered: true })
      expect(tags(again)).toEqual(texts.map(() => "Cached"))
      expect(values(again).toSorted()).toEqual(texts.map(german).toSorted())
      const changed = texts.map((text, index) => (index % 100 === 0 ? `${text}b` : text))
      yield* translated(changed, options)
      expect((yield* meter).characters).toBe(characters + charactersOf(["t0b", "t100b", "t200b"]))
      expect(yield* ledger).toEqual({ answered: (yield* meter).characters })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("finds equal texts of a stream without `dedupe`, whatever whitespace is around them", () =>
    Effect.gen(function* () {
      const { options } = yield* storing
      const outcomes = yield* translated(["b", " b\n", "d", "b"], options)
      expect(values(outcomes)).toEqual(["[de] b", " [de] b\n", "[de] d", "[de] b"])
      expect((yield* meter).texts).toBe(2)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("holds whole texts, of those too that were sent in parts", () =>
    Effect.gen(function* () {
      const { options } = yield* storing
      const giant = "世界。".repeat(30_000)
      const [first] = yield* translated([giant], options)
      const { characters } = yield* meter
      const [second] = yield* translated([giant], options)
      expect([first!._tag, second!._tag]).toEqual(["Translated", "Cached"])
      expect(second!.value === first!.value).toBe(true)
      expect((yield* meter).characters).toBe(characters)
    }).pipe(Effect.provide(served()))
  )

  it.virtual(
    "counts in its ledger the texts as they are sent: placeholders with their tags, and messages in their parts",
    () =>
      Effect.gen(function* () {
        const { ledger, options } = yield* storing
        const placeholders = { messageFormat: IcuMessage.format }
        yield* translated(
          ["%s of <b>them</b> {name}", "{count, plural, one {# item} other {# items}}", "plain", "%s"],
          { ...options, placeholders }
        )
        const { characters } = yield* meter
        expect(yield* ledger).toEqual({ answered: characters })
        expect(characters).not.toBe(charactersOf(["%s of <b>them</b> {name}", "# item", "# items", "plain"]))
      }).pipe(Effect.provide(served()))
  )

  it.virtual("knows nothing for other options", () =>
    Effect.gen(function* () {
      const { options } = yield* storing
      yield* translated(["a"], options)
      const outcomes = yield* translated(["a"], { ...options, formality: "more" })
      expect(tags(outcomes)).toEqual(["Translated"])
    }).pipe(Effect.provide(served()))
  )

  it.virtual("can't be used with a translator without an identity", () =>
    Effect.gen(function* () {
      const { options } = yield* storing
      const error = yield* Effect.flip(translated(["a"], options))
      expect(error).toMatchObject({ _tag: "InvalidRequest", violations: [{ field: "store" }] })
    }).pipe(Effect.provideService(Translator.Translator, { translate: fake().service.translate }))
  )

  it.virtual("has paid texts told by a forecast, which claims and stores nothing", () =>
    Effect.gen(function* () {
      const { ledger, options, store } = yield* storing
      yield* translated(numbered(30), options)
      const spent = yield* ledger
      const texts = Stream.rechunk(Stream.fromIterable([...numbered(100), ...numbered(100)]), 40)
      for (let again = 0; again < 2; again++) {
        const [forecast] = yield* Forecast.forecast(texts, { targets: ["de"], store })
        expect(forecast).toMatchObject({
          translated: 70,
          cached: 130,
          characters: charactersOf(numbered(100).slice(30)),
          requests: 2
        })
      }
      expect(yield* ledger).toEqual(spent)
      expect((yield* store.stats).translations).toBe(30)
      const outcomes = yield* collect(TranslateStream.translate(texts, options))
      expect(tags(outcomes).filter((tag) => tag === "Translated")).toHaveLength(70)
    }).pipe(Effect.provide(served()))
  )
})

describe("several streams with one store", () => {
  it.virtual("over the same texts in opposite order, one request at a time, bill each text once", () =>
    Effect.gen(function* () {
      const { ledger, options } = yield* storing
      const texts = numbered(600)
      const [ahead, back] = yield* Effect.all(
        [texts, texts.toReversed()].map((texts) => translated(texts, { ...options, concurrency: 1 })),
        { concurrency: 2 }
      )
      expect(values(ahead!)).toEqual(texts.map(german))
      expect(values(back!)).toEqual(texts.toReversed().map(german))
      for (const outcomes of [ahead!, back!]) expect(tags(outcomes)).toContain("Translated")
      expect((yield* meter).characters).toBe(charactersOf(texts))
      expect(yield* ledger).toEqual({ answered: charactersOf(texts) })
    }).pipe(Effect.provide(served({ latency: "5 millis" })))
  )

  it.virtual("leave each other texts that one of them could not translate", () =>
    Effect.gen(function* () {
      const { options } = yield* storing
      yield* script(Fault.times(Fault.status(503), 1))
      const outcomes = yield* Effect.all(
        [translated(["a"], options), Effect.delay(translated(["a"], options), 20)],
        { concurrency: 2 }
      ).pipe(once)
      expect(outcomes.map(tags)).toEqual([["Failed"], ["Translated"]])
    }).pipe(Effect.provide(served({ latency: "50 millis" })))
  )

  it.virtual("of one text, thousands of them, send one request", () =>
    Effect.gen(function* () {
      const { ledger, options } = yield* storingWith()
      const translator = fake(() => Effect.sleep("20 millis"))
      const outcomes = yield* Effect.forEach(
        Array.from({ length: runs(10_000, 100) }, () => "a"),
        (text) =>
          Stream.runHead(TranslateStream.translate(Stream.make(text), { ...options, concurrency: 1 })),
        { concurrency: "unbounded" }
      ).pipe(translator.provide)
      expect(
        new Set(outcomes.map((outcome) => (outcome as { value: { value: string } }).value.value))
      ).toEqual(new Set([mark("a")]))
      expect(translator.calls).toEqual([["a"]])
      expect(yield* ledger).toEqual({ answered: 1 })
    })
  )

  it.virtual("behind a resolver, thousands of calls of one text, send one request", () =>
    Effect.gen(function* () {
      const { store } = yield* storingWith()
      const translator = fake(() => Effect.sleep("20 millis"))
      const resolving = Layer.provide(
        TranslateResolver.layer({ store, concurrency: 1 }),
        Layer.succeed(Translator.Translator, translator.service)
      )
      const found = yield* Effect.forEach(
        Array.from({ length: runs(10_000, 100) }, () => "a"),
        (text) => TranslateResolver.translate(text, de),
        { concurrency: "unbounded" }
      ).pipe(Effect.provide(resolving))
      expect(new Set(found.map(({ text }) => text))).toEqual(new Set([mark("a")]))
      expect(found.reduce((sum, { cost }) => sum + cost.characters, 0)).toBe(1)
      expect(translator.calls).toEqual([["a"]])
    })
  )
})

describe("the ledger", () => {
  it.virtual("has every attempt in doubt, and the one that was answered", () =>
    Effect.gen(function* () {
      const { ledger, options } = yield* storing
      yield* script(
        Fault.times(Fault.status(500, { when: "after" }), 2),
        Fault.times(Fault.status(429, { retryAfter: 0 }), 1)
      )
      const outcomes = yield* hasty(translated(["abc"], options))
      expect(outcomes).toMatchObject([
        { _tag: "Translated", cost: { characters: 3, ambiguousCharacters: 6 } }
      ])
      expect(yield* ledger).toEqual({ answered: 3, unknown: 6 })
      expect((yield* meter).characters).toBe(9)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("has failed texts in doubt, and refused ones as free of charge", () =>
    Effect.gen(function* () {
      const { ledger, options } = yield* storing
      yield* script(
        Fault.where(Fault.status(500, { when: "after" }), ({ texts }) => texts.includes("doubt")),
        Fault.where(Fault.status(400), ({ texts }) => texts.includes("no"))
      )
      const outcomes = yield* once(translated(["doubt", "no"], { ...options, maxTexts: 1 }))
      expect(tags(outcomes)).toEqual(["Failed", "Failed"])
      expect(yield* ledger).toEqual({ unknown: 5, rejected: 2 })
      yield* script()
      expect(tags(yield* translated(["doubt", "no"], options))).toEqual(["Translated", "Translated"])
    }).pipe(Effect.provide(served()))
  )

  it.virtual("has its texts in flight in doubt when a stream was interrupted; they are free", () =>
    Effect.gen(function* () {
      const { ledger, options, store } = yield* storing
      const texts = numbered(300)
      const fiber = yield* Effect.fork(
        Stream.runDrain(TranslateStream.translate(chunked(texts, 50), options))
      )
      while ((yield* meter).requests < 3) yield* Effect.sleep(5)
      yield* Fiber.interrupt(fiber)
      const { answered = 0, inFlight, unknown = 0 } = yield* ledger
      expect(inFlight).toBeUndefined()
      expect(unknown).toBeGreaterThan(0)
      expect((yield* meter).characters).toBeLessThanOrEqual(answered + unknown)
      expect(tags(yield* translated(texts, options))).toContain("Translated")
      expect((yield* store.stats).translations).toBe(300)
      const after = yield* ledger
      expect((yield* meter).characters).toBeLessThanOrEqual(after.answered! + unknown)
      expect(after.answered).toBe(charactersOf(texts))
    }).pipe(Effect.provide(served({ latency: "60 millis" })))
  )

  it.virtual("says nothing was sent of texts that waited for a permit when a stream was interrupted", () =>
    Effect.gen(function* () {
      const { ledger, options, store } = yield* storing
      yield* translated(["warm"], options)
      const stream = Stream.runDrain(TranslateStream.translate(chunked(numbered(200), 200), options))
      const fiber = yield* Effect.fork(stream)
      while ((yield* ledger).inFlight === undefined) yield* Effect.sleep(5)
      yield* Effect.sleep(20)
      yield* Fiber.interrupt(fiber)
      const { unknown = 0 } = yield* ledger
      expect(unknown).toBeLessThanOrEqual(charactersOf(numbered(200).slice(0, 50)))
      expect((yield* store.stats).attempts.inFlight.attempts).toBe(0)
    }).pipe(
      Effect.provide(served({ client: { limit: ConcurrencyLimit.makeFixed(1) }, latency: "400 millis" }))
    )
  )
})

describe("a claim that is lost while its request waits to be sent again", () => {
  it.virtual("is not sent again: another stream has its texts", () =>
    Effect.gen(function* () {
      const { options, store } = yield* storing
      const isTaken = yield* Deferred.make<void>()
      const gone = yield* Deferred.make<void>()
      /** Another process, as far as this one is concerned: once it has the texts, claims are lost. */
      const losing: TranslationStore.Service = {
        ...store,
        open: (namespace) =>
          Effect.map(openStore(store, namespace), (session) => ({
            ...session,
            claim: (texts) =>
              Effect.map(session.claim(texts), (claim) => ({
                ...claim,
                maySend: (ambiguousAttempts) =>
                  ambiguousAttempts === 0
                    ? claim.maySend(0)
                    : Effect.as(
                        Effect.zipRight(Deferred.succeed(isTaken, undefined), Deferred.await(gone)),
                        false
                      )
              }))
          }))
      }
      yield* translated(["other"], options)
      const [entry] = Chunk.toReadonlyArray(yield* Stream.runCollect(store.entries))
      yield* script(Fault.times(Fault.status(500), 1))
      const fiber = yield* Effect.fork(translated(["abc"], { ...options, store: losing }))
      yield* Deferred.await(isTaken)
      yield* store.add([{ ...entry!, source: "abc", translation: { text: "[elsewhere] abc" } }])
      yield* Deferred.succeed(gone, undefined)
      expect(yield* Fiber.join(fiber)).toMatchObject([
        { _tag: "Cached", value: "[elsewhere] abc", cost: { characters: 0, ambiguousCharacters: 3 } }
      ])
      expect((yield* meter).requests).toBe(2)
    }).pipe(
      Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ schedule: retries(5, "1 millis") })),
      Effect.provide(served())
    )
  )
})
