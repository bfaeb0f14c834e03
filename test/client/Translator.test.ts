/** The translator of the streams: batches to the service, and any other that takes its place. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type TranslateClient, TranslateStream, Translator } from "effect-translate"
import { Emulator, Fault } from "effect-translate/emulator"
import {
  answerOf,
  badRequest,
  causes,
  collect,
  de,
  drain,
  german,
  meter,
  numbered,
  once,
  provide,
  quotaExceeded,
  script,
  served,
  values
} from "../stream/support.js"
import { served as recorded, translations } from "../support/client.js"
import * as recording from "../support/recordingServer.js"

const translate = (texts: ReadonlyArray<string>, options: TranslateClient.TranslateOptions = de) =>
  Effect.flatMap(Translator.Translator, (translator) => translator.translate(texts, options))

describe("make", () => {
  const clientOf = (translateText: TranslateClient.Service["translateText"]) => ({ translateText })

  it.effect("sends the texts with the options, and gives the answer as it is", () =>
    Effect.gen(function* () {
      const requests: Array<TranslateClient.TranslateRequest> = []
      const answer = answerOf(["a", "b"], 2)
      const translator = Translator.make(
        clientOf((request) =>
          Effect.sync(() => {
            requests.push(request)
            return answer
          })
        )
      )
      const got = yield* translator.translate(["a", "b"], {
        targetLang: "de",
        formality: "less",
        context: "c"
      })
      expect(got).toBe(answer)
      expect(requests).toEqual([{ text: ["a", "b"], targetLang: "de", formality: "less", context: "c" }])
    })
  )

  it.effect("keeps the error", () =>
    Effect.gen(function* () {
      const translator = Translator.make(clientOf(() => Effect.fail(badRequest)))
      expect(yield* Effect.flip(translator.translate(["a"], de))).toBe(badRequest)
    })
  )
})

describe("layer", () => {
  it.virtual("translates over HTTP, in the order of the texts", () =>
    Effect.gen(function* () {
      const { ambiguousAttempts, attempts, translations } = yield* translate(numbered(50))
      expect(translations.map(({ text }) => text)).toEqual(numbered(50).map(german))
      expect([attempts, ambiguousAttempts]).toEqual([1, 0])
    }).pipe(Effect.provide(served()))
  )

  it.virtual("refuses more than 50 texts before sending", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(translate(numbered(51)))).toMatchObject({ _tag: "InvalidRequest" })
      expect((yield* meter).requests).toBe(0)
    }).pipe(Effect.provide(served()))
  )

  it.virtual("fails with the error of the service", () =>
    Effect.gen(function* () {
      yield* script(Fault.status(456))
      expect(yield* Effect.flip(translate(["a"]))).toMatchObject({ _tag: "QuotaExceeded", status: 456 })
    }).pipe(once, Effect.provide(served()))
  )

  it.live("puts exactly the options of the stream on the wire, and asks for the billed characters", () =>
    Effect.gen(function* () {
      yield* recording.answer(translations("x", "y"))
      yield* TranslateStream.translate(Stream.make("a", "", "b"), {
        targetLang: "pt-br",
        sourceLang: "EN",
        formality: "prefer_less",
        context: "c",
        concurrency: 2,
        unordered: true
      }).pipe(collect)
      expect(JSON.parse((yield* recording.onlyRequest).text)).toEqual({
        text: ["a", "b"],
        target_lang: "pt-BR",
        source_lang: "en",
        formality: "prefer_less",
        context: "c",
        show_billed_characters: true
      })
    }).pipe(Effect.provide(recorded()))
  )
})

describe("layerConfig", () => {
  it.virtual("takes address and key from the configuration", () =>
    Effect.gen(function* () {
      const { url } = yield* Emulator.Emulator
      const config = ConfigProvider.fromMap(
        new Map([
          ["LANGUAGE_SERVICE_URL", url],
          ["LANGUAGE_SERVICE_KEY", "another-key"]
        ])
      )
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("b"), de)).pipe(
        Effect.provide(Translator.layerConfig().pipe(Layer.provide(Layer.setConfigProvider(config))))
      )
      expect(values(outcomes)).toEqual(["[de] b"])
      expect((yield* meter).keys["another-key"]!.characters).toBe(1)
    }).pipe(Effect.provide(Emulator.layerHttpClient({ keys: ["another-key"] })))
  )

  it.virtual("serves two regions in one program, each with a client of its own", () =>
    Effect.gen(function* () {
      const { url } = yield* Emulator.Emulator
      const config = ConfigProvider.fromMap(
        new Map([
          ["EU_URL", url],
          ["EU_KEY", "a"],
          ["US_URL", `${url}/v2`],
          ["US_KEY", "b"]
        ])
      )
      const regionOf = (name: string) =>
        Translator.layerConfig({ url: Config.string(`${name}_URL`), key: Config.redacted(`${name}_KEY`) })
      const run = (text: string) => collect(TranslateStream.translate(Stream.make(text), de))
      yield* Effect.all([
        Effect.provide(run("Hello"), regionOf("EU")),
        Effect.provide(run("Bye"), regionOf("US"))
      ]).pipe(Effect.withConfigProvider(config))
      const { keys } = yield* meter
      expect([keys.a!.characters, keys.b!.characters]).toEqual([5, 3])
    }).pipe(Effect.provide(Emulator.layerHttpClient({ keys: ["a", "b"] })))
  )

  it.effect("fails without them", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        Effect.provide(
          translate(["a"]),
          Translator.layerConfig().pipe(
            Layer.provide(NodeHttpClient.layerUndici),
            Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map())))
          )
        )
      )
      expect(String(error)).toContain("LANGUAGE_SERVICE_URL")
    })
  )
})

describe("a translator of one's own", () => {
  it.effect("serves the streams", () =>
    Effect.gen(function* () {
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("a", " ", "b"), de))
      expect(values(outcomes)).toEqual(["<a>", " ", "<b>"])
    }).pipe(provide({ translate: (texts) => Effect.succeed(answerOf(texts)) }))
  )

  for (const [how, answer] of [
    ["few", ["a"]],
    ["many", ["x", "a", "b"]]
  ] as const) {
    it.virtual(
      `that answers with too ${how} translations matches no text with another's, and is no hang`,
      () =>
        Effect.gen(function* () {
          const { exit, out } = yield* drain(TranslateStream.translate(Stream.make("a", "b"), de))
          expect(exit._tag).toBe("Success")
          expect(causes(out)).toEqual(["MismatchedResponse", "MismatchedResponse"])
          expect(values(out)).toEqual(["a", "b"])
        }).pipe(provide({ translate: () => Effect.succeed(answerOf(answer)) }))
    )
  }

  it.effect("may fall back on another one when a quota is used up", () =>
    Effect.gen(function* () {
      const first: Translator.Service = { translate: () => Effect.fail(quotaExceeded) }
      const second: Translator.Service = { translate: (texts) => Effect.succeed(answerOf(texts)) }
      const either: Translator.Service = {
        translate: (texts, options) =>
          Effect.catchTag(first.translate(texts, options), "QuotaExceeded", () =>
            second.translate(texts, options)
          )
      }
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(numbered(120)), de)).pipe(
        provide(either)
      )
      expect(new Set(causes(outcomes))).toEqual(new Set(["Translated"]))
    })
  )
})
