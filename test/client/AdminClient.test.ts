/** Administration on the wire and decoded: what is expected is written by hand from the specification. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { RetryPolicy, TranslateClient } from "effect-translate"
import { AdminClient, DeveloperKeys } from "effect-translate/admin"
import { analytics, developerKeys, served } from "../support/admin.js"
import { key } from "../support/client.js"
import * as recording from "../support/recordingServer.js"
import { retries } from "../support/retries.js"

const id = "0c9649a5-e8b0-4865-8bc7-2c2e0a1a8c3f:7a1f9f4e-1f9a-4f4e-9b5c-4a7b2b6d1e10"

const keyId = DeveloperKeys.keyId(id)

const record = {
  key_id: id,
  label: "Catalogue",
  creation_time: "2026-02-03T04:05:06.000Z",
  is_deactivated: false,
  usage_limits: { characters: 5000, speech_to_text_milliseconds: null }
}

const decoded = {
  keyId,
  label: "Catalogue",
  creationTime: DateTime.unsafeMake("2026-02-03T04:05:06Z"),
  isDeactivated: false,
  usageLimits: { characters: 5000, speechToTextMilliseconds: null }
}

const day = (text: string) => DateTime.unsafeMake(`${text}T00:00:00Z`)

const year = { startDate: day("2025-01-01"), endDate: day("2025-12-31") }

/** What came, without what every request has. */
const received = Effect.map(recording.onlyRequest, ({ headers, method, path, text }) => ({
  method,
  path,
  authorization: headers.authorization,
  body: text === "" ? undefined : JSON.parse(text)
}))

const authorization = `Service-Auth-Key ${key}`

const refused = <A, E extends { readonly _tag: string; readonly message: string }, R>(
  call: Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(call)
    expect(error._tag).toBe("InvalidRequest")
    expect(yield* recording.requests).toEqual([])
    expect(error.message).not.toContain(id)
    return error.message.replace(/^.* was not sent: /, "")
  })

describe("POST /v2/admin/developer-keys", () => {
  it.effect("sends the label and returns the key object", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: record })
      const { create } = yield* developerKeys
      expect(yield* create({ label: "Catalogue" })).toEqual(decoded)
      expect(yield* received).toEqual({
        method: "POST",
        path: "/v2/admin/developer-keys",
        authorization,
        body: { label: "Catalogue" }
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect('"a default label is assigned when omitted": sends an empty object', () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: record })
      yield* Effect.flatMap(developerKeys, ({ create }) => create())
      expect((yield* received).body).toEqual({})
    }).pipe(Effect.provide(served()))
  )

  it.effect("takes 201 for an answer too: an answer that is not understood costs a key", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 201, body: record })
      expect(yield* Effect.flatMap(developerKeys, ({ create }) => create())).toEqual(decoded)
    }).pipe(Effect.provide(served()))
  )

  it.effect("is not sent again if it may have arrived", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 502 }, { body: record })
      const error = yield* Effect.flip(Effect.flatMap(developerKeys, ({ create }) => create()))
      expect([error._tag, error.delivery]).toEqual(["ServerError", "ambiguous"])
      expect(yield* recording.requests).toHaveLength(1)
    }).pipe(Effect.provide(served()))
  )

  it.effect("refuses unknown fields", () =>
    Effect.gen(function* () {
      const { create } = yield* developerKeys
      expect(yield* refused(create({ lable: "x" } as object))).toBe(
        "lable is not known here: check its spelling"
      )
    }).pipe(Effect.provide(served()))
  )
})

