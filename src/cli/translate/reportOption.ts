/** The page that `--report` names. */
import * as Effect from "effect/Effect"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as ConcurrencyLimit from "../../client/ConcurrencyLimit.js"
import * as RetryPolicy from "../../client/RetryPolicy.js"
import * as TranslateClient from "../../client/TranslateClient.js"
import * as GlossarySync from "../../glossary/GlossarySync.js"
import type * as JobReport from "../../job/JobReport.js"
import type * as Progress from "../../stream/Progress.js"
import { Output } from "../output.js"
import type { Plan } from "./translateOptions.js"
import type { Job } from "./translationJob.js"

/** The terms of a glossary of the service. None if it does not answer: only marks are missed then. */
const serviceTerms = (id: string, sourceLang: string, targetLang: string) =>
  Effect.flatMap(TranslateClient.TranslateClient, ({ glossaries }) =>
    glossaries.entries(id, { sourceLang: LanguageCode.base(sourceLang), targetLang })
  ).pipe(
    RetryPolicy.withRetryPolicy(RetryPolicy.none),
    Effect.map(({ entries }) => new Map(entries.map(({ source, target }) => [source, target]))),
    Effect.orElseSucceed(() => new Map<string, string>())
  )

/** The terms that are marked, for each language. */
const glossariesOf = ({ languages }: Plan, { glossary, options: { glossaryId, sourceLang } }: Job) =>
  Effect.forEach(languages, (targetLang) =>
    Effect.gen(function* () {
      const terms =
        glossaryId !== undefined && sourceLang !== undefined
          ? yield* serviceTerms(glossaryId, sourceLang, LanguageCode.base(targetLang))
          : glossary && GlossarySync.terms(glossary.dictionaries, { sourceLang, targetLang })
      return { targetLang, entries: Object.fromEntries(terms ?? []) }
    })
  )

/** Begins the page; none without `--report`. */
export const make = (plan: Plan, job: Job) =>
  Effect.gen(function* () {
    if (plan.report === undefined) return undefined
    const reports = yield* Effect.promise(() => import("../report/reportFile.js"))
    const { onUnits, sampling, write } = yield* reports.make(plan.report)
    const { note } = yield* Output
    const limit = yield* ConcurrencyLimit.ConcurrencyLimit
    const glossaries = yield* glossariesOf(plan, job)
    return {
      onUnits,
      sampling: (progress: Progress.Progress) => sampling(progress, limit),
      /** Writes the report; `next` is the advice for the next step. */
      write: (report: JobReport.JobReport, next: string) =>
        Effect.zipRight(
          write({ ...report, end: { ...report.end, next } }, glossaries),
          note(`The report is in ${plan.report}.`)
        )
    }
  })
