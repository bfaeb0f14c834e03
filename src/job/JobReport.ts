/**
 * The result of a job, and the next step: the counts of texts by outcome, their cost, and each output. It is written as
 * JSON, and read back with a person's corrections in it.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Violation from "../api/Violation.js"
import * as Json from "../format/Json.js"
import { is, TaggedError } from "../internal/taggedError.js"
import type * as TranslationStore from "../store/TranslationStore.js"
import { correctionsOf } from "../stream/FailedUnits.js"
import { describe, JobReport, type Reason } from "./internal/reportSchema.js"

/**
 * A report, and its parts.
 *
 * @since 0.1.0
 * @category schemas
 */
export { InDoubt, JobReport, Output, Reason, Stale, Target } from "./internal/reportSchema.js"

/**
 * The reason of an error in reports: without the values that its message may print.
 *
 * @internal
 */
export const reasonOf: (error: unknown) => Reason = describe

/**
 * Questions on reports.
 *
 * @internal
 */
export { extent, hasUnmatchedChoices, isOfStore, unmatchedChoices } from "./internal/reportSchema.js"

/**
 * Choices that sources do not fit.
 *
 * @internal
 */
export { hasNoTexts, missingChoices } from "./internal/unmatched.js"

/**
 * A text is no report of a job, or one of a newer version of this library. The message names the file, and the line or the field.
 *
 * @since 0.1.0
 * @category errors
 */
export class JobReportError extends TaggedError<JobReportError>()("JobReportError", {
  message: Schema.String
}) {}

/**
 * Returns `true` for a `JobReportError`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isJobReportError = is(JobReportError)

/**
 * The text of a report: JSON.
 *
 * @since 0.1.0
 * @category codecs
 */
export const encode: (report: JobReport) => string = Schema.encodeSync(
  Schema.parseJson(JobReport, { space: 2 })
)

const encoder = new TextEncoder()

/**
 * Reads a report. `file` names it in errors.
 *
 * @since 0.1.0
 * @category codecs
 */
export const decode = (json: string, file = "the report"): Effect.Effect<JobReport, JobReportError> =>
  Stream.succeed(encoder.encode(json)).pipe(
    Json.format.decode({ targetLang: "", file, maxBytes: Number.POSITIVE_INFINITY }),
    Stream.runDrain,
    Effect.mapError(({ message }) => new JobReportError({ message })),
    Effect.zipRight(
      Effect.mapError(
        Schema.decode(Schema.parseJson(JobReport))(json),
        ({ issue }) =>
          new JobReportError({
            message: `${file} is no report of a job, or of a newer version: ${Violation.format(Violation.fromIssue(issue))}`
          })
      )
    )
  )

/**
 * The translations that a person has filled in at stale units, for `correct` of the store. The same job again writes
 * these translations.
 *
 * @since 0.1.0
 * @category combinators
 */
export const corrections = (report: JobReport): Effect.Effect<ReadonlyArray<TranslationStore.Correction>> =>
  Effect.map(DateTime.now, (at) =>
    correctionsOf(
      report.outputs.flatMap(({ stale, targetLang }) =>
        stale.map((unit) => ({ ...unit, targetLang, sourceLang: report.sourceLang }))
      ),
      at
    )
  )
