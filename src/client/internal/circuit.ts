import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as ScheduleDecision from "effect/ScheduleDecision"
import * as ScheduleIntervals from "effect/ScheduleIntervals"
import type * as Scope from "effect/Scope"
import type * as CallHooks from "../../internal/callHooks.js"
import * as CircuitBreaker from "../CircuitBreaker.js"
import * as TranslateError from "../TranslateError.js"
import type { Call } from "./call.js"

interface Waiter {
  readonly call: Call
  readonly hooks: CallHooks.Circuit
  readonly last: TranslateError.TranslateError | undefined
  readonly turn: Deferred.Deferred<boolean, TranslateError.Outage>
  /** Whether the pause of its own is over. */
  isReady: boolean
  /** The tag of the error that it waits for since the circuit has opened. */
  outage: string | undefined
}

/** The circuit is open. */
interface Outage {
  readonly policy: CircuitBreaker.Policy
  readonly schedule: CircuitBreaker.Policy["schedule"]
  /** Milliseconds of the clock. */
  readonly since: number
  readonly toldOf: Set<NonNullable<CallHooks.Circuit["onOutage"]>>
  error: TranslateError.TranslateError
  failures: number
  scheduleState: unknown
  /** Whether the pause before the next probe is over. */
  isProbeDue: boolean
}

/** Whether an attempt failed for a reason that says nothing of its texts. */
export const isOutage = (call: Call, error: TranslateError.TranslateError): boolean => {
  switch (error._tag) {
    case "TransportError":
      return TranslateError.isRetryable(error)
    case "TimedOut":
    case "UndecodableResponse":
      return true
    case "ServerError":
      return error.delivery === "ambiguous" || (error.status === 503 && call.isBusy(error.status))
    default:
      return false
  }
}

const outageError = (
  { call, last }: Pick<Waiter, "call" | "last">,
  { error, failures, since }: Outage,
  now: number
) =>
  new TranslateError.Outage({
    method: call.method,
    path: call.path,
    delivery: last?.delivery ?? "not-sent",
    attempts: call.attempts,
    ambiguousAttempts: last?.ambiguousAttempts ?? 0,
    lastError: TranslateError.describeCause(error),
    failures,
    lasted: Duration.millis(now - since)
  })

/**
 * The circuit of a client. After a failure calls take turns: one at a time is sent, until one is answered. After several
 * failures the circuit opens, and the schedule says when the next one is sent.
 */
export class Circuit {
  /** Failures in a row. */
  private failures = 0
  /** Counts the rows of failures that have ended. */
  private epoch = 0
  private hasAnswered = false
  private lastFailed: Call | undefined
  /** The call whose turn it is. */
  private probe: Call | undefined
  private outage: Outage | undefined
  /** The outage that was given up last, and the row of its failures: calls of that row fail once they come to wait. */
  private givenUp: { readonly outage: Outage; readonly epoch: number } | undefined
  private readonly waiting = new Set<Waiter>()

  constructor(private readonly scope: Scope.Scope) {}

  /** Whether calls have to take turns. */
  get isTroubled(): boolean {
    return this.failures > 0
  }

  /** Whether a call that has failed is sent again, however often it was sent: the fault is not its own. */
  holds(call: Call, error: TranslateError.TranslateError): boolean {
    return isOutage(call, error) && (this.outage !== undefined || this.isGivenUp(call))
  }

