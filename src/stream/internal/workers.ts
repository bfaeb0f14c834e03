import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import { constant, identity } from "effect/Function"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Text from "../../api/Text.js"
import { BulkCalls } from "../../internal/bulkCalls.js"
import { Halted } from "../../internal/halted.js"
import { SendGate } from "../../internal/sendGate.js"
import type * as TranslationStore from "../../store/TranslationStore.js"
import type * as Outcome from "../Outcome.js"
import type * as ProgressObserver from "../ProgressObserver.js"
import type * as Accounting from "./accounting.js"
import * as Cost from "./cost.js"
import { Linger } from "./linger.js"
import type { LookUp } from "./lookUps.js"
import type { Batch } from "./packing.js"
import type { Scheduler } from "./scheduler.js"
import type { Record, Step } from "./schedulerSteps.js"
import { Sending } from "./sending.js"
import * as Store from "./translationStore.js"

/** The steps with work. */
type Work<A> = Exclude<Step<A>, "wait" | "done">

/** The texts of a batch, and how many characters are sent of each: a text may be in several parts, of which some are in other requests. */
const sentOf = ({ items, texts }: Batch<unknown>) => {
  if (items.every(({ part }) => part === undefined)) {
    return { texts: items.map(({ text }) => text), characters: texts.map(Text.characters) }
  }
  const sent = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const { text } = item
    sent.set(text, (sent.get(text) ?? 0) + Text.characters(texts[index]!))
  }
  return { texts: Array.from(sent.keys()), characters: Array.from(sent.values()) }
}

interface Config<A, B, E, R> {
  readonly pull: Effect.Effect<Chunk.Chunk<A>, Option.Option<E>, R>
  readonly scheduler: Scheduler<A, B>
  readonly send: (batch: Batch<A>) => Effect.Effect<Cost.Answer, Outcome.StreamError>
  readonly accounted: Accounting.Accounted
  readonly store: TranslationStore.Session | undefined
  readonly observer: ProgressObserver.Observer | undefined
  readonly isTraced: boolean
  readonly context: Context.Context<R>
  readonly linger: Duration.DurationInput | undefined
  readonly clock: Clock.Clock
  readonly scope: Scope.Scope
}

/**
 * The fibers that carry out the steps of the scheduler, one step at a time. All of them do everything: there is no
 * producer and no queue between. They work on chunks and batches, since a fiber for each element costs more than HTTP. A
 * worker that finds work wakes or starts the next one, and one waits at most: more would ask the scheduler for nothing.
 */
export class Workers<A, B, E, R> {
  /** Done when nothing more is to be sent. */
  readonly halted = Deferred.unsafeMake<void>(FiberId.none)
  private readonly untilHalted = Deferred.await(this.halted)
  /** Open when workers may have something to do. */
  private readonly workAvailable = Effect.unsafeMakeLatch()
  /** Open when the consumer may have something to take. */
  private readonly outcomesAvailable = Effect.unsafeMakeLatch()
  private isTurnEnding = false
  private parked = 0
  private running = 0
  /** True if a worker waits for work. */
  private isOneWaiting = false
  private puller: Fiber.RuntimeFiber<unknown, unknown> | undefined
  private sourceEnd: Exit.Exit<never, Option.Option<E>> | undefined
  private defect: Cause.Cause<never> | undefined
  readonly linger: Linger | undefined

  constructor(private readonly config: Config<A, B, E, R>) {
    const { clock, linger, scheduler } = config
    this.linger =
      linger === undefined
        ? undefined
        : new Linger(Duration.toMillis(linger), clock, scheduler, () => this.wake())
  }

  /** One worker, until there is nothing to do, or another one waits for it. */
  private worker(sending: Sending<A>): Effect.Effect<void, never, R> {
    const worker: Effect.Effect<void, never, R> = Effect.suspend(() => {
      const { scheduler } = this.config
      const step = scheduler.step()
      this.linger?.observe()
      if (scheduler.hasOutcomes) this.notify()
      if (step === "done" || (step === "wait" && this.isOneWaiting)) {
        this.running--
        return Effect.void
      }
      if (step === "wait") {
        this.isOneWaiting = true
        this.workAvailable.unsafeClose()
        return Effect.zipRight(this.workAvailable.await, woken)
      }
      const carriedOut = Effect.zipRight(this.carryOut(step, sending), worker)
      return this.needsWorker(step) ? Effect.zipRight(this.start, carriedOut) : carriedOut
    })
    const woken = Effect.suspend(() => {
      this.isOneWaiting = false
      return worker
    })
    return worker
  }

  /** True if one more worker is to be started for work that may be done beside this. */
  private needsWorker(step: Work<A>): boolean {
    if (!this.isOneWaiting) return this.mayStart
    // Beside a pull there is nothing to do until something happens.
    if (step !== "pull") this.workAvailable.unsafeOpen()
    return false
  }

  /** True if one worker more may start: the only one may be in a pull that waits for the outcome of an element that it has given. */
  private get mayStart(): boolean {
    return this.running - this.parked < Math.max(this.config.scheduler.concurrency, 2)
  }

