/** The differences between kinds of services, on the wire. Expectations are written by hand from the wire facts. */

import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import {
  Forecast,
  type Outcome,
  type Region,
  RequestChecks,
  ServiceKind,
  TranslateClient,
  TranslateStream,
  WriteStream
} from "effect-translate"
import { CustomTag } from "effect-translate/admin"
import { DocumentSource } from "effect-translate/documents"
import { hallo, key, layerOver, served, translate } from "../support/client.js"
import * as recording from "../support/recordingServer.js"

const { answer, onlyRequest, requests } = recording

const client = TranslateClient.TranslateClient

const deepl = { kind: "deepl" } as const

const uploaded = { body: { document_id: "d", document_key: "5566778899" } }

const upload = (name: string, options: object = {}, content = "Hello") =>
  Effect.flatMap(client, ({ documents }) =>
    documents.upload(DocumentSource.fromBytes(name, new TextEncoder().encode(content)), {
      targetLang: "de",
      ...options
    })
  )

/** Requests that are refused before anything is sent. */
const fieldsOf = <A, R>(call: Effect.Effect<A, Outcome.StreamError, R>) =>
  Effect.gen(function* () {
    const before = (yield* requests).length
    const error = yield* Effect.flip(call)
    expect(yield* requests).toHaveLength(before)
    return error._tag === "InvalidRequest" ? error.violations.map(({ field }) => field) : error
  })

const style = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"

