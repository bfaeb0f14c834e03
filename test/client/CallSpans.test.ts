/** The span of each call of a client, around those of its attempts. */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { describe, expect, it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { TranslateClient } from "effect-translate"
import { AdminClient } from "effect-translate/admin"
import { TranslateApi } from "effect-translate/api"
import { hello, layerOver, once, translate, translations } from "../support/client.js"
import { Answer, adminCases, adminClient, cases, client } from "../support/endpointCases.js"
import { recordingTracer } from "../support/recordingTracer.js"
import { scripted } from "../support/scriptedClient.js"

type Call<Client> = (client: Client) => Effect.Effect<unknown, unknown>

interface Walked<Client> {
  readonly call: Call<Client>
  readonly body?: unknown
}

/** The calls whose answers have no fields. */
const others: { readonly [endpoint: string]: Walked<TranslateClient.Service> } = {
  "DELETE /v3/glossaries/:glossary_id": { call: ({ glossaries }) => glossaries.delete("secret") },
  "DELETE /v3/glossaries/:glossary_id/dictionaries": {
    call: ({ glossaries }) => glossaries.deleteDictionary("secret", { sourceLang: "en", targetLang: "de" })
  },
  "DELETE /v2/glossaries/:glossary_id": {
    call: ({ monolingualGlossaries }) => monolingualGlossaries.delete("secret")
  },
  "GET /v2/glossaries/:glossary_id/entries": {
    call: ({ monolingualGlossaries }) => monolingualGlossaries.entries("secret")
  },
  "DELETE /v3/style_rules/:style_id": { call: ({ styleRules }) => styleRules.delete("secret") },
  "DELETE /v3/style_rules/:style_id/custom_instructions/:instruction_id": {
    call: ({ styleRules }) => styleRules.deleteInstruction("secret", "secret")
  },
  "DELETE /v3/translation_memories/:translation_memory_id": {
    call: ({ translationMemories }) => translationMemories.delete("secret")
  },
  "POST /v2/document/:document_id/result": {
    call: ({ documents }) =>
      Stream.runDrain(documents.download({ documentId: "secret", documentKey: Redacted.make("secret") }))
  }
}

const contract: Array<string> = []
HttpApi.reflect(TranslateApi.TranslateApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => contract.push(`${endpoint.method} ${endpoint.path}`)
})

const recorded = <A, E, R>(call: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { spans, tracer } = recordingTracer()
    yield* Effect.exit(Effect.withTracer(call, tracer))
    const named = (name: RegExp) => spans.filter((span) => name.test(span.name))
    return { calls: named(/^effect-translate\.call$/), attempts: named(/^http\.client/), all: spans }
  })

const walk = <Id, Client>(tag: Context.Tag<Id, Client>, endpoint: string, { body, call }: Walked<Client>) =>
  Effect.gen(function* () {
    const answer = yield* Answer
    answer.body = body
    const { all, attempts, calls } = yield* recorded(once(call(yield* tag)))
    expect(calls).toHaveLength(1)
    const [span] = calls
    const {
      "translate.attempts": sent,
      "translate.endpoint": named,
      ...more
    } = Object.fromEntries(span!.attributes)
    expect([named, sent]).toEqual([endpoint, 1])
    const isOfTexts = /^POST \/v2\/(translate|write\/\w+)$/.test(endpoint)
    expect(more).toEqual(isOfTexts ? { "translate.texts": 2, "translate.characters": 2 } : {})
    // The token of a session would be in the span of its request.
    const isHidden = endpoint === "GET /v3/voice/realtime"
    expect(attempts).toHaveLength(isHidden ? 0 : 1)
    expect(all).toHaveLength(isHidden ? 1 : 2)
    for (const attempt of attempts) {
      expect(Option.map(attempt.parent, ({ spanId }) => spanId)).toEqual(
        Option.some(String(all.indexOf(span!) + 1))
      )
    }
  })

describe("the span of a call is the parent of its attempt's, and has the endpoint and counts alone:", () => {
  for (const [endpoint, each] of Object.entries({ ...cases, ...others })) {
    it.effect(endpoint, () => Effect.provide(walk(TranslateClient.TranslateClient, endpoint, each), client))
  }

  for (const [endpoint, each] of Object.entries(adminCases)) {
    it.effect(endpoint, () => Effect.provide(walk(AdminClient.AdminClient, endpoint, each), adminClient))
  }

  it("that is each endpoint of the contract", () => {
    expect(Object.keys({ ...cases, ...others, ...adminCases }).sort()).toEqual(contract.sort())
  })
})

describe("the span of a call", () => {
  it.effect("is one for all its attempts", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(recorded(translate(hello)))
      yield* TestClock.adjust("1 hour")
      const { attempts, calls } = yield* Fiber.join(fiber)
      expect([calls.length, attempts.length]).toEqual([1, 3])
      expect(calls[0]!.attributes.get("translate.attempts")).toBe(3)
    }).pipe(Effect.provide(scripted([{ status: 503 }, { status: 429 }, translations("Hallo")])))
  )

  it.effect("is not there if nobody collects spans", () =>
    Effect.gen(function* () {
      const above: Array<boolean> = []
      const transport = HttpClient.make((request) =>
        Effect.map(Effect.currentSpan, ({ parent }) => {
          above.push(Option.isSome(parent))
          return HttpClientResponse.fromWeb(request, new Response(JSON.stringify(translations("Hallo").body)))
        }).pipe(Effect.orDie)
      )
      const send = translate(hello).pipe(
        Effect.provide(Layer.provide(layerOver(), Layer.succeed(HttpClient.HttpClient, transport)))
      )
      yield* send
      yield* Effect.withTracer(send, recordingTracer().tracer)
      expect(above).toEqual([false, true])
    })
  )
})
