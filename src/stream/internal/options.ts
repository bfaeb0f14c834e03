import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Hash from "effect/Hash"
import * as Schema from "effect/Schema"
import * as ApiLimits from "../../api/Limits.js"
import * as Text from "../../api/Text.js"
import * as Violation from "../../api/Violation.js"
import * as TranslateError from "../../client/TranslateError.js"
import * as Budget from "../Budget.js"
import * as Placeholder from "../Placeholder.js"
import type * as TranslateStream from "../TranslateStream.js"
import type * as Batching from "./batching.js"

/** The options of every stream: one type from the caller to the scheduler. Streams that do not translate use a part of it. */
export interface Options extends Omit<Partial<TranslateStream.Options>, "targetLang"> {
  readonly targetLang?: string | undefined
}

/** The requests of a stream: where they go, and what is in them beside texts. */
export interface Requests<O, I> {
  readonly endpoint: { readonly method: string; readonly path: string }
  readonly options: O
  readonly schema: Schema.Schema<O, I>
  /** The option that may be too long for a body. */
  readonly longest: string
  readonly maxBytes: number
  readonly maxTexts: number
}

/** How much goes into one request, with nothing left to a default. */
export interface BatchLimits extends Batching.Limits {
  readonly maxBytes: number
  readonly maxTexts: number
}

/** How many requests of a stream are in flight unless told otherwise. */
export const defaultConcurrency = 8

/** What the options come to once they are checked. */
export interface Checked {
  readonly endpoint: { readonly method: string; readonly path: string }
  readonly limits: BatchLimits
  /** A hash of the options as they are sent. */
  readonly hash: number
}

/** The requests that translate with these options. */
export const translation = ({
  budget: _budget,
  concurrency: _concurrency,
  dedupe: _dedupe,
  linger: _linger,
  maxBytes: _maxBytes,
  maxTexts: _maxTexts,
  oversized: _oversized,
  placeholders,
  progress: _progress,
  segmentContext: _segmentContext,
  serviceLimits: _serviceLimits,
  store: _store,
  unordered: _unordered,
  ...options
}: TranslateStream.Options): Requests<Text.TranslateOptions, typeof Text.TranslateOptions.Encoded> => ({
  endpoint: Text.translateText,
  options: {
    ...options,
    ...(placeholders === undefined ? {} : Placeholder.requestOptions(options)),
    showBilledCharacters: true
  },
  schema: Text.TranslateOptions,
  longest: "context",
  maxBytes: ApiLimits.translateBodyBytes,
  maxTexts: ApiLimits.translateTexts
})

/** The budget of one stream, or one that several share. */
export const budgetOf = (
  budget: Budget.Service | number | undefined
): Effect.Effect<Budget.Service | undefined> =>
  typeof budget === "number" ? Budget.make(budget) : Effect.succeed(budget)

/** How much the option `dedupe` asks to remember. */
export const dedupeCapacity = ({ dedupe = false }: Options) => {
  if (dedupe === false) return undefined
  const { bytes = 8_388_608, texts = 1000 } = dedupe === true ? {} : dedupe
  return { texts, bytes }
}

const wholeNumber = (field: string, value: number, least: number): ReadonlyArray<Violation.Violation> =>
  Number.isInteger(value) && value >= least
    ? []
    : [{ field, rule: `is ${value}; it must be a whole number of at least ${least}` }]

/** A number of the options that may lower a limit of the service. */
const lowered = (
  field: string,
  value: number | undefined,
  limit: number
): ReadonlyArray<Violation.Violation> =>
  value !== undefined && value > limit
    ? [{ field, rule: `is ${value}; the service takes ${limit} at most` }]
    : wholeNumber(field, value ?? 1, 1)

const violations = (
  options: Options,
  limits: Pick<BatchLimits, "maxBytes" | "maxTexts">
): ReadonlyArray<Violation.Violation> => {
  const { concurrency = defaultConcurrency, segmentContext = 0 } = options
  const { bytes = 1, texts = 1 } = dedupeCapacity(options) ?? {}
  const budget = typeof options.budget === "number" ? options.budget : 0
  return [
    ...wholeNumber("concurrency", concurrency, 1),
    ...lowered("maxTexts", options.maxTexts, limits.maxTexts),
    ...lowered("maxBytes", options.maxBytes, limits.maxBytes),
    ...wholeNumber("budget", budget, 0),
    ...wholeNumber("segmentContext", segmentContext, 0),
    ...wholeNumber("dedupe.texts", texts, 1),
    ...wholeNumber("dedupe.bytes", bytes, 1)
  ]
}

/** Checks options, and measures the bytes that they take in a body. */
export const check = <O, I>(
  requests: Requests<O, I>,
  options: Options
): Either.Either<Checked, TranslateError.InvalidRequest> => {
  const { endpoint, longest, maxBytes, maxTexts, schema } = requests
  const found = violations(options, requests)
  return Schema.encodeUnknownEither(schema)(requests.options).pipe(
    Either.mapLeft((error) => Violation.fromIssue(error.issue)),
    Either.map((encoded) => JSON.stringify({ text: [], ...encoded })),
    Either.map((body) => ({
      endpoint,
      limits: {
        overheadBytes: new TextEncoder().encode(body).length,
        maxBytes,
        maxTexts: options.maxTexts ?? maxTexts
      },
      hash: Hash.string(endpoint.path + body)
    })),
    Either.filterOrLeft(
      ({ limits }) => limits.overheadBytes < maxBytes,
      ({ limits }) => [
        {
          field: longest,
          rule: `and options alone take ${limits.overheadBytes} bytes; the limit of a body is ${maxBytes}: shorten the ${longest}`
        }
      ]
    ),
    Either.filterOrLeft(
      () => found.length === 0,
      () => found
    ),
    Either.mapLeft((violations) => TranslateError.invalidRequest(endpoint, violations))
  )
}
