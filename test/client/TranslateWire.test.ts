/** Requests byte by byte. What is expected is written by hand from the specification. */
import { inspect } from "node:util"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { TranslateClient, TranslateError } from "effect-translate"
import manifest from "../../package.json" with { type: "json" }
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
import { answer, onlyRequest, requests } from "../support/recordingServer.js"

/** Sends a request and hands back what the server recorded. */
const sent = (request: TranslateClient.TranslateRequest) =>
  Effect.gen(function* () {
    yield* answer(translations(...request.text))
    yield* translate(request)
    return yield* onlyRequest
  })

/** The members of a JSON object as they stand in the text, in alphabetic order: their own order means nothing. */
const members = (json: string) =>
  Object.entries(JSON.parse(json) as object)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .sort()

/** The same members, and not a byte more. */
const expectBody = (body: string, expected: string) => {
  expect(members(body)).toEqual(members(expected))
  expect(body.length).toBe(expected.length)
}

describe("POST /v2/translate", () => {
  it.effect("sends method, path, key, content type, length and body as the specification writes them", () =>
    Effect.gen(function* () {
      const request = yield* sent({ text: ["Hello", "Grüße, 世界 🌍"], targetLang: "de" })
      expect(request.method).toBe("POST")
      expect(request.path).toBe("/v2/translate")
      expect(request.headers.authorization).toBe(`Service-Auth-Key ${key}`)
      expect(request.headers["content-type"]).toBe("application/json")
      expect(request.headers["content-length"]).toBe("60")
      expect(request.headers["transfer-encoding"]).toBeUndefined()
      expect(request.text).toBe('{"text":["Hello","Grüße, 世界 🌍"],"target_lang":"de"}')
      expect(request.body.length).toBe(60)
    }).pipe(Effect.provide(served()))
  )

  it.effect("names the library and its version, and asks for the encodings that are decoded", () =>
    Effect.gen(function* () {
      const request = yield* sent({ text: ["Hello"], targetLang: "de" })
      expect(request.headers["user-agent"]).toBe(`effect-translate/${manifest.version}`)
      expect(request.headers["accept-encoding"]).toBe("gzip, deflate, br")
    }).pipe(Effect.provide(served()))
  )

  it.effect("sends each request with its own options, whatever the one before had", () =>
    Effect.gen(function* () {
      const ignoreTags = ["a"]
      const texts = (...text: [string, ...Array<string>]) => ({ text })
      const calls: ReadonlyArray<readonly [TranslateClient.TranslateRequest, string]> = [
        [{ ...texts("a"), targetLang: "de" }, '{"text":["a"],"target_lang":"de"}'],
        [{ ...texts("b", "c"), targetLang: "de" }, '{"text":["b","c"],"target_lang":"de"}'],
        [{ ...texts("a"), targetLang: "fr" }, '{"text":["a"],"target_lang":"fr"}'],
        [
          { ...texts("a"), targetLang: "fr", formality: "more" },
          '{"text":["a"],"target_lang":"fr","formality":"more"}'
        ],
        [{ ...texts("a"), targetLang: "fr" }, '{"text":["a"],"target_lang":"fr"}'],
        [
          { ...texts("a"), targetLang: "fr", ignoreTags },
          '{"text":["a"],"target_lang":"fr","ignore_tags":["a"]}'
        ],
        [
          { ...texts("a"), targetLang: "fr", ignoreTags },
          '{"text":["a"],"target_lang":"fr","ignore_tags":["a","b"]}'
        ]
      ]
      for (const [index, [request]] of calls.entries()) {
        if (index === calls.length - 1) ignoreTags.push("b")
        yield* answer(translations(...request.text))
        yield* translate(request)
      }
      const recorded = yield* requests
      calls.forEach(([, body], index) => {
        expectBody(recorded[index]!.text, body)
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("refuses bad texts also after a good request with the same options", () =>
    Effect.gen(function* () {
      yield* sent(hello)
      for (const text of [[], [1], Array(51).fill("x"), "x", undefined]) {
        const refused = { ...hello, text } as unknown as TranslateClient.TranslateRequest
        expect(yield* Effect.flip(translate(refused))).toMatchObject({ _tag: "InvalidRequest" })
      }
      expect(yield* requests).toHaveLength(1)
    }).pipe(Effect.provide(served()))
  )

  it.effect("sends the key once, in the Authorization header and nowhere else", () =>
    Effect.gen(function* () {
      const request = yield* sent(hello)
      expect(request.rawHeaders.filter((part) => part.includes(key))).toEqual([`Service-Auth-Key ${key}`])
      expect(request.path + request.text).not.toContain(key)
    }).pipe(Effect.provide(served()))
  )

  it.effect("sends the options of plain text under their wire names", () =>
    Effect.gen(function* () {
      const request = yield* sent({
        text: ["Hello"],
        targetLang: "de",
        sourceLang: "en",
        context: "A greeting.",
        modelType: "prefer_quality_optimized",
        splitSentences: "nonewlines",
        preserveFormatting: true,
        formality: "prefer_less",
        glossaryId: "def3a26b-3e84-45b3-84ae-0c0aaf3525f7",
        styleId: "7ff9bfd6-cd85-4190-8503-d6215a321519",
        customInstructions: ["Use short words.", "Keep names."],
        translationMemoryId: "a74d88fb-ed2a-4943-a664-a4512398b994",
        translationMemoryThreshold: 80,
        showBilledCharacters: true
      })
      expectBody(
        request.text,
        '{"text":["Hello"],"target_lang":"de","source_lang":"en","context":"A greeting.",' +
          '"model_type":"prefer_quality_optimized","split_sentences":"nonewlines","preserve_formatting":true,' +
          '"formality":"prefer_less","glossary_id":"def3a26b-3e84-45b3-84ae-0c0aaf3525f7",' +
          '"style_id":"7ff9bfd6-cd85-4190-8503-d6215a321519",' +
          '"custom_instructions":["Use short words.","Keep names."],' +
          '"translation_memory_id":"a74d88fb-ed2a-4943-a664-a4512398b994","translation_memory_threshold":80,' +
          '"show_billed_characters":true}'
      )
    }).pipe(Effect.provide(served()))
  )

  it.effect("sends the options of marked-up text, tags as arrays, and several glossaries", () =>
    Effect.gen(function* () {
      const request = yield* sent({
        text: ["<p>Hello</p>"],
        targetLang: "de",
        sourceLang: "en",
        glossaryIds: ["g-1", "g-2"],
        tagHandling: "xml",
        tagHandlingVersion: "v2",
        outlineDetection: false,
        nonSplittingTags: ["b", "i"],
        splittingTags: ["p"],
        ignoreTags: ["code", "x"],
        enableBetaLanguages: false
      })
      expectBody(
        request.text,
        '{"text":["<p>Hello</p>"],"target_lang":"de","source_lang":"en","glossary_ids":["g-1","g-2"],' +
          '"tag_handling":"xml","tag_handling_version":"v2","outline_detection":false,' +
          '"non_splitting_tags":["b","i"],"splitting_tags":["p"],"ignore_tags":["code","x"],' +
          '"enable_beta_languages":false}'
      )
    }).pipe(Effect.provide(served()))
  )

  it.effect("sends nothing for options that are undefined", () =>
    Effect.gen(function* () {
      const request = yield* sent({
        ...hello,
        sourceLang: undefined,
        context: undefined,
        formality: undefined
      })
      expect(request.text).toBe('{"text":["Hello"],"target_lang":"de"}')
    }).pipe(Effect.provide(served()))
  )

  it.effect("sends texts as they are: whitespace, controls, quotes, lone surrogates escaped", () =>
    Effect.gen(function* () {
      const request = yield* sent({ text: [' a\n\t\u0000"\\/\u2028\ud800 '], targetLang: "de" })
      expect(request.text).toBe('{"text":[" a\\n\\t\\u0000\\"\\\\/\u2028\\ud800 "],"target_lang":"de"}')
    }).pipe(Effect.provide(served()))
  )

  for (const [given, canonical] of [
    ["DE", "de"],
    ["en-gb", "en-GB"],
    ["EN-US", "en-US"],
    ["Pt-bR", "pt-BR"],
    ["zh-hant", "zh-Hant"],
    ["ZH-HANS", "zh-Hans"],
    ["ES-419", "es-419"],
    ["DE-ch", "de-CH"]
  ] as const) {
    it.effect(`sends the language ${given} as ${canonical}`, () =>
      Effect.gen(function* () {
        const request = yield* sent({ text: ["Hello"], targetLang: given, sourceLang: given })
        expectBody(
          request.text,
          `{"text":["Hello"],"target_lang":"${canonical}","source_lang":"${canonical}"}`
        )
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect("sends another scheme word if one is set", () =>
    Effect.gen(function* () {
      const request = yield* sent(hello)
      expect(request.headers.authorization).toBe(`Gateway-Key ${key}`)
    }).pipe(Effect.provide(served({ scheme: "Gateway-Key" })))
  )
})

describe("GET /v2/usage", () => {
  it.effect("sends method, path and key, and no body", () =>
    Effect.gen(function* () {
      yield* answer({ body: {} })
      yield* usage
      const request = yield* onlyRequest
      expect(request.method).toBe("GET")
      expect(request.path).toBe("/v2/usage")
      expect(request.headers.authorization).toBe(`Service-Auth-Key ${key}`)
      expect(request.headers["content-type"]).toBeUndefined()
      expect(request.headers["content-length"] ?? "0").toBe("0")
      expect(request.text).toBe("")
    }).pipe(Effect.provide(served()))
  )
})

describe("the base address", () => {
  for (const [suffix, prefix, how] of [
    ["", "", "as it is"],
    ["/", "", "with a trailing slash"],
    ["//", "", "with two trailing slashes"],
    ["/v2", "", "that ends in the version"],
    ["/v2/", "", "that ends in the version and a slash"],
    ["/v2/translate", "", "that ends in the path of the endpoint"],
    ["/v3/glossaries", "", "that ends in the path of another endpoint"],
    ["/gate/way", "/gate/way", "with a gateway's path"],
    ["/gate/way/", "/gate/way", "with a gateway's path and a slash"],
    ["/gateway/v2/translate", "/gateway", "with a gateway's path before that of the endpoint"],
    ["?tenant=1", "", "with a query"],
    ["/gateway/v2?tenant=1#top", "/gateway", "with a path, a query and a fragment"]
  ] as const) {
    it.effect(`${how} (${suffix || "nothing"}) leads to the right paths`, () =>
      Effect.gen(function* () {
        yield* answer(hallo, { body: {} })
        yield* translate(hello)
        yield* usage
        const recorded = yield* requests
        expect(recorded.map(({ path }) => path)).toEqual([`${prefix}/v2/translate`, `${prefix}/v2/usage`])
      }).pipe(Effect.provide(served({ suffix })))
    )
  }
})

describe("the key", () => {
  const everywhere = (error: unknown) =>
    [
      String(error),
      JSON.stringify(error),
      inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true }),
      Cause.pretty(Cause.fail(error), { renderErrorCause: true }),
      inspect(Cause.fail(error), { depth: Number.POSITIVE_INFINITY })
    ].join("\n")

  for (const [what, scripted] of Object.entries({
    "a refusal that echoes it": {
      status: 403,
      body: { message: `Service-Auth-Key ${key} is no key`, detail: key }
    },
    "a refusal that echoes it in plain text": { status: 403, body: `no such key: ${key}` },
    "a failure whose headers echo it": {
      status: 500,
      headers: { "x-echo": key, "x-trace-id": "t-1" },
      body: ""
    },
    "an answer that can't be decoded": { body: `{"translations":"${key}"}` },
    "an answer that is no JSON": { body: `<html>${key}</html>` },
    "an answer with too many items": {
      body: { translations: [{ text: key }, { text: key }] }
    },
    "a connection that is cut": { cut: "before" },
    "a connection that is cut within the answer": {
      body: { translations: [{ text: key }] },
      cut: "mid-body"
    },
    "an unexpected status": { status: 302, headers: { location: `https://elsewhere.test/?key=${key}` } }
  } as const)) {
    it.effect(`is in no part of the error after ${what}`, () =>
      Effect.gen(function* () {
        yield* answer(scripted)
        const error = yield* Effect.flip(once(translate(hello)))
        expect(everywhere(error)).not.toContain(key)
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect("is in no part of the error of a request that is refused before it is sent", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(translate({ text: [], targetLang: "de" }))
      expect(everywhere(error)).not.toContain(key)
    }).pipe(Effect.provide(served()))
  )

  it.effect("is in no part of the error when nobody listens", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(once(translate(hello)))
      expect(everywhere(error)).not.toContain(key)
    }).pipe(Effect.provide(served({ url: "http://127.0.0.1:1" })))
  )

  for (const [transport, layer] of [
    ["undici", NodeHttpClient.layerUndici],
    ["node:http", NodeHttpClient.layer],
    ["fetch", FetchHttpClient.layer]
  ] as const) {
    for (const [what, call, path] of [
      ["a translation", translate(hello), "/v2/translate"],
      ["a read", usage, "/v2/usage"]
    ] as const) {
      for (const status of [302, 307]) {
        it.effect(`does not follow the redirect ${status} of ${what} (${transport})`, () =>
          Effect.gen(function* () {
            yield* answer({ status, headers: { location: "/elsewhere" } }, { body: { ...hallo.body } })
            const result = yield* Effect.either(
              once(call as Effect.Effect<unknown, TranslateError.TranslateError>)
            )
            expect((yield* requests).map(({ path }) => path)).toEqual([path])
            expect(result).toMatchObject({ _tag: "Left", left: { _tag: "UnexpectedStatus", attempts: 1 } })
          }).pipe(Effect.provide(servedOver(layer)))
        )
      }
    }
  }
})
