import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Auth, Region, type TranslateClient, type TranslateError } from "effect-translate"
import { AdminClient, DeveloperKeys } from "effect-translate/admin"
import { DocumentSource } from "effect-translate/documents"
import { hello, key, layerOver } from "./client.js"

type Call<Client> = (client: Client) => Effect.Effect<unknown, TranslateError.TranslateError>

export interface Case<Client> {
  readonly call: Call<Client>
  /** The answer with every field. What begins with "kept" must survive whatever becomes of other fields. */
  readonly body: unknown
  /** The fields without which there is no answer. */
  readonly mayFail: ReadonlyArray<string>
}

const access = { documentId: "d", documentKey: Redacted.make("k") }

const pair = { sourceLang: "en", targetLang: "de" }

const entries = [{ source: "a", target: "b" }]

const time = "2026-05-13T09:18:42Z"

const memory = {
  translation_memory_id: "kept-id",
  name: "A",
  source_language: "en",
  target_languages: ["de", "fr"],
  segment_count: 1,
  creation_time: time,
  updated_time: time
}

const wirePair = { source_lang: "en", target_lang: "de" }

const instruction = {
  id: "kept-id",
  label: "Tone",
  prompt: "kept: stay dry.",
  source_language: "en"
}

const instructionFields = ["id", "prompt"]

const glossary = {
  glossary_id: "kept-id",
  name: "A",
  dictionaries: [
    { ...wirePair, entry_count: 1 },
    { ...wirePair, entry_count: 2 }
  ],
  creation_time: time
}

const monolingual = {
  glossary_id: "kept-id",
  name: "A",
  ...wirePair,
  ready: true,
  creation_time: time,
  entry_count: 1
}

const styleList = {
  style_id: "kept-id",
  name: "A",
  creation_time: time,
  updated_time: time,
  language: "de",
  version: 1,
  configured_rules: { punctuation: { apostrophe: "use_curly_apostrophes" }, numbers: { digits: "all" } },
  custom_instructions: [{ id: "i", label: "Tone", prompt: "Stay dry.", source_language: "en" }]
}

const language = {
  lang: "kept",
  name: "German",
  usable_as_source: true,
  usable_as_target: true,
  status: "stable",
  features: { formality: { status: "stable" }, glossary: { status: "beta" } }
}

const segmentTimes = { creation_time: time, updated_time: time, last_used_time: time }

const session = { streaming_url: "kept-url", token: "kept-token", session_id: "s" }

const improvements = {
  improvements: [
    { text: "kept 1", target_language: "de", detected_source_language: "de" },
    { text: "kept 2", target_language: "de", detected_source_language: "de" }
  ]
}

