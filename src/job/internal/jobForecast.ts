import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Translator from "../../client/Translator.js"
import { canonicalJson } from "../../internal/hash.js"
import * as TranslationStore from "../../store/TranslationStore.js"
import * as Forecast from "../../stream/Forecast.js"
import * as StreamOptions from "../../stream/StreamOptions.js"
import type {
  Estimate,
  JobSource,
  OtherChoices,
  SharedForecast,
  SourceForecast,
  Unmatched
} from "./contract.js"
import type { Job } from "./jobOptions.js"
import * as jobPreparation from "./jobPreparation.js"
import { isStreamError } from "./jobRun.js"
import { describe, type Reason } from "./reportSchema.js"
import * as sharedRequests from "./sharedRequests.js"

/**
 * The cost of the translation into one language. `cached` are texts that are `paid` for, and others that are equal to
 * one of the job; without a store, to one of the same source that `dedupe` remembers.
 *
 * @since 0.1.0
 * @category models
 */
export interface TargetForecast extends TargetEstimate {
  /** Texts whose translation is in the store. */
  readonly paid: number
}

/**
 * The cost of the translation into one language with an empty store, and the texts of outputs that stay as they are.
 *
 * @since 0.1.0
 * @category models
 */
export interface TargetEstimate extends Forecast.Forecast {
  /** A person's translations of earlier sources: they stay. */
  readonly stale: number
  /** Texts of outputs whose author is not known: they stay, and are not sent. */
  readonly unknown: number
  /** Texts of outputs that the sources do not have. */
  readonly orphaned: number
  /** Texts that are translated again, since they were made with other options: by the options that differ. */
  readonly otherChoices: ReadonlyArray<OtherChoices>
  /**
   * Texts that are translated again, since terms of the glossary that they hold are new, have changed or are gone. Of rows, those whose earlier
   * translation is in the store.
   */
  readonly otherTerms: number
}

/**
 * A source that can't be read, and why.
 *
 * @since 0.1.0
 * @category models
 */
export interface SourceFailure {
  readonly source: string
  readonly error: Reason
}

/**
 * A source of which not all is as it was chosen.
 *
 * @since 0.1.0
 * @category models
 */
export interface UnmatchedSource extends Unmatched {
  readonly source: string
}

/**
 * The forecast of a job.
 *
 * @since 0.1.0
 * @category models
 */
export interface JobForecast {
  /** For each language, in their order. */
  readonly targets: ReadonlyArray<TargetForecast>
  /** Texts of all languages. */
  readonly texts: number
  /** Requests of all languages. */
  readonly requests: number
  /** Characters (code points) that are billed for all languages. */
  readonly characters: number
  /** Sources that can't be read: the figures are without them. */
  readonly failures: ReadonlyArray<SourceFailure>
  /** Sources with records that can't be read, or whose columns or paths do not fit what was chosen: the run says the same of them. */
  readonly unmatched: ReadonlyArray<UnmatchedSource>
  /**
   * True if there are no more than four million different texts to send, each counted in each language. Of more, those
   * that come again may count each time: the characters are the most that is billed.
   */
  readonly isExact: boolean
  /** The cost of these characters, if the job knows the price. */
  readonly cost: number | undefined
  /** The rest of the budget, and `true` if it suffices; `undefined` without a budget. */
  readonly budget: { readonly left: number; readonly suffices: boolean } | undefined
}

/**
 * The cost of a job with an empty store.
 *
 * @since 0.1.0
 * @category models
 */
export interface JobEstimate extends Pick<JobForecast, "texts" | "requests" | "characters" | "failures"> {
  /** For each language, in their order. */
  readonly targets: ReadonlyArray<TargetEstimate>
  /** True if all sources were read as a whole. Otherwise, figures are scaled from samples. */
  readonly isExact: boolean
}

