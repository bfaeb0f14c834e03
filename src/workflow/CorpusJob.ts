/**
 * A durable job as data: its corpus, languages and options, and its status. It holds references, never texts.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as JobOptions from "../job/JobOptions.js"
import * as TranslateSchema from "../stream/TranslateSchema.js"
import * as Syntax from "../text/Syntax.js"

/**
 * Names a job: 1 to 100 letters, digits, dots, hyphens and underscores, the first a letter or a digit.
 *
 * @since 0.1.0
 * @category schemas
 */
export const JobId = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, {
    message: () =>
      "must be 1 to 100 letters, digits, dots, hyphens and underscores, and begin with a letter or a digit"
  })
)

/**
 * A reference to a corpus: the name of a kind that the workers know, and JSON that this kind reads.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Reference = Schema.Struct({ kind: Schema.String, reference: Schema.Unknown })

/**
 * A reference to a corpus.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reference extends Schema.Schema.Type<typeof Reference> {}

/** `Schema.Record` would lose this key when it copies, and with it the refusal of a check that there is not. */
const CheckName = Schema.String.pipe(Schema.filter((name) => name !== "__proto__"))

/** A syntax by its name, or a pattern between slashes. */
const Protected = Schema.transformOrFail(
  Schema.String,
  Schema.Union(Schema.Literal(...Syntax.names), Schema.instanceOf(RegExp)),
  {
    strict: true,
    decode: (given, _, ast) =>
      Either.mapLeft(Syntax.fromText(given), (message) => new ParseResult.Type(ast, given, message)),
    encode: (syntax) => ParseResult.succeed(String(syntax))
  }
)

/**
 * A job, as it is submitted.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CorpusJob = Schema.Struct({
  id: JobId,
  corpus: Reference,
  /** The languages to translate into, each with its name in paths and options of its own where it has them. */
  targets: Schema.NonEmptyArray(JobOptions.Target),
  /** The options of all texts. @default those of the service */
  options: Schema.optional(JobOptions.Options),
  /**
   * The version of the source, such as a hash of its files. A job that has ended begins anew, as its next generation, if
   * it is submitted with another one. @default unknown: a job that is done stays done
   */
  revision: Schema.optional(Schema.String),
  /** The most characters (code points) that may be billed, by all machines and generations together. @default no limit */
  budget: Schema.optional(Schema.NonNegativeInt),
  /** Jobs with the same name share one budget: that of the job submitted last. @default the id of the job */
  budgetName: Schema.optional(JobId),
  /** The price of a million billed characters, for the status. @default unknown */
  pricePerMillion: Schema.optional(Schema.NonNegative),
  /**
   * The treatment of translations in which a check finds a fault, by the names of checks.
   * @default `Verification.defaultPolicies`
   */
  checks: Schema.optional(
    Schema.Record({ key: CheckName, value: Schema.Literal("flag", "retry", "fail", "off") })
  ),
  /** The treatment of the syntax that texts hold, as streams have it. @default by the format of a file */
  syntax: Schema.optional(
    Schema.Struct({
      protect: Schema.optional(Schema.Array(Protected)),
      html: Schema.optional(Schema.Boolean),
      notUnderstood: Schema.optional(Schema.Literal("fail", "flag", "ignore"))
    })
  ),
  /**
   * Texts that have failed before that time are sent again: the service failed with them, or checks refused their translations. A job that
   * is done begins anew with another time. @default none
   */
  retryFailedBefore: Schema.optional(Schema.DateTimeUtc),
  /**
   * About how many texts are translated in one step. @default up to 2000, fewer in a small job, so that each worker has some; up to 50,000
   * in all languages of a source that one worker translates as a whole
   */
  batchTexts: Schema.optional(Schema.Positive.pipe(Schema.int()))
}).annotations({ identifier: "CorpusJob" })

/**
 * A job, as it is submitted.
 *
 * @since 0.1.0
 * @category models
 */
export interface CorpusJob extends Schema.Schema.Type<typeof CorpusJob> {}

/**
 * The state of a job:
 *
 * - `submitted`: no worker has begun it.
 * - `running`: workers translate it.
 * - `paused`: it was told to pause.
 * - `waiting`: its quota is used up or the service is down; it goes on by itself, see `waiting`.
 * - `cancelling`: it was told to end, and requests in flight are recorded.
 * - `done`: everything is translated, or has failed for good: see `texts.failed`.
 * - `failed`: an error has ended it, see `error`. Submitted again, it goes on.
 * - `cancelled`: it was told to end, and did.
 *
 * @since 0.1.0
 * @category schemas
 */
export const State = Schema.Literal(
  "submitted",
  "running",
  "paused",
  "waiting",
  "cancelling",
  "done",
  "failed",
  "cancelled"
)

/**
 * The state of a job.
 *
 * @since 0.1.0
 * @category models
 */
export type State = typeof State.Type

