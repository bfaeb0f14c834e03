import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as ServiceKind from "../../api/ServiceKind.js"
import type * as Violation from "../../api/Violation.js"
import * as LanguageSupport from "../../client/LanguageSupport.js"
import * as RequestChecks from "../../client/RequestChecks.js"
import * as Format from "../../format/Format.js"
import * as GlossarySync from "../../glossary/GlossarySync.js"
import * as TranslationStore from "../../store/TranslationStore.js"
import * as Budget from "../../stream/Budget.js"
import * as ServiceLimits from "../../stream/ServiceLimits.js"
import * as StreamOptions from "../../stream/StreamOptions.js"
import * as Verification from "../../stream/Verification.js"
import * as Check from "../../text/Check.js"
import { InvalidJob } from "../JobError.js"
import * as canonicalTarget from "./canonicalTarget.js"
import type { JobSource, TargetOptions } from "./contract.js"
import type { Job } from "./jobOptions.js"
import * as jobRules from "./jobRules.js"
import type * as jobTarget from "./jobTarget.js"
import { missingChoices } from "./unmatched.js"

const fail = (violations: ReadonlyArray<Violation.Violation>): Effect.Effect<void, InvalidJob> =>
  violations.length === 0 ? Effect.void : Effect.fail(new InvalidJob({ violations }))

/** True if languages are looked up in the table. */
const hasLanguages = Effect.zipWith(
  RequestChecks.RequestChecks,
  StreamOptions.currentKind,
  ({ languages }, kind) => ServiceKind.holds(kind, "languages", languages)
)

/** Fails with every rule that a job breaks. */
export const check = (job: Job<unknown, unknown, unknown, unknown>): Effect.Effect<void, InvalidJob> =>
  Effect.flatMap(hasLanguages, (hasLanguages) => checkWith(job, hasLanguages))

/** Fails with the rules that a job breaks that is run elsewhere; `policies` are in its field `checks`. */
export const checkShared = (
  job: jobRules.Shared,
  more: ReadonlyArray<Violation.Violation>
): Effect.Effect<void, InvalidJob> =>
  Effect.flatMap(hasLanguages, (hasLanguages) =>
    fail([...jobRules.shared(job, { field: "checks", hasLanguages }), ...more])
  )

/** Tells whether options name a glossary. */
const hasGlossary = ({ glossaryId, glossaryIds = [] }: jobTarget.Options = {}): boolean =>
  glossaryId !== undefined || glossaryIds.length > 0

const checkWith = (job: Job<unknown, unknown, unknown, unknown>, hasLanguages: boolean) => {
  const { glossary, limit, maxFailedShare, options, pricePerMillion, sourceConcurrency, sources, targets } =
    job
  return fail([
    ...(sources.length === 0 ? [{ field: "sources", rule: "are none: name some" }] : []),
    ...jobRules.names(
      "sources",
      sources.map(({ name }) => name)
    ),
    ...jobRules.shared(
      { ...job.verify, targets, pricePerMillion },
      { field: "verify.policies", hasLanguages }
    ),
    ...jobRules.count("sourceConcurrency", sourceConcurrency),
    ...jobRules.count("limit", limit),
    ...jobRules.share("maxFailedShare", maxFailedShare),
    ...(glossary !== undefined && hasGlossary(options)
      ? [{ field: "glossary", rule: "can't go with `glossaryId` or `glossaryIds`: choose one" }]
      : [])
  ])
}

/** The answer of each source, or its error. Fails with an error that is not of a source alone. */
export const eachOf = <S, A, E, R>(
  sources: ReadonlyArray<S>,
  ask: (source: S) => Effect.Effect<A, E, R>,
  isOfAll: (error: E) => boolean = () => false
): Effect.Effect<ReadonlyArray<Either.Either<A, E>>, E, R> =>
  Effect.forEach(sources, (source) =>
    Effect.catchIf(
      Effect.map(ask(source), (answer): Either.Either<A, E> => Either.right(answer)),
      (error) => !isOfAll(error),
      (error) => Effect.succeed(Either.left(error))
    )
  )

/** Fails if something that was chosen is in no source. The report has the facts that only the end of a source knows. */
export const checkSelections = <E, R>({
  sources
}: {
  readonly sources: ReadonlyArray<Pick<JobSource<E, R>, "selection">>
}): Effect.Effect<void, InvalidJob, R> =>
  Effect.forEach(sources, ({ selection }) =>
    selection === undefined
      ? Effect.succeed("later" as const)
      : // A file that has nothing of it says that itself.
        Effect.catchAll(selection, (error) =>
          Effect.succeed(isChoice(error) ? undefined : ("later" as const))
        )
  ).pipe(
    Effect.flatMap((selections) => {
      const known = selections.filter((selection) => selection !== "later")
      return known.length < selections.length
        ? Effect.void
        : fail(
            missingChoices(known).map(({ known, option, value }) => ({
              field: option,
              rule: `has ${value}, which no source has, but ${known}`
            }))
          )
    })
  )

const isChoice = (error: unknown): boolean => Format.isFormatError(error) && error.choice !== undefined

/**
 * Checks that all sources can be read and written, and that none needs another one's outputs. Tells which can't, by
 * their names.
 */
