/** Languages: the wire, the answers, and the emulator behind them. */
import * as OpenApi from "@effect/platform/OpenApi"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Languages, TranslateClient } from "effect-translate"
import * as Api from "effect-translate/api"
import { Emulator } from "effect-translate/emulator"
import { key, served } from "../support/client.js"
import { emulated } from "../support/emulator.js"
import * as recording from "../support/recordingServer.js"

const languages = Effect.map(TranslateClient.TranslateClient, (client) => client.languages)

const list = (query: Languages.Query) => Effect.flatMap(languages, ({ list }) => list(query))

/** What the types refuse, callers of plain JavaScript still send. */
const listAnything = (query: object) => list(query as Languages.Query)

const listV2 = (query?: Languages.QueryV2) => Effect.flatMap(languages, ({ listV2 }) => listV2(query))

const resources = Effect.flatMap(languages, ({ resources }) => resources)

const german = {
  lang: "de",
  name: "German",
  usable_as_source: true,
  usable_as_target: true,
  status: "stable",
  features: { formality: { status: "stable" } }
}

describe("GET /v3/languages on the wire", () => {
  it.effect("names the resource in the query, and nothing else unless asked to", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: [] })
      expect(yield* list({ resource: "translate_text" })).toEqual([])
      const request = yield* recording.onlyRequest
      expect(request.method).toBe("GET")
      expect(request.path).toBe("/v3/languages?resource=translate_text")
      expect(request.headers.authorization).toBe(`Service-Auth-Key ${key}`)
      expect(request.text).toBe("")
    }).pipe(Effect.provide(served()))
  )

  it.effect('"include (optional, repeatable enum: beta, external)": it is repeated in the query', () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: [] }, { body: [] })
      yield* list({ resource: "voice", include: ["beta", "external"] })
      yield* list({ resource: "voice", include: ["external"] })
      expect((yield* recording.requests).map(({ path }) => path)).toEqual([
        "/v3/languages?resource=voice&include=beta&include=external",
        "/v3/languages?resource=voice&include=external"
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect(
    '"resource (required enum: translate_text, translate_document, glossary, voice, write, style_rules)"',
    () =>
      Effect.gen(function* () {
        const names = [
          "translate_text",
          "translate_document",
          "glossary",
          "voice",
          "write",
          "style_rules"
        ] as const
        yield* recording.answer(...names.map(() => ({ body: [] })))
        for (const resource of names) yield* list({ resource })
        expect((yield* recording.requests).map(({ path }) => path)).toEqual(
          names.map((name) => `/v3/languages?resource=${name}`)
        )
        for (const query of [{}, { resource: "text" }, { resource: "write", include: ["alpha"] }]) {
          expect(yield* Effect.flip(listAnything(query))).toMatchObject({
            _tag: "InvalidRequest",
            attempts: 0
          })
        }
        expect(yield* recording.requests).toHaveLength(names.length)
      }).pipe(Effect.provide(served()))
  )

  it.effect('refuses "product", the former name of "resource", before anything is sent', () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(listAnything({ resource: "write", product: "write" }))
      expect(error.message).toBe(
        "GET /v3/languages was not sent: product is not known here: check its spelling"
      )
      expect(yield* recording.requests).toEqual([])
    }).pipe(Effect.provide(served()))
  )
})

