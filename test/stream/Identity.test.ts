/** What answers depend on besides texts and options: service, account, and the content of glossaries and style rules. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import {
  QuotaPolicy,
  Region,
  TranslateClient,
  TranslateStream,
  TranslationStore,
  Translator
} from "effect-translate"
import { Emulator } from "effect-translate/emulator"
import * as namespace from "../../src/stream/internal/namespace.js"
import { translation } from "../../src/stream/internal/options.js"
import { served as recorded } from "../support/client.js"
import { emulatedInProcess } from "../support/emulator.js"
import * as recording from "../support/recordingServer.js"
import { sharedLayer } from "../support/sharedLayer.js"
import { answerOf, collect, de } from "./support.js"

const namespaceOf = (translator: Translator.Service, options: TranslateStream.Options) =>
  namespace.ofTranslator(translator, translation(options), options)

/** The client, and the namespace of its translations. */
const given = Effect.map(TranslateClient.TranslateClient, (client) => ({
  client,
  open: (options: TranslateStream.Options) => namespaceOf(Translator.make(client), options)
}))

const emulator = emulatedInProcess()

const live = sharedLayer(emulator)

const pair = { sourceLang: "en", targetLang: "de" }

const dictionary = (...entries: ReadonlyArray<readonly [string, string]>) => ({
  ...pair,
  entries: entries.map(([source, target]) => ({ source, target }))
})

const dog = ["dog", "Hund"] as const
const cat = ["cat", "Katze"] as const

const glossaryOf = (client: TranslateClient.Service, ...entries: ReadonlyArray<readonly [string, string]>) =>
  Effect.map(
    client.glossaries.create({ name: "Animals", dictionaries: [dictionary(...entries)] }),
    ({ glossaryId }) => glossaryId
  )

describe("a glossary", () => {
  live("gives another namespace once an entry is another, is added or is gone", () =>
    Effect.gen(function* () {
      const { client, open } = yield* given
      const glossaryId = yield* glossaryOf(client, dog, cat)
      const options = { ...pair, glossaryId }
      const first = yield* open(options)
      expect(yield* open(options)).toEqual(first)
      yield* client.glossaries.update(glossaryId, { dictionary: dictionary(["dog", "Köter"]) })
      const second = yield* open(options)
      yield* client.glossaries.replaceDictionary(glossaryId, dictionary(dog))
      const third = yield* open(options)
      expect(new Set([first, second, third].map(({ settings }) => settings)).size).toBe(3)
      yield* client.glossaries.replaceDictionary(glossaryId, dictionary(cat, dog))
      expect(yield* open(options)).toEqual(first)
    })
  )

  live("gives the same one if it is renamed, or another pair of languages is changed", () =>
    Effect.gen(function* () {
      const { client, open } = yield* given
      const glossaryId = yield* glossaryOf(client, dog)
      const options = { ...pair, targetLang: "de-CH", glossaryId }
      const first = yield* open(options)
      yield* client.glossaries.update(glossaryId, {
        name: "Pets",
        dictionary: { ...dictionary(["dog", "chien"]), targetLang: "fr" }
      })
      expect(yield* open(options)).toEqual(first)
    })
  )

  live("gives another one if any of several is changed, or does not exist any more", () =>
    Effect.gen(function* () {
      const { client, open } = yield* given
      const options = {
        ...pair,
        glossaryIds: [yield* glossaryOf(client, dog), yield* glossaryOf(client, cat)]
      }
      const first = yield* open(options)
      yield* client.glossaries.replaceDictionary(options.glossaryIds[1]!, dictionary(["cat", "Kater"]))
      const second = yield* open(options)
      yield* client.glossaries.delete(options.glossaryIds[1]!)
      const third = yield* open(options)
      expect(new Set([first, second, third].map(({ settings }) => settings)).size).toBe(3)
    })
  )

  it.live("is read by the pairs that the service lists, or else by base languages", () =>
    Effect.gen(function* () {
      const client = yield* TranslateClient.TranslateClient
      const options = { sourceLang: "en-GB", targetLang: "pt-BR", glossaryId: "g" }
      const languages = (source_lang: string, target_lang: string) => ({ source_lang, target_lang })
      const ask = (source: string, target: string) =>
        Effect.gen(function* () {
          yield* recording.answer(
            { body: { dictionaries: [languages(source, target)] } },
            { body: { dictionaries: [] } }
          )
          yield* client.contentOf(options)
        })
      yield* ask("en", "de")
      yield* ask("en", "pt-BR")
      const asked = (yield* recording.requests).map(({ path }) => path)
      expect(asked).toEqual([
        "/v3/glossaries/g",
        "/v3/glossaries/g/entries?source_lang=en&target_lang=pt",
        "/v3/glossaries/g",
        "/v3/glossaries/g/entries?source_lang=en&target_lang=pt-BR"
      ])
    }).pipe(Effect.provide(recorded()))
  )

  live("is found among the older ones of one dictionary", () =>
    Effect.gen(function* () {
      const { client, open } = yield* given
      const [first, second] = yield* Effect.forEach([dog, cat], (entry) =>
        Effect.flatMap(
          client.monolingualGlossaries.create({ name: "Animals", ...dictionary(entry) }),
          ({ glossaryId }) => open({ ...pair, glossaryId })
        )
      )
      expect(JSON.parse(first!.settings).content).not.toBe(JSON.parse(second!.settings).content)
    })
  )
})