export const checkSources = <E, R>(
  { sources }: Job<E, R, unknown, unknown>,
  targets: ReadonlyArray<jobTarget.OwnTarget>
): Effect.Effect<ReadonlyMap<string, E>, E | InvalidJob, R | TranslationStore.TranslationStore> =>
  TranslationStore.TranslationStore.pipe(
    Effect.flatMap((store) => {
      const hasStore = store !== TranslationStore.none
      return eachOf(sources, (source) => source.check?.(targets, hasStore) ?? Effect.succeed([]))
    }),
    Effect.flatMap((checked) => {
      const users = new Map<string, string>()
      const violations: Array<Violation.Violation> = []
      checked.forEach((names, index) => {
        const { name } = sources[index]!
        for (const used of Either.getOrElse(names, () => [])) {
          const other = users.get(used)
          if (other === undefined) users.set(used, name)
          else {
            const rule = `reads or writes ${JSON.stringify(used)}, which ${JSON.stringify(other)} does too: give each its own \`output\`, or leave one out`
            violations.push({ field: `sources[${index}]`, rule })
          }
        }
      })
      const broken = sources.flatMap(({ name }, index) => {
        const result = checked[index]!
        return Either.isLeft(result) ? [[name, result.left] as const] : []
      })
      return Effect.as(fail(violations), new Map(broken))
    })
  )

/** The glossary of the job for a language. */
interface GlossaryOf {
  /** Its id; a glossary that a dry run would create, or change for the language, has none. */
  readonly id: string | undefined
  /** The entries of the glossary, source to target. */
  readonly terms: ReadonlyMap<string, string>
}

/** The glossary of the job, for those languages that it has a dictionary for. A version of a project is kept as long as the job is open. */
const synchronise = (glossary: GlossarySync.Options, sourceLang: string | undefined, dryRun: boolean) =>
  Effect.map(
    dryRun
      ? GlossarySync.sync({ ...glossary, dryRun })
      : glossary.project === undefined
        ? GlossarySync.sync(glossary)
        : GlossarySync.hold(glossary),
    ({ dictionaries, glossaryId }) =>
      (targetLang: string): GlossaryOf | undefined => {
        const terms = GlossarySync.terms(glossary.dictionaries, { sourceLang, targetLang })
        const isOther = dictionaries.some(
          (change) =>
            change.action !== "none" && LanguageCode.base(change.targetLang) === LanguageCode.base(targetLang)
        )
        return terms && { id: dryRun && isOther ? undefined : glossaryId, terms }
      }
  )

/** True if texts with stored translations are sent again. */
export const isRefreshed = ({ refresh = false }: Job<unknown, unknown, unknown, unknown>): boolean =>
  refresh !== false

/** The store of the job: without stored translations and failures, if those are to be sent again. */
const storeOf = (
  store: TranslationStore.Service,
  { refresh = false, retryFailed = false }: Job<unknown, unknown, unknown, unknown>,
  startedAt: DateTime.Utc
): TranslationStore.Service => {
  if (refresh === false && retryFailed === false) return store
  const timeOf = (again: boolean | DateTime.Utc) =>
    again === false ? undefined : again === true ? startedAt : again
  return TranslationStore.withOptions(store, {
    refreshBefore: timeOf(refresh),
    retryFailedBefore: timeOf(retryFailed)
  })
}

/** Jobs look for all that is built in. The detector of languages is loaded if there is a policy for it. */
export const verificationOf = (
  verify: Verification.Options = {}
): Effect.Effect<Verification.Options, Check.DetectorMissing> =>
  Effect.zipWith(
    (verify.policies?.language ?? "off") === "off" ? Effect.succeed(Check.defaults) : Check.all,
    Verification.makeFirstAnswers,
    (checks, firstAnswers) => ({ firstAnswers, ...verify, checks: verify.checks ?? checks })
  )

/** The languages of a job, and the options of the streams into each, once they are checked. */
export const prepare = (
  job: Job<unknown, unknown, unknown, unknown>,
  { dryRun, startedAt }: { readonly dryRun: boolean; readonly startedAt: DateTime.Utc }
) =>
  Effect.gen(function* () {
    const { budget, serviceLimits, sourceLang } = job.options ?? {}
    const store = storeOf(yield* TranslationStore.TranslationStore, job, startedAt)
    const support = yield* LanguageSupport.current
    const glossaryOf = job.glossary && (yield* synchronise(job.glossary, sourceLang, dryRun))
    const { retryFlagged = job.verify?.retryFlagged } = job
    const verify = { ...(yield* verificationOf(job.verify)), retryFlagged }
    const shared = {
      ...job.options,
      store,
      budget: typeof budget === "number" ? yield* Budget.make(budget) : budget,
      serviceLimits: serviceLimits ?? (yield* ServiceLimits.make())
    }
    const targets = yield* Effect.forEach(job.targets, (target) => {
      const own = canonicalTarget.canonical(target)
      const given = canonicalTarget.optionsFor(own, shared)
      const glossary = hasGlossary(given) ? undefined : glossaryOf?.(own.lang)
      return Effect.map(
        support.check(
          {
            ...given,
            verify,
            ...(glossary === undefined ? {} : { glossaryId: glossary.id, glossaryTerms: glossary.terms })
          },
          { onUnsupportedFormality: job.onUnsupportedFormality }
        ),
        (options): TargetOptions => ({
          options,
          name: own.name
        })
      )
    })
    return { shared, targets }
  })