/** A store that counts the texts that are found in it, for each language. */
const counting = (store: TranslationStore.Service) => {
  const found = new Map<string | undefined, number>()
  const counted: TranslationStore.Service = {
    ...store,
    open: (namespace, options) =>
      Effect.map(
        store.open(namespace, options),
        (session) =>
          session && {
            pollInterval: session.pollInterval,
            failedBefore: session.failedBefore,
            claim: (...claimed) => session.claim(...claimed),
            record: (results) => session.record(results),
            lookUp: (texts) =>
              Effect.tap(session.lookUp(texts), (translations) => {
                const { length } = translations.filter((translation) => translation !== undefined)
                found.set(namespace.targetLang, (found.get(namespace.targetLang) ?? 0) + length)
              })
          }
      )
  }
  return { store: counted, found }
}

/** The options of the streams of a job that sends nothing. */
const prepare = <E, R>(job: Job<E, R, unknown, unknown>) =>
  Effect.zipRight(
    Effect.zipRight(jobPreparation.check(job), jobPreparation.checkSelections(job)),
    Effect.flatMap(DateTime.now, (startedAt) =>
      Effect.scoped(jobPreparation.prepare(job, { dryRun: true, startedAt }))
    )
  )

/** The answers of sources in each language, and the errors of sources without one. Fails as the first does if none can. */
const ofSources = <E, R, E2, R2>(
  sources: ReadonlyArray<JobSource<E, R>>,
  languages: number,
  ask: (source: JobSource<E, R>, shared: SharedForecast | undefined) => Effect.Effect<Estimate, E | E2, R2>
) =>
  Effect.gen(function* () {
    const groups = yield* sharedRequests.groupsOf(sources, languages)
    const together: Array<Forecast.Forecast> = []
    const found = new Map<JobSource<E, R>, Either.Either<Estimate, E | E2>>()
    for (const group of groups) {
      const shared = group.length === 1 ? undefined : sharedRequests.makeForecast()
      const own = yield* jobPreparation.eachOf(group, (source) => ask(source, shared), isStreamError)
      group.forEach((source, place) => void found.set(source, own[place]!))
      if (shared !== undefined) together.push(...(yield* shared.forecasts))
    }
    const answers = sources.map((source) => found.get(source)!)
    const estimates = Arr.getRights(answers)
    if (estimates.length === 0) for (const error of Arr.getLefts(answers)) return yield* Effect.fail(error)
    return {
      forecastsOf: (index: number, targetLang: string): ReadonlyArray<SourceForecast> => [
        ...estimates.map(({ forecasts }) => forecasts[index]!),
        ...together.filter((forecast) => forecast.targetLang === targetLang)
      ],
      isExact: estimates.every(({ isExact }) => isExact),
      unmatched: sources.flatMap(({ name }, index): ReadonlyArray<UnmatchedSource> => {
        const answer = answers[index]!
        const { selection, unread }: Unmatched = Either.isRight(answer)
          ? (answer.right.forecasts[0] ?? {})
          : {}
        return selection === undefined && unread === undefined ? [] : [{ source: name, selection, unread }]
      }),
      failures: sources.flatMap(({ name }, index) => {
        const answer = answers[index]!
        return Either.isLeft(answer) ? [{ source: name, error: describe(answer.left) }] : []
      })
    }
  })

const totalsOf = (targets: ReadonlyArray<Forecast.Forecast>) => ({
  texts: targets.reduce((sum, target) => sum + target.in, 0),
  requests: targets.reduce((sum, target) => sum + target.requests, 0),
  characters: targets.reduce((sum, target) => sum + target.characters, 0)
})

/** The sums of texts by the options that differ. */
const sumOfOthers = (all: ReadonlyArray<OtherChoices>): ReadonlyArray<OtherChoices> =>
  Object.values(Arr.groupBy(all, ({ options }) => canonicalJson(options))).map((some) => ({
    texts: some.reduce((sum, { texts }) => sum + texts, 0),
    options: some[0].options
  }))

