import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Operator } from "../../../internal/bulkCalls.js"
import type * as CircuitBreaker from "../../CircuitBreaker.js"
import * as RetryPolicy from "../../RetryPolicy.js"
import type * as TranslateError from "../../TranslateError.js"
import type { Call } from "../calling/call.js"
import type { GivenUp, Outage, Waiter } from "./outage.js"
import * as outages from "./outage.js"

/** The number of time-outs in a row that opens the circuit: each takes long. They count as failures too. */
const mostTimeouts = 2

/**
 * The circuit of a client. After a failure calls take turns: one at a time is sent, until one is answered. After several
 * failures the circuit opens, and the schedule says when the next one is sent.
 */
export class Circuit {
  /** Failures in a row. */
  private failures = 0
  /** Time-outs among them, none of which was followed by an answer. */
  private timeouts = 0
  private lastTimedOut: Call | undefined
  /** Counts the rows of failures that have ended. */
  private epoch = 0
  private hasAnswered = false
  private lastFailed: Call | undefined
  /** The call whose turn it is. */
  private probe: Call | undefined
  private outage: Outage | undefined
  /** The outage that was given up last, and the row of its failures: calls of that row fail once they come to wait. */
  private givenUp: GivenUp | undefined
  private readonly waiting = new Set<Waiter>()
  /** The row of failures in which a call has failed first. */
  private readonly failedIn = new WeakMap<Call, number>()

  constructor(
    private readonly scope: Scope.Scope,
    private readonly policy: CircuitBreaker.Policy
  ) {}

  /** True if calls have to take turns. */
  get isTroubled(): boolean {
    return this.failures > 0
  }

  /** True if a call that has failed is sent again, however often it was sent: the fault is not its own. */
  holds(call: Call, error: TranslateError.CallError): boolean {
    return outages.isOutage(call, error) && (this.outage !== undefined || this.isGivenUp(call))
  }

  /** True if a call that had its turn has to wait for another one: the service has failed since. */
  holdsBack(call: Call): boolean {
    return this.isTroubled && this.probe !== call
  }

