import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type * as Schedule from "effect/Schedule"
import * as ScheduleDecision from "effect/ScheduleDecision"
import * as ScheduleIntervals from "effect/ScheduleIntervals"
import type * as Usage from "../../api/Usage.js"
import type * as TranslateClient from "../../client/TranslateClient.js"
import * as TranslateError from "../../client/TranslateError.js"
import { CallHooks } from "../../internal/callHooks.js"
import type * as Translator from "../Translator.js"
import * as attempts from "./attempts.js"

export interface Options<R> {
  readonly schedule: Schedule.Schedule<unknown, TranslateError.QuotaExceeded, R>
  readonly usage: Effect.Effect<Usage.Usage, unknown, R> | undefined
}

/** From a 456 until a request gets through again, or the schedule ends. All calls hold meanwhile, but one that probes. */
interface Pause {
  became: "open" | "given up" | undefined
  /** The last refusal. */
  error: TranslateError.QuotaExceeded
  /** The schedule's. */
  state: unknown
  /** When the next probe may be sent, in milliseconds; `undefined` until the schedule has said it. */
  until: number | undefined
  /** Whether the period's end was waited for: once is enough, since what is told of it lags. */
  hasHint: boolean
  holding: number
  isBusy: boolean
  /** Done when there is news for those who hold. */
  changed: Deferred.Deferred<void>
}

/** Timers of JavaScript can't wait for a month. */
const longestSleep = Duration.toMillis("1 day")

const news = (): Deferred.Deferred<void> => Deferred.unsafeMake(FiberId.none)

/** Whether the job has ended meanwhile. */
const sleep = (pause: Pause, halted: Effect.Effect<void>): Effect.Effect<boolean> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const left = Math.max((pause.until ?? now) - now, 0)
    const due = pause.isBusy ? Effect.never : Effect.sleep(Math.min(left, longestSleep))
    return Effect.raceFirst(
      Effect.as(halted, true),
      Effect.as(Effect.raceFirst(Deferred.await(pause.changed), due), false)
    )
  })

/** Does nothing while another call is at it. */
const alone = <A, E>(
  pause: Pause,
  work: Effect.Effect<Option.Option<A>, E>
): Effect.Effect<Option.Option<A>, E> =>
  Effect.uninterruptibleMask((restore) => {
    if (pause.isBusy) return Effect.succeedNone
    pause.isBusy = true
    const done = Effect.sync(() => {
      pause.isBusy = false
      const { changed } = pause
      if (pause.became === undefined) pause.changed = news()
      Deferred.unsafeDone(changed, Exit.void)
    })
    return Effect.ensuring(restore(work), done)
  })

export const make = <R>(
  translator: Translator.Service,
  { schedule, usage }: Options<R>
): Effect.Effect<Translator.Service, never, R> =>
  Effect.map(Effect.context<R>(), (context) => {
    let current: Pause | undefined

    const begin = (error: TranslateError.QuotaExceeded): Pause => {
      current = {
        became: undefined,
        error,
        state: schedule.initial,
        until: undefined,
        hasHint: false,
        holding: 0,
        isBusy: false,
        changed: news()
      }
      return current
    }

    const end = (pause: Pause, became: Pause["became"]) => {
      pause.became = became
      current = undefined
    }

    /** The end of the period, in milliseconds. */
    const periodEnd =
      usage === undefined
        ? Effect.succeedNone
        : Effect.map(
            Effect.option(usage),
            Option.flatMapNullable(({ endTime }) => endTime?.epochMillis)
          )

    const plan = (pause: Pause, halted: Effect.Effect<void>) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const [state, , decision] = yield* schedule.step(now, pause.error, pause.state)
        if (ScheduleDecision.isDone(decision)) end(pause, "given up")
        else {
          pause.state = state
          pause.until = ScheduleIntervals.start(decision.intervals)
          const hint = pause.hasHint
            ? Option.none()
            : yield* Effect.raceFirst(Effect.as(halted, Option.none()), periodEnd)
          if (Option.isSome(hint) && hint.value > now) {
            pause.hasHint = true
            pause.until = hint.value
          }
        }
        return Option.none()
      }).pipe(Effect.provide(context))

    /** Holds as long as a call does: when all have gone, the next one need not wait for what they waited for. */
    const held = <A, E>(pause: Pause, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.acquireUseRelease(
        Effect.sync(() => pause.holding++),
        () => effect,
        () =>
          Effect.sync(() => {
            if (--pause.holding === 0 && pause.became === undefined) end(pause, "given up")
          })
      )

    return {
      translate: (texts, options) =>
        Effect.flatMap(CallHooks, ({ halted = Effect.never }) => {
          let refused: TranslateError.QuotaExceeded | undefined

          const send: attempts.Call = Effect.suspend(() =>
            attempts.after(refused, translator.translate(texts, options))
          )

          const probe = (pause: Pause) =>
            send.pipe(
              Effect.tap(() => Effect.sync(() => end(pause, "open"))),
              Effect.asSome,
              Effect.catchTag("QuotaExceeded", (error) => {
                refused = error
                pause.error = error
                return plan(pause, halted)
              })
            )

          const giveUp = ({ error }: Pause) =>
            refused ??
            new TranslateError.QuotaExceeded({
              ...error,
              delivery: "not-sent",
              attempts: 0,
              ambiguousAttempts: 0
            })

          /** Until it has an answer, or there is no more reason to hold. */
          const hold = (
            pause: Pause
          ): Effect.Effect<Option.Option<TranslateClient.Translated>, TranslateError.TranslateError> =>
            Effect.gen(function* () {
              while (true) {
                const isHalted = yield* sleep(pause, halted)
                if (isHalted) return yield* refused === undefined ? Effect.interrupt : Effect.fail(refused)
                if (pause.became === "open") return Option.none()
                if (pause.became === "given up") return yield* Effect.fail(giveUp(pause))
                const now = yield* Clock.currentTimeMillis
                if (pause.until !== undefined && now < pause.until) continue
                const work = pause.until === undefined ? plan(pause, halted) : probe(pause)
                const answer = yield* alone(pause, work)
                if (Option.isSome(answer)) return answer
              }
            })

          const join = (pause: Pause): attempts.Call =>
            Effect.flatMap(
              held(pause, hold(pause)),
              Option.match({ onNone: () => start, onSome: Effect.succeed })
            )

          const start: attempts.Call = Effect.suspend(() => {
            if (current !== undefined) return join(current)
            return Effect.catchTag(send, "QuotaExceeded", (error) => {
              refused = error
              return join(current ?? begin(error))
            })
          })

          return start
        })
    }
  })
