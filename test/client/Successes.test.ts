/** Any 2xx that decodes is a success, nulls in optional fields are no fields, and a row may lack what is optional. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { TranslateClient, TranslateError } from "effect-translate"
import { AdminClient, DeveloperKeys } from "effect-translate/admin"
import { DocumentSource } from "effect-translate/documents"
import { served as servedAdmin } from "../support/admin.js"
import { hallo, hello, once, served } from "../support/client.js"
import * as recording from "../support/recordingServer.js"

type Client = TranslateClient.Service

const client = <A>(use: (client: Client) => Effect.Effect<A, TranslateError.TranslateError>) =>
  Effect.flatMap(TranslateClient.TranslateClient, use)

/** What a call makes of a body. */
const decoded = <A>(
  body: unknown,
  use: (client: Client) => Effect.Effect<A, TranslateError.TranslateError>,
  status = 200
) => Effect.zipRight(recording.answer({ status, body }), once(client(use)))

const upload = ({ documents }: Client) =>
  documents.upload(DocumentSource.fromBytes("a.txt", new TextEncoder().encode("Hello")), { targetLang: "de" })

const list = { style_id: "s", name: "A", language: "de" }

const glossary = { glossary_id: "g", name: "A" }

const pair = { sourceLang: "en", targetLang: "de" }

const wirePair = { source_lang: "en", target_lang: "de" }

const instruction = { label: "Tone", prompt: "Stay dry." }

const entries = [{ source: "a", target: "b" }]

const calls: ReadonlyArray<
  readonly [
    string,
    (client: Client) => Effect.Effect<unknown, TranslateError.TranslateError>,
    body: unknown,
    expected: unknown
  ]
