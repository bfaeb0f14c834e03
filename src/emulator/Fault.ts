/**
 * Faults that a test makes the emulator serve: each replaces or changes the answers of the requests that it matches.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import { dual } from "effect/Function"
import { type Pipeable, pipeArguments } from "effect/Pipeable"

/**
 * A request as a fault's predicate sees it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Incoming {
  /** The HTTP method in upper case. */
  readonly method: string
  /** The path without its query. */
  readonly path: string
  /** The body as text. Of a document upload: its fields without the file, as JSON. */
  readonly body: string
  /** The `text` parameters of the body, which is JSON or a form; empty if there are none. */
  readonly texts: ReadonlyArray<string>
  /** The name of the document that is uploaded, if one is. */
  readonly fileName: string | undefined
}

/**
 * When a fault happens: `before` the work (nothing is billed), `after` the work is done and billed but before the answer
 * starts, or in the middle of the answer's body (billed too).
 *
 * @since 0.1.0
 * @category models
 */
export type When = "before" | "after" | "mid-body"

/**
 * The effect of a fault.
 *
 * @since 0.1.0
 * @category models
 */
export type Kind =
  | {
      readonly _tag: "Answer"
      readonly when: "before" | "after"
      readonly status: number
      readonly headers: { readonly [name: string]: string }
      readonly body: string
    }
  | { readonly _tag: "Cut"; readonly when: When }
  | { readonly _tag: "Slow"; readonly when: When; readonly duration: Duration.Duration }
  | { readonly _tag: "DocumentError"; readonly message: string }
  | { readonly _tag: "Distort"; readonly how: "short" | "long" | "truncate" }
  | { readonly _tag: "Mistranslate"; readonly answer: (source: string, translation: string) => string }

/**
 * A fault: its effect, the requests that it happens to, and the number of times.
 *
 * @since 0.1.0
 * @category models
 */
export interface Fault extends Pipeable {
  /** The effect of the fault. */
  readonly kind: Kind
  /** The requests that it happens to. */
  readonly match: (request: Incoming) => boolean
  /** The number of matching requests that are served first. */
  readonly after: number
  /** The number of requests that it happens to. */
  readonly times: number
  /** The probability that it happens to a matching request, 0 to 1. */
  readonly probability: number
}

const Proto: Pipeable = {
  pipe() {
    // biome-ignore lint/complexity/noArguments: what pipeArguments takes
    return pipeArguments(this, arguments)
  }
}

const change = (fault: Omit<Fault, "pipe">, changes: Partial<Omit<Fault, "pipe">>): Fault =>
  Object.assign(Object.create(Proto) as Pipeable, fault, changes)

const always = () => true

const make = (kind: Kind, changes: Partial<Omit<Fault, "pipe">> = {}): Fault =>
  change({ kind, match: always, after: 0, times: 1, probability: 1 }, changes)

/**
 * Settings of {@link status}.
 *
 * @since 0.1.0
 * @category models
 */
export interface StatusOptions {
  /** The `Retry-After` header: seconds, or an HTTP date as it stands. @default none */
  readonly retryAfter?: number | string | undefined
  /** The body: a string as it stands, or a value as JSON. @default `{ message }` */
  readonly body?: unknown
  /** `after` does the work and bills it first. @default "before" */
  readonly when?: "before" | "after" | undefined
}

/**
 * Answers a status, by default without doing the work: nothing is billed.
 *
 * @since 0.1.0
 * @category constructors
 */
export const status = (status: number, options?: StatusOptions): Fault => {
  const body = options?.body ?? { message: `Scripted fault: ${status}` }
  const isText = typeof body === "string"
  return make({
    _tag: "Answer",
    when: options?.when ?? "before",
    status,
    headers: {
      "content-type": isText ? "text/plain" : "application/json",
      ...(options?.retryAfter === undefined ? undefined : { "retry-after": String(options.retryAfter) })
    },
    body: isText ? body : JSON.stringify(body)
  })
}

/**
 * Answers a status with an HTML page, as a proxy does. Nothing is billed.
 *
 * @since 0.1.0
 * @category constructors
 */
export const html = (status: number): Fault =>
  make({
    _tag: "Answer",
    when: "before",
    status,
    headers: { "content-type": "text/html" },
    body: `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>`
  })

/**
 * Answers a status without a body. Nothing is billed.
 *
 * @since 0.1.0
 * @category constructors
 */
export const emptyBody = (status: number): Fault =>
  make({ _tag: "Answer", when: "before", status, headers: {}, body: "" })

/**
 * Settings of the faults that can happen at several moments.
 *
 * @since 0.1.0
 * @category models
 */
export interface WhenOptions {
  /** The moment. @default "before" */
  readonly when?: When | undefined
}

/**
 * Cuts the connection.
 *
 * @since 0.1.0
 * @category constructors
 */
export const cutConnection = (options?: WhenOptions): Fault =>
  make({ _tag: "Cut", when: options?.when ?? "before" })

/**
 * Waits: before the work, after it with the answer ready, or with half the answer sent.
 *
 * @since 0.1.0
 * @category constructors
 */
export const slow = (duration: Duration.DurationInput, options?: WhenOptions): Fault =>
  make({ _tag: "Slow", when: options?.when ?? "before", duration: Duration.decode(duration) })

