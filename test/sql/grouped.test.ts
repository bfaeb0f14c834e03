/** Calls that are carried out together. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as groupCommit from "../../src/sql/internal/groupCommit.js"

/** Doubles numbers, and notes which it was given together. Each group waits until it may go on. */
const doubling = Effect.gen(function* () {
  const groups: Array<ReadonlyArray<number>> = []
  const begun = yield* Deferred.make<void>()
  const goOn = yield* Deferred.make<void, "no">()
  const call = groupCommit.make((numbers: ReadonlyArray<number>) =>
    Effect.suspend(() => {
      groups.push(numbers)
      return Deferred.succeed(begun, undefined).pipe(
        Effect.zipRight(Deferred.await(goOn)),
        Effect.as(numbers.map((n) => 2 * n))
      )
    })
  )
  return { begun: Deferred.await(begun), call, goOn, groups }
})

describe("calls that are carried out together", () => {
  it.live("are those of one moment, then those that came meanwhile", () =>
    Effect.gen(function* () {
      const { begun, call, goOn, groups } = yield* doubling
      const first = yield* Effect.fork(Effect.forEach([1, 2, 3], call, { concurrency: "unbounded" }))
      yield* begun
      const second = yield* Effect.fork(Effect.forEach([4, 5], call, { concurrency: "unbounded" }))
      yield* Effect.yieldNow()
      yield* Deferred.succeed(goOn, undefined)
      expect(yield* Fiber.join(first)).toEqual([2, 4, 6])
      expect(yield* Fiber.join(second)).toEqual([8, 10])
      expect(groups).toEqual([
        [1, 2, 3],
        [4, 5]
      ])
    })
  )

  it.live("fail together", () =>
    Effect.gen(function* () {
      const { call, goOn } = yield* doubling
      yield* Deferred.fail(goOn, "no")
      const exits = yield* Effect.forEach([1, 2], (n) => Effect.exit(call(n)), { concurrency: "unbounded" })
      expect(exits).toEqual([Exit.fail("no"), Exit.fail("no")])
    })
  )

  it.live("are not begun after they were interrupted, and are ended if they have begun", () =>
    Effect.gen(function* () {
      const { begun, call, goOn, groups } = yield* doubling
      const first = yield* Effect.fork(call(1))
      yield* begun
      const second = yield* Effect.fork(call(2))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(second)
      const interrupting = yield* Effect.fork(Fiber.interrupt(first))
      yield* Effect.yieldNow()
      expect(interrupting.unsafePoll()).toBe(null)
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(interrupting)
      expect(yield* call(3)).toBe(6)
      expect(groups).toEqual([[1], [3]])
    })
  )
})
