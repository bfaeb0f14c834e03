import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
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
 * One producer fiber pulls and packs, worker fibers send the batches, the consumer takes outcomes: three loops over
 * one window, working on chunks. A fiber per element would cost more than the HTTP call.
 */
export const run = <A, B, E, R>(
  source: Stream.Stream<A, E, R>,
  stage: Stage<A, B>
): Stream.Stream<Outcome.Outcome<B, A>, E | TranslateError.TranslateError, R | Translator.Translator> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const translator = yield* Translator.Translator
      const pull = yield* Stream.toPull(source)
      // No `Queue`: its dead nodes link to living ones, which makes the collector promote every batch.
      const batches: Array<Batch<A>> = []
      const work = yield* Effect.makeLatch()
      const room = yield* Effect.makeLatch()
      const news = yield* Effect.makeLatch()
      const window = Window.make<A>(stage)
      let producerWaits = false
      let unfinished = 0
      let fatal: TranslateError.TranslateError | undefined
      let ended: Exit.Exit<never, Option.Option<E>> | undefined
      let crashed: Cause.Cause<never> | undefined

      const fail = (slot: Row.Slot<A>, error: TranslateError.TranslateError) => {
        Row.failed(slot, stage.field(slot.index), error)
        if (slot.row.pending === 0) window.complete(slot.row)
      }

      const packer = Batching.makePacker<Row.Slot<A>>(stage, (packed) => {
        if (packed._tag === "Oversized") return fail(packed.item, tooLarge(packed.bytes))
        unfinished++
        batches.push(packed)
        work.unsafeOpen()
      })

      const add = (element: A) => {
        const row = Row.make(element, stage.texts(element))
        window.add(row)
        if (row.pending === 0) return window.complete(row)
        for (let index = 0; index < row.texts.length; index++) {
          const text = row.texts[index]
          if (Row.isText(text)) packer.offer({ row, index }, text)
        }
      }

      /** Takes in a pulled chunk whole; after a fatal error without waiting, so that all of it has its outcomes. */
      const admit = (
        chunk: Chunk.Chunk<A>,
        restore: <X, Y, Z>(effect: Effect.Effect<X, Y, Z>) => Effect.Effect<X, Y, Z>
      ) => {
        const elements = Chunk.toReadonlyArray(chunk)
        let next = 0
        const loop: Effect.Effect<void> = Effect.suspend(() => {
          producerWaits = false
          while (next < elements.length && (fatal !== undefined || window.hasRoom())) add(elements[next++]!)
          news.unsafeOpen()
          if (next === elements.length) return Effect.void
          producerWaits = true
          room.unsafeClose()
          return Effect.matchCauseEffect(restore(room.await), {
            onSuccess: () => loop,
            onFailure: (cause) => (fatal === undefined ? Effect.failCause(cause) : loop)
          })
        })
        return loop
      }

      const producer = yield* Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(pull), (chunk) => admit(chunk, restore))
      ).pipe(
        Effect.forever,
        Effect.onExit((exit) =>
          Effect.sync(() => {
            packer.flush()
            ended = exit
            news.unsafeOpen()
          })
        ),
        Effect.forkScoped
      )

      const finish = (batch: Batch<A>, settle: (slot: Row.Slot<A>, index: number) => void) => {
        batch.items.forEach(settle)
        unfinished--
        news.unsafeOpen()
      }

      const deliver = (batch: Batch<A>, { ambiguousAttempts, translations }: TranslateClient.Translated) =>
        finish(batch, (slot, index) => {
          Row.translated(slot, translations[index]!, ambiguousAttempts)
          if (slot.row.pending === 0) window.complete(slot.row)
        })

      const reject = (batch: Batch<A>, error: TranslateError.TranslateError) =>
        finish(batch, (slot) => fail(slot, error))

      const send = (batch: Batch<A>) =>
        Effect.matchCauseEffect(translator.translate(batch.texts, stage.options), {
          onSuccess: (answer) => Effect.sync(() => deliver(batch, answer)),
          onFailure: (cause) =>
            Effect.suspend(() => {
              const error = Option.getOrUndefined(Cause.failureOption(cause))
              if (error === undefined) {
                crashed = cause as Cause.Cause<never>
                news.unsafeOpen()
                return Effect.void
              }
              reject(batch, error)
              if (!isFatal(error) || fatal !== undefined) return Effect.void
              fatal = error
              room.unsafeOpen()
              return Fiber.interruptFork(producer)
            })
        })

      const worker: Effect.Effect<never> = Effect.suspend(() => {
        const batch = batches.shift()
        if (batch === undefined) {
          work.unsafeClose()
          return Effect.zipRight(work.await, worker)
        }
        return Effect.zipRight(
          fatal === undefined ? send(batch) : Effect.sync(() => reject(batch, fatal!)),
          worker
        )
      })
      yield* Effect.forkScoped(
        Effect.all(
          Array.from({ length: stage.concurrency }, () => worker),
          { concurrency: "unbounded", discard: true }
        )
      )

      const take: Effect.Effect<
        Chunk.Chunk<Outcome.Outcome<B, A>>,
        Option.Option<E | TranslateError.TranslateError>
      > = Effect.suspend(() => {
        if (crashed !== undefined) return Effect.failCause(crashed)
        const rows = window.take()
        if (rows.length > 0) {
          room.unsafeOpen()
          return Effect.succeed(Chunk.unsafeFromArray(rows.map((row) => Row.toOutcome(row, stage.put))))
        }
        if (ended !== undefined && window.isEmpty()) {
          return fatal === undefined ? ended : Effect.fail(Option.some(fatal))
        }
        // The window is full and its head waits for the open batch, which nothing else would send.
        if (producerWaits && unfinished === 0) packer.flush()
        news.unsafeClose()
        return Effect.zipRight(news.await, take)
      })
      return Stream.repeatEffectChunkOption(take)
    })
  )
