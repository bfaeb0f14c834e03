/** Two regions, or two keys, in one program: neither sees what the other has. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Auth, ConcurrencyLimit, Region, TranslateClient } from "effect-translate"
import { Emulator } from "effect-translate/emulator"
import { served, usage } from "../support/client.js"
import { answer } from "../support/recordingServer.js"
import { recordingTracer } from "../support/recordingTracer.js"

const emulator = (options?: Emulator.Options) =>
  Effect.map(Layer.build(Emulator.layerNode(options)), Context.get(Emulator.Emulator))

/** A client as a value: a program may hold any number of them. */
const clientOf = (url: string, key: string) =>
  TranslateClient.layerServices().pipe(
    Layer.provide([
      Region.layer({ url }),
      Auth.layer({ key: Redacted.make(key) }),
      ConcurrencyLimit.layerUnlimited,
      NodeHttpClient.layerUndici
    ]),
    Layer.build,
    Effect.map(Context.get(TranslateClient.TranslateClient))
  )

const glossary = (name: string) => ({
  name,
  dictionaries: [{ sourceLang: "en", targetLang: "de", entries: [{ source: "Mug", target: "Tasse" }] }]
})

const useBoth = (a: TranslateClient.Service, b: TranslateClient.Service) =>
  Effect.gen(function* () {
    const made = yield* Effect.all(
      [
        a.translateText({ text: ["12345"], targetLang: "de" }),
        b.translateText({ text: ["1"], targetLang: "de" }),
        a.glossaries.create(glossary("of a")),
        b.glossaries.create(glossary("of b")),
        a.styleRules.create({ name: "of a", language: "de" }),
        b.styleRules.create({ name: "of b", language: "de" })
      ],
      { concurrency: "unbounded" }
    )
    const seen = ({ glossaries, styleRules, usage }: TranslateClient.Service) =>
      Effect.all({
        characters: Effect.map(usage, ({ characterCount }) => characterCount),
        glossaries: Effect.map(glossaries.list, (all) => all.map(({ name }) => name)),
        styles: Effect.map(styleRules.list(), ({ styleRules }) => styleRules.map(({ name }) => name))
      })
    expect(yield* seen(a)).toEqual({ characters: 5, glossaries: ["of a"], styles: ["of a"] })
    expect(yield* seen(b)).toEqual({ characters: 1, glossaries: ["of b"], styles: ["of b"] })
    const [, , ofA, , styleOfA] = made
    const tags = yield* Effect.all([
      Effect.flip(b.glossaries.get(ofA.glossaryId)),
      Effect.flip(b.styleRules.get(styleOfA.styleId))
    ])
    expect(tags.map(({ _tag }) => _tag)).toEqual(["NotFound", "NotFound"])
  })

describe("side by side in one program", () => {
  it.scoped('two regions: "glossaries and style rules are not shared across data centers"', () =>
    Effect.gen(function* () {
      const [eu, us] = yield* Effect.all([emulator(), emulator()])
      const [a, b] = yield* Effect.all([
        clientOf(eu.url, Emulator.defaultKey),
        clientOf(us.url, Emulator.defaultKey)
      ])
      yield* useBoth(a, b)
      const meters = yield* Effect.all([eu.meter, us.meter])
      expect(meters.map(({ characters }) => characters)).toEqual([5, 1])
    })
  )

  it.scoped("two keys never see each other's glossaries, style rules or usage", () =>
    Effect.gen(function* () {
      const { url } = yield* emulator({ keys: ["a", "b"] })
      yield* useBoth(yield* clientOf(url, "a"), yield* clientOf(url, "b"))
    })
  )

  it.scoped("two keys of one account share its usage and its glossaries, not their own usage", () =>
    Effect.gen(function* () {
      const { url } = yield* emulator({
        keys: [
          { key: "a", account: "shared" },
          { key: "b", account: "shared" }
        ]
      })
      const [a, b] = yield* Effect.all([clientOf(url, "a"), clientOf(url, "b")])
      yield* a.translateText({ text: ["12345"], targetLang: "de" })
      yield* a.glossaries.create(glossary("of a"))
      expect(yield* b.usage).toMatchObject({ characterCount: 5, apiKeyCharacterCount: 0 })
      expect(yield* b.glossaries.list).toMatchObject([{ name: "of a" }])
    })
  )
})

describe("two calls of one client", () => {
  it.effect("have their own spans: the span around the first is no parent of the second", () =>
    Effect.gen(function* () {
      yield* answer({ body: {} }, { body: {} })
      const { spans, tracer } = recordingTracer()
      yield* Effect.withTracer(Effect.zipRight(Effect.withSpan(usage, "first"), usage), tracer)
      const calls = spans.filter(({ name }) => name === "effect-translate.call")
      expect(calls.map(({ hasParent }) => hasParent)).toEqual([true, false])
    }).pipe(Effect.provide(served()))
  )
})
