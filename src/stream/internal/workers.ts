import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as TranslateError from "../../client/TranslateError.js"
import { CallHooks } from "../../internal/callHooks.js"
import type * as Outcome from "../Outcome.js"
import type * as Progress from "../Progress.js"
import * as ServiceLimits from "../ServiceLimits.js"
import * as Accounting from "./accounting.js"
import type * as Cost from "./cost.js"
import type * as Matching from "./matching.js"
import * as options from "./options.js"
import type { Batch } from "./packing.js"
import * as Row from "./row.js"
import { Scheduler } from "./scheduler.js"
import * as Store from "./store.js"

/** Sends texts, with other options than those of the stream where some are given. */
export type Send = (
  texts: ReadonlyArray<string>,
  overrides: Batch<unknown>["overrides"]
) => Effect.Effect<Cost.Answer, TranslateError.TranslateError>

const mismatched = (
  { method, path }: { readonly method: string; readonly path: string },
  expected: number,
  { ambiguousAttempts, attempts, translations }: Cost.Answer
) =>
  new TranslateError.MismatchedResponse({
    method,
    path,
    delivery: "ambiguous",
    attempts,
    ambiguousAttempts: ambiguousAttempts + 1,
    status: 200,
    expected,
    received: translations.length
  })

interface Config<A, B, E, R> {
  readonly pull: Effect.Effect<Chunk.Chunk<A>, Option.Option<E>, R>
  readonly scheduler: Scheduler<A, B>
  readonly send: (batch: Batch<A>) => Effect.Effect<Cost.Answer, Outcome.StreamError>
  readonly accounting: Accounting.Accounted
  readonly store: Store.Store | undefined
  readonly observer: Progress.Observer | undefined
  readonly scope: Scope.Scope
  /** Open when workers may have something to do. */
  readonly work: Effect.Latch
  /** Open when the consumer may have something to take. */
  readonly news: Effect.Latch
  /** Done when nothing more is to be sent. */
  readonly halted: Deferred.Deferred<void>
}

/**
 * The fibers that carry out what the scheduler says, one step at a time. All of them do everything: there is no
 * producer and no queue between. They work on chunks and batches, since a fiber for each element costs more than HTTP.
 */
class Workers<A, B, E, R> {
  private isTurnEnding = false
  private isPolling = false
  private puller: Fiber.RuntimeFiber<unknown, unknown> | undefined
  private sourceEnd: Exit.Exit<never, Option.Option<E>> | undefined
  private defect: Cause.Cause<never> | undefined
  private readonly pullChunk: Effect.Effect<void, never, R>

  constructor(private readonly config: Config<A, B, E, R>) {
    const pull = Effect.interruptible(config.pull)
    this.pullChunk = Effect.uninterruptible(
      Effect.suspend(() => {
        this.notify()
        return Effect.map(Effect.exit(pull), (exit) => this.pulled(exit))
      })
    )
  }

  /** One worker, until there is nothing to do any more. */
  readonly worker: Effect.Effect<void, never, R> = Effect.withFiberRuntime((fiber) => {
    const { scheduler, work } = this.config
    const step = scheduler.step()
    if (scheduler.hasOutcomes) this.notify()
    if (step === "done") return Effect.void
    if (step === "wait") {
      work.unsafeClose()
      return Effect.zipRight(work.await, this.worker)
    }
    if (step === "pull") {
      this.puller = fiber
      return Effect.zipRight(this.pullChunk, this.worker)
    }
    if (step._tag === "Batch") return Effect.zipRight(this.sendBatch(step), this.worker)
    const stored = step._tag === "LookUp" ? this.lookUp(step.texts) : this.record(step.settled)
    return Effect.zipRight(stored, this.worker)
  })

