import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as RcMap from "effect/RcMap"
import type * as Scope from "effect/Scope"
import * as LanguageCode from "../../../api/LanguageCode.js"
import * as LanguageSupport from "../../../client/LanguageSupport.js"
import type * as TranslateError from "../../../client/TranslateError.js"
import * as TranslationJob from "../../../job/TranslationJob.js"
import * as TranslationStore from "../../../store/TranslationStore.js"
import type * as ServiceLimits from "../../../stream/ServiceLimits.js"
import type * as TranslateStream from "../../../stream/TranslateStream.js"
import * as Translator from "../../../stream/Translator.js"
import * as Corpus from "../../Corpus.js"
import type { CorpusJob } from "../../CorpusJob.js"
import type { JobControlError } from "../../JobControlError.js"
import type { Generation, Service as Jobs } from "../tables/jobTables.js"

/** A job, ready to be translated on this worker. */
export interface Opened<E, R> {
  readonly job: CorpusJob
  readonly corpus: Corpus.Corpus<E, R>
  /** The sources of the corpus by their names: there may be many, and each step asks for one. */
  readonly sources: ReadonlyMap<string, Corpus.Source<E, R>>
  /** The options of each language, in their order, checked by what the service supports. */
  readonly options: ReadonlyArray<TranslateStream.Options>
  readonly translator: Translator.Service
  /** The database knows what was spent. */
  readonly settled: Effect.Effect<void>
}

type OpenError<E> = E | Corpus.InvalidReference | JobControlError | TranslateError.TranslateError

/** Opens jobs once for all of their steps. */
export type Open<E, R> = (job: Generation) => Effect.Effect<Opened<E, R>, OpenError<E>, Scope.Scope>

export const make = <E, R>(
  jobs: Pick<Jobs, "budget" | "load">,
  kinds: ReadonlyArray<Corpus.Kind<E, R>>,
  {
    concurrency,
    serviceLimits
  }: { readonly concurrency: number; readonly serviceLimits: ServiceLimits.ServiceLimits }
) =>
  Effect.gen(function* () {
    const support = yield* LanguageSupport.current
    const store = yield* TranslationStore.TranslationStore
    const translator = yield* Translator.Translator
    const context = yield* Effect.context<R>()

    const open = ({ generation, id }: Generation) =>
      Effect.gen(function* () {
        const job = yield* jobs.load({ generation, id })
        const kind = yield* Corpus.kindOf(kinds, job.corpus.kind)
        const corpus = yield* Effect.provide(kind.open(job.corpus.reference), context)
        const budget = yield* jobs.budget(job)
        const verify = yield* TranslationJob.verificationOf({ policies: job.checks })
        const options = yield* Effect.forEach(job.targets, (target) =>
          support.check({ ...job.options, targetLang: LanguageCode.canonical(target) })
        )
        // What is claimed waits for its turn, and is sent even if the database is lost meanwhile: it should not be more than can be in flight.
        const { retryFailedBefore } = job
        const each = Math.ceil(concurrency / options.length)
        return {
          job,
          corpus,
          sources: new Map(corpus.sources.map((one) => [one.source.name, one])),
          options: options.map((checked) => ({
            ...checked,
            verify,
            store: TranslationStore.withOptions(store, { retryFailedBefore }),
            budget,
            serviceLimits,
            concurrency: each
          })),
          translator: yield* Translator.identifyOnce(translator),
          settled: Effect.ignore(budget.flush)
        } satisfies Opened<E, R>
      })

    const known = yield* RcMap.make({ lookup: open, idleTimeToLive: "1 minute" })
    return ({ generation, id }: Generation) => {
      const key = Data.struct({ generation, id })
      // What failed may succeed the next time.
      return Effect.onError(RcMap.get(known, key), () => RcMap.invalidate(known, key))
    }
  })
