import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Schedule from "effect/Schedule"
import type * as Usage from "../../../api/Usage.js"
import { Halted } from "../../../internal/halted.js"
import { RetryBackoff, sleepUntil, unlessHalted } from "../../../internal/retryBackoff.js"
import { UploadWaiting } from "../../../internal/uploadWaiting.js"
import * as TranslateError from "../../TranslateError.js"
import { after, type Billed, billedBy, type Call, isQuotaExceeded } from "./billedCalls.js"

export interface WaitOptions {
  readonly schedule: Schedule.Schedule<unknown, TranslateError.QuotaExceeded>
  readonly usage: Effect.Effect<Usage.Usage, unknown> | undefined
}

/** From a 456 until a request gets through again, or the schedule ends. Calls take turns: one at a time waits and tries. */
interface Pause {
  readonly turns: Effect.Semaphore
  ended: "open" | "given up" | undefined
  /** The last refusal. */
  error: TranslateError.QuotaExceeded
  readonly backoff: RetryBackoff<TranslateError.QuotaExceeded>
  /** When to try next, in milliseconds; `undefined` until the schedule has been asked. */
  until: number | undefined
  /** True once the end of the period was waited for: once is enough, since the usage lags. */
  hasWaitedForPeriod: boolean
  calls: number
}

/** See `QuotaPolicy.wait`. */
export const make = <C extends Billed>(client: C, { schedule, usage }: WaitOptions): Effect.Effect<C> =>
  Effect.sync(() => {
    let current: Pause | undefined

    const begin = (error: TranslateError.QuotaExceeded): Pause => ({
      turns: Effect.unsafeMakeSemaphore(1),
      ended: undefined,
      error,
      backoff: new RetryBackoff(schedule),
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

    /** The time of the next try: the schedule's, or the end of the period. */
    const plan = (pause: Pause) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const next = yield* pause.backoff.next(now, pause.error)
        if (Option.isNone(next)) return end(pause, "given up")
        pause.until = next.value
        const period = pause.hasWaitedForPeriod ? Option.none() : yield* periodEnd
        if (Option.isNone(period) || period.value <= now) return
        pause.hasWaitedForPeriod = true
        pause.until = period.value
      })

    /** Counts a call while it waits: once all have gone, the next one need not wait for the same. */
    const counted = <A, E>(pause: Pause, call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.acquireUseRelease(
        Effect.sync(() => pause.calls++),
        () => call,
        () =>
          Effect.sync(() => {
            if (--pause.calls === 0 && pause.ended === undefined) end(pause, "given up")
          })
      )

    return billedBy(client, <A, E>(send: (client: C) => Call<A, E>, isRepeatable = true) =>
      Effect.flatMap(Effect.all([Halted, UploadWaiting]), ([halted = Effect.never, waiting]) => {
        const call = makeCall(() => send(client), { halted, waiting, isRepeatable })
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

/** A call that may be refused several times. */
const makeCall = <A, E>(
  sendOnce: () => Call<A, E>,
  {
    halted,
    isRepeatable,
    waiting
  }: {
    readonly halted: Effect.Effect<void>
    /** Runs when it begins to wait. */
    readonly waiting: Effect.Effect<void>
    readonly isRepeatable: boolean
  }
) => {
  let refused: TranslateError.QuotaExceeded | undefined

  const send = Effect.tapError(
    Effect.suspend(() => after(refused, sendOnce())),
    (error) =>
      Effect.sync(() => {
        if (isQuotaExceeded(error)) refused = error
      })
  )

  const notSent = Effect.suspend(() => (refused === undefined ? Effect.interrupt : Effect.fail(refused)))

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
        if (pause.until === undefined) {
          yield* unlessHalted(halted, plan, notSent)
          continue
        }
        yield* unlessHalted(halted, sleepUntil(pause.until), notSent)
        const answer = yield* Effect.either(send)
        if (Either.isRight(answer)) {
          end(pause, "open")
          return Option.some(answer.right)
        }
        if (!isQuotaExceeded(answer.left)) return yield* Effect.fail(answer.left)
        pause.error = answer.left
        pause.until = undefined
        if (!isRepeatable) return yield* Effect.fail(answer.left)
        yield* waiting
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
        waiting,
        // Once the stream has ended nothing is waited for, but an attempt in flight goes on.
        unlessHalted(halted, args[0].turns.withPermits(1)(begun), notSent, () => isWaiting)
      )
    })

  return { send, turn }
}
