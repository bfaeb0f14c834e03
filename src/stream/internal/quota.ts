import type * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schedule from "effect/Schedule"
import * as ScheduleDecision from "effect/ScheduleDecision"
import * as ScheduleIntervals from "effect/ScheduleIntervals"
import type * as Usage from "../../api/Usage.js"
import type * as TranslateClient from "../../client/TranslateClient.js"
import * as TranslateError from "../../client/TranslateError.js"
import { CallHooks } from "../../internal/callHooks.js"
import type * as Translator from "../Translator.js"

type Call = ReturnType<Translator.Service["translate"]>

interface Attempts {
  readonly attempts: number
  readonly ambiguousAttempts: number
}

const sum = (self: Attempts, that: Attempts): Attempts => ({
  attempts: self.attempts + that.attempts,
  ambiguousAttempts: self.ambiguousAttempts + that.ambiguousAttempts
})

const withAttempts = <E extends TranslateError.TranslateError>(error: E, attempts: Attempts): E =>
  new (error.constructor as new (fields: E) => E)({ ...error, ...attempts })

/** A call that repeats a refused one: the attempts of that one count too. */
const after = (refused: TranslateError.QuotaExceeded | undefined, call: Call): Call =>
  refused === undefined
    ? call
    : Effect.mapBoth(call, {
        onSuccess: (answer) => ({ ...answer, ...sum(answer, refused) }),
        onFailure: (error) => withAttempts(error, sum(error, refused))
      })

