/**
 * Every way in which a call fails, with a tag for each cause. No error holds a text or a key.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Violation from "../api/Violation.js"
import * as duration from "../internal/duration.js"
import { is, TaggedError } from "../internal/taggedError.js"
import * as errors from "./internal/calling/errorTable.js"

/**
 * The delivery of the request: `not-sent`, it never left; `rejected`, the service answered with an error and billed
 * nothing; `ambiguous`, the service may have done the work and billed it.
 *
 * @since 0.1.0
 * @category models
 */
export type Delivery = typeof errors.Delivery.Type

const answered =
  <Self>() =>
  <Tag extends keyof typeof errors.meanings>(tag: Tag) =>
    TaggedError<Self>()(tag, errors.answerFields, errors.describeAnswer, {
      isRetryable: errors.isAmbiguous,
      ...errors.marks[tag]
    })

/**
 * Refused before it was sent: the request breaks a rule of the specification. It costs nothing and is never retried.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidRequest extends TaggedError<InvalidRequest>()(
  "InvalidRequest",
  {
    ...errors.callFields,
    /** Every rule that the request breaks. */
    violations: Schema.Array(Violation.Violation)
  },
  ({ method, path, violations }) => [`${method} ${path} was not sent`, Violation.format(violations)]
) {}

/**
 * Refuses a request before it is sent.
 *
 * @since 0.1.0
 * @category constructors
 */
export const invalidRequest: (
  options: { readonly method: string; readonly path: string },
  violations: ReadonlyArray<Violation.Violation>
) => InvalidRequest = ({ method, path }, violations) =>
  new InvalidRequest({ method, path, delivery: "not-sent", attempts: 0, ambiguousAttempts: 0, violations })

/**
 * 400, 422: the service refuses the request.
 *
 * @since 0.1.0
 * @category errors
 */
export class BadRequest extends answered<BadRequest>()("BadRequest") {}

/**
 * 401, 403: the key is wrong or deactivated, or lacks the scope or the plan.
 *
 * Source: service specification, Authentication.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unauthorized extends answered<Unauthorized>()("Unauthorized") {}

/**
 * 404: there is no such resource.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotFound extends answered<NotFound>()("NotFound") {}

/**
 * 413: the body is too large for the service.
 *
 * @since 0.1.0
 * @category errors
 */
export class PayloadTooLarge extends answered<PayloadTooLarge>()("PayloadTooLarge") {}

/**
 * 414: the address is too long for the service.
 *
 * @since 0.1.0
 * @category errors
 */
export class UriTooLong extends answered<UriTooLong>()("UriTooLong") {}

/**
 * 415: the service does not take this content type.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnsupportedMediaType extends answered<UnsupportedMediaType>()("UnsupportedMediaType") {}

/**
 * 429: too many requests.
 *
 * @since 0.1.0
 * @category errors
 */
export class RateLimited extends answered<RateLimited>()("RateLimited") {}

/**
 * 456: the quota of the subscription or of the key is used up. From a glossary endpoint it means too many requests.
 *
 * Source: service specification, Errors.
 *
 * @since 0.1.0
 * @category errors
 */
export class QuotaExceeded extends answered<QuotaExceeded>()("QuotaExceeded") {}

/**
 * 5xx, 529: the service fails, or is overloaded.
 *
 * @since 0.1.0
 * @category errors
 */
export class ServerError extends answered<ServerError>()("ServerError") {}

/**
 * A status that the specification does not name here. 408 is ambiguous, and it and 425 are worth another attempt.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnexpectedStatus extends answered<UnexpectedStatus>()("UnexpectedStatus") {}

/**
 * The proxy between does not let the request through, so that the service has not seen it: 407, it does not accept the name and the
 * password; another status, it gives no connection to the service. With 5xx it is worth another attempt.
 *
 * @since 0.1.0
 * @category errors
 */
export class ProxyRefused extends answered<ProxyRefused>()("ProxyRefused") {}

/**
 * No answer: no connection, or the connection was cut.
 *
 * @since 0.1.0
 * @category errors
 */
export class TransportError extends TaggedError<TransportError>()(
  "TransportError",
  {
    ...errors.callFields,
    /** The transport's name for the failure, such as `ECONNREFUSED`. */
    reason: Schema.String
  },
  errors.describeTransport,
  // A refused certificate stays refused.
  {
    isRetryable: ({ reason }) => reason !== errors.unaskedContinue && !/CERT|TLS|SSL|UNABLE_TO_/.test(reason)
  }
) {}

/** A download has a time-out of its own. */
const isOfDownload = (path: string): boolean =>
  /\/document\/[^/]+\/result$/.test(path) || path === errors.addresses.download

/**
 * The answer did not come, or did not end, in time. The service may still do the work and bill it.
 *
 * @since 0.1.0
 * @category errors
 */
export class TimedOut extends TaggedError<TimedOut>()(
  "TimedOut",
  {
    ...errors.callFields,
    /** The time that this attempt waited for the answer, or for more of it. */
    after: Schema.Duration,
    /** True if a part of the answer had come. @default false */
    begun: Schema.optional(Schema.Boolean)
  },
  (error) =>
    errors.describe(error, {
      what: `${error.begun === true ? "Nothing more of the answer" : "No answer"} in ${duration.format(error.after)}`,
      advice: isOfDownload(error.path)
        ? "Raise the idleTimeout of the download."
        : "Raise the time-out of the RetryPolicy or send less per request."
    }),
  { isRetryable: errors.isAmbiguous }
) {}