describe("a style rule list", () => {
  live("gives another namespace once a rule or an instruction is another", () =>
    Effect.gen(function* () {
      const { client, open } = yield* given
      const { customInstructions, styleId } = yield* client.styleRules.create({
        name: "House",
        language: "de",
        configuredRules: { punctuation: { apostrophe: "use_curly_apostrophes" } },
        customInstructions: [{ label: "Tone", prompt: "Be kind." }]
      })
      const options = { ...de, styleId }
      const first = yield* open(options)
      yield* client.styleRules.rename(styleId, "Home")
      expect(yield* open(options)).toEqual(first)
      yield* client.styleRules.replaceInstruction(styleId, customInstructions[0]!.id, {
        label: "Tone",
        prompt: "Be brief.",
        sourceLanguage: null
      })
      const second = yield* open(options)
      yield* client.styleRules.replaceConfiguredRules(styleId, {})
      const third = yield* open(options)
      yield* client.styleRules.delete(styleId)
      const fourth = yield* open(options)
      expect(new Set([first, second, third, fourth].map(({ settings }) => settings)).size).toBe(4)
    })
  )
})

describe("options that name nothing", () => {
  live("are no reason to ask the service", () =>
    Effect.gen(function* () {
      const { open } = yield* given
      const { meter } = yield* Emulator.Emulator
      const { requests } = yield* meter
      yield* open({ ...de, formality: "more" })
      expect((yield* meter).requests).toBe(requests)
    })
  )
})

describe("a stream that has a store", () => {
  const meters = Effect.flatMap(Emulator.Emulator, ({ meter }) => meter)

  /** A run of one text: whether it was paid for. */
  const pays = <E, R>(
    store: TranslationStore.Service,
    options: TranslateStream.Options,
    translator: Layer.Layer<Translator.Translator, E, R>
  ) =>
    Effect.gen(function* () {
      const { characters } = yield* meters
      yield* collect(TranslateStream.translate(Stream.make("dog"), { ...options, store })).pipe(
        Effect.provide(translator)
      )
      return (yield* meters).characters > characters
    })

  live("pays again for what gives another translation, and for nothing else", () =>
    Effect.gen(function* () {
      const { client } = yield* given
      const store = yield* TranslationStore.makeMemory()
      const own = Layer.succeed(Translator.Translator, Translator.make(client))
      const options = { ...pair, glossaryId: yield* glossaryOf(client, dog) }
      expect(yield* pays(store, options, own)).toBe(true)
      expect(yield* pays(store, options, own)).toBe(false)
      expect(
        yield* pays(store, { ...options, targetLang: "DE", budget: 100, concurrency: 1, maxTexts: 2 }, own)
      ).toBe(false)
      yield* client.glossaries.update(options.glossaryId, { name: "Pets" })
      expect(yield* pays(store, options, own)).toBe(false)
      expect(yield* pays(store, { ...options, formality: "less" }, own)).toBe(true)
      expect(yield* pays(store, { ...options, modelType: "quality_optimized" }, own)).toBe(true)
      yield* client.glossaries.replaceDictionary(options.glossaryId, dictionary(["dog", "Dackel"]))
      expect(yield* pays(store, options, own)).toBe(true)
      expect(yield* pays(store, options, own)).toBe(false)
    })
  )

  live("pays again with the key of another account, and at another address", () =>
    Effect.gen(function* () {
      const { client } = yield* given
      const { url } = yield* Emulator.Emulator
      const store = yield* TranslationStore.makeMemory()
      const changed = (identity: Partial<TranslateClient.Identity>) =>
        Layer.succeed(
          Translator.Translator,
          Translator.make({ ...client, identity: { ...client.identity, ...identity } })
        )
      expect(yield* pays(store, de, changed({}))).toBe(true)
      expect(yield* pays(store, de, clientOver({ url, name: "emulator", key: emulatorKey }))).toBe(false)
      expect(yield* pays(store, de, changed({ account: "key:0" }))).toBe(true)
      const named = { url, name: "another", key: emulatorKey }
      expect(yield* pays(store, de, clientOver(named))).toBe(true)
      expect(yield* pays(store, de, clientOver(named))).toBe(false)
    })
  )
})

