/**
 * Rules of the specification, quoted, as the emulator keeps them on the wire. Those that the client keeps before it sends
 * anything are beside the tests of their endpoints.
 */
import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpMethod from "@effect/platform/HttpMethod"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Api from "effect-translate/api"
import { Emulator } from "effect-translate/emulator"
import { meter, type Sent, send, usage, withKey } from "../emulator/support.js"

const inProcess = (options?: Emulator.Options) => Effect.provide(Emulator.layerHttpClient(options))

const get = (path: string, sent?: Sent) => send(undefined, { method: "GET", path, ...sent })

const call = (method: HttpMethod.HttpMethod, path: string, body?: object, sent?: Sent) =>
  send(body && JSON.stringify(body), { method, path, ...sent })

const post = (path: string, body: object, sent?: Sent) => call("POST", path, body, sent)

const translate = (body: object, sent?: Sent) =>
  post("/v2/translate", { text: ["Hello"], target_lang: "de", ...body }, sent)

const rephrase = (body: object, sent?: Sent) =>
  post("/v2/write/rephrase", { text: ["Hello"], target_lang: "en-US", ...body }, sent)

const admin = withKey(Emulator.defaultAdminKey)

const style = (body: object = {}) => post("/v3/style_rules", { name: "Web", language: "de", ...body })

const tsv = { source_lang: "en", target_lang: "de", entries: "House\tHaus", entries_format: "tsv" }

const glossary = (...dictionaries: ReadonlyArray<object>) =>
  post("/v3/glossaries", { name: "Terms", dictionaries: dictionaries.length === 0 ? [tsv] : dictionaries })

const statuses = <E, R>(answers: ReadonlyArray<Effect.Effect<{ readonly status: number }, E, R>>) =>
  Effect.map(Effect.all(answers), (all) => all.map(({ status }) => status))

describe("The behaviour of the service", () => {
  it.effect(
    '"/v2/usage, whose character_count field sums translation and write characters, and which also carries speech_to_text_milliseconds_count and speech_to_text_milliseconds_limit, plus per-product billing_unit, api_key_unit_count, account_unit_count"',
    () =>
      Effect.gen(function* () {
        yield* call(
          "PUT",
          "/v2/admin/developer-keys/limits",
          { key_id: Emulator.defaultKey, speech_to_text_milliseconds: 1000 },
          admin
        )
        yield* translate({})
        yield* rephrase({ text: ["Bye"] })
        const { json } = yield* usage()
        expect(json).toMatchObject({
          character_count: 8,
          speech_to_text_milliseconds_count: 0,
          speech_to_text_milliseconds_limit: 1000
        })
        const units = { billing_unit: "characters", api_key_unit_count: 5, account_unit_count: 5 }
        expect(json.products).toMatchObject([
          { product_type: "translate", ...units },
          { product_type: "write", ...units, api_key_unit_count: 3, account_unit_count: 3 }
        ])
      }).pipe(inProcess())
  )
})

