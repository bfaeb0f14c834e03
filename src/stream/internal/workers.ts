import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import { constant, identity } from "effect/Function"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { BulkCalls } from "../../internal/bulkCalls.js"
import { Halted } from "../../internal/halted.js"
import { SendGate } from "../../internal/sendGate.js"
import type * as TranslationStore from "../../store/TranslationStore.js"
import type * as Check from "../../text/Check.js"
import * as Verdicts from "../../text/Verdicts.js"
import type * as Outcome from "../Outcome.js"
import type * as ProgressObserver from "../ProgressObserver.js"
import { Linger } from "./linger.js"
import type { LookUp } from "./lookUps.js"
import type { Batch } from "./packing.js"
import type { BatchResult, Judge, Record, Work } from "./protocol.js"
import { Pulling } from "./pulling.js"
import type { Scheduler } from "./scheduler.js"
import * as Sender from "./sender.js"
import * as Store from "./translationStore.js"

interface Config<A, B, E, R> extends Sender.Config<A> {
  readonly source: Effect.Effect<Chunk.Chunk<A>, Option.Option<E>, R>
  readonly scheduler: Scheduler<A, B>
  readonly store: TranslationStore.Session | undefined
  /** The checks that ask somebody, and the store of their verdicts. */
  readonly checks: ReadonlyArray<Check.Check>
  readonly verdicts: TranslationStore.Service | undefined
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
  private readonly halted = Deferred.unsafeMake<void>(FiberId.none)
  private readonly untilHalted = Deferred.await(this.halted)
  /** Open when workers may have something to do. */
  private readonly workAvailable = Effect.unsafeMakeLatch()
  /** Open when the consumer may have something to take. */
  private readonly outcomesAvailable = Effect.unsafeMakeLatch()
  private readonly pulling: Pulling<A, E, R>
  private readonly linger: Linger | undefined
  private running = 0
  /** True if a worker waits for work. */
  private isOneWaiting = false
  /** True if workers are woken at the end of this turn of the event loop. */
  private isTurnEnding = false
  private defect: Cause.Cause<never> | undefined

  constructor(private readonly config: Config<A, B, E, R>) {
    const { clock, linger, scheduler } = config
    this.pulling = new Pulling({ ...config, onEnd: this.wake })
    if (linger !== undefined) {
      this.linger = new Linger(Duration.toMillis(linger), clock, scheduler, this.wake)
    }
  }

  /** Starts the first worker, and the timer of `linger`. */
  readonly run = Effect.suspend(() => {
    const { linger, start } = this
    const { scope } = this.config
    return linger === undefined
      ? start
      : Effect.zipRight(Effect.forkIn(Effect.interruptible(linger.run), scope), start)
  })

  /** Starts a worker: like the first one, though it may be a batch that starts it, in its span and uninterruptibly. */
  private readonly start: Effect.Effect<void> = Effect.suspend(() => {
    const { context, isTraced, scope, store } = this.config
    const sender = new Sender.Sender<A>(this.config, this)
    // One copy of the map, where `Context.add` makes one for each service.
    const ofCalls = Context.unsafeMake<R>(
      new Map(context.unsafeMap)
        .set(Halted.key, this.untilHalted)
        .set(BulkCalls.key, sender)
        .set(SendGate.key, store && sender.gate)
    )
    this.running++
    return this.worker(sender).pipe(
      Effect.catchAllDefect((defect) => Effect.sync(() => this.crash(Cause.die(defect)))),
      isTraced ? identity : Effect.withTracerEnabled(false),
      Effect.mapInputContext<never, R>(constant(ofCalls)),
      Effect.interruptible,
      Effect.forkIn(scope)
    )
  })

  /** One worker, until there is nothing to do, or another one waits for it. */
  private worker(sender: Sender.Sender<A>): Effect.Effect<void, never, R> {
    const worker: Effect.Effect<void, never, R> = Effect.suspend(() => {
      const { scheduler } = this.config
      const step = scheduler.step()
      this.linger?.observe()
      if (scheduler.window.canTake) this.notify()
      if (step === "done" || (step === "wait" && this.isOneWaiting)) {
        this.running--
        return Effect.void
      }
      if (step === "wait") {
        this.isOneWaiting = true
        this.workAvailable.unsafeClose()
        return Effect.zipRight(this.workAvailable.await, woken)
      }
      const carriedOut = Effect.zipRight(this.carryOut(step, sender), worker)
      if (!this.isOneWaiting) return this.mayStart ? Effect.zipRight(this.start, carriedOut) : carriedOut
      // Beside a pull there is nothing to do until something happens.
      if (step !== "pull") this.workAvailable.unsafeOpen()
      return carriedOut
    })
    const woken = Effect.suspend(() => {
      this.isOneWaiting = false
      return worker
    })
    return worker
  }

  private carryOut(step: Work<A>, sender: Sender.Sender<A>): Effect.Effect<unknown, never, R> {
    if (step === "pull") {
      this.notify()
      return this.pulling.pull
    }
    if (step._tag === "Judge") return this.judge(step)
    return step._tag === "Batch" ? sender.send(step) : this.askStore(step)
  }