describe("the public service", () => {
  it.effect("gets its own word before the key, and its own header of custom tags", () =>
    Effect.gen(function* () {
      yield* answer(hallo)
      yield* translate({ text: ["Hello"], targetLang: "de" }).pipe(CustomTag.withCustomTag("spring"))
      const { headers } = yield* onlyRequest
      expect(headers.authorization).toBe(`DeepL-Auth-Key ${key}`)
      expect(headers["x-deepl-reporting-tag"]).toBe("spring")
      expect(headers["x-custom-tag"]).toBeUndefined()
    }).pipe(Effect.provide(served(deepl)))
  )

  it.effect("is known by one variable of the environment", () =>
    Effect.gen(function* () {
      const { url } = yield* recording.RecordingServer
      const variables = new Map([
        ["LANGUAGE_SERVICE_URL", url],
        ["LANGUAGE_SERVICE_KEY", key],
        ["LANGUAGE_SERVICE_KIND", "deepl"]
      ])
      yield* answer(hallo)
      yield* translate({ text: ["Hello"], targetLang: "de", glossaryId: "g" }).pipe(
        Effect.provide(
          TranslateClient.layerConfig({ url: Config.string("LANGUAGE_SERVICE_URL") }).pipe(
            Layer.provide(NodeHttpClient.layerUndici),
            Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(variables)))
          )
        )
      )
      const { headers, text } = yield* onlyRequest
      expect(headers.authorization).toBe(`DeepL-Auth-Key ${key}`)
      expect(JSON.parse(text)).toEqual({ text: ["Hello"], target_lang: "de", glossary_id: "g" })
    }).pipe(Effect.scoped, Effect.provide(recording.layer))
  )

  it.effect("takes a word and a header that are set beside its kind", () =>
    Effect.gen(function* () {
      yield* answer(hallo)
      yield* translate({ text: ["Hello"], targetLang: "de" }).pipe(
        CustomTag.withCustomTag("spring", { header: "X-Campaign" })
      )
      const { headers } = yield* onlyRequest
      expect(headers.authorization).toBe(`Bearer ${key}`)
      expect(headers["x-campaign"]).toBe("spring")
    }).pipe(Effect.provide(served({ ...deepl, scheme: "Bearer" })))
  )

  it.effect("takes a glossary without sourceLang, and latency_optimized with whatever", () =>
    Effect.gen(function* () {
      yield* answer(hallo, uploaded)
      yield* translate({
        text: ["Hello"],
        targetLang: "de-CH",
        glossaryId: "g",
        modelType: "latency_optimized",
        styleId: style,
        customInstructions: ["Be kind."],
        translationMemoryId: style,
        tagHandlingVersion: "v2"
      })
      yield* upload("a.txt", { glossaryIds: ["g", "h"] })
      const [texts, document] = yield* requests
      expect(JSON.parse(texts!.text)).toEqual({
        text: ["Hello"],
        target_lang: "de-CH",
        glossary_id: "g",
        model_type: "latency_optimized",
        style_id: style,
        custom_instructions: ["Be kind."],
        translation_memory_id: style,
        tag_handling_version: "v2"
      })
      expect(document!.text).toContain('name="glossary_ids"\r\n\r\ng\r\n')
    }).pipe(Effect.provide(served(deepl)))
  )

  it.effect("takes them in streams, too", () =>
    Effect.gen(function* () {
      yield* answer(hallo)
      yield* Stream.make("Hello").pipe(
        TranslateStream.translate({
          targetLang: "de",
          glossaryId: "g",
          modelType: "latency_optimized",
          styleId: style
        }),
        Stream.runDrain
      )
      expect(yield* requests).toHaveLength(1)
    }).pipe(Effect.provide(served(deepl)))
  )

  it.effect.each(["zh-Hant", "en", "pt"])("improves texts in %s", (targetLang) =>
    Effect.gen(function* () {
      yield* answer({ body: { improvements: [{ text: "b" }] } }, { body: { improvements: [{ text: "b" }] } })
      const { write } = yield* client
      yield* write.rephrase({ text: ["a"], targetLang, writingStyle: "business" })
      yield* Stream.make("a").pipe(WriteStream.rephrase({ targetLang, tone: "friendly" }), Stream.runDrain)
      expect((yield* requests).map(({ text }) => JSON.parse(text))).toEqual([
        { text: ["a"], target_lang: targetLang, writing_style: "business" },
        { text: ["a"], target_lang: targetLang, tone: "friendly" }
      ])
    }).pipe(Effect.provide(served(deepl)))
  )

  it.effect.each(["a.idml", "a.xml", "a.json", "a.dita", "a.mif", "a.new", "README"])(
    "takes the document %s",
    (name) =>
      Effect.gen(function* () {
        yield* answer(uploaded)
        yield* upload(name)
        expect((yield* onlyRequest).text).toContain(`filename="${name}"`)
      }).pipe(Effect.provide(served(deepl)))
  )

  it.effect("takes 100 MB of docx, pptx and pdf, and not a byte more", () =>
    Effect.gen(function* () {
      const { documents } = yield* client
      const source = (name: string, size: number): DocumentSource.DocumentSource => ({
        name,
        size,
        content: new Uint8Array(1),
        isRepeatable: true
      })
      for (const name of ["a.docx", "A.PDF", "a.pptx"]) {
        expect(yield* fieldsOf(documents.upload(source(name, 100_000_001), { targetLang: "de" }))).toEqual([
          "file.size"
        ])
      }
    }).pipe(Effect.provide(served(deepl)))
  )

  it.effect("takes a glossary without dictionaries, which the specification does not", () =>
    Effect.gen(function* () {
      yield* answer({ status: 201, body: { glossary_id: "g", name: "Terms", dictionaries: [] } })
      const { glossaries } = yield* client
      const strict = RequestChecks.withRequestChecks({ glossaryWithoutDictionaries: true })
      expect(yield* fieldsOf(strict(glossaries.create({ name: "Terms", dictionaries: [] })))).toEqual([
        "dictionaries"
      ])
      yield* glossaries.create({ name: "Terms", dictionaries: [] })
      expect(JSON.parse((yield* onlyRequest).text)).toEqual({ name: "Terms", dictionaries: [] })
    }).pipe(Effect.provide(served(deepl)))
  )

  it.effect("lists the languages of translation memories", () =>
    Effect.gen(function* () {
      yield* answer({ body: [] })
      const { languages } = yield* client
      yield* languages.list({ resource: "translation_memory" })
      expect((yield* onlyRequest).path).toBe("/v3/languages?resource=translation_memory")
    }).pipe(Effect.provide(served(deepl)))
  )

  it.effect("bills de-CH and fr-CA, which a forecast counts", () =>
    Effect.gen(function* () {
      const forecast = Forecast.forecast(Stream.make("Hello"), { targets: ["de-CH", "fr-CA", "de"] })
      expect((yield* forecast).map(({ characters }) => characters)).toEqual([5, 5, 5])
    }).pipe(Effect.provide(served(deepl)))
  )
})

