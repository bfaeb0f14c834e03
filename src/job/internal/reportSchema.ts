import * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Violation from "../../api/Violation.js"
import * as Format from "../../format/Format.js"
import * as TranslateSchema from "../../stream/TranslateSchema.js"
import { NamedTexts } from "./contract.js"
import { hasNoTexts, missingChoices } from "./unmatched.js"

/**
 * The tag of an error, and its message.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Reason = Schema.Struct({ tag: Schema.String, message: Schema.String })

/**
 * The tag of an error, and its message.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reason extends Schema.Schema.Type<typeof Reason> {}

/** The tag and the message of any error, without the values that a `ParseError` prints. */
export const describe = (error: unknown): { readonly tag: string; readonly message: string } => {
  if (ParseResult.isParseError(error)) {
    return { tag: error._tag, message: Violation.format(Violation.fromIssue(error.issue)) }
  }
  const tag = Predicate.hasProperty(error, "_tag")
    ? error._tag
    : error instanceof Error
      ? error.name
      : "Error"
  const message = Predicate.hasProperty(error, "message") ? error.message : ""
  return { tag: String(tag), message: String(message) }
}

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
  ...TranslateSchema.Texts.fields,
  /** The billed characters: at least those of answered requests, at most those of requests without an answer, too. */
  characters: Range,
  /** The cost of these characters, if the job knows the price. */
  cost: Schema.optional(Range),
  /** Requests that were sent, repetitions included. */
  requests: Schema.Number,
  /** The number of requests that were repetitions. */
  retries: Schema.Number,
  /** Requests that have failed for good, by the tags of their errors. */
  refusals: Schema.Record({ key: Schema.String, value: Schema.Number }),
  /** The duration, in milliseconds. */
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
  /** The source as it is now; empty if it is no text any more. */
  text: Schema.String,
  /** The person's translation of an earlier source. */
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
  /** The name of the output. */
  output: Schema.optional(Schema.String),
  /**
   * `unchanged` was right already; `partial` is not whole; `withheld` was not published, as it is not whole; `failed` has an error
   * of its own; `unfinished` was not begun, or not ended, when the job ended.
   */
  state: Schema.Literal("written", "unchanged", "partial", "withheld", "failed", "unfinished"),
  error: Schema.optional(Reason),
  tally: TranslateSchema.Tally,
  /** The number of a person's translations, in the output or as corrections, that were kept: where outputs are updated. @default none */
  byPersons: Schema.optional(Schema.Number),
  /** The number of a person's corrections that were read from an output of rows, and stored. @default none */
  corrections: Schema.optional(Schema.Number),
  /** Texts that hold letters and were left as they are, since they are nothing but placeholders. @default none */
  onlyPlaceholders: Schema.optional(NamedTexts),
  /** Texts of the output whose author is not known: they stayed as they were, and were not sent. @default none */
  unknown: Schema.optional(NamedTexts),
  /** Texts of a person that the output has no place for any more: those that have a `text` are in the store as corrections. @default none */
  deleted: Schema.optional(
    Schema.Array(Schema.Struct({ key: Schema.String, text: Schema.String, translation: Schema.String }))
  ),
  /** The fit of the columns or paths that were chosen, if not all do, or several were chosen. @default all of it is there */
  selection: Schema.optional(Format.Selection),
  /** The number of records that were left out, since a text of them has failed or they could not be read. @default none */
  dropped: Schema.optional(Schema.Number),
  /** Records that could not be read and count as failed, and the problems of the first 20. @default none */
  unread: Schema.optional(Schema.Struct({ records: Schema.Number, messages: Schema.Array(Schema.String) })),
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
 * A request without a known answer: it may have been billed, and is billed again if its texts are sent again.
 *
 * @since 0.1.0
 * @category schemas
 */
export const InDoubt = Schema.Struct({
  /** The state of these requests in the ledger of the store. */
  state: Schema.Literal("unknown", "expired"),
  /** The meaning in words. */
  why: Schema.String,
  requests: Schema.Number,
  characters: Schema.Number
})

/**
 * A request without a known answer.
 *
 * @since 0.1.0
 * @category models
 */
export interface InDoubt extends Schema.Schema.Type<typeof InDoubt> {}

/**
 * The result of a job.
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
    /** The error that ended a job. */
    error: Schema.optional(Reason),
    /** The next step. */
    next: Schema.String
  }),
  /** The languages, in their order. */
  targets: Schema.Array(Target),
  /** Each source in each language. */
  outputs: Schema.Array(Output),
  /** The characters that may be billed twice, by the ledger of the store; none if it could not be read. */
  inDoubt: Schema.optional(
    Schema.Struct({
      /** Those of requests since the job began, by all users of the store. */
      sinceStart: Schema.Array(InDoubt),
      /** Of all that the ledger knows. */
      everything: Schema.Array(InDoubt)
    })
  )
})

/**
 * The result of a job.
 *
 * @since 0.1.0
 * @category models
 */
export interface JobReport extends Schema.Schema.Type<typeof JobReport> {}

const isRead = (state: Output["state"]): boolean => state === "written" || state === "unchanged"

/**
 * The same of the outputs of a job: nothing is said before all sources are read.
 *
 * @internal
 */
export const unmatchedChoices = (outputs: JobReport["outputs"]): ReadonlyArray<Format.Choice> =>
  outputs.some(({ selection, state }) => !isRead(state) && (selection === undefined || state === "failed"))
    ? []
    : missingChoices(outputs.map(({ selection }) => selection))

/**
 * Tells of values that were chosen and left as they are, since they are no texts, or are nowhere.
 *
 * @internal
 */
export const hasUnmatchedChoices = (outputs: JobReport["outputs"]): boolean =>
  unmatchedChoices(outputs).length > 0 || hasNoTexts(outputs)

/**
 * True if a job was ended by its store: then answers may be lost that were paid for.
 *
 * @internal
 */
export const isOfStore = (error: Reason | undefined): boolean => error?.tag.startsWith("Store") === true

/**
 * The extent of a complete job: all texts; all but those that a person should look at, which are nothing but
 * placeholders, have an older translation of a person, or one of nobody knows whom; or nothing, as there was no text.
 *
 * @internal
 */
export const extent: (
  jobReport: Pick<JobReport, "outputs" | "targets">
) => "everything" | "others" | "nothing" = ({ outputs, targets }) =>
  targets.every((target) => target.in === 0)
    ? "nothing"
    : outputs.some(
          ({ onlyPlaceholders, stale, unknown }) =>
            onlyPlaceholders !== undefined || unknown !== undefined || stale.length > 0
        )
      ? "others"
      : "everything"