  /** The next outcomes, as soon as there are some; the end of the stream, or its error. */
  readonly take: Effect.Effect<Chunk.Chunk<Outcome.Outcome<B, A>>, Option.Option<E | Outcome.StreamError>> =
    Effect.suspend(() => {
      const { news, observer, scheduler, work } = this.config
      const outcomes = scheduler.take()
      if (outcomes.length > 0) {
        work.unsafeOpen()
        observer?.emitted(outcomes)
        return Effect.succeed(Chunk.unsafeFromArray(outcomes))
      }
      if (this.defect !== undefined) return Effect.failCause(this.defect)
      if (scheduler.isEmpty) {
        if (scheduler.fatal !== undefined && scheduler.isIdle)
          return Effect.fail(Option.some(scheduler.fatal))
        if (this.sourceEnd !== undefined) return this.sourceEnd
      }
      news.unsafeClose()
      return Effect.zipRight(news.await, this.take)
    })

  crash(cause: Cause.Cause<never>): void {
    this.defect = cause
    this.config.news.unsafeOpen()
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
      if (this.config.scheduler.hasBatch) this.config.work.unsafeOpen()
      this.config.news.unsafeOpen()
    }, 0)
  }

  private pulled(exit: Exit.Exit<Chunk.Chunk<A>, Option.Option<E>>): void {
    this.puller = undefined
    if (Exit.isSuccess(exit)) this.config.scheduler.elements(Chunk.toReadonlyArray(exit.value))
    else {
      this.sourceEnd = Exit.failCause(exit.cause)
      this.config.scheduler.sourceEnded()
    }
    this.config.work.unsafeOpen()
    this.notify()
  }

  private sendBatch(batch: Batch<A>): Effect.Effect<void> {
    const { accounting, send, store } = this.config
    const onEnd = (exit: Exit.Exit<Cost.Answer, Outcome.StreamError>, cost: Cost.BatchCost) =>
      this.batchEnded(batch, exit, cost)
    const sent = Effect.suspend(() => accounting(batch.texts, send(batch), onEnd))
    if (store === undefined) return sent
    return Effect.matchEffect(store.aboutToSend(batch.items.map(Row.textOf)), {
      onFailure: (error) => {
        this.config.scheduler.dropped(batch, error)
        return this.stop(error)
      },
      onSuccess: () => sent
    })
  }

  private batchEnded(
    batch: Batch<A>,
    exit: Exit.Exit<Cost.Answer, Outcome.StreamError>,
    cost: Cost.BatchCost
  ): void {
    const { scheduler, work } = this.config
    if (Exit.isSuccess(exit)) {
      const isFirst = scheduler.answered(batch, exit.value.translations, cost)
      if (isFirst) work.unsafeOpen()
    } else this.batchFailed(batch, exit.cause, cost)
    this.notify()
  }

  private batchFailed(batch: Batch<A>, cause: Cause.Cause<Outcome.StreamError>, cost: Cost.BatchCost): void {
    const { scheduler, work } = this.config
    const error = Option.getOrUndefined(Cause.failureOption(cause))
    if (error !== undefined) scheduler.failed(batch, error, cost)
    // It waited for its turn when the stream ended.
    else if (scheduler.fatal !== undefined && Cause.isInterruptedOnly(cause)) {
      scheduler.dropped(batch, scheduler.fatal)
    } else this.crash(cause as Cause.Cause<never>)
    this.haltIfFatal()
    work.unsafeOpen()
  }

  private haltIfFatal(): void {
    if (this.config.scheduler.fatal === undefined) return
    Deferred.unsafeDone(this.config.halted, Effect.void)
    this.puller?.unsafeInterruptAsFork(FiberId.none)
  }

  private stop(error: Outcome.StreamError): Effect.Effect<void> {
    return Effect.sync(() => {
      this.config.scheduler.stop(error)
      this.haltIfFatal()
      this.config.work.unsafeOpen()
      this.notify()
    })
  }

  private lookUp(texts: ReadonlyArray<string>): Effect.Effect<void> {
    return this.ask(texts, (known) => this.config.scheduler.found(known))
  }

  private ask(
    texts: ReadonlyArray<string>,
    use: (known: ReadonlyArray<Store.Known>) => void
  ): Effect.Effect<void> {
    return Effect.matchEffect(this.config.store!.lookUp(texts), {
      onFailure: (error) => this.stop(error),
      onSuccess: (known) => {
        use(known)
        this.config.work.unsafeOpen()
        this.notify()
        return this.config.scheduler.pendingTexts.length > 0 && !this.isPolling ? this.poll : Effect.void
      }
    })
  }

  /** Asks again for texts that somebody else is translating, until there are none. */
  private readonly poll: Effect.Effect<void> = Effect.suspend(() => {
    this.isPolling = true
    const again = Effect.suspend(() =>
      this.ask(this.config.scheduler.pendingTexts, (known) => this.config.scheduler.foundPending(known))
    )
    const until = Effect.repeat(Effect.delay(again, this.config.store!.pollInterval), {
      while: () => this.config.scheduler.pendingTexts.length > 0
    })
    const done = Effect.sync(() => {
      this.isPolling = false
    })
    return Effect.forkIn(Effect.zipRight(until, done), this.config.scope)
  })

  private record(settled: ReadonlyArray<Matching.Settled<A>>): Effect.Effect<void> {
    const results = settled.map(({ item, result }) => ({ text: Row.textOf(item), result }))
    const recorded = Effect.sync(() => {
      this.config.scheduler.recorded(settled)
      this.config.work.unsafeOpen()
      this.notify()
    })
    return Effect.matchEffect(this.config.store!.record(results), {
      onFailure: (error) => Effect.zipRight(recorded, this.stop(error)),
      onSuccess: () => recorded
    })
  }
}