describe("GET /v2/admin/developer-keys", () => {
  it.effect("returns the array of all keys, active and deactivated, whatever else their records hold", () =>
    Effect.gen(function* () {
      yield* recording.answer({
        body: [
          { ...record, scopes: ["translate"], usage_limits: { characters: null, pages: 3 } },
          {
            key_id: "b:c",
            label: "",
            creation_time: "2026-02-03T04:05:06",
            deactivated_time: "2026-02-04T00:00:00+01:00",
            is_deactivated: true
          },
          { ...record, deactivated_time: null, usage_limits: null }
        ]
      })
      const { list } = yield* developerKeys
      expect(yield* list).toEqual([
        {
          ...decoded,
          usageLimits: { characters: null, extra: { pages: 3 } },
          extra: { scopes: ["translate"] }
        },
        {
          keyId: DeveloperKeys.keyId("b:c"),
          label: "",
          creationTime: decoded.creationTime,
          deactivatedTime: DateTime.unsafeMake("2026-02-03T23:00:00Z"),
          isDeactivated: true
        },
        (({ usageLimits: _, ...others }) => others)(decoded)
      ])
      expect(yield* received).toEqual({
        method: "GET",
        path: "/v2/admin/developer-keys",
        authorization,
        body: undefined
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("holds the keys redacted", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: [record] })
      const [found] = yield* Effect.flatMap(developerKeys, ({ list }) => list)
      expect(Redacted.value(found!.keyId)).toBe(id)
      expect(JSON.stringify(found) + String(found!.keyId)).not.toContain("0c9649a5")
    }).pipe(Effect.provide(served()))
  )
})

describe("PUT /v2/admin/developer-keys/deactivate", () => {
  it.effect("sends the key_id", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: { ...record, is_deactivated: true } })
      const { deactivate } = yield* developerKeys
      expect(yield* deactivate(keyId)).toEqual({ ...decoded, isDeactivated: true })
      expect(yield* received).toEqual({
        method: "PUT",
        path: "/v2/admin/developer-keys/deactivate",
        authorization,
        body: { key_id: id }
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("refuses an empty and a masked key before anything is sent", () =>
    Effect.gen(function* () {
      const { deactivate } = yield* developerKeys
      expect(yield* refused(deactivate(DeveloperKeys.keyId("")))).toBe(
        "keyId is empty: give the keyId of the key's record"
      )
      expect(yield* refused(deactivate(DeveloperKeys.keyId("0c96****1e10")))).toBe(
        "keyId is a masked key: give the keyId of the key's record"
      )
    }).pipe(Effect.provide(served()))
  )

  it.effect("is sent again, since a second time changes nothing", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 502 }, { body: record })
      yield* Effect.flatMap(developerKeys, ({ deactivate }) => deactivate(keyId)).pipe(
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ schedule: retries(5) }))
      )
      expect(yield* recording.requests).toHaveLength(2)
    }).pipe(Effect.provide(served()))
  )

  it.effect("withholds a message of the service that repeats the key", () =>
    Effect.gen(function* () {
      yield* recording.answer({ status: 404, body: { message: `There is no key ${id}` } })
      const error = yield* Effect.flip(Effect.flatMap(developerKeys, ({ deactivate }) => deactivate(keyId)))
      expect(error._tag).toBe("NotFound")
      expect(error.message + JSON.stringify(error)).not.toContain("0c9649a5")
    }).pipe(Effect.provide(served()))
  )
})

describe("PUT /v2/admin/developer-keys/label", () => {
  it.effect("sends key_id and label", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: record })
      const { rename } = yield* developerKeys
      expect(yield* rename(keyId, "Catalogue")).toEqual(decoded)
      expect(yield* received).toEqual({
        method: "PUT",
        path: "/v2/admin/developer-keys/label",
        authorization,
        body: { key_id: id, label: "Catalogue" }
      })
    }).pipe(Effect.provide(served()))
  )
})

describe("PUT /v2/admin/developer-keys/limits", () => {
  it.effect.each([
    ["characters (integer, 0, or null): an integer", { characters: 5000 }, { characters: 5000 }],
    ["characters (integer, 0, or null): 0", { characters: 0 }, { characters: 0 }],
    ["characters (integer, 0, or null): null", { characters: null }, { characters: null }],
    [
      "speech_to_text_milliseconds (same semantics) also accepted",
      { characters: 1, speechToTextMilliseconds: 0 },
      { characters: 1, speech_to_text_milliseconds: 0 }
    ],
    [
      "one limit leaves the other as it is",
      { speechToTextMilliseconds: null },
      { speech_to_text_milliseconds: null }
    ]
  ] as const)("%s", ([, limits, body]) =>
    Effect.gen(function* () {
      yield* recording.answer({ body: record })
      const { setLimits } = yield* developerKeys
      expect(yield* setLimits(keyId, limits)).toEqual(decoded)
      expect(yield* received).toEqual({
        method: "PUT",
        path: "/v2/admin/developer-keys/limits",
        authorization,
        body: { key_id: id, ...body }
      })
    }).pipe(Effect.provide(served()))
  )

  const rule = "it must be a whole number of at least 0, or null for no limit"

  it.effect.each([
    [{ characters: -1 }, `characters is -1; ${rule}`],
    [{ characters: 1.5 }, `characters is 1.5; ${rule}`],
    [{ speechToTextMilliseconds: Number.NaN }, `speechToTextMilliseconds is NaN; ${rule}`],
    [
      {},
      "characters is missing, and so is speechToTextMilliseconds: give the limit to set, or null to lift it"
    ]
  ] as const)("refuses %j", ([limits, message]) =>
    Effect.gen(function* () {
      const { setLimits } = yield* developerKeys
      expect(yield* refused(setLimits(keyId, limits))).toBe(message)
    }).pipe(Effect.provide(served()))
  )
})

