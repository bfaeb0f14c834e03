/** Calls of one text: how many requests they become, and what each caller gets. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Request from "effect/Request"
import * as TestClock from "effect/TestClock"
import { Budget, Progress, TranslateResolver, Translator, type Verification } from "effect-translate"
import type { Check } from "effect-translate/checks"
import { Fault } from "effect-translate/emulator"
import { recordingTracer } from "../support/recordingTracer.js"
import {
  badRequest,
  de,
  failsWith,
  fake,
  german,
  mark,
  meter,
  numbered,
  quotaExceeded,
  script,
  served,
  still,
  unauthorized,
  until
} from "./support.js"

const resolving = (translator: ReturnType<typeof fake>, options?: TranslateResolver.Options) =>
  Layer.provide(TranslateResolver.layer(options), Layer.succeed(Translator.Translator, translator.service))

const sizes = ({ calls }: ReturnType<typeof fake>) => calls.map(({ length }) => length).sort((a, b) => b - a)

/** Each text by itself, in one effect that batches its requests. */
const batched = (texts: ReadonlyArray<string>, options: TranslateResolver.TranslateOptions = de) =>
  Effect.forEach(texts, (text) => TranslateResolver.translate(text, options), { batching: true })

/** Each text in a fiber that knows nothing of the others. */
const forked = (texts: ReadonlyArray<string>, options: TranslateResolver.TranslateOptions = de) =>
  Effect.forEach(texts, (text) => Effect.fork(TranslateResolver.translate(text, options)))

const joinAll = <A, E>(fibers: ReadonlyArray<Fiber.RuntimeFiber<A, E>>) => Effect.forEach(fibers, Fiber.join)

const awaitAll = <A, E>(fibers: ReadonlyArray<Fiber.RuntimeFiber<A, E>>) =>
  Effect.forEach(fibers, Fiber.await)

const textsOf = (translations: ReadonlyArray<TranslateResolver.Translation>) =>
  translations.map(({ text }) => text)

const window = Duration.millis(10)

describe("200 calls of one text", () => {
  it.effect("make 4 requests under batching", () => {
    const translator = fake()
    return Effect.gen(function* () {
      expect(textsOf(yield* batched(numbered(200)))).toEqual(numbered(200).map(mark))
      expect(sizes(translator)).toEqual([50, 50, 50, 50])
    }).pipe(Effect.provide(resolving(translator)))
  })

  it.effect("make 4 requests from fibers that know nothing of each other, within a window", () => {
    const translator = fake()
    return Effect.gen(function* () {
      const fibers = yield* forked(numbered(200))
      yield* still(() => translator.calls.length)
      yield* TestClock.adjust(window)
      expect(textsOf(yield* joinAll(fibers))).toEqual(numbered(200).map(mark))
      expect(sizes(translator)).toEqual([50, 50, 50, 50])
    }).pipe(Effect.provide(resolving(translator, { window })))
  })

  it.virtual.each([
    ["batched", batched] as const,
    ["forked", (texts: ReadonlyArray<string>) => Effect.flatMap(forked(texts), joinAll)] as const
  ])("make 4 requests over HTTP, %s", ([, run]) =>
    Effect.gen(function* () {
      expect(textsOf(yield* run(numbered(200)))).toEqual(numbered(200).map(german))
      expect((yield* meter).requests).toBe(4)
    }).pipe(Effect.provide(Layer.provideMerge(TranslateResolver.layer({ window: "20 millis" }), served())))
  )

  it.effect("each make a request of their own without batching and without a window", () => {
    const translator = fake()
    return Effect.gen(function* () {
      yield* Effect.forEach(numbered(5), (text) => TranslateResolver.translate(text, de))
      expect(sizes(translator)).toEqual([1, 1, 1, 1, 1])
    }).pipe(Effect.provide(resolving(translator)))
  })
})