const languagesOf = ({ sourceLang, targetLang }: Progress.Languages): Progress.Languages => ({
  sourceLang: sourceLang && LanguageCode.canonical(sourceLang),
  targetLang: targetLang && LanguageCode.canonical(targetLang)
})

/** The outcomes of elements that are sent with checked options. */
const outcomes = <A, B, E, R>(
  source: Stream.Stream<A, E, R>,
  elements: Row.Elements<A, B>,
  { endpoint }: options.Requests<unknown, unknown>,
  { hash, limits }: options.Checked,
  given: options.Options,
  send: Send
): Stream.Stream<Outcome.Outcome<B, A>, E | Outcome.StreamError, R> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const isTraced = (yield* Effect.tracer) !== Context.get(DefaultServices.liveServices, Tracer.Tracer)
      const serviceLimits = given.serviceLimits ?? (yield* ServiceLimits.make())
      const languages = languagesOf(given)
      const observer = given.progress?.observe(languages)
      const store = Store.fromOptions(given)
      const halted = yield* Deferred.make<void>()
      const workers = new Workers({
        pull: yield* Stream.toPull(source),
        scheduler: new Scheduler({
          elements,
          endpoint,
          limits,
          learned: serviceLimits.of(endpoint.path, hash),
          options: given,
          hasStore: store !== undefined
        }),
        send: (batch) =>
          Effect.flatMap(send(batch.texts, batch.overrides), (answer) =>
            answer.translations.length === batch.texts.length
              ? Effect.succeed(answer)
              : Effect.fail(mismatched(endpoint, batch.texts.length, answer))
          ),
        accounting: Accounting.make({
          budget: given.budget,
          observer,
          traced: isTraced ? languages : undefined
        }),
        store,
        observer,
        scope: yield* Effect.scope,
        work: yield* Effect.makeLatch(),
        news: yield* Effect.makeLatch(),
        halted
      })
      yield* workers.worker.pipe(
        Effect.provideService(CallHooks, { halted: Deferred.await(halted) }),
        Effect.catchAllDefect((defect) => Effect.sync(() => workers.crash(Cause.die(defect)))),
        isTraced ? identity : Effect.withTracerEnabled(false),
        Effect.forkScoped,
        Effect.replicateEffect(given.concurrency ?? 8, { discard: true })
      )
      return Stream.repeatEffectChunkOption(workers.take)
    })
  )

/** Runs elements through an endpoint. Options are checked before anything is pulled. */
export const run = <A, B, E, R, O, I, S>(
  source: Stream.Stream<A, E, R>,
  elements: Row.Elements<A, B>,
  requests: options.Requests<O, I>,
  given: options.Options,
  connect: Effect.Effect<Send, never, S>
): Stream.Stream<Outcome.Outcome<B, A>, E | Outcome.StreamError, R | S> =>
  Stream.unwrap(
    Effect.zipWith(options.check(requests, given), connect, (checked, send) =>
      outcomes(source, elements, requests as options.Requests<unknown, unknown>, checked, given, send)
    )
  )
