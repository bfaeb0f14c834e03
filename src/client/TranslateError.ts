/**
 * Every way in which a call fails, with a tag for each cause. No error holds a text or a key.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Violation from "../api/Violation.js"
import * as evidence from "./internal/evidence.js"

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export const TypeId: unique symbol = Symbol.for("effect-translate/TranslateError")

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export type TypeId = typeof TypeId

/**
 * What became of the request:
 * `not-sent`, it never left; `rejected`, the service answered with an error and billed nothing;
 * `ambiguous`, the service may have done the work and billed it.
 *
 * @since 0.1.0
 * @category models
 */
export type Delivery = evidence.Delivery

/**
 * Refused here, before sending: the request breaks a rule of the specification. It is never retried and costs nothing.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>("effect-translate/InvalidRequest")(
  "InvalidRequest",
  {
    ...evidence.callFields,
    /** Every rule that the request breaks. */
    violations: Schema.Array(Violation.Violation)
  }
) {
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return `${this.method} ${this.path} was not sent: ${Violation.format(this.violations)}`
  }
}

/**
 * Refuses a request before anything is sent.
 *
 * @since 0.1.0
 * @category constructors
 */
export const invalidRequest = (
  endpoint: { readonly method: string; readonly path: string },
  violations: ReadonlyArray<Violation.Violation>
): InvalidRequest =>
  new InvalidRequest({
    method: endpoint.method,
    path: endpoint.path,
    delivery: "not-sent",
    attempts: 0,
    ambiguousAttempts: 0,
    violations
  })

/**
 * 400, 422: refused by the service.
 *
 * @since 0.1.0
 * @category errors
 */
export class BadRequest extends Schema.TaggedError<BadRequest>("effect-translate/BadRequest")(
  "BadRequest",
  evidence.answerFields
) {
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return evidence.answered(this)
  }
}

/**
 * 401, 403: the key is wrong or deactivated, or lacks the scope or the plan.
 *
 * Source: service specification, Authentication.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unauthorized extends Schema.TaggedError<Unauthorized>("effect-translate/Unauthorized")(
  "Unauthorized",
  evidence.answerFields
) {
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return evidence.answered(this)
  }
}

/**
 * 404: there is no such resource.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotFound extends Schema.TaggedError<NotFound>("effect-translate/NotFound")(
  "NotFound",
  evidence.answerFields
) {
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return evidence.answered(this)
  }
}

/**
 * 413: the body is too large for the service.
 *
 * @since 0.1.0
 * @category errors
 */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>("effect-translate/PayloadTooLarge")(
  "PayloadTooLarge",
  evidence.answerFields
) {
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return evidence.answered(this)
  }
}

/**
 * 414: the address is too long for the service.
 *
 * @since 0.1.0
 * @category errors
 */
export class UriTooLong extends Schema.TaggedError<UriTooLong>("effect-translate/UriTooLong")(
  "UriTooLong",
  evidence.answerFields
) {
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return evidence.answered(this)
  }
}

/**
 * 415: the service does not take this kind of content.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>(
  "effect-translate/UnsupportedMediaType"
)("UnsupportedMediaType", evidence.answerFields) {
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return evidence.answered(this)
  }
}

/**
 * 429: too many requests.
 *
 * @since 0.1.0
 * @category errors
 */
export class RateLimited extends Schema.TaggedError<RateLimited>("effect-translate/RateLimited")(
  "RateLimited",
  evidence.answerFields
) {
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return evidence.answered(this)
  }
}

/**
 * 456: the quota of the subscription or of the key is used up; a glossary endpoint uses it for too many requests too.
 *
 * Source: service specification, Errors.
 *
 * @since 0.1.0
 * @category errors
 */
export class QuotaExceeded extends Schema.TaggedError<QuotaExceeded>("effect-translate/QuotaExceeded")(
  "QuotaExceeded",
  evidence.answerFields
) {
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return evidence.answered(this)
  }
}

/**
 * 5xx and 529: the service fails, or is overloaded.
 *
 * @since 0.1.0
 * @category errors
 */
