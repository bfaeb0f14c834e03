import type * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as UrlParams from "@effect/platform/UrlParams"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as Violation from "../../api/Violation.js"
import * as TranslateError from "../TranslateError.js"
import { type Call, fields } from "./call.js"

const longestServiceMessage = 300

const parseObject = (json: string): { readonly [key: string]: unknown } =>
  Option.liftThrowable(JSON.parse)(json).pipe(
    Option.filter(Predicate.isReadonlyRecord),
    Option.getOrElse(() => ({}))
  )

/** What an error answer may echo and nobody may read: the key, and whatever of the request is somebody's text. */
const confidential = (request: HttpClientRequest.HttpClientRequest): ReadonlyArray<string> => {
  const body =
    request.body._tag === "Uint8Array" && request.body.contentType === "application/json"
      ? parseObject(new TextDecoder().decode(request.body.body))
      : {}
  const tokens = UrlParams.getAll(request.urlParams, "token")
  const phrases = Arr.ensure(body.dictionaries ?? body)
    .filter(Predicate.isReadonlyRecord)
    .flatMap(({ entries }) => (Predicate.isString(entries) ? entries.split(/[\t\n]/) : []))
  const instructions = Arr.ensure(body.custom_instructions ?? body)
  return [
    body.text,
    body.context,
    instructions.map((each) => (Predicate.isReadonlyRecord(each) ? each.prompt : each)),
    phrases,
    body.key_id,
    body.document_key,
    tokens,
    request.headers.authorization?.split(" ")[1]
  ]
    .flat()
    .filter(Predicate.isString)
    .map((secret) => secret.toLowerCase())
}

/** A message that shares so many characters with the request repeats it, whole or shortened, escaped or not. */
const sharedRun = 12

const repeats = (message: string, secrets: ReadonlyArray<string>): boolean => {
  const said = message.toLowerCase()
  const whole = secrets.some(
    (secret) => secret.length < sharedRun && /\S{3}|[^\x00-\x7f]/.test(secret) && said.includes(secret.trim())
  )
  const all = secrets.join("\n")
  for (let i = 0; !whole && i + sharedRun <= said.length; i++) {
    if (all.includes(said.slice(i, i + sharedRun))) return true
  }
  return whole
}

const parseMessage = (body: string): string | undefined => {
  const { detail, message } = parseObject(body)
  return [message, detail].filter((part) => Predicate.isString(part) && part !== "").join(": ") || undefined
}

/** The service's own words, shortened: not what it repeats of the request. */
export const ownWords = (request: HttpClientRequest.HttpClientRequest, whole: string): string => {
  const message = whole.length > longestServiceMessage ? `${whole.slice(0, longestServiceMessage)}…` : whole
  return repeats(message, confidential(request))
    ? "(withheld, since it repeats parts of the request)"
    : message
}

/** What the service says in an error's body: only from JSON, since a proxy's HTML says nothing. */
const serviceMessage = (request: HttpClientRequest.HttpClientRequest, body: string): string | undefined => {
  const message = parseMessage(body)
  return message === undefined ? undefined : ownWords(request, message)
}

const parseRetryAfter = (header: string | undefined, now: number): Duration.Duration | undefined => {
  if (header === undefined) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Duration.seconds(Number(header))
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Duration.millis(Math.max(0, date - now))
}

const answered = (call: Call, delivery: TranslateError.Delivery) => ({
  ...fields(call, delivery),
  status: call.response?.status ?? 0,
  traceId: call.response?.headers["x-trace-id"]
})

/** 503 and 529 say that nothing was done; any other 5xx may come after the work, and so may an undeclared success. */
const deliveryOf = (status: number): TranslateError.Delivery =>
  (status >= 500 && status !== 503 && status !== 529) || (status >= 200 && status < 300)
    ? "ambiguous"
    : "rejected"

const errorFor = (status: number) => {
  switch (status) {
    case 400:
    case 422:
      return TranslateError.BadRequest
    case 401:
    case 403:
      return TranslateError.Unauthorized
    case 404:
      return TranslateError.NotFound
    case 413:
      return TranslateError.PayloadTooLarge
    case 414:
      return TranslateError.UriTooLong
    case 415:
      return TranslateError.UnsupportedMediaType
    case 429:
      return TranslateError.RateLimited
    case 456:
      return TranslateError.QuotaExceeded
    default:
      return status >= 500 && status < 600 ? TranslateError.ServerError : TranslateError.UnexpectedStatus
  }
}

