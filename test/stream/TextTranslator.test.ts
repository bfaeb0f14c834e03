/** The translator without the other endpoints: the same translations, and a store only where it knows what options name. */
import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import {
  Auth,
  ConcurrencyLimit,
  Region,
  TextTranslator,
  TranslateClient,
  TranslateStream,
  TranslationStore,
  Translator
} from "effect-translate"
import { Emulator } from "effect-translate/emulator"
import { causes, collect, numbered, values } from "./support.js"

const emulator = Emulator.layerHttpClient()

/** Both translators of a service, and its meter. */
const given = Effect.gen(function* () {
  const { meter, url } = yield* Emulator.Emulator
  const service = Layer.mergeAll(
    Region.layer({ url }),
    Auth.layer({ key: Redacted.make(Emulator.defaultKey) }),
    ConcurrencyLimit.layerUnlimited
  )
  return {
    url,
    billed: Effect.map(meter, ({ characters }) => characters),
    text: TextTranslator.layer.pipe(Layer.provide(service)),
    whole: Translator.layer.pipe(Layer.provide(TranslateClient.layer), Layer.provide(service))
  }
})

const translate = (options: Partial<TranslateStream.Options> = {}) =>
  collect(TranslateStream.translate(Stream.fromIterable(numbered(120)), { targetLang: "de", ...options }))

describe("TextTranslator", () => {
  it.virtual("translates as the translator of the whole client does", () =>
    Effect.gen(function* () {
      const { text, whole } = yield* given
      const outcomes = yield* Effect.provide(translate(), text)
      expect(new Set(causes(outcomes))).toEqual(new Set(["Translated"]))
      expect(values(outcomes)).toEqual(values(yield* Effect.provide(translate(), whole)))
    }).pipe(Effect.provide(emulator))
  )

  it.virtual("finds in a store what the other has paid for", () =>
    Effect.gen(function* () {
      const { billed, text, whole } = yield* given
      const store = yield* TranslationStore.makeMemory()
      yield* Effect.provide(translate({ store }), whole)
      const before = yield* billed
      expect(new Set(causes(yield* Effect.provide(translate({ store }), text)))).toEqual(new Set(["Cached"]))
      expect(yield* billed).toBe(before)
    }).pipe(Effect.provide(emulator), Effect.scoped)
  )

  it.virtual("refuses a store where it can't read what the options name", () =>
    Effect.gen(function* () {
      const { billed, text } = yield* given
      const store = yield* TranslationStore.makeMemory()
      for (const options of [
        { sourceLang: "en", glossaryId: "g" },
        { sourceLang: "en", glossaryIds: ["g"] },
        { styleId: "s" }
      ] as const) {
        const error = yield* Effect.flip(Effect.provide(translate({ store, ...options }), text))
        expect(error).toMatchObject({
          _tag: "InvalidRequest",
          violations: [{ field: "store", rule: expect.stringContaining("take that of Translator.layer") }]
        })
      }
      expect(yield* billed).toBe(0)
    }).pipe(Effect.provide(emulator), Effect.scoped)
  )

  it.virtual("comes from the configuration", () =>
    Effect.gen(function* () {
      const { url } = yield* given
      const provider = ConfigProvider.fromMap(
        new Map([
          ["LANGUAGE_SERVICE_URL", url],
          ["LANGUAGE_SERVICE_KEY", Emulator.defaultKey]
        ])
      )
      const outcomes = yield* translate().pipe(
        Effect.provide(TextTranslator.layerConfig()),
        Effect.withConfigProvider(provider)
      )
      expect(outcomes).toHaveLength(120)
    }).pipe(Effect.provide(emulator))
  )
})
