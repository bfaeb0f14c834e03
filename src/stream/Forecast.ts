/**
 * The forecast of a translation: requests and characters for each target, counted by the code that packs the real
 * requests, without sending any.
 *
 * @since 0.1.0
 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { dual, identity } from "effect/Function"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../api/LanguageCode.js"
import * as Text from "../api/Text.js"
import * as RetryPolicy from "../client/RetryPolicy.js"
import type * as TranslateError from "../client/TranslateError.js"
import * as Translator from "../client/Translator.js"
import type * as TranslationStore from "../store/TranslationStore.js"
import * as Cost from "./internal/cost.js"
import type * as Row from "./internal/element.js"
import { ofTranslator } from "./internal/namespace.js"
import { type Checked, check, translation } from "./internal/options.js"
import type { Batch } from "./internal/packing.js"
import { Scheduler } from "./internal/scheduler.js"
import * as Store from "./internal/translationStore.js"
import { Verifier } from "./internal/verifier.js"
import * as Outcome from "./Outcome.js"
import * as ServiceLimits from "./ServiceLimits.js"
import * as StreamOptions from "./StreamOptions.js"
import type * as TranslateStream from "./TranslateStream.js"

/**
 * The options of the translation, with several targets in place of one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options
  extends Omit<TranslateStream.Options, "targetLang" | "budget" | "progress" | "serviceLimits" | "store"> {
  /** The languages to translate into; any casing. */
  readonly targets: ReadonlyArray<LanguageCode.TargetLanguage>
  /** See {@link WithStore}. */
  readonly store?: undefined
}

/**
 * The same with a store: its translations are paid for. Such a forecast needs the translator, which knows the facts that the
 * translations in the store depend on. It claims nothing and stores nothing.
 *
 * @since 0.1.0
 * @category models
 */
export type WithStore<O extends Options> = Omit<O, "store"> & Pick<TranslateStream.Options, "store">

/**
 * The options of the translation, with the way texts leave an element.
 *
 * @since 0.1.0
 * @category models
 */
export interface OptionsWith<A> extends Options {
  /** The texts of an element; blank ones, `null` and `undefined` are skipped. */
  readonly texts: (element: A) => ReadonlyArray<Row.MaybeText>
  /** See `TranslateStream.OptionsWith`. @default no limit */
  readonly maxCharacters?: ((element: A, index: number) => number | undefined) | undefined
  /** See `TranslateStream.OptionsWith`. @default none */
  readonly known?: ((element: A, index: number) => string | undefined) | undefined
}

/**
 * The forecast of the translation into one language: `in = translated + cached + skipped + failed`, counted in texts.
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

/** The translation into one language, of which every batch is answered with its own texts. */
class Run<A> {
  private tally = Outcome.zero
  private requests = 0
  private bytes = 0
  private readonly scheduler: Scheduler<A, A>

  constructor(
    checked: Checked,
    elements: Row.Elements<A, A>,
    learned: ServiceLimits.Learned,
    private readonly store: TranslationStore.Session | undefined,
    private readonly options: TranslateStream.Options,
    private readonly isFree: boolean,
    retryPolicy: RetryPolicy.Policy
  ) {
    this.scheduler = new Scheduler({
      ...checked,
      elements,
      learned,
      options,
      hasStore: store !== undefined,
      // Its answers are no translations: there is nothing to check.
      verifier: new Verifier(options, retryPolicy, { checksAnswers: false })
    })
  }

  elements(chunk: ReadonlyArray<A>): Effect.Effect<void> {
    this.scheduler.pulled(chunk)
    return this.drive
  }

  end(): Effect.Effect<Forecast> {
    this.scheduler.sourceEnded()
    return Effect.map(this.drive, () => {
      const { ambiguousCharacters: _, ...tally } = this.tally
      return { targetLang: this.options.targetLang, ...tally, requests: this.requests, bytes: this.bytes }
    })
  }

  /** Carries out the steps of the scheduler, until it wants more elements. */
  private readonly drive: Effect.Effect<void> = Effect.suspend(() => {
    for (;;) {
      for (const outcome of this.scheduler.take()) this.tally = Outcome.add(this.tally, outcome)
      const step = this.scheduler.step()
      if (step === "pull" || step === "done") return Effect.void
      if (step === "wait") continue
      // No check is asked.
      if (step._tag === "Judge") continue
      if (step._tag !== "Batch") {
        return Effect.zipRight(Store.ask(this.store!, this.scheduler, step), this.drive)
      }
      this.answer(step)
    }
  })