describe("the service of the specification", () => {
  it.effect(
    "is that of a client without options: a glossary needs sourceLang, and types are those of its list",
    () =>
      Effect.gen(function* () {
        expect(yield* fieldsOf(translate({ text: ["a"], targetLang: "de", glossaryId: "g" }))).toEqual([
          "glossaryId"
        ])
        expect(yield* fieldsOf(upload("a.txt", { glossaryId: "g" }))).toEqual(["glossaryId"])
        for (const name of ["a.idml", "a.xml", "a.json", "a.dita", "a.mif", "README"]) {
          expect(yield* fieldsOf(upload(name))).toEqual(["file.name"])
        }
      }).pipe(Effect.provide(served()))
  )

  it.effect("refuses a glossary without sourceLang for a stream before anything is pulled", () =>
    Effect.gen(function* () {
      const stream = TranslateStream.translate(Stream.die("pulled"), { targetLang: "de", glossaryId: "g" })
      expect(yield* fieldsOf(Stream.runDrain(stream))).toEqual(["glossaryId"])
    }).pipe(Effect.provide(served()))
  )

  it.effect("has each of its rules relaxed by itself", () =>
    Effect.gen(function* () {
      yield* answer(hallo, uploaded)
      const relaxed = RequestChecks.withRequestChecks({ glossaryWithoutSource: false, documentTypes: false })
      yield* relaxed(translate({ text: ["a"], targetLang: "de", glossaryId: "g" }))
      yield* relaxed(upload("a.idml"))
      expect(yield* requests).toHaveLength(2)
    }).pipe(Effect.provide(served()))
  )

  it.effect("counts its two betas as free in a forecast, and nothing else", () =>
    Effect.gen(function* () {
      const forecast = Forecast.forecast(Stream.make("Hello"), { targets: ["de-ch", "FR-CA", "de"] })
      expect((yield* forecast).map(({ characters }) => characters)).toEqual([0, 0, 5])
    })
  )
})

describe("a rule that a kind has relaxed", () => {
  it.effect("holds again where a program says so", () =>
    Effect.gen(function* () {
      const strict = RequestChecks.withRequestChecks({ glossaryWithoutSource: true, documentTypes: true })
      expect(yield* fieldsOf(strict(translate({ text: ["a"], targetLang: "de", glossaryId: "g" })))).toEqual([
        "glossaryId"
      ])
      expect(yield* fieldsOf(strict(upload("a.new")))).toEqual(["file.name"])
    }).pipe(Effect.provide(served(deepl)))
  )
})

