/**
 * Schemas of the reports of streams: errors, outcomes, sums, forecasts and progress. Encoded they are JSON, which crosses
 * RPC, queues and journals; decoded values pass the guards of their module.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Text from "../api/Text.js"
import * as TranslateError from "../client/TranslateError.js"
import { StoreError } from "../store/StoreError.js"
import * as FindingSchema from "../text/FindingSchema.js"
import { NotUnderstood } from "../text/Syntax.js"
import { BudgetExceeded } from "./Budget.js"
import { FailedBefore } from "./FailedBefore.js"
import { ImplausibleAnswers } from "./ImplausibleAnswers.js"
import type * as Outcome from "./Outcome.js"
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
  NotUnderstood,
  TranslationRefused,
  StoreError
)

/**
 * The counts of texts by outcome: `Outcome.Texts`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Texts = Schema.Struct({
  translated: Schema.Number,
  cached: Schema.Number,
  skipped: Schema.Number,
  failed: Schema.Number,
  flagged: Schema.optional(Schema.Number),
  unasked: Schema.optional(Schema.Number)
})

/**
 * The billed characters: `Outcome.Cost`.
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

/**
 * Something that looks wrong: `Check.Finding`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Finding = FindingSchema.Finding

const field = Schema.Union(Schema.String, Schema.Number)

const Unasked = Schema.Struct({ check: Schema.String, reason: Schema.optional(Schema.String) })

const looked = {
  flagged: Schema.optional(Schema.Array(Schema.Struct({ field, findings: Schema.Array(Finding) }))),
  unasked: Schema.optional(Schema.Array(Schema.Struct({ field, checks: Schema.Array(Unasked) })))
}

const some = { cachedTexts: Schema.optional(Schema.Array(Schema.Number)), ...looked }

const Failure = Schema.Struct({ field, error: StreamError })

const outcomeOf = <B, BI, RB, A, AI, RA>(
  value: Schema.Schema<B, BI, RB>,
  source: Schema.Schema<A, AI, RA>
) => {
  const common = { source, value, texts: Texts, cost: Cost }
  return Schema.Union(
    Schema.Struct({ _tag: Schema.Literal("Translated"), ...common, translations, ...some }),
    Schema.Struct({ _tag: Schema.Literal("Cached"), ...common, translations, ...looked }),
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
 * An outcome as JSON: of a value and a source that are encoded like this.
 *
 * @since 0.1.0
 * @category models
 */
export type OutcomeEncoded<B, A = B> = Schema.Schema.Encoded<
  ReturnType<typeof outcomeOf<unknown, B, never, unknown, A, never>>
>

/**
 * The outcome of an element, `Outcome.Outcome`: by the schema of the element, or by those of the element as it came and with its
 * translations, where they differ.
 *
 * @since 0.1.0
 * @category schemas
 */
export const outcome: {
  /** The outcome of an element, by its schema. */
  <A, I, R>(element: Schema.Schema<A, I, R>): Schema.Schema<Outcome.Outcome<A>, OutcomeEncoded<I>, R>
  /** The outcome of an element, by the schemas of the element as it came (`source`) and with its translations (`value`). */
  <B, BI, RB, A, AI, RA>(schemas: {
    readonly source: Schema.Schema<A, AI, RA>
    readonly value: Schema.Schema<B, BI, RB>
  }): Schema.Schema<Outcome.Outcome<B, A>, OutcomeEncoded<BI, AI>, RB | RA>
} = <B, BI, RB, A, AI, RA>(
  schemas:
    | Schema.Schema<B, BI, RB>
    | { readonly source: Schema.Schema<A, AI, RA>; readonly value: Schema.Schema<B, BI, RB> }
) => ("ast" in schemas ? outcomeOf(schemas, schemas) : outcomeOf(schemas.value, schemas.source))

/**
 * The forecast of the translation into one language: `Forecast.Forecast`.
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
 * The progress of a job: `Progress.State`.
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
 * An event of a job: `Progress.Event`.
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
