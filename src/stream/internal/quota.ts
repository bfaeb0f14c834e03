import type * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Schedule from "effect/Schedule"
import * as ScheduleDecision from "effect/ScheduleDecision"
import * as ScheduleIntervals from "effect/ScheduleIntervals"
import type * as Usage from "../../api/Usage.js"
import * as TranslateError from "../../client/TranslateError.js"
import { CallHooks } from "../../internal/callHooks.js"
import type * as Translator from "../Translator.js"

type Call<A> = Effect.Effect<A, TranslateError.TranslateError>

export interface Attempts {
  readonly attempts: number
  readonly ambiguousAttempts: number
}

const sum = (self: Attempts, that: Attempts): Attempts => ({
  attempts: self.attempts + that.attempts,
  ambiguousAttempts: self.ambiguousAttempts + that.ambiguousAttempts
})

const withAttempts = <E extends TranslateError.TranslateError>(error: E, attempts: Attempts): E =>
  new (error.constructor as new (fields: E) => E)({ ...error, ...attempts })

/** A call that repeats a refused one: the attempts of that one count too, also if this one is halted before it is sent. */
const after = <A extends Attempts>(
  refused: TranslateError.QuotaExceeded | undefined,
  call: Call<A>
): Call<A> =>
  refused === undefined
    ? call
    : Effect.mapBoth(call, {
        onSuccess: (answer) => ({ ...answer, ...sum(answer, refused) }),
        onFailure: (error) => withAttempts(error, sum(error, refused))
      }).pipe(
        Effect.catchAllCause((cause) =>
          Cause.isInterruptedOnly(cause) ? Effect.fail(refused) : Effect.failCause(cause)
        )
      )

const isQuotaExceeded = (error: unknown): error is TranslateError.QuotaExceeded =>
  TranslateError.isTranslateError(error) && error._tag === "QuotaExceeded"

/** Sends by the one of several that is in use. A 456 moves on to the next; a call goes no further than the last of its round. */
export const inTurn = <One>(all: Arr.NonEmptyReadonlyArray<One>) => {
  let inUse = 0
  const roundOf = (turn: number) => Math.floor(turn / all.length)
  const send = <A, E, R>(
    call: (one: One, refused: TranslateError.QuotaExceeded | undefined) => Effect.Effect<A, E, R>,
    refused?: TranslateError.QuotaExceeded
  ): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const turn = inUse
      return Effect.catchAll(call(all[turn % all.length]!, refused), (error) => {
        if (!isQuotaExceeded(error)) return Effect.fail(error)
        // Another call may have moved on already.
        if (inUse === turn) inUse++
        return roundOf(inUse) === roundOf(turn) ? send(call, error) : Effect.fail(error)
      })
    })
  return send
}

/** See `QuotaPolicy.failOver`. */
export const failOver = (translators: Arr.NonEmptyReadonlyArray<Translator.Service>): Translator.Service => {
  const send = inTurn(translators)
  return {
    translate: (texts, options) => send(({ translate }, refused) => after(refused, translate(texts, options)))
  }
}

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

/** Sends calls that wait for their quota. */
export type Gate = <A extends Attempts>(send: () => Call<A>) => Call<A>

/** Waits for the quota; see `QuotaPolicy.wait`. */
export const makeGate = <R>({ schedule, usage }: WaitOptions<R>): Effect.Effect<Gate, never, R> =>
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

    /** When to try next. Not by `Schedule.driver`, which sleeps by itself: the end of the period may come instead. */
    const plan = (pause: Pause) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const [state, , decision] = yield* schedule.step(now, pause.error, pause.scheduleState)
        if (ScheduleDecision.isDone(decision)) return end(pause, "given up")
        pause.scheduleState = state
        pause.until = ScheduleIntervals.start(decision.intervals)
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

    return <A extends Attempts>(send: () => Call<A>) =>
      Effect.flatMap(CallHooks, ({ halted = Effect.never }) => {
        const call = makeCall(send, halted)
        const join = (pause: Pause): Call<A> => {
          current = pause
          return Effect.flatMap(
            counted(pause, call.turn(pause, plan(pause), end)),
            Option.match({ onNone: () => start, onSome: (answer) => Effect.succeed(answer) })
          )
        }
        const start: Call<A> = Effect.suspend(() =>
          current === undefined
            ? Effect.catchTag(call.send, "QuotaExceeded", (error) => join(current ?? begin(error)))
            : join(current)
        )
        return start
      })
  })

/** A call that may be refused several times. */
const makeCall = <A extends Attempts>(sendOnce: () => Call<A>, halted: Effect.Effect<void>) => {
  let refused: TranslateError.QuotaExceeded | undefined

  const send = Effect.tapErrorTag(
    Effect.suspend(() => after(refused, sendOnce())),
    "QuotaExceeded",
    (error) =>
      Effect.sync(() => {
        refused = error
      })
  )

  /** Once the stream has ended nothing is waited for, but an attempt in flight goes on. */
  const unlessHalted = <A, E>(waiting: Effect.Effect<A, E>, isWaiting = () => true) =>
    Effect.raceFirst(
      Effect.flatMap(halted, () => {
        if (!isWaiting()) return Effect.never
        return refused === undefined ? Effect.interrupt : Effect.fail(refused)
      }),
      waiting
    )

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
        if (answer.left._tag !== "QuotaExceeded") return yield* Effect.fail(answer.left)
        pause.error = answer.left
        pause.until = undefined
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
      return unlessHalted(args[0].turns.withPermits(1)(begun), () => isWaiting)
    })

  return { send, turn }
}
