/**
 * Schemas of what streams report: errors, outcomes, sums, forecasts and progress. Encoded they are JSON, which crosses RPC,
 * queues and journals; what is decoded passes the guards of its module.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Text from "../api/Text.js"
import * as TranslateError from "../client/TranslateError.js"
import { StoreError } from "../store/StoreError.js"
import { BudgetExceeded } from "./Budget.js"
import { FailedBefore } from "./FailedBefore.js"
import { ImplausibleAnswers } from "./ImplausibleAnswers.js"
import { TranslationRefused } from "./Verification.js"

/**
 * Why a text or a whole stream fails: `Outcome.StreamError`.
 *
 * @since 0.1.0
 * @category errors
 */
export const StreamError = Schema.Union(
  TranslateError.TranslateError,
  BudgetExceeded,
  FailedBefore,
  ImplausibleAnswers,
  TranslationRefused,
  StoreError
)

/**
 * Texts by what became of them: `Outcome.Texts`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Texts = Schema.Struct({
  translated: Schema.Number,
  cached: Schema.Number,
  skipped: Schema.Number,
  failed: Schema.Number,
  flagged: Schema.optional(Schema.Number)
})

/**
 * What was billed, in characters: `Outcome.Cost`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Cost = Schema.Struct({ characters: Schema.Number, ambiguousCharacters: Schema.Number })

/**
 * A sum over outcomes: `Outcome.Tally`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Tally = Schema.Struct({ in: Schema.Number, ...Texts.fields, ...Cost.fields })

const Translation = Schema.typeSchema(Text.Translation)

/** `null` in JSON: arrays have no missing items there. */
const translations = Schema.Array(
  Schema.transform(Schema.NullOr(Translation), Schema.UndefinedOr(Translation), {
    strict: true,
    decode: (translation) => translation ?? undefined,
    encode: (translation) => translation ?? null
  })
)

const ranges = Schema.Array(Schema.Struct({ start: Schema.Number, end: Schema.Number }))

/**
 * Something that looks wrong: `Check.Finding`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Finding = Schema.Struct({
  check: Schema.String,
  severity: Schema.Literal("error", "warning"),
  explanation: Schema.String,
  source: ranges,
  translation: ranges
})

const field = Schema.Union(Schema.String, Schema.Number)

const some = {
  cachedTexts: Schema.optional(Schema.Array(Schema.Number)),
  flagged: Schema.optional(Schema.Array(Schema.Struct({ field, findings: Schema.Array(Finding) })))
}

const Failure = Schema.Struct({ field, error: StreamError })

/**
 * What became of an element: `Outcome.Outcome`, by the schemas of the element as it came and with its translations.
 *
 * @since 0.1.0
 * @category schemas
 */
export const outcome = <B, BI, RB, A, AI, RA>({
  source,
  value
}: {
  readonly source: Schema.Schema<A, AI, RA>
  readonly value: Schema.Schema<B, BI, RB>
}) => {
  const common = { source, value, texts: Texts, cost: Cost }
  return Schema.Union(
    Schema.Struct({ _tag: Schema.Literal("Translated"), ...common, translations, ...some }),
    Schema.Struct({ _tag: Schema.Literal("Cached"), ...common, translations }),
    Schema.Struct({ _tag: Schema.Literal("Skipped"), ...common }),
    Schema.Struct({
      _tag: Schema.Literal("Failed"),
      ...common,
      translations,
      failures: Schema.NonEmptyArray(Failure),
      ...some
    })
  )
}

/**
 * What the translation into one language takes: `Forecast.Forecast`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Forecast = Tally.omit("ambiguousCharacters").pipe(
  Schema.extend(Schema.Struct({ targetLang: Schema.String, requests: Schema.Number, bytes: Schema.Number }))
)

const progressCounts = {
  ...Texts.fields,
  ...Cost.fields,
  done: Schema.Number,
  total: Schema.UndefinedOr(Schema.Number),
  requests: Schema.Number,
  retries: Schema.Number,
  refusals: Schema.Record({ key: Schema.String, value: Schema.Number }),
  inFlight: Schema.Struct({ texts: Schema.Number, characters: Schema.Number })
}

/**
 * How far a job has come: `Progress.State`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ProgressState = Schema.Struct({
  ...progressCounts,
  targets: Schema.Array(Schema.Struct({ targetLang: Schema.UndefinedOr(Schema.String), ...progressCounts })),
  cost: Schema.UndefinedOr(Schema.Struct({ least: Schema.Number, most: Schema.Number })),
  rate: Schema.Number,
  timeLeft: Schema.UndefinedOr(Schema.Duration),
  outage: Schema.UndefinedOr(Schema.String),
  nextTry: Schema.UndefinedOr(Schema.Duration)
})

const languages = { sourceLang: Schema.optional(Schema.String), targetLang: Schema.optional(Schema.String) }

/**
 * What has happened in a job: `Progress.Event`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ProgressEvent = Schema.Union(
  Schema.Struct({
    ...languages,
    _tag: Schema.Literal("Sent"),
    texts: Schema.Number,
    characters: Schema.Number
  }),
  Schema.Struct({
    ...languages,
    _tag: Schema.Literal("Answered"),
    texts: Schema.Number,
    requests: Schema.Number,
    ...Cost.fields
  }),
  Schema.Struct({
    ...languages,
    _tag: Schema.Literal("Failed"),
    texts: Schema.Number,
    requests: Schema.Number,
    error: Schema.String,
    ...Cost.fields
  }),
  Schema.Struct({ ...languages, _tag: Schema.Literal("Emitted"), texts: Texts }),
  Schema.Struct({ ...languages, _tag: Schema.Literal("OutageBegan"), error: Schema.String }),
  Schema.Struct({ ...languages, _tag: Schema.Literal("OutageEnded") })
)
