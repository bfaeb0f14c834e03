/** The virtual time that simulations run in: `test/support/virtualClock.ts`. */
import { expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { neverReached } from "../support/soak/faults.js"
import * as virtualClock from "../support/virtualClock.js"

/** The order in which some fibers go on that nothing keeps in another one. */
const order = (seed: number) =>
  Effect.suspend(() => {
    const seen: Array<number> = []
    const turns = (fiber: number) =>
      Effect.repeatN(
        Effect.zipRight(
          Effect.yieldNow(),
          Effect.sync(() => seen.push(fiber))
        ),
        9
      )
    return Effect.as(Effect.forEach([1, 2, 3], turns, { concurrency: 3, discard: true }), seen)
  }).pipe((fibers) => virtualClock.run(fibers, { seed }))

it.live("a seed draws the same order of fibers each time, and another seed another one", () =>
  Effect.gen(function* () {
    const seen = yield* order(1)
    expect(yield* order(1)).toEqual(seen)
    expect(yield* order(2)).not.toEqual(seen)
  })
)

it.live("sleeps and timers take no time, and come in their order", () =>
  Effect.gen(function* () {
    const { setTimeout } = globalThis
    const seen = yield* virtualClock.run(
      Effect.gen(function* () {
        const seen: Array<string> = []
        const note = (what: string) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            seen.push(`${what} at ${now}`)
          })
        const timer = Effect.async<void>((resume) => {
          globalThis.setTimeout(() => resume(Effect.void), 3_600_000)
        })
        const sleeper = Effect.zipRight(Effect.sleep("2 hours"), note("sleeper"))
        yield* Effect.all([sleeper, Effect.zipRight(timer, note("timer"))], { concurrency: 2 })
        return seen
      })
    )
    expect(seen).toEqual(["timer at 3600000", "sleeper at 7200000"])
    expect(globalThis.setTimeout).toBe(setTimeout)
  })
)

it.live("a program in which nothing can happen any more is told of at once", () =>
  Effect.gen(function* () {
    const cause = yield* Effect.flip(Effect.sandbox(virtualClock.run(Effect.never)))
    expect(Cause.pretty(cause)).toContain("Nothing can happen any more")
  })
)

it("the table of faults names the kinds and the fates that no program has met", () => {
  const never = neverReached(new Map([["fault 429: answered", 1]]))
  expect(never).toContain("503")
  expect(never).toContain("interrupted")
  expect(never).not.toContain("429")
  expect(never).not.toContain("answered")
})
