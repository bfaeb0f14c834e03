import * as Schema from "effect/Schema"

export const Delivery = Schema.Literal("not-sent", "rejected", "ambiguous")

export type Delivery = typeof Delivery.Type

export const callFields = {
  /** The HTTP method. */
  method: Schema.String,
  /** The path, without the query. */
  path: Schema.String,
  /** What became of the last attempt. */
  delivery: Delivery,
  /** How often the request was sent or tried. */
  attempts: Schema.Number,
  /** How many of these attempts the service may have carried out and billed. */
  ambiguousAttempts: Schema.Number
}

export const answerFields = {
  ...callFields,
  /** The HTTP status. */
  status: Schema.Number,
  /** The answer's `X-Trace-ID`: quote it to the service's support. */
  traceId: Schema.optional(Schema.String),
  /** How long the service asks to wait. */
  retryAfter: Schema.optional(Schema.DurationFromMillis),
  /** What the service says, shortened, without texts and keys. */
  serviceMessage: Schema.optional(Schema.String)
}

type Call = Schema.Struct.Type<typeof callFields>
type Answer = Schema.Struct.Type<typeof answerFields>

/** The message of an error: the call, what happened, what to do next. */
export const sentence = (error: Call, what: string, advice: string): string => {
  const attempts = error.attempts > 1 ? ` (attempt ${error.attempts})` : ""
  return `${error.method} ${error.path}: ${what}${attempts}. ${advice}`
}

/** What each answered error is, and what to do next. */
const words = {
  BadRequest: [
    "The service refuses the request",
    "Correct the request; sending it again unchanged does not help."
  ],
  Unauthorized: [
    "The service does not accept the key",
    "Check the key, the region it belongs to, the scheme, and what the plan allows."
  ],
  NotFound: [
    "There is no such resource",
    "Check the id, and the base address: resources belong to one region."
  ],
  PayloadTooLarge: ["The body is too large", "Send fewer or shorter texts per request, or a smaller file."],
  UriTooLong: ["The address is too long", "Send fewer query parameters."],
  UnsupportedMediaType: [
    "The service does not take this content type",
    "Check the file type, and what the proxies between do to headers."
  ],
  RateLimited: ["Too many requests", "Lower the concurrency or wait; see `retryAfter`."],
  QuotaExceeded: [
    "The quota is used up",
    "Raise the limit of the subscription or the key, use another key, or wait for the next period; then go on with what was not done. A `QuotaPolicy` makes a stream wait or change the key by itself."
  ],
  ServerError: ["The service fails", "Try again later; a 500, 502 or 504 may have been billed."],
  UnexpectedStatus: [
    "The service answers with an unexpected status",
    "Check the base address and the proxies between."
  ],
  MismatchedResponse: [
    "The answer holds another number of items than the request",
    "No text is matched with another's translation; report it with the trace id."
  ],
  UndecodableResponse: [
    "The answer can't be decoded",
    "A proxy may have changed it; else report it with the trace id."
  ]
} as const

/** By 456 a glossary endpoint means something else: service specification, Errors; wire facts, Errors. */
const tooManyGlossaryRequests = [
  "Too many glossary requests",
  "Wait, then send fewer of them; the quota of translation is another one."
] as const

const isOfGlossaries = (path: string): boolean => /\/v\d+\/glossar(y|ies)\b/.test(path)

/** A download has a time-out of its own. */
export const isOfDownload = (path: string): boolean => /\/document\/[^/]+\/result$/.test(path)

/** The whole message of an answered error. */
export const answered = (error: Answer & { readonly _tag: keyof typeof words }): string => {
  const [what, advice] =
    error._tag === "QuotaExceeded" && isOfGlossaries(error.path) ? tooManyGlossaryRequests : words[error._tag]
  const said = error.serviceMessage?.replace(/[.\s]+$/, "")
  const message = said === undefined ? "" : ` The service says: ${said}.`
  const trace = error.traceId === undefined ? "" : ` Trace id: ${error.traceId}.`
  return sentence(error, `${what}, status ${error.status}`, advice) + message + trace
}