describe("Style rule list", () => {
  it.effect.each([
    ["dates_and_times", "calendar_era", "use_bc_and_ad"],
    ["punctuation", "periods_in_academic_degrees", "do_not_use"],
    ["punctuation", "apostrophe", "use_curly_apostrophes"],
    ["style_and_tone", "abbreviations", "use_abbreviations_and_symbols"],
    ["style_and_tone", "short_vs_long_words", "use_short_words"]
  ] as const)('"Rules that are named": %s, %s, %s', ([category, rule, option]) =>
    Effect.gen(function* () {
      const rules = { [category]: { [rule]: option } }
      const { json } = yield* style({ configured_rules: rules })
      expect(json.configured_rules).toEqual(rules)
    }).pipe(inProcess())
  )

  it.effect('"The number of predefined rules per list is unlimited."', () =>
    Effect.gen(function* () {
      const rules = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`rule_${index}`, "on"]))
      const categories = "dates_and_times, formatting, numbers, punctuation, spelling_and_grammar"
      const configured_rules = Object.fromEntries(categories.split(", ").map((name) => [name, rules]))
      const { json, status } = yield* style({ configured_rules })
      expect([status, json.configured_rules]).toEqual([201, configured_rules])
    }).pipe(inProcess())
  )

  it.effect('"configured_rules and custom_instructions are added only when `detailed=true`"', () =>
    Effect.gen(function* () {
      yield* style({ custom_instructions: [{ label: "Tone", prompt: "Stay dry." }] })
      const fields = ["style_id", "name", "creation_time", "updated_time", "language", "version"].sort()
      const fieldsOf = (query: string) =>
        Effect.map(get(`/v3/style_rules${query}`), ({ json }) => Object.keys(json.style_rules[0]).sort())
      expect(yield* fieldsOf("")).toEqual(fields)
      expect(yield* fieldsOf("?detailed=false")).toEqual(fields)
      expect(yield* fieldsOf("?detailed=true")).toEqual(
        [...fields, "configured_rules", "custom_instructions"].sort()
      )
    }).pipe(inProcess())
  )

  it.effect('"page (integer, default 0), page_size (integer, default 10, min 1, max 25)"', () =>
    Effect.gen(function* () {
      for (let index = 0; index < 12; index++) yield* style({ name: `${index}` })
      const names = (query: string) =>
        Effect.map(get(`/v3/style_rules${query}`), ({ json }) =>
          json.style_rules.map(({ name }: { name: string }) => Number(name))
        )
      const all = Array.from({ length: 12 }, (_, index) => index)
      expect(yield* names("")).toEqual(all.slice(0, 10))
      expect(yield* names("?page=1")).toEqual([10, 11])
      expect(yield* names("?page_size=25")).toEqual(all)
      expect(yield* names("?page=2&page_size=5")).toEqual([10, 11])
      expect(yield* names("?page=3&page_size=5")).toEqual([])
    }).pipe(inProcess())
  )

  it.effect(
    '"the complete updated list including the new instruction\'s generated id", and "the replaced custom instruction"',
    () =>
      Effect.gen(function* () {
        const made = yield* style()
        const instructions = `/v3/style_rules/${made.json.style_id}/custom_instructions`
        const { json, status } = yield* post(instructions, { label: "Tone", prompt: "Stay dry." })
        const id = json.custom_instructions[0].id
        expect([status, json]).toEqual([
          201,
          {
            ...made.json,
            version: 2,
            custom_instructions: [
              { id: expect.stringMatching(/^[0-9a-f-]{36}$/), label: "Tone", prompt: "Stay dry." }
            ]
          }
        ])
        const replacement = { label: "Voice", prompt: "Be kind.", source_language: "en" }
        const replaced = yield* call("PUT", `${instructions}/${id}`, replacement)
        expect([replaced.status, replaced.json]).toEqual([200, { id, ...replacement }])
      }).pipe(inProcess())
  )
})

describe("Glossary", () => {
  it.effect('"Entries are returned only as TSV."', () =>
    Effect.gen(function* () {
      const { json } = yield* glossary({
        ...tsv,
        entries: '"say ""hi"", now",ja\nb,"c,d"',
        entries_format: "csv"
      })
      const { dictionaries } = (yield* get(
        `/v3/glossaries/${json.glossary_id}/entries?source_lang=en&target_lang=de`
      )).json
      expect(dictionaries).toEqual([
        { source_lang: "en", target_lang: "de", entries: 'say "hi", now\tja\nb\tc,d', entries_format: "tsv" }
      ])
    }).pipe(inProcess())
  )

  it.effect('"list glossaries: name, creation time, dictionary metadata; no entries"', () =>
    Effect.gen(function* () {
      const { json } = yield* glossary()
      expect((yield* get("/v3/glossaries")).json).toEqual({ glossaries: [json] })
      expect(json).toEqual({
        glossary_id: expect.any(String),
        name: "Terms",
        creation_time: "1970-01-01T00:00:00.000Z",
        dictionaries: [{ source_lang: "en", target_lang: "de", entry_count: 1 }]
      })
    }).pipe(inProcess())
  )

  it.effect(
    '"metadata of one glossary: name, creation time, dictionaries\' language pairs"; PATCH "returns name and dictionary metadata"',
    () =>
      Effect.gen(function* () {
        const { json } = yield* glossary(tsv, { ...tsv, target_lang: "fr" })
        const path = `/v3/glossaries/${json.glossary_id}`
        expect((yield* get(path)).json).toEqual(json)
        const patched = yield* call("PATCH", path, { dictionaries: [{ ...tsv, entries: "tree\tBaum" }] })
        expect(patched.json).toEqual({
          ...json,
          dictionaries: [{ ...json.dictionaries[0], entry_count: 2 }, json.dictionaries[1]]
        })
      }).pipe(inProcess())
  )

  it.effect(
    '"These endpoints serve monolingual and multilingual glossaries. The older v2 glossary endpoints serve monolingual glossaries only."',
    () =>
      Effect.gen(function* () {
        const one = (yield* glossary()).json.glossary_id
        const two = (yield* glossary(tsv, { ...tsv, target_lang: "fr" })).json.glossary_id
        expect(yield* statuses([one, two].map((id) => get(`/v3/glossaries/${id}`)))).toEqual([200, 200])
        expect(yield* statuses([one, two].map((id) => get(`/v2/glossaries/${id}`)))).toEqual([200, 404])
      }).pipe(inProcess())
  )
})

