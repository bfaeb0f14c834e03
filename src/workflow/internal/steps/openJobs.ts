import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as RcMap from "effect/RcMap"
import type * as Scope from "effect/Scope"
import * as LanguageSupport from "../../../client/LanguageSupport.js"
import * as TranslateClient from "../../../client/TranslateClient.js"
import type * as TranslateError from "../../../client/TranslateError.js"
import * as Translator from "../../../client/Translator.js"
import * as VersionedGlossary from "../../../glossary/VersionedGlossary.js"
import * as JobOptions from "../../../job/JobOptions.js"
import type { TargetOptions } from "../../../job/JobSource.js"
import * as TranslationJob from "../../../job/TranslationJob.js"
import * as TranslationStore from "../../../store/TranslationStore.js"
import type * as ServiceLimits from "../../../stream/ServiceLimits.js"
import * as StreamOptions from "../../../stream/StreamOptions.js"
import type * as TranslateStream from "../../../stream/TranslateStream.js"
import * as Verification from "../../../stream/Verification.js"
import type { DetectorMissing } from "../../../text/Check.js"
import * as Corpus from "../../Corpus.js"
import type { CorpusJob } from "../../CorpusJob.js"
import type { JobControlError } from "../../JobControlError.js"
import type { Generation, Service as Jobs } from "../tables/jobTables.js"
import type { Gate } from "./jobAdmission.js"
import * as judgedAnswers from "./judgedAnswers.js"

/** A job, ready to be translated on this worker. */
export interface Opened<E, R> {
  readonly job: CorpusJob
  readonly corpus: Corpus.Corpus<E, R>
  /** The sources of the corpus by their names: there may be many, and each step asks for one. */
  readonly sources: ReadonlyMap<string, Corpus.Source<E, R>>
  /** The options of each language, in their order, checked by the features of the service. */
  readonly targets: ReadonlyArray<TargetOptions>
  readonly translator: Translator.Service
  readonly judged: judgedAnswers.JudgedAnswers
  /** Waits until the database knows the spent characters. */
  readonly settled: Effect.Effect<void>
}

type OpenError<E> =
  | E
  | Corpus.InvalidReference
  | DetectorMissing
  | JobControlError
  | TranslateError.TranslateError

/** Opens jobs once for all of their steps. */
export type Open<E, R> = (job: Generation) => Effect.Effect<Opened<E, R>, OpenError<E>, Scope.Scope>

export const make = <E, R>(
  jobs: Pick<Jobs, "openBudget" | "firstAnswers" | "load">,
  kinds: ReadonlyArray<Corpus.Kind<E, R>>,
  {
    concurrency,
    gate,
    serviceLimits,
    worker
  }: {
    readonly concurrency: number
    readonly gate: Pick<Gate, "isOpen">
    readonly serviceLimits: ServiceLimits.ServiceLimits
    readonly worker: string
  }
) =>
  Effect.gen(function* () {
    const support = yield* LanguageSupport.current
    const store = yield* TranslationStore.TranslationStore
    const translator = yield* Translator.Translator
    const client = yield* TranslateClient.TranslateClient
    const context = yield* Effect.context<R>()

    /** Options with the terms of their glossary, if it is a version of a project's. */
    const withTerms = (options: TranslateStream.Options) => {
      const { glossaryId, sourceLang, targetLang } = options
      return glossaryId === undefined || sourceLang === undefined
        ? Effect.succeed(options)
        : VersionedGlossary.open(glossaryId, { sourceLang, targetLang }).pipe(
            Effect.provideService(TranslateClient.TranslateClient, client),
            Effect.map((glossaryTerms): TranslateStream.Options => ({ ...options, glossaryTerms }))
          )
    }

    const open = ({ generation, id }: Generation) =>
      Effect.gen(function* () {
        const job = yield* jobs.load({ generation, id })
        const kind = yield* Corpus.kindOf(kinds, job.corpus.kind)
        const corpus = yield* Effect.provide(kind.open(job.corpus.reference), context)
        const budget = yield* jobs.openBudget(job)
        const judged = yield* judgedAnswers.make(
          jobs,
          { generation, id },
          {
            isOpen: gate.isOpen({ generation, id }),
            worker
          }
        )
        const { firstAnswers } = judged
        const policies = { ...Verification.defaultPolicies, ...job.checks }
        if (policies.answers !== "fail") firstAnswers.learn("trusted")
        const verify = yield* TranslationJob.verificationOf({ policies: job.checks, firstAnswers })
        const targets = job.targets.map(JobOptions.canonical)
        const options = yield* Effect.forEach(targets, (target) =>
          Effect.flatMap(support.check(JobOptions.optionsFor(target, job.options)), withTerms)
        )
        // A claimed text waits for its turn, and is sent even if the database is lost meanwhile: it should not be more than
        // can be in flight.
        const { retryFailedBefore } = job
        const each = Math.ceil(concurrency / options.length)
        return {
          job,
          corpus,
          sources: new Map(corpus.sources.map((one) => [one.source.name, one])),
          targets: options.map((checked, index) => ({
            name: targets[index]!.name,
            options: {
              ...checked,
              syntax: job.syntax,
              verify,
              store: TranslationStore.withOptions(store, { retryFailedBefore }),
              budget,
              serviceLimits,
              concurrency: each
            }
          })),
          translator: yield* StreamOptions.cacheIdentity(translator),
          judged,
          settled: Effect.zipRight(Effect.ignore(budget.flush), judged.settled)
        } satisfies Opened<E, R>
      })

    const known = yield* RcMap.make({ lookup: open, idleTimeToLive: "1 minute" })
    return ({ generation, id }: Generation) => {
      const key = Data.struct({ generation, id })
      // A failure may succeed the next time.
      return Effect.onError(RcMap.get(known, key), () => RcMap.invalidate(known, key))
    }
  })