/**
 * A success whose body differs from the specification, is larger than any answer to the request, or is encoded in a way
 * that is not decoded. It was probably billed. Another attempt is worth it only in the first case.
 *
 * @since 0.1.0
 * @category errors
 */
export class UndecodableResponse extends TaggedError<UndecodableResponse>()(
  "UndecodableResponse",
  {
    ...errors.answerFields,
    /** The content encoding that is not decoded. */
    encoding: Schema.optional(Schema.String),
    /** The most bytes that are read of this answer; it holds more. */
    limit: Schema.optional(Schema.Number)
  },
  errors.describeUndecodable,
  { isRetryable: ({ encoding, limit }) => encoding === undefined && limit === undefined }
) {}

/**
 * A success with more or fewer items than the request. It was probably billed; none of its items is used.
 *
 * @since 0.1.0
 * @category errors
 */
export class MismatchedResponse extends TaggedError<MismatchedResponse>()(
  "MismatchedResponse",
  {
    ...errors.answerFields,
    /** Items of the request. */
    expected: Schema.Number,
    /** Items of the answer. */
    received: Schema.Number
  },
  errors.describeAnswer,
  { isRetryable: errors.isAmbiguous }
) {}

/**
 * A list answers with a page that was read already, so it has no end. Earlier elements of the stream are as the service gave them.
 *
 * @since 0.1.0
 * @category errors
 */
export class RepeatedPage extends /* #__PURE__ */ TaggedError<RepeatedPage>()(
  "RepeatedPage",
  {
    /** The HTTP method. */
    method: Schema.String,
    /** The path, without the query. */
    path: Schema.String,
    /** The page that was asked for, or where its name is no number, how many were read before; absent if it is the first. */
    page: /* #__PURE__ */ Schema.optional(Schema.Number)
  },
  ({ method, page = 0, path }) => [
    `${method} ${path}`,
    `Page ${page} was read already, so there may be items that no page holds. Check the proxies between, which may drop the query; else report it to the service's support.`
  ]
) {}

/**
 * The service is down: calls have failed one after another, and the schedule of the `CircuitBreaker` has ended. It ends
 * streams and batches of documents, unless `QuotaPolicy.failOver` goes on with another client. A request that was not sent
 * has cost nothing.
 *
 * @since 0.1.0
 * @category errors
 */
export class Outage extends TaggedError<Outage>()(
  "Outage",
  {
    ...errors.callFields,
    /** The tag of the last error of any call, with its status or the transport's name for it. */
    lastError: Schema.String,
    /** The number of attempts that have failed in a row, those of other calls included. */
    failures: Schema.Number,
    /** The time for which the circuit was open. */
    lasted: Schema.Duration
  },
  (error) =>
    errors.describe(error, {
      what: `The service is down: ${error.failures} attempts in a row have failed, the last with ${error.lastError}; the circuit was open for ${duration.format(error.lasted)}`,
      advice:
        "Check the base address and the network, and run the rest again later; a CircuitBreaker with another schedule waits longer."
    }),
  { isRetryable: true, isFatal: true }
) {}

/**
 * Every way in which a single call fails. It takes no part in the circuit of its client, so it has no `Outage`. The encoded
 * form is JSON.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CallError = Schema.Union(
  InvalidRequest,
  BadRequest,
  Unauthorized,
  NotFound,
  PayloadTooLarge,
  UriTooLong,
  UnsupportedMediaType,
  RateLimited,
  QuotaExceeded,
  ServerError,
  UnexpectedStatus,
  ProxyRefused,
  TransportError,
  TimedOut,
  UndecodableResponse,
  MismatchedResponse
)

/**
 * Every way in which a single call fails.
 *
 * @since 0.1.0
 * @category models
 */
export type CallError = typeof CallError.Type

/**
 * Every way in which a call of a stream or of a batch of documents fails. The encoded form is JSON.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TranslateError = Schema.Union(...CallError.members, Outage)

/**
 * Every way in which a call of a stream or of a batch of documents fails.
 *
 * @since 0.1.0
 * @category models
 */
export type TranslateError = typeof TranslateError.Type

/**
 * Returns `true` for one of these errors.
 *
 * @since 0.1.0
 * @category guards
 */
export const isTranslateError = is(TranslateError)

/**
 * True if the service leaves a question before the work open: 403, the key has no scope for it, or 404, a gateway has no
 * such endpoint. It says nothing of the work itself. 401 is no such answer: the key is refused.
 *
 * @since 0.1.0
 * @category guards
 */
export const isUnanswered = (error: unknown): error is Unauthorized | NotFound =>
  isTranslateError(error) &&
  (error._tag === "NotFound" || (error._tag === "Unauthorized" && error.status === 403))

/**
 * The time that the service asks to wait; zero if it asks for none.
 *
 * @since 0.1.0
 * @category accessors
 */
export const retryAfter = (error: TranslateError): Duration.Duration =>
  Option.getOrElse(
    Option.fromNullable("retryAfter" in error ? error.retryAfter : undefined),
    () => Duration.zero
  )

/**
 * A call as its caller sees it. Only the calls of a bulk operator, whose own type says so, fail with `Outage` as well.
 *
 * @internal
 */
export const asCall = <A, E = never, R = never>(call: Effect.Effect<A, TranslateError | E, R>) =>
  call as Effect.Effect<A, CallError | E, R>

/**
 * The errors of statuses.
 *
 * @internal
 */
export const ofStatus = {
  BadRequest,
  Unauthorized,
  NotFound,
  PayloadTooLarge,
  UriTooLong,
  UnsupportedMediaType,
  RateLimited,
  QuotaExceeded,
  ServerError,
  UnexpectedStatus,
  ProxyRefused
}