describe("Languages", () => {
  const resources = ["translate_text", "translate_document", "glossary", "voice", "write", "style_rules"]

  it.effect.each(resources)(
    '"features: object, always present, possibly empty; each key is a feature name and each value is an object with at least `status`": %s',
    (resource) =>
      Effect.gen(function* () {
        const { json } = yield* get(`/v3/languages?resource=${resource}&include=beta&include=external`)
        expect(json.length).toBeGreaterThan(0)
        for (const { features, lang, status } of json) {
          expect(lang).toMatch(/^[a-z]{2}(-[A-Z][a-z]{3})?(-([A-Z]{2}|419))?$/)
          expect(["stable", "beta", "early_access"]).toContain(status)
          expect(Array.isArray(features)).toBe(false)
          for (const feature of Object.values(features)) expect(feature).toHaveProperty("status")
        }
      }).pipe(inProcess())
  )

  it.effect(
    '"required_on_source and required_on_target were renamed needs_source_support and needs_target_support, and the endpoints array was removed from resources"',
    () =>
      Effect.gen(function* () {
        const { json } = yield* get("/v3/languages/resources")
        expect(json.map(({ name }: { name: string }) => name)).toEqual(resources)
        const fields = new Set<string>()
        for (const { features, name, ...others } of json) {
          expect(others).toEqual({})
          for (const feature of features) for (const field of Object.keys(feature)) fields.add(field)
        }
        expect([...fields].sort()).toEqual(["name", "needs_source_support", "needs_target_support"])
      }).pipe(inProcess())
  )

  it.effect('"supports_formality (boolean, present in target listings)"', () =>
    Effect.gen(function* () {
      const sources = yield* get("/v2/languages")
      const targets = yield* get("/v2/languages?type=target")
      for (const language of sources.json) expect(Object.keys(language)).toEqual(["language", "name"])
      for (const language of targets.json) expect(language.supports_formality).toEqual(expect.any(Boolean))
    }).pipe(inProcess())
  )

  it.effect(
    '"Enumerated values of writing_style and tone […] are listed by the service through GET /v3/languages?resource=write (feature keys writing_style and tone)"',
    () =>
      Effect.gen(function* () {
        const { json } = yield* get("/v3/languages?resource=write")
        const withBoth = json.filter(
          ({ features }: { features: object }) => "writing_style" in features && "tone" in features
        )
        expect(withBoth.map(({ lang }: { lang: string }) => lang)).toEqual(
          "de, en-GB, en-US, es, fr, it, pt-BR, pt-PT".split(", ")
        )
      }).pipe(inProcess())
  )
})

