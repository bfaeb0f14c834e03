/** What a batch reserves of a budget, settles, and tells the progress: by the function that accounts for it. No stream runs. */
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { Budget, type Outcome, type Progress } from "effect-translate"
import { StoreError } from "effect-translate/store"
import * as bulkCalls from "../../src/internal/bulkCalls.js"
import * as Accounting from "../../src/stream/internal/accounting.js"
import type * as Cost from "../../src/stream/internal/cost.js"
import type * as ProgressObserver from "../../src/stream/ProgressObserver.js"
import { recordingTracer } from "../support/recordingTracer.js"
import { answerOf, inDoubt, rateLimited, unauthorized } from "./support.js"

const texts = ["four", "🌍🌍"]

/** A progress that notes what it is told. */
const noted = () => {
  const told: Array<unknown> = []
  const observer: ProgressObserver.Observer = {
    sent: (...sent) => {
      told.push(["sent", ...sent])
      return { repeated: () => told.push("repeated"), ended: (...ended) => told.push(["ended", ...ended]) }
    },
    emitted: () => {},
    outage: () => {}
  }
  return { told, observer }
}

const unreachable = new StoreError.StoreUnavailable({ store: "a.db", code: "ECONNREFUSED" })

const errorOf = (exit: Exit.Exit<unknown, Outcome.StreamError>) =>
  Exit.isFailure(exit) ? Option.getOrUndefined(Cause.failureOption(exit.cause)) : undefined

interface Given {
  readonly budget?: Budget.Service
  readonly observer?: ProgressObserver.Observer
  readonly traced?: Progress.Languages
}

const account = (
  { budget, observer, traced }: Given,
  send: Effect.Effect<Cost.Answer, Outcome.StreamError>
) => {
  const ended: Array<{
    readonly exit: Exit.Exit<Cost.Answer, Outcome.StreamError>
    readonly cost: Cost.BatchCost
  }> = []
  const accounted = Accounting.make({ budget, observer, traced })
  const sent = (mayRepeat: Effect.Effect<boolean>) =>
    Effect.provideService(send, bulkCalls.BulkCalls, { ...bulkCalls.plain(), mayRepeat })
  const run = accounted(texts, sent, (exit, cost) => ended.push({ exit, cost }))
  return { accounted, ended, run }
}

/** A request of which an attempt was in doubt, and which was repeated if that was allowed. */
const repeated = Effect.flatMap(bulkCalls.BulkCalls, (operator) =>
  Effect.flatMap(operator!.mayRepeat, (isAllowed) =>
    isAllowed ? Effect.succeed(answerOf(texts, 1)) : Effect.fail(inDoubt)
  )
)

const answered = Effect.succeed(answerOf(texts))

describe("a batch that is answered", () => {
  it.effect("holds the characters of its texts while it is sent, and has spent them then", () =>
    Effect.gen(function* () {
      const budget = yield* Budget.make(6)
      const during: Array<Budget.State> = []
      const send = Effect.tap(answered, () => Effect.map(budget.state, (state) => during.push(state)))
      const { ended, run } = account({ budget }, send)
      yield* run
      expect(during).toEqual([{ cap: 6, spent: 0, reserved: 6 }])
      expect(yield* budget.state).toEqual({ cap: 6, spent: 6, reserved: 0 })
      expect(ended).toMatchObject([{ cost: { billed: [4, 2], characters: 6, ambiguousCharacters: 0 } }])
    })
  )

  for (const withBudget of [true, false]) {
    it.effect(`is told to the progress (${withBudget ? "with" : "without"} a budget)`, () =>
      Effect.gen(function* () {
        const { observer, told } = noted()
        const budget = withBudget ? { budget: yield* Budget.make(100) } : {}
        yield* account({ ...budget, observer }, repeated).run
        expect(told).toEqual([
          ["sent", 2, 6],
          "repeated",
          ["ended", 2, { characters: 6, ambiguousCharacters: 6 }, undefined]
        ])
      })
    )
  }

  it.effect("counts an attempt in doubt as spent, and holds its characters before it is repeated", () =>
    Effect.gen(function* () {
      const budget = yield* Budget.make(12)
      yield* account({ budget }, repeated).run
      expect(yield* budget.state).toEqual({ cap: 12, spent: 12, reserved: 0 })
    })
  )
})

