/** Accounts of the emulator: keys, limits, months, and reports that add up to what was billed. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { type Analytics, DeveloperKeys } from "effect-translate/admin"
import { Emulator } from "effect-translate/emulator"
import { adminOf, analytics, developerKeys } from "../support/admin.js"
import { runs } from "../support/long.js"
import { hello, meter, send, translate, usage, withKey } from "./support.js"

const admin = "admin-key-of-a"

/** An account "a" of two developer keys and an admin key, and a stranger; in process, so that months pass at once. */
const account = (options: Emulator.Options = {}) =>
  adminOf(admin).pipe(
    Layer.provideMerge(
      Emulator.layerHttpClient({
        keys: [
          { key: "first-key-of-a", account: "a" },
          { key: "second-key-of-a", account: "a" },
          { key: admin, account: "a", admin: true },
          "stranger"
        ],
        ...options
      })
    )
  )

const first = withKey("first-key-of-a")
const second = withKey("second-key-of-a")

const status = <E, R>(answer: Effect.Effect<{ readonly status: number }, E, R>) =>
  Effect.map(answer, ({ status }) => status)

const improve = (text: string, key: Parameters<typeof hello>[0]) =>
  send(JSON.stringify({ text: [text], target_lang: "en-US" }), { path: "/v2/write/rephrase", ...key })

const tagged = (key: string, tag: string) => ({
  headers: { authorization: `Service-Auth-Key ${key}`, "x-custom-tag": tag }
})

const setTime = (text: string) => TestClock.setTime(Date.parse(`${text}Z`))

const moment = (text: string) => DateTime.unsafeMake(`${text}Z`)

const may = { startDate: moment("2026-05-01T00:00:00"), endDate: moment("2026-05-31T23:59:59") }

describe("an admin key", () => {
  it.effect("creates a key without a body, since all of its fields are optional", () =>
    Effect.gen(function* () {
      const created = yield* send(undefined, { path: "/v2/admin/developer-keys", ...withKey(admin) })
      expect([created.status, created.json.is_deactivated]).toEqual([200, false])
    }).pipe(Effect.provide(account()))
  )

  it.effect('"Admin endpoints (/v2/admin/...) require an admin key", and it opens nothing else', () =>
    Effect.gen(function* () {
      const list = { method: "GET", path: "/v2/admin/developer-keys" } as const
      const answers = yield* Effect.all([
        send(undefined, { ...list, ...withKey(admin) }),
        send(undefined, { ...list, ...first }),
        send(undefined, { ...list, headers: { authorization: undefined } }),
        send(undefined, { ...list, headers: { authorization: `Bearer ${admin}` } }),
        hello(withKey(admin)),
        usage(withKey(admin))
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 403, 403, 403, 403, 403])
    }).pipe(Effect.provide(account()))
  )

  it.effect("comes with an emulator that is told nothing, in the account of its key", () =>
    Effect.gen(function* () {
      yield* hello()
      const { list } = yield* developerKeys
      expect((yield* list).map(({ keyId }) => Redacted.value(keyId))).toEqual([Emulator.defaultKey])
    }).pipe(
      Effect.provide(adminOf(Emulator.defaultAdminKey).pipe(Layer.provideMerge(Emulator.layerHttpClient())))
    )
  )

  it.effect("manages the keys of its account alone, and no admin key", () =>
    Effect.gen(function* () {
      const client = yield* developerKeys
      expect((yield* client.list).map(({ keyId }) => Redacted.value(keyId))).toEqual([
        "first-key-of-a",
        "second-key-of-a"
      ])
      for (const key of ["stranger", admin, "unknown"]) {
        const error = yield* Effect.flip(client.deactivate(DeveloperKeys.keyId(key)))
        expect(error._tag).toBe("NotFound")
      }
      expect(yield* status(hello(withKey("stranger")))).toBe(200)
    }).pipe(Effect.provide(account()))
  )
})

