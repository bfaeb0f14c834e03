import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as TranslationStore from "../../store/TranslationStore.js"
import * as Translator from "../../stream/Translator.js"
import type { JobForecast } from "../TranslationJob.js"
import { sum } from "./forecastSum.js"
import type { Job } from "./jobAccounting.js"
import * as preparation from "./preparation.js"

/** A store that counts the texts that are found in it. */
const counting = (store: TranslationStore.Service) => {
  let found = 0
  const counted: TranslationStore.Service = {
    ...store,
    open: (namespace, options) =>
      Effect.map(store.open(namespace, options), (session) => ({
        pollInterval: session.pollInterval,
        claim: (texts) => session.claim(texts),
        record: (results) => session.record(results),
        lookUp: (texts) =>
          Effect.tap(session.lookUp(texts), (translations) => {
            found += translations.filter((translation) => translation !== undefined).length
          })
      }))
  }
  return { store: counted, found: () => found }
}

/** What a job takes. */
export const ofJob = <E, R>(job: Job<E, R, unknown, unknown>) =>
  Effect.gen(function* () {
    yield* preparation.check(job)
    const prepared = yield* preparation.prepare(job, { dryRun: true, startedAt: yield* DateTime.now })
    const translator = yield* Effect.flatMap(Translator.Translator, Translator.identifyOnce)
    const counters = prepared.map(({ store }) => counting(store))
    const options = prepared.map((given, index) => ({ ...given, store: counters[index]!.store }))
    const bySource = yield* Effect.forEach(job.sources, (source) =>
      source.forecast({ options, limit: job.limit, refresh: preparation.isRefreshed(job) })
    ).pipe(Effect.updateService(Translator.Translator, () => translator))
    const targets = prepared.map(({ targetLang }, index) => {
      const total = sum(
        targetLang,
        bySource.map((forecasts) => forecasts[index]!)
      )
      return { ...total, paid: Math.min(total.cached, counters[index]!.found()) }
    })
    const characters = targets.reduce((sum, target) => sum + target.characters, 0)
    const state = yield* prepared[0]?.budget?.state ?? Effect.succeed(undefined)
    const left = state && state.cap - state.spent - state.reserved
    return {
      targets,
      texts: targets.reduce((sum, target) => sum + target.in, 0),
      requests: targets.reduce((sum, target) => sum + target.requests, 0),
      characters,
      cost: job.pricePerMillion === undefined ? undefined : (characters * job.pricePerMillion) / 1_000_000,
      budget: left === undefined ? undefined : { left, suffices: characters <= left }
    } satisfies JobForecast
  })