describe("a batch that a budget does not hold", () => {
  it.effect("is not sent, and fails with the rest of the budget", () =>
    Effect.gen(function* () {
      const budget = yield* Budget.make(5)
      const { observer, told } = noted()
      const { ended, run } = account({ budget, observer }, Effect.die("It was sent"))
      yield* run
      expect(ended).toMatchObject([{ cost: { characters: 0, ambiguousCharacters: 0 } }])
      const error = Cause.failureOption((ended[0]!.exit as Exit.Failure<never, Outcome.StreamError>).cause)
      expect(Option.getOrUndefined(error)).toMatchObject({
        _tag: "BudgetExceeded",
        cap: 5,
        used: 0,
        needed: 6
      })
      expect(told).toEqual([])
      expect(yield* budget.state).toEqual({ cap: 5, spent: 0, reserved: 0 })
    })
  )

  it.effect("is told its spent and held characters", () =>
    Effect.gen(function* () {
      const budget = yield* Budget.make(10)
      yield* budget.reserve(5)
      yield* budget.settle(2, 4)
      expect(yield* Effect.flip(Budget.exceeded(budget, 7))).toMatchObject({ cap: 10, used: 7, needed: 7 })
    })
  )

  it.effect("is not repeated after an attempt in doubt, which counts as spent", () =>
    Effect.gen(function* () {
      const budget = yield* Budget.make(11)
      const { observer, told } = noted()
      const { ended, run } = account({ budget, observer }, repeated)
      yield* run
      expect(ended).toMatchObject([{ exit: Exit.fail(inDoubt), cost: { ambiguousCharacters: 6 } }])
      expect(told).not.toContain("repeated")
      expect(yield* budget.state).toEqual({ cap: 11, spent: 6, reserved: 0 })
    })
  )

  it.effect("is not sent if the budget can't be asked, and not repeated if it can't be any more", () =>
    Effect.gen(function* () {
      const inner = yield* Budget.make(100)
      const failing = (reachable: number): Budget.Service => ({
        ...inner,
        reserve: (characters) =>
          Effect.suspend(() => (reachable-- > 0 ? inner.reserve(characters) : Effect.fail(unreachable)))
      })
      const never = account({ budget: failing(0) }, Effect.die("It was sent"))
      yield* never.run
      expect(never.ended[0]!.exit).toEqual(Exit.fail(unreachable))
      const once = account({ budget: failing(1) }, repeated)
      yield* once.run
      expect(once.ended[0]!.exit).toEqual(Exit.fail(inDoubt))
      expect(yield* inner.state).toEqual({ cap: 100, spent: 6, reserved: 0 })
    })
  )
})

describe("a batch that fails", () => {
  it.effect("gives back its held characters, if nothing was billed", () =>
    Effect.gen(function* () {
      const budget = yield* Budget.make(6)
      yield* account({ budget }, Effect.fail(unauthorized)).run
      expect(yield* budget.state).toEqual({ cap: 6, spent: 0, reserved: 0 })
    })
  )

  it.effect("tells the progress its attempts and the tag of its error", () =>
    Effect.gen(function* () {
      const { observer, told } = noted()
      yield* account({ observer }, Effect.fail(rateLimited)).run
      expect(told).toEqual([
        ["sent", 2, 6],
        ["ended", 6, { characters: 0, ambiguousCharacters: 0 }, "RateLimited"]
      ])
    })
  )

  it.effect("by an error that knows of no attempts was never sent", () =>
    Effect.gen(function* () {
      const { observer, told } = noted()
      yield* account({ observer }, Effect.fail(unreachable)).run
      expect(told[1]).toEqual(["ended", 0, { characters: 0, ambiguousCharacters: 0 }, "StoreUnavailable"])
    })
  )
})