  /** Asks beside the workers, which send meanwhile. The translations are recorded: where the stream ends, they leave without a verdict. */
  private judge(step: Judge<A>): Effect.Effect<unknown> {
    const { checks, scheduler, scope, verdicts } = this.config
    const judged = Effect.matchCause(Verdicts.judge(checks, step.questions, verdicts), {
      onFailure: (cause) => {
        const error = Option.getOrUndefined(Cause.failureOption(cause))
        if (error === undefined) this.crash(cause as Cause.Cause<never>)
        else {
          scheduler.notJudged(step, error)
          this.wake()
        }
      },
      onSuccess: (verdicts) => {
        scheduler.judged(step, verdicts)
        this.wake()
      }
    })
    const givenUp = Effect.map(this.untilHalted, () => {
      scheduler.notJudged(step, undefined)
      this.wake()
    })
    return Effect.forkIn(Effect.raceFirst(judged, givenUp), scope)
  }

  /** True if one worker more may start: the only one may be in a pull that waits for the outcome of an element that it has given. */
  private get mayStart(): boolean {
    const { concurrency, parked } = this.config.scheduler.permits
    return this.running - parked < Math.max(concurrency, 2)
  }

  private askStore(step: LookUp<A> | Record<A>): Effect.Effect<unknown, never, R> {
    const { scheduler, scope, store } = this.config
    const asked = Effect.matchCause(Store.ask(store!, scheduler, step), {
      onFailure: (cause) => this.crash(cause),
      onSuccess: this.wake
    })
    // Answers that were not recorded would be paid for again.
    if (step._tag === "Record") return Effect.uninterruptible(asked)
    if (!step.isPending) return asked
    const givenUp = Effect.map(this.untilHalted, () => {
      scheduler.notFound(step, scheduler.fatal!)
      this.wake()
    })
    const polled = Effect.raceFirst(Effect.delay(asked, store!.pollInterval), givenUp)
    // If that ends the stream, another worker records the rest: the only one may be in a pull that is interrupted.
    const rest = Effect.suspend(() => (scheduler.fatal === undefined ? Effect.void : this.start))
    return Effect.forkIn(Effect.zipRight(polled, rest), scope)
  }

  readonly onResult = (batch: Batch<A>, result: BatchResult): void => {
    const { scheduler } = this.config
    const wereHeldBack = scheduler.isHeldBack
    scheduler.ended(batch, result)
    if (result._tag === "Answered" && !wereHeldBack) this.notify()
    else this.wake()
  }

  readonly onOutage = (error: string | undefined, retryAt?: number): void =>
    this.config.observer?.outage(error, retryAt)

  /** Runs while a batch waits to be sent again: another worker may send another batch meanwhile. */
  readonly parked = <E2>(wait: Effect.Effect<boolean, E2>, isOutage: boolean): Effect.Effect<void, E2> =>
    Effect.suspend(() => {
      const parked = this.config.scheduler.permits.park(isOutage)
      if (parked === undefined) return Effect.asVoid(wait)
      const untilResumed: Effect.Effect<void> = Effect.suspend(() => {
        if (parked.tryResume()) return Effect.void
        this.workAvailable.unsafeClose()
        return Effect.zipRight(Effect.interruptible(this.workAvailable.await), untilResumed)
      })
      this.wake()
      const replaced = !this.isOneWaiting && this.mayStart ? this.start : Effect.void
      return Effect.zipRight(
        replaced,
        Effect.flatMap(wait, (isAlone) => (isAlone ? Effect.void : untilResumed))
      ).pipe(Effect.ensuring(Effect.sync(parked.resume)))
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
        if (this.pulling.sourceEnd !== undefined) return this.pulling.sourceEnd
      }
      this.outcomesAvailable.unsafeClose()
      return Effect.zipRight(this.outcomesAvailable.await, this.take)
    })

  /** Something has happened that other workers may wait for. */
  readonly wake = (): void => {
    if (this.config.scheduler.fatal !== undefined) {
      Deferred.unsafeDone(this.halted, Effect.void)
      // Its worker ends too.
      if (this.pulling.interrupt()) this.running--
    }
    this.workAvailable.unsafeOpen()
    this.notify()
  }

  /**
   * Once for everything that happens in a turn of the event loop: wakes the consumer, which is expensive for each batch;
   * and if the source waits while nothing is in flight, sends the texts it has given so far.
   */
  private notify(): void {
    if (this.isTurnEnding) return
    this.isTurnEnding = true
    setTimeout(() => {
      const { scheduler } = this.config
      this.isTurnEnding = false
      scheduler.flushIfIdle()
      if (scheduler.packing.packed.length > 0 || scheduler.permits.parked > 0) this.workAvailable.unsafeOpen()
      this.outcomesAvailable.unsafeOpen()
    }, 0)
  }

  /** Ends the stream by a defect. */
  crash(cause: Cause.Cause<never>): void {
    this.defect = cause
    this.wake()
  }
}