describe("requests", () => {
  it("are equal if both their texts and the meaning of their options are, whatever their hashes are", () => {
    const of = (text: string, options: TranslateResolver.TranslateOptions) =>
      new TranslateResolver.TranslateText({ text, options })
    const equals = (that: unknown) => of("a", { targetLang: "de" })[Equal.symbol](that)
    expect(equals(of("a", { targetLang: "DE" }))).toBe(true)
    expect(equals(of("b", { targetLang: "de" }))).toBe(false)
    expect(equals(of("a", { targetLang: "fr" }))).toBe(false)
    expect(equals({ text: "a", options: { targetLang: "de" } })).toBe(false)
  })

  it.effect("hold at most 131,072 bytes", () => {
    const translator = fake()
    return Effect.gen(function* () {
      yield* batched(Array.from({ length: 10 }, (_, index) => `${index}`.repeat(30_000)))
      expect(sizes(translator)).toEqual([4, 4, 2])
    }).pipe(Effect.provide(resolving(translator)))
  })

  it.effect("hold texts of the same options, however these are written", () => {
    const translator = fake()
    return Effect.gen(function* () {
      const calls = [
        { targetLang: "de", formality: "more" },
        { formality: "more", targetLang: "DE", context: undefined },
        { targetLang: "fr", formality: "more" },
        { targetLang: "de" }
      ] as const
      yield* Effect.forEach(calls, (options, index) => TranslateResolver.translate(`t${index}`, options), {
        batching: true
      })
      expect(translator.calls).toHaveLength(3)
      expect(translator.calls).toContainEqual(["t0", "t1"])
    }).pipe(Effect.provide(resolving(translator)))
  })

  it.effect("hold an equal text once", () => {
    const translator = fake()
    return Effect.gen(function* () {
      const results = yield* batched(["a", "b", "a"])
      expect(textsOf(results)).toEqual(["a", "b", "a"].map(mark))
      expect(results.map(({ cost }) => cost.characters)).toEqual([1, 1, 0])
      expect(translator.calls).toEqual([["a", "b"]])
    }).pipe(Effect.provide(resolving(translator)))
  })

  it.effect("are sent as soon as they are full, before the window ends", () => {
    const translator = fake()
    return Effect.gen(function* () {
      const fibers = yield* forked(numbered(60))
      yield* until(() => translator.calls.length === 1)
      expect(textsOf(yield* joinAll(fibers.slice(0, 50)))).toEqual(numbered(50).map(mark))
      yield* still(() => translator.calls.length)
      expect(sizes(translator)).toEqual([50])
      yield* TestClock.adjust(window)
      yield* joinAll(fibers)
      expect(sizes(translator)).toEqual([50, 10])
    }).pipe(Effect.provide(resolving(translator, { window })))
  })

  it.effect("are full at 50 different texts: 200 calls of which each text comes four times are one", () => {
    const translator = fake()
    return Effect.gen(function* () {
      const texts = Array.from({ length: 200 }, (_, index) => `t${index % 50}`)
      const fibers = yield* forked(texts)
      yield* still(() => translator.calls.length)
      yield* TestClock.adjust(window)
      const results = yield* joinAll(fibers)
      expect(textsOf(results)).toEqual(texts.map(mark))
      expect(results.reduce((sum, { cost }) => sum + cost.characters, 0)).toBe(numbered(50).join("").length)
      expect(sizes(translator)).toEqual([50])
    }).pipe(Effect.provide(resolving(translator, { window })))
  })

  it.effect("take in 51 calls of 50 texts, the last of which comes while its text is in flight", () => {
    const translator = fake(() => Effect.sleep("1 second"))
    return Effect.gen(function* () {
      const fibers = yield* forked(numbered(50))
      yield* until(() => translator.calls.length === 1)
      const late = yield* Effect.fork(TranslateResolver.translate(" t7 ", de))
      const other = yield* Effect.fork(TranslateResolver.translate("t7", { targetLang: "fr" }))
      yield* still(() => translator.calls.length)
      yield* TestClock.adjust(window)
      yield* until(() => translator.calls.length === 2)
      yield* TestClock.adjust("1 second")
      yield* joinAll(fibers)
      expect(yield* Fiber.join(late)).toMatchObject({ text: ` ${mark("t7")} `, cost: { characters: 0 } })
      yield* Fiber.join(other)
      expect(sizes(translator)).toEqual([50, 1])
    }).pipe(Effect.provide(resolving(translator, { window })))
  })

  it.effect("are made again for a text whose request has ended", () => {
    const translator = fake()
    return Effect.gen(function* () {
      for (const _ of [1, 2]) {
        const fibers = yield* forked(["a"])
        yield* still(() => translator.calls.length)
        yield* TestClock.adjust(window)
        yield* joinAll(fibers)
      }
      expect(translator.calls).toEqual([["a"], ["a"]])
    }).pipe(Effect.provide(resolving(translator, { window })))
  })

  it.effect("are not made for texts that Effect's request cache holds", () => {
    const translator = fake()
    return Effect.gen(function* () {
      expect(textsOf(yield* batched(["a", "b"]))).toEqual(["a", "b"].map(mark))
      expect(textsOf(yield* batched(["b", "c"], { targetLang: "DE" }))).toEqual(["b", "c"].map(mark))
      expect(textsOf(yield* batched(["b"], { targetLang: "fr" }))).toEqual(["b"].map(mark))
      expect(translator.calls).toEqual([["a", "b"], ["c"], ["b"]])
    }).pipe(
      Effect.withRequestCaching(true),
      Effect.withRequestCache(Effect.runSync(Request.makeCache({ capacity: 100, timeToLive: "1 hour" }))),
      Effect.provide(resolving(translator))
    )
  })
})

