import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as connectionCauses from "../../../internal/connectionCauses.js"

export const Delivery = Schema.Literal("not-sent", "rejected", "ambiguous")

export type Delivery = typeof Delivery.Type

export const callFields = {
  /** The HTTP method. */
  method: Schema.String,
  /** The path, without the query. */
  path: Schema.String,
  /** The delivery of the last attempt. */
  delivery: Delivery,
  /** The number of times that the request was sent or tried. */
  attempts: Schema.Number,
  /** The number of these attempts that the service may have carried out and billed. */
  ambiguousAttempts: Schema.Number
}

export const answerFields = {
  ...callFields,
  /** The HTTP status. */
  status: Schema.Number,
  /** The `X-Trace-ID` of the response: quote it to the service's support. */
  traceId: Schema.optional(Schema.String),
  /** The time that the service asks to wait. */
  retryAfter: Schema.optional(Schema.Duration),
  /** The service's message, shortened, without texts and keys. */
  serviceMessage: Schema.optional(Schema.String)
}

interface Meaning {
  /** The statuses that mean this error. */
  readonly statuses?: ReadonlyArray<number>
  /** @default "rejected" */
  readonly delivery?: Delivery
  readonly what: string
  readonly advice: string
}

type Call = Schema.Struct.Type<typeof callFields>

type Answer = Schema.Struct.Type<typeof answerFields>

/** Every error that is made of a response. */
export const meanings = {
  BadRequest: {
    statuses: [400, 422],
    what: "The service refuses the request",
    advice: "Correct the request; sending it again unchanged does not help."
  },
  Unauthorized: {
    statuses: [401, 403],
    what: "The service does not accept the key",
    advice: "Check the key, the region it belongs to, the scheme, and what the plan allows."
  },
  NotFound: {
    statuses: [404],
    what: "There is no such resource",
    advice: "Check the id, and the base address: resources belong to one region."
  },
  PayloadTooLarge: {
    statuses: [413],
    what: "The body is too large",
    advice: "Send fewer or shorter texts per request, or a smaller file."
  },
  UriTooLong: {
    statuses: [414],
    what: "The address is too long",
    advice: "Send fewer query parameters."
  },
  UnsupportedMediaType: {
    statuses: [415],
    what: "The service does not take this content type",
    advice: "Check the file type, and what the proxies between do to headers."
  },
  RateLimited: {
    statuses: [429],
    what: "Too many requests",
    advice: "Lower the concurrency or wait; see `retryAfter`."
  },
  QuotaExceeded: {
    statuses: [456],
    what: "The quota is used up",
    advice:
      "Raise the limit of the subscription or the key, use another key, or wait for the next period; then run the rest. A `QuotaPolicy` makes a stream wait or change the key by itself."
  },
  ProxyRefused: {
    statuses: [407],
    delivery: "not-sent",
    what: "The proxy does not accept the name and the password",
    advice:
      "Correct them in its address, http://user:password@host:port with %40 for an @ within them: `LANGUAGE_SERVICE_PROXY`, or `HTTPS_PROXY`."
  },
  ServerError: {
    delivery: "ambiguous",
    what: "The service fails",
    advice: "Try again later."
  },
  UnexpectedStatus: {
    what: "The service answers with an unexpected status",
    advice: "Check the base address and the proxies between."
  },
  UndecodableResponse: {
    delivery: "ambiguous",
    what: "The answer can't be decoded",
    advice: "A proxy may have changed it; else report it with the trace id."
  },
  MismatchedResponse: {
    delivery: "ambiguous",
    what: "The answer holds another number of items than the request",
    advice: "No text is matched with another's translation; report it with the trace id."
  }
} as const satisfies { readonly [tag: string]: Meaning }

/** A glossary endpoint answers 456 to too many requests: service specification, Errors; wire facts, Errors. */
const tooManyGlossaryRequests: Meaning = {
  what: "Too many glossary requests",
  advice: "Wait, then send fewer of them; the quota of translation is another one."
}

/** True if it is a call of a glossary endpoint. */
const isOfGlossaries = ({ path }: Pick<Call, "path">): boolean => /\/v\d+\/glossar(y|ies)\b/.test(path)

/** The message of an error: the call; the failure with advice. */
type Message = readonly [call: string, explanation: string]

/** The names of the service's addresses in errors: each gives access to its file. */
export const addresses = { upload: "(upload address)", download: "(download address)" }

/** The scope that a call of a translation memory needs: making or deleting one takes the scope for writing. */
const scopeOf = ({ method, path }: Call): string | undefined =>
  /\/v3\/translation_memories\b/.test(path)
    ? `translation_memories:${method === "GET" || path.endsWith("/export") ? "read" : "write"}`
    : undefined

/** True if a glossary could not be looked up by its name. */
const isListOfGlossaries = ({ method, path }: Call): boolean =>
  method === "GET" && /\/v\d+\/glossaries$/.test(path)

/** The message of an error, with further details. */
export const describe = (call: Call, { advice, what }: Meaning, more = ""): Message => {
  const attempts = call.attempts > 1 ? ` (attempt ${call.attempts})` : ""
  return [`${call.method} ${call.path}`, `${what}${attempts}. ${advice}${more}`]
}

const describeWith = (error: Answer, { advice, what }: Meaning): Message => {
  const said = error.serviceMessage?.replace(/[.\s]+$/, "")
  const message = said === undefined ? "" : ` The service says: ${said}.`
  const trace = error.traceId === undefined ? "" : ` Trace id: ${error.traceId}.`
  return describe(error, { what: `${what}, status ${error.status}`, advice }, message + trace)
}

