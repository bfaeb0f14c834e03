/** The layers of the two clients: of texts, and of all endpoints. */
import { describe, expect, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import {
  Auth,
  CircuitBreaker,
  ConcurrencyLimit,
  QuotaPolicy,
  Region,
  RetryPolicy,
  TranslateClient,
  TranslateStream,
  TranslationStore,
  Translator
} from "effect-translate"
import { Emulator, Fault } from "effect-translate/emulator"
import { causes, collect, drain, failsWith, numbered, values } from "../stream/support.js"
import { emulatedInProcess } from "../support/emulator.js"

const key = Redacted.make(Emulator.defaultKey)

const translate = (options: Partial<TranslateStream.Options> = {}) =>
  collect(TranslateStream.translate(Stream.fromIterable(numbered(120)), { targetLang: "de", ...options }))

/** The address of the emulator, and what it has billed. */
const given = Effect.map(Emulator.Emulator, ({ meter, url }) => ({
  url,
  billed: Effect.map(meter, ({ characters }) => characters),
  keys: Effect.map(meter, ({ keys }) => keys)
}))

const bothLayers = [
  ["Translator", Translator.layer],
  ["TranslateClient", TranslateClient.layer]
] as const

describe("a layer of Translator", () => {
  it.virtual(
    "translates as the client of all endpoints does, and each finds the translations of the other",
    () =>
      Effect.gen(function* () {
        const { billed, url } = yield* given
        const small = Translator.layer({ url, name: "emulator", key })
        const store = yield* TranslationStore.makeMemory()
        const outcomes = yield* Effect.provide(translate({ store }), small)
        expect(new Set(causes(outcomes))).toEqual(new Set(["Translated"]))
        const before = yield* billed
        const again = yield* translate({ store })
        expect(new Set(causes(again))).toEqual(new Set(["Cached"]))
        expect(values(again)).toEqual(values(outcomes))
        expect(yield* billed).toBe(before)
      }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.virtual("reads the content of glossaries and style rules of its options for a store", () =>
    Effect.gen(function* () {
      const { billed, url } = yield* given
      const { glossaries, styleRules } = yield* TranslateClient.TranslateClient
      const pair = { sourceLang: "en", targetLang: "de" }
      const { glossaryId } = yield* glossaries.create({
        name: "Animals",
        dictionaries: [{ ...pair, entries: [{ source: "dog", target: "Hund" }] }]
      })
      const { styleId } = yield* styleRules.create({ name: "House", language: "de" })
      const store = yield* TranslationStore.makeMemory()
      const small = Translator.layer({ url, name: "emulator", key })
      const options = { ...pair, glossaryId, styleId, store }
      yield* Effect.provide(translate(options), small)
      const paid = yield* billed
      yield* translate(options)
      expect(yield* billed).toBe(paid)
      yield* glossaries.update(glossaryId, {
        dictionary: { ...pair, entries: [{ source: "dog", target: "Köter" }] }
      })
      yield* Effect.provide(translate(options), small)
      expect(yield* billed).toBe(2 * paid)
      yield* styleRules.replaceConfiguredRules(styleId, {
        punctuation: { apostrophe: "use_curly_apostrophes" }
      })
      yield* Effect.provide(translate(options), small)
      expect(yield* billed).toBe(3 * paid)
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.virtual("refuses a style rule list in the free tier, and asks nothing", () =>
    Effect.gen(function* () {
      const { url } = yield* given
      const store = yield* TranslationStore.makeMemory()
      const error = yield* translate({ store, styleId: "s" }).pipe(
        Effect.flip,
        Effect.provide(Translator.layer({ url, key, tier: "free" }))
      )
      expect(error).toMatchObject({ _tag: "InvalidRequest", violations: [{ field: "styleId" }] })
      expect((yield* (yield* Emulator.Emulator).meter).requests).toBe(0)
    }).pipe(Effect.provide(Emulator.layerHttpClient()))
  )
})

describe.each(bothLayers)("a layer of %s", (_, layer) => {
  it.virtual("goes on with another account, and waits for the end of the period when all are used up", () =>
    Effect.gen(function* () {
      const { keys, url } = yield* given
      const [a, b] = [Redacted.make("a"), Redacted.make("b")]
      const client = layer({
        url,
        key: a,
        quota: [QuotaPolicy.failOver([{ key: b }]), QuotaPolicy.wait({ untilPeriodEnds: true })]
      })
      const outcomes = yield* Effect.provide(translate({ maxTexts: 10 }), client)
      expect(new Set(causes(outcomes))).toEqual(new Set(["Translated"]))
      const used = yield* keys
      expect(used.a!.characters).toBeGreaterThan(100)
      expect(used.b!.characters).toBeGreaterThan(0)
    }).pipe(
      Effect.provide(
        Emulator.layerHttpClient({
          keys: [
            { key: "a", characterLimit: 100 },
            { key: "b", characterLimit: 100 }
          ]
        })
      )
    )
  )

  it.virtual("has a circuit by its own policy", () =>
    Effect.gen(function* () {
      const { url } = yield* given
      const { script } = yield* Emulator.Emulator
      yield* script(Fault.times(Fault.status(503), Number.POSITIVE_INFINITY))
      const { out } = yield* drain(
        TranslateStream.translate(Stream.fromIterable(numbered(120)), { targetLang: "de" })
      ).pipe(
        RetryPolicy.withRetryPolicy(RetryPolicy.none),
        Effect.provide(layer({ url, key, circuit: CircuitBreaker.none }))
      )
      expect(new Set(causes(out))).toEqual(new Set(["ServerError"]))
    }).pipe(Effect.provide(Emulator.layerHttpClient()))
  )

  it.virtual("has a limit of its own, which all that is built of it shares", () =>
    Effect.gen(function* () {
      const { url } = yield* given
      let taken = 0
      const limit = Effect.map(ConcurrencyLimit.makeUnlimited, (limit) => {
        taken++
        return limit
      })
      const client = layer({ url, key, limit })
      yield* Effect.all([translate(), translate()]).pipe(Effect.provide(Layer.merge(client, client)))
      expect(taken).toBe(1)
    }).pipe(Effect.provide(Emulator.layerHttpClient()))
  )

  it.effect("fails for a key that no header takes, and does not show it", () =>
    Effect.gen(function* () {
      const layered = layer({ url: "https://service.test", key: Redacted.make("5ecret key") })
      const error = yield* Effect.flip(Effect.scoped(Layer.build(layered)))
      expect(String(error)).toContain("LANGUAGE_SERVICE_KEY")
      expect(String(error)).not.toContain("5ecret")
    }).pipe(Effect.provide(Emulator.layerHttpClient()))
  )
})

describe("layerConfig", () => {
  it.virtual("takes other variables, and a second key of one", () =>
    Effect.gen(function* () {
      const { keys, url } = yield* given
      const provider = ConfigProvider.fromMap(
        new Map([
          ["URL", url],
          ["KEY", "a"],
          ["SECOND_KEY", "b"]
        ])
      )
      const client = Layer.unwrapEffect(
        Effect.map(Config.redacted("SECOND_KEY"), (second) =>
          Translator.layerConfig({
            url: Config.string("URL"),
            key: Config.redacted("KEY"),
            quota: QuotaPolicy.failOver([{ key: second }])
          })
        )
      )
      yield* translate().pipe(Effect.provide(client), Effect.withConfigProvider(provider))
      const used = yield* keys
      expect(used.b!.characters).toBeGreaterThan(0)
    }).pipe(
      Effect.provide(Emulator.layerHttpClient({ keys: [{ key: "a", characterLimit: 0 }, { key: "b" }] }))
    )
  )

  it("is one and the same layer without options, so that all who use it share a client", () => {
    expect(Translator.layerConfig()).toBe(Translator.layerConfig({}))
    expect(TranslateClient.layerConfig()).toBe(TranslateClient.layerConfig({}))
    const own = Config.redacted("KEY")
    expect(TranslateClient.layerConfig({ key: own })).not.toBe(TranslateClient.layerConfig({ key: own }))
  })
})

describe("layerServices", () => {
  it.virtual("of two clients take the region, the key and the limit of the program", () =>
    Effect.gen(function* () {
      const { url } = yield* given
      const limit = yield* ConcurrencyLimit.makeUnlimited
      let taken = 0
      const counted: ConcurrencyLimit.Service = {
        ...limit,
        takeIfAvailable: Effect.tap(limit.takeIfAvailable, () => Effect.sync(() => taken++))
      }
      const services = Layer.mergeAll(
        Region.layer({ url }),
        Auth.layer({ key }),
        Layer.succeed(ConcurrencyLimit.ConcurrencyLimit, counted)
      )
      const both = Layer.merge(
        Layer.map(Translator.layerServices(), (context) =>
          Context.make(Small, Context.get(context, Translator.Translator))
        ),
        TranslateClient.layerServices()
      )
      yield* Effect.gen(function* () {
        const small = yield* Small
        yield* small.translate(["a"], { targetLang: "de" })
        yield* (yield* TranslateClient.TranslateClient).usage
      }).pipe(Effect.provide(Layer.provide(both, services)))
      expect(taken).toBe(2)
    }).pipe(Effect.provide(Emulator.layerHttpClient()))
  )
})

class Small extends Context.Tag("test/Small")<Small, Translator.Service>() {}

describe("Emulator.layerClient", () => {
  it.virtual("gives an emulator, a client of its first key, and a translator in one line", () =>
    Effect.gen(function* () {
      yield* translate()
      const { exit } = yield* drain(TranslateStream.translate(Stream.make("a"), { targetLang: "de" }))
      expect(failsWith(exit)).toMatchObject({ _tag: "QuotaExceeded" })
      expect(Object.keys(yield* (yield* given).keys)).toContain("first")
    }).pipe(
      Effect.provide(
        Emulator.layerClient({ keys: [{ key: "first", characterLimit: numbered(120).join("").length }] })
      )
    )
  )
})