describe("a text", () => {
  it.effect("that is blank comes back as it is, at no cost", () => {
    const translator = fake()
    return Effect.gen(function* () {
      expect(yield* TranslateResolver.translate(" \n", de)).toEqual({
        text: " \n",
        cost: { characters: 0, ambiguousCharacters: 0 }
      })
      expect(translator.calls).toEqual([])
    }).pipe(Effect.provide(resolving(translator)))
  })

  it.effect("that the service refuses fails alone, with its typed error", () => {
    const translator = fake((texts) => (texts.includes("t17") ? Effect.fail(badRequest) : Effect.void))
    return Effect.gen(function* () {
      yield* batched(["first"])
      const exits = yield* Effect.forEach(
        numbered(50),
        (text) => Effect.exit(TranslateResolver.translate(text, de)),
        { batching: true }
      )
      expect(failsWith(exits[17]!)).toBe(badRequest)
      expect(exits.filter(Exit.isSuccess)).toHaveLength(49)
    }).pipe(Effect.provide(resolving(translator)))
  })

  it.virtual("that the service refuses fails alone among fibers, over HTTP", () =>
    Effect.gen(function* () {
      const texts = [...numbered(20), "POISON"]
      yield* TranslateResolver.translate("first", de)
      yield* script(Fault.times(Fault.poison("POISON"), 100))
      const exits = yield* Effect.flatMap(forked(texts), awaitAll)
      expect(exits.map(Exit.isSuccess)).toEqual([...numbered(20).map(() => true), false])
    }).pipe(Effect.provide(Layer.provideMerge(TranslateResolver.layer({ window: "5 millis" }), served())))
  )

  it.effect("too large for a request is cut, unless the options say otherwise", () => {
    const translator = fake()
    const long = "A sentence of some words. ".repeat(6000).trim()
    return Effect.gen(function* () {
      const { cost } = yield* TranslateResolver.translate(long, de)
      expect(cost.characters).toBeGreaterThan(150_000)
      expect(translator.calls.length).toBeGreaterThan(1)
      const failed = yield* TranslateResolver.translate(long, de).pipe(
        Effect.exit,
        Effect.provide(resolving(translator, { oversized: "fail" }))
      )
      expect(failsWith(failed)).toMatchObject({ _tag: "InvalidRequest" })
    }).pipe(Effect.provide(resolving(translator)))
  })

  it.effect("with options that break a rule fails, and nothing is sent", () => {
    const translator = fake()
    return Effect.gen(function* () {
      const options = { targetLang: "de", styleId: "id", modelType: "latency_optimized" } as const
      const [good, bad] = yield* Effect.all(
        [TranslateResolver.translate("a", de), Effect.exit(TranslateResolver.translate("b", options))],
        { batching: true }
      )
      expect(good.text).toBe(mark("a"))
      expect(failsWith(bad)).toMatchObject({ _tag: "InvalidRequest" })
      expect(translator.calls).toEqual([["a"]])
    }).pipe(Effect.provide(resolving(translator)))
  })

  it.effect.each([[unauthorized], [quotaExceeded]])(
    "fails with %s of its request; later calls are sent again",
    ([error]) => {
      let isDown = true
      const translator = fake(() => (isDown ? Effect.fail(error!) : Effect.void))
      return Effect.gen(function* () {
        const exits = yield* Effect.forEach(
          numbered(120),
          (text) => Effect.exit(TranslateResolver.translate(text, de)),
          { batching: true }
        )
        expect(new Set(exits.map((exit) => failsWith(exit)))).toEqual(new Set([error]))
        expect(translator.calls).toHaveLength(1)
        isDown = false
        expect(textsOf(yield* batched(["a"]))).toEqual([mark("a")])
      }).pipe(Effect.provide(resolving(translator)))
    }
  )
})