describe("developer keys", () => {
  it.effect("that were made work at once, with a label of their own or a default one", () =>
    Effect.gen(function* () {
      yield* setTime("2026-05-05T10:00:00")
      const { create, list, rename } = yield* developerKeys
      const made = yield* create({ label: "Catalogue" })
      const unnamed = yield* create()
      expect(made).toMatchObject({
        label: "Catalogue",
        creationTime: moment("2026-05-05T10:00:00"),
        isDeactivated: false,
        usageLimits: { characters: null, speechToTextMilliseconds: null }
      })
      expect(unnamed.label).toBe("Key 4")
      const guid = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
      expect(Redacted.value(made.keyId)).toMatch(new RegExp(`^${guid}:${guid}$`))
      expect(yield* status(hello(withKey(Redacted.value(made.keyId))))).toBe(200)
      expect((yield* meter).keys[Redacted.value(made.keyId)]?.characters).toBe(5)
      const renamed = yield* rename(unnamed.keyId, "Website")
      expect(renamed).toEqual({ ...unnamed, label: "Website" })
      expect((yield* list).slice(2)).toEqual([made, renamed])
    }).pipe(Effect.provide(account()))
  )

  it.effect('"Up to 25 keys may be active simultaneously"', () =>
    Effect.gen(function* () {
      const { create, deactivate } = yield* developerKeys
      const made = yield* Effect.replicateEffect(create(), 23)
      const error = yield* Effect.flip(create())
      expect(error._tag).toBe("BadRequest")
      expect(error.message).toContain("25")
      yield* deactivate(made[0]!.keyId)
      yield* create()
      expect((yield* Effect.flip(create()))._tag).toBe("BadRequest")
    }).pipe(Effect.provide(account()))
  )

  it.effect('"the key stops working immediately; deactivated_time set; cannot be reactivated"', () =>
    Effect.gen(function* () {
      yield* setTime("2026-05-05T10:00:00")
      const { deactivate, list, rename, setLimits } = yield* developerKeys
      const keyId = DeveloperKeys.keyId("first-key-of-a")
      expect(yield* status(hello(first))).toBe(200)
      const gone = yield* deactivate(keyId)
      expect(gone).toMatchObject({
        isDeactivated: true,
        deactivatedTime: moment("2026-05-05T10:00:00")
      })
      expect(yield* status(hello(first))).toBe(403)
      expect(yield* status(usage(first))).toBe(403)
      expect(yield* status(hello(second))).toBe(200)
      yield* setTime("2026-06-01T00:00:00")
      expect(yield* deactivate(keyId)).toEqual(gone)
      yield* rename(keyId, "Gone")
      yield* setLimits(keyId, { characters: null })
      expect(yield* status(hello(first))).toBe(403)
      expect((yield* list).map(({ isDeactivated }) => isDeactivated)).toEqual([true, false])
    }).pipe(Effect.provide(account()))
  )
})

describe("key limits", () => {
  const keyId = DeveloperKeys.keyId("first-key-of-a")

  it.effect('"A key-level limit set to 0 blocks consumption; null removes the limit"', () =>
    Effect.gen(function* () {
      const { setLimits } = yield* developerKeys
      const limited = yield* setLimits(keyId, { characters: 0 })
      expect(limited.usageLimits).toEqual({ characters: 0, speechToTextMilliseconds: null })
      expect(yield* status(hello(first))).toBe(456)
      expect(yield* status(improve("Hello", first))).toBe(456)
      expect(yield* status(hello(second))).toBe(200)
      yield* setLimits(keyId, { characters: 5 })
      expect(yield* Effect.all([status(hello(first)), status(hello(first))])).toEqual([200, 456])
      yield* setLimits(keyId, { characters: null })
      expect(yield* status(hello(first))).toBe(200)
    }).pipe(Effect.provide(account()))
  )

  it.effect("a limit that is left out stays as it is", () =>
    Effect.gen(function* () {
      const { setLimits } = yield* developerKeys
      yield* setLimits(keyId, { characters: 7 })
      const both = yield* setLimits(keyId, { speechToTextMilliseconds: 60_000 })
      expect(both.usageLimits).toEqual({ characters: 7, speechToTextMilliseconds: 60_000 })
      expect((yield* usage(first)).json).toMatchObject({
        api_key_character_limit: 7,
        speech_to_text_milliseconds_limit: 60_000
      })
    }).pipe(Effect.provide(account()))
  )

  it.effect('"characters per one-month usage period, reset at its start … 456 at 100%"', () =>
    Effect.gen(function* () {
      yield* setTime("2026-05-31T23:59:59")
      yield* Effect.flatMap(developerKeys, ({ setLimits }) => setLimits(keyId, { characters: 9 }))
      expect(yield* status(hello(first))).toBe(200)
      expect(yield* status(hello(first))).toBe(456)
      yield* setTime("2026-06-01T00:00:00")
      expect(yield* status(hello(first))).toBe(200)
      expect(yield* status(hello(first))).toBe(456)
      expect((yield* usage(first)).json).toMatchObject({
        api_key_character_count: 5,
        character_count: 5,
        start_time: "2026-06-01T00:00:00.000Z"
      })
    }).pipe(Effect.provide(account()))
  )

  it.effect('"Cost control applies to the sum of translate and write characters", of all keys', () =>
    Effect.gen(function* () {
      expect(yield* status(hello(first))).toBe(200)
      expect(yield* status(improve("12345", second))).toBe(200)
      expect(yield* status(hello(first))).toBe(456)
      expect(yield* status(improve("12345", first))).toBe(456)
      expect(yield* status(improve("12", second))).toBe(200)
      expect(yield* status(hello(withKey("stranger")))).toBe(200)
      expect((yield* usage(second)).json).toMatchObject({
        character_count: 12,
        character_limit: 12,
        api_key_character_count: 7,
        products: [
          {
            product_type: "translate",
            billing_unit: "characters",
            api_key_unit_count: 0,
            account_unit_count: 5
          },
          {
            product_type: "write",
            billing_unit: "characters",
            api_key_unit_count: 7,
            account_unit_count: 7
          }
        ]
      })
    }).pipe(Effect.provide(account({ characterLimit: 12 })))
  )
})