const emulatorKey = Redacted.make(Emulator.defaultKey)

const key = "k3y-5ecret-0123456789abcdef"

type ClientOptions = Partial<TranslateClient.Options>

const clientOver = (options: ClientOptions) =>
  TranslateClient.layer({ url: "https://service.test", key: Redacted.make(key), ...options })

const clientOf = (options: ClientOptions = {}) =>
  Layer.provide(clientOver(options), NodeHttpClient.layerUndici)

const identityOf = (options?: ClientOptions) =>
  TranslateClient.TranslateClient.pipe(
    Effect.map(({ identity }) => identity),
    Effect.provide(clientOf(options))
  )

describe("the identity of a client", () => {
  it.effect("is its address and a hash of its key, from which nobody reads the key", () =>
    Effect.gen(function* () {
      const identity = yield* identityOf()
      expect(identity.service).toBe("https://service.test")
      expect(identity.account).toMatch(/^key:[\da-f]{32}$/)
      expect(JSON.stringify(identity)).not.toContain(key.slice(0, 5))
    })
  )

  it.effect("is another one at another address and with another key", () =>
    Effect.gen(function* () {
      const first = yield* identityOf()
      const elsewhere = yield* identityOf({ url: "https://service.test/eu" })
      const another = yield* identityOf({ key: Redacted.make("another-key") })
      expect(elsewhere.service).not.toBe(first.service)
      expect(elsewhere.account).toBe(first.account)
      expect(another.account).not.toBe(first.account)
      expect(another.service).toBe(first.service)
    })
  )

  it.effect("is the same with another scheme", () =>
    Effect.gen(function* () {
      expect(yield* identityOf({ scheme: "Bearer" })).toEqual(yield* identityOf())
    })
  )

  it.effect("is the same at another address and with another key, if both have names", () =>
    Effect.gen(function* () {
      const named = { name: "test", account: "main" }
      const first = yield* identityOf(named)
      expect(
        yield* identityOf({
          ...named,
          url: "http://127.0.0.1:1",
          key: Redacted.make("another-key")
        })
      ).toEqual(first)
      expect(first).toEqual({ service: "name:test", account: "name:main" })
    })
  )

  it.effect("is never that of an address or a key, whatever the names are", () =>
    Effect.gen(function* () {
      const first = yield* identityOf()
      const named = yield* identityOf({ name: first.service, account: first.account })
      expect(named.service).not.toBe(first.service)
      expect(named.account).not.toBe(first.account)
    })
  )

  it.effect("is that of the first one under failOver", () =>
    Effect.gen(function* () {
      const quota = QuotaPolicy.failOver([{ key: Redacted.make("another-key") }])
      expect(yield* identityOf({ quota })).toEqual(yield* identityOf())
    })
  )
})

describe("Emulator.layerRegion", () => {
  it.live("is the same service on every port", () =>
    Effect.gen(function* () {
      const run = Effect.provide(
        Region.Region,
        Emulator.layerRegion.pipe(Layer.provideMerge(Emulator.layerNode()))
      )
      const [first, second] = yield* Effect.all([run, run], { concurrency: 2 })
      expect(first.url).not.toBe(second.url)
      expect([first.name, second.name]).toEqual(["emulator", "emulator"])
    })
  )
})

describe("a translator without an identity", () => {
  it.effect("can't have a store, and the error gives advice", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        namespaceOf({ translate: (texts) => Effect.succeed(answerOf(texts)) }, de)
      )
      expect(error).toMatchObject({ _tag: "InvalidRequest", violations: [{ field: "store" }] })
      expect(error.message).toContain("identify")
    })
  )
})
