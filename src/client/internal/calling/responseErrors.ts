import type * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as Violation from "../../../api/Violation.js"
import { statusOfProxy } from "../../../internal/transportFailure.js"
import * as TranslateError from "../../TranslateError.js"
import * as redact from "../redacting/redact.js"
import type { Call } from "./call.js"
import * as errorTable from "./errorTable.js"
import * as responseBody from "./responseBody.js"

/** The fields of every error; an ambiguous attempt counts itself. */
const callFields = (call: Call, delivery: TranslateError.Delivery) => ({
  method: call.method,
  path: call.path,
  delivery,
  attempts: call.attempts,
  ambiguousAttempts: call.ambiguousAttempts + (delivery === "ambiguous" ? 1 : 0)
})

const answerFields = (call: Call, delivery: TranslateError.Delivery) => ({
  ...callFields(call, delivery),
  status: call.response?.status ?? 0,
  traceId: redact.traceId(call)
})

/** Seconds of a pause that is too long for everyone, and that a number still holds in milliseconds. */
const longest = 1e12

const parseRetryAfter = (header: string | undefined, now: number): Duration.Duration | undefined => {
  if (header === undefined) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Duration.seconds(Math.min(Number(header), longest))
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Duration.millis(Math.max(0, date - now))
}

/** Hands back the permit. Any refusal except "one request too many" means that the service took the request. */
const handBack = (
  call: Call,
  status: number,
  retryAfter: Duration.Duration | undefined
): Effect.Effect<void> => {
  const permit = call.permit!
  if (!call.isBusy(status)) return status < 500 ? permit.accepted : permit.release
  const isBearable =
    retryAfter !== undefined && Duration.lessThanOrEqualTo(retryAfter, call.policy.maxRetryAfter)
  return permit.refused(isBearable ? retryAfter : undefined)
}

const utf8 = new TextDecoder()

/** The text of an error's body. A string that was cut is closed, so that the message can still be read. */
const textOf = (response: HttpClientResponse.HttpClientResponse, body: responseBody.Body): string => {
  const decoded = responseBody.decompress(body, responseBody.encodingsOf(response), responseBody.briefLimit)
  if (decoded === undefined) return ""
  const text = utf8.decode(decoded.bytes)
  return decoded.isCut ? `${text.replace(/\\(u[\da-f]{0,3})?$/i, "")}"}` : text
}

/** The error of a response that is no success. */
export const fromResponse = (
  call: Call,
  response: HttpClientResponse.HttpClientResponse
): Effect.Effect<never, TranslateError.CallError> =>
  Effect.gen(function* () {
    const { headers, status } = response
    const { delivery, tag } = errorTable.fromStatus(status)
    const retryAfter = parseRetryAfter(headers["retry-after"], yield* Clock.currentTimeMillis)
    yield* handBack(call, status, retryAfter)
    const body = yield* responseBody.readBriefly(response)
    return yield* new TranslateError.ofStatus[tag]({
      ...answerFields(call, delivery),
      retryAfter,
      serviceMessage: redact.bodyMessage(call, textOf(response, body))
    })
  })

/** A request that its schema refuses; all else that a call fails with is a `TranslateError` already. */
export const requestError = (call: Call, error: unknown): TranslateError.CallError =>
  ParseResult.isParseError(error)
    ? TranslateError.invalidRequest(call, Violation.fromIssue(error.issue))
    : (error as TranslateError.CallError)

/** A success with too few or too many items. */
export const mismatched = (call: Call, expected: number, received: number) =>
  new TranslateError.MismatchedResponse({ ...answerFields(call, "ambiguous"), expected, received })

/** An answer that did not come, or did not end, in time. */
export const timedOut = (call: Call, after: Duration.Duration, begun?: boolean) =>
  new TranslateError.TimedOut({ ...callFields(call, "ambiguous"), after, begun })

/** Failures before there is a connection: nothing was sent. */
const notSent =
  /^(UND_ERR_PRX_TLS|ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|\w*CERT\w*|ERR_TLS_\w+|ERR_SSL_\w+|UNABLE_TO_\w+)$/

/** undici says only this of an unasked 100 Continue, which it takes for a broken answer. */
const isContinue = ({ code, message }: { readonly code: string; readonly message?: unknown }): boolean =>
  code === "UND_ERR_SOCKET" && message === "bad response"

/** The code of the innermost cause: transports wrap it differently. */
const codeOf = (cause: unknown): string | undefined => {
  for (let depth = 0; depth < 5 && typeof cause === "object" && cause !== null; depth++) {
    if (Predicate.hasProperty(cause, "code") && typeof cause.code === "string") {
      return isContinue(cause as { readonly code: string }) ? errorTable.unaskedContinue : cause.code
    }
    cause = "cause" in cause ? cause.cause : undefined
  }
  return undefined
}

/** No answer. The cause is not kept: it may print the request. */
export const transportError = (call: Call, error: HttpClientError.HttpClientError) => {
  const status = statusOfProxy(error)
  if (status !== undefined) {
    return new TranslateError.ProxyRefused({ ...callFields(call, "not-sent"), status })
  }
  const code = codeOf(error.cause)
  const isUnsent =
    error._tag === "RequestError" &&
    (error.reason !== "Transport" || (code !== undefined && notSent.test(code)))
  return new TranslateError.TransportError({
    ...callFields(call, isUnsent ? "not-sent" : "ambiguous"),
    reason: code ?? (error._tag === "RequestError" ? error.reason : "connection cut while reading the answer")
  })
}

/** A body that is shorter or longer than announced. */
export const wrongLength = (call: Call, received: number, expected: number) =>
  new TranslateError.TransportError({
    ...callFields(call, "ambiguous"),
    reason: `${received} of ${expected} bytes came`
  })

/** A success that differs from the contract. */
export const undecodable = (
  call: Call,
  why?: { readonly encoding?: string | undefined; readonly limit?: number }
) => new TranslateError.UndecodableResponse({ ...answerFields(call, "ambiguous"), ...why })
