/** What errors say to whoever reads them: what happened, and what to do next. And which error a status is. */
import { describe, expect, it } from "@effect/vitest"
import { TranslateError } from "effect-translate"
import * as errorTable from "../../src/client/internal/calling/errorTable.js"

const call = { method: "POST", path: "/v2/translate", attempts: 1, ambiguousAttempts: 0 } as const
const rejected = { ...call, delivery: "rejected" } as const
const ambiguous = { ...call, delivery: "ambiguous" } as const
const list = { ...rejected, method: "GET", path: "/v3/glossaries" } as const

const says = (name: string, error: { readonly message: string }, ...parts: ReadonlyArray<string | RegExp>) =>
  it(name, () => {
    for (const part of parts) {
      if (typeof part === "string") expect(error.message).toContain(part)
      else expect(error.message).toMatch(part)
    }
  })

describe("the message of an answer", () => {
  const of = (fields: {
    readonly serviceMessage?: string
    readonly traceId?: string
    readonly attempts?: number
  }) => new TranslateError.BadRequest({ ...rejected, status: 400, ...fields })

  says(
    "is the call, what happened with the status, and what to do",
    of({}),
    /^POST \/v2\/translate: The service refuses the request, status 400\. Correct the request; .* does not help\.$/
  )
  says("names the attempt, if there were several", of({ attempts: 3 }), "status 400 (attempt 3).")
  says(
    "says what the service says, and its trace id, each with one stop",
    of({ serviceMessage: "Bad pair.. \n", traceId: "t-1" }),
    /help\. The service says: Bad pair\. Trace id: t-1\.$/
  )
})

describe("a used-up quota", () => {
  const of = (path: string) => new TranslateError.QuotaExceeded({ ...rejected, path, status: 456 })
  says("is one of the subscription or the key", of("/v2/translate"), "The quota is used up", "QuotaPolicy")
  says("of glossaries is one of requests", of("/v2/glossaries/1"), "Too many glossary requests")
  says("of pairs of glossaries is so too", of("/v12/glossary-language-pairs"), "Too many glossary requests")
})

describe("a refusal", () => {
  const unauthorized = (request: typeof rejected | typeof list) =>
    new TranslateError.Unauthorized({ ...request, status: 403 })
  const notFound = (request: object) => new TranslateError.NotFound({ ...rejected, ...request, status: 404 })
  says("says to check the key", unauthorized(rejected), "does not accept the key")
  says("says to check the id", notFound({}), "no such resource")
  says("to list glossaries says to give an id", unauthorized(list), "can't be listed", "Give the id")
  says("that there is no list of glossaries says so too", notFound(list), "can't be listed")
  says("to make a glossary is one of the key", unauthorized({ ...list, method: "POST" } as never), "the key")
  says(
    "of one glossary is one of its id",
    notFound({ ...list, path: "/v3/glossaries/1" }),
    "no such resource"
  )
  says(
    "of a list of another version is the same",
    notFound({ ...list, path: "/v12/glossaries" }),
    "can't be listed"
  )
  says(
    "of another list of glossaries is one of its id",
    notFound({ ...list, path: "/x/glossaries" }),
    "no such"
  )
  says(
    "of another kind to list glossaries is what it always is",
    new TranslateError.BadRequest({ ...list, status: 400 }),
    "refuses the request"
  )
})

describe("a proxy that refuses", () => {
  const of = (status: number) => new TranslateError.ProxyRefused({ ...call, delivery: "not-sent", status })
  says("wants a name and a password by 407", of(407), "the name and the password")
  says("lets nothing through by any other status", of(502), "lets nothing through", "NO_PROXY")

  it("may let a request through later by 5xx, and else ends everything", () => {
    expect([407, 499, 500, 502].map((status) => [of(status).isRetryable, of(status).isFatal])).toEqual([
      [false, true],
      [false, true],
      [true, false],
      [true, false]
    ])
  })
})

describe("a failure of the service", () => {
  const of = (request: typeof rejected | typeof ambiguous) =>
    new TranslateError.ServerError({ ...request, status: 503 })
  says(
    "may have been billed, if it is in doubt",
    of(ambiguous),
    "The service fails",
    "It may have been billed."
  )
  says("was not billed, if it was a rejection", of(rejected), "Try again later. Nothing was billed.")
  it("says nothing of bills else", () => {
    expect(new TranslateError.BadRequest({ ...rejected, status: 400 }).message).not.toContain("billed")
  })
})

describe("an answer that can't be decoded", () => {
  const of = (fields: { readonly encoding?: string; readonly limit?: number }) =>
    new TranslateError.UndecodableResponse({ ...ambiguous, status: 200, ...fields })
  says(
    "is one that a proxy may have changed",
    of({}),
    "can't be decoded, status 200",
    "proxy may have changed it"
  )
  says(
    "names the encoding that nobody has asked for",
    of({ encoding: "zstd" }),
    "encoded as zstd",
    "not asked for"
  )
  says("names the bytes that it holds more of", of({ limit: 77 }), "more than 77 bytes", "trace id")
})

describe("no answer", () => {
  const of = (reason: string) => new TranslateError.TransportError({ ...call, delivery: "not-sent", reason })
  says(
    "has a reason, and says what to check",
    of("ECONNREFUSED"),
    "No answer (ECONNREFUSED)",
    /base address\.$/
  )
  says(
    "of a host whose certificate nobody has signed names the setting",
    of("DEPTH_ZERO_SELF_SIGNED_CERT"),
    "self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)",
    "NODE_EXTRA_CA_CERTS"
  )
  says("after an interim answer says which transport reads it", of("100 Continue"), "NodeHttpClient.layer")
  says("of another certificate is what it always is", of("CERT_HAS_EXPIRED"), "No answer (CERT_HAS_EXPIRED)")
})

describe("a status", () => {
  for (const [status, tag, delivery] of [
    [300, "UnexpectedStatus", "rejected"],
    [400, "BadRequest", "rejected"],
    [401, "Unauthorized", "rejected"],
    [403, "Unauthorized", "rejected"],
    [404, "NotFound", "rejected"],
    [407, "ProxyRefused", "not-sent"],
    [408, "UnexpectedStatus", "ambiguous"],
    [413, "PayloadTooLarge", "rejected"],
    [414, "UriTooLong", "rejected"],
    [415, "UnsupportedMediaType", "rejected"],
    [418, "UnexpectedStatus", "rejected"],
    [422, "BadRequest", "rejected"],
    [425, "UnexpectedStatus", "rejected"],
    [429, "RateLimited", "rejected"],
    [456, "QuotaExceeded", "rejected"],
    [499, "UnexpectedStatus", "rejected"],
    [500, "ServerError", "ambiguous"],
    [503, "ServerError", "rejected"],
    [504, "ServerError", "ambiguous"],
    [529, "ServerError", "rejected"],
    [599, "ServerError", "ambiguous"],
    [600, "UnexpectedStatus", "rejected"]
  ] as const) {
    it(`${status} is ${tag}: ${delivery}`, () => {
      expect(errorTable.fromStatus(status)).toEqual({ tag, delivery })
    })
  }
})
