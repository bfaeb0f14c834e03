/** Each cause of a failure: its tag, and the evidence that the error carries. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { RetryPolicy, TranslateError } from "effect-translate"
import { DocumentError } from "effect-translate/documents"
import {
  hallo,
  hello,
  key,
  once,
  served,
  servedOver,
  translate,
  translations,
  usage
} from "../support/client.js"
import { answer, RecordingServer, type Scripted } from "../support/recordingServer.js"
import { retries } from "../support/retries.js"

/** The error of a translation that is sent once. */
const failure = (scripted: Scripted, request = hello) =>
  Effect.zipRight(answer(scripted), Effect.flip(once(translate(request))))

/** What every error carries, as far as it has it. */
const evidence = (error: TranslateError.TranslateError) => ({
  traceId: undefined,
  retryAfter: undefined,
  serviceMessage: undefined,
  ...error
})

const retryAfter = (error: TranslateError.TranslateError) =>
  Duration.toMillis(TranslateError.retryAfter(error))

describe("a status", () => {
  for (const [status, tag, delivery, retryable] of [
    [400, "BadRequest", "rejected", false],
    [422, "BadRequest", "rejected", false],
    [401, "Unauthorized", "rejected", false],
    [403, "Unauthorized", "rejected", false],
    [404, "NotFound", "rejected", false],
    [413, "PayloadTooLarge", "rejected", false],
    [414, "UriTooLong", "rejected", false],
    [415, "UnsupportedMediaType", "rejected", false],
    [429, "RateLimited", "rejected", true],
    [456, "QuotaExceeded", "rejected", false],
    [500, "ServerError", "ambiguous", true],
    [502, "ServerError", "ambiguous", true],
    [503, "ServerError", "rejected", true],
    [504, "ServerError", "ambiguous", true],
    [529, "ServerError", "rejected", true],
    [300, "UnexpectedStatus", "rejected", false],
    [302, "UnexpectedStatus", "rejected", false],
    [304, "UnexpectedStatus", "rejected", false],
    [402, "UnexpectedStatus", "rejected", false],
    [408, "UnexpectedStatus", "ambiguous", true],
    [418, "UnexpectedStatus", "rejected", false],
    [425, "UnexpectedStatus", "rejected", true]
  ] as const) {
    it.effect(`${status} is ${tag}, ${delivery}, ${retryable ? "worth" : "not worth"} another attempt`, () =>
      Effect.gen(function* () {
        const error = yield* failure({
          status,
          headers: { "x-trace-id": "trace-1" },
          body: { message: "No." }
        })
        expect(evidence(error)).toMatchObject({
          _tag: tag,
          delivery,
          status,
          method: "POST",
          path: "/v2/translate",
          traceId: "trace-1",
          serviceMessage: status === 304 ? undefined : "No.",
          attempts: 1,
          ambiguousAttempts: delivery === "ambiguous" ? 1 : 0
        })
        expect(TranslateError.isTranslateError(error)).toBe(true)
        expect(error.isRetryable).toBe(retryable)
        expect(error.message).toContain("POST /v2/translate")
        expect(error.message).toContain(String(status))
        expect(error.message).toContain("trace-1")
      }).pipe(Effect.provide(served()))
    )

    it.effect(`${status} is ${tag} whatever the body: HTML, nothing, broken JSON, other JSON`, () =>
      Effect.gen(function* () {
        for (const body of [
          "<html><h1>Bad gateway</h1></html>",
          "",
          '{"message":',
          "[1]",
          '"no"',
          "null",
          "{}"
        ]) {
          const error = yield* failure({ status, body, headers: { "content-type": "application/json" } })
          expect(error._tag).toBe(tag)
          expect(evidence(error).serviceMessage).toBeUndefined()
        }
      }).pipe(Effect.provide(served()))
    )
  }

  for (const status of [201, 202, 204]) {
    it.effect(`${status}, an undeclared success, fails with its status and may have been billed`, () =>
      Effect.gen(function* () {
        const error = yield* failure({ status, headers: { "x-trace-id": "trace-1" }, body: "" })
        expect(["UnexpectedStatus", "UndecodableResponse"]).toContain(error._tag)
        expect(error).toMatchObject({ status, delivery: "ambiguous", traceId: "trace-1" })
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect("of a failed read names its own method and path", () =>
    Effect.gen(function* () {
      yield* answer({ status: 403, body: { message: "No." } })
      const error = yield* Effect.flip(once(usage))
      expect(error).toMatchObject({ _tag: "Unauthorized", method: "GET", path: "/v2/usage", status: 403 })
    }).pipe(Effect.provide(served()))
  )

  it.effect("behind a gateway names the whole path", () =>
    Effect.gen(function* () {
      const error = yield* failure({ status: 404 })
      expect(error).toMatchObject({ _tag: "NotFound", path: "/gateway/v2/translate" })
    }).pipe(Effect.provide(served({ suffix: "/gateway" })))
  )

  it.effect("decides even if the error's body is cut", () =>
    Effect.gen(function* () {
      const error = yield* failure({ status: 400, body: { message: "No." }, cut: "mid-body" })
      expect(error).toMatchObject({ _tag: "BadRequest", delivery: "rejected", status: 400 })
    }).pipe(Effect.provide(served()))
  )
})

describe("Retry-After", () => {
  for (const [header, millis] of [
    ["7", 7000],
    ["0", 0],
    [" 120 ", 120_000],
    ["Thu, 01 Jan 1970 00:02:00 GMT", 120_000],
    ["Wed, 31 Dec 1969 23:00:00 GMT", 0],
    ["soon", 0],
    ["", 0]
  ] as const) {
    // The TestClock stands at the epoch.
    for (const status of [429, 503]) {
      it.effect(`"${header}" with ${status} is ${millis} milliseconds`, () =>
        Effect.gen(function* () {
          const error = yield* failure({ status, headers: { "retry-after": header } })
          expect(retryAfter(error)).toBe(millis)
        }).pipe(Effect.provide(served()))
      )
    }
  }

  it.effect("is zero where the service says nothing", () =>
    Effect.gen(function* () {
      const error = yield* failure({ status: 429 })
      expect(retryAfter(error)).toBe(0)
      expect(evidence(error).retryAfter).toBeUndefined()
    }).pipe(Effect.provide(served()))
  )
})

describe("the service's message", () => {
  const secret = "The merger with Umbrella is off."
  const request = {
    text: [secret, 'Say "yes"\nnow'],
    targetLang: "de",
    context: "A letter to the board.",
    customInstructions: ["Call Umbrella the buyer."]
  }

  it.effect("is kept, with its detail", () =>
    Effect.gen(function* () {
      const error = yield* failure({ status: 400, body: { message: "Bad pair", detail: "en to xx" } })
      expect(evidence(error).serviceMessage).toBe("Bad pair: en to xx")
      expect(error.message).toContain("Bad pair: en to xx")
    }).pipe(Effect.provide(served()))
  )

  it.effect("is shortened", () =>
    Effect.gen(function* () {
      const error = yield* failure({ status: 400, body: { message: "x".repeat(100_000) } })
      const { serviceMessage } = evidence(error)
      expect(serviceMessage).toMatch(/^x{100,400}…$/)
      expect(error.message.length).toBeLessThan(1000)
    }).pipe(Effect.provide(served()))
  )

  for (const [what, message] of [
    ["a text", `can't translate "${secret}"`],
    ["every text", `can't translate ${request.text.join(" and ")}`],
    ["a text twice", `${secret}${secret}`],
    ["a text at the point where it is cut", `${"x".repeat(290)}${secret}`],
    ["the context", `context ${request.context}`],
    ["a custom instruction", `instruction ${request.customInstructions[0]}`],
    ["the key", `key ${key} is wrong`],
    ["the whole header", `Service-Auth-Key ${key}`]
  ] as const) {
    it.effect(`is kept without ${what} that it echoes`, () =>
      Effect.gen(function* () {
        for (const body of [{ message }, { message: "No.", detail: message }]) {
          const error = yield* failure({ status: 400, body }, request)
          const all = error.message + JSON.stringify(error)
          for (const confidential of [
            ...request.text,
            request.context,
            ...request.customInstructions,
            key,
            secret.slice(0, 12)
          ]) {
            expect(all).not.toContain(confidential)
          }
        }
      }).pipe(Effect.provide(served()))
    )
  }

  for (const [how, text, echo] of [
    [
      "escaped, as within JSON",
      'The merger with "Umbrella" is off.',
      'The merger with \\"Umbrella\\" is off.'
    ],
    ["shortened", secret, "The merger with Umb..."],
    ["in other case", secret, secret.toUpperCase()],
    ["whole, if it is short", "解雇", "解雇"]
  ] as const) {
    it.effect(`is withheld if it echoes a text ${how}`, () =>
      Effect.gen(function* () {
        const error = yield* failure(
          { status: 400, body: { message: `can't translate ${echo}` } },
          { text: [text], targetLang: "de" }
        )
        expect(error.message).not.toContain(echo.slice(0, 10))
        expect(evidence(error).serviceMessage).toBe("(withheld, since it repeats parts of the request)")
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect("is kept without the rest of a text that begins as another does", () =>
    Effect.gen(function* () {
      const texts = ["The merger", secret]
      const error = yield* failure(
        { status: 400, body: { message: `can't translate ${secret}` } },
        { text: texts, targetLang: "de" }
      )
      expect(error.message).not.toContain("Umbrella")
    }).pipe(Effect.provide(served()))
  )
})

describe("no answer", () => {
  const transports = [
    ["undici", NodeHttpClient.layerUndici],
    ["node:http", NodeHttpClient.layer],
    ["fetch", FetchHttpClient.layer]
  ] as const
  for (const [transport, layer] of transports) {
    it.effect(`without a connection is TransportError, not sent (${transport})`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(once(translate(hello)))
        expect(error).toMatchObject({
          _tag: "TransportError",
          delivery: "not-sent",
          reason: "ECONNREFUSED",
          method: "POST",
          path: "/v2/translate",
          attempts: 1,
          ambiguousAttempts: 0
        })
        expect(error.isRetryable).toBe(true)
        expect(error.message).toContain("ECONNREFUSED")
        // Nobody listens on port 4, and fetch does not block it.
      }).pipe(Effect.provide(servedOver(layer, { url: "http://127.0.0.1:4" })))
    )

    it.effect(
      `from a host that has no address is TransportError, not sent (${transport})`,
      () =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(once(translate(hello)))
          expect(error).toMatchObject({ _tag: "TransportError", delivery: "not-sent" })
        }).pipe(Effect.provide(servedOver(layer, { url: "http://nowhere.invalid" }))),
      // Some machines wait long for a name server.
      90_000
    )

    it.effect(`because the connection was cut before it is TransportError, ambiguous (${transport})`, () =>
      Effect.gen(function* () {
        const error = yield* failure({ cut: "before" })
        expect(error).toMatchObject({
          _tag: "TransportError",
          delivery: "ambiguous",
          attempts: 1,
          ambiguousAttempts: 1
        })
        expect(error.isRetryable).toBe(true)
      }).pipe(Effect.provide(servedOver(layer)))
    )

    it.effect(`because the connection was cut within it is TransportError, ambiguous (${transport})`, () =>
      Effect.gen(function* () {
        const error = yield* failure({ ...hallo, cut: "mid-body" })
        expect(error).toMatchObject({ _tag: "TransportError", delivery: "ambiguous", ambiguousAttempts: 1 })
      }).pipe(Effect.provide(servedOver(layer)))
    )
  }

  for (const cut of ["hang", "hang-body"] as const) {
    it.effect(`in time (${cut}) is TimedOut, ambiguous, and closes the connection`, () =>
      Effect.gen(function* () {
        const policy = RetryPolicy.make({ schedule: retries(0), timeout: "50 millis" })
        yield* answer({ ...hallo, cut })
        const failing = yield* translate(hello).pipe(
          Effect.provideService(RetryPolicy.RetryPolicy, policy),
          Effect.flip,
          Effect.fork
        )
        const request = yield* Effect.flatMap(RecordingServer, (server) => server.request(0))
        yield* TestClock.adjust("1 minute")
        const error = yield* Fiber.join(failing)
        expect(error).toMatchObject({
          _tag: "TimedOut",
          delivery: "ambiguous",
          method: "POST",
          path: "/v2/translate",
          attempts: 1,
          ambiguousAttempts: 1
        })
        expect(error._tag === "TimedOut" && Duration.toMillis(error.after)).toBeGreaterThanOrEqual(50)
        expect(error.isRetryable).toBe(true)
        yield* request.closed
      }).pipe(Effect.provide(served()))
    )
  }
})

describe("a success that can't be used", () => {
  for (const [what, body] of [
    ["HTML", "<html><body>Sign in to the network</body></html>"],
    ["nothing", ""],
    ["truncated JSON", '{"translations":[{"text":"Hal'],
    ["null", "null"],
    ["a list", "[]"],
    ["an object without translations", "{}"],
    ["translations that are no list", '{"translations":{"0":{"text":"Hallo"}}}'],
    ["no translation", '{"translations":[]}'],
    ["an item that is null", '{"translations":[null]}'],
    ["an item that is a string", '{"translations":["Hallo"]}'],
    ["an item without a text", '{"translations":[{"detected_source_language":"EN"}]}'],
    ["a text that is a number", '{"translations":[{"text":7}]}'],
    ["a text that is null", '{"translations":[{"text":null}]}']
  ] as const) {
    it.effect(`because it is ${what} is UndecodableResponse, ambiguous`, () =>
      Effect.gen(function* () {
        const error = yield* failure({ body, headers: { "x-trace-id": "trace-2" } })
        expect(error).toMatchObject({
          _tag: "UndecodableResponse",
          delivery: "ambiguous",
          status: 200,
          traceId: "trace-2",
          method: "POST",
          path: "/v2/translate",
          attempts: 1,
          ambiguousAttempts: 1
        })
        expect(error.isRetryable).toBe(true)
        expect(error.message).not.toContain("Hal")
        expect(error.message).not.toContain("Sign in")
      }).pipe(Effect.provide(served()))
    )
  }

  for (const [what, texts] of [
    ["too few", ["Eins"]],
    ["too many", ["Eins", "Zwei", "Drei"]]
  ] as const) {
    it.effect(
      `because it holds ${what} items is MismatchedResponse: no text gets another's translation`,
      () =>
        Effect.gen(function* () {
          const error = yield* failure(
            { ...translations(...texts), headers: { "x-trace-id": "trace-3" } },
            { text: ["One", "Two"], targetLang: "de" }
          )
          expect(error).toMatchObject({
            _tag: "MismatchedResponse",
            delivery: "ambiguous",
            expected: 2,
            received: texts.length,
            status: 200,
            traceId: "trace-3",
            attempts: 1,
            ambiguousAttempts: 1
          })
          expect(error.isRetryable).toBe(true)
          expect(error.message).not.toContain("Eins")
        }).pipe(Effect.provide(served()))
    )
  }
})

describe("a duration in a message", () => {
  it.each([
    [Duration.seconds(119.99999999999999), "2m"],
    [Duration.millis(31_482.7), "31s"],
    [Duration.millis(1549), "1s 500ms"],
    [Duration.millis(49.9999), "50ms"]
  ])("is rounded: %s", (after, expected) => {
    const call = { method: "POST", path: "/v2/translate", delivery: "ambiguous", attempts: 1 } as const
    const timedOut = new TranslateError.TimedOut({ ...call, ambiguousAttempts: 1, after })
    expect(timedOut.message).toContain(`No answer in ${expected}.`)
    expect(new DocumentError.DocumentOverdue({ documentId: "1", after }).message).toContain(
      `not done after ${expected}:`
    )
    const outage = new TranslateError.Outage({
      ...call,
      ambiguousAttempts: 1,
      lastError: "TimedOut",
      failures: 6,
      lasted: after
    })
    expect(outage.message).toContain(`open for ${expected}.`)
  })
})

describe("isTranslateError", () => {
  it("knows its own from others", () => {
    for (const other of [undefined, null, "BadRequest", new Error("no"), { _tag: "BadRequest" }]) {
      expect(TranslateError.isTranslateError(other)).toBe(false)
    }
  })
})
