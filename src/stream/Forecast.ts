/**
 * What a translation would take: requests and characters for each target, counted by the code that packs the real
 * requests, without sending any.
 *
 * @since 0.1.0
 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import { dual, identity } from "effect/Function"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../api/LanguageCode.js"
import * as Text from "../api/Text.js"
import * as TranslateError from "../client/TranslateError.js"
import * as Outbox from "./internal/outbox.js"
import * as Row from "./internal/row.js"
import * as Settlement from "./internal/settlement.js"
import * as stage from "./internal/stage.js"
import * as translating from "./internal/translating.js"
import * as Window from "./internal/window.js"
import * as Outcome from "./Outcome.js"
import type * as TranslateStream from "./TranslateStream.js"

/**
 * The options of the translation, with several targets in place of one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Omit<TranslateStream.Options, "targetLang" | "budget" | "progress"> {
  /** The languages to translate into; any casing. */
  readonly targets: ReadonlyArray<LanguageCode.TargetLanguage>
}

/**
 * The options of the translation, with the way texts leave an element.
 *
 * @since 0.1.0
 * @category models
 */
export interface OptionsWith<A> extends Options {
  /** The texts of an element; blanks, `null` and `undefined` are skipped. */
  readonly texts: (element: A) => ReadonlyArray<Row.MaybeText>
}

/**
 * What the translation into one language takes: `in = translated + cached + skipped + failed`, counted in texts.
 *
 * @since 0.1.0
 * @category models
 */
export interface Forecast extends Omit<Outcome.Tally, "ambiguousCharacters"> {
  readonly targetLang: LanguageCode.TargetLanguage
  readonly requests: number
  /** Bytes of the bodies of these requests. */
  readonly bytes: number
}

/** Nobody sees it: texts that fit into no request are only counted. */
const tooLarge = TranslateError.invalidRequest(Text.translateText, [])

interface Counter {
  readonly add: (texts: ReadonlyArray<Row.MaybeText>) => void
  readonly end: () => Forecast
}

/** A run of which every request is answered with its own texts, at once. */
const makeCounter = (targetLang: LanguageCode.TargetLanguage, prepared: stage.Prepared): Counter => {
  const isFree = LanguageCode.betaTargets.includes(LanguageCode.canonical(targetLang))
  const window = Window.make<undefined>(prepared)
  const settlement = Settlement.make<undefined>({
    field: identity,
    duplicates: prepared.duplicates,
    complete: window.complete,
    lost: (slot, error) => settlement.fail(slot, error)
  })
  const outbox = Outbox.make<undefined>(prepared, (slot) => settlement.fail(slot, tooLarge))
  let sum = Outcome.zero
  let requests = 0
  let bytes = 0

  const send = () => {
    for (let batch = outbox.next(); batch !== undefined; batch = outbox.next()) {
      requests++
      bytes += batch.bytes
      for (let i = 0; i < batch.items.length; i++) {
        const text = batch.texts[i]!
        const answer = { text, billedCharacters: isFree ? 0 : Text.characters(text) }
        Row.charge(batch.items[i]!, text, answer)
        settlement.arrive(batch.items[i]!, answer)
      }
    }
  }

  const leave = () => {
    for (const row of window.take()) sum = Outcome.add(sum, Row.toOutcome(row, identity))
  }

  const flush = () => {
    outbox.flush()
    send()
    leave()
  }

  return {
    add: (texts) => {
      if (!window.hasRoom()) leave()
      // Nothing can leave but by the batch that is open.
      if (!window.hasRoom()) flush()
      const row = Row.make(undefined, texts)
      window.add(row)
      settlement.completeIfDone(row)
      Row.forEachText(row, (slot, text) => {
        if (!settlement.isKnown(slot, text)) outbox.offer(slot, text)
      })
      send()
    },
    end: () => {
      flush()
      const { ambiguousCharacters: _, ...tally } = sum
      return { targetLang, ...tally, requests, bytes }
    }
  }
}

/**
 * What the translation of the texts that a function finds in the elements of a stream takes, in the order of the
 * targets. The source is read once for all of them, and nothing of it is kept. Fails with `InvalidRequest` before
 * anything is pulled if an option breaks a rule.
 *
 * Characters are what the service bills: none for targets in beta. What is sent again after a failure is in no
 * forecast, nor are the requests that a source makes necessary that is slower than the service. With `dedupe`, texts
 * that are forgotten and come again may count differently, as the order of answers decides what is forgotten.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forecastWith: {
  <A>(
    options: OptionsWith<A>
  ): <E, R>(
    self: Stream.Stream<A, E, R>
  ) => Effect.Effect<ReadonlyArray<Forecast>, E | TranslateError.InvalidRequest, R>
  <A, E, R>(
    self: Stream.Stream<A, E, R>,
    options: OptionsWith<A>
  ): Effect.Effect<ReadonlyArray<Forecast>, E | TranslateError.InvalidRequest, R>
} = dual(
  2,
  <A, E, R>(
    self: Stream.Stream<A, E, R>,
    { targets, texts, ...options }: OptionsWith<A>
  ): Effect.Effect<ReadonlyArray<Forecast>, E | TranslateError.InvalidRequest, R> =>
    Effect.flatMap(
      Effect.forEach(targets, (targetLang) =>
        Effect.map(stage.prepare(translating.sent({ ...options, targetLang })), (prepared) =>
          makeCounter(targetLang, prepared)
        )
      ),
      (counters) =>
        self.pipe(
          Stream.runForEachChunk((chunk) =>
            Effect.sync(() => {
              for (const element of Chunk.toReadonlyArray(chunk)) {
                const found = texts(element)
                for (const counter of counters) counter.add(found)
              }
            })
          ),
          Effect.map(() => counters.map((counter) => counter.end()))
        )
    )
)

/**
 * What the translation of a stream of texts takes: {@link forecastWith} for texts.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forecast: {
  (
    options: Options
  ): <E, R>(
    self: Stream.Stream<string, E, R>
  ) => Effect.Effect<ReadonlyArray<Forecast>, E | TranslateError.InvalidRequest, R>
  <E, R>(
    self: Stream.Stream<string, E, R>,
    options: Options
  ): Effect.Effect<ReadonlyArray<Forecast>, E | TranslateError.InvalidRequest, R>
} = dual(
  2,
  <E, R>(
    self: Stream.Stream<string, E, R>,
    options: Options
  ): Effect.Effect<ReadonlyArray<Forecast>, E | TranslateError.InvalidRequest, R> =>
    forecastWith(self, { ...options, texts: (text) => [text] })
)
