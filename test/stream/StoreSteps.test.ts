/** What a stream asks its store, step by step, and what it makes of the answers. No stream runs. */
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import { StoreError } from "effect-translate/store"
import type * as TranslationStore from "../../src/store/TranslationStore.js"
import { FailedBefore } from "../../src/stream/FailedBefore.js"
import * as Row from "../../src/stream/internal/element.js"
import type { LookUp } from "../../src/stream/internal/lookUps.js"
import type { Settled } from "../../src/stream/internal/matching.js"
import type { Scheduler } from "../../src/stream/internal/scheduler.js"
import * as Store from "../../src/stream/internal/translationStore.js"
import { inDoubt, unauthorized } from "./support.js"

const storeFailure = new StoreError.StoreUnavailable({ store: "a.db", code: "ECONNREFUSED" })

const itemsOf = (...texts: ReadonlyArray<string>): ReadonlyArray<Row.Item<string>> => {
  const items: Array<Row.Item<string>> = []
  Row.forEachItem(Row.make("a row", texts, undefined), (item) => items.push(item))
  return items
}

/** A scheduler that notes what it is told. */
const noted = () => {
  const told: Array<ReadonlyArray<unknown>> = []
  const note =
    (name: string) =>
    (...args: ReadonlyArray<unknown>) =>
      told.push([name, ...args])
  const scheduler = {
    found: note("found"),
    notFound: note("notFound"),
    recorded: note("recorded"),
    notRecorded: note("notRecorded"),
    refusals: { isAtFault: (error: unknown) => error === inDoubt }
  } as unknown as Scheduler<string, string>
  return { told, scheduler }
}

describe("the memory of a stream", () => {
  it.effect("is the last report of a text, and nothing of a text that has failed", () =>
    Effect.gen(function* () {
      const memory = Store.makeMemory({ texts: 10, bytes: 10_000 })
      expect(yield* memory.lookUp(["a", "b"])).toEqual([undefined, undefined])
      yield* memory.record([
        { text: "a", translation: { text: "A" } },
        { text: "b", translation: undefined }
      ])
      expect(yield* memory.lookUp(["b", "a"])).toEqual([undefined, { text: "A" }])
    })
  )

  it.effect("is bounded by texts, and by bytes of both texts", () =>
    Effect.gen(function* () {
      const remember = (memory: TranslationStore.Session, ...texts: ReadonlyArray<string>) =>
        Effect.zipRight(
          memory.record(texts.map((text) => ({ text, translation: { text: text.toUpperCase() } }))),
          Effect.map(memory.lookUp(texts), (known) => known.map((translation) => translation?.text))
        )
      const two = Store.makeMemory({ texts: 2, bytes: 10_000 })
      expect(yield* remember(two, "a", "b", "c")).toEqual([undefined, "B", "C"])
      // An entry of two texts of 100 characters takes 600 bytes.
      const long = ["a", "b", "c"].map((letter) => letter.repeat(100))
      const exact = Store.makeMemory({ texts: 10, bytes: 1200 })
      expect(yield* remember(exact, ...long)).toEqual([
        undefined,
        long[1]!.toUpperCase(),
        long[2]!.toUpperCase()
      ])
      const short = Store.makeMemory({ texts: 10, bytes: 1199 })
      expect(yield* remember(short, ...long)).toEqual([undefined, undefined, long[2]!.toUpperCase()])
    })
  )

  it.effect("holds nobody back: each text may be sent at once", () =>
    Effect.gen(function* () {
      const memory = Store.makeMemory({ texts: 1, bytes: 1000 })
      const claim = yield* memory.claim(["a", "b"])
      expect(claim.granted).toEqual([true, true])
      expect(yield* claim.maySend(3)).toBe(true)
      expect(memory.pollInterval).toEqual(Duration.zero)
    })
  )
})

describe("a look-up", () => {
  const items = itemsOf(" a ", "b", "c")
  const step: LookUp<string> = { _tag: "LookUp", items, isPending: false }
  const failure: TranslationStore.ServiceFailure = { failures: 2, at: DateTime.unsafeMake(0) }

  it.effect("asks for texts without their whitespace, and hands over known ones in their order", () =>
    Effect.gen(function* () {
      const asked: Array<ReadonlyArray<string>> = []
      const { scheduler, told } = noted()
      const store = {
        failedBefore: undefined,
        lookUp: (texts: ReadonlyArray<string>) =>
          Effect.sync(() => {
            asked.push(texts)
            return [{ text: "A" }, undefined, undefined]
          }),
        record: () => Effect.void
      }
      yield* Store.ask(store, scheduler, step)
      expect(asked).toEqual([["a", "b", "c"]])
      expect(told).toEqual([["found", step, [{ text: "A" }, undefined, undefined]]])
    })
  )

  it.effect("tells of unknown texts that the service has failed with before", () =>
    Effect.gen(function* () {
      const { scheduler, told } = noted()
      const store = {
        failedBefore: (text: string) => (text === "c" ? undefined : failure),
        lookUp: () => Effect.succeed([{ text: "A" }, undefined, undefined]),
        record: () => Effect.void
      }
      yield* Store.ask(store, scheduler, step)
      const known = told[0]![2] as ReadonlyArray<unknown>
      expect(known[0]).toEqual({ text: "A" })
      expect(known[1]).toBeInstanceOf(FailedBefore)
      expect(known[2]).toBeUndefined()
    })
  )

  it.effect("that fails is told with its error", () =>
    Effect.gen(function* () {
      const { scheduler, told } = noted()
      const store = {
        failedBefore: undefined,
        lookUp: () => Effect.fail(storeFailure),
        record: () => Effect.void
      }
      yield* Store.ask(store, scheduler, step)
      expect(told).toEqual([["notFound", step, storeFailure]])
    })
  )
})