describe("Text translation", () => {
  it.effect(
    '"each item is translated independently, without shared context": in the order of the texts',
    () =>
      Effect.gen(function* () {
        const texts = ["Hello", "", "world", "Hello"]
        const together = (yield* translate({ text: texts })).json.translations
        const alone = yield* Effect.forEach(texts, (text) => translate({ text: [text] }))
        expect(together).toEqual(alone.map(({ json }) => json.translations[0]))
      }).pipe(inProcess())
  )

  const withFormality = "DE, FR, IT, ES, ES-419, NL, PL, PT-BR, PT-PT, JA, RU".split(", ")
  const targets =
    "AR, BG, CS, DA, DE, EL, EN-GB, EN-US, ES, ES-419, ET, FI, FR, HU, ID, IT, JA, KO, LT, LV, NB, NL, PL, PT-BR, PT-PT, RO, RU, SK, SL, SV, TR, UK, ZH, ZH-HANS, ZH-HANT"

  it.effect.each(targets.split(", "))(
    '"more/less fail on a target language without formality; prefer_ variants fall back to default. Target languages with formality: DE, FR, IT, ES, ES-419, NL, PL, PT-BR, PT-PT, JA, RU": %s',
    (target_lang) =>
      Effect.gen(function* () {
        const hard = withFormality.includes(target_lang) ? 200 : 400
        const values = ["more", "less", "prefer_more", "prefer_less", "default"]
        expect(yield* statuses(values.map((formality) => translate({ target_lang, formality })))).toEqual([
          hard,
          hard,
          200,
          200,
          200
        ])
      }).pipe(inProcess())
  )

  it.effect('"enable_beta_languages is deprecated and has no effect"', () =>
    Effect.gen(function* () {
      const answers = yield* Effect.all([
        translate({}),
        translate({ enable_beta_languages: true }),
        translate({ enable_beta_languages: false })
      ])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    }).pipe(inProcess())
  )

  it.effect('"Beta target languages work only with quality_optimized or an unset model_type."', () =>
    Effect.gen(function* () {
      const models = [undefined, "quality_optimized", "prefer_quality_optimized", "latency_optimized"]
      for (const target_lang of ["de-CH", "fr-CA"]) {
        expect(yield* statuses(models.map((model_type) => translate({ target_lang, model_type })))).toEqual([
          200, 200, 400, 400
        ])
      }
    }).pipe(inProcess())
  )
})

describe("Admin", () => {
  const keys = "/v2/admin/developer-keys"

  it.effect(
    '"Every response that returns a key returns the developer key object", "key_id: two GUIDs joined by `:`", "deactivated_time: set once deactivated"',
    () =>
      Effect.gen(function* () {
        const fields = ["key_id", "label", "creation_time", "is_deactivated", "usage_limits"].sort()
        const made = yield* post(keys, {}, admin)
        const { key_id } = made.json
        expect(key_id).toMatch(/^[0-9a-f-]{36}:[0-9a-f-]{36}$/)
        const renamed = yield* call("PUT", `${keys}/label`, { key_id, label: "Website" }, admin)
        const limited = yield* call("PUT", `${keys}/limits`, { key_id, characters: 5 }, admin)
        const listed = (yield* get(keys, admin)).json.at(-1)
        for (const key of [made.json, renamed.json, limited.json, listed]) {
          expect(Object.keys(key).sort()).toEqual(fields)
        }
        expect(limited.json).toEqual(listed)
        expect(limited.json.usage_limits).toEqual({ characters: 5, speech_to_text_milliseconds: null })
        const gone = yield* call("PUT", `${keys}/deactivate`, { key_id }, admin)
        expect(gone.json).toEqual({
          ...listed,
          is_deactivated: true,
          deactivated_time: "1970-01-01T00:00:00.000Z"
        })
      }).pipe(inProcess())
  )

  it.effect.each([
    ["deactivate", {}, "key_id is missing"],
    ["label", { label: "Website" }, "key_id is missing"],
    ["label", { key_id: "a" }, "label is missing"],
    ["limits", { characters: 5 }, "key_id is missing"]
  ] as const)('"key_id (required)", "label (required)": %s without', ([path, body, message]) =>
    Effect.gen(function* () {
      const { json, status } = yield* call("PUT", `${keys}/${path}`, body, admin)
      expect([status, json.message]).toEqual([400, message])
    }).pipe(inProcess())
  )

  const range = "start_date=1970-01-01&end_date=1970-01-02"

  it.effect(
    '"group_by (optional: key, key_and_day; default: one total for the whole range across keys)", "items {api_key (masked key), api_key_label, usage_date (date-time), usage (breakdown)}"',
    () =>
      Effect.gen(function* () {
        yield* translate({})
        yield* rephrase({ text: ["Bye"] })
        const report = (query: string) =>
          Effect.map(get(`/v2/admin/analytics?${range}${query}`, admin), ({ json }) => json.usage_report)
        const used = {
          total_characters: 8,
          text_translation_characters: 5,
          document_translation_characters: 0,
          text_improvement_characters: 3,
          speech_to_text_minutes: 0
        }
        const total = {
          total_usage: used,
          start_date: "1970-01-01T00:00:00.000Z",
          end_date: expect.any(String)
        }
        const row = { api_key: expect.stringContaining("*"), api_key_label: "Key 1", usage: used }
        expect(yield* report("")).toEqual(total)
        expect(yield* report("&group_by=key")).toEqual({ ...total, group_by: "key", key_usages: [row] })
        expect(yield* report("&group_by=key_and_day")).toEqual({
          ...total,
          group_by: "key_and_day",
          key_and_day_usages: [{ ...row, usage_date: "1970-01-01T00:00:00.000Z" }]
        })
      }).pipe(inProcess())
  )

  it.effect(
    '"aggregate_by (period default, or day)", "usage_date (date-time, only when aggregate_by=day)", "next_page (integer cursor or null)"',
    () =>
      Effect.gen(function* () {
        yield* translate({}, { headers: { "x-custom-tag": "spring" } })
        const report = (query: string) =>
          Effect.map(
            get(`/v2/admin/analytics/custom-tags?${range}${query}`, admin),
            ({ json }) => json.custom_tag_usage_report
          )
        const row = { custom_tag: "spring", breakdown: expect.objectContaining({ total_characters: 5 }) }
        const byDay = { ...row, usage_date: "1970-01-01T00:00:00.000Z" }
        const period = { aggregate_by: "period", next_page: null, usage: [row] }
        expect(yield* report("")).toMatchObject(period)
        expect(yield* report("&aggregate_by=period")).toMatchObject(period)
        expect(yield* report("&aggregate_by=day")).toMatchObject({
          ...period,
          aggregate_by: "day",
          usage: [byDay]
        })
        expect(Object.keys((yield* report("")).usage[0])).not.toContain("usage_date")
      }).pipe(inProcess())
  )

  it.effect('"start_date (required), end_date (required)"', () =>
    Effect.gen(function* () {
      for (const path of ["/v2/admin/analytics", "/v2/admin/analytics/custom-tags"]) {
        for (const query of ["", "?start_date=1970-01-01", "?end_date=1970-01-01"]) {
          expect((yield* get(path + query, admin)).status).toBe(400)
        }
      }
    }).pipe(inProcess())
  )
})