describe("the bill", () => {
  const billed = (body: object) =>
    Effect.gen(function* () {
      const before = (yield* meter).characters
      expect(yield* status(translate({ text: ["Hello"], ...body }, first))).toBe(200)
      return (yield* meter).characters - before
    })

  it.effect.each([
    ['"Only text parameters are billed": context is not', { target_lang: "de", context: "A long story" }, 5],
    [
      '"requests with identical source and target language are still billed"',
      { source_lang: "de", target_lang: "de" },
      5
    ],
    ['"characters translated into them are not billed during beta": de-CH', { target_lang: "de-CH" }, 0],
    ['"characters translated into them are not billed during beta": fr-CA', { target_lang: "fr-ca" }, 0]
  ] as const)("%s", ([, body, characters]) =>
    Effect.gen(function* () {
      expect(yield* billed(body)).toBe(characters)
      expect((yield* usage(first)).json.character_count).toBe(characters)
      const { totalUsage } = yield* Effect.flatMap(analytics, ({ report }) =>
        report({ startDate: moment("1970-01-01T00:00:00"), endDate: moment("1970-01-01T00:00:00") })
      )
      expect(totalUsage.totalCharacters).toBe(characters)
    }).pipe(Effect.provide(account()))
  )
})

describe("reports", () => {
  const breakdown = (text: number, write = 0): Analytics.UsageBreakdown => ({
    totalCharacters: text + write,
    textTranslationCharacters: text,
    documentTranslationCharacters: 0,
    textImprovementCharacters: write,
    speechToTextMinutes: 0
  })

  /** 5 + 5 with the first key and 3 with the second in May, 5 in April and in June; 5 by a stranger. */
  const month = Effect.gen(function* () {
    yield* setTime("2026-04-30T23:59:59")
    yield* hello(first)
    yield* setTime("2026-05-01T00:00:00")
    yield* hello(first)
    yield* hello(withKey("stranger"))
    yield* setTime("2026-05-31T23:59:59")
    yield* hello(first)
    yield* improve("Bye", second)
    yield* setTime("2026-06-01T00:00:00")
    yield* hello(second)
  })

  const firstRow = { apiKey: "firs****of-a", apiKeyLabel: "Key 1" }
  const secondRow = { apiKey: "seco****of-a", apiKeyLabel: "Key 2" }

  it.effect("tell the total of the account in the range, both ends in it", () =>
    Effect.gen(function* () {
      yield* month
      const { report } = yield* analytics
      expect(yield* report(may)).toEqual({ totalUsage: breakdown(10, 3), ...may })
    }).pipe(Effect.provide(account()))
  )

  it.effect("hold all of their last day, if the end is a date", () =>
    Effect.gen(function* () {
      yield* month
      const { report } = yield* analytics
      const dates = { startDate: moment("2026-05-01T00:00:00"), endDate: moment("2026-05-31T00:00:00") }
      expect((yield* report(dates)).totalUsage).toEqual(breakdown(10, 3))
      const second = { ...dates, endDate: moment("2026-05-31T00:00:01") }
      expect((yield* report(second)).totalUsage).toEqual(breakdown(5))
    }).pipe(Effect.provide(account()))
  )

  it.effect("tell the usage of each key, which they mask", () =>
    Effect.gen(function* () {
      yield* month
      const { report } = yield* analytics
      expect(yield* report({ ...may, groupBy: "key" })).toEqual({
        totalUsage: breakdown(10, 3),
        groupBy: "key",
        ...may,
        keyUsages: [
          { ...firstRow, usage: breakdown(10) },
          { ...secondRow, usage: breakdown(0, 3) }
        ]
      })
    }).pipe(Effect.provide(account()))
  )

  it.effect("tell the usage of each key and day", () =>
    Effect.gen(function* () {
      yield* month
      const { report } = yield* analytics
      const { keyAndDayUsages } = yield* report({ ...may, groupBy: "key_and_day" })
      const lastDay = moment("2026-05-31T00:00:00")
      expect(keyAndDayUsages).toEqual([
        { ...firstRow, usageDate: may.startDate, usage: breakdown(5) },
        { ...firstRow, usageDate: lastDay, usage: breakdown(5) },
        { ...secondRow, usageDate: lastDay, usage: breakdown(0, 3) }
      ])
    }).pipe(Effect.provide(account()))
  )

  it.effect("still tell the usage of a deactivated key", () =>
    Effect.gen(function* () {
      yield* month
      const { deactivate } = yield* developerKeys
      yield* deactivate(DeveloperKeys.keyId("first-key-of-a"))
      const { report } = yield* analytics
      expect((yield* report(may)).totalUsage).toEqual(breakdown(10, 3))
    }).pipe(Effect.provide(account()))
  )

  const report = (query: string) =>
    send(undefined, { method: "GET", path: `/v2/admin/analytics?${query}`, ...withKey(admin) })

  it.effect(
    'take "each `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SS`, UTC": a date as the end means its whole day',
    () =>
      Effect.gen(function* () {
        yield* month
        const total = (query: string) =>
          Effect.map(report(query), ({ json }) => json.usage_report.total_usage.total_characters)
        expect(yield* total("start_date=2026-05-01&end_date=2026-05-31")).toBe(13)
        expect(yield* total("start_date=2026-05-01&end_date=2026-05-30")).toBe(5)
        expect(yield* total("start_date=2026-05-01T00:00:01&end_date=2026-05-31T23:59:58")).toBe(0)
        expect(yield* total("start_date=2026-05-01T00:00:00&end_date=2026-06-01T00:00:00")).toBe(18)
      }).pipe(Effect.provide(account()))
  )

  it.effect.each([
    ["end_date=2026-05-31", "start_date is missing"] as const,
    [
      "start_date=2026-02-30&end_date=2026-05-31",
      "start_date must be a date of UTC: YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS"
    ],
    [
      "start_date=2026-05-01T10:00&end_date=2026-05-31",
      "start_date must be a date of UTC: YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS"
    ],
    [
      "start_date=2025-01-01&end_date=2026-01-03",
      "end_date is 367 days after start_date; the limit is 366: ask for several ranges"
    ]
  ])("answer 400 to %s", ([query, message]) =>
    Effect.gen(function* () {
      const { json, status } = yield* report(query)
      expect([status, json.message]).toEqual([400, message])
    }).pipe(Effect.provide(account()))
  )
})

