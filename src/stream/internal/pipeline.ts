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
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import type * as Text from "../../api/Text.js"
import * as TranslateError from "../../client/TranslateError.js"
import { CallHooks } from "../../internal/callHooks.js"
import type * as Budget from "../Budget.js"
import type * as Outcome from "../Outcome.js"
import type * as Progress from "../Progress.js"
import type { StreamError } from "../StreamError.js"
import type { Answer } from "./answer.js"
import type * as Duplicates from "./duplicates.js"
import * as observing from "./observing.js"
import * as Outbox from "./outbox.js"
import * as Refusals from "./refusals.js"
import * as Row from "./row.js"
import * as Settlement from "./settlement.js"
import * as spending from "./spending.js"
import * as Window from "./window.js"

/** What a stage does with its elements. */
export interface Elements<A, B> {
  readonly texts: (source: A) => ReadonlyArray<Row.MaybeText>
  readonly replace: (source: A, texts: ReadonlyArray<Row.MaybeText>) => B
  /** What a failure calls the text at an index. */
  readonly field: (index: number) => string | number
}

/** How a stage sends its batches, and what goes into one. */
export interface Requests {
  readonly endpoint: { readonly method: string; readonly path: string }
  readonly overheadBytes: number
  readonly maxBytes: number
  readonly maxTexts: number
  /** Sends texts, with other options than the stage's where some are given. */
  readonly send: (
    texts: ReadonlyArray<string>,
    instead?: Partial<Text.TranslateOptions>
  ) => Effect.Effect<Answer, TranslateError.TranslateError>
}

/** What a stage does besides. */
export interface Extras extends Pick<Outbox.Options, "segments" | "placeholders"> {
  /** Sends a text once more without protection if its translation lost a placeholder. */
  readonly retryUnprotected: boolean
  readonly duplicates: Duplicates.Options | undefined
  readonly budget: Budget.Service | undefined
  readonly progress: Progress.Progress | undefined
}

export interface Stage<A, B> extends Elements<A, B>, Requests, Extras {
  readonly concurrency: number
  readonly ordered: boolean
  readonly languages: Progress.Languages
}

type Batch<A> = Outbox.Batch<A>

/** How many attempts of a failed call nobody knows the fate of. */
const ambiguousIn = (error: StreamError): number =>
  "ambiguousAttempts" in error ? error.ambiguousAttempts : 0

const tooLarge = ({ endpoint, maxBytes }: Requests, bytes: number): TranslateError.TranslateError =>
  TranslateError.invalidRequest(endpoint, [
    {
      field: "text",
      rule: `takes a body of ${bytes} bytes by itself; the limit is ${maxBytes}: split it into shorter texts`
    }
  ])

const mismatched = ({ endpoint }: Requests, expected: number, answer: Answer) =>
  new TranslateError.MismatchedResponse({
    method: endpoint.method,
    path: endpoint.path,
    delivery: "ambiguous",
    attempts: answer.attempts,
    ambiguousAttempts: answer.ambiguousAttempts + 1,
    status: 200,
    expected,
    received: answer.translations.length
  })

/**
 * Worker fibers draw batches from the source, one at a time, and send them; the consumer takes outcomes. All work on
 * chunks and batches: a fiber for each element would cost more than HTTP itself.
 */