  private carryOut(step: Work<A>, sending: Sending<A>): Effect.Effect<unknown, never, R> {
    if (step === "pull") return this.pullChunk
    return step._tag === "Batch" ? this.send(step, sending) : this.askStore(step)
  }

  private readonly onOutage = (error: string | undefined, retryAt?: number) =>
    this.config.observer?.outage(error, retryAt)

  /** Starts a worker: like the first one, though it may be a batch that starts it, in its span and uninterruptibly. */
  readonly start: Effect.Effect<void> = Effect.suspend(() => {
    const { context, isTraced, scheduler, scope, store } = this.config
    const sending = new Sending<A>(scheduler.refusals, this.whileParked, this.onOutage)
    const gate = store && sending.gate
    // One copy of the map, where `Context.add` makes one for each service.
    const ofCalls = Context.unsafeMake<R>(
      new Map(context.unsafeMap)
        .set(Halted.key, this.untilHalted)
        .set(BulkCalls.key, sending)
        .set(SendGate.key, gate)
    )
    this.running++
    return this.worker(sending).pipe(
      Effect.catchAllDefect((defect) => Effect.sync(() => this.crash(Cause.die(defect)))),
      isTraced ? identity : Effect.withTracerEnabled(false),
      Effect.mapInputContext<never, R>(constant(ofCalls)),
      Effect.interruptible,
      Effect.forkIn(scope)
    )
  })

  /** Runs while a batch waits to be sent again: another worker may send another batch meanwhile. */
  private readonly whileParked = <E2>(wait: Effect.Effect<boolean, E2>, isOutage: boolean) =>
    Effect.suspend((): Effect.Effect<void, E2> => {
      const { scheduler } = this.config
      if (!scheduler.places.park(isOutage)) return Effect.asVoid(wait)
      let isParked = true
      let isReturning = false
      const unpark = () => {
        if (!isParked) return
        isParked = false
        scheduler.places.unpark(isReturning)
        this.parked--
      }
      const untilPlace: Effect.Effect<void> = Effect.suspend(() => {
        if (!isReturning) scheduler.places.return()
        isReturning = true
        if (scheduler.places.isFreeToReturn) {
          unpark()
          return Effect.void
        }
        this.workAvailable.unsafeClose()
        return Effect.zipRight(Effect.interruptible(this.workAvailable.await), untilPlace)
      })
      this.parked++
      this.wake()
      const replaced = !this.isOneWaiting && this.mayStart ? this.start : Effect.void
      return Effect.zipRight(
        replaced,
        Effect.flatMap(wait, (isAlone) => (isAlone ? Effect.void : untilPlace))
      ).pipe(Effect.ensuring(Effect.sync(unpark)))
    })

  /** The next outcomes, as soon as there are some; the end of the stream, or its error. */
  readonly take: Effect.Effect<Chunk.Chunk<Outcome.Outcome<B, A>>, Option.Option<E | Outcome.StreamError>> =
    Effect.suspend(() => {
      const { observer, scheduler } = this.config
      const outcomes = scheduler.take()
      if (outcomes.length > 0) {
        this.workAvailable.unsafeOpen()
        observer?.emitted(outcomes)
        return Effect.succeed(Chunk.unsafeFromArray(outcomes))
      }
      if (this.defect !== undefined) return Effect.failCause(this.defect)
      if (scheduler.isIdle) {
        if (scheduler.fatal !== undefined) return Effect.fail(Option.some(scheduler.fatal))
        if (this.sourceEnd !== undefined) return this.sourceEnd
      }
      this.outcomesAvailable.unsafeClose()
      return Effect.zipRight(this.outcomesAvailable.await, this.take)
    })

  crash(cause: Cause.Cause<never>): void {
    this.defect = cause
    this.outcomesAvailable.unsafeOpen()
  }

  /**
   * Once for everything that happens in a turn of the event loop: wakes the consumer, which is expensive for each batch;
   * and if the source waits while nothing is in flight, sends the texts it has given so far.
   */
  private notify(): void {
    if (this.isTurnEnding) return
    this.isTurnEnding = true
    setTimeout(() => {
      this.isTurnEnding = false
      this.config.scheduler.flushIfIdle()
      if (this.config.scheduler.hasBatch || this.parked > 0) this.workAvailable.unsafeOpen()
      this.outcomesAvailable.unsafeOpen()
    }, 0)
  }

  /** Something has happened that other workers may wait for. */
  wake(): void {
    if (this.config.scheduler.fatal !== undefined) {
      Deferred.unsafeDone(this.halted, Effect.void)
      this.interruptPull()
    }
    this.workAvailable.unsafeOpen()
    this.notify()
  }

  /** Ends the worker that pulls, too. */
  private interruptPull(): void {
    if (this.puller === undefined) return
    this.puller.unsafeInterruptAsFork(FiberId.none)
    this.puller = undefined
    this.running--
  }

