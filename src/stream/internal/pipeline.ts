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
import * as RetryPolicy from "../../client/RetryPolicy.js"
import * as TranslateError from "../../client/TranslateError.js"
import * as Batching from "../Batching.js"
import type * as Outcome from "../Outcome.js"
import * as Refusals from "./refusals.js"
import * as Row from "./row.js"
import * as Window from "./window.js"

/** What a stage does with its elements. */
export interface Elements<A, B> {
  readonly texts: (source: A) => ReadonlyArray<Row.MaybeText>
  readonly put: (source: A, texts: ReadonlyArray<Row.MaybeText>) => B
  /** What a failure calls the text at an index. */
  readonly field: (index: number) => string | number
}

/** What became of the texts of a batch. */
export interface Answer {
  readonly translations: ReadonlyArray<Text.Translation>
  readonly attempts: number
  readonly ambiguousAttempts: number
}

/** How a stage sends its batches, and what goes into one. */
export interface Requests {
  readonly endpoint: { readonly method: string; readonly path: string }
  readonly overheadBytes: number
  readonly maxBytes: number
  readonly maxTexts: number
  readonly send: (texts: ReadonlyArray<string>) => Effect.Effect<Answer, TranslateError.TranslateError>
}

export interface Stage<A, B> extends Elements<A, B>, Requests {
  readonly concurrency: number
  readonly ordered: boolean
}

type Batch<A> = Batching.Batch<Row.Slot<A>>

/** How much of a body that was refused as too large the next ones may have. */
const learnedShare = 0.9

const tooLarge = ({ endpoint, maxBytes }: Requests, bytes: number): TranslateError.TranslateError =>
  TranslateError.invalidRequest(endpoint, [
    {
      field: "text",
      rule: `takes a body of ${bytes} bytes by itself; the limit is ${maxBytes}: split it into shorter texts`
    }
  ])

const mismatched = ({ endpoint }: Requests, batch: Batch<unknown>, answer: Answer) =>
  new TranslateError.MismatchedResponse({
    method: endpoint.method,
    path: endpoint.path,
    delivery: "ambiguous",
    attempts: answer.attempts,
    ambiguousAttempts: answer.ambiguousAttempts + 1,
    status: 200,
    expected: batch.texts.length,
    received: answer.translations.length
  })

/**
 * Worker fibers draw batches from the source, one at a time, and send them; the consumer takes outcomes. All work on
 * chunks and batches: a fiber for each element would cost more than HTTP itself.
 */