export const run = <A, B, E, R>(
  source: Stream.Stream<A, E, R>,
  stage: Stage<A, B>
): Stream.Stream<Outcome.Outcome<B, A>, E | StreamError, R> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const pull = yield* Stream.toPull(source)
      const silent = (yield* Effect.tracer) === Context.get(DefaultServices.liveServices, Tracer.Tracer)
      const wake = yield* Effect.makeLatch()
      const news = yield* Effect.makeLatch()
      const window = Window.make<A>(stage)
      const refusals = Refusals.make()
      const observer = stage.progress?.observe(stage.languages)
      const observed = observing.observed(observer, silent ? undefined : stage.languages)
      const halted = yield* Deferred.make<void>()
      let pulled: ReadonlyArray<A> = []
      let next = 0
      let inFlight = 0
      let turnEnds = false
      let puller: Fiber.RuntimeFiber<unknown, unknown> | undefined
      let ended: Exit.Exit<never, Option.Option<E>> | undefined
      let fatal: StreamError | undefined
      let crashed: Cause.Cause<never> | undefined

      /**
       * Once for all that happens in a turn of the event loop: the consumer gets what is there (waking it for each batch
       * is dear), and a source that waits while nothing is in flight does not keep its last texts waiting too.
       */
      const atEndOfTurn = () => {
        if (turnEnds) return
        turnEnds = true
        setTimeout(() => {
          turnEnds = false
          if (puller !== undefined && inFlight === 0 && outbox.isEmpty()) outbox.flush()
          if (!outbox.isEmpty()) wake.unsafeOpen()
          news.unsafeOpen()
        }, 0)
      }

      const settlement = Settlement.make<A>({
        field: stage.field,
        duplicates: stage.duplicates,
        complete: window.complete,
        lost: (slot, error) => {
          if (stage.retryUnprotected && fatal === undefined) outbox.offerUnprotected(slot)
          else settlement.fail(slot, error)
        }
      })

      const outbox = Outbox.make<A>(stage, (slot, bytes) => settlement.fail(slot, tooLarge(stage, bytes)))

      const offer = (slot: Row.Slot<A>, text: string) => {
        if (!settlement.isKnown(slot, text)) outbox.offer(slot, text)
      }

      const add = (element: A) => {
        const row = Row.make(element, stage.texts(element))
        window.add(row)
        settlement.completeIfDone(row)
        Row.forEachText(row, offer)
      }

      const deliver = (batch: Batch<A>, answer: Answer) => {
        chargeAmbiguous(batch, answer.ambiguousAttempts)
        for (let i = 0; i < batch.items.length; i++) {
          Row.charge(batch.items[i]!, batch.texts[i]!, answer.translations[i]!)
          settlement.arrive(batch.items[i]!, answer.translations[i]!)
        }
      }

      const chargeAmbiguous = ({ items, texts }: Batch<A>, attempts: number) => {
        if (attempts === 0) return
        for (let i = 0; i < items.length; i++) Row.chargeAmbiguous(items[i]!, texts[i]!, attempts)
      }

      const reject = (batch: Batch<A>, error: StreamError) => {
        chargeAmbiguous(batch, ambiguousIn(error))
        for (const slot of batch.items) settlement.fail(slot, error)
      }

      /** These were not sent. */
      const drop = (batch: Batch<A>, error: StreamError) => {
        for (const slot of batch.items) settlement.fail(slot, error)
      }

      /** Whatever was pulled gets its outcome without being sent. */
      const dropRest = (error: StreamError) => {
        while (next < pulled.length) add(pulled[next++]!)
        outbox.flush()
        for (const batch of outbox.drain()) drop(batch, error)
      }

      const stop = (error: StreamError) => {
        if (fatal !== undefined) return
        fatal = error
        dropRest(error)
        Deferred.unsafeDone(halted, Effect.void)
        wake.unsafeOpen()
        puller?.unsafeInterruptAsFork(FiberId.none)
      }

      const crash = (cause: Cause.Cause<never>) => {
        crashed = cause
        news.unsafeOpen()
      }

      const interruptiblePull = Effect.interruptible(pull)
      const pullChunk = Effect.uninterruptible(
        Effect.suspend(() => {
          atEndOfTurn()
          return Effect.map(Effect.exit(interruptiblePull), (exit) => {
            if (Exit.isSuccess(exit)) {
              pulled = Chunk.toReadonlyArray(exit.value)
              next = 0
              if (fatal !== undefined) dropRest(fatal)
            } else ended = Exit.failCause(exit.cause)
            pullEnds()
          })
        })
      )

      const pullEnds = () => {
        puller = undefined
        wake.unsafeOpen()
        atEndOfTurn()
      }

      const nextBatch = (): Batch<A> | undefined => {
        while (outbox.isEmpty() && next < pulled.length && window.hasRoom()) add(pulled[next++]!)
        // A full window whose head waits for the open batch would wait for ever.
        const stuck = next < pulled.length && inFlight === 0 && !window.canTake()
        if (outbox.isEmpty() && (stuck || ended !== undefined)) outbox.flush()
        if (window.canTake()) atEndOfTurn()
        return outbox.next()
      }

      /** Sends what was refused in another way, if there is one. */
      const resend = (batch: Batch<A>, error: StreamError): boolean => {
        if (error._tag === "PayloadTooLarge" && outbox.shrink(batch)) return true
        if (batch.items.length < 2) return false
        outbox.halve(batch)
        return true
      }

      const refuse = (batch: Batch<A>, error: StreamError) => {
        const verdict = refusals.judge(error)
        if (verdict === "resend" && fatal === undefined && resend(batch, error))
          chargeAmbiguous(batch, ambiguousIn(error))
        else reject(batch, error)
        if (verdict === "stop") stop(error)
      }

      const sending = ({ instead, texts }: Batch<A>): Effect.Effect<Answer, StreamError> => {
        const sent = observed(
          texts,
          Effect.filterOrFail(
            Effect.suspend(() => stage.send(texts, instead)),
            ({ translations }) => translations.length === texts.length,
            (answer) => mismatched(stage, texts.length, answer)
          )
        )
        return stage.budget === undefined ? sent : spending.within(stage.budget, texts, sent)
      }

      const settle = (batch: Batch<A>, exit: Exit.Exit<Answer, StreamError>) => {
        inFlight--
        if (Exit.isSuccess(exit)) {
          if (!refusals.isAccepted()) {
            refusals.accept()
            wake.unsafeOpen()
          }
          outbox.accept(batch)
          deliver(batch, exit.value)
        } else {
          wake.unsafeOpen()
          const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
          if (error !== undefined) refuse(batch, error)
          // It waited for its turn when the job ended.
          else if (fatal !== undefined && Cause.isInterruptedOnly(exit.cause)) drop(batch, fatal)
          else return crash(exit.cause as Cause.Cause<never>)
        }
        atEndOfTurn()
      }

      const send = (batch: Batch<A>) => Effect.map(Effect.exit(sending(batch)), (exit) => settle(batch, exit))

      const worker: Effect.Effect<void, never, R> = Effect.withFiberRuntime((fiber) => {
        if (refusals.isAccepted() || inFlight === 0) {
          const batch = nextBatch()
          if (batch !== undefined) {
            inFlight++
            return Effect.zipRight(send(batch), worker)
          }
          if (ended !== undefined || fatal !== undefined) return Effect.void
          if (next === pulled.length && puller === undefined) {
            // Before the pull begins the runtime may turn to other workers: a second pull would overwrite this one.
            puller = fiber
            return Effect.zipRight(pullChunk, worker)
          }
        }
        wake.unsafeClose()
        return Effect.zipRight(wake.await, worker)
      })
      yield* worker.pipe(
        Effect.provideService(CallHooks, { halted: Deferred.await(halted) }),
        Effect.catchAllDefect((defect) => Effect.sync(() => crash(Cause.die(defect)))),
        silent ? Effect.withTracerEnabled(false) : identity,
        Effect.forkScoped,
        Effect.replicateEffect(stage.concurrency, { discard: true })
      )

      const take: Effect.Effect<
        Chunk.Chunk<Outcome.Outcome<B, A>>,
        Option.Option<E | StreamError>
      > = Effect.suspend(() => {
        const rows = window.take()
        if (rows.length > 0) {
          wake.unsafeOpen()
          const outcomes = rows.map((row) => Row.toOutcome(row, stage.replace))
          observer?.emitted(outcomes)
          return Effect.succeed(Chunk.unsafeFromArray(outcomes))
        }
        if (crashed !== undefined) return Effect.failCause(crashed)
        if (window.isEmpty()) {
          if (fatal !== undefined && inFlight === 0) return Effect.fail(Option.some(fatal))
          if (ended !== undefined) return ended
        }
        news.unsafeClose()
        return Effect.zipRight(news.await, take)
      })
      return Stream.repeatEffectChunkOption(take)
    })
  )
