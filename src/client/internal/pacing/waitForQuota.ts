import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Schedule from "effect/Schedule"
import type * as Usage from "../../api/Usage.js"
import { CallHooks, type Hooks } from "../../internal/callHooks.js"
import * as scheduleStep from "../../internal/scheduleStep.js"
import type { Service } from "../TranslateClient.js"
import * as TranslateError from "../TranslateError.js"
import { after, billedBy, type Call, isQuotaExceeded } from "./quota.js"

export interface WaitOptions<R> {
  readonly schedule: Schedule.Schedule<unknown, TranslateError.QuotaExceeded, R>
  readonly usage: Effect.Effect<Usage.Usage, unknown, R> | undefined
}

/** From a 456 until a request gets through again, or the schedule ends. Calls take turns: one at a time waits and tries. */
interface Pause {
  readonly turns: Effect.Semaphore
  ended: "open" | "given up" | undefined
  /** The last refusal. */
  error: TranslateError.QuotaExceeded
  scheduleState: unknown
  /** When to try next, in milliseconds; `undefined` until the schedule has been asked. */
  until: number | undefined
  /** Whether the end of the period was waited for: once is enough, since the usage lags. */
  hasWaitedForPeriod: boolean
  calls: number
}

/** Timers of JavaScript can't wait for a month. */
const longestSleep = Duration.toMillis("1 day")

const sleepUntil = (until: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now >= until
      ? Effect.void
      : Effect.zipRight(Effect.sleep(Math.min(until - now, longestSleep)), sleepUntil(until))
  )

/** See `QuotaPolicy.wait`. */
export const make = <R>(
  client: Service,
  { schedule, usage }: WaitOptions<R>
): Effect.Effect<Service, never, R> =>
  Effect.map(Effect.context<R>(), (context) => {
    let current: Pause | undefined

    const begin = (error: TranslateError.QuotaExceeded): Pause => ({
      turns: Effect.unsafeMakeSemaphore(1),
      ended: undefined,
      error,
      scheduleState: schedule.initial,
      until: undefined,
      hasWaitedForPeriod: false,
      calls: 0
    })

    const end = (pause: Pause, ended: Pause["ended"]) => {
      pause.ended = ended
      current = undefined
    }

    const periodEnd =
      usage === undefined
        ? Effect.succeedNone
        : Effect.map(
            Effect.option(usage),
            Option.flatMapNullable(({ endTime }) => endTime?.epochMillis)
          )

    /** When to try next: the end of the period may come instead of what the schedule says. */
    const plan = (pause: Pause) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const step = yield* scheduleStep.next(schedule, now, pause.error, pause.scheduleState)
        if (Option.isNone(step)) return end(pause, "given up")
        pause.scheduleState = step.value.state
        pause.until = step.value.at
        const period = pause.hasWaitedForPeriod ? Option.none() : yield* periodEnd
        if (Option.isNone(period) || period.value <= now) return
        pause.hasWaitedForPeriod = true
        pause.until = period.value
      }).pipe(Effect.provide(context))

    /** Counts a call while it waits: once all have gone, the next one need not wait for what they waited for. */
    const counted = <A, E>(pause: Pause, call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.acquireUseRelease(
        Effect.sync(() => pause.calls++),
        () => call,
        () =>
          Effect.sync(() => {
            if (--pause.calls === 0 && pause.ended === undefined) end(pause, "given up")
          })
      )

    return billedBy(client, <A, E>(send: (client: Service) => Call<A, E>, isRepeatable = true) =>
      Effect.flatMap(CallHooks, (hooks) => {
        const call = makeCall(() => send(client), hooks, isRepeatable)
        const join = (pause: Pause): Call<A, E> => {
          current = pause
          return Effect.flatMap(
            counted(pause, call.turn(pause, plan(pause), end)),
            Option.match({ onNone: () => start, onSome: (answer) => Effect.succeed(answer) })
          )
        }
        const start: Call<A, E> = Effect.suspend(() =>
          current === undefined
            ? Effect.catchAll(call.send, (error) =>
                isQuotaExceeded(error) && isRepeatable ? join(current ?? begin(error)) : Effect.fail(error)
              )
            : join(current)
        )
        return start
      })
    )
  })

/** Once the stream has ended nothing is waited for, but an attempt in flight goes on. */
const unless =
  <E>(halted: Effect.Effect<void>, notSent: Effect.Effect<never, E>) =>
  <A, E2>(waiting: Effect.Effect<A, E2>, isWaiting = () => true): Effect.Effect<A, E | E2> =>
    Effect.raceFirst(
      Effect.flatMap(halted, () => (isWaiting() ? notSent : Effect.never)),
      waiting
    )

/** A call that may be refused several times. */
const makeCall = <A, E>(
  sendOnce: () => Call<A, E>,
  { halted = Effect.never, waiting }: Hooks,
  isRepeatable: boolean
) => {
  let refused: TranslateError.QuotaExceeded | undefined
  let hasWaited = false

  const sent = Effect.tapError(
    Effect.suspend(() => after(refused, sendOnce())),
    (error) =>
      Effect.sync(() => {
        if (isQuotaExceeded(error)) refused = error
      })
  )

  const notSent = Effect.suspend(() => (refused === undefined ? Effect.interrupt : Effect.fail(refused)))

  const wait = Effect.suspend(() => {
    hasWaited = true
    return waiting === undefined ? Effect.void : waiting.begin
  })

  const send = Effect.suspend(() => {
    if (!hasWaited || waiting === undefined) return sent
    hasWaited = false
    return Effect.zipRight(waiting.end, sent)
  })

  const unlessHalted = unless(halted, notSent)

  const giveUp = ({ error }: Pause) =>
    Effect.fail(
      refused ??
        new TranslateError.QuotaExceeded({
          ...error,
          delivery: "not-sent",
          attempts: 0,
          ambiguousAttempts: 0
        })
    )

  /** Waits and tries, until there is an answer or the pause has ended. */
  const attempts = (pause: Pause, plan: Effect.Effect<void>, end: (pause: Pause, ended: "open") => void) =>
    Effect.gen(function* () {
      while (pause.ended === undefined) {
        yield* unlessHalted(pause.until === undefined ? plan : sleepUntil(pause.until))
        if (pause.until === undefined || (yield* Clock.currentTimeMillis) < pause.until) continue
        const answer = yield* Effect.either(send)
        if (Either.isRight(answer)) {
          end(pause, "open")
          return Option.some(answer.right)
        }
        if (!isQuotaExceeded(answer.left)) return yield* Effect.fail(answer.left)
        pause.error = answer.left
        pause.until = undefined
        if (!isRepeatable) return yield* Effect.fail(answer.left)
        yield* wait
      }
      return pause.ended === "open" ? Option.none() : yield* giveUp(pause)
    })

  /** The attempts, once it is the call's turn. */
  const turn = (...args: Parameters<typeof attempts>) =>
    Effect.suspend(() => {
      let isWaiting = true
      const begun = Effect.suspend(() => {
        isWaiting = false
        return attempts(...args)
      })
      return Effect.zipRight(
        wait,
        unlessHalted(args[0].turns.withPermits(1)(begun), () => isWaiting)
      )
    })

  return { send, turn }
}
