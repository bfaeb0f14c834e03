/** One limit for several workers of one process, and for workers that can't reach it for a while. */
import * as TestRunner from "@effect/cluster/TestRunner"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { ConcurrencyLimit } from "effect-translate"
import { ClusterLimit } from "effect-translate/workflow"
import * as limitClient from "../../src/workflow/internal/limit/limitClient.js"
import * as limitHost from "../../src/workflow/internal/limit/limitHost.js"
import { LocalHost } from "../../src/workflow/internal/limit/localHost.js"
import * as virtualClock from "../support/virtualClock.js"

const simulated = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>, setTo?: () => number) =>
  virtualClock.run(Effect.scoped(effect), { setTo })

describe("a limit of a cluster", () => {
  const workerOf = (options: ClusterLimit.Options) =>
    Effect.map(Layer.build(Layer.fresh(ClusterLimit.layer(options))), (context) =>
      Context.get(context, ConcurrencyLimit.ConcurrencyLimit)
    )
  const worker = workerOf({ initial: 4 })

  it.effect("is one limit for all of its workers", () =>
    simulated(
      Effect.gen(function* () {
        const a = yield* worker
        const b = yield* worker
        const permits = yield* Effect.all([a.take, a.take, a.take, b.take])
        expect((yield* Effect.timeoutOption(b.take, "200 millis"))._tag).toBe("None")
        yield* permits[0].accepted
        const next = yield* b.take
        yield* next.release
        yield* Effect.forEach(permits, (permit) => permit.release)
      }).pipe(Effect.provide(TestRunner.layer))
    )
  )

  it.effect("has nothing to do with one of another name whose host is in the same process", () =>
    simulated(
      Effect.gen(function* () {
        const a = yield* workerOf({ name: "a", initial: 1 })
        const b = yield* workerOf({ name: "b", initial: 1 })
        yield* b.take
        yield* a.take
        const more = Effect.timeoutOption(Effect.raceFirst(a.take, b.take), "200 millis")
        expect((yield* more)._tag).toBe("None")
      }).pipe(Effect.provide(TestRunner.layer))
    )
  )
})

/** A host that may be lost: calls then hang, until another one is there. */
const makeHosts = (initial: number) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    let host: Effect.Effect.Success<ReturnType<typeof limitHost.make>> | undefined
    let limit: ConcurrencyLimit.Service | undefined
    const start = Effect.gen(function* () {
      limit = yield* ConcurrencyLimit.makeAdaptive({ initial })
      host = yield* limitHost.make(limit)
    }).pipe(Scope.extend(scope))
    yield* start
    let isAnswerLost = false
    const calls: limitClient.Calls = {
      take: (asked) =>
        Effect.suspend(() =>
          host === undefined
            ? Effect.never
            : Effect.flatMap(host.take(asked), (taken) =>
                isAnswerLost ? Effect.never : Effect.succeed(taken)
              )
        ),
      report: (told) => Effect.suspend(() => (host === undefined ? Effect.never : host.report(told))),
      isHere: () => false
    }
    return {
      start,
      lose: Effect.sync(() => {
        host = undefined
      }),
      loseAnswers: (isLost: boolean) =>
        Effect.sync(() => {
          isAnswerLost = isLost
        }),
      calls,
      inUse: Effect.suspend(() => Effect.map(limit!.state, ({ inUse }) => inUse)),
      worker: limitClient.make(calls, initial)
    }
  })