interface Endpoint {
  readonly group: string
  readonly method: HttpMethod.HttpMethod
  readonly path: string
}

const endpoints: Array<Endpoint> = []

HttpApi.reflect(Api.TranslateApi.TranslateApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { method, path }, group }) => {
    endpoints.push({ group: group.identifier, method, path })
  }
})

describe("Authentication", () => {
  /** A body for every endpoint that wants one; it is looked at after the key. */
  const ask = ({ method, path }: Endpoint, sent: Sent) =>
    call(method, path, method === "GET" || method === "DELETE" ? undefined : {}, sent)

  it.effect.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '"Every request carries header `Authorization: Service-Auth-Key <API_KEY>`, where the scheme word is exactly `Service-Auth-Key`": %s',
    ([, endpoint]) =>
      Effect.gen(function* () {
        const isAdmin = endpoint.path.startsWith("/v2/admin/")
        const key = isAdmin ? Emulator.defaultAdminKey : Emulator.defaultKey
        const other = isAdmin ? Emulator.defaultKey : Emulator.defaultAdminKey
        for (const authorization of [
          undefined,
          `Bearer ${key}`,
          `service-auth-key ${key}`,
          key,
          `Service-Auth-Key ${other}`
        ]) {
          expect((yield* ask(endpoint, { headers: { authorization } })).status).toBe(403)
        }
        expect((yield* ask(endpoint, withKey(key))).status).not.toBe(403)
      }).pipe(inProcess())
  )

  it.effect('"Once deactivated a developer key fails immediately and permanently."', () =>
    Effect.gen(function* () {
      const { key_id } = (yield* post("/v2/admin/developer-keys", {}, admin)).json
      const sent = withKey(key_id)
      const calls = [translate({}, sent), rephrase({}, sent), usage(sent), get("/v3/glossaries", sent)]
      expect(yield* statuses(calls)).toEqual([200, 200, 200, 200])
      yield* call("PUT", "/v2/admin/developer-keys/deactivate", { key_id }, admin)
      expect(yield* statuses(calls)).toEqual([403, 403, 403, 403])
      yield* call("PUT", "/v2/admin/developer-keys/limits", { key_id, characters: null }, admin)
      expect(yield* statuses(calls)).toEqual([403, 403, 403, 403])
    }).pipe(inProcess())
  )
})