/** The proxy gives no tunnel for another reason than the password. */
const noTunnel: Meaning = {
  what: "The proxy lets nothing through to the service",
  advice: "Check which hosts it allows, and whether `NO_PROXY` should name the service."
}

const unlistedGlossaries: Meaning = {
  what: "The glossaries can't be listed, so none can be found by its name",
  advice: "Give the id of the glossary, or take a key that may list them."
}

const lacksScope = (scope: string): Meaning => ({
  what: "The key may not do this",
  advice: `Take a key with the scope ${scope}, and check that the plan has translation memories.`
})

/** The message of an error that is made of a response. */
export const describeAnswer = (error: Answer & { readonly _tag: keyof typeof meanings }): Message => {
  if (error._tag === "QuotaExceeded" && isOfGlossaries(error))
    return describeWith(error, tooManyGlossaryRequests)
  if ((error._tag === "Unauthorized" || error._tag === "NotFound") && isListOfGlossaries(error))
    return describeWith(error, unlistedGlossaries)
  const scope = error.status === 403 ? scopeOf(error) : undefined
  if (scope !== undefined) return describeWith(error, lacksScope(scope))
  if (error._tag === "ProxyRefused" && error.status !== proxyAuthenticationRequired)
    return describeWith(error, noTunnel)
  const { advice, what }: Meaning = meanings[error._tag]
  if (error._tag !== "ServerError") return describeWith(error, { what, advice })
  const bill = error.delivery === "ambiguous" ? "It may have been billed." : "Nothing was billed."
  return describeWith(error, { what, advice: `${advice} ${bill}` })
}

/** The message of an answer that can't be decoded, and why. */
export const describeUndecodable = (
  error: Answer & { readonly encoding?: string | undefined; readonly limit?: number | undefined }
): Message => {
  const { advice, what }: Meaning = meanings.UndecodableResponse
  if (error.encoding !== undefined) {
    return describeWith(error, {
      what: `The answer is encoded as ${error.encoding}, which is not decoded`,
      advice: "Check the proxies between: it was not asked for."
    })
  }
  return describeWith(error, {
    what: error.limit === undefined ? what : `The answer holds more than ${error.limit} bytes`,
    advice
  })
}

/** The statuses by which the service refuses one request too many. It has done nothing of such a request. */
export const busyStatuses: ReadonlyArray<number> = [429, 503, 529]

/**
 * 425: a proxy has not passed the request on, since it came before the connection was safe. Another attempt is as good as
 * the first.
 */
export const tooEarly = 425

/** The status of a proxy that wants a name and a password, or others. */
const proxyAuthenticationRequired = 407

const sentence = (clause: string): string => clause.charAt(0).toUpperCase() + clause.slice(1)

/** The message of a failure of the transport. */
export const describeTransport = (error: Call & { readonly reason: string }): Message => {
  const { reason } = error
  const cause = connectionCauses.find(reason)
  if (cause?.advice !== undefined) {
    return describe(error, {
      what: `${sentence(cause.says)} (${reason})`,
      advice: `${sentence(cause.advice)}.`
    })
  }
  return describe(error, {
    what: `No answer (${reason})`,
    advice:
      reason === unaskedContinue
        ? "A proxy sends it unasked, and undici and fetch can't read it: turn it off there, or take NodeHttpClient.layer."
        : "Check the network, the proxy if there is one, and the base address."
  })
}

/** The message of undici's transports at an interim answer that was not asked for: all requests meet it. */
export const unaskedContinue = "100 Continue"

/** True if the service may have done the work. */
export const isAmbiguous = ({ delivery }: Call): boolean => delivery === "ambiguous"

/**
 * Which errors of a response are worth another attempt, unless only ambiguous ones are, and which would meet all other
 * requests.
 */
export const marks: {
  readonly [Tag in keyof typeof meanings]?: {
    readonly isRetryable?: boolean | ((error: Answer) => boolean)
    readonly isFatal?: boolean | ((error: Answer) => boolean)
  }
} = {
  Unauthorized: { isFatal: true },
  ProxyRefused: { isRetryable: ({ status }) => status >= 500, isFatal: ({ status }) => status < 500 },
  RateLimited: { isRetryable: true },
  QuotaExceeded: { isRetryable: isOfGlossaries, isFatal: (error) => !isOfGlossaries(error) },
  ServerError: { isRetryable: true },
  UnexpectedStatus: { isRetryable: (error) => error.status === tooEarly || isAmbiguous(error) }
}

/** 408: the request was not read whole in time, or the service behind a proxy was too slow. It may have been carried out. */
const requestTimeout = 408

type AnswerTag = Exclude<keyof typeof meanings, "UndecodableResponse" | "MismatchedResponse">

/** The error of a status, with the delivery of the request. */
export const fromStatus = (status: number): { readonly tag: AnswerTag; readonly delivery: Delivery } => {
  const found = Record.keys(meanings).find((tag) => (meanings[tag] as Meaning).statuses?.includes(status))
  const tag = found ?? (status >= 500 && status < 600 ? "ServerError" : "UnexpectedStatus")
  const { delivery = "rejected" }: Meaning = meanings[tag]
  if (status === requestTimeout) return { tag: "UnexpectedStatus", delivery: "ambiguous" }
  return { tag: tag as AnswerTag, delivery: busyStatuses.includes(status) ? "rejected" : delivery }
}
