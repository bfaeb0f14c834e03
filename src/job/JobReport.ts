/**
 * What a job has done, and what is to be done next: the texts by what became of them, what they have cost, and each output. It is
 * written as JSON, and read back with a person's corrections in it.
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
import * as Codec from "../stream/Codec.js"
import { correctionsOf } from "./internal/corrections.js"
import { describe } from "./internal/errorReason.js"
import { OnlyPlaceholders } from "./internal/sourceContract.js"

/**
 * The tag of an error, and what it says.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Reason = Schema.Struct({ tag: Schema.String, message: Schema.String })

/**
 * The tag of an error, and what it says.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reason extends Schema.Schema.Type<typeof Reason> {}

/**
 * What a report says of an error: nothing of the values that it may print.
 *
 * @internal
 */
export const reasonOf: (error: unknown) => Reason = describe

const Range = Schema.Struct({ least: Schema.Number, most: Schema.Number })

/**
 * The translation into one language: `in = translated + cached + skipped + failed`, in texts.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Target = Schema.Struct({
  targetLang: Schema.String,
  in: Schema.Number,
  ...Codec.Texts.fields,
  /** What was billed, in characters: at least what was answered, at most what nobody knows of too. */
  characters: Range,
  /** What that costs, if the job knows the price. */
  cost: Schema.optional(Range),
  /** Requests that were sent, repetitions included. */
  requests: Schema.Number,
  /** How many of them were repetitions. */
  retries: Schema.Number,
  /** Requests that have failed for good, by the tags of their errors. */
  refusals: Schema.Record({ key: Schema.String, value: Schema.Number }),
  /** How long it took, in milliseconds. */
  took: Schema.Number
})

/**
 * The translation into one language.
 *
 * @since 0.1.0
 * @category models
 */
export interface Target extends Schema.Schema.Type<typeof Target> {}

/**
 * A person's translation whose source has changed since. A person fills in `correction`: see {@link corrections}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Stale = Schema.Struct({
  key: Schema.String,
  /** The source as it is now. */
  text: Schema.String,
  /** What the person has written for an earlier source. */
  translation: Schema.String,
  correction: Schema.optional(Schema.String)
})

/**
 * A source in one language.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Output = Schema.Struct({
  source: Schema.String,
  targetLang: Schema.String,
  /** What the output is called. */
  output: Schema.optional(Schema.String),
  /**
   * `unchanged` was right already; `partial` is not whole; `withheld` was not published, as it is not whole; `failed` has an error
   * of its own; `unfinished` was not begun, or not ended, when the job ended.
   */
  state: Schema.Literal("written", "unchanged", "partial", "withheld", "failed", "unfinished"),
  error: Schema.optional(Reason),
  tally: Codec.Tally,
  /** How many translations a person has written, in the output or as a correction, and were kept: where outputs are updated. @default none */
  byPersons: Schema.optional(Schema.Number),
  /** Texts that hold letters and were left as they are, since they are nothing but placeholders. @default none */
  onlyPlaceholders: Schema.optional(OnlyPlaceholders),
  stale: Schema.Array(Stale)
})

/**
 * A source in one language.
 *
 * @since 0.1.0
 * @category models
 */
export interface Output extends Schema.Schema.Type<typeof Output> {}

/**
 * What was sent without an answer that is known: it may have been billed, and is billed again if its texts are sent again.
 *
 * @since 0.1.0
 * @category schemas
 */
export const InDoubt = Schema.Struct({
  /** The state of these requests in the ledger of the store. */
  state: Schema.Literal("unknown", "expired"),
  /** What that means. */
  why: Schema.String,
  requests: Schema.Number,
  characters: Schema.Number
})

/**
 * What was sent without an answer that is known.
 *
 * @since 0.1.0
 * @category models
 */
export interface InDoubt extends Schema.Schema.Type<typeof InDoubt> {}

/**
 * What a job has done.
 *
 * @since 0.1.0
 * @category schemas
 */
export const JobReport = Schema.Struct({
  version: Schema.Literal(1),
  startedAt: Schema.DateTimeUtc,
  endedAt: Schema.DateTimeUtc,
  sourceLang: Schema.optional(Schema.String),
  end: Schema.Struct({
    /**
     * `complete` has translated everything; `incomplete` has come to its end, and some texts have failed or some outputs are not whole;
     * `failed` and `interrupted` have not come to their end.
     */
    state: Schema.Literal("complete", "incomplete", "failed", "interrupted"),
    /** What has ended a job that failed. */
    error: Schema.optional(Reason),
    /** What to do next. */
    next: Schema.String
  }),
  /** The languages, in their order. */
  targets: Schema.Array(Target),
  /** Each source in each language. */
  outputs: Schema.Array(Output),
  /** What may be paid twice, as the ledger of the store says; none if it could not be read. */
  inDoubt: Schema.optional(
    Schema.Struct({
      /** Of what was sent since the job began, by all that use the store. */
      sinceStart: Schema.Array(InDoubt),
      /** Of all that the ledger knows. */
      everything: Schema.Array(InDoubt)
    })
  )
})

/**
 * What a job has done.
 *
 * @since 0.1.0
 * @category models
 */
export interface JobReport extends Schema.Schema.Type<typeof JobReport> {}

/**
 * What a complete job has translated: everything; all but texts that a person should look at, which are nothing but placeholders, or have
 * an older translation of a person; or nothing, as there was no text.
 *
 * @internal
 */
export const extentOf = ({
  outputs,
  targets
}: Pick<JobReport, "outputs" | "targets">): "everything" | "others" | "nothing" =>
  targets.every((target) => target.in === 0)
    ? "nothing"
    : outputs.some(({ onlyPlaceholders, stale }) => onlyPlaceholders !== undefined || stale.length > 0)
      ? "others"
      : "everything"

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
 * Whether a value is a `JobReportError`.
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
 * What a person has filled in at stale units, for `correct` of the store. The same job again writes these translations.
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
