/** The adaptive limit against services that limit requests per second: simulated, with latencies and back-offs that are random. */
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import { ConcurrencyLimit } from "effect-translate"
import { RequestRate } from "../../src/emulator/internal/requestRate.js"
import * as virtualClock from "../support/virtualClock.js"

interface Options {
  /** How many requests a second the service takes, at a time in seconds. */
  readonly rate: (second: number) => number
  /** Milliseconds, up to 30 % more or less. */
  readonly latency: number
  readonly seconds: number
  readonly retryAfter?: number
  readonly seed: number
}

/** 64 fibers that send without pause: what was accepted and refused in each second. */
const simulate = (options: Options) =>
  Effect.scoped(
    Effect.gen(function* () {
      const limit = yield* ConcurrencyLimit.makeAdaptive()
      const accepted = new Array<number>(options.seconds).fill(0)
      const refused = new Array<number>(options.seconds).fill(0)
      let rate = new RequestRate(options.rate(0))
      let current = options.rate(0)
      const half = Effect.flatMap(Random.nextRange(0.35, 0.65), (share) =>
        Effect.sleep(Duration.millis(options.latency * share))
      )
      const attempt = (failures: number): Effect.Effect<number> =>
        Effect.gen(function* () {
          const permit = yield* limit.take
          yield* half
          const now = yield* Clock.currentTimeMillis
          const second = Math.floor(now / 1000)
          if (options.rate(second) !== current) {
            current = options.rate(second)
            rate = new RequestRate(current)
          }
          const isAccepted = rate.take(now)
          const counts = isAccepted ? accepted : refused
          counts[second]!++
          yield* half
          if (isAccepted) return yield* Effect.as(permit.accepted, 0)
          const { retryAfter } = options
          yield* permit.refused(retryAfter === undefined ? undefined : Duration.seconds(retryAfter))
          const pause = Math.min(30_000, 500 * 2 ** failures) * (yield* Random.nextRange(0.5, 1))
          yield* Effect.sleep(Duration.millis(Math.max(pause, 1000 * (retryAfter ?? 0))))
          return failures + 1
        })
      const caller = Effect.iterate(0, { while: () => true, body: attempt })
      const all = yield* Effect.fork(
        Effect.replicateEffect(caller, 64, { concurrency: "unbounded", discard: true })
      )
      yield* Effect.sleep(Duration.millis(options.seconds * 1000 - 1))
      yield* Fiber.interrupt(all)
      const sum = (counts: ReadonlyArray<number>, from: number, to: number) =>
        counts.slice(from, to).reduce((sum, count) => sum + count, 0)
      return {
        perSecond: (from: number, to: number) => sum(accepted, from, to) / (to - from),
        /** The largest share that was refused in any 10 seconds. */
        refusedShare: (from: number, to: number) =>
          Math.max(
            ...Array.from({ length: to - from - 9 }, (_, i) => {
              const count = sum(refused, from + i, from + i + 10)
              return count / (count + sum(accepted, from + i, from + i + 10))
            })
          )
      }
    })
  ).pipe(virtualClock.run, Effect.withRandom(Random.make(`rate ${options.seed}`)))

const seeds = [1, 2]

describe("a service that takes 20 requests a second", () => {
  for (const latency of [5, 50, 100, 300]) {
    for (const retryAfter of [undefined, 1]) {
      it.effect(
        `in ${latency} ms${retryAfter === undefined ? "" : " that asks to wait"} is used to 90 %, and refuses few`,
        () =>
          Effect.forEach(seeds, (seed) =>
            Effect.gen(function* () {
              const { perSecond, refusedShare } = yield* simulate({
                rate: () => 20,
                latency,
                seconds: 90,
                ...(retryAfter === undefined ? {} : { retryAfter }),
                seed
              })
              expect(perSecond(30, 90), `seed ${seed}`).toBeGreaterThan(18)
              expect(refusedShare(30, 90), `seed ${seed}`).toBeLessThan(0.08)
            })
          )
      )
    }
  }
})

describe("a service that changes how many requests a second it takes", () => {
  it.effect("is used to 85 % again, or not limited any more", () =>
    Effect.forEach(seeds, (seed) =>
      Effect.gen(function* () {
        const { perSecond } = yield* simulate({
          rate: (second) => (second < 40 ? 20 : second < 80 ? 8 : Number.POSITIVE_INFINITY),
          latency: 100,
          seconds: 160,
          seed
        })
        expect(perSecond(60, 80), `seed ${seed}`).toBeGreaterThan(0.85 * 8)
        expect(perSecond(150, 160), `seed ${seed}`).toBeGreaterThan(500)
      })
    )
  )
})