/** The sum of the forecasts of sources. */
const sumOf = (targetLang: string, forecasts: ReadonlyArray<SourceForecast>): TargetEstimate => {
  const sum = (of: (forecast: SourceForecast) => number) =>
    forecasts.reduce((all, forecast) => all + of(forecast), 0)
  return {
    ...Forecast.sum(targetLang, forecasts),
    stale: sum(({ stale = 0 }) => stale),
    unknown: sum(({ unknown = 0 }) => unknown),
    orphaned: sum(({ orphaned = 0 }) => orphaned),
    otherChoices: sumOfOthers(forecasts.flatMap(({ otherChoices = [] }) => otherChoices)),
    otherTerms: sum(({ otherTerms = 0 }) => otherTerms)
  }
}

const exact = <E, R>(forecasts: Effect.Effect<ReadonlyArray<SourceForecast>, E, R>) =>
  Effect.map(forecasts, (forecasts): Estimate => ({ forecasts, isExact: true }))

/** Estimates a job with an empty store. */
export const estimateOf = <E, R>(job: Job<E, R, unknown, unknown>) =>
  Effect.gen(function* () {
    const { targets: own } = yield* prepare(job)
    const translator = yield* Effect.flatMap(Translator.Translator, StreamOptions.cacheIdentity)
    const forecasting = { targets: own, limit: job.limit, refresh: jobPreparation.isRefreshed(job) }
    const ofSource = ({ estimate, forecast }: JobSource<E, R>, shared: SharedForecast | undefined) =>
      estimate?.({ ...forecasting, shared }) ?? exact(forecast({ ...forecasting, shared }))
    const { failures, forecastsOf, isExact } = yield* ofSources(job.sources, own.length, ofSource).pipe(
      Effect.updateService(Translator.Translator, () => translator)
    )
    const targets = own.map(({ options: { targetLang } }, index) =>
      sumOf(targetLang, forecastsOf(index, targetLang))
    )
    return { targets, ...totalsOf(targets), isExact, failures } satisfies JobEstimate
  }).pipe(Effect.provideService(TranslationStore.TranslationStore, TranslationStore.none))

/** Forecasts a job. */
export const ofJob = <E, R>(job: Job<E, R, unknown, unknown>) =>
  Effect.gen(function* () {
    const prepared = yield* prepare(job)
    const translator = yield* Effect.flatMap(Translator.Translator, StreamOptions.cacheIdentity)
    const { budget } = prepared.shared
    const counted = counting(prepared.shared.store)
    const { isExact, otherTerms, store } = TranslationStore.forecasting(counted.store)
    const own = prepared.targets.map(({ name, options }) => ({ name, options: { ...options, store } }))
    const forecasting = { targets: own, limit: job.limit, refresh: jobPreparation.isRefreshed(job) }
    const { failures, forecastsOf, unmatched } = yield* ofSources(
      job.sources,
      own.length,
      ({ forecast }, shared) => exact(forecast({ ...forecasting, shared }))
    ).pipe(Effect.updateService(Translator.Translator, () => translator))
    const targets = prepared.targets.map(({ options: { targetLang } }, index) => {
      const forecasts = forecastsOf(index, targetLang)
      const total = sumOf(targetLang, forecasts)
      const found = counted.found.get(targetLang) ?? 0
      const known = forecasts.reduce((count, { paid = 0 }) => count + paid, found)
      return {
        ...total,
        paid: Math.min(total.cached, known),
        // Records tell it of catalogues without a store, the store of rows too.
        otherTerms: Math.max(total.otherTerms, otherTerms(targetLang))
      }
    })
    const totals = totalsOf(targets)
    const { characters } = totals
    const state = yield* budget?.state ?? Effect.succeed(undefined)
    const left = state && state.cap - state.spent - state.reserved
    return {
      targets,
      ...totals,
      failures,
      unmatched,
      isExact: isExact(),
      cost: job.pricePerMillion === undefined ? undefined : (characters * job.pricePerMillion) / 1_000_000,
      budget: left === undefined ? undefined : { left, suffices: characters <= left }
    } satisfies JobForecast
  })