describe("GET /v3/languages decoded", () => {
  it.effect("decodes every field, and keeps unknown ones in extra, under their names on the wire", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: [{ ...german, external: true, two_words: { a: [1] } }] })
      expect(yield* list({ resource: "translate_text" })).toEqual([
        {
          lang: "de",
          name: "German",
          usableAsSource: true,
          usableAsTarget: true,
          status: "stable",
          features: { formality: { status: "stable" } },
          extra: { external: true, two_words: { a: [1] } }
        }
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect(
    '"lowercase base, uppercase region (en-US, pt-BR), title-case script (zh-Hant)": whatever comes',
    () =>
      Effect.gen(function* () {
        const codes = ["EN-us", "PT-BR", "zh-hant", "es-419"]
        yield* recording.answer({ body: codes.map((lang) => ({ ...german, lang })) })
        const found = yield* list({ resource: "translate_text" })
        expect(found.map(({ lang }) => lang)).toEqual(["en-US", "pt-BR", "zh-Hant", "es-419"])
      }).pipe(Effect.provide(served()))
  )

  it.effect("takes new statuses and features, and keeps the details of a feature", () =>
    Effect.gen(function* () {
      const features = { levitation: { status: "sunset", values: ["high", "low"] } }
      yield* recording.answer({ body: [{ ...german, status: "sunset", features }] })
      expect(yield* list({ resource: "translate_text" })).toMatchObject([{ status: "sunset", features }])
    }).pipe(Effect.provide(served()))
  )

  it.effect("takes constructor and __proto__ for names", () =>
    Effect.gen(function* () {
      const features = JSON.parse('{"constructor": {"status": "stable"}, "__proto__": {"status": "beta"}}')
      yield* recording.answer({ body: [{ ...german, features }] })
      const [language] = yield* list({ resource: "translate_text" })
      expect(Object.entries(language!.features)).toEqual([
        ["constructor", { status: "stable" }],
        ["__proto__", { status: "beta" }]
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect("takes a feature by its name, whatever stands under it", () =>
    Effect.gen(function* () {
      const features = { formality: "stable", glossary: null, style_rules: { status: 7, since: 2026 } }
      yield* recording.answer({ body: [{ ...german, features }] })
      const [language] = yield* list({ resource: "translate_text" })
      expect(language!.features).toStrictEqual({ formality: {}, glossary: {}, style_rules: { since: 2026 } })
    }).pipe(Effect.provide(served()))
  )

  it.effect('has no features if "features" is no object', () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: [{ ...german, features: ["formality"] }] })
      expect(yield* list({ resource: "translate_text" })).toMatchObject([{ lang: "de", features: {} }])
    }).pipe(Effect.provide(served()))
  )
})

describe("GET /v3/languages/resources", () => {
  it.effect("asks for nothing in particular", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: [] })
      expect(yield* resources).toEqual([])
      const request = yield* recording.onlyRequest
      expect([request.method, request.path, request.text]).toEqual(["GET", "/v3/languages/resources", ""])
    }).pipe(Effect.provide(served()))
  )

  it.effect('decodes flags that "may be absent", new names, and keeps unknown fields', () =>
    Effect.gen(function* () {
      yield* recording.answer({
        body: [
          {
            name: "translate_text",
            endpoints: ["v2/translate"],
            features: [
              { name: "glossary", needs_source_support: true, needs_target_support: true },
              { name: "levitation", needs_source_support: false, height: 1 },
              { name: "formality", needs_target_support: true }
            ]
          },
          { name: "telepathy", features: [] }
        ]
      })
      expect(yield* resources).toEqual([
        {
          name: "translate_text",
          features: [
            { name: "glossary", needsSourceSupport: true, needsTargetSupport: true },
            { name: "levitation", needsSourceSupport: false, extra: { height: 1 } },
            { name: "formality", needsTargetSupport: true }
          ],
          extra: { endpoints: ["v2/translate"] }
        },
        { name: "telepathy", features: [] }
      ])
    }).pipe(Effect.provide(served()))
  )
})

describe("GET /v2/languages (deprecated)", () => {
  it.effect('"type: source or target, default source"', () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: [] }, { body: [] }, { body: [] })
      yield* listV2()
      yield* listV2({ type: "source" })
      yield* listV2({ type: "target" })
      expect((yield* recording.requests).map(({ method, path }) => `${method} ${path}`)).toEqual([
        "GET /v2/languages",
        "GET /v2/languages?type=source",
        "GET /v2/languages?type=target"
      ])
      expect((yield* Effect.flip(listV2({ type: "both" } as object)))._tag).toBe("InvalidRequest")
    }).pipe(Effect.provide(served()))
  )

  it.effect('decodes "uppercase codes such as EN-US, ZH-HANT", and supports_formality where it is', () =>
    Effect.gen(function* () {
      yield* recording.answer({
        body: [
          { language: "EN-US", name: "English (American)", supports_formality: false, colour: "red" },
          { language: "ZH-HANT", name: "Chinese (traditional)" }
        ]
      })
      expect(yield* listV2({ type: "target" })).toEqual([
        {
          language: "en-US",
          name: "English (American)",
          supportsFormality: false,
          extra: { colour: "red" }
        },
        { language: "zh-Hant", name: "Chinese (traditional)" }
      ])
    }).pipe(Effect.provide(served()))
  )

  it("is deprecated in the OpenAPI document, the others are not", () => {
    const { paths } = OpenApi.fromApi(Api.TranslateApi.TranslateApi)
    expect(paths["/v2/languages"]?.get?.deprecated).toBe(true)
    expect(paths["/v3/languages"]?.get?.deprecated).toBeUndefined()
  })
})