/**
 * The reason for which a job waits, and the time at which it goes on, unless it is told to go on before.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Waiting = Schema.Struct({
  reason: Schema.Literal("quota", "outage"),
  until: Schema.DateTimeUtc
})

/**
 * The reason for which a job waits, and the time at which it goes on.
 *
 * @since 0.1.0
 * @category models
 */
export interface Waiting extends Schema.Schema.Type<typeof Waiting> {}

/**
 * The status of a job. Numbers of texts count each of them once for each language.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Status = Schema.Struct({
  id: JobId,
  /** Counts from 1: how often the job has begun anew. */
  generation: Schema.Number,
  job: CorpusJob,
  state: State,
  waiting: Schema.optional(Waiting),
  /** The error that ended a job. */
  error: Schema.optional(Schema.Struct({ tag: Schema.String, message: Schema.String })),
  submittedAt: Schema.DateTimeUtc,
  startedAt: Schema.optional(Schema.DateTimeUtc),
  endedAt: Schema.optional(Schema.DateTimeUtc),
  /** The progress of the job. Totals are unknown until the source was read. */
  progress: Schema.Struct({
    /** About how many texts were looked at so far, of those of sources that are cut into steps. */
    texts: Schema.Number,
    totalTexts: Schema.optional(Schema.Number),
    /** Outputs that are written, or that could not be. */
    outputs: Schema.Number,
    totalOutputs: Schema.optional(Schema.Number)
  }),
  /** The counts of texts by outcome, by language, in the order of the languages. */
  targets: Schema.Array(Schema.Struct({ targetLang: Schema.String, ...TranslateSchema.Texts.fields })),
  /**
   * The billed characters: at least those of answered requests, at most those of requests without an answer, too. It is
   * counted by the budget: for all generations of the job, and for all jobs with its `budgetName`.
   */
  characters: Schema.Struct({ least: Schema.Number, most: Schema.Number }),
  /** The cost of these characters, if the job knows the price. */
  cost: Schema.optional(Schema.Struct({ least: Schema.Number, most: Schema.Number }))
}).annotations({ identifier: "CorpusJobStatus" })

/**
 * The status of a job.
 *
 * @since 0.1.0
 * @category models
 */
export interface Status extends Schema.Schema.Type<typeof Status> {}

/**
 * The end of a page of jobs, which asks for the next page.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Cursor = Schema.String.pipe(
  Schema.pattern(/^\d{1,15}-[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, {
    message: () => "must be the cursor that another page of jobs has given"
  })
)

/**
 * The most jobs of a page.
 *
 * @since 0.1.0
 * @category constants
 */
export const longestPage = 1000

/**
 * Jobs, the newest first, and how many there are.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Page = Schema.Struct({
  jobs: Schema.Array(Status),
  /** Where the next page begins; none if this is the last one. */
  next: Schema.optional(Cursor),
  /** The number of jobs with the prefix that was asked for, whatever the other filters. */
  counts: Schema.Struct({
    all: Schema.Number,
    underWay: Schema.Number,
    ended: Schema.Number,
    /** That have failed, or of which a text was not translated. */
    withFailures: Schema.Number
  })
}).annotations({ identifier: "CorpusJobPage" })

/**
 * Jobs, the newest first, and how many there are.
 *
 * @since 0.1.0
 * @category models
 */
export interface Page extends Schema.Schema.Type<typeof Page> {}

/**
 * A text that was not translated, and why. It names the text, and does not hold it.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Failure = Schema.Struct({
  source: Schema.String,
  targetLang: Schema.String,
  key: Schema.String,
  line: Schema.optional(Schema.Number),
  tag: Schema.String,
  message: Schema.String
}).annotations({ identifier: "CorpusJobFailure" })

/**
 * A text that was not translated, and why.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failure extends Schema.Schema.Type<typeof Failure> {}

/**
 * A worker as the status of a job shows it: a process that translates.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Worker = Schema.Struct({
  /** Where the other workers reach it: `host:port`, or `local` for the only one of a file. */
  address: Schema.String,
  /** The version of this library. */
  version: Schema.String,
  startedAt: Schema.DateTimeUtc,
  /** When it was last heard of: within 5 seconds of a worker that runs. */
  seenAt: Schema.DateTimeUtc,
  /** Requests that it has sent, and that are not answered. */
  inFlight: Schema.Number,
  /** `draining` takes no new steps, and leaves once requests in flight are recorded; `lost` was not heard of for 15 seconds. */
  state: Schema.Literal("running", "draining", "lost")
}).annotations({ identifier: "CorpusWorker" })

/**
 * A worker as the status of a job shows it: a process that translates.
 *
 * @since 0.1.0
 * @category models
 */
export interface Worker extends Schema.Schema.Type<typeof Worker> {}

/**
 * Returns `true` if a job has ended, and stays as it is.
 *
 * @since 0.1.0
 * @category guards
 */
export const isEnded: (status: Pick<Status, "state">) => boolean = ({ state }) =>
  state === "done" || state === "failed" || state === "cancelled"
