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
import * as LanguageCode from "../api/LanguageCode.js"
import * as Text from "../api/Text.js"
import type * as TranslateError from "../client/TranslateError.js"
import * as Cost from "./internal/cost.js"
import { check, translation } from "./internal/options.js"
import type { Batch } from "./internal/packing.js"
import * as Row from "./internal/row.js"
import { type LookUp, type Record, Scheduler } from "./internal/scheduler.js"
import * as Store from "./internal/store.js"
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

/** The scheduler of a run, and what has become of its elements so far. */
class Run<A> {
  private readonly isFree: boolean
  private tally = Outcome.zero
  private requests = 0
  private bytes = 0

  constructor(
    private readonly targetLang: LanguageCode.TargetLanguage,
    private readonly scheduler: Scheduler<A, A>,
    private readonly store: Store.Store<never> | undefined
  ) {
    this.isFree = LanguageCode.betaTargets.includes(LanguageCode.canonical(targetLang))
  }

  elements(chunk: ReadonlyArray<A>): Effect.Effect<void> {
    this.scheduler.elements(chunk)
    return this.drive
  }

  get end(): Effect.Effect<Forecast> {
    return Effect.map(
      Effect.suspend(() => {
        this.scheduler.sourceEnded()
        return this.drive
      }),
      () => {
        const { ambiguousCharacters: _, ...tally } = this.tally
        return { targetLang: this.targetLang, ...tally, requests: this.requests, bytes: this.bytes }
      }
    )
  }

  /** Carries out what the scheduler says, until it wants more elements. */
  private readonly drive: Effect.Effect<void> = Effect.suspend(() => {
    for (;;) {
      for (const outcome of this.scheduler.take()) this.tally = Outcome.add(this.tally, outcome)
      const step = this.scheduler.step()
      if (step === "pull" || step === "done") return Effect.void
      if (step === "wait") continue
      if (step._tag !== "Batch") return Effect.zipRight(this.ask(step), this.drive)
      this.answer(step)
    }
  })

  /** Answers a batch with its own texts. */
  private answer(batch: Batch<A>): void {
    this.requests++
    this.bytes += batch.bytes
    const translations = batch.texts.map((text) => ({
      text,
      billedCharacters: this.isFree ? 0 : Text.characters(text)
    }))
    const answer = { translations, attempts: 1, ambiguousAttempts: 0 }
    this.scheduler.answered(batch, translations, Cost.of(batch.texts, Exit.succeed(answer)))
  }

  private ask(step: LookUp<A> | Record<A>): Effect.Effect<void> {
    if (step._tag === "LookUp") {
      const known = this.store!.lookUp(step.items.map(Row.textOf))
      return Effect.map(known, (known) => this.scheduler.found(step, known))
    }
    const results = step.settled.map(({ item, result }) => ({ text: Row.textOf(item), result }))
    return Effect.map(this.store!.record(results), () => this.scheduler.recorded(step.settled))
  }
}

const makeRun = <A>(
  { targets: _, texts, ...options }: OptionsWith<A>,
  targetLang: LanguageCode.TargetLanguage
): Effect.Effect<Run<A>, TranslateError.InvalidRequest> =>
  Effect.gen(function* () {
    const given = { ...options, targetLang }
    const { endpoint, ...requests } = translation(given)
    const { hash, limits } = yield* check({ endpoint, ...requests }, given)
    const store = Store.fromOptions(given)
    const learned = (yield* ServiceLimits.make()).of(endpoint.path, hash)
    const scheduler = new Scheduler<A, A>({
      elements: { texts, replace: identity, field: identity },
      endpoint,
      limits,
      learned,
      options: given,
      hasStore: store !== undefined
    })
    return new Run(targetLang, scheduler, store)
  })

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
    options: OptionsWith<A>
  ): Effect.Effect<ReadonlyArray<Forecast>, E | TranslateError.InvalidRequest, R> =>
    Effect.flatMap(
      Effect.forEach(options.targets, (targetLang) => makeRun(options, targetLang)),
      (runs) =>
        self.pipe(
          Stream.runForEachChunk((chunk) => {
            const elements = Chunk.toReadonlyArray(chunk)
            return Effect.forEach(runs, (run) => run.elements(elements), { discard: true })
          }),
          Effect.zipRight(Effect.forEach(runs, (run) => run.end))
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
