import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as Violation from "../../api/Violation.js"
import * as LanguageSupport from "../../client/LanguageSupport.js"
import * as RequestChecks from "../../client/RequestChecks.js"
import * as GlossarySync from "../../glossary/GlossarySync.js"
import * as TranslationStore from "../../store/TranslationStore.js"
import * as Budget from "../../stream/Budget.js"
import * as ServiceLimits from "../../stream/ServiceLimits.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import * as Verification from "../../stream/Verification.js"
import * as Check from "../../text/Check.js"
import { InvalidJob } from "../JobError.js"
import type { Job } from "./jobAccounting.js"

const duplicates = (field: string, names: ReadonlyArray<string>): ReadonlyArray<Violation.Violation> =>
  names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [
          {
            field: `${field}[${index}]`,
            rule: `is ${JSON.stringify(name)} once more: each has a name of its own`
          }
        ]
  )

const isTarget = Schema.is(LanguageCode.TargetLanguage)

const noLanguages = (targets: ReadonlyArray<string>): ReadonlyArray<Violation.Violation> =>
  targets.flatMap((target, index) =>
    isTarget(LanguageCode.canonical(target))
      ? []
      : [
          {
            field: `targets[${index}]`,
            rule: `is ${JSON.stringify(target)}, which is no language code: write it as BCP 47, such as "de" or "en-GB"`
          }
        ]
  )

const unlisted = (target: string, index: number): ReadonlyArray<Violation.Violation> =>
  RequestChecks.targetProblems(`targets[${index}]`, LanguageCode.canonical(target)).map(
    ({ field, rule }) => ({
      field,
      rule
    })
  )

const isCount = (value: number): boolean => Number.isInteger(value) && value > 0

const rule = (
  field: string,
  value: number | undefined,
  isValid: (value: number) => boolean,
  expected: string
): ReadonlyArray<Violation.Violation> =>
  value === undefined || isValid(value) ? [] : [{ field, rule: `is ${value}; it must be ${expected}` }]

const fail = (violations: ReadonlyArray<Violation.Violation>): Effect.Effect<void, InvalidJob> =>
  violations.length === 0 ? Effect.void : Effect.fail(new InvalidJob({ violations }))

/** Fails with every rule that a job breaks. */
export const check = (job: Job<unknown, unknown, unknown, unknown>): Effect.Effect<void, InvalidJob> =>
  Effect.flatMap(RequestChecks.RequestChecks, ({ languages }) => checkWith(job, languages))

const checkWith = (job: Job<unknown, unknown, unknown, unknown>, hasLanguages: boolean) => {
  const { glossary, limit, maxFailedShare, pricePerMillion, sourceConcurrency, sources, targets } = job
  const hasGlossary = job.glossaryId !== undefined || (job.glossaryIds ?? []).length > 0
  return fail([
    ...(sources.length === 0 ? [{ field: "sources", rule: "are none: name what is to be translated" }] : []),
    ...(targets.length === 0 ? [{ field: "targets", rule: "are none: name the languages" }] : []),
    ...duplicates(
      "sources",
      sources.map(({ name }) => name)
    ),
    ...duplicates("targets", targets.map(LanguageCode.canonical)),
    ...noLanguages(targets),
    ...(hasLanguages ? targets.flatMap(unlisted) : []),
    ...rule("sourceConcurrency", sourceConcurrency, isCount, "a whole number of at least 1"),
    ...rule("limit", limit, isCount, "a whole number of at least 1"),
    ...rule("maxFailedShare", maxFailedShare, (value) => value >= 0 && value <= 1, "from 0 to 1"),
    ...rule(
      "pricePerMillion",
      pricePerMillion,
      (value) => value >= 0 && value < Number.POSITIVE_INFINITY,
      "0 or more, and finite"
    ),
    ...(glossary !== undefined && hasGlossary
      ? [{ field: "glossary", rule: "can't go with `glossaryId` or `glossaryIds`: choose one" }]
      : [])
  ])
}

/** What each source answers, or why it can't. Fails with what is not of a source alone. */
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

/**
 * Asks all sources whether they can be read and written, and whether they do without each other's outputs. Tells which can't,
 * by their names.
 */