const codesOf = (words: string) => words.split(", ")

describe("the emulator's languages", () => {
  const served = <A, E>(
    name: string,
    test: () => Effect.Effect<A, E, TranslateClient.TranslateClient | Emulator.Emulator>
  ) =>
    it.effect(name, () => test().pipe(Effect.provide(emulated()), Effect.provide(NodeHttpClient.layerUndici)))

  /** Of a resource, the languages that list a feature. */
  const having = (resource: Languages.ResourceName, feature: string, include?: Languages.Query["include"]) =>
    Effect.map(list({ resource, include }), (all) =>
      all.filter(({ features }) => Object.hasOwn(features, feature)).map(({ lang }) => lang)
    )

  served("v2: the source and target listing codes of the specification", () =>
    Effect.gen(function* () {
      const sources = yield* listV2()
      expect(sources.map(({ language }) => language.toUpperCase())).toEqual(
        codesOf(
          "AR, BG, CS, DA, DE, EL, EN, ES, ET, FI, FR, HE, HU, ID, IT, JA, KO, LT, LV, NB, NL, PL, PT, RO, RU, SK, SL, SV, TH, TR, UK, VI, ZH"
        )
      )
      expect(sources.every((language) => !("supportsFormality" in language))).toBe(true)
      const targets = yield* listV2({ type: "target" })
      expect(targets.map(({ language }) => language.toUpperCase())).toEqual(
        codesOf(
          "AR, BG, CS, DA, DE, EL, EN-GB, EN-US, ES, ES-419, ET, FI, FR, HU, ID, IT, JA, KO, LT, LV, NB, NL, PL, PT-BR, PT-PT, RO, RU, SK, SL, SV, TR, UK, ZH, ZH-HANS, ZH-HANT"
        )
      )
      expect(
        targets
          .filter(({ supportsFormality }) => supportsFormality)
          .map(({ language }) => language.toUpperCase())
          .sort()
      ).toEqual(codesOf("DE, FR, IT, ES, ES-419, NL, PL, PT-BR, PT-PT, JA, RU").sort())
    })
  )

  served('"Default: only stable languages and features; beta adds beta ones"', () =>
    Effect.gen(function* () {
      const stable = yield* list({ resource: "translate_text" })
      expect(new Set(stable.map(({ status }) => status))).toEqual(new Set(["stable"]))
      const all = yield* list({ resource: "translate_text", include: ["beta"] })
      const added = all.filter(({ lang }) => !stable.some((language) => language.lang === lang))
      expect(added).toMatchObject([
        { lang: "de-CH", status: "beta", usableAsSource: false, usableAsTarget: true },
        { lang: "fr-CA", status: "beta", usableAsSource: false, usableAsTarget: true }
      ])
    })
  )

  served('"external adds features relying on third-party providers"', () =>
    Effect.gen(function* () {
      expect(yield* having("voice", "translated_speech")).toEqual([])
      expect(yield* having("voice", "translated_speech", ["external"])).toContain("de")
    })
  )

  served(
    '"formality needs target; style_rules needs target; tag_handling needs source and target; glossary needs source and target; auto_detection needs source only"',
    () =>
      Effect.gen(function* () {
        const all = yield* resources
        expect(all.map(({ name }) => name)).toEqual(
          codesOf("translate_text, translate_document, glossary, voice, write, style_rules")
        )
        expect(all.find(({ name }) => name === "translate_text")?.features).toEqual([
          { name: "formality", needsTargetSupport: true },
          { name: "style_rules", needsTargetSupport: true },
          { name: "tag_handling", needsSourceSupport: true, needsTargetSupport: true },
          { name: "glossary", needsSourceSupport: true, needsTargetSupport: true },
          { name: "auto_detection", needsSourceSupport: true }
        ])
      })
  )

  served(
    '"voice has glossary (source and target). The style_rules resource has an empty feature list."',
    () =>
      Effect.gen(function* () {
        const all = yield* resources
        expect(all.find(({ name }) => name === "voice")?.features).toContainEqual({
          name: "glossary",
          needsSourceSupport: true,
          needsTargetSupport: true
        })
        expect(all.find(({ name }) => name === "style_rules")?.features).toEqual([])
        expect((yield* list({ resource: "style_rules" })).map(({ lang }) => lang)).toEqual(
          codesOf("de, en, es, fr, it, ja, ko, zh")
        )
      })
  )

  served('"writing_style and tone are target-only features of write"', () =>
    Effect.gen(function* () {
      const all = yield* resources
      expect(all.find(({ name }) => name === "write")?.features).toEqual([
        { name: "writing_style", needsTargetSupport: true },
        { name: "tone", needsTargetSupport: true }
      ])
      const usable = (yield* list({ resource: "write" })).filter(({ usableAsTarget }) => usableAsTarget)
      expect(usable.map(({ lang }) => lang)).toEqual(
        codesOf("de, en-GB, en-US, es, fr, it, ja, ko, pt-BR, pt-PT, zh, zh-Hans")
      )
      for (const feature of ["writing_style", "tone"]) {
        expect(yield* having("write", feature)).toEqual(codesOf("de, en-GB, en-US, es, fr, it, pt-BR, pt-PT"))
      }
    })
  )

  served('documents: formality "targets: DE, FR, IT, ES, NL, PL, PT-BR, PT-PT, JA, RU"', () =>
    Effect.gen(function* () {
      const codes = (yield* having("translate_document", "formality")).map((code) => code.toUpperCase())
      expect(codes.sort()).toEqual(codesOf("DE, FR, IT, ES, NL, PL, PT-BR, PT-PT, JA, RU").sort())
    })
  )

  served('"Glossaries apply to languages, not variants": theirs are base languages', () =>
    Effect.gen(function* () {
      const all = yield* list({ resource: "glossary" })
      expect(all.filter(({ lang }) => lang.includes("-"))).toEqual([])
      expect(all.map(({ lang }) => lang)).toEqual(expect.arrayContaining(["de", "en", "pt"]))
    })
  )

  served('"Only GET is supported on the v3 language endpoints"', () =>
    Effect.gen(function* () {
      const { url } = yield* Emulator.Emulator
      for (const path of ["/v3/languages?resource=write", "/v3/languages/resources"]) {
        const { headers, status } = yield* Effect.promise(() =>
          fetch(url + path, {
            method: "POST",
            headers: { authorization: `Service-Auth-Key ${Emulator.defaultKey}` }
          })
        )
        expect([status, headers.get("allow")]).toEqual([405, "GET"])
      }
    })
  )

  served("answers 400 to what the contract refuses, and 403 without a key", () =>
    Effect.gen(function* () {
      const { url } = yield* Emulator.Emulator
      const authorization = `Service-Auth-Key ${Emulator.defaultKey}`
      const statusOf = (query: string, headers: Record<string, string> = { authorization }) =>
        Effect.promise(() => fetch(`${url}/v3/languages${query}`, { headers }).then(({ status }) => status))
      expect(yield* statusOf("?resource=write&include=beta")).toBe(200)
      expect(yield* statusOf("")).toBe(400)
      expect(yield* statusOf("?resource=text")).toBe(400)
      expect(yield* statusOf("?resource=write&include=alpha")).toBe(400)
      expect(yield* statusOf("?resource=write", {})).toBe(403)
    })
  )
})