  /** Waits for some milliseconds, and until a call may be sent. Returns `true` if it is the only one that may. */
  turn(
    call: Call,
    { onOutage }: Operator,
    pause: number,
    last: TranslateError.CallError | undefined
  ): Effect.Effect<boolean, TranslateError.Outage> {
    return Clock.clockWith((clock) => {
      const now = clock.unsafeCurrentTimeMillis()
      if (this.isGivenUp(call)) return this.failure({ call, last }, this.givenUp!, now)
      const leaving = Context.get(call.context, outages.OutageLeaving)
      if (last === undefined && !leaving.atOnce) this.forget(onOutage)
      if (pause === 0 && !this.isTroubled) return Effect.succeed(false)
      const turn = Deferred.unsafeMake<boolean, TranslateError.Outage>(FiberId.none)
      const waiter: Waiter = { call, onOutage, leaving, last, turn, isReady: false, outage: undefined }
      this.waiting.add(waiter)
      if (this.outage !== undefined) this.tell(waiter, this.outage, now)
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
        leaving.when ?? Effect.never,
        Effect.map(Clock.currentTimeMillis, (now) => {
          if (this.outage === undefined || !this.waiting.has(waiter)) return
          this.fail(waiter, { outage: this.outage, epoch: this.epoch }, now)
        })
      )
      const paused = pause === 0 ? ready : Effect.delay(ready, pause)
      const waited = Effect.zipRight(paused, Effect.zipRight(goElsewhere, Effect.never))
      return Effect.raceFirst(Deferred.await(turn), waited).pipe(
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
  failed(call: Call, error: TranslateError.CallError): Effect.Effect<void> {
    return Clock.clockWith((clock) => {
      if (!outages.isOutage(call, error)) {
        if ("status" in error) this.answered()
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
        return wasProbe ? this.probeLater(this.outage, call) : Effect.void
      }
      if (this.failures >= this.policy.failures || this.timeouts >= mostTimeouts) {
        return this.probeLater(this.open(error, clock.unsafeCurrentTimeMillis()), call)
      }
      this.grant()
      return Effect.void
    })
  }

  /** A call is not sent any more, or its end is not known. */
  left(call: Call): void {
    if (this.probe !== call) return
    this.probe = undefined
    if (this.outage !== undefined) this.outage.isProbeDue = true
    this.grant()
  }

  private isGivenUp(call: Call): boolean {
    return this.givenUp !== undefined && this.givenUp.epoch === this.failedIn.get(call)
  }

  /**
   * An attempt that never reached the service counts each time, and so does one without any answer as long as the client
   * has had none; else the texts of the call may be the cause, as they are if an earlier call has failed with them.
   */
  private count(call: Call, error: TranslateError.CallError): void {
    const isUnheard = error.delivery === "not-sent" || (!this.hasAnswered && !("status" in error))
    const isNew = !this.failedIn.has(call) && call.circuit?.isSuspected?.() !== true
    const isFirst = isNew || isUnheard
    if (isFirst || !this.failedIn.has(call)) this.failedIn.set(call, this.epoch)
    const isOfRow = this.failedIn.get(call) === this.epoch
    if (isFirst || (error.delivery === "rejected" && isOfRow)) this.failures++
    if ("status" in error) this.timeouts = 0
    // The texts of a call that times out again may be the cause too.
    else if (outages.isTimeout(error) && (isUnheard || call !== this.lastTimedOut)) {
      this.timeouts++
      this.lastTimedOut = call
    }
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

  private open(error: TranslateError.CallError, since: number): Outage {
    const { failures, policy } = this
    const schedule = this.hasAnswered ? policy.schedule : policy.startSchedule
    const outage: Outage = {
      schedule,
      since,
      told: new Set(),
      error,
      failures,
      backoff: undefined,
      probeAt: undefined,
      isProbeDue: false
    }
    this.outage = outage
    for (const waiter of this.waiting) this.tell(waiter, outage, since)
    return outage
  }

  /** Tells a call that waits that the circuit is open. It fails if it does not want to wait, and is no probe. */
  private tell(waiter: Waiter, outage: Outage, now: number): void {
    const { leaving, onOutage } = waiter
    waiter.outage = outage.error._tag
    if (leaving.atOnce && (!outage.isProbeDue || this.probe !== undefined)) {
      this.fail(waiter, { outage, epoch: this.epoch }, now)
    } else if (!outage.told.has(onOutage)) {
      outage.told.add(onOutage)
      onOutage(outage.error._tag, outage.probeAt)
    }
  }

  /** Closes the circuit for a stream that has come when no other one waits any more: the schedule was not for its calls. */
  private forget(onOutage: Operator["onOutage"]): void {
    const { outage, probe, waiting } = this
    const isForgotten = outage?.isProbeDue === true && probe === undefined && waiting.size === 0
    if (isForgotten && !outage.told.has(onOutage)) this.end()
  }

  private probeLater(outage: Outage, { policy }: Call): Effect.Effect<void> {
    /** Waits for the next probe; `false` if there is none. */
    const pause = Effect.gen(function* () {
      const { maxRetryAfter } = policy
      const { schedule } = outage
      const pause = yield* RetryPolicy.nextPause({ maxRetryAfter, schedule }, outage, outage.error)
      if (Option.isNone(pause)) return false
      const at = (yield* Clock.currentTimeMillis) + pause.value
      outage.probeAt = at
      for (const onOutage of outage.told) onOutage(outage.error._tag, at)
      yield* Effect.sleep(pause.value)
      return true
    })
    const next = (exit: Exit.Exit<boolean>) =>
      Clock.clockWith((clock) => {
        if (this.outage !== outage) return Effect.void
        if (Exit.isSuccess(exit) && exit.value) {
          outage.isProbeDue = true
          this.grant()
          return Effect.void
        }
        // The schedule may die, and the scope of the client may have been closed: no call is to wait for ever.
        const defect = Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause) ? exit.cause : undefined
        this.giveUp({ outage, epoch: this.epoch, defect }, clock.unsafeCurrentTimeMillis())
        return Effect.void
      })
    const probing = Effect.flatMap(Effect.exit(Effect.interruptible(pause)), next)
    return Effect.asVoid(Effect.forkIn(Effect.uninterruptible(probing), this.scope))
  }

  private giveUp(givenUp: GivenUp, now: number): void {
    this.givenUp = givenUp
    // Everyone who was told of the outage is told of its end.
    givenUp.outage.told.clear()
    this.end()
    for (const waiter of this.waiting) this.fail(waiter, givenUp, now)
  }

  private release(waiter: Waiter): void {
    this.waiting.delete(waiter)
    Deferred.unsafeDone(waiter.turn, Effect.succeed(false))
  }

  private failure(
    waiting: Pick<Waiter, "call" | "last">,
    { defect, outage }: GivenUp,
    now: number
  ): Effect.Effect<never, TranslateError.Outage> {
    return defect === undefined
      ? Effect.fail(outages.errorOf(waiting.call, waiting.last, outage, now))
      : Effect.failCause(defect)
  }

  private fail(waiter: Waiter, givenUp: GivenUp, now: number): void {
    this.waiting.delete(waiter)
    Deferred.unsafeDone(waiter.turn, this.failure(waiter, givenUp, now))
  }

  /** Closes the circuit. */
  private end(): void {
    for (const onOutage of this.outage?.told ?? []) onOutage(undefined)
    // An outage that was given up is kept, but not the streams that were told.
    this.outage?.told.clear()
    this.outage = undefined
    this.probe = undefined
    this.lastFailed = undefined
    this.failures = 0
    this.timeouts = 0
    this.lastTimedOut = undefined
    this.epoch++
  }
}
