/** What of the service's own words reaches errors and spans: all that helps, and nothing that repeats the request. */
import * as Headers from "@effect/platform/Headers"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { TranslateClient, type TranslateError } from "effect-translate"
import { DocumentSource, type Documents } from "effect-translate/documents"
import { hallo, key, once, served, translate, translateAnything } from "../support/client.js"
import { answer } from "../support/recordingServer.js"
import { recordingTracer } from "../support/recordingTracer.js"

const withheld = "(withheld, since it repeats parts of the request)"

/** What an error tells of a message that the service sends about these texts. */
const told = (message: string, ...text: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    yield* answer({ status: 400, body: { message } })
    const error = yield* Effect.flip(once(translate({ text, targetLang: "de" })))
    return error._tag === "BadRequest" ? error.serviceMessage : error._tag
  }).pipe(Effect.provide(served()))

const text = "Choose the account you like, and pay for the merger with Umbrella."

describe("a message is kept if it shares with the texts", () => {
  for (const [what, message, ...texts] of [
    ["a few words", "The account has no access to this model", text],
    ["nineteen characters of a long text", "Reason: (for the merger with)", text],
    ["a short text only within another word", "The category is not supported", "cat"],
    ["one or two letters", "The value of a parameter is wrong", "a", "is"],
    ["a text that is the service's own words", "Too many requests", "Too many requests", "Quota exceeded"],
    [
      "a long text of the service's own words",
      "The target language is not supported",
      "The target language is not supported. Pay."
    ],
    ["a line of dashes", `Bad request ${"-".repeat(40)}`, "-".repeat(80)]
  ] as const) {
    it.effect(what, () =>
      Effect.map(told(message, ...texts), (serviceMessage) => expect(serviceMessage).toBe(message))
    )
  }
})

describe("a message is withheld if it repeats", () => {
  for (const [what, message, ...texts] of [
    ["twenty characters of a text", "near: for the merger with U", text],
    ["half of a short text", "Can't translate The merger with Umb...", "The merger with Umbrella is off."],
    ["a whole short text", "Can't translate (Umbrella)", "Hello", "Umbrella"],
    ["a whole text of two ideographs within a sentence", "不能翻译解雇这个词", "解雇"],
    ["a text in composed letters that came decomposed", "near: Fusion bestätigt", "Fusion besta\u0308tigt"],
    ["a text in full-width letters", "near: Ｕｍｂｒｅｌｌａ", "Umbrella"],
    ["a text in other case, by the rules of Unicode", "near: STRASSE 77", "Straße 77"],
    ["a text with other whitespace", "near: merger\u00a0\n with\tUmbrella", "merger with Umbrella"],
    ["a text with invisible characters", "near: Umb\u200bre\u00adlla", "Umbrella"],
    ["a text escaped as within JSON", 'near: \\u0055mbrella \\"x\\"\\nnow', 'Umbrella "x"\nnow'],
    ["a text escaped as within JSON twice", 'near: Umbrella \\\\\\"x\\\\\\"', 'Umbrella "x"'],
    ["a text right after an escaped line break", "near:\\nUmbrella", "Umbrella"],
    ["a text escaped as within HTML", "near: Umbrella &amp; S&#246;hne &#x3C;b&gt;", "Umbrella & Söhne <b>"],
    ["a text that was escaped before it was sent", "near: Umbrella & Sons", "Umbrella &amp; Sons"],
    ["a text escaped as within an address", "near: S%C3%B6hne%20Umbrella", "Söhne Umbrella"],
    ["a text as in a form", "near: Umbrella+Corp+Ltd", "Umbrella Corp Ltd"],
    ["a text beyond what is shown of it", `${"x ".repeat(145)}Umbrella is off`, "Umbrella is off"]
  ] as const) {
    it.effect(what, () =>
      Effect.map(told(message, ...texts), (serviceMessage) => expect(serviceMessage).toBe(withheld))
    )
  }

  for (const part of [
    key.slice(0, 6),
    key.slice(-4),
    key.slice(8, 14).toUpperCase(),
    `***${key.slice(-5)}`
  ]) {
    it.effect(`a part of the key, such as ${part}`, () =>
      Effect.map(told(`The key ${part} is wrong`, "Hello"), (serviceMessage) =>
        expect(serviceMessage).toBe(withheld)
      )
    )
  }
})

describe("the trace id of an error", () => {
  const traceId = (id: string, request: object = { text: ["Umbrella"], targetLang: "de" }) =>
    Effect.gen(function* () {
      yield* answer({ status: 500, headers: { "x-trace-id": id }, body: "" })
      const error = yield* Effect.flip(once(translateAnything(request)))
      return "traceId" in error ? error.traceId : undefined
    }).pipe(Effect.provide(served()))

  for (const id of [
    "0b2ca4f1-6f0f-4c1e-9d8a-3d1c6f1a2b3c",
    "Root=1-67891233-abcdea98765431ffe1234eee",
    "t-1"
  ]) {
    it.effect(`is kept if it looks like one: ${id}`, () =>
      Effect.map(traceId(id), (kept) => expect(kept).toBe(id))
    )
  }

  for (const [what, id] of [
    ["holds whitespace", "Hello there"],
    ["is too long", "a1".repeat(100)],
    ["holds markup", "<b>1</b>"],
    ["repeats a text", "Umbrella"],
    ["repeats the key", `id-${key}`]
  ] as const) {
    it.effect(`is left out if it ${what}`, () =>
      Effect.map(traceId(id), (kept) => expect(kept).toBeUndefined())
    )
  }
})

