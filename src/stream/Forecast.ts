/**
 * What a translation would take: requests and characters for each target, counted by the code that packs the real
 * requests, without sending any.
 *
 * @since 0.1.0
 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { dual, identity } from "effect/Function"
import * as Stream from "effect/Stream"
import type * as LanguageCode from "../api/LanguageCode.js"
import * as Text from "../api/Text.js"
import type * as TranslateError from "../client/TranslateError.js"
import * as Cost from "./internal/cost.js"
import { type Checked, check, translation } from "./internal/options.js"
import type { Batch } from "./internal/packing.js"
import type * as Row from "./internal/row.js"
import { Scheduler } from "./internal/scheduler.js"
import * as Store from "./internal/translationStore.js"
import * as Outcome from "./Outcome.js"
import * as ServiceLimits from "./ServiceLimits.js"
import type * as TranslateStream from "./TranslateStream.js"

/**
 * The options of the translation, with several targets in place of one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options
  extends Omit<TranslateStream.Options, "targetLang" | "budget" | "progress" | "serviceLimits"> {
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

/** The translation into one language, of which every batch is answered with its own texts. */
class Run<A> {
  private tally = Outcome.zero
  private requests = 0
  private bytes = 0
  private readonly store: Store.Store | undefined
  private readonly scheduler: Scheduler<A, A>

  constructor(
    checked: Checked,
    elements: Row.Elements<A, A>,
    learned: ServiceLimits.Learned,
    private readonly options: TranslateStream.Options
  ) {
    this.store = Store.fromOptions(options)
    this.scheduler = new Scheduler({
      ...checked,
      elements,
      learned,
      options,
      hasStore: this.store !== undefined
    })
  }

  elements(chunk: ReadonlyArray<A>): Effect.Effect<void> {
    this.scheduler.elements(chunk)
    return this.drive
  }

  end(): Effect.Effect<Forecast> {
    this.scheduler.sourceEnded()
    return Effect.map(this.drive, () => {
      const { ambiguousCharacters: _, ...tally } = this.tally
      return { targetLang: this.options.targetLang, ...tally, requests: this.requests, bytes: this.bytes }
    })
  }

  /** Carries out what the scheduler says, until it wants more elements. */
  private readonly drive: Effect.Effect<void> = Effect.suspend(() => {
    for (;;) {
      for (const outcome of this.scheduler.take()) this.tally = Outcome.add(this.tally, outcome)
      const step = this.scheduler.step()
      if (step === "pull" || step === "done") return Effect.void
      if (step === "wait") continue
      if (step._tag !== "Batch") {
        return Effect.zipRight(Store.ask(this.store!, this.scheduler, step), this.drive)
      }
      this.answer(step)
    }
  })

  private answer(batch: Batch<A>): void {
    this.requests++
    this.bytes += batch.bytes
    const isFree = Cost.isFree(this.options.targetLang)
    const translations = batch.texts.map((text) => ({
      text,
      billedCharacters: isFree ? 0 : Text.characters(text)
    }))
    const answer = { translations, attempts: 1, ambiguousAttempts: 0 }
    this.scheduler.answered(batch, translations, Cost.of(batch.texts, Exit.succeed(answer)))
  }
}

type Forecasts<E, R> = Effect.Effect<ReadonlyArray<Forecast>, E | TranslateError.InvalidRequest, R>

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
  <A>(options: OptionsWith<A>): <E, R>(self: Stream.Stream<A, E, R>) => Forecasts<E, R>
  <A, E, R>(self: Stream.Stream<A, E, R>, options: OptionsWith<A>): Forecasts<E, R>
} = dual(
  2,
  <A, E, R>(self: Stream.Stream<A, E, R>, { targets, texts, ...options }: OptionsWith<A>): Forecasts<E, R> =>
    Effect.gen(function* () {
      const elements = { texts, replace: identity<A>, field: identity<number> }
      const runs = yield* Effect.forEach(targets, (targetLang) => {
        const given = { ...options, targetLang }
        return Effect.zipWith(
          check(translation(given), given),
          ServiceLimits.make(),
          (checked, limits) =>
            new Run(checked, elements, limits.of(checked.endpoint.path, checked.hash), given)
        )
      })
      yield* Stream.runForEachChunk(self, (chunk) =>
        Effect.forEach(runs, (run) => run.elements(Chunk.toReadonlyArray(chunk)), { discard: true })
      )
      return yield* Effect.forEach(runs, (run) => run.end())
    })
)

/**
 * What the translation of a stream of texts takes: {@link forecastWith} for texts.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forecast: {
  (options: Options): <E, R>(self: Stream.Stream<string, E, R>) => Forecasts<E, R>
  <E, R>(self: Stream.Stream<string, E, R>, options: Options): Forecasts<E, R>
} = dual(
  2,
  <E, R>(self: Stream.Stream<string, E, R>, options: Options): Forecasts<E, R> =>
    forecastWith(self, { ...options, texts: (text) => [text] })
)