describe("Errors", () => {
  it.effect(
    '"204 | successful delete of a style rule list or a custom instruction (empty body)" and "404 | style rule list or custom instruction to delete does not exist"',
    () =>
      Effect.gen(function* () {
        const { json } = yield* style({ custom_instructions: [{ label: "Tone", prompt: "Stay dry." }] })
        const list = `/v3/style_rules/${json.style_id}`
        const instruction = `${list}/custom_instructions/${json.custom_instructions[0].id}`
        for (const path of [instruction, list]) {
          const gone = yield* call("DELETE", path)
          expect([gone.status, gone.text]).toEqual([204, ""])
          expect((yield* call("DELETE", path)).status).toBe(404)
        }
        expect((yield* call("DELETE", instruction)).status).toBe(404)
      }).pipe(inProcess())
  )

  it.effect.each(["ja", "ko", "zh", "zh-Hans"])(
    '"400 | write: non-prefixed writing_style or tone other than default on a language that does not support it", "tone: same languages and same prefer_ / 400 behaviour as writing_style": %s',
    (target_lang) =>
      Effect.gen(function* () {
        const ask = (style: object) => rephrase({ text: ["12 €"], target_lang, ...style })
        expect(
          yield* statuses([
            ask({ writing_style: "business" }),
            ask({ tone: "friendly" }),
            ask({ writing_style: "default" }),
            ask({ tone: "prefer_friendly" })
          ])
        ).toEqual([400, 400, 200, 200])
      }).pipe(inProcess())
  )

  it.effect('"403 | legacy query or body authentication"', () =>
    Effect.gen(function* () {
      const key = Emulator.defaultKey
      const bare = { headers: { authorization: undefined } }
      expect(
        yield* statuses([
          translate({ auth_key: key }, bare),
          translate({}, { ...bare, path: `/v2/translate?auth_key=${key}` }),
          get(`/v2/usage?auth_key=${key}`, bare),
          post("/v3/style_rules", { name: "Web", language: "de", auth_key: key }, bare)
        ])
      ).toEqual([403, 403, 403, 403])
    }).pipe(inProcess())
  )

  it.effect(
    '"456 | quota exceeded: subscription-level cost control or a key-level character limit reached (a limit of 0 blocks all use)"',
    () =>
      Effect.gen(function* () {
        const [limited, blocked] = [withKey("limited"), withKey("blocked")]
        expect(yield* statuses([translate({}, limited), translate({}, limited)])).toEqual([200, 456])
        expect(yield* statuses([translate({ text: [""] }, blocked), rephrase({}, blocked)])).toEqual([
          456, 456
        ])
        const one = translate({}, withKey("of-the-account"))
        expect(yield* statuses([one, one, one])).toEqual([200, 200, 456])
        expect((yield* meter).characters).toBe(15)
      }).pipe(
        inProcess({
          characterLimit: 10,
          keys: [
            { key: "limited", characterLimit: 9 },
            { key: "blocked", characterLimit: 0 },
            { key: "of-the-account" }
          ]
        })
      )
  )

  it.effect.each([
    ["tag_handling_version v2", { tag_handling: "xml", tag_handling_version: "v2" }],
    ["style_id", { style_id: "a" }],
    ["custom_instructions", { custom_instructions: ["Stay dry."] }],
    ["translation_memory_id", { translation_memory_id: "a74d88fb-ed2a-4943-a664-a4512398b994" }]
  ] as const)(
    '"Rejections whose status code is not given: model_type latency_optimized combined with tag_handling_version v2, style_id, custom_instructions or translation_memory_id": %s',
    ([, body]) =>
      Effect.gen(function* () {
        const { json, status } = yield* translate({ model_type: "latency_optimized", ...body })
        expect([status, json.message]).toEqual([400, expect.stringContaining("latency_optimized")])
      }).pipe(inProcess())
  )

  it.effect(
    '"formality more/less on an unsupported target language; writing_style together with tone; glossary_id without source_lang or with a mismatching pair"',
    () =>
      Effect.gen(function* () {
        const { glossary_id } = (yield* glossary()).json
        expect(
          yield* statuses([
            translate({ target_lang: "ko", formality: "more" }),
            rephrase({ writing_style: "default", tone: "default" }),
            translate({ glossary_id }),
            translate({ glossary_id, source_lang: "fr" }),
            translate({ glossary_id, source_lang: "en", target_lang: "fr" }),
            translate({ glossary_id, source_lang: "en" })
          ])
        ).toEqual([400, 400, 400, 400, 400, 200])
      }).pipe(inProcess())
  )
})