describe("a record", () => {
  const [a, b, c] = itemsOf(" a ", "b", "c") as [Row.Item<string>, Row.Item<string>, Row.Item<string>]
  const settled: ReadonlyArray<Settled<string>> = [
    { item: a, translation: { text: "A" }, error: undefined },
    { item: b, translation: undefined, error: inDoubt },
    { item: c, translation: undefined, error: unauthorized, refused: { text: "C" } }
  ]
  const step = { _tag: "Record", settled } as const

  it.effect("holds translations, paid and refused texts, and the texts that are at fault", () =>
    Effect.gen(function* () {
      const recorded: Array<unknown> = []
      const { scheduler, told } = noted()
      const store = {
        failedBefore: undefined,
        lookUp: () => Effect.succeed([]),
        record: (results: ReadonlyArray<TranslationStore.Result>) =>
          Effect.sync(() => recorded.push(...results))
      }
      yield* Store.ask(store as never, scheduler, step)
      expect(recorded).toEqual([
        { text: "a", translation: { text: "A" }, hasFailed: false },
        { text: "b", translation: undefined, hasFailed: true },
        { text: "c", translation: { text: "C" }, hasFailed: false }
      ])
      expect(told).toEqual([["recorded", step]])
    })
  )

  it.effect("that fails is told with its error", () =>
    Effect.gen(function* () {
      const { scheduler, told } = noted()
      const store = {
        failedBefore: undefined,
        lookUp: () => Effect.succeed([]),
        record: () => Effect.fail(storeFailure)
      }
      yield* Store.ask(store, scheduler, step)
      expect(told).toEqual([["notRecorded", step, storeFailure]])
    })
  )
})

describe("a claim", () => {
  const make = (maySend: TranslationStore.Claim["maySend"] = () => Effect.succeed(true)) => {
    const ended: Array<string> = []
    const claim = new Store.Claim({ granted: [], maySend, ended: (ending) => ended.push(ending) })
    return { claim, ended }
  }

  const asking = (claim: Store.Claim) => Effect.suspend(() => claim.open()(2))

  it.effect("is asked before each attempt, with those in doubt, and is lost if the store says no", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const held = make((attempts) => Effect.sync(() => asked.push(attempts) === 1))
      expect(yield* held.claim.hold(asking(held.claim))).toBe(true)
      expect(held.claim.isLost).toBe(false)
      expect(yield* held.claim.hold(asking(held.claim))).toBe(false)
      expect([held.claim.isLost, held.claim.error]).toEqual([true, undefined])
      expect(asked).toEqual([2, 2])
    })
  )

  it.effect("is not lost if the store can't be asked, but nothing is sent", () =>
    Effect.gen(function* () {
      const { claim } = make(() => Effect.fail(storeFailure))
      expect(yield* claim.hold(asking(claim))).toBe(false)
      expect(claim).toMatchObject({ isLost: false, error: storeFailure })
    })
  )

  it.effect(
    "is in doubt if a call is interrupted that never asks; one that asks tells it by its errors",
    () =>
      Effect.gen(function* () {
        const interrupted = (claim: Store.Claim, call: Effect.Effect<unknown>) =>
          Effect.gen(function* () {
            const fiber = yield* Effect.fork(claim.hold(call))
            yield* Effect.yieldNow()
            yield* Effect.yieldNow()
            yield* Fiber.interrupt(fiber)
          })
        const silent = make()
        yield* interrupted(silent.claim, Effect.never)
        expect(silent.ended).toEqual(["unknown"])
        const asks = make()
        yield* interrupted(asks.claim, Effect.zipRight(asking(asks.claim), Effect.never))
        expect(asks.ended).toEqual([])
      })
  )

  it("ends as answered, as in doubt after an error in doubt, and else as rejected", () => {
    const { claim, ended } = make()
    claim.answered()
    claim.failed(Cause.fail(inDoubt))
    claim.failed(Cause.fail(unauthorized))
    claim.failed(Cause.fail(storeFailure))
    claim.failed(Cause.interrupt(FiberId.none))
    expect(ended).toEqual(["answered", "unknown", "rejected", "rejected", "rejected"])
  })
})