> = [
  ["a translation", (client) => client.translateText(hello), hallo.body, { attempts: 1 }],
  [
    "an improvement",
    ({ write }) => write.correct({ text: ["a"] }),
    { improvements: [{ text: "b" }] },
    { improvements: [{ text: "b" }], attempts: 1 }
  ],
  [
    "a rephrasing",
    ({ write }) => write.rephrase({ text: ["a"] }),
    { improvements: [{ text: "b" }] },
    { improvements: [{ text: "b" }], attempts: 1 }
  ],
  ["an upload", upload, { document_id: "a", document_key: "b" }, { documentId: "a" }],
  [
    "a status",
    ({ documents }) => documents.status({ documentId: "a", documentKey: Redacted.make("b") }),
    { status: "done" },
    { status: "done" }
  ],
  [
    "a download",
    ({ documents }) =>
      Stream.runCount(documents.download({ documentId: "a", documentKey: Redacted.make("b") })).pipe(
        Effect.map((pieces) => ({ isReceived: pieces > 0 }))
      ),
    "Hallo",
    { isReceived: true }
  ],
  ["a usage", ({ usage }) => usage, { character_count: 1 }, { characterCount: 1 }],
  [
    "a new glossary",
    ({ glossaries }) => glossaries.create({ name: "A", dictionaries: [{ ...pair, entries }] }),
    glossary,
    { glossaryId: "g" }
  ],
  ["a glossary", ({ glossaries }) => glossaries.get("g"), glossary, { glossaryId: "g" }],
  [
    "a changed glossary",
    ({ glossaries }) => glossaries.update("g", { name: "A" }),
    glossary,
    { glossaryId: "g" }
  ],
  ["the glossaries", ({ glossaries }) => glossaries.list, { glossaries: [glossary] }, [{ glossaryId: "g" }]],
  [
    "the entries of a dictionary",
    ({ glossaries }) => glossaries.entries("g", pair),
    { dictionaries: [{ ...wirePair, entries: "a\tb", entries_format: "tsv" }] },
    { entries }
  ],
  [
    "a new monolingual glossary",
    ({ monolingualGlossaries }) => monolingualGlossaries.create({ name: "A", ...pair, entries }),
    { ...glossary, ...wirePair },
    { glossaryId: "g" }
  ],
  [
    "a monolingual glossary",
    ({ monolingualGlossaries }) => monolingualGlossaries.get("g"),
    { ...glossary, ...wirePair },
    { glossaryId: "g" }
  ],
  [
    "the language pairs of glossaries",
    ({ monolingualGlossaries }) => monolingualGlossaries.languagePairs,
    { supported_languages: [wirePair] },
    [pair]
  ],
  [
    "a dictionary",
    ({ glossaries }) => glossaries.replaceDictionary("g", { ...pair, entries }),
    wirePair,
    { sourceLang: "en" }
  ],
  [
    "entries as TSV",
    ({ monolingualGlossaries }) => monolingualGlossaries.entries("g"),
    "a\tb",
    [{ source: "a", target: "b" }]
  ],
  [
    "a new style rule list",
    ({ styleRules }) => styleRules.create({ name: "A", language: "de" }),
    list,
    { styleId: "s" }
  ],
  ["a renamed style rule list", ({ styleRules }) => styleRules.rename("s", "A"), list, { styleId: "s" }],
  [
    "configured rules",
    ({ styleRules }) => styleRules.replaceConfiguredRules("s", {}),
    list,
    { styleId: "s" }
  ],
  [
    "the style rule lists",
    ({ styleRules }) => styleRules.list(),
    { style_rules: [list] },
    { styleRules: [{ styleId: "s" }] }
  ],
  [
    "a new instruction",
    ({ styleRules }) => styleRules.createInstruction("s", instruction),
    { ...list, custom_instructions: [{ id: "i", ...instruction }] },
    { styleId: "s" }
  ],
  [
    "an instruction",
    ({ styleRules }) => styleRules.getInstruction("s", "i"),
    { id: "i", ...instruction },
    { id: "i" }
  ],
  [
    "a replaced instruction",
    ({ styleRules }) => styleRules.replaceInstruction("s", "i", { ...instruction, sourceLanguage: "en" }),
    { id: "i", ...instruction },
    { id: "i" }
  ],
  [
    "the languages",
    ({ languages }) => languages.list({ resource: "write" }),
    [{ lang: "de", name: "German" }],
    [{ lang: "de" }]
  ],
  ["the resources", ({ languages }) => languages.resources, [{ name: "voice" }], [{ name: "voice" }]],
  [
    "the translation memories",
    ({ translationMemories }) => translationMemories.list(),
    { translation_memories: [{ translation_memory_id: "m", name: "A" }] },
    { translationMemories: [{ translationMemoryId: "m" }] }
  ],
  [
    "a translation memory",
    ({ translationMemories }) => translationMemories.get("m"),
    { translation_memory_id: "m", name: "A" },
    { translationMemoryId: "m" }
  ],
  [
    "the segments of a translation memory",
    ({ translationMemories }) => translationMemories.segments("m"),
    { segments: [] },
    { segments: [] }
  ],
  [
    "an import",
    ({ translationMemories }) =>
      translationMemories.startImport({
        sourceFile: { fileName: "a.tmx", contentLength: 1 },
        parameters: { displayName: "A" }
      }),
    { job_id: "j", upload_url: "u" },
    { jobId: "j" }
  ],
  [
    "an export",
    ({ translationMemories }) => translationMemories.startExport("m"),
    { job_id: "j" },
    { jobId: "j" }
  ],
  [
    "a job of a translation memory",
    ({ translationMemories }) => translationMemories.job("j"),
    { job_id: "j", results: [{ status: "processing" }] },
    { results: [{ status: "processing" }] }
  ],
  ["a style rule list", ({ styleRules }) => styleRules.get("s"), list, { styleId: "s" }],
  [
    "a session",
    ({ voice }) => voice.open({ sourceMediaContentType: "audio/ogg" }),
    { streaming_url: "u", token: "t" },
    {}
  ],
  ["a session again", ({ voice }) => voice.reopen(Redacted.make("t")), { streaming_url: "u", token: "t" }, {}]
]

const developerKey = { key_id: "a:b" }

const keyId = Schema.decodeSync(DeveloperKeys.KeyId)("a:b")

const dates = {
  startDate: DateTime.unsafeMake("2026-01-01"),
  endDate: DateTime.unsafeMake("2026-01-02")
}

const wireDates = { start_date: "2026-01-01T00:00:00", end_date: "2026-01-02T00:00:00" }

const adminCalls: ReadonlyArray<
  readonly [
    string,
    (
      client: AdminClient.Service
    ) => Effect.Effect<unknown, TranslateError.TranslateError | TranslateError.RepeatedPage>,
    body: unknown,
    expected: unknown
  ]