/**
 * Leaves out the last item of the answer's list. It is billed.
 *
 * @since 0.1.0
 * @category constructors
 */
export const shortAnswer: Fault = make({ _tag: "Distort", how: "short" })

/**
 * Repeats the last item of the answer's list. The repeated item is not billed.
 *
 * @since 0.1.0
 * @category constructors
 */
export const longAnswer: Fault = make({ _tag: "Distort", how: "long" })

/**
 * Answers only the first half of the JSON, as if it were a complete answer of status 200. It is billed.
 *
 * @since 0.1.0
 * @category constructors
 */
export const garbage: Fault = make({ _tag: "Distort", how: "truncate" })

/**
 * Answers with other translations, made of each text and its translation. They are billed as usual.
 *
 * @since 0.1.0
 * @category constructors
 */
export const mistranslate = (answer: (source: string, translation: string) => string): Fault =>
  change(make({ _tag: "Mistranslate", answer }), { match: ({ texts }) => texts.length > 0 })

/**
 * Refuses every request with a text that contains the marker, without end: 400, and nothing is billed.
 *
 * @since 0.1.0
 * @category constructors
 */
export const poison = (marker: string): Fault =>
  change(status(400, { body: { message: "The request holds a text that can't be translated" } }), {
    match: ({ texts }) => texts.some((text) => text.includes(marker)),
    times: Number.POSITIVE_INFINITY
  })

/**
 * Lets the translation of an uploaded document end with the status `error`. The upload is accepted, and nothing is
 * billed. `Fault.where` tells documents apart by `fileName`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const documentError = (message = "Scripted fault: the document can't be translated"): Fault =>
  change(make({ _tag: "DocumentError", message }), {
    match: ({ method, path }) => method === "POST" && path === "/v2/document"
  })

/**
 * Sets how many matching requests a fault happens to; `Infinity` for all.
 *
 * @since 0.1.0
 * @category combinators
 */
export const times: {
  /**
   * Sets how many matching requests a fault happens to; `Infinity` for all.
   */
  (times: number): (self: Fault) => Fault
  /**
   * Sets how many matching requests a fault happens to; `Infinity` for all.
   */
  (self: Fault, times: number): Fault
} = dual(2, (self: Fault, times: number): Fault => change(self, { times }))

/**
 * Lets this number of matching requests through before a fault happens: `Fault.after(500)` of a cut connection, repeated by
 * {@link times}, is an outage in the middle of a job. A request that it lets through goes on to the next fault.
 *
 * @since 0.1.0
 * @category combinators
 */
export const after: {
  /**
   * Lets this number of matching requests through before a fault happens: `Fault.after(500)` of a cut connection, repeated
   * by {@link times}, is an outage in the middle of a job. A request that it lets through goes on to the next fault.
   */
  (requests: number): (self: Fault) => Fault
  /**
   * Lets this number of matching requests through before a fault happens: `Fault.after(500)` of a cut connection, repeated
   * by {@link times}, is an outage in the middle of a job. A request that it lets through goes on to the next fault.
   */
  (self: Fault, requests: number): Fault
} = dual(2, (self: Fault, requests: number): Fault => change(self, { after: requests }))

/**
 * Makes a fault happen with a probability from 0 to 1, drawn from Effect's `Random` for each matching request. A request
 * that it does not happen to goes on to the next fault.
 *
 * @since 0.1.0
 * @category combinators
 */
export const probability: {
  /**
   * Makes a fault happen with a probability from 0 to 1, drawn from Effect's `Random` for each matching request. A request
   * that it does not happen to goes on to the next fault.
   */
  (probability: number): (self: Fault) => Fault
  /**
   * Makes a fault happen with a probability from 0 to 1, drawn from Effect's `Random` for each matching request. A request
   * that it does not happen to goes on to the next fault.
   */
  (self: Fault, probability: number): Fault
} = dual(2, (self: Fault, probability: number): Fault => change(self, { probability }))

/**
 * Limits a fault to requests for which the predicate holds too.
 *
 * @since 0.1.0
 * @category combinators
 */
export const where: {
  /**
   * Limits a fault to requests for which the predicate holds too.
   */
  (predicate: (request: Incoming) => boolean): (self: Fault) => Fault
  /**
   * Limits a fault to requests for which the predicate holds too.
   */
  (self: Fault, predicate: (request: Incoming) => boolean): Fault
} = dual(
  2,
  (self: Fault, predicate: (request: Incoming) => boolean): Fault =>
    change(self, { match: (request) => self.match(request) && predicate(request) })
)

/**
 * Limits a fault to a method and a path, such as `Fault.on("POST", "/v2/translate")`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const on: {
  /**
   * Limits a fault to a method and a path, such as `Fault.on("POST", "/v2/translate")`.
   */
  (method: string, path: string): (self: Fault) => Fault
  /**
   * Limits a fault to a method and a path, such as `Fault.on("POST", "/v2/translate")`.
   */
  (self: Fault, method: string, path: string): Fault
} = dual(
  3,
  (self: Fault, method: string, path: string): Fault =>
    where(self, (request) => request.method === method.toUpperCase() && request.path === path)
)
