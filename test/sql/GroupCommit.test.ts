/** Calls that are carried out together. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Scope from "effect/Scope"
import * as fc from "fast-check"
import * as groupCommit from "../../src/sql/internal/groupCommit.js"
import { runs } from "../support/long.js"

/** Doubles numbers, and notes which it was given together. Each group waits until it may go on. */
const doubling = Effect.gen(function* () {
  const groups: Array<ReadonlyArray<number>> = []
  const begun = yield* Deferred.make<void>()
  const goOn = yield* Deferred.make<void, "no">()
  const call = yield* groupCommit.make((numbers: ReadonlyArray<number>) =>
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
  it.scopedLive("are those of one moment, then those that came meanwhile", () =>
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

  it.scopedLive("fail together", () =>
    Effect.gen(function* () {
      const { call, goOn } = yield* doubling
      yield* Deferred.fail(goOn, "no")
      const exits = yield* Effect.forEach([1, 2], (n) => Effect.exit(call(n)), { concurrency: "unbounded" })
      expect(exits).toEqual([Exit.fail("no"), Exit.fail("no")])
    })
  )

  it.scopedLive("are not begun after they were interrupted, and are ended if they have begun", () =>
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

  it.scopedLive("may be interrupted in the moment in which they end", () =>
    Effect.gen(function* () {
      const { call, goOn } = yield* doubling
      yield* Deferred.succeed(goOn, undefined)
      const second = yield* Deferred.make<Fiber.RuntimeFiber<number, "no">>()
      const first = yield* Effect.fork(
        Effect.tap(call(1), () =>
          Effect.map(Deferred.await(second), (fiber) => fiber.unsafeInterruptAsFork(FiberId.none))
        )
      )
      yield* Deferred.succeed(second, yield* Effect.fork(call(2)))
      expect(yield* Fiber.join(first)).toBe(2)
      expect(Exit.isInterrupted(yield* Fiber.await(yield* Deferred.await(second)))).toBe(true)
    })
  )

  it.live("are interrupted when the scope ends before they have begun, as are later ones", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { begun, call, goOn, groups } = yield* Scope.extend(doubling, scope)
      const first = yield* Effect.fork(call(1))
      yield* begun
      const second = yield* Effect.fork(call(2))
      yield* Effect.yieldNow()
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* Effect.yieldNow()
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(closing)
      expect(yield* Fiber.join(first)).toBe(2)
      expect(Exit.isInterrupted(yield* Fiber.await(second))).toBe(true)
      expect(Exit.isInterrupted(yield* Effect.exit(call(3)))).toBe(true)
      expect(groups).toEqual([[1]])
    })
  )

  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ tag: fc.constant("call" as const) }) },
    fc.record({ tag: fc.constant("interrupt" as const), call: fc.nat({ max: 20 }) }),
    fc.record({ tag: fc.constantFrom("yield" as const, "event" as const) })
  )
  const event = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

  it("all end, once at most, whenever they are interrupted and the scope ends (random programs)", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.infiniteStream(fc.record({ steps: fc.nat({ max: 3 }), fails: fc.boolean() })),
        (steps, groups) =>
          Effect.gen(function* () {
            const begun: Array<number> = []
            const done: Array<number> = []
            const scope = yield* Scope.make()
            const call = yield* Scope.extend(
              groupCommit.make((numbers: ReadonlyArray<number>) => {
                const { fails, steps } = groups.next().value
                begun.push(...numbers)
                return Effect.yieldNow().pipe(
                  Effect.repeatN(steps),
                  Effect.zipRight(steps === 0 ? event : Effect.void),
                  Effect.zipRight(
                    fails
                      ? Effect.fail("no")
                      : Effect.sync(() => {
                          done.push(...numbers)
                          return numbers.map((n) => 2 * n)
                        })
                  )
                )
              }),
              scope
            )
            const calls: Array<Fiber.RuntimeFiber<number, string>> = []
            for (const step of steps) {
              if (step.tag === "call") calls.push(yield* Effect.fork(call(calls.length)))
              if (step.tag === "interrupt") calls[step.call]?.unsafeInterruptAsFork(FiberId.none)
              if (step.tag === "yield") yield* Effect.yieldNow()
              if (step.tag === "event") yield* event
            }
            yield* Scope.close(scope, Exit.void)
            const exits = yield* Effect.forEach(calls, Fiber.await)
            const ended = begun.length
            yield* event
            expect(begun.length).toBe(ended)
            expect(new Set(begun).size).toBe(begun.length)
            for (const [n, exit] of exits.entries()) {
              if (Exit.isSuccess(exit)) expect([exit.value, done.includes(n)]).toEqual([2 * n, true])
              else if (!Exit.isInterrupted(exit)) expect(begun.includes(n) && !done.includes(n)).toBe(true)
            }
          }).pipe(Effect.runPromise)
      ),
      { numRuns: runs(1000) }
    ))
})