describe("custom tags", () => {
  it.effect('"Only text translation is covered": by tag, over the period or by day', () =>
    Effect.gen(function* () {
      yield* setTime("2026-05-01T10:00:00")
      yield* hello(tagged("first-key-of-a", "spring"))
      yield* hello(tagged("second-key-of-a", "spring"))
      yield* hello(tagged("second-key-of-a", "summer"))
      yield* hello(tagged("stranger", "spring"))
      yield* hello(tagged("first-key-of-a", ""))
      yield* hello(first)
      yield* improve("Bye", tagged("first-key-of-a", "spring"))
      yield* setTime("2026-05-02T10:00:00")
      yield* hello(tagged("first-key-of-a", "spring"))
      const client = yield* analytics
      const breakdown = (characters: number) => ({
        totalCharacters: characters,
        textTranslationCharacters: characters,
        textImprovementCharacters: 0
      })
      const dates = { startDate: may.startDate, endDate: moment("2026-05-31T00:00:00") }
      expect(yield* client.customTags(may)).toEqual({
        aggregateBy: "period",
        ...dates,
        nextPage: null,
        usage: [
          { customTag: "spring", breakdown: breakdown(15) },
          { customTag: "summer", breakdown: breakdown(5) }
        ]
      })
      expect((yield* client.customTags({ ...may, aggregateBy: "day" })).usage).toEqual([
        { customTag: "spring", usageDate: moment("2026-05-01T00:00:00"), breakdown: breakdown(10) },
        { customTag: "spring", usageDate: moment("2026-05-02T00:00:00"), breakdown: breakdown(5) },
        { customTag: "summer", usageDate: moment("2026-05-01T00:00:00"), breakdown: breakdown(5) }
      ])
    }).pipe(Effect.provide(account()))
  )

  it.effect("come in pages", () =>
    Effect.gen(function* () {
      yield* setTime("2026-05-01T10:00:00")
      const tags = Array.from({ length: 201 }, (_, index) => `tag ${index}`)
      yield* Effect.forEach(tags, (tag) => hello(tagged("first-key-of-a", tag)))
      const client = yield* analytics
      expect((yield* client.customTags(may)).nextPage).toBe(1)
      const all = yield* Stream.runCollect(client.customTagsStream(may))
      expect(Chunk.toReadonlyArray(all).map(({ customTag }) => customTag)).toEqual(tags)
    }).pipe(Effect.provide(account()))
  )

  it.effect("come in the header that the settings name", () =>
    Effect.gen(function* () {
      yield* hello({ headers: { ...first.headers, "x-campaign": "spring" } })
      yield* hello(tagged("first-key-of-a", "other"))
      const { usage } = yield* Effect.flatMap(analytics, ({ customTags }) =>
        customTags({ startDate: moment("1970-01-01T00:00:00"), endDate: moment("1970-01-01T00:00:00") })
      )
      expect(usage.map(({ customTag }) => customTag)).toEqual(["spring"])
    }).pipe(Effect.provide(account({ customTagHeader: "X-Campaign" })))
  )
})