describe("Versioning", () => {
  it('"/v2 for translation, documents, write, admin and usage; /v3 for glossaries, style rules and languages"', () => {
    const prefixes = new Map<string, Set<string>>()
    for (const { group, path } of endpoints) {
      prefixes.set(group, (prefixes.get(group) ?? new Set()).add(path.split("/")[1]!))
    }
    expect(Object.fromEntries(Array.from(prefixes, ([group, all]) => [group, [...all].join()]))).toEqual({
      text: "v2",
      documents: "v2",
      write: "v2",
      developerKeys: "v2",
      analytics: "v2",
      usage: "v2",
      glossaries: "v3",
      styleRules: "v3",
      // "/v2/languages is deprecated in favour of /v3/languages"
      languages: "v3,v2",
      // "The older v2 glossary endpoints"
      monolingualGlossaries: "v2",
      // "Named but not described further"
      translationMemories: "v3",
      voice: "v3"
    })
  })

  it.effect(
    '"the parameter product became resource and /v3/languages/products became /v3/languages/resources", "/v3/languages/exceptions was removed"',
    () =>
      Effect.gen(function* () {
        expect(
          yield* statuses(["products", "exceptions", "resources"].map((path) => get(`/v3/languages/${path}`)))
        ).toEqual([404, 404, 200])
        expect(
          yield* statuses(["product", "resource"].map((name) => get(`/v3/languages?${name}=write`)))
        ).toEqual([400, 200])
      }).pipe(inProcess())
  )

  it.effect('"the feature custom_instructions was renamed style_rules"', () =>
    Effect.gen(function* () {
      const { text } = yield* get("/v3/languages?resource=translate_text")
      expect([text.includes('"custom_instructions"'), text.includes('"style_rules"')]).toEqual([false, true])
    }).pipe(inProcess())
  )

  it.effect('"codes are accepted case-insensitively as input everywhere"', () =>
    Effect.gen(function* () {
      const mixed = { source_lang: "EN", target_lang: "dE" }
      const dictionary = { ...tsv, ...mixed }
      const made = yield* glossary(dictionary)
      expect(made.json.dictionaries).toMatchObject([{ source_lang: "en", target_lang: "de" }])
      const { glossary_id } = made.json
      const { style_id } = (yield* style({ language: "De" })).json
      const instruction = { label: "Tone", prompt: "Stay dry.", source_language: "eN-gB" }
      const instructed = yield* post(`/v3/style_rules/${style_id}/custom_instructions`, instruction)
      const of = `/v3/glossaries/${glossary_id}`
      const query = "source_lang=eN&target_lang=DE"
      const { id } = instructed.json.custom_instructions[0]
      const answers = {
        translate: yield* translate({ ...mixed, glossary_id, style_id }),
        variant: yield* translate({ target_lang: "PT-br", formality: "more" }),
        script: yield* translate({ target_lang: "ZH-HANS", custom_instructions: ["Stay dry."] }),
        beta: yield* translate({ target_lang: "DE-ch", show_billed_characters: true }),
        rephrase: yield* rephrase({ target_lang: "EN-gb", tone: "friendly" }),
        entries: yield* get(`${of}/entries?${query}`),
        put: yield* call("PUT", `${of}/dictionaries`, dictionary),
        patch: yield* call("PATCH", of, { dictionaries: [dictionary] }),
        older: yield* post("/v2/glossaries", { name: "Old", ...dictionary }),
        voice: yield* post("/v3/voice/realtime", {
          source_media_content_type: "audio/ogg",
          source_language: "EN",
          target_languages: ["PT-br"],
          target_media_languages: ["pt-BR"]
        }),
        replace: yield* call("PUT", `/v3/style_rules/${style_id}/custom_instructions/${id}`, {
          ...instruction,
          source_language: "DE"
        })
      }
      expect(Object.entries(answers).filter(([, { status }]) => status >= 300)).toEqual([])
      expect(answers.translate.json.translations[0].text).toMatch(/^\[de\] /)
      expect(answers.script.json.translations[0].text).toMatch(/^\[zh-Hans\] /)
      expect(answers.beta.json.translations[0].billed_characters).toBe(0)
      expect(answers.put.json).toMatchObject({ source_lang: "en", target_lang: "de" })
      expect((yield* get(of)).json.dictionaries).toHaveLength(1)
      expect((yield* call("DELETE", `${of}/dictionaries?${query}`)).status).toBe(204)
    }).pipe(inProcess())
  )
})