/** What the service did not take for another reason than one request too many, it took. */
const handBack = (
  call: Call,
  { status }: HttpClientResponse.HttpClientResponse,
  retryAfter: Duration.Duration | undefined
): Effect.Effect<void> => {
  const permit = call.permit!
  if (!call.busy.includes(status)) return status < 500 ? permit.accepted : permit.release
  const isBearable =
    retryAfter !== undefined && Duration.lessThanOrEqualTo(retryAfter, call.policy.maxRetryAfter)
  return permit.refused(isBearable ? retryAfter : undefined)
}

const toError = (
  call: Call,
  response: HttpClientResponse.HttpClientResponse
): Effect.Effect<never, TranslateError.TranslateError> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const retryAfter = parseRetryAfter(response.headers["retry-after"], now)
    return handBack(call, response, retryAfter).pipe(
      Effect.zipRight(Effect.orElseSucceed(response.text, () => "")),
      Effect.flatMap((body) =>
        Effect.fail(
          new (errorFor(response.status))({
            ...answered(call, deliveryOf(response.status)),
            retryAfter,
            serviceMessage: serviceMessage(response.request, body)
          })
        )
      )
    )
  })

/** A request that its schema refuses. */
export const invalidRequest = (call: Call, error: ParseResult.ParseError) =>
  TranslateError.invalidRequest(call, Violation.fromIssue(error.issue))

/** A request whose body is over the endpoint's limit. */
export const tooLarge = (call: Call, bytes: number, limit: number) =>
  TranslateError.invalidRequest(call, [
    {
      field: "",
      rule: `the body holds ${bytes} bytes; the limit is ${limit}: send fewer or shorter texts, or a shorter context`
    }
  ])

/** A success with too few or too many items. */
export const mismatched = (call: Call, expected: number, received: number) =>
  new TranslateError.MismatchedResponse({ ...answered(call, "ambiguous"), expected, received })

/** Failures before a connection stands: nothing was sent. */
const notSent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|\w*CERT\w*|ERR_TLS_\w+|ERR_SSL_\w+|UNABLE_TO_\w+)$/

/** The code of the innermost cause: transports wrap it differently. */
const codeOf = (cause: unknown): string | undefined => {
  for (let depth = 0; depth < 5 && typeof cause === "object" && cause !== null; depth++) {
    if ("code" in cause && typeof cause.code === "string") return cause.code
    cause = "cause" in cause ? cause.cause : undefined
  }
  return undefined
}

/** No answer. The cause is not kept: it may print the request. */
export const transportError = (call: Call, error: HttpClientError.HttpClientError) => {
  const code = codeOf(error.cause)
  const unsent =
    error._tag === "RequestError" &&
    (error.reason !== "Transport" || (code !== undefined && notSent.test(code)))
  return new TranslateError.TransportError({
    ...fields(call, unsent ? "not-sent" : "ambiguous"),
    reason: code ?? (error._tag === "RequestError" ? error.reason : "connection cut while reading the answer")
  })
}

/** Nothing more came of an answer. */
export const idle = (call: Call, after: Duration.Duration) =>
  new TranslateError.TimedOut({ ...fields(call, "ambiguous"), after, begun: true })

/** The answer ended early. */
export const incomplete = (call: Call, received: number, expected: number) =>
  new TranslateError.TransportError({
    ...fields(call, "ambiguous"),
    reason: `${received} of ${expected} bytes came`
  })

/** An answer, once its headers are there. Of an error the status decides; its body is only quoted. */
export const received = (
  call: Call,
  response: HttpClientResponse.HttpClientResponse
): Effect.Effect<HttpClientResponse.HttpClientResponse, TranslateError.TranslateError> => {
  call.response = response
  return response.status >= 200 && response.status < 300
    ? Effect.as(call.permit!.accepted, response)
    : toError(call, response)
}

/** A success that was cut, or that is not what the contract says. */
export const unreadable = (call: Call, error: unknown) =>
  Predicate.isTagged(error, "ResponseError") &&
  Predicate.hasProperty(error, "cause") &&
  error.cause !== undefined
    ? transportError(call, error as HttpClientError.ResponseError)
    : new TranslateError.UndecodableResponse(answered(call, "ambiguous"))