export const run = <A, B, E, R>(
  source: Stream.Stream<A, E, R>,
  stage: Stage<A, B>
): Stream.Stream<Outcome.Outcome<B, A>, E | TranslateError.TranslateError, R> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const pull = yield* Stream.toPull(source)
      const silent = (yield* Effect.tracer) === Context.get(DefaultServices.liveServices, Tracer.Tracer)
      const wake = yield* Effect.makeLatch()
      const news = yield* Effect.makeLatch()
      const window = Window.make<A>(stage)
      const refusals = Refusals.make()
      const halted = yield* Deferred.make<void>()
      // Arrays, not queues: the dead nodes of a linked list make the collector keep every batch for long.
      const packed: Array<Batch<A>> = []
      /** Halves of what was refused: before anything else. */
      const again: Array<Batch<A>> = []
      let pulled: ReadonlyArray<A> = []
      let next = 0
      let inFlight = 0
      let turnEnds = false
      let puller: Fiber.RuntimeFiber<unknown, unknown> | undefined
      let ended: Exit.Exit<never, Option.Option<E>> | undefined
      let fatal: TranslateError.TranslateError | undefined
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
          if (puller !== undefined && inFlight === 0 && packed.length === 0 && again.length === 0)
            packer.flush()
          if (packed.length > 0 || again.length > 0) wake.unsafeOpen()
          news.unsafeOpen()
        }, 0)
      }

      const completeIfDone = (row: Row.Row<A>) => {
        if (row.pending === 0) window.complete(row)
      }

      const fail = (slot: Row.Slot<A>, error: TranslateError.TranslateError, ambiguousAttempts: number) => {
        Row.failed(slot, { field: stage.field(Row.indexOf(slot)), error }, ambiguousAttempts)
        completeIfDone(Row.rowOf(slot))
      }

      const packer = Batching.makePacker<Row.Slot<A>>(stage, (next) => {
        if (next._tag === "Batch") packed.push(next)
        else fail(next.item, tooLarge(stage, next.bytes), 0)
      })

      const add = (element: A) => {
        const row = Row.make(element, stage.texts(element))
        window.add(row)
        completeIfDone(row)
        if (row.texts.length === 1 && row.pending === 1) packer.offer(row, row.texts[0]!)
        else {
          for (let index = 0; index < row.texts.length; index++) {
            const text = row.texts[index]
            if (Row.isText(text)) packer.offer({ row, index }, text)
          }
        }
      }

      const deliver = (batch: Batch<A>, answer: Answer) => {
        if (answer.translations.length !== batch.texts.length)
          return reject(batch, mismatched(stage, batch, answer))
        for (let i = 0; i < batch.items.length; i++) {
          Row.translated(batch.items[i]!, answer.translations[i]!, answer.ambiguousAttempts)
          completeIfDone(Row.rowOf(batch.items[i]!))
        }
      }

      const reject = (
        batch: Batch<A>,
        error: TranslateError.TranslateError,
        ambiguousAttempts = error.ambiguousAttempts
      ) => {
        for (const slot of batch.items) fail(slot, error, ambiguousAttempts)
      }

      /** Whatever was pulled gets its outcome without being sent. */
      const rejectRest = (error: TranslateError.TranslateError) => {
        while (next < pulled.length) add(pulled[next++]!)
        packer.flush()
        for (const batch of [...again.splice(0), ...packed.splice(0)]) reject(batch, error, 0)
      }

      const stop = (error: TranslateError.TranslateError) => {
        if (fatal !== undefined) return
        fatal = error
        rejectRest(error)
        Deferred.unsafeDone(halted, Effect.void)
        wake.unsafeOpen()
        puller?.unsafeInterruptAsFork(FiberId.none)
      }

      const crash = (cause: Cause.Cause<never>) => {
        crashed = cause
        news.unsafeOpen()
      }

      const pullChunk = Effect.uninterruptibleMask((restore) =>
        Effect.withFiberRuntime<void, never, R>((fiber) => {
          puller = fiber
          atEndOfTurn()
          return Effect.matchCause(restore(pull), {
            onSuccess: (chunk) => {
              pulled = Chunk.toReadonlyArray(chunk)
              next = 0
              if (fatal !== undefined) rejectRest(fatal)
              pullEnds()
            },
            onFailure: (cause) => {
              ended = Exit.failCause(cause)
              pullEnds()
            }
          })
        })
      )

      const pullEnds = () => {
        puller = undefined
        wake.unsafeOpen()
        atEndOfTurn()
      }

      const pack = (): Batch<A> | undefined => {
        while (packed.length === 0 && next < pulled.length && window.hasRoom()) add(pulled[next++]!)
        // A full window whose head waits for the open batch would wait for ever.
        const stuck = next < pulled.length && inFlight === 0 && !window.canTake()
        if (packed.length === 0 && (stuck || ended !== undefined)) packer.flush()
        if (window.canTake()) atEndOfTurn()
        return packed.shift()
      }

      /** Sends a batch once more in two halves, which get what is known of the attempts so far. */
      const resend = (batch: Batch<A>, error: TranslateError.TranslateError) => {
        if (error._tag === "PayloadTooLarge") packer.lower(Math.floor(batch.bytes * learnedShare))
        for (const slot of batch.items) Row.chargeAmbiguous(slot, error.ambiguousAttempts)
        again.unshift(...Batching.halve(batch, stage))
      }

      const refuse = (batch: Batch<A>, error: TranslateError.TranslateError) => {
        const verdict = refusals.judge(error, batch.texts.length)
        if (verdict === "halve" && fatal === undefined) return resend(batch, error)
        reject(batch, error)
        if (verdict === "stop") stop(error)
      }

      const send = (batch: Batch<A>) =>
        Effect.matchCause(
          Effect.suspend(() => stage.send(batch.texts)),
          {
            onSuccess: (answer) => {
              inFlight--
              if (!refusals.isAccepted()) {
                refusals.accept()
                wake.unsafeOpen()
              }
              deliver(batch, answer)
              atEndOfTurn()
            },
            onFailure: (cause) => {
              inFlight--
              wake.unsafeOpen()
              const error = Option.getOrUndefined(Cause.failureOption(cause))
              if (error !== undefined) refuse(batch, error)
              // It waited for its turn when the job ended.
              else if (fatal !== undefined && Cause.isInterruptedOnly(cause)) reject(batch, fatal, 0)
              else return crash(cause as Cause.Cause<never>)
              atEndOfTurn()
            }
          }
        )

      const worker: Effect.Effect<void, never, R> = Effect.suspend(() => {
        if (refusals.isAccepted() || inFlight === 0) {
          const batch = again.shift() ?? pack()
          if (batch !== undefined) {
            inFlight++
            return Effect.zipRight(send(batch), worker)
          }
          if (ended !== undefined || fatal !== undefined) return Effect.void
          if (next === pulled.length && puller === undefined) return Effect.zipRight(pullChunk, worker)
        }
        wake.unsafeClose()
        return Effect.zipRight(wake.await, worker)
      })
      const policy = yield* RetryPolicy.RetryPolicy
      yield* worker.pipe(
        Effect.provideService(RetryPolicy.RetryPolicy, { ...policy, halted: Deferred.await(halted) }),
        Effect.catchAllDefect((defect) => Effect.sync(() => crash(Cause.die(defect)))),
        silent ? Effect.withTracerEnabled(false) : identity,
        Effect.forkScoped,
        Effect.replicateEffect(stage.concurrency, { discard: true })
      )

      const take: Effect.Effect<
        Chunk.Chunk<Outcome.Outcome<B, A>>,
        Option.Option<E | TranslateError.TranslateError>
      > = Effect.suspend(() => {
        const rows = window.take()
        if (rows.length > 0) {
          wake.unsafeOpen()
          return Effect.succeed(Chunk.unsafeFromArray(rows.map((row) => Row.toOutcome(row, stage.put))))
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