  private answer(batch: Batch<A>): void {
    this.requests++
    this.bytes += batch.bytes
    const translations = batch.texts.map((text) => ({
      text,
      billedCharacters: this.isFree ? 0 : Text.characters(text)
    }))
    const answer = { translations, attempts: 1, ambiguousAttempts: 0 }
    const cost = Cost.of(batch.texts, Exit.succeed(answer))
    this.scheduler.ended(batch, { _tag: "Answered", cost, translations })
  }
}

const makeRun = <A>(elements: Row.Elements<A, A>, given: TranslateStream.Options) =>
  Effect.gen(function* () {
    const requests = translation(given)
    const checked = yield* check(requests, given)
    const learned = (yield* ServiceLimits.make()).of(checked.endpoint.path, checked.hash)
    const namespace = Effect.flatMap(Translator.Translator, (translator) =>
      ofTranslator(translator, requests, given)
    )
    const store = yield* Store.openForecast(given, namespace)
    const { freeTargets } = yield* StreamOptions.currentKind
    const isFree = freeTargets.includes(LanguageCode.canonical(given.targetLang))
    return new Run(checked, elements, learned, store, given, isFree, yield* RetryPolicy.RetryPolicy)
  })

/**
 * Forecasts the translation of the texts that a function finds in the elements of a stream, in the order of the targets. The
 * source is read once for all of them, and nothing of it is kept. Fails with `InvalidRequest` before anything is pulled if
 * an option breaks a rule.
 *
 * Characters are those that the service bills: none for the targets that the kind of the `Translator` in the context does
 * not bill, or without one the specification's. Repetitions after a failure are in no forecast, nor are the further
 * requests for a source that is slower than the service. With `dedupe`, texts that are forgotten and come again may count
 * differently, as the order of answers decides which are forgotten.
 *
 * With a `store`, its translations are `cached`, and so is a text that comes again, at any distance, up to four million
 * different texts. A store that forgets, as one in memory does, may have forgotten it by then.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forecastWith: {
  /**
   * Forecasts the translation of the texts that a function finds in the elements of a stream, in the order of the targets.
   * The source is read once for all of them, and nothing of it is kept. Fails with `InvalidRequest` before anything is
   * pulled if an option breaks a rule.
   *
   * Characters are those that the service bills: none for the targets that the kind of the `Translator` in the context does
   * not bill, or without one the specification's. Repetitions after a failure are in no forecast, nor are the further
   * requests for a source that is slower than the service. With `dedupe`, texts that are forgotten and come again may count
   * differently, as the order of answers decides which are forgotten.
   *
   * With a `store`, its translations are `cached`, and so is a text that comes again, at any distance, up to four million
   * different texts. A store that forgets, as one in memory does, may have forgotten it by then.
   */
  <A>(
    options: OptionsWith<A>
  ): <E, R>(
    self: Stream.Stream<A, E, R>
  ) => Effect.Effect<ReadonlyArray<Forecast>, E | TranslateError.InvalidRequest, R>
  /**
   * Forecasts the translation of the texts that a function finds in the elements of a stream, in the order of the targets.
   * The source is read once for all of them, and nothing of it is kept. Fails with `InvalidRequest` before anything is
   * pulled if an option breaks a rule.
   *
   * Characters are those that the service bills: none for the targets that the kind of the `Translator` in the context does
   * not bill, or without one the specification's. Repetitions after a failure are in no forecast, nor are the further
   * requests for a source that is slower than the service. With `dedupe`, texts that are forgotten and come again may count
   * differently, as the order of answers decides which are forgotten.
   *
   * With a `store`, its translations are `cached`, and so is a text that comes again, at any distance, up to four million
   * different texts. A store that forgets, as one in memory does, may have forgotten it by then.
   */
  <A>(
    options: WithStore<OptionsWith<A>>
  ): <E, R>(
    self: Stream.Stream<A, E, R>
  ) => Effect.Effect<ReadonlyArray<Forecast>, E | Outcome.StreamError, R | Translator.Translator>
  /**
   * Forecasts the translation of the texts that a function finds in the elements of a stream, in the order of the targets.
   * The source is read once for all of them, and nothing of it is kept. Fails with `InvalidRequest` before anything is
   * pulled if an option breaks a rule.
   *
   * Characters are those that the service bills: none for the targets that the kind of the `Translator` in the context does
   * not bill, or without one the specification's. Repetitions after a failure are in no forecast, nor are the further
   * requests for a source that is slower than the service. With `dedupe`, texts that are forgotten and come again may count
   * differently, as the order of answers decides which are forgotten.
   *
   * With a `store`, its translations are `cached`, and so is a text that comes again, at any distance, up to four million
   * different texts. A store that forgets, as one in memory does, may have forgotten it by then.
   */
  <A, E, R>(
    self: Stream.Stream<A, E, R>,
    options: OptionsWith<A>
  ): Effect.Effect<ReadonlyArray<Forecast>, E | TranslateError.InvalidRequest, R>
  /**
   * Forecasts the translation of the texts that a function finds in the elements of a stream, in the order of the targets.
   * The source is read once for all of them, and nothing of it is kept. Fails with `InvalidRequest` before anything is
   * pulled if an option breaks a rule.
   *
   * Characters are those that the service bills: none for the targets that the kind of the `Translator` in the context does
   * not bill, or without one the specification's. Repetitions after a failure are in no forecast, nor are the further
   * requests for a source that is slower than the service. With `dedupe`, texts that are forgotten and come again may count
   * differently, as the order of answers decides which are forgotten.
   *
   * With a `store`, its translations are `cached`, and so is a text that comes again, at any distance, up to four million
   * different texts. A store that forgets, as one in memory does, may have forgotten it by then.
   */
  <A, E, R>(
    self: Stream.Stream<A, E, R>,
    options: WithStore<OptionsWith<A>>
  ): Effect.Effect<ReadonlyArray<Forecast>, E | Outcome.StreamError, R | Translator.Translator>
} = dual(
  2,
  <A, E, R>(
    self: Stream.Stream<A, E, R>,
    { known, maxCharacters, targets, texts, ...options }: WithStore<OptionsWith<A>>
  ): Effect.Effect<ReadonlyArray<Forecast>, E | Outcome.StreamError, R | Translator.Translator> =>
    Effect.gen(function* () {
      const elements = { texts, replace: identity<A>, field: identity<number>, known, maxCharacters }
      const runs = yield* Effect.forEach(targets, (targetLang) =>
        makeRun(elements, { ...options, targetLang })
      )
      // One effect for all chunks: the elements that another held would live until the next full collection, and V8 would
      // make others old at once.
      let elementsNow: ReadonlyArray<A> = []
      const add = Effect.suspend(() =>
        Effect.forEach(runs, (run) => run.elements(elementsNow), { discard: true })
      )
      yield* Stream.runForEachChunk(self, (chunk) => {
        elementsNow = Chunk.toReadonlyArray(chunk)
        return add
      })
      return yield* Effect.forEach(runs, (run) => run.end())
    }).pipe(Effect.scoped)
)

