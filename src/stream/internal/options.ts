import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Hash from "effect/Hash"
import * as Schema from "effect/Schema"
import * as ApiLimits from "../../api/Limits.js"
import * as RequestRules from "../../api/RequestRules.js"
import * as Text from "../../api/Text.js"
import * as Violation from "../../api/Violation.js"
import * as TranslateError from "../../client/TranslateError.js"
import { without } from "../../internal/ownOptions.js"
import { encoder } from "../../internal/utf8.js"
import * as Placeholder from "../../text/Placeholder.js"
import * as Budget from "../Budget.js"
import type * as Batching from "./batching.js"
import { isApart } from "./reading.js"
import type * as TranslateStream from "./translateOptions.js"

/** The options of every stream: one type from the caller to the scheduler. Streams that do not translate use a part of it. */
export interface Options extends Omit<Partial<TranslateStream.Options>, "targetLang"> {
  readonly targetLang?: string | undefined
}

/** The requests of a stream: their endpoint, and their fields beside texts. */
export interface Requests<O, I> {
  readonly endpoint: { readonly method: string; readonly path: string }
  readonly options: O
  /** The options of requests with other texts than plain ones, where those are apart. */
  readonly apart?: { readonly marked: O; readonly html: O } | undefined
  readonly schema: Schema.Schema<O, I>
  /** The option that may be too long for a body. */
  readonly longest: string
  readonly maxBytes: number
  readonly maxTexts: number
  /** The breaches of rules that can be relaxed. */
  readonly problems?: ReadonlyArray<RequestRules.Problem>
}

/** The limits of one request, without defaults. */
export interface BatchLimits extends Batching.Limits {
  readonly maxBytes: number
  readonly maxTexts: number
  /** The further bytes of a body with other texts than plain ones, where those are apart. */
  readonly furtherBytes?: { readonly marked: number; readonly html: number } | undefined
}

/** The default number of a stream's requests in flight. */
export const defaultConcurrency = 8

/** The options after they are checked. */
export interface Checked {
  readonly endpoint: { readonly method: string; readonly path: string }
  readonly limits: BatchLimits
  /** A hash of the options as they are sent. */
  readonly hash: number
  /** True if a request may have a context. */
  readonly takesContext: boolean
}

/** The error of a text that takes a body of `bytes` bytes by itself, and is not cut. */
export const tooLarge = (
  { endpoint, limits }: Pick<Checked, "endpoint" | "limits">,
  bytes: number
): TranslateError.InvalidRequest => {
  const rule = `takes a body of ${bytes} bytes by itself; the limit is ${limits.maxBytes}: split it into shorter texts`
  return TranslateError.invalidRequest(endpoint, [{ field: "text", rule }])
}

/** The options that say how any stream runs. They are not sent, and change no translation. */
export const running = {
  concurrency: "ignored",
  unordered: "ignored",
  maxTexts: "ignored",
  maxBytes: "ignored",
  linger: "ignored",
  progress: "ignored",
  serviceLimits: "ignored",
  store: "ignored",
  verify: "ignored"
} as const

const requestOptions = without<Exclude<keyof TranslateStream.Options, keyof Text.TranslateOptions>>({
  ...running,
  budget: true,
  glossaryTerms: true,
  dedupe: true,
  oversized: true,
  placeholders: true,
  syntax: true,
  segmentContext: true
})

/** The requests that translate with these options. */
export const translation = (
  given: TranslateStream.Options
): Requests<Text.TranslateOptions, typeof Text.TranslateOptions.Encoded> => {
  const options = { ...requestOptions(given), showBilledCharacters: true }
  const isProtected = given.placeholders !== undefined
  const marked = isProtected ? { ...options, ...Placeholder.requestOptions(options) } : options
  const apart = isApart(given)
    ? { marked, html: { ...options, ...Placeholder.requestOptions({ ...options, tagHandling: "html" }) } }
    : undefined
  return {
    endpoint: Text.translateText,
    options: apart === undefined ? marked : options,
    apart,
    schema: Text.TranslateOptions,
    longest: "context",
    maxBytes: ApiLimits.translateBodyBytes,
    maxTexts: ApiLimits.translateTexts,
    problems: RequestRules.ofTexts(options)
  }
}