describe("a batch that is interrupted", () => {
  it.effect("stays held, since it may be billed; the progress is told of nothing", () =>
    Effect.gen(function* () {
      const budget = yield* Budget.make(6)
      const { observer, told } = noted()
      const { ended, run } = account({ budget, observer }, Effect.never)
      const fiber = yield* Effect.fork(run)
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      expect(yield* budget.state).toEqual({ cap: 6, spent: 0, reserved: 6 })
      expect(told).toEqual([["sent", 2, 6]])
      expect(ended).toEqual([])
    })
  )

  it.effect("before it is sent gives back its held characters, once the budget has answered", () =>
    Effect.gen(function* () {
      const inner = yield* Budget.make(6)
      const asked = yield* Deferred.make<void>()
      const slow: Budget.Service = {
        ...inner,
        reserve: (characters) => Effect.zipRight(Deferred.await(asked), inner.reserve(characters))
      }
      const { ended, run } = account({ budget: slow }, Effect.die("It was sent"))
      const fiber = yield* Effect.fork(run)
      yield* Effect.yieldNow()
      const interrupted = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* Effect.yieldNow()
      yield* Deferred.succeed(asked, undefined)
      expect(Exit.isInterrupted(yield* Fiber.join(interrupted))).toBe(true)
      expect(yield* inner.state).toEqual({ cap: 6, spent: 0, reserved: 0 })
      expect(ended).toEqual([])
    })
  )

  it.effect("by its own call counts as interrupted, and nothing of it as sent", () =>
    Effect.gen(function* () {
      const { observer, told } = noted()
      yield* account({ observer }, Effect.interrupt).run
      expect(told[1]).toEqual(["ended", 0, { characters: 0, ambiguousCharacters: 0 }, "Interrupted"])
    })
  )
})

describe("a language that costs nothing", () => {
  it.effect("is held in full like any other, and gives back characters that the service does not bill", () =>
    Effect.gen(function* () {
      const budget = yield* Budget.make(6)
      const ofService = (billedCharacters: number) => ({
        ...answerOf(texts),
        translations: texts.map((text) => ({ text, billedCharacters }))
      })
      const held: Array<Budget.State> = []
      const { accounted, ended } = account({ budget }, answered)
      const send = (billed: number) =>
        accounted(
          texts,
          () =>
            Effect.tap(Effect.succeed(ofService(billed)), () =>
              Effect.map(budget.state, (state) => held.push(state))
            ),
          (exit, cost) => ended.push({ exit, cost })
        )
      yield* send(0)
      yield* send(2)
      yield* send(2)
      expect(held).toEqual([
        { cap: 6, spent: 0, reserved: 6 },
        { cap: 6, spent: 0, reserved: 6 }
      ])
      expect(errorOf(ended[2]!.exit)).toMatchObject({ _tag: "BudgetExceeded", used: 4, needed: 6 })
    })
  )
})

describe("the span of a batch", () => {
  for (const [what, budget] of [
    ["with", Budget.make(100)],
    ["without", Effect.succeed(undefined)]
  ] as const) {
    it.effect(`counts sent texts and their cost, and names the languages (${what} a budget)`, () =>
      Effect.gen(function* () {
        const { spans, tracer } = recordingTracer()
        const given = { budget: yield* budget, traced: { sourceLang: "en", targetLang: "de" } }
        yield* Effect.withTracer(account(given as Given, repeated).run, tracer)
        expect(spans.map(({ name }) => name)).toEqual(["effect-translate.batch"])
        expect(Object.fromEntries(spans[0]!.attributes)).toEqual({
          "translate.texts": 2,
          "translate.characters": 6,
          "translate.source_lang": "en",
          "translate.target_lang": "de",
          "translate.requests": 2,
          "translate.billed_characters": 6
        })
      })
    )
  }

  it.effect("names no language that is not known, and is none where nobody traces", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recordingTracer()
      yield* Effect.withTracer(account({ traced: {} }, answered).run, tracer)
      expect([...spans[0]!.attributes.keys()].filter((key) => key.endsWith("lang"))).toEqual([])
      yield* Effect.withTracer(account({ budget: yield* Budget.make(100) }, answered).run, tracer)
      expect(spans).toHaveLength(1)
    })
  )
})

describe("the message of a budget", () => {
  const of = (cap: number, used: number, needed: number) =>
    new Budget.BudgetExceeded({ cap, used, needed }).message

  it("says if it is too small for the next text by itself", () => {
    expect(of(5, 0, 6)).toContain("too small")
    expect(of(5, 1, 5)).toContain("used up")
  })
})