export class ServerError extends Schema.TaggedError<ServerError>("effect-translate/ServerError")(
  "ServerError",
  evidence.answerFields
) {
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return evidence.answered(this)
  }
}

/**
 * A status that the specification does not know here.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnexpectedStatus extends Schema.TaggedError<UnexpectedStatus>(
  "effect-translate/UnexpectedStatus"
)("UnexpectedStatus", evidence.answerFields) {
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return evidence.answered(this)
  }
}

/**
 * No answer: no connection, or the connection was cut.
 *
 * @since 0.1.0
 * @category errors
 */
export class TransportError extends Schema.TaggedError<TransportError>("effect-translate/TransportError")(
  "TransportError",
  {
    ...evidence.callFields,
    /** What the transport calls the failure, such as `ECONNREFUSED`. */
    reason: Schema.String
  }
) {
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return evidence.sentence(this, `No answer (${this.reason})`, "Check the network and the base address.")
  }
}

/**
 * No whole answer in time. The service may still do the work and bill it.
 *
 * @since 0.1.0
 * @category errors
 */
export class TimedOut extends Schema.TaggedError<TimedOut>("effect-translate/TimedOut")("TimedOut", {
  ...evidence.callFields,
  /** How long this attempt was waited for, or for more of its answer. */
  after: Schema.DurationFromMillis,
  /** Whether the answer had begun, and nothing more of it came. @default false */
  begun: Schema.optional(Schema.Boolean)
}) {
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return evidence.sentence(
      this,
      `${this.begun === true ? "Nothing more of the answer" : "No answer"} in ${Duration.format(this.after)}`,
      evidence.isOfDownload(this.path)
        ? "Raise the idleTimeout of the download."
        : "Raise the time-out of the RetryPolicy or send less per request."
    )
  }
}

/**
 * A success whose body is not what the specification says. It was probably billed.
 *
 * @since 0.1.0
 * @category errors
 */
export class UndecodableResponse extends Schema.TaggedError<UndecodableResponse>(
  "effect-translate/UndecodableResponse"
)("UndecodableResponse", evidence.answerFields) {
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return evidence.answered(this)
  }
}

/**
 * A success with another number of items than the request. It was probably billed; nothing of it is used.
 *
 * @since 0.1.0
 * @category errors
 */
export class MismatchedResponse extends Schema.TaggedError<MismatchedResponse>(
  "effect-translate/MismatchedResponse"
)("MismatchedResponse", {
  ...evidence.answerFields,
  /** Items of the request. */
  expected: Schema.Number,
  /** Items of the answer. */
  received: Schema.Number
}) {
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return evidence.answered(this)
  }
}

/**
 * Every way in which a call fails.
 *
 * @since 0.1.0
 * @category models
 */
export type TranslateError =
  | InvalidRequest
  | BadRequest
  | Unauthorized
  | NotFound
  | PayloadTooLarge
  | UriTooLong
  | UnsupportedMediaType
  | RateLimited
  | QuotaExceeded
  | ServerError
  | UnexpectedStatus
  | TransportError
  | TimedOut
  | UndecodableResponse
  | MismatchedResponse

/**
 * Whether a value is one of these errors.
 *
 * @since 0.1.0
 * @category guards
 */
export const isTranslateError = (value: unknown): value is TranslateError =>
  Predicate.hasProperty(value, TypeId)

/**
 * How long the service asks to wait; zero if it says nothing.
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
 * Whether the same request may succeed when it is sent again: it never left, the service was busy (429, 503,
 * 529), or its outcome is unknown. The last kind may be billed twice. A refused certificate stays refused.
 *
 * @since 0.1.0
 * @category guards
 */
export const isRetryable = (error: TranslateError): boolean => {
  switch (error._tag) {
    case "InvalidRequest":
      return false
    case "TransportError":
      return !/CERT|TLS|SSL|UNABLE_TO_/.test(error.reason)
    case "RateLimited":
    case "ServerError":
      return true
    default:
      return error.delivery === "ambiguous"
  }
}