describe("parameters that nobody knows yet", () => {
  const part = (name: string, value: string) => `name="${name}"\r\n\r\n${value}\r\n`

  it.effect("go with a document as fields of its form: booleans as 1 and 0, the watermark too", () =>
    Effect.gen(function* () {
      yield* answer(uploaded)
      yield* upload("a.txt", {
        enableWatermark: true,
        extraParameters: { some_mode: "fast", on: false, share: 0.5, deep: { a: [1] }, each: ["a", "b"] }
      })
      const { text } = yield* onlyRequest
      for (const [name, value] of [
        ["enable_watermark", "1"],
        ["some_mode", "fast"],
        ["on", "0"],
        ["share", "0.5"],
        ["deep", '{"a":[1]}'],
        ["each", "a"],
        ["each", "b"]
      ] as const) {
        expect(text).toContain(part(name, value))
      }
    }).pipe(Effect.provide(served()))
  )

  it.effect("go with text improvement, and with streams of it", () =>
    Effect.gen(function* () {
      const improved = { body: { improvements: [{ text: "b" }] } }
      yield* answer(improved, improved)
      const extraParameters = { some_mode: "fast" }
      const { write } = yield* client
      yield* write.correct({ text: ["a"], targetLang: "de", extraParameters })
      yield* Stream.make("a").pipe(WriteStream.rephrase({ extraParameters }), Stream.runDrain)
      expect((yield* requests).map(({ text }) => JSON.parse(text))).toEqual([
        { text: ["a"], target_lang: "de", some_mode: "fast" },
        { text: ["a"], some_mode: "fast" }
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect("go with glossaries, and with each of their dictionaries", () =>
    Effect.gen(function* () {
      const made = { body: { glossary_id: "g", name: "Terms", dictionaries: [] } }
      yield* answer({ status: 201, ...made }, made, { body: { source_lang: "en", target_lang: "de" } })
      const extraParameters = { some_mode: "fast" }
      const dictionary = { sourceLang: "en", targetLang: "de", entries: [{ source: "a", target: "b" }] }
      const sent = {
        source_lang: "en",
        target_lang: "de",
        entries: "a\tb",
        entries_format: "tsv",
        some_mode: "fast"
      }
      const { glossaries } = yield* client
      yield* glossaries.create({
        name: "Terms",
        dictionaries: [{ ...dictionary, extraParameters }],
        extraParameters
      })
      yield* glossaries.update("g", { name: "Words", extraParameters })
      yield* glossaries.replaceDictionary("g", { ...dictionary, extraParameters })
      expect((yield* requests).map(({ text }) => JSON.parse(text))).toEqual([
        { name: "Terms", dictionaries: [sent], some_mode: "fast" },
        { name: "Words", some_mode: "fast" },
        sent
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect("that have an option here are refused", () =>
    Effect.gen(function* () {
      const { write } = yield* client
      expect(yield* fieldsOf(upload("a.txt", { extraParameters: { target_lang: "fr" } }))).toEqual([
        "extraParameters"
      ])
      expect(yield* fieldsOf(write.correct({ text: ["a"], extraParameters: { target_lang: "fr" } }))).toEqual(
        ["extraParameters"]
      )
    }).pipe(Effect.provide(served()))
  )
})

describe("a listing that a program hands in", () => {
  const listed = (lang: string, status = "stable") => ({ lang, usableAsTarget: true, status })

  it("ends a beta, which is billed then, and begins another one, of which nobody says that it is free", () => {
    const kind = ServiceKind.withLanguages(ServiceKind.specification, "translate_text", [
      listed("de-CH", "beta"),
      listed("fr-CA"),
      listed("tlh", "beta")
    ])
    expect(kind).toMatchObject({ betaTargets: ["de-CH", "tlh"], freeTargets: ["de-CH"] })
  })

  it.effect("says in which languages texts are improved", () =>
    Effect.gen(function* () {
      yield* answer({ body: { improvements: [{ text: "b" }] } })
      const { write } = yield* client
      expect(yield* fieldsOf(write.rephrase({ text: ["a"], targetLang: "de" }))).toEqual(["targetLang"])
      yield* write.rephrase({ text: ["a"], targetLang: "nl" })
      expect(yield* requests).toHaveLength(1)
    }).pipe(
      Effect.provide(
        served({ kind: ServiceKind.withLanguages(ServiceKind.specification, "write", [listed("nl")]) })
      )
    )
  )
})

it.effect("the kind is no part of the service's name in a store", () =>
  Effect.gen(function* () {
    const identity = (kind: Region.Options["kind"]) =>
      Effect.map(TranslateClient.TranslateClient, ({ identity }) => identity).pipe(
        Effect.provide(Layer.provide(layerOver({ kind }), NodeHttpClient.layerUndici))
      )
    expect(yield* identity("deepl")).toEqual(yield* identity(undefined))
  }).pipe(Effect.scoped)
)