describe("a report over any range", () => {
  const start = Date.UTC(2020, 0, 1)
  const millisPerDay = 86_400_000
  const dayOf = (time: number) => Math.floor(time / millisPerDay)

  /** Days near those where a range may be cut, at their first and last seconds too. */
  const time = FastCheck.tuple(
    FastCheck.constantFrom(0, 1, 2, 3),
    FastCheck.constantFrom(364, 365, 366, 367, 368),
    FastCheck.constantFrom(0, 1000, millisPerDay / 2, millisPerDay - 1000)
  ).map(([cuts, days, millis]) => start + cuts * days * millisPerDay + millis)

  const bills = FastCheck.array(
    FastCheck.record({
      time,
      text: FastCheck.integer({ min: 1, max: 20 }).map((length) => "x".repeat(length)),
      key: FastCheck.constantFrom("first-key-of-a", "second-key-of-a"),
      isWrite: FastCheck.boolean()
    }),
    { minLength: 5, maxLength: 15 }
  )

  it.effect.prop(
    "adds up to its bills, in total, by key, and by key and day",
    [bills, FastCheck.constantFrom(0, 1), FastCheck.integer({ min: 366, max: 1100 })],
    ([bills, skipped, days]) =>
      Effect.gen(function* () {
        for (const { isWrite, key, text, time } of bills) {
          yield* TestClock.setTime(time)
          const sent = withKey(key)
          yield* isWrite ? improve(text, sent) : translate({ text: [text], target_lang: "de" }, sent)
        }
        const [from, to] = [start + skipped * millisPerDay, start + days * millisPerDay - 1000]
        const range = { startDate: DateTime.unsafeMake(from), endDate: DateTime.unsafeMake(to) }
        const inRange = bills.filter(({ time }) => time >= from && time <= to)
        const sums = (group: (bill: (typeof bills)[number]) => string) => {
          const sums: Record<string, number> = {}
          for (const bill of inRange) sums[group(bill)] = (sums[group(bill)] ?? 0) + bill.text.length
          return sums
        }
        const { reportOver } = yield* analytics
        const { totalUsage } = yield* reportOver(range)
        const products = sums(({ isWrite }) => (isWrite ? "write" : "text"))
        expect(totalUsage.totalCharacters).toBe((products.text ?? 0) + (products.write ?? 0))
        expect(totalUsage.textTranslationCharacters).toBe(products.text ?? 0)
        expect(totalUsage.textImprovementCharacters).toBe(products.write ?? 0)
        const byKey = yield* reportOver({ ...range, groupBy: "key" })
        expect(byKey.totalUsage).toEqual(totalUsage)
        expect(
          byKey.keyUsages?.map(({ apiKey, usage }) => [apiKey!.slice(0, 4), usage.totalCharacters]).sort()
        ).toEqual(Object.entries(sums(({ key }) => key.slice(0, 4))).sort())
        const byDay = yield* reportOver({ ...range, groupBy: "key_and_day" })
        expect(
          byDay.keyAndDayUsages
            ?.map(({ apiKey, usage, usageDate }) => [
              `${apiKey!.slice(0, 4)} ${dayOf(usageDate!.epochMillis)}`,
              usage.totalCharacters
            ])
            .sort()
        ).toEqual(Object.entries(sums(({ key, time }) => `${key.slice(0, 4)} ${dayOf(time)}`)).sort())
      }).pipe(Effect.provide(account())),
    { fastCheck: { numRuns: runs(25) } }
  )
})