  private readonly pullChunk: Effect.Effect<void, never, R> = Effect.uninterruptible(
    Effect.withFiberRuntime((fiber) => {
      const { context, pull, scheduler } = this.config
      this.notify()
      // The stream has ended since: this pull is not interrupted any more.
      if (scheduler.fatal !== undefined) return Effect.sync(() => this.pulled([]))
      this.puller = fiber
      // Calls that the source makes are none of this worker. `Effect.provide` would take 12 operations.
      const pulled = Effect.zipRight(
        FiberRef.set(FiberRef.currentContext, context),
        Effect.interruptible(pull)
      )
      const own = FiberRef.set(FiberRef.currentContext, fiber.getFiberRef(FiberRef.currentContext))
      return Effect.map(Effect.zipLeft(Effect.exit(pulled), own), (exit) => {
        this.puller = undefined
        if (Exit.isSuccess(exit)) return this.pulled(Chunk.toReadonlyArray(exit.value))
        this.sourceEnd = Exit.failCause(exit.cause)
        scheduler.sourceEnded()
        this.wake()
      })
    })
  )

  private pulled(elements: ReadonlyArray<A>): void {
    this.config.scheduler.elements(elements)
    this.wake()
  }

  private send(batch: Batch<A>, sending: Sending<A>): Effect.Effect<void> {
    const { scheduler, store } = this.config
    if (store === undefined) return this.sendNow(batch, sending, undefined)
    const { characters, texts } = sentOf(batch)
    return Effect.matchCauseEffect(store.claim(texts, characters), {
      onFailure: (cause) => Effect.sync(() => this.failed(batch, cause, Cost.none, false, undefined)),
      onSuccess: (given) => {
        const { granted } = given
        const denied = new Set(granted.includes(false) ? texts.filter((_, index) => !granted[index]) : [])
        const rest = scheduler.claimed(batch, (text) => !denied.has(text))
        if (rest !== batch) this.wake()
        if (rest !== undefined) return this.sendNow(rest, sending, new Store.Claim(given))
        given.ended("rejected")
        return Effect.void
      }
    })
  }

  private sendNow(batch: Batch<A>, sending: Sending<A>, claim: Store.Claim | undefined): Effect.Effect<void> {
    const { accounted, send } = this.config
    const sent = claim === undefined ? send(batch) : claim.hold(send(batch))
    return Effect.suspend(() => {
      sending.begin(batch, claim)
      const sendAs = (mayRepeat: Effect.Effect<boolean>) => {
        sending.mayRepeat = mayRepeat
        return sent
      }
      return accounted(batch.texts, sendAs, (exit, cost) => {
        const { isDivided } = sending
        sending.end()
        if (Exit.isFailure(exit)) return this.failed(batch, exit.cause, cost, isDivided, claim)
        claim?.answered()
        this.answered(batch, exit.value, cost)
      })
    })
  }

  private answered(batch: Batch<A>, { translations }: Cost.Answer, cost: Cost.BatchCost): void {
    const wereHeldBack = this.config.scheduler.answered(batch, translations, cost)
    if (wereHeldBack) this.wake()
    else this.notify()
  }

  private failed(
    batch: Batch<A>,
    cause: Cause.Cause<Outcome.StreamError>,
    cost: Cost.BatchCost,
    isDivided: boolean,
    claim: Store.Claim | undefined
  ): void {
    const { scheduler } = this.config
    const error = claim?.error ?? Option.getOrUndefined(Cause.failureOption(cause))
    const isLost = claim?.isLost === true
    // It waited for its turn when the stream ended, or when its claim was lost.
    const isNotSent = Cause.isInterruptedOnly(cause) && (isLost || scheduler.fatal !== undefined)
    if (error === undefined && !isNotSent) this.crash(cause as Cause.Cause<never>)
    else {
      claim?.failed(cause)
      if (isLost) scheduler.lost(batch, cost)
      else if (error === undefined) scheduler.dropped(batch, scheduler.fatal!)
      else scheduler.failed(batch, error, cost, isDivided)
    }
    this.wake()
  }

  private askStore(step: LookUp<A> | Record<A>): Effect.Effect<unknown, never, R> {
    const { scheduler, scope, store } = this.config
    const asked = Effect.matchCause(Store.ask(store!, scheduler, step), {
      onFailure: (cause) => this.crash(cause),
      onSuccess: () => this.wake()
    })
    // Answers that were not recorded would be paid for again.
    if (step._tag === "Record") return Effect.uninterruptible(asked)
    if (!step.isPending) return asked
    const givenUp = Effect.map(Deferred.await(this.halted), () => {
      scheduler.notFound(step, scheduler.fatal!)
      this.wake()
    })
    const polled = Effect.raceFirst(Effect.delay(asked, store!.pollInterval), givenUp)
    // If that ends the stream, another worker records the rest: the only one may be in a pull that is interrupted.
    const rest = Effect.suspend(() => (scheduler.fatal === undefined ? Effect.void : this.start))
    return Effect.forkIn(Effect.zipRight(polled, rest), scope)
  }
}