  /** Waits for some milliseconds, and until a call may be sent. Tells whether it is the only one that may. */
  turn(
    call: Call,
    hooks: CallHooks.Circuit,
    pause: number,
    last: TranslateError.TranslateError | undefined
  ): Effect.Effect<boolean, TranslateError.Outage> {
    return Effect.suspend(() => {
      if (this.isGivenUp(call)) {
        return Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.fail(outageError({ call, last }, this.givenUp!.outage, now))
        )
      }
      if (pause === 0 && !this.isTroubled) return Effect.succeed(false)
      if (hooks.failFast === true && pause === 0 && this.outage?.isProbeDue === true) {
        this.outage.isProbeDue = false
        this.probe = call
        return Effect.succeed(true)
      }
      const turn = Deferred.unsafeMake<boolean, TranslateError.Outage>(FiberId.none)
      const waiter: Waiter = { call, hooks, last, turn, isReady: false, outage: undefined }
      this.waiting.add(waiter)
      const ready = Effect.sync(() => {
        waiter.isReady = true
        if (this.isTroubled) this.grant()
        else this.release(waiter)
      })
      const leave = Effect.sync(() => {
        this.waiting.delete(waiter)
        this.left(call)
      })
      const goElsewhere = Effect.zipRight(
        hooks.leave ?? Effect.never,
        Effect.map(Clock.currentTimeMillis, (now) => {
          if (this.outage !== undefined && this.waiting.has(waiter)) this.fail(waiter, this.outage, now)
        })
      )
      const paused = pause === 0 ? ready : Effect.delay(ready, pause)
      return Effect.zipRight(
        this.outage === undefined ? Effect.void : this.announce(this.outage),
        Effect.raceFirst(
          Deferred.await(turn),
          Effect.zipRight(paused, Effect.zipRight(goElsewhere, Effect.never))
        )
      ).pipe(
        Effect.onInterrupt(() => leave),
        Effect.tap(() =>
          waiter.outage === undefined
            ? Effect.void
            : Effect.annotateCurrentSpan("translate.outage", waiter.outage)
        )
      )
    })
  }

  /** A call was answered, if only by a refusal: the service is there. */
  answered(): void {
    if (this.failures === 0 && this.hasAnswered) return
    this.hasAnswered = true
    this.givenUp = undefined
    this.end()
    for (const waiter of this.waiting) if (waiter.isReady) this.release(waiter)
  }

  /** An attempt has failed. */
  failed(call: Call, error: TranslateError.TranslateError): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (!isOutage(call, error)) {
        if (error.delivery === "rejected") this.answered()
        this.left(call)
        return Effect.void
      }
      const wasProbe = this.probe === call
      this.count(call, error)
      this.lastFailed = call
      if (wasProbe) this.probe = undefined
      if (this.outage !== undefined) {
        this.outage.error = error
        this.outage.failures++
        return wasProbe ? this.probeLater(this.outage) : Effect.void
      }
      const policy = Context.get(call.context, CircuitBreaker.CircuitBreaker)
      if (this.failures >= policy.failures) return this.open(policy, error)
      this.grant()
      return Effect.void
    })
  }

  /** A call is not sent any more, or it is not known what became of it. */
  left(call: Call): void {
    if (this.probe !== call) return
    this.probe = undefined
    if (this.outage !== undefined) this.outage.isProbeDue = true
    this.grant()
  }

  private isGivenUp(call: Call): boolean {
    return this.givenUp !== undefined && this.givenUp.epoch === call.failedIn
  }

  /** An attempt that never reached the service counts each time; else the texts of the call may be the cause. */
  private count(call: Call, error: TranslateError.TranslateError): void {
    const isFirst = call.failedIn === undefined || error.delivery === "not-sent"
    if (isFirst) call.failedIn = this.epoch
    if (isFirst || (error.delivery === "rejected" && call.failedIn === this.epoch)) this.failures++
  }

  /** Gives the turn to the call that has waited longest, but not to the one that failed last if there is another. */
  private grant(): void {
    if (this.probe !== undefined || this.outage?.isProbeDue === false) return
    let next: Waiter | undefined
    for (const waiter of this.waiting) {
      if (!waiter.isReady) continue
      next ??= waiter
      if (waiter.call === this.lastFailed) continue
      next = waiter
      break
    }
    if (next === undefined) return
    this.waiting.delete(next)
    this.probe = next.call
    if (this.outage !== undefined) this.outage.isProbeDue = false
    Deferred.unsafeDone(next.turn, Effect.succeed(true))
  }

  private open(policy: CircuitBreaker.Policy, error: TranslateError.TranslateError): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (since) => {
      const schedule = this.hasAnswered ? policy.schedule : policy.startSchedule
      const { failures } = this
      const scheduleState = schedule.initial
      const outage: Outage = {
        policy,
        schedule,
        since,
        toldOf: new Set(),
        error,
        failures,
        scheduleState,
        isProbeDue: false
      }
      this.outage = outage
      return Effect.zipRight(this.announce(outage), this.probeLater(outage))
    })
  }

  /** Tells whoever waits that the circuit is open. Those who do not want to wait fail. */
  private announce(outage: Outage): Effect.Effect<void> {
    return Effect.map(Clock.currentTimeMillis, (now) => {
      for (const waiter of this.waiting) {
        const { failFast, onOutage } = waiter.hooks
        waiter.outage = outage.error._tag
        if (failFast === true) {
          this.fail(waiter, outage, now)
        } else if (onOutage !== undefined && !outage.toldOf.has(onOutage)) {
          outage.toldOf.add(onOutage)
          onOutage(outage.error._tag)
        }
      }
    })
  }

  private probeLater(outage: Outage): Effect.Effect<void> {
    const giveUp = (now: number) =>
      Effect.sync(() => {
        this.givenUp = { outage, epoch: this.epoch }
        this.end()
        for (const waiter of this.waiting) this.fail(waiter, outage, now)
      })
    const pause = Effect.gen(this, function* () {
      const now = yield* Clock.currentTimeMillis
      const [state, , decision] = yield* outage.schedule.step(now, outage.error, outage.scheduleState)
      if (ScheduleDecision.isDone(decision)) return yield* giveUp(now)
      outage.scheduleState = state
      const planned = ScheduleIntervals.start(decision.intervals) - now
      const asked = Duration.toMillis(TranslateError.retryAfter(outage.error))
      yield* Effect.sleep(Math.max(planned, asked))
      if (this.outage !== outage) return
      outage.isProbeDue = true
      this.grant()
    })
    return Effect.asVoid(Effect.forkIn(Effect.interruptible(pause), this.scope))
  }

  private release(waiter: Waiter): void {
    this.waiting.delete(waiter)
    Deferred.unsafeDone(waiter.turn, Effect.succeed(false))
  }

  private fail(waiter: Waiter, outage: Outage, now: number): void {
    this.waiting.delete(waiter)
    Deferred.unsafeDone(waiter.turn, Effect.fail(outageError(waiter, outage, now)))
  }

  /** Closes the circuit. */
  private end(): void {
    for (const onOutage of this.outage?.toldOf ?? []) onOutage(undefined)
    this.outage = undefined
    this.probe = undefined
    this.lastFailed = undefined
    this.failures = 0
    this.epoch++
  }
}