describe("a key in the query or the body", () => {
  const body = { text: ["Hello"], target_lang: "de" }
  const without = { headers: { authorization: undefined } }
  const inQuery = (key: string) =>
    status(translate(body, { ...without, path: `/v2/translate?auth_key=${key}&x=1` }))
  const inBody = (key: string) => status(translate({ ...body, auth_key: key }, without))
  const keys = [{ key: "paid" }, { key: "free", tier: "free" }] as const

  const kinds = (statuses: ReadonlyArray<number>) => Array.from(new Set(statuses)).sort()

  const seen = (key: string) =>
    Effect.all([
      Effect.map(Effect.replicateEffect(inQuery(key), 20), kinds),
      Effect.map(Effect.replicateEffect(inBody(key), 20), kinds)
    ]).pipe(Effect.withRandom(Random.make("brownout")))

  it.effect('"free-tier requests using it receive 403"', () =>
    Effect.gen(function* () {
      expect(yield* seen("free")).toEqual([[403], [403]])
      expect((yield* meter).characters).toBe(0)
    }).pipe(Effect.provide(Emulator.layerHttpClient({ keys, deprecatedAuth: "brownout" })))
  )

  it.effect('"paid-tier requests receive intermittent 403 during a brownout period"', () =>
    Effect.gen(function* () {
      expect(yield* seen("paid")).toEqual([
        [200, 403],
        [200, 403]
      ])
      const { characters, keys, statuses } = yield* meter
      expect(characters).toBe(5 * statuses[200]!)
      expect(keys.paid?.characters).toBe(characters)
    }).pipe(Effect.provide(Emulator.layerHttpClient({ keys, deprecatedAuth: "brownout" })))
  )

  it.effect('"before full removal": afterwards all of them receive 403', () =>
    Effect.gen(function* () {
      expect(yield* seen("paid")).toEqual([[403], [403]])
    }).pipe(Effect.provide(Emulator.layerHttpClient({ keys })))
  )

  it.effect("that is unknown receives 403, also during the brownout; one in the header is not touched", () =>
    Effect.gen(function* () {
      expect(yield* seen("unknown")).toEqual([[403], [403]])
      expect(yield* status(hello(withKey("free")))).toBe(200)
    }).pipe(Effect.provide(Emulator.layerHttpClient({ keys, deprecatedAuth: "brownout" })))
  )
})