describe("a caller that is interrupted", () => {
  it.effect("within the window has nothing sent; the others get their translations", () => {
    const translator = fake()
    return Effect.gen(function* () {
      const [first, second, third] = yield* forked(["a", "b", "c"])
      yield* still(() => translator.calls.length)
      yield* Fiber.interrupt(first!)
      yield* TestClock.adjust(window)
      expect(textsOf(yield* joinAll([second!, third!]))).toEqual([mark("b"), mark("c")])
      expect(translator.calls).toEqual([["b", "c"]])
    }).pipe(Effect.provide(resolving(translator, { window })))
  })

  it.effect("while its text is in flight does not hurt the others", () => {
    const translator = fake(() => Effect.sleep("1 second"))
    return Effect.gen(function* () {
      const [first, second] = yield* forked(["a", "b"])
      yield* still(() => translator.calls.length)
      yield* TestClock.adjust(window)
      yield* until(() => translator.calls.length === 1)
      yield* Fiber.interrupt(first!)
      yield* TestClock.adjust("1 second")
      expect((yield* Fiber.join(second!)).text).toBe(mark("b"))
      expect(translator.state.interrupted).toBe(0)
    }).pipe(Effect.provide(resolving(translator, { window })))
  })

  it.effect("does not hurt another one with the same text", () => {
    const translator = fake(() => Effect.sleep("1 second"))
    return Effect.gen(function* () {
      const [first, second] = yield* forked(["a", "a"])
      yield* still(() => translator.calls.length)
      yield* TestClock.adjust(window)
      yield* until(() => translator.calls.length === 1)
      yield* Fiber.interrupt(first!)
      yield* TestClock.adjust("1 second")
      expect((yield* Fiber.join(second!)).text).toBe(mark("a"))
      expect(translator.calls).toEqual([["a"]])
    }).pipe(Effect.provide(resolving(translator, { window })))
  })

  it.effect("before another joins its text in flight leaves the request to that one, with its cost", () => {
    const translator = fake(() => Effect.sleep("1 second"))
    return Effect.gen(function* () {
      const [first] = yield* forked(["a"])
      yield* still(() => translator.calls.length)
      yield* TestClock.adjust(window)
      yield* until(() => translator.calls.length === 1)
      const second = yield* Effect.fork(TranslateResolver.translate("a", de))
      yield* still(() => translator.calls.length)
      yield* Fiber.interrupt(first!)
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(second)).toMatchObject({ text: mark("a"), cost: { characters: 1 } })
      expect(translator.calls).toEqual([["a"]])
      expect(translator.state.interrupted).toBe(0)
    }).pipe(Effect.provide(resolving(translator, { window })))
  })

  it.effect.each([
    ["of a window", { window }],
    ["without a window", {}]
  ] as const)("as the last one %s has the request interrupted", ([, options]) => {
    const translator = fake(() => Effect.never)
    return Effect.gen(function* () {
      const fibers = yield* forked(["a", "a"])
      yield* still(() => translator.calls.length)
      yield* TestClock.adjust(window)
      yield* until(() => translator.calls.length > 0)
      yield* Fiber.interruptAll(fibers)
      yield* until(() => translator.state.interrupted === translator.calls.length)
    }).pipe(Effect.provide(resolving(translator, options)))
  })
})