/**
 * Forecasts the translation of a stream of texts: {@link forecastWith} for texts.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forecast: {
  /**
   * Forecasts the translation of a stream of texts: {@link forecastWith} for texts.
   */
  (
    options: Options
  ): <E, R>(
    self: Stream.Stream<string, E, R>
  ) => Effect.Effect<ReadonlyArray<Forecast>, E | TranslateError.InvalidRequest, R>
  /**
   * Forecasts the translation of a stream of texts: {@link forecastWith} for texts.
   */
  (
    options: WithStore<Options>
  ): <E, R>(
    self: Stream.Stream<string, E, R>
  ) => Effect.Effect<ReadonlyArray<Forecast>, E | Outcome.StreamError, R | Translator.Translator>
  /**
   * Forecasts the translation of a stream of texts: {@link forecastWith} for texts.
   */
  <E, R>(
    self: Stream.Stream<string, E, R>,
    options: Options
  ): Effect.Effect<ReadonlyArray<Forecast>, E | TranslateError.InvalidRequest, R>
  /**
   * Forecasts the translation of a stream of texts: {@link forecastWith} for texts.
   */
  <E, R>(
    self: Stream.Stream<string, E, R>,
    options: WithStore<Options>
  ): Effect.Effect<ReadonlyArray<Forecast>, E | Outcome.StreamError, R | Translator.Translator>
} = dual(
  2,
  <E, R>(
    self: Stream.Stream<string, E, R>,
    options: WithStore<Options>
  ): Effect.Effect<ReadonlyArray<Forecast>, E | Outcome.StreamError, R | Translator.Translator> =>
    forecastWith(self, { ...options, texts: (text) => [text] })
)

const counts = ["in", "translated", "cached", "skipped", "failed", "characters", "requests", "bytes"] as const

/**
 * The sum over forecasts of a language.
 *
 * @internal
 */
export const sum = (
  targetLang: LanguageCode.TargetLanguage,
  forecasts: ReadonlyArray<Forecast>
): Forecast => {
  const { ambiguousCharacters: _, ...zero } = Outcome.zero
  const total = { ...zero, requests: 0, bytes: 0 }
  for (const forecast of forecasts) for (const name of counts) total[name] += forecast[name]
  return { targetLang, ...total }
}