export const cases: { readonly [endpoint: string]: Case<TranslateClient.Service> } = {
  "POST /v2/translate": {
    call: (client) => client.translateText({ ...hello, text: ["a", "b"] }),
    body: {
      translations: ["kept 1", "kept 2"].map((text) => ({
        text,
        detected_source_language: "EN",
        billed_characters: 5,
        model_type_used: "quality_optimized"
      }))
    },
    mayFail: ["translations", "translations[]", "translations[].text"]
  },
  "POST /v2/write/rephrase": {
    call: ({ write }) => write.rephrase({ text: ["a", "b"] }),
    body: improvements,
    mayFail: ["improvements", "improvements[]", "improvements[].text"]
  },
  "POST /v2/write/correct": {
    call: ({ write }) => write.correct({ text: ["a", "b"] }),
    body: improvements,
    mayFail: ["improvements", "improvements[]", "improvements[].text"]
  },
  "GET /v2/usage": {
    call: ({ usage }) => usage,
    body: {
      character_count: 1,
      character_limit: 2,
      products: [
        {
          product_type: "kept",
          billing_unit: "characters",
          api_key_unit_count: 1,
          account_unit_count: 1,
          api_key_character_count: 1,
          character_count: 1
        }
      ],
      api_key_character_count: 1,
      api_key_character_limit: 2,
      speech_to_text_milliseconds_count: 1,
      speech_to_text_milliseconds_limit: 2,
      start_time: time,
      end_time: time,
      document_count: 1,
      document_limit: 2,
      team_document_count: 1,
      team_document_limit: 2
    },
    mayFail: []
  },
  "POST /v2/document": {
    call: ({ documents }) =>
      documents.upload(DocumentSource.fromBytes("a.txt", new TextEncoder().encode("Hello")), {
        targetLang: "de"
      }),
    body: { document_id: "kept-id", document_key: "kept-key" },
    mayFail: ["document_id", "document_key"]
  },
  "POST /v2/document/:document_id": {
    call: ({ documents }) => documents.status(access),
    body: {
      document_id: "d",
      status: "done",
      seconds_remaining: 1,
      billed_characters: 5,
      error_message: "Kept out.",
      message: "No."
    },
    mayFail: []
  },
  "POST /v3/glossaries": {
    call: ({ glossaries }) => glossaries.create({ name: "A", dictionaries: [{ ...pair, entries }] }),
    body: glossary,
    mayFail: ["glossary_id"]
  },
  "GET /v3/glossaries": {
    call: ({ glossaries }) => glossaries.list,
    body: { glossaries: [glossary, glossary] },
    mayFail: ["glossaries", "glossaries[]", "glossaries[].glossary_id"]
  },
  "GET /v3/glossaries/:glossary_id": {
    call: ({ glossaries }) => glossaries.get("g"),
    body: glossary,
    mayFail: ["glossary_id"]
  },
  "PATCH /v3/glossaries/:glossary_id": {
    call: ({ glossaries }) => glossaries.update("g", { name: "A" }),
    body: glossary,
    mayFail: ["glossary_id"]
  },
  "GET /v3/glossaries/:glossary_id/entries": {
    call: ({ glossaries }) => glossaries.entries("g", pair),
    body: { dictionaries: [{ ...wirePair, entries: "kept a\tkept b", entries_format: "tsv" }] },
    mayFail: [
      "dictionaries",
      "dictionaries[]",
      "dictionaries[].entries",
      "dictionaries[].entries_format",
      "dictionaries[].source_lang",
      "dictionaries[].target_lang"
    ]
  },
  "PUT /v3/glossaries/:glossary_id/dictionaries": {
    call: ({ glossaries }) => glossaries.replaceDictionary("g", { ...pair, entries }),
    body: { ...wirePair, entry_count: 1 },
    mayFail: ["source_lang", "target_lang"]
  },
  "POST /v2/glossaries": {
    call: ({ monolingualGlossaries }) => monolingualGlossaries.create({ name: "A", ...pair, entries }),
    body: monolingual,
    mayFail: ["glossary_id"]
  },
  "GET /v2/glossaries": {
    call: ({ monolingualGlossaries }) => monolingualGlossaries.list,
    body: { glossaries: [monolingual, monolingual] },
    mayFail: ["glossaries", "glossaries[]", "glossaries[].glossary_id"]
  },
  "GET /v2/glossaries/:glossary_id": {
    call: ({ monolingualGlossaries }) => monolingualGlossaries.get("g"),
    body: monolingual,
    mayFail: ["glossary_id"]
  },
  "GET /v2/glossary-language-pairs": {
    call: ({ monolingualGlossaries }) => monolingualGlossaries.languagePairs,
    body: { supported_languages: [wirePair, wirePair] },
    mayFail: [
      "supported_languages",
      "supported_languages[]",
      "supported_languages[].source_lang",
      "supported_languages[].target_lang"
    ]
  },
  "POST /v3/style_rules": {
    call: ({ styleRules }) => styleRules.create({ name: "A", language: "de" }),
    body: styleList,
    mayFail: ["style_id"]
  },
  "GET /v3/style_rules": {
    call: ({ styleRules }) => styleRules.list(),
    body: { style_rules: [styleList, styleList] },
    mayFail: ["style_rules", "style_rules[]", "style_rules[].style_id"]
  },
  "GET /v3/style_rules/:style_id": {
    call: ({ styleRules }) => styleRules.get("s"),
    body: styleList,
    mayFail: ["style_id"]
  },
  "PATCH /v3/style_rules/:style_id": {
    call: ({ styleRules }) => styleRules.rename("s", "A"),
    body: styleList,
    mayFail: ["style_id"]
  },
  "PUT /v3/style_rules/:style_id/configured_rules": {
    call: ({ styleRules }) => styleRules.replaceConfiguredRules("s", {}),
    body: styleList,
    mayFail: ["style_id"]
  },
  "POST /v3/style_rules/:style_id/custom_instructions": {
    call: ({ styleRules }) => styleRules.createInstruction("s", { label: "Tone", prompt: "Stay dry." }),
    body: styleList,
    mayFail: ["style_id"]
  },
  "GET /v3/style_rules/:style_id/custom_instructions/:instruction_id": {
    call: ({ styleRules }) => styleRules.getInstruction("s", "i"),
    body: instruction,
    mayFail: instructionFields
  },
  "PUT /v3/style_rules/:style_id/custom_instructions/:instruction_id": {
    call: ({ styleRules }) =>
      styleRules.replaceInstruction("s", "i", { label: "a", prompt: "b", sourceLanguage: null }),
    body: instruction,
    mayFail: instructionFields
  },
  "GET /v3/languages": {
    call: ({ languages }) => languages.list({ resource: "translate_text" }),
    body: [language, language],
    mayFail: ["", "[]", "[].lang"]
  },
  "GET /v3/languages/resources": {
    call: ({ languages }) => languages.resources,
    body: [
      {
        name: "kept",
        features: [{ name: "formality", needs_source_support: false, needs_target_support: true }]
      }
    ],
    mayFail: ["", "[]", "[].name"]
  },
  "GET /v2/languages": {
    call: ({ languages }) => languages.listV2({ type: "target" }),
    body: [{ language: "KEPT", name: "German", supports_formality: true }],
    mayFail: ["", "[]", "[].language"]
  },
  "GET /v3/translation_memories": {
    call: ({ translationMemories }) => translationMemories.list(),
    body: {
      translation_memories: [memory],
      total_count: 1
    },
    mayFail: [
      "translation_memories",
      "translation_memories[]",
      "translation_memories[].translation_memory_id"
    ]
  },
  "GET /v3/translation_memories/:translation_memory_id": {
    call: ({ translationMemories }) => translationMemories.get("m"),
    body: memory,
    mayFail: ["translation_memory_id"]
  },
  "GET /v3/translation_memories/:translation_memory_id/segments": {
    call: ({ translationMemories }) => translationMemories.segments("m"),
    body: {
      segments: [
        {
          source_segment_id: "kept-source",
          source_text: "kept 1",
          ...segmentTimes,
          targets: [
            {
              target_segment_id: "kept-target",
              target_language: "de",
              target_text: "kept 2",
              ...segmentTimes
            }
          ]
        }
      ],
      segment_count: 1,
      next_page_cursor: "next"
    },
    // The cursor is the id of the next page: without it, segments would be lost.
    mayFail: [
      "next_page_cursor",
      "segments",
      "segments[]",
      "segments[].source_segment_id",
      "segments[].source_text",
      "segments[].targets",
      "segments[].targets[]",
      "segments[].targets[].target_segment_id",
      "segments[].targets[].target_text"
    ]
  },
  "POST /v3/translation_memories/import": {
    call: ({ translationMemories }) =>
      translationMemories.startImport({
        sourceFile: { fileName: "a.tmx", contentLength: 1 },
        parameters: { displayName: "A" }
      }),
    body: { job_id: "kept-id", upload_url: "kept-url", expires_at: time },
    mayFail: ["job_id", "upload_url"]
  },
  "POST /v3/translation_memories/:translation_memory_id/export": {
    call: ({ translationMemories }) => translationMemories.startExport("m"),
    body: { job_id: "kept-id", parameters: { translation_memory_id: "m" } },
    mayFail: ["job_id"]
  },
  "GET /v3/translation_memories/jobs/:job_id": {
    call: ({ translationMemories }) => translationMemories.job("j"),
    body: {
      job_id: "kept-id",
      product: "translation_memory",
      operation: "export",
      creation_time: time,
      updated_time: time,
      results: [
        {
          status: "completed",
          status_metadata: { required_action: "none" },
          translation_memory_id: "m",
          skipped_segment_count: 1,
          download_url: "https://files",
          expires_at: time,
          error: { message: "No." }
        }
      ]
    },
    mayFail: ["job_id"]
  },
  "POST /v3/voice/realtime": {
    call: ({ voice }) => voice.open({ sourceMediaContentType: "audio/ogg" }),
    body: session,
    mayFail: ["streaming_url", "token"]
  },
  "GET /v3/voice/realtime": {
    call: ({ voice }) => voice.reopen(Redacted.make("t")),
    body: session,
    mayFail: ["streaming_url", "token"]
  }
}

