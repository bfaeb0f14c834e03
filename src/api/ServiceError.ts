/**
 * The error answers of the service. Each has a status; the client does not rely on their bodies.
 *
 * @since 0.1.0
 */
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"

const answer = <const Tag extends string>(tag: Tag, status: number, description: string) =>
  Schema.Struct({ message: Schema.String, detail: Schema.optional(Schema.String) })
    .pipe(Schema.attachPropertySignature("_tag", tag))
    .annotations(HttpApiSchema.annotations({ status, description, identifier: tag }))

/**
 * 400: the service refuses the request.
 *
 * @since 0.1.0
 * @category contract
 */
export const BadRequest = answer("BadRequest", 400, "The request breaks a rule")

/**
 * 403: the key is missing, wrong, deactivated, sent in a deprecated way, or lacks the scope.
 *
 * Source: service specification, Authentication and Errors.
 *
 * @since 0.1.0
 * @category contract
 */
export const Forbidden = answer("Forbidden", 403, "The key does not allow this")

/**
 * 404: there is no such resource.
 *
 * @since 0.1.0
 * @category contract
 */
export const NotFound = answer("NotFound", 404, "There is no such resource")

/**
 * 413: the body is too large.
 *
 * @since 0.1.0
 * @category contract
 */
export const PayloadTooLarge = answer("PayloadTooLarge", 413, "The body is too large")

/**
 * 429: too many requests at once.
 *
 * @since 0.1.0
 * @category contract
 */
export const TooManyRequests = answer("TooManyRequests", 429, "Too many requests; see Retry-After")

/**
 * 456: the quota of the subscription or of the key is used up.
 *
 * Source: service specification, Errors.
 *
 * @since 0.1.0
 * @category contract
 */
export const QuotaExceeded = answer(
  "QuotaExceeded",
  456,
  "The quota of the subscription or the key is used up"
)

/**
 * 503: the service can't answer now.
 *
 * @since 0.1.0
 * @category contract
 */
export const Unavailable = answer("Unavailable", 503, "The service can't answer now; see Retry-After")