const breakdown = {
  total_characters: 9619,
  text_translation_characters: 4892,
  document_translation_characters: 0,
  text_improvement_characters: 4727,
  speech_to_text_minutes: 107.46
}

const usage = {
  totalCharacters: 9619,
  textTranslationCharacters: 4892,
  documentTranslationCharacters: 0,
  textImprovementCharacters: 4727,
  speechToTextMinutes: 107.46
}

const masked = "dc88****3a2c" as DeveloperKeys.MaskedKey

describe("GET /v2/admin/analytics", () => {
  const report = {
    total_usage: breakdown,
    group_by: "key_and_day",
    start_date: "2025-01-01T00:00:00Z",
    end_date: "2025-12-31T00:00:00"
  }

  it.effect("sends start_date, end_date and group_by", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: { usage_report: report } })
      yield* Effect.flatMap(analytics, (client) => client.report({ ...year, groupBy: "key_and_day" }))
      const { path, ...rest } = yield* received
      expect(rest).toEqual({ method: "GET", authorization, body: undefined })
      expect(decodeURIComponent(path)).toBe(
        "/v2/admin/analytics?start_date=2025-01-01&end_date=2025-12-31&group_by=key_and_day"
      )
    }).pipe(Effect.provide(served()))
  )

  it.effect("sends a time to the second, in UTC", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: { usage_report: report } })
      const startDate = DateTime.toUtc(DateTime.unsafeMake("2025-03-04T23:59:59.999+01:00"))
      yield* Effect.flatMap(analytics, (client) => client.report({ ...year, startDate }))
      expect(decodeURIComponent((yield* received).path)).toBe(
        "/v2/admin/analytics?start_date=2025-03-04T22:59:59&end_date=2025-12-31"
      )
    }).pipe(Effect.provide(served()))
  )

  it.effect("decodes totals, rows by key and rows by key and day; a missing product was not used", () =>
    Effect.gen(function* () {
      const row = { api_key: masked, api_key_label: "Staging", usage: breakdown }
      yield* recording.answer({
        body: {
          usage_report: {
            ...report,
            key_usages: [row, { api_key: "-", usage: { total_characters: 1 } }],
            key_and_day_usages: [{ ...row, usage_date: "2025-09-29T00:00:00Z", colour: "red" }]
          }
        }
      })
      const nothing = {
        textTranslationCharacters: 0,
        documentTranslationCharacters: 0,
        textImprovementCharacters: 0,
        speechToTextMinutes: 0
      }
      const decodedRow = { apiKey: masked, apiKeyLabel: "Staging", usage }
      expect(yield* Effect.flatMap(analytics, (client) => client.report(year))).toEqual({
        totalUsage: usage,
        groupBy: "key_and_day",
        ...year,
        keyUsages: [decodedRow, { apiKey: "-", usage: { totalCharacters: 1, ...nothing } }],
        keyAndDayUsages: [{ ...decodedRow, usageDate: day("2025-09-29"), extra: { colour: "red" } }]
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect('"Analytics date range | 366 days": refuses more before anything is sent', () =>
    Effect.gen(function* () {
      const client = yield* analytics
      const after = (days: number, seconds = 0) => ({
        startDate: day("2024-01-01"),
        endDate: DateTime.add(day("2024-01-01"), { days, seconds })
      })
      const message = "endDate is 367 days after startDate; the limit is 366: ask for several ranges"
      expect(yield* refused(client.report(after(366, 1)))).toBe(message)
      expect(yield* refused(client.report(after(367)))).toBe(message)
      expect(yield* refused(client.customTags(after(367)))).toBe(message)
      yield* recording.answer({ body: { usage_report: report } })
      yield* client.report(after(366))
      expect(yield* recording.requests).toHaveLength(1)
    }).pipe(Effect.provide(served()))
  )

  it.effect("refuses an end before the start", () =>
    Effect.gen(function* () {
      const client = yield* analytics
      const backwards = { startDate: year.endDate, endDate: year.startDate }
      const message = "endDate is before startDate: exchange them"
      expect(yield* refused(client.report(backwards))).toBe(message)
      expect(yield* refused(client.reportOver(backwards))).toBe(message)
      expect(yield* refused(Stream.runDrain(client.customTagsStream(backwards)))).toBe(message)
    }).pipe(Effect.provide(served()))
  )
})

describe("a report over more than 366 days", () => {
  const row = (date: string, characters: number, apiKey = "dc88****3a2c", label = "Staging") => ({
    api_key: apiKey,
    api_key_label: label,
    usage_date: `${date}T00:00:00Z`,
    usage: { total_characters: characters, text_translation_characters: characters }
  })

  const answered = (...rows: ReadonlyArray<ReturnType<typeof row>>) => ({
    body: {
      usage_report: {
        total_usage: { total_characters: rows.reduce((sum, { usage }) => sum + usage.total_characters, 0) },
        start_date: "2024-01-01T00:00:00Z",
        end_date: "2024-01-01T00:00:00Z",
        key_and_day_usages: rows
      }
    }
  })

  /** The service takes the day of the end for part of the range. */
  const inclusive = recording.answer(
    answered(row("2023-01-01", 1), row("2024-01-01", 10), row("2024-01-02", 100)),
    answered(row("2024-01-02", 100), row("2024-05-05", 1000, "eeee****eeee"), row("2025-01-02", 10_000)),
    answered(row("2025-01-02", 10_000), row("2025-02-01", 100_000))
  )

  const query = { startDate: day("2023-01-01"), endDate: day("2025-02-01") }

  it.effect("asks for allowed ranges that meet at midnight, by key and day", () =>
    Effect.gen(function* () {
      yield* inclusive
      yield* Effect.flatMap(analytics, (client) =>
        client.reportOver({ ...query, startDate: DateTime.unsafeMake("2023-01-01T12:00:00Z") })
      )
      const paths = (yield* recording.requests).map(({ path }) => decodeURIComponent(path))
      expect(paths).toEqual([
        "/v2/admin/analytics?start_date=2023-01-01T12:00:00&end_date=2024-01-02&group_by=key_and_day",
        "/v2/admin/analytics?start_date=2024-01-02&end_date=2025-01-02&group_by=key_and_day",
        "/v2/admin/analytics?start_date=2025-01-02&end_date=2025-02-01&group_by=key_and_day"
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect("counts a day that is in two reports once: in the total", () =>
    Effect.gen(function* () {
      yield* inclusive
      const report = yield* Effect.flatMap(analytics, (client) => client.reportOver(query))
      expect(report.totalUsage).toMatchObject({
        totalCharacters: 111_111,
        textTranslationCharacters: 111_111
      })
      expect(report).toMatchObject(query)
      expect(report.keyUsages).toBeUndefined()
      expect(report.keyAndDayUsages).toBeUndefined()
    }).pipe(Effect.provide(served()))
  )

  it.effect("counts a day that is in two reports once: by key", () =>
    Effect.gen(function* () {
      yield* inclusive
      const { keyUsages = [] } = yield* Effect.flatMap(analytics, (client) =>
        client.reportOver({ ...query, groupBy: "key" })
      )
      expect(keyUsages.map(({ apiKey, usage }) => [apiKey, usage.totalCharacters])).toEqual([
        ["dc88****3a2c", 110_111],
        ["eeee****eeee", 1000]
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect("counts a day that is in two reports once: by key and day", () =>
    Effect.gen(function* () {
      yield* inclusive
      const { keyAndDayUsages = [] } = yield* Effect.flatMap(analytics, (client) =>
        client.reportOver({ ...query, groupBy: "key_and_day" })
      )
      expect(keyAndDayUsages.map(({ usage }) => usage.totalCharacters)).toEqual([
        1, 10, 100, 1000, 10_000, 100_000
      ])
    }).pipe(Effect.provide(served()))
  )

  it.effect("asks once, as the plain endpoint does, for a range that is allowed", () =>
    Effect.gen(function* () {
      yield* recording.answer(answered())
      yield* Effect.flatMap(analytics, (client) => client.reportOver(year))
      expect(decodeURIComponent((yield* received).path)).toBe(
        "/v2/admin/analytics?start_date=2025-01-01&end_date=2025-12-31"
      )
    }).pipe(Effect.provide(served()))
  )
})

describe("GET /v2/admin/analytics/custom-tags", () => {
  const tag = (name: string) => ({
    custom_tag: name,
    breakdown: { total_characters: 7, text_translation_characters: 7, text_improvement_characters: 0 }
  })

  const page = (next: number | null, ...usage: ReadonlyArray<object>) => ({
    body: {
      custom_tag_usage_report: {
        aggregate_by: "period",
        start_date: "2025-01-01T00:00:00Z",
        end_date: "2025-12-31T00:00:00Z",
        next_page: next,
        usage
      }
    }
  })

  it.effect("reads a report without usage as one of none", () =>
    Effect.gen(function* () {
      const { usage: _, ...rest } = page(null).body.custom_tag_usage_report
      yield* recording.answer({ body: { custom_tag_usage_report: rest } })
      const report = yield* Effect.flatMap(analytics, (client) => client.customTags(year))
      expect(report.usage).toEqual([])
    }).pipe(Effect.provide(served()))
  )

  it.effect("sends dates, aggregate_by and page", () =>
    Effect.gen(function* () {
      yield* recording.answer(page(null))
      yield* Effect.flatMap(analytics, (client) =>
        client.customTags({
          startDate: DateTime.unsafeMake("2025-01-01T12:34:56Z"),
          endDate: year.endDate,
          aggregateBy: "day",
          page: 3
        })
      )
      expect(yield* received).toEqual({
        method: "GET",
        path: "/v2/admin/analytics/custom-tags?start_date=2025-01-01&end_date=2025-12-31&aggregate_by=day&page=3",
        authorization,
        body: undefined
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect("decodes the report", () =>
    Effect.gen(function* () {
      yield* recording.answer(page(4, { ...tag("a"), usage_date: "2025-09-29T00:00:00Z" }, tag("")))
      const report = yield* Effect.flatMap(analytics, (client) => client.customTags(year))
      const breakdown = { totalCharacters: 7, textTranslationCharacters: 7, textImprovementCharacters: 0 }
      expect(report).toEqual({
        aggregateBy: "period",
        ...year,
        nextPage: 4,
        usage: [
          { customTag: "a", usageDate: day("2025-09-29"), breakdown },
          { customTag: "", breakdown }
        ]
      })
    }).pipe(Effect.provide(served()))
  )

  it.effect('the stream passes "the previous next_page value; continue until next_page is null"', () =>
    Effect.gen(function* () {
      yield* recording.answer(page(7, tag("a"), tag("b")), page(9), page(null, tag("c")))
      const all = yield* Effect.flatMap(analytics, (client) =>
        Stream.runCollect(client.customTagsStream(year))
      )
      expect(Chunk.toReadonlyArray(all).map(({ customTag }) => customTag)).toEqual(["a", "b", "c"])
      const pages = (yield* recording.requests).map(({ path }) => path.split("2025-12-31")[1])
      expect(pages).toEqual(["", "&page=7", "&page=9"])
    }).pipe(Effect.provide(served()))
  )

  it.effect("the stream fails where next_page names a page that was read already", () =>
    Effect.gen(function* () {
      yield* recording.answer(page(7, tag("a")), page(7, tag("b")))
      const { customTagsStream } = yield* analytics
      const tags: Array<string | undefined> = []
      const error = yield* Effect.flip(
        Stream.runForEach(customTagsStream(year), ({ customTag }) => Effect.sync(() => tags.push(customTag)))
      )
      expect(tags).toEqual(["a", "b"])
      expect(error).toMatchObject({ _tag: "RepeatedPage", path: "/v2/admin/analytics/custom-tags", page: 7 })
    }).pipe(Effect.provide(served()))
  )
})

describe("layerConfig", () => {
  for (const [what, launched, keyName] of [
    ["an admin client", Layer.launch(AdminClient.layerConfig()), "LANGUAGE_SERVICE_ADMIN_KEY"],
    ["a client", Layer.launch(TranslateClient.layerConfig()), "LANGUAGE_SERVICE_KEY"]
  ] as const) {
    it.effect(`of ${what} names address and key where both are missing`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(launched).pipe(
          Effect.provide(NodeHttpClient.layerUndici),
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map()))
        )
        expect(String(error)).toContain("LANGUAGE_SERVICE_URL")
        expect(String(error)).toContain(keyName)
      })
    )
  }

  it.effect.each([
    ["the known variables", {}, "LANGUAGE_SERVICE_URL", "LANGUAGE_SERVICE_ADMIN_KEY"],
    ["Config values", { url: Config.string("EU_URL"), key: Config.redacted("EU_KEY") }, "EU_URL", "EU_KEY"]
  ] as const)("takes address and key from %s", ([_, options, urlName, keyName]) =>
    Effect.gen(function* () {
      const { url } = yield* recording.RecordingServer
      const config = ConfigProvider.fromMap(
        new Map([
          [urlName, url],
          [keyName, "admin-of-eu"]
        ])
      )
      yield* recording.answer({ body: [record] })
      const listed = yield* Effect.flatMap(developerKeys, ({ list }) => list).pipe(
        Effect.provide(Layer.provide(AdminClient.layerConfig(options), NodeHttpClient.layerUndici)),
        Effect.withConfigProvider(config)
      )
      expect(listed).toEqual([decoded])
      expect((yield* recording.onlyRequest).headers.authorization).toContain("admin-of-eu")
    }).pipe(Effect.provide(recording.layer))
  )
})