/** One translator is in use. A 456 moves on to the next; a call goes no further than the last of its round. */
export const failOver = (translators: Arr.NonEmptyReadonlyArray<Translator.Service>): Translator.Service => {
  let inUse = 0
  const roundOf = (turn: number) => Math.floor(turn / translators.length)
  return {
    translate: (texts, options) => {
      const send = (refused?: TranslateError.QuotaExceeded): Call =>
        Effect.suspend(() => {
          const turn = inUse
          const { translate } = translators[turn % translators.length]!
          return Effect.catchTag(after(refused, translate(texts, options)), "QuotaExceeded", (error) => {
            // Another call may have moved on already.
            if (inUse === turn) inUse++
            return roundOf(inUse) === roundOf(turn) ? send(error) : Effect.fail(error)
          })
        })
      return send()
    }
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

/** The pauses of one translator. */
class Waiting<R> {
  private current: Pause | undefined

  constructor(
    readonly translator: Translator.Service,
    private readonly options: WaitOptions<R>,
    private readonly context: Context.Context<R>
  ) {}

  /** The pause that calls have to wait for now; a refused one begins it if there is none. */
  pause(): Pause | undefined
  pause(error: TranslateError.QuotaExceeded): Pause
  pause(error?: TranslateError.QuotaExceeded): Pause | undefined {
    if (this.current === undefined && error !== undefined) {
      this.current = {
        turns: Effect.unsafeMakeSemaphore(1),
        ended: undefined,
        error,
        scheduleState: this.options.schedule.initial,
        until: undefined,
        hasWaitedForPeriod: false,
        calls: 0
      }
    }
    return this.current
  }

  end(pause: Pause, ended: Pause["ended"]): void {
    pause.ended = ended
    this.current = undefined
  }

  /** Counts a call while it waits: once all have gone, the next one need not wait for what they waited for. */
  counted<A, E, R2>(pause: Pause, call: Effect.Effect<A, E, R2>): Effect.Effect<A, E, R2> {
    return Effect.acquireUseRelease(
      Effect.sync(() => pause.calls++),
      () => call,
      () =>
        Effect.sync(() => {
          if (--pause.calls === 0 && pause.ended === undefined) this.end(pause, "given up")
        })
    )
  }

  /**
   * When to try next. `Schedule.driver` would sleep by itself, but the end of the period may take the place of the pause.
   */
  plan(pause: Pause, halted: Effect.Effect<void>): Effect.Effect<void> {
    const { schedule } = this.options
    const planned = Effect.gen(this, function* () {
      const now = yield* Clock.currentTimeMillis
      const [state, , decision] = yield* schedule.step(now, pause.error, pause.scheduleState)
      if (ScheduleDecision.isDone(decision)) return this.end(pause, "given up")
      pause.scheduleState = state
      pause.until = ScheduleIntervals.start(decision.intervals)
      if (pause.hasWaitedForPeriod) return
      const period = yield* Effect.raceFirst(Effect.as(halted, undefined), this.periodEnd)
      if (period === undefined || period <= now) return
      pause.hasWaitedForPeriod = true
      pause.until = period
    })
    return Effect.provide(planned, this.context)
  }

  /** The end of the period, in milliseconds. */
  private get periodEnd(): Effect.Effect<number | undefined, never, R> {
    const { usage = Effect.fail(undefined) } = this.options
    return Effect.map(Effect.option(usage), (usage) => Option.getOrUndefined(usage)?.endTime?.epochMillis)
  }
}

/** One call, which is sent again for as long as the quota is used up. */
const waitingCall = <R>(
  waiting: Waiting<R>,
  texts: Parameters<Translator.Service["translate"]>[0],
  options: Parameters<Translator.Service["translate"]>[1],
  halted: Effect.Effect<void>
): Call => {
  let refused: TranslateError.QuotaExceeded | undefined
  const send = Effect.catchTag(
    Effect.suspend(() => after(refused, waiting.translator.translate(texts, options))),
    "QuotaExceeded",
    (error) => {
      refused = error
      return Effect.fail(error)
    }
  )
  const notSent = { delivery: "not-sent", attempts: 0, ambiguousAttempts: 0 } as const
  const giveUp = ({ error }: Pause) =>
    Effect.fail(refused ?? new TranslateError.QuotaExceeded({ ...error, ...notSent }))
  const halt = Effect.suspend(() => (refused === undefined ? Effect.interrupt : Effect.fail(refused)))

  /** Waits and tries, until there is an answer or the pause has ended. */
  const attempt = (
    pause: Pause
  ): Effect.Effect<Option.Option<TranslateClient.Translated>, TranslateError.TranslateError> =>
    Effect.gen(function* () {
      if (pause.ended === "open") return Option.none()
      if (pause.ended === "given up") return yield* giveUp(pause)
      if (pause.until === undefined) yield* waiting.plan(pause, halted)
      else {
        const isHalted = yield* Effect.raceFirst(
          Effect.as(halted, true),
          Effect.as(sleepUntil(pause.until), false)
        )
        if (isHalted) return yield* halt
        const answer = yield* Effect.either(send)
        if (answer._tag === "Right") {
          waiting.end(pause, "open")
          return Option.some(answer.right)
        }
        if (answer.left._tag !== "QuotaExceeded") return yield* Effect.fail(answer.left)
        pause.error = answer.left
        yield* waiting.plan(pause, halted)
      }
      return yield* attempt(pause)
    })

  /** Its turn among the calls that wait. */
  const turn = (pause: Pause) =>
    Effect.suspend(() => {
      let hasTurn = false
      const tried = Effect.suspend(() => {
        hasTurn = true
        return attempt(pause)
      })
      const haltedBefore = Effect.flatMap(halted, () => (hasTurn ? Effect.never : halt))
      return Effect.raceFirst(pause.turns.withPermits(1)(tried), haltedBefore)
    })

  const join = (pause: Pause) =>
    Effect.flatMap(
      waiting.counted(pause, turn(pause)),
      Option.match({ onNone: () => start, onSome: Effect.succeed })
    )
  const start: Call = Effect.suspend(() => {
    const pause = waiting.pause()
    return pause === undefined
      ? Effect.catchTag(send, "QuotaExceeded", (error) => join(waiting.pause(error)))
      : join(pause)
  })
  return start
}

/** Waits for the quota of a translator; see `QuotaPolicy.wait`. */
export const wait = <R>(
  translator: Translator.Service,
  options: WaitOptions<R>
): Effect.Effect<Translator.Service, never, R> =>
  Effect.map(Effect.context<R>(), (context) => {
    const waiting = new Waiting(translator, options, context)
    return {
      translate: (texts, options) =>
        Effect.flatMap(CallHooks, ({ halted = Effect.never }) => waitingCall(waiting, texts, options, halted))
    }
  })