export const checkSources = <E, R>(
  { sources }: Job<E, R, unknown, unknown>,
  targets: ReadonlyArray<LanguageCode.TargetLanguage>
): Effect.Effect<ReadonlyMap<string, E>, E | InvalidJob, R> =>
  eachOf(sources, (source) => source.check?.(targets) ?? Effect.succeed([])).pipe(
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

/** The id of no glossary. */
const noGlossary = "00000000-0000-0000-0000-000000000000"

/** The glossary of the job for a language: which one it is, and whether it would have another content but for a dry run. */
interface GlossaryOf {
  readonly id: string | undefined
  readonly isOther: boolean
  /** What it holds, source to target. */
  readonly terms: ReadonlyMap<string, string>
}

/** The glossary of the job, for those languages that it has a dictionary for. */
const synchronise = (glossary: GlossarySync.Options, sourceLang: string | undefined, dryRun: boolean) =>
  Effect.map(
    GlossarySync.sync(dryRun ? { ...glossary, dryRun } : glossary),
    ({ dictionaries, glossaryId }) =>
      (targetLang: string): GlossaryOf | undefined => {
        const terms = GlossarySync.terms(glossary.dictionaries, { sourceLang, targetLang })
        const isOther =
          dryRun &&
          dictionaries.some(
            (change) =>
              change.action !== "none" &&
              LanguageCode.base(change.targetLang) === LanguageCode.base(targetLang)
          )
        return terms && { id: glossaryId, isOther, terms }
      }
  )

/** The options of the streams among those of a job. */
const streamOptions = <E, R>({
  glossary: _glossary,
  haltWhen: _haltWhen,
  limit: _limit,
  maxFailedShare: _maxFailedShare,
  onEnd: _onEnd,
  onFailed: _onFailed,
  onFlagged: _onFlagged,
  onUnits: _onUnits,
  onUnsupportedFormality: _onUnsupportedFormality,
  partial: _partial,
  pricePerMillion: _pricePerMillion,
  progress: _progress,
  refresh: _refresh,
  retryFailed: _retryFailed,
  sourceConcurrency: _sourceConcurrency,
  sources: _sources,
  targets: _targets,
  ...options
}: Job<unknown, unknown, E, R>): Omit<TranslateStream.Options, "targetLang"> => options

/** Whether texts are sent again whose translations are stored. */
export const isRefreshed = ({ refresh = false }: Job<unknown, unknown, unknown, unknown>): boolean =>
  refresh !== false

/** The store of the job: without what was stored or has failed before, if that is to be sent again. */
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
export const verificationOf = (verify: Verification.Options = {}): Effect.Effect<Verification.Options> =>
  Effect.zipWith(
    (verify.policies?.language ?? "off") === "off" ? Effect.succeed(Check.defaults) : Check.all,
    Verification.makeFirstAnswers,
    (checks, firstAnswers) => ({ firstAnswers, ...verify, checks: verify.checks ?? checks })
  )

/** The options of the streams into each language, once they are checked. */
export const prepare = (
  job: Job<unknown, unknown, unknown, unknown>,
  { dryRun, startedAt }: { readonly dryRun: boolean; readonly startedAt: DateTime.Utc }
) =>
  Effect.gen(function* () {
    const store = storeOf(yield* TranslationStore.TranslationStore, job, startedAt)
    const support = yield* LanguageSupport.current
    const glossaryOf = job.glossary && (yield* synchronise(job.glossary, job.sourceLang, dryRun))
    const { budget, ...options } = streamOptions(job)
    const verify = yield* verificationOf(options.verify)
    const shared = {
      ...options,
      store,
      budget: typeof budget === "number" ? yield* Budget.make(budget) : budget,
      serviceLimits: options.serviceLimits ?? (yield* ServiceLimits.make())
    }
    return yield* Effect.forEach(job.targets, (target) => {
      const targetLang = LanguageCode.canonical(target)
      const glossary = glossaryOf?.(targetLang)
      const glossaryId = glossary?.id
      return Effect.map(
        support.check(
          {
            ...shared,
            targetLang,
            verify: { ...verify, glossary: verify.glossary ?? glossary?.terms },
            ...(glossaryId === undefined ? {} : { glossaryId })
          },
          { onUnsupportedFormality: job.onUnsupportedFormality }
        ),
        // Nothing was translated with what it will hold.
        (options) => (glossary?.isOther === true ? { ...options, glossaryId: noGlossary } : options)
      )
    })
  })