describe("options", () => {
  it.effect("a budget holds for all calls of a resolver", () => {
    const translator = fake()
    return Effect.gen(function* () {
      expect(textsOf(yield* batched(["abc", "de"]))).toEqual(["abc", "de"].map(mark))
      const exit = yield* Effect.exit(TranslateResolver.translate("f", de))
      expect(failsWith(exit)).toEqual(new Budget.BudgetExceeded({ cap: 5, used: 5, needed: 1 }))
      expect(translator.calls).toHaveLength(1)
    }).pipe(Effect.provide(resolving(translator, { budget: 5 })))
  })

  it.effect("a progress counts all calls of a resolver", () => {
    const translator = fake()
    return Effect.gen(function* () {
      const progress = yield* Progress.make()
      const layer = resolving(translator, { progress })
      yield* Effect.provide(Effect.zipRight(batched(["a", "b"]), batched(["c"])), layer)
      const { characters, done, requests } = yield* progress.state
      expect({ characters, done, requests }).toEqual({ characters: 3, done: 3, requests: 2 })
    })
  })

  it.effect("placeholders are kept", () => {
    const translator = fake()
    return Effect.gen(function* () {
      yield* TranslateResolver.translate("Hello {name}", de)
      expect(translator.calls).toEqual([['Hello <x id="1">{name}</x>']])
    }).pipe(Effect.provide(resolving(translator, { placeholders: {} })))
  })
})

describe("a translation that looks wrong", () => {
  const bracket: Check.Check = {
    name: "bracket",
    find: ({ source }) => [
      {
        check: "bracket",
        severity: "error",
        explanation: "It begins with a bracket.",
        source: [{ start: 0, end: source.length }],
        translation: [{ start: 0, end: 1 }]
      }
    ]
  }

  const answer = (policy: Verification.Policy) =>
    TranslateResolver.translate("  Cup", de).pipe(
      Effect.provide(resolving(fake(), { verify: { checks: [bracket], policies: { bracket: policy } } }))
    )

  it.effect("comes with its findings, whose places count the whitespace around the text", () =>
    Effect.gen(function* () {
      const { findings, text } = yield* answer("flag")
      expect(text).toBe("  <Cup>")
      expect(findings).toMatchObject([
        { check: "bracket", source: [{ start: 2, end: 5 }], translation: [{ start: 2, end: 3 }] }
      ])
    })
  )

  it.effect("fails the call where the policy says so", () =>
    Effect.gen(function* () {
      expect((yield* Effect.flip(answer("fail")))._tag).toBe("TranslationRefused")
    })
  )
})

describe("spans", () => {
  it.effect("of a window link to those of its callers", () => {
    const translator = fake()
    const { spans, tracer } = recordingTracer()
    return Effect.gen(function* () {
      const fibers = yield* Effect.forEach(["a", "b"], (text) =>
        Effect.fork(Effect.withSpan(TranslateResolver.translate(text, de), `caller ${text}`))
      )
      yield* still(() => translator.calls.length)
      yield* TestClock.adjust(window)
      yield* joinAll(fibers)
      const linked = spans.find(({ name }) => name === "effect-translate.window")!.links
      expect(linked.map(({ span }) => "name" in span && span.name)).toEqual(["caller a", "caller b"])
      expect(spans.find(({ name }) => name === "effect-translate.batch")?.parent).toMatchObject({
        value: { name: "effect-translate.window" }
      })
    }).pipe(Effect.provide(resolving(translator, { window })), Effect.withTracer(tracer))
  })
})

describe("a resolver", () => {
  it.effect("that is closed fails nobody twice and leaves nothing running", () => {
    const translator = fake(() => Effect.never)
    return Effect.gen(function* () {
      const scope = yield* Deferred.make<void>()
      const fiber = yield* Effect.zipRight(
        Effect.forkDaemon(TranslateResolver.translate("a", de)).pipe(
          Effect.tap(Deferred.succeed(scope, undefined))
        ),
        Effect.never
      ).pipe(Effect.provide(resolving(translator, { window })), Effect.fork)
      yield* Deferred.await(scope)
      yield* still(() => translator.calls.length)
      yield* TestClock.adjust(window)
      yield* until(() => translator.calls.length === 1)
      yield* Fiber.interrupt(fiber)
      yield* until(() => translator.state.interrupted === 1)
    })
  })
})