/** The budget of one stream, or one that several share. */
export const budgetOf = (
  budget: Budget.Service | number | undefined
): Effect.Effect<Budget.Service | undefined> =>
  typeof budget === "number" ? Budget.make(budget) : Effect.succeed(budget)

/** The memory that the option `dedupe` asks for. */
export const dedupeCapacity = ({ dedupe = false }: Options) => {
  if (dedupe === false) return undefined
  const { bytes = 8_388_608, texts = 1000 } = dedupe === true ? {} : dedupe
  return { texts, bytes }
}

const violations = (
  options: Options,
  { maxBytes, maxTexts }: Pick<BatchLimits, "maxBytes" | "maxTexts">
): ReadonlyArray<Violation.Violation> => {
  const { budget, concurrency, segmentContext } = options
  const capacity = dedupeCapacity(options)
  const numbers = [
    { field: "concurrency", value: concurrency, least: 1 },
    // These may lower a limit of the service.
    { field: "maxTexts", value: options.maxTexts, least: 1, most: maxTexts },
    { field: "maxBytes", value: options.maxBytes, least: 1, most: maxBytes },
    { field: "budget", value: typeof budget === "number" ? budget : undefined, least: 0 },
    { field: "segmentContext", value: segmentContext, least: 0 },
    { field: "dedupe.texts", value: capacity?.texts, least: 1 },
    { field: "dedupe.bytes", value: capacity?.bytes, least: 1 }
  ]
  const found: Array<Violation.Violation> = []
  for (const { field, least, most = Number.POSITIVE_INFINITY, value } of numbers) {
    if (value === undefined) continue
    if (value > most) found.push({ field, rule: `is ${value}; the service takes ${most} at most` })
    else if (!Number.isInteger(value) || value < least) {
      found.push({ field, rule: `is ${value}; it must be a whole number of at least ${least}` })
    }
  }
  return found
}

/** Checks options, and measures the bytes that they take in a body. */
export const check = <O, I>(
  requests: Requests<O, I>,
  options: Options
): Either.Either<Checked, TranslateError.InvalidRequest> => {
  const { endpoint, longest, apart, maxBytes, maxTexts, schema } = requests
  const found = violations(options, requests)
  const bodyOf = (given: O) =>
    Either.map(Schema.encodeUnknownEither(schema)(given), (encoded) =>
      JSON.stringify({ text: [], ...encoded })
    )
  const bytesOf = (body: string) => encoder.encode(body).length
  const furtherOf = ({ html, marked }: NonNullable<typeof apart>, bytes: number) =>
    Either.map(Either.all({ html: bodyOf(html), marked: bodyOf(marked) }), ({ html, marked }) => ({
      html: bytesOf(html) - bytes,
      marked: bytesOf(marked) - bytes
    }))
  return Either.gen(function* () {
    const body = yield* bodyOf(requests.options)
    const overheadBytes = bytesOf(body)
    const furtherBytes = apart && (yield* furtherOf(apart, overheadBytes))
    return {
      endpoint,
      limits: { overheadBytes, furtherBytes, maxBytes, maxTexts: options.maxTexts ?? maxTexts },
      hash: Hash.string(endpoint.path + body),
      takesContext: longest === "context"
    }
  }).pipe(
    Either.mapLeft((error) => Violation.fromIssue(error.issue)),
    Either.filterOrLeft(
      ({ limits: { furtherBytes: { html = 0, marked = 0 } = {}, overheadBytes } }) =>
        overheadBytes + Math.max(html, marked) < maxBytes,
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
