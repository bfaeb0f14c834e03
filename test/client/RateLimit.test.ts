/** The adaptive limit against services that limit requests per second: simulated, with latencies and back-offs that are random. */
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { PCGRandom } from "effect/Utils"
import { ConcurrencyLimit } from "effect-translate"
import { adaptive } from "../../src/client/internal/pacing/adaptiveLimit.js"
import { RequestRate } from "../../src/emulator/internal/requestRate.js"
import * as monotonic from "../../src/internal/monotonic.js"
import { EventLoop, limited } from "../support/eventLoop.js"
import * as virtualClock from "../support/virtualClock.js"

interface Options {
  /** How many requests a second the service takes, at a time in seconds. */
  readonly rate: (second: number) => number
  /** Milliseconds, up to 30 % more or less. */
  readonly latency: number
  readonly seconds: number
  readonly retryAfter?: number
  /** The share that it refuses whatever the rate is. */
  readonly refusing?: number
  readonly seed: number
}

/** 64 callers that send without pause: what was accepted and refused in each second. */
const simulate = (options: Options) => {
  const loop = new EventLoop()
  const random = new PCGRandom(options.seed)
  const { end, take } = limited(loop, adaptive(8))
  const accepted = new Array<number>(options.seconds).fill(0)
  const refused = new Array<number>(options.seconds).fill(0)
  let rate = new RequestRate(options.rate(0))
  let current = options.rate(0)
  const between = (from: number, to: number) => from + (to - from) * random.number()
  const half = (run: () => void) => loop.after(options.latency * between(0.35, 0.65), run)
  const isTaken = () => {
    const second = Math.floor(loop.now / 1000)
    if (options.rate(second) !== current) {
      current = options.rate(second)
      rate = new RequestRate(current)
    }
    const isAccepted = random.number() >= (options.refusing ?? 0) && rate.take(loop.now)
    const counts = isAccepted ? accepted : refused
    counts[second]!++
    return isAccepted
  }
  const attempt = (failures: number) =>
    take((permit) =>
      half(() => {
        const isAccepted = isTaken()
        half(() => {
          const { retryAfter } = options
          if (isAccepted) {
            end(permit, "accepted")
            loop.after(0, () => attempt(0))
            return
          }
          end(permit, "refused", retryAfter === undefined ? undefined : Duration.seconds(retryAfter))
          const pause = Math.min(30_000, 500 * 2 ** failures) * between(0.5, 1)
          loop.after(Math.max(pause, 1000 * (retryAfter ?? 0)), () => attempt(failures + 1))
        })
      })
    )
  for (let caller = 0; caller < 64; caller++) loop.after(0, () => attempt(0))
  loop.run(options.seconds * 1000 - 1)
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
}

const seeds = [1, 2]

describe("a service that takes 20 requests a second", () => {
  for (const latency of [5, 50, 100, 300]) {
    for (const retryAfter of [undefined, 1]) {
      it(`in ${latency} ms${retryAfter === undefined ? "" : " that asks to wait"} is used to 90 %, and refuses few`, () => {
        for (const seed of seeds) {
          const { perSecond, refusedShare } = simulate({
            rate: () => 20,
            latency,
            seconds: 90,
            ...(retryAfter === undefined ? {} : { retryAfter }),
            seed
          })
          expect(perSecond(30, 90), `seed ${seed}`).toBeGreaterThan(18)
          expect(refusedShare(30, 90), `seed ${seed}`).toBeLessThan(0.08)
        }
      })
    }
  }
})

describe("a service that changes how many requests a second it takes", () => {
  it("is used to 85 % again, or not limited any more", () => {
    for (const seed of seeds) {
      const { perSecond } = simulate({
        rate: (second) => (second < 40 ? 20 : second < 80 ? 8 : Number.POSITIVE_INFINITY),
        latency: 100,
        seconds: 160,
        seed
      })
      expect(perSecond(60, 80), `seed ${seed}`).toBeGreaterThan(0.85 * 8)
      expect(perSecond(150, 160), `seed ${seed}`).toBeGreaterThan(500)
    }
  })
})

describe("a service that refuses three of ten requests, however few there are", () => {
  for (const [latency, least] of [
    [5, 100],
    [50, 30],
    [300, 4]
  ] as const) {
    it(`in ${latency} ms is not slowed down more and more`, () => {
      for (const seed of seeds) {
        const { perSecond } = simulate({
          rate: () => Number.POSITIVE_INFINITY,
          refusing: 0.3,
          latency,
          seconds: 120,
          seed
        })
        expect(perSecond(60, 120), `seed ${seed}`).toBeGreaterThan(least)
      }
    })
  }
})

/** Fibers that send without pause to a service that takes so many requests a second at a time. What it took and refused from a time on. */
const send = (rateAt: (millis: number) => number, from: number, seconds: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { take } = yield* ConcurrencyLimit.makeAdaptive()
      const rates = new Map<number, RequestRate>()
      const found = { accepted: 0, refused: 0 }
      const attempt = Effect.gen(function* () {
        const permit = yield* take
        yield* Effect.sleep("50 millis")
        const now = yield* monotonic.millis
        const rate = rates.get(rateAt(now)) ?? new RequestRate(rateAt(now))
        rates.set(rateAt(now), rate)
        const isAccepted = rate.take(now)
        if (now >= from) found[isAccepted ? "accepted" : "refused"]++
        yield* Effect.zipRight(
          isAccepted ? permit.accepted : permit.refused(),
          Effect.sleep(isAccepted ? 0 : "1 second")
        )
      })
      yield* Effect.replicateEffect(Effect.forever(attempt), 16, {
        concurrency: "unbounded",
        discard: true
      }).pipe(Effect.timeoutOption(Duration.seconds(seconds)))
      return found
    })
  )

describe("fibers that send without pause", () => {
  it.effect("are spaced by timers: 20 requests a second are used to 85 %, and few are refused", () =>
    Effect.gen(function* () {
      const { accepted, refused } = yield* send(() => 20, 20_000, 30)
      expect(accepted).toBeGreaterThan(0.85 * 10 * 20)
      expect(refused).toBeLessThan(0.08 * accepted)
    }).pipe(virtualClock.run)
  )

  it.effect(
    "find a limit that was raised as they do otherwise, though somebody sets the clock back by two hours",
    () =>
      Effect.gen(function* () {
        const after = (setBackAt: number) =>
          Effect.suspend(() => {
            let setTo = 0
            const setBack = Effect.delay(
              Effect.sync(() => {
                setTo = -7_200_000
              }),
              setBackAt
            )
            const sent = send((millis) => (millis < 20_000 ? 20 : 80), 40_000, 50)
            return virtualClock.run(Effect.zipLeft(sent, Effect.fork(setBack), { concurrent: true }), {
              setTo: () => setTo
            })
          })
        const [never, once] = yield* Effect.all([after(1_000_000), after(15_000)])
        expect(once).toEqual(never)
      })
  )
})
