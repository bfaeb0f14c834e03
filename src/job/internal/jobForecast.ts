import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as TranslationStore from "../../store/TranslationStore.js"
import type * as Forecast from "../../stream/Forecast.js"
import * as Translator from "../../stream/Translator.js"
import type { JobEstimate, JobForecast } from "../TranslationJob.js"
import { describe } from "./errorReason.js"
import { sum } from "./forecastSum.js"
import type { Job } from "./jobAccounting.js"
import * as preparation from "./preparation.js"
import { isStreamError } from "./running.js"
import type { Estimate, JobSource, SourceForecast } from "./sourceContract.js"

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
    preparation.check(job),
    Effect.flatMap(DateTime.now, (startedAt) => preparation.prepare(job, { dryRun: true, startedAt }))
  )

/** What sources answer in each language, and why others can't. Fails as the first does if none can. */
const ofSources = <E, R, E2, R2>(
  sources: ReadonlyArray<JobSource<E, R>>,
  ask: (source: JobSource<E, R>) => Effect.Effect<Estimate, E | E2, R2>
) =>
  Effect.gen(function* () {
    const answers = yield* preparation.eachOf(sources, ask, isStreamError)
    const estimates = Arr.getRights(answers)
    if (estimates.length === 0) for (const error of Arr.getLefts(answers)) return yield* Effect.fail(error)
    return {
      forecastsOf: (index: number): ReadonlyArray<SourceForecast> =>
        estimates.map(({ forecasts }) => forecasts[index]!),
      isExact: estimates.every(({ isExact }) => isExact),
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

const exact = <E, R>(forecasts: Effect.Effect<ReadonlyArray<SourceForecast>, E, R>) =>
  Effect.map(forecasts, (forecasts): Estimate => ({ forecasts, isExact: true }))

/** What a job takes with nothing stored. */
export const estimateOf = <E, R>(job: Job<E, R, unknown, unknown>) =>
  Effect.gen(function* () {
    const options = yield* prepare(job)
    const translator = yield* Effect.flatMap(Translator.Translator, Translator.identifyOnce)
    const forecasting = { options, limit: job.limit, refresh: preparation.isRefreshed(job) }
    const ofSource = ({ estimate, forecast }: JobSource<E, R>) =>
      estimate?.(forecasting) ?? exact(forecast(forecasting))
    const { failures, forecastsOf, isExact } = yield* ofSources(job.sources, ofSource).pipe(
      Effect.updateService(Translator.Translator, () => translator)
    )
    const targets = options.map(({ targetLang }, index) => sum(targetLang, forecastsOf(index)))
    return { targets, ...totalsOf(targets), isExact, failures } satisfies JobEstimate
  }).pipe(Effect.provideService(TranslationStore.TranslationStore, TranslationStore.none))

/** What a job takes. */
export const ofJob = <E, R>(job: Job<E, R, unknown, unknown>) =>
  Effect.gen(function* () {
    const prepared = yield* prepare(job)
    const translator = yield* Effect.flatMap(Translator.Translator, Translator.identifyOnce)
    const counted = counting(prepared[0]!.store)
    const { isExact, store } = TranslationStore.forecasting(counted.store)
    const options = prepared.map((given) => ({ ...given, store }))
    const forecasting = { options, limit: job.limit, refresh: preparation.isRefreshed(job) }
    const { failures, forecastsOf } = yield* ofSources(job.sources, ({ forecast }) =>
      exact(forecast(forecasting))
    ).pipe(Effect.updateService(Translator.Translator, () => translator))
    const targets = prepared.map(({ targetLang }, index) => {
      const forecasts = forecastsOf(index)
      const total = sum(targetLang, forecasts)
      const found = counted.found.get(targetLang) ?? 0
      const known = forecasts.reduce((count, { paid = 0 }) => count + paid, found)
      return { ...total, paid: Math.min(total.cached, known) }
    })
    const totals = totalsOf(targets)
    const { characters } = totals
    const state = yield* prepared[0]?.budget?.state ?? Effect.succeed(undefined)
    const left = state && state.cap - state.spent - state.reserved
    return {
      targets,
      ...totals,
      failures,
      isExact: isExact(),
      cost: job.pricePerMillion === undefined ? undefined : (characters * job.pricePerMillion) / 1_000_000,
      budget: left === undefined ? undefined : { left, suffices: characters <= left }
    } satisfies JobForecast
  })
