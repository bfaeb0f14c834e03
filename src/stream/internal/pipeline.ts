import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Limits from "../../api/Limits.js"
import * as Text from "../../api/Text.js"
import type * as TranslateClient from "../../client/TranslateClient.js"
import * as TranslateError from "../../client/TranslateError.js"
import * as Batching from "../Batching.js"
import type * as Outcome from "../Outcome.js"
import * as Translator from "../Translator.js"
import * as Row from "./row.js"
import * as Window from "./window.js"

/** What a stage does with its elements. */
export interface Stage<A, B> {
  readonly texts: (source: A) => ReadonlyArray<Row.MaybeText>
  readonly put: (source: A, texts: ReadonlyArray<Row.MaybeText>) => B
  /** What a failure calls the text at an index. */
  readonly field: (index: number) => string | number
  readonly options: Text.TranslateOptions
  readonly overheadBytes: number
  readonly concurrency: number
  readonly ordered: boolean
}

type Batch<A> = Batching.Batch<Row.Slot<A>>

/** After these, all that is left of the job would fail the same way. */
const isFatal = (error: TranslateError.TranslateError): boolean =>
  error._tag === "Unauthorized" || error._tag === "QuotaExceeded"

const tooLarge = (bytes: number): TranslateError.TranslateError =>
  TranslateError.invalidRequest(Text.translateText, [
    {
      field: "text",
      rule: `takes a body of ${bytes} bytes by itself; the limit is ${Limits.translateBodyBytes}: split it into shorter texts`
    }
  ])

/**
 * Worker fibers draw batches from the source, one at a time, and send them; the consumer takes outcomes. All work on
 * chunks and batches: a fiber for each element would cost more than HTTP itself.
 */
export const run = <A, B, E, R>(
  source: Stream.Stream<A, E, R>,
  stage: Stage<A, B>
): Stream.Stream<Outcome.Outcome<B, A>, E | TranslateError.TranslateError, R | Translator.Translator> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const translator = yield* Translator.Translator
      const pull = yield* Stream.toPull(source)
      const lock = yield* Effect.makeSemaphore(1)
      const room = yield* Effect.makeLatch()
      const news = yield* Effect.makeLatch()
      const window = Window.make<A>(stage)
      // Arrays, not queues: the dead nodes of a linked list make the collector keep every batch for long.
      const packed: Array<Batch<A>> = []
      let pulled: ReadonlyArray<A> = []
      let next = 0
      let inFlight = 0
      let announced = false
      let puller: Fiber.RuntimeFiber<unknown, unknown> | undefined
      let ended: Exit.Exit<never, Option.Option<E>> | undefined
      let fatal: TranslateError.TranslateError | undefined
      let crashed: Cause.Cause<never> | undefined

      /** Tells the consumer once for all that happens in a turn of the event loop: waking it for each batch is dear. */
      const announce = () => {
        if (announced) return
        announced = true
        setTimeout(() => {
          announced = false
          news.unsafeOpen()
        }, 0)
      }

      const completeIfDone = (row: Row.Row<A>) => {
        if (row.pending === 0) window.complete(row)
      }

      const fail = (slot: Row.Slot<A>, error: TranslateError.TranslateError) => {
        Row.failed(slot, stage.field(Row.indexOf(slot)), error)
        completeIfDone(Row.rowOf(slot))
      }

      const packer = Batching.makePacker<Row.Slot<A>>(stage, (next) => {
        if (next._tag === "Batch") packed.push(next)
        else fail(next.item, tooLarge(next.bytes))
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

      const finish = (batch: Batch<A>, settle: (slot: Row.Slot<A>, index: number) => void) => {
        batch.items.forEach(settle)
        announce()
      }

      const deliver = (batch: Batch<A>, { ambiguousAttempts, translations }: TranslateClient.Translated) =>
        finish(batch, (slot, index) => {
          Row.translated(slot, translations[index]!, ambiguousAttempts)
          completeIfDone(Row.rowOf(slot))
        })

      const reject = (batch: Batch<A>, error: TranslateError.TranslateError) =>
        finish(batch, (slot) => fail(slot, error))

      /** Whatever was pulled gets its outcome without being sent. */
      const rejectRest = (error: TranslateError.TranslateError) => {
        while (next < pulled.length) add(pulled[next++]!)
        packer.flush()
        for (const batch of packed.splice(0)) reject(batch, error)
      }

      const stop = (error: TranslateError.TranslateError) => {
        if (fatal !== undefined) return
        fatal = error
        rejectRest(error)
        room.unsafeOpen()
        puller?.unsafeInterruptAsFork(FiberId.none)
      }

      const pullChunk = Effect.uninterruptibleMask((restore) =>
        Effect.withFiberRuntime<void, never, R>((fiber) => {
          puller = fiber
          return Effect.matchCause(restore(pull), {
            onSuccess: (chunk) => {
              puller = undefined
              pulled = Chunk.toReadonlyArray(chunk)
              next = 0
              if (fatal !== undefined) rejectRest(fatal)
            },
            onFailure: (cause) => {
              puller = undefined
              ended = Exit.failCause(cause)
              announce()
            }
          })
        })
      )
      const isDry = () => next === pulled.length && ended === undefined && fatal === undefined
      const pullOnce = lock.withPermits(1)(Effect.suspend(() => (isDry() ? pullChunk : Effect.void)))

      const pack = (): Batch<A> | undefined => {
        while (packed.length === 0 && next < pulled.length && window.hasRoom()) add(pulled[next++]!)
        // A full window whose head waits for the open batch would wait for ever.
        const stuck = next < pulled.length && inFlight === 0 && !window.canTake()
        if (packed.length === 0 && (stuck || (next === pulled.length && ended !== undefined))) packer.flush()
        if (window.canTake()) announce()
        return packed.shift()
      }

      const worker: Effect.Effect<void, never, R> = Effect.suspend(() => {
        const batch = pack()
        if (batch !== undefined) {
          inFlight++
          return Effect.zipRight(send(batch), worker)
        }
        if (isDry()) return Effect.zipRight(pullOnce, worker)
        if (ended !== undefined || fatal !== undefined) return Effect.void
        room.unsafeClose()
        return Effect.zipRight(room.await, worker)
      })

      const send = (batch: Batch<A>) =>
        Effect.matchCause(translator.translate(batch.texts, stage.options), {
          onSuccess: (answer) => {
            inFlight--
            deliver(batch, answer)
          },
          onFailure: (cause) => {
            inFlight--
            const error = Option.getOrUndefined(Cause.failureOption(cause))
            if (error === undefined) crash(cause as Cause.Cause<never>)
            else {
              reject(batch, error)
              if (isFatal(error)) stop(error)
            }
          }
        })

      const crash = (cause: Cause.Cause<never>) => {
        crashed = cause
        announce()
      }

      yield* Effect.forkScoped(
        Effect.all(
          Array.from({ length: stage.concurrency }, () =>
            Effect.catchAllDefect(worker, (defect) => Effect.sync(() => crash(Cause.die(defect))))
          ),
          { concurrency: "unbounded", discard: true }
        )
      )

      const take: Effect.Effect<
        Chunk.Chunk<Outcome.Outcome<B, A>>,
        Option.Option<E | TranslateError.TranslateError>
      > = Effect.suspend(() => {
        if (crashed !== undefined) return Effect.failCause(crashed)
        const rows = window.take()
        room.unsafeOpen()
        if (rows.length > 0) {
          return Effect.succeed(Chunk.unsafeFromArray(rows.map((row) => Row.toOutcome(row, stage.put))))
        }
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