> = [
  [
    "a new developer key",
    ({ developerKeys }) => developerKeys.create(),
    developerKey,
    { label: "", isDeactivated: false }
  ],
  ["the developer keys", ({ developerKeys }) => developerKeys.list, [developerKey], [{ label: "" }]],
  [
    "a deactivated developer key",
    ({ developerKeys }) => developerKeys.deactivate(keyId),
    { ...developerKey, is_deactivated: true },
    { isDeactivated: true }
  ],
  [
    "a renamed developer key",
    ({ developerKeys }) => developerKeys.rename(keyId, "A"),
    { ...developerKey, label: "A" },
    { label: "A" }
  ],
  [
    "a developer key with limits",
    ({ developerKeys }) => developerKeys.setLimits(keyId, { characters: 5 }),
    { ...developerKey, usage_limits: { characters: 5 } },
    { usageLimits: { characters: 5 } }
  ],
  [
    "a report",
    ({ analytics }) => analytics.report(dates),
    { usage_report: { ...wireDates, total_usage: { total_characters: 7 } } },
    { totalUsage: { totalCharacters: 7 } }
  ],
  [
    "a report over any range",
    ({ analytics }) => analytics.reportOver(dates),
    { usage_report: { ...wireDates, total_usage: { total_characters: 7 } } },
    { totalUsage: { totalCharacters: 7 } }
  ],
  [
    "a report by custom tags",
    ({ analytics }) => analytics.customTags(dates),
    { custom_tag_usage_report: { ...wireDates, usage: [{ custom_tag: "a" }] } },
    { usage: [{ customTag: "a" }] }
  ],
  [
    "a page of usage by custom tags",
    ({ analytics }) =>
      Effect.map(Stream.runCollect(analytics.customTagsStream(dates)), Chunk.toReadonlyArray),
    { custom_tag_usage_report: { ...wireDates, usage: [{ custom_tag: "a" }] } },
    [{ customTag: "a" }]
  ]
]

describe("any status of success", () => {
  for (const status of [200, 201, 202, 203, 206]) {
    for (const [what, use, body, expected] of calls) {
      it.effect(`${status} is ${what} that decodes`, () =>
        Effect.gen(function* () {
          expect(yield* decoded(body, use, status)).toMatchObject(expected as object)
          expect(yield* recording.requests).toHaveLength(1)
        }).pipe(Effect.provide(served()))
      )
    }
  }

  it.effect.each([200, 202, 204])("%i is a delete", (status) =>
    Effect.gen(function* () {
      expect(yield* decoded(undefined, ({ styleRules }) => styleRules.delete("s"), status)).toBeUndefined()
    }).pipe(Effect.provide(served()))
  )

  for (const status of [200, 201, 202, 203, 206]) {
    for (const [what, use, body, expected] of adminCalls) {
      it.effect(`${status} is ${what} that decodes`, () =>
        Effect.gen(function* () {
          yield* recording.answer({ status, body })
          const value = yield* Effect.flatMap(AdminClient.AdminClient, use)
          expect(value).toMatchObject(expected as object)
          expect(yield* recording.requests).toHaveLength(1)
        }).pipe(Effect.provide(servedAdmin()))
      )
    }
  }
})