const developerKey = {
  key_id: "kept:key",
  label: "A",
  creation_time: time,
  deactivated_time: time,
  is_deactivated: true,
  usage_limits: { characters: 1, speech_to_text_milliseconds: 2 }
}

const keyId = DeveloperKeys.keyId("a:b")

const dates = { startDate: DateTime.unsafeMake("2026-01-01"), endDate: DateTime.unsafeMake("2026-01-02") }

const usage = {
  total_characters: 1,
  text_translation_characters: 1,
  document_translation_characters: 1,
  text_improvement_characters: 1,
  speech_to_text_minutes: 1.5
}

const ofKey = { api_key: "a***b", api_key_label: "A", usage }

export const adminCases: { readonly [endpoint: string]: Case<AdminClient.Service> } = {
  "POST /v2/admin/developer-keys": {
    call: ({ developerKeys }) => developerKeys.create(),
    body: developerKey,
    mayFail: ["key_id"]
  },
  "GET /v2/admin/developer-keys": {
    call: ({ developerKeys }) => developerKeys.list,
    body: [developerKey, developerKey],
    mayFail: ["", "[]", "[].key_id"]
  },
  "PUT /v2/admin/developer-keys/deactivate": {
    call: ({ developerKeys }) => developerKeys.deactivate(keyId),
    body: developerKey,
    mayFail: ["key_id"]
  },
  "PUT /v2/admin/developer-keys/label": {
    call: ({ developerKeys }) => developerKeys.rename(keyId, "A"),
    body: developerKey,
    mayFail: ["key_id"]
  },
  "PUT /v2/admin/developer-keys/limits": {
    call: ({ developerKeys }) => developerKeys.setLimits(keyId, { characters: 1 }),
    body: developerKey,
    mayFail: ["key_id"]
  },
  "GET /v2/admin/analytics": {
    call: ({ analytics }) => analytics.report(dates),
    body: {
      usage_report: {
        total_usage: usage,
        group_by: "key",
        start_date: time,
        end_date: time,
        key_usages: [ofKey, { ...ofKey, api_key_label: "kept" }],
        key_and_day_usages: [{ ...ofKey, usage_date: time }]
      }
    },
    mayFail: ["usage_report"]
  },
  "GET /v2/admin/analytics/custom-tags": {
    call: ({ analytics }) => analytics.customTags(dates),
    body: {
      custom_tag_usage_report: {
        aggregate_by: "day",
        start_date: time,
        end_date: time,
        next_page: null,
        usage: [
          { custom_tag: "a", usage_date: time, breakdown: usage },
          { custom_tag: "kept", usage_date: time, breakdown: usage }
        ]
      }
    },
    // The number of the next page is its id: without it, rows would be lost.
    mayFail: ["custom_tag_usage_report", "custom_tag_usage_report.next_page", "custom_tag_usage_report.usage"]
  }
}

/** What the transport answers next. */
export class Answer extends Context.Tag("test/Answer")<Answer, { body: unknown }>() {}

/** A transport without sockets. */
const transport = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(Answer, (answer) =>
    HttpClient.make((request) =>
      Effect.sync(() => HttpClientResponse.fromWeb(request, new Response(JSON.stringify(answer.body))))
    )
  )
).pipe(Layer.provideMerge(Layer.sync(Answer, () => ({ body: undefined }))))

export const client = Layer.provideMerge(layerOver(), transport)

export const adminClient = AdminClient.layerServices.pipe(
  Layer.provide([Region.layer({ url: "http://service.test" }), Auth.layerAdmin({ key: Redacted.make(key) })]),
  Layer.provideMerge(transport)
)