describe("a span", () => {
  const secret = "Project-Umbrella"
  const traced = (status: number) =>
    Effect.gen(function* () {
      const tracing = recordingTracer()
      yield* answer({
        ...hallo,
        status,
        headers: { "x-echo": secret, "x-trace-id": secret, "x-debug": key, "retry-after": "7" }
      })
      yield* Effect.ignore(once(translate({ text: [secret], targetLang: "de" }))).pipe(
        Effect.withTracer(tracing.tracer)
      )
      return tracing.told
    }).pipe(Effect.provide(served()))

  for (const status of [200, 429]) {
    it.effect(`shows only headers of the response that are known to hold no text (${status})`, () =>
      Effect.gen(function* () {
        const told = yield* traced(status)
        expect(told).toContainEqual(["http.response.header.content-type", "application/json"])
        expect(told).toContainEqual(["http.response.header.retry-after", "7"])
        const all = told.map(([name, value]) => `${name}=${String(value)}`).join("\n")
        expect(all).not.toContain(secret)
        expect(all).not.toContain(key)
      })
    )
  }

  it.effect("of another client of the program stays as it was", () =>
    Effect.gen(function* () {
      yield* answer(hallo)
      const before = yield* FiberRef.get(Headers.currentRedactedNames)
      yield* once(translate({ text: ["Hello"], targetLang: "de" }))
      expect(yield* FiberRef.get(Headers.currentRedactedNames)).toBe(before)
    }).pipe(Effect.provide(served()))
  )
})

describe("an upload", () => {
  const name = "Takeover of Umbrella.txt"
  const start = "Dear board,\nthe offer for Umbrella is 77 million.\n"
  const bytes = new TextEncoder().encode(start + "x".repeat(5000))
  const sources: ReadonlyArray<readonly [string, DocumentSource.DocumentSource]> = [
    ["bytes", DocumentSource.fromBytes(name, bytes)],
    [
      "a stream",
      DocumentSource.fromStream(name, bytes.length, Stream.make(bytes.subarray(0, 7), bytes.subarray(7)))
    ]
  ]
  const documents = Effect.map(TranslateClient.TranslateClient, (client) => client.documents)
  const messages = [
    `Can't read ${name}`,
    "Can't read TAKEOVER%20OF%20UMBRELLA.TXT",
    "Can't convert: Takeover of Umbrella",
    "Can't translate: the offer for Umbrella is 77...",
    "Can't translate: Dear board,"
  ]

  for (const [what, source] of sources) {
    it.effect(`of ${what}: a message that repeats the document's name or beginning is withheld`, () =>
      Effect.gen(function* () {
        const { upload } = yield* documents
        for (const message of messages) {
          yield* answer({ status: 400, body: { message } })
          const error = yield* Effect.flip(once(upload(source, { targetLang: "de" })))
          expect((error as TranslateError.BadRequest).serviceMessage).toBe(withheld)
        }
        yield* answer({ status: 400, body: { message: "The document has no text" } })
        const error = yield* Effect.flip(once(upload(source, { targetLang: "de" })))
        expect((error as TranslateError.BadRequest).serviceMessage).toBe("The document has no text")
      }).pipe(Effect.provide(served()))
    )

    it.effect(`of ${what}: its statuses tell nothing of its name or beginning`, () =>
      Effect.gen(function* () {
        const { status, upload } = yield* documents
        yield* answer({ body: { document_id: "d1", document_key: "5566778899" } })
        const handle = yield* upload(source, { targetLang: "de" })
        for (const error_message of messages) {
          yield* answer({ body: { document_id: "d1", status: "error", error_message } })
          expect((yield* status(handle)).errorMessage).toBe(withheld)
        }
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect("of another process: its statuses and its download tell nothing of its name or beginning", () =>
    Effect.gen(function* () {
      const { download, status } = yield* documents
      const handle = { ...(yield* stored), name, beginning: bytes }
      for (const message of messages) {
        yield* answer(
          { body: { document_id: "d1", status: "error", error_message: message } },
          { status: 404, body: { message } }
        )
        expect((yield* status(handle)).errorMessage).toBe(withheld)
        const error = yield* Effect.flip(Stream.runDrain(download(handle)))
        expect(error).toMatchObject({ _tag: "NotFound", serviceMessage: withheld })
      }
    }).pipe(Effect.provide(served()))
  )
})

const stored: Effect.Effect<Documents.DocumentHandle> = Effect.sync(() => ({
  documentId: "d1",
  documentKey: Redacted.make("5566778899"),
  name: "",
  translatedName: "",
  targetLang: "de"
}))