describe("null in an optional field of an answer", () => {
  for (const [what, body, use, expected] of [
    [
      "a translation",
      {
        translations: [
          { text: "Hallo", detected_source_language: null, billed_characters: null, model_type_used: null }
        ]
      },
      (client: Client) => Effect.map(client.translateText(hello), ({ translations }) => translations),
      [{ text: "Hallo" }]
    ],
    [
      "an improvement",
      { improvements: [{ text: "b", target_language: null, detected_source_language: null }] },
      ({ write }: Client) => Effect.map(write.correct({ text: ["a"] }), ({ improvements }) => improvements),
      [{ text: "b" }]
    ],
    [
      "a glossary",
      { ...glossary, dictionaries: null, creation_time: null },
      ({ glossaries }: Client) => glossaries.get("g"),
      { glossaryId: "g", name: "A", dictionaries: [] }
    ],
    [
      "a dictionary of a list",
      { glossaries: [{ ...glossary, dictionaries: [{ ...wirePair, entry_count: null }] }] },
      ({ glossaries }: Client) => glossaries.list,
      [{ glossaryId: "g", name: "A", dictionaries: [pair] }]
    ],
    [
      "the entries of a dictionary",
      { dictionaries: [{ ...wirePair, entries: "a\tb", entries_format: null }] },
      ({ glossaries }: Client) => glossaries.entries("g", pair),
      { ...pair, entries }
    ],
    [
      "a style rule list",
      { ...list, creation_time: null, version: null, configured_rules: null, custom_instructions: null },
      ({ styleRules }: Client) => styleRules.get("s"),
      { styleId: "s", name: "A", language: "de", configuredRules: {}, customInstructions: [] }
    ],
    [
      "a translation memory",
      { translation_memories: [{ translation_memory_id: "m", name: null, target_languages: null }] },
      ({ translationMemories }: Client) => translationMemories.list(),
      { translationMemories: [{ translationMemoryId: "m" }] }
    ],
    [
      "a usage, but for the limits of keys",
      { character_limit: null, products: null, start_time: null, api_key_character_limit: null },
      ({ usage }: Client) => usage,
      { apiKeyCharacterLimit: null }
    ]
  ] as const) {
    it.effect(`is absent: ${what}`, () =>
      Effect.gen(function* () {
        const value = yield* decoded(
          body,
          use as (client: Client) => Effect.Effect<unknown, TranslateError.TranslateError>
        )
        expect(value).toStrictEqual(expected)
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect("is absent in reports, and the limit of a key keeps it", () =>
    Effect.gen(function* () {
      const { analytics, developerKeys } = yield* AdminClient.AdminClient
      const key = { key_id: "a:b", label: null, deactivated_time: null, usage_limits: { characters: null } }
      yield* recording.answer(
        { body: [key] },
        {
          body: {
            usage_report: {
              ...wireDates,
              total_usage: { total_characters: null },
              group_by: null,
              key_usages: [{ api_key: "a***b", api_key_label: null, usage: null }, { api_key: "c***d" }]
            }
          }
        },
        {
          body: {
            custom_tag_usage_report: {
              ...wireDates,
              next_page: null,
              usage: [{ custom_tag: "a", usage_date: null }]
            }
          }
        }
      )
      expect(yield* developerKeys.list).toEqual([
        { keyId: expect.anything(), label: "", isDeactivated: false, usageLimits: { characters: null } }
      ])
      const report = yield* analytics.report(dates)
      expect(report).not.toHaveProperty("groupBy")
      expect(report.keyUsages?.map(({ usage }) => usage.totalCharacters)).toEqual([0, 0])
      const tags = yield* analytics.customTags(dates)
      expect(tags.usage).toStrictEqual([
        {
          customTag: "a",
          breakdown: { totalCharacters: 0, textTranslationCharacters: 0, textImprovementCharacters: 0 }
        }
      ])
    }).pipe(Effect.provide(servedAdmin()))
  )
})

describe("a row that lacks an optional part", () => {
  it.effect("does not spoil the list of languages", () =>
    Effect.gen(function* () {
      const body = [
        { lang: "de", name: "German", usable_as_target: true },
        { lang: "fr", features: { formality: {} } }
      ]
      const use = ({ languages }: Client) => languages.list({ resource: "translate_text" })
      expect(yield* decoded(body, use)).toMatchObject([
        { lang: "de", usableAsTarget: true, usableAsSource: false, status: "stable", features: {} },
        { lang: "fr", features: { formality: {} } }
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect("does not spoil the list of resources", () =>
    Effect.gen(function* () {
      const body = [
        { name: "voice" },
        { name: "write", features: [{ name: "tone", needs_target_support: null }] }
      ]
      expect(yield* decoded(body, ({ languages }) => languages.resources)).toStrictEqual([
        { name: "voice", features: [] },
        { name: "write", features: [{ name: "tone" }] }
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect("does not spoil the list of style rule lists", () =>
    Effect.gen(function* () {
      const body = { style_rules: [list, { ...list, version: 2 }] }
      const { styleRules } = yield* decoded(body, ({ styleRules }) => styleRules.list())
      expect(styleRules.map(({ version }) => version)).toEqual([undefined, 2])
    }).pipe(Effect.provide(served()))
  )
})

describe("the answer to a new instruction", () => {
  const answered = { id: "i", label: "Tone", prompt: "Stay dry." }
  const create = ({ styleRules }: Client) => styleRules.createInstruction("s", instruction)

  it.effect("may be the whole list", () =>
    Effect.gen(function* () {
      const answer = yield* decoded({ ...list, custom_instructions: [answered] }, create, 201)
      expect(answer).toMatchObject({ styleId: "s", customInstructions: [answered] })
    }).pipe(Effect.provide(served()))
  )

  it.effect("may be the instruction itself", () =>
    Effect.gen(function* () {
      const answer = yield* decoded({ ...answered, source_language: null }, create, 201)
      expect(answer).toStrictEqual(answered)
    }).pipe(Effect.provide(served()))
  )
})

describe("a Retry-After of more digits than a number holds", () => {
  it.effect.each(["9".repeat(30), "9".repeat(400)])("is one that is too long", (header) =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 429, headers: { "retry-after": header } }, { body: hallo.body })
      const error = yield* Effect.flip(client((client) => client.translateText(hello)))
      expect(error).toMatchObject({ _tag: "RateLimited", attempts: 1 })
      const encoded = JSON.stringify(
        Schema.encodeSync(TranslateError.RateLimited)(error as TranslateError.RateLimited)
      )
      const { retryAfter } = Schema.decodeUnknownSync(Schema.parseJson(TranslateError.RateLimited))(encoded)
      expect(Duration.toDays(retryAfter!)).toBeGreaterThan(1e6)
    }).pipe(Effect.provide(served()))
  )
})

describe("a call that can't be interrupted", () => {
  it.effect("ends with its answer, as the acquisition of a resource does", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: { glossaries: [] } })
      const acquired = Effect.acquireRelease(
        client(({ glossaries }) => glossaries.list),
        () => Effect.void
      )
      expect(yield* Effect.scoped(acquired)).toEqual([])
    }).pipe(Effect.provide(served()))
  )
})