describe("the host of a limit", () => {
  it.effect("gives the permits of a worker that died to others within 10 seconds", () =>
    simulated(
      Effect.gen(function* () {
        const { inUse, worker } = yield* makeHosts(2)
        const scope = yield* Scope.make()
        const dying = yield* Scope.extend(worker, scope)
        yield* Effect.all([dying.take, dying.take])
        expect(yield* inUse).toBe(2)
        yield* Scope.close(scope, Exit.void)
        const other = yield* worker
        yield* other.take
        expect(yield* inUse).toBe(1)
      }).pipe(Effect.timeout("10 seconds"))
    )
  )

  it.effect("keeps the permits of a worker that is alive", () =>
    simulated(
      Effect.gen(function* () {
        const { inUse, worker } = yield* makeHosts(2)
        const { take } = yield* worker
        const permit = yield* take
        yield* Effect.sleep("10 minutes")
        expect(yield* inUse).toBe(1)
        yield* permit.accepted
        yield* Effect.sleep("1 second")
        expect(yield* inUse).toBe(0)
      })
    )
  )

  it.effect.each([2, -2])(
    "keeps the permits of the living and takes those of the dead, whoever sets the clock by %i hours",
    (hours) => {
      let setTo = 0
      return simulated(
        Effect.gen(function* () {
          const { inUse, worker } = yield* makeHosts(2)
          const scope = yield* Scope.make()
          const dying = yield* Scope.extend(worker, scope)
          yield* Effect.zipRight(
            dying.take,
            Effect.flatMap(worker, ({ take }) => take)
          )
          yield* Scope.close(scope, Exit.void)
          setTo = hours * 3_600_000
          yield* Effect.sleep("3 seconds")
          expect(yield* inUse).toBe(2)
          yield* Effect.sleep("1 minute")
          expect(yield* inUse).toBe(1)
        }),
        () => setTo
      )
    }
  )

  it.effect("takes back permits of an answer that was lost", () =>
    simulated(
      Effect.gen(function* () {
        const { inUse, loseAnswers, worker } = yield* makeHosts(1)
        const limit = yield* worker
        yield* loseAnswers(true)
        const waiting = yield* Effect.fork(limit.take)
        yield* Effect.sleep("1 second")
        expect(yield* inUse).toBe(1)
        yield* loseAnswers(false)
        const permit = yield* Fiber.join(waiting)
        yield* permit.accepted
        yield* Effect.sleep("10 seconds")
        expect(yield* inUse).toBe(0)
      }).pipe(Effect.timeout("1 minute"))
    )
  )

  it.effect(
    "that is another one knows nothing of former permits, and those who wait get theirs from it",
    () =>
      simulated(
        Effect.gen(function* () {
          const { inUse, lose, start, worker } = yield* makeHosts(2)
          const limit = yield* worker
          const former = yield* Effect.all([limit.take, limit.take])
          const waiting = yield* Effect.fork(limit.take)
          yield* Effect.sleep("100 millis")
          yield* lose
          yield* Effect.sleep("20 seconds")
          yield* former[0].refused()
          yield* start
          const permit = yield* Fiber.join(waiting)
          expect(yield* inUse).toBe(1)
          yield* former[1].accepted
          yield* Effect.sleep("2 seconds")
          expect(yield* inUse).toBe(1)
          expect((yield* limit.state).refused).toBe(0)
          yield* permit.accepted
          yield* Effect.sleep("2 seconds")
          expect(yield* inUse).toBe(0)
        }).pipe(Effect.timeout("1 minute"))
      )
  )
})

describe("a worker of a limit", () => {
  it.effect("loses no permit to an interruption, at whatever moment it comes", () =>
    simulated(
      Effect.gen(function* () {
        const { inUse, worker } = yield* makeHosts(1)
        const limit = yield* worker
        for (let turns = 0; turns < 60; turns++) {
          const held = yield* limit.take
          const waiting = yield* Effect.fork(limit.take)
          yield* Effect.sleep("10 millis")
          const ended = yield* Effect.fork(held.accepted)
          yield* Effect.repeatN(Effect.yieldNow(), turns)
          const exit = yield* Fiber.interrupt(waiting)
          if (Exit.isSuccess(exit)) yield* exit.value.release
          yield* Fiber.join(ended)
        }
        yield* Effect.sleep("10 seconds")
        expect(yield* inUse).toBe(0)
      })
    )
  )

  it.effect("hands back each permit once", () =>
    simulated(
      Effect.gen(function* () {
        const { inUse, worker } = yield* makeHosts(1)
        const limit = yield* worker
        const first = yield* limit.take
        yield* Effect.all([first.accepted, first.release, first.refused()])
        yield* limit.take
        yield* first.release
        yield* Effect.sleep("3 seconds")
        expect(yield* inUse).toBe(1)
        expect((yield* limit.state).refused).toBe(0)
      })
    )
  )
})

describe("a worker whose host is in its process", () => {
  it.effect("goes on with the next host when that one leaves, also with a question that it had asked", () =>
    simulated(
      Effect.gen(function* () {
        const remote = yield* makeHosts(2)
        const local = new LocalHost()
        const leaving = yield* Scope.make()
        yield* Effect.gen(function* () {
          yield* local.enter(yield* limitHost.make(yield* ConcurrencyLimit.makeAdaptive({ initial: 2 })))
        }).pipe(Scope.extend(leaving))
        const { take } = yield* limitClient.make(local.callsOr(remote.calls), 2)
        const before = yield* Effect.all([take, take])
        const asked = yield* Effect.fork(take)
        yield* Effect.sleep("100 millis")
        expect(yield* remote.inUse).toBe(0)
        yield* Scope.close(leaving, Exit.void)
        const next = yield* Fiber.join(asked)
        yield* Effect.forEach(before, (permit) => permit.release)
        yield* Effect.sleep("2 seconds")
        expect(yield* remote.inUse).toBe(1)
        yield* next.accepted
        yield* Effect.sleep("2 seconds")
        expect(yield* remote.inUse).toBe(0)
        yield* Effect.all([take, take])
      }).pipe(Effect.timeout("30 seconds"))
    )
  )
})
