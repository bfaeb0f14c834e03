import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { TranslateClient } from "effect-translate"
import { type Emulator, PseudoTranslation } from "effect-translate/emulator"
import { clientOf, emulatedInProcess } from "../support/emulator.js"
import { meter, send, served, translate, usage, withKey } from "./support.js"

const styles = Effect.map(TranslateClient.TranslateClient, (client) => client.styleRules)

const over = (options?: Emulator.Options) => Effect.provide(emulatedInProcess(options))

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const dry = { label: "Tone", prompt: "Stay dry." }
const names = { label: "Names", prompt: "Leave names as they are.", sourceLanguage: "en" }
const curly = { punctuation: { apostrophe: "use_curly_apostrophes" } }

const absent = "6a1b8a5e-54b5-4a9f-8f0c-0f4d55ad1c11"

describe("a style rule list", () => {
  it.effect("is kept as it was made: ids, times and version are the service's", () =>
    Effect.gen(function* () {
      const { create, get } = yield* styles
      yield* TestClock.setTime(Date.UTC(2026, 1, 3))
      const created = yield* create({
        name: "Catalogue",
        language: "de",
        configuredRules: curly,
        customInstructions: [names, dry]
      })
      const now = DateTime.unsafeMake("2026-02-03T00:00:00Z")
      expect(created).toEqual({
        styleId: expect.stringMatching(uuid),
        name: "Catalogue",
        creationTime: now,
        updatedTime: now,
        language: "de",
        version: 1,
        configuredRules: curly,
        customInstructions: [
          { id: expect.stringMatching(uuid), ...names },
          { id: expect.stringMatching(uuid), ...dry }
        ]
      })
      yield* TestClock.adjust("1 hour")
      expect(yield* get(created.styleId)).toEqual(created)
    }).pipe(over())
  )

  it.effect(
    '"1 on creation; incremented each time the list is modified (rules replaced, name changed, custom instruction added or removed)"',
    () =>
      Effect.gen(function* () {
        const client = yield* styles
        const { creationTime, styleId, version } = yield* client.create({ name: "A", language: "en" })
        expect(version).toBe(1)
        const versions = [
          () => client.rename(styleId, "B"),
          () => client.replaceConfiguredRules(styleId, curly),
          () => Effect.zipRight(client.createInstruction(styleId, dry), client.get(styleId))
        ]
        for (const [index, modify] of versions.entries()) {
          yield* TestClock.adjust("1 minute")
          const modified = yield* modify()
          expect(modified.version).toBe(index + 2)
          expect(modified.creationTime).toEqual(creationTime)
          expect(modified.updatedTime).toEqual(DateTime.add(creationTime!, { minutes: index + 1 }))
          expect(yield* client.get(styleId)).toEqual(modified)
        }
        const id = (yield* client.get(styleId)).customInstructions[0]!.id
        yield* client.replaceInstruction(styleId, id, { ...names, label: "Other" })
        expect((yield* client.get(styleId)).version).toBe(5)
        yield* client.deleteInstruction(styleId, id)
        expect(yield* client.get(styleId)).toMatchObject({
          name: "B",
          version: 6,
          configuredRules: curly,
          customInstructions: []
        })
      }).pipe(over())
  )

  it.effect('"replaces all configured rules; custom instructions untouched"', () =>
    Effect.gen(function* () {
      const { create, replaceConfiguredRules } = yield* styles
      const list = yield* create({
        name: "A",
        language: "fr",
        configuredRules: { ...curly, numbers: { some_rule: "some_option" } },
        customInstructions: [dry]
      })
      const rules = { a_category_to_come: { a_rule: "an_option" } }
      const replaced = yield* replaceConfiguredRules(list.styleId, rules)
      expect(replaced.configuredRules).toEqual(rules)
      expect(replaced.customInstructions).toEqual(list.customInstructions)
    }).pipe(over())
  )

  it.effect("keeps the order, the ids and the fields of its instructions", () =>
    Effect.gen(function* () {
      const client = yield* styles
      const { styleId } = yield* client.create({ name: "A", language: "fr", customInstructions: [dry] })
      const { customInstructions } = yield* Effect.zipRight(
        client.createInstruction(styleId, names),
        client.get(styleId)
      )
      const [first, second] = customInstructions
      expect(second).toEqual({ id: expect.stringMatching(uuid), ...names })
      expect(yield* client.getInstruction(styleId, second!.id)).toEqual(second)

      const replaced = yield* client.replaceInstruction(styleId, first!.id, {
        ...names,
        sourceLanguage: "JA"
      })
      expect(replaced).toEqual({ id: first!.id, ...names, sourceLanguage: "ja" })
      const bare = yield* client.replaceInstruction(styleId, second!.id, { ...dry, sourceLanguage: null })
      expect(bare).toEqual({ id: second!.id, ...dry })
      expect((yield* client.get(styleId)).customInstructions).toEqual([replaced, bare])
    }).pipe(over())
  )

  it.effect('"Custom instructions per style rule list | 200"', () =>
    Effect.gen(function* () {
      const { createInstruction, create, deleteInstruction, get } = yield* styles
      const { customInstructions, styleId } = yield* create({
        name: "A",
        language: "ja",
        customInstructions: Array.from({ length: 199 }, () => dry)
      })
      yield* createInstruction(styleId, dry)
      const error = yield* Effect.flip(Effect.asVoid(createInstruction(styleId, dry)))
      expect(error).toMatchObject({
        _tag: "BadRequest",
        status: 400,
        serviceMessage: "The list holds 200 custom instructions, the most that it may: delete one first"
      })
      yield* deleteInstruction(styleId, customInstructions[0]!.id)
      yield* createInstruction(styleId, dry)
      expect((yield* get(styleId)).customInstructions).toHaveLength(200)
    }).pipe(over())
  )

  it.effect("comes as a stream of all, 60 of them, and in pages of 10 unless told otherwise", () =>
    Effect.gen(function* () {
      const { create, delete: remove, list, stream } = yield* styles
      const made = yield* Effect.forEach(Array.from({ length: 60 }), (_, index) =>
        create({ name: `List ${index}`, language: "it", configuredRules: curly, customInstructions: [dry] })
      )
      const items = made.map(({ configuredRules, customInstructions, ...item }) => item)
      expect(Chunk.toReadonlyArray(yield* Stream.runCollect(stream()))).toEqual(items)
      expect(Chunk.toReadonlyArray(yield* Stream.runCollect(stream({ detailed: true })))).toEqual(made)
      expect(yield* list()).toEqual({ styleRules: items.slice(0, 10) })
      expect(yield* list({ page: 2, pageSize: 25 })).toEqual({ styleRules: items.slice(50) })
      expect(yield* list({ page: 3, pageSize: 25, detailed: true })).toEqual({ styleRules: [] })
      yield* remove(made[0]!.styleId)
      expect(yield* list({ pageSize: 1 })).toEqual({ styleRules: items.slice(1, 2) })
    }).pipe(over())
  )

  it.effect("is seen with every key of its account", () =>
    Effect.gen(function* () {
      const first = yield* styles
      const second = yield* Effect.provide(styles, clientOf("b"))
      const { styleId } = yield* first.create({ name: "A", language: "zh" })
      expect((yield* second.get(styleId)).name).toBe("A")
    }).pipe(
      over({
        keys: [
          { key: "a", account: "one" },
          { key: "b", account: "one" }
        ]
      })
    )
  )

  it.effect("is not seen with a key of another account", () =>
    Effect.gen(function* () {
      const first = yield* styles
      const second = yield* Effect.provide(styles, clientOf("b"))
      const { styleId } = yield* first.create({ name: "A", language: "zh" })
      expect(yield* second.list()).toEqual({ styleRules: [] })
      expect((yield* Effect.flip(second.get(styleId)))._tag).toBe("NotFound")
      expect((yield* Effect.flip(second.delete(styleId)))._tag).toBe("NotFound")
      expect((yield* first.get(styleId)).name).toBe("A")
    }).pipe(over({ keys: ["a", "b"] }))
  )

  it.effect("that is absent, or whose instruction is, answers NotFound everywhere", () =>
    Effect.gen(function* () {
      const client = yield* styles
      const { styleId } = yield* client.create({ name: "A", language: "de" })
      const replacement = { ...dry, sourceLanguage: null }
      const calls: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
        client.get(absent),
        client.rename(absent, "B"),
        client.replaceConfiguredRules(absent, curly),
        client.delete(absent),
        client.createInstruction(absent, dry),
        client.getInstruction(absent, absent),
        client.getInstruction(styleId, absent),
        client.replaceInstruction(absent, absent, replacement),
        client.replaceInstruction(styleId, absent, replacement),
        client.deleteInstruction(absent, absent),
        client.deleteInstruction(styleId, absent)
      ]
      for (const call of calls) expect((yield* Effect.flip(call))._tag).toBe("NotFound")
      expect((yield* client.get(styleId)).version).toBe(1)
    }).pipe(over())
  )
})

/** A request of its own words: no client of ours has a say in it. */
const request = (
  method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT",
  path: string,
  body?: unknown,
  key?: string
) =>
  send(body === undefined ? undefined : JSON.stringify(body), {
    method,
    path,
    ...(key === undefined ? undefined : withKey(key))
  })

const root = "/v3/style_rules"

describe("a new instruction on the wire of the emulator", () => {
  const added = Effect.gen(function* () {
    const { json } = yield* request("POST", root, { name: "A", language: "de" })
    const path = `${root}/${json.style_id}/custom_instructions`
    return yield* request("POST", path, { label: "Dry", prompt: "Stay dry." })
  })

  it.effect("is answered with its list", () =>
    Effect.gen(function* () {
      const { json, status } = yield* added
      expect(status).toBe(201)
      expect(json).toMatchObject({ version: 2, custom_instructions: [{ label: "Dry" }] })
    }).pipe(Effect.provide(served()))
  )

  it.effect("is answered with itself where the emulator is told so", () =>
    Effect.gen(function* () {
      const { json, status } = yield* added
      expect(status).toBe(201)
      expect(json).toEqual({ id: expect.stringMatching(uuid), label: "Dry", prompt: "Stay dry." })
    }).pipe(Effect.provide(served({ instructionAnswer: "instruction" })))
  )
})

describe("style rules on the wire of the emulator", () => {
  it.effect('"204 with empty body; 404 if absent; irreversible", for a list and for an instruction', () =>
    Effect.gen(function* () {
      const created = yield* request("POST", root, {
        name: "A",
        language: "de",
        custom_instructions: [dry]
      })
      expect(created.status).toBe(201)
      const list = `${root}/${created.json.style_id}`
      const instruction = `${list}/custom_instructions/${created.json.custom_instructions[0].id}`
      for (const path of [instruction, list]) {
        const deleted = yield* request("DELETE", path)
        expect([deleted.status, deleted.text]).toEqual([204, ""])
        expect((yield* request("DELETE", path)).status).toBe(404)
        expect((yield* request("GET", path)).status).toBe(404)
      }
    }).pipe(Effect.provide(served()))
  )

  it.effect("answers the fields and statuses of the specification", () =>
    Effect.gen(function* () {
      const created = yield* request("POST", root, {
        name: "A",
        language: "DE",
        configured_rules: curly,
        custom_instructions: [{ label: "Names", prompt: "Leave names.", source_language: "EN-us" }]
      })
      const list = {
        style_id: expect.stringMatching(uuid),
        name: "A",
        creation_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        updated_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        language: "de",
        version: 1
      }
      const instruction = {
        id: expect.stringMatching(uuid),
        label: "Names",
        prompt: "Leave names.",
        source_language: "en-US"
      }
      const detailed = { ...list, configured_rules: curly, custom_instructions: [instruction] }
      expect([created.status, created.json]).toEqual([201, detailed])
      const path = `${root}/${created.json.style_id}`
      const all = yield* request("GET", root)
      expect([all.status, all.json]).toEqual([200, { style_rules: [list] }])
      expect((yield* request("GET", `${root}?detailed=true`)).json).toEqual({ style_rules: [detailed] })

      const added = yield* request("POST", `${path}/custom_instructions`, dry)
      const addedInstruction = { id: expect.stringMatching(uuid), ...dry }
      expect([added.status, added.json]).toEqual([
        201,
        { ...detailed, version: 2, custom_instructions: [instruction, addedInstruction] }
      ])
      const one = `${path}/custom_instructions/${added.json.custom_instructions[1].id}`
      const replaced = yield* request("PUT", one, { ...dry, label: "T", source_language: null })
      expect([replaced.status, replaced.json]).toEqual([200, { ...addedInstruction, label: "T" }])
      expect((yield* request("GET", one)).json).toEqual(replaced.json)
      const renamed = yield* request("PATCH", path, { name: "B" })
      expect([renamed.status, renamed.json.name, renamed.json.version]).toEqual([200, "B", 4])
      const ruled = yield* request("PUT", `${path}/configured_rules`, {})
      expect([ruled.status, ruled.json.configured_rules, ruled.json.version]).toEqual([200, {}, 5])
    }).pipe(Effect.provide(served()))
  )

  const refused: ReadonlyArray<
    readonly [
      rule: string,
      method: "POST" | "PUT" | "PATCH" | "GET",
      path: string,
      body: unknown,
      message: RegExp
    ]
  > = [
    ['"name (string, required, max 1024)"', "POST", root, { language: "de" }, /^name is missing/],
    [
      '"name (string, max 1024)"',
      "PATCH",
      `${root}/x`,
      { name: "é".repeat(1025) },
      /^name holds 1025 characters/
    ],
    [
      '"language (enum de, en, es, fr, it, ja, ko, zh, required)"',
      "POST",
      root,
      { name: "A", language: "en-GB" },
      /^language must be de, en/
    ],
    [
      '"custom_instructions (… optional, max 200)"',
      "POST",
      root,
      { name: "A", language: "de", custom_instructions: Array(201).fill(dry) },
      /^custom_instructions holds 201 items/
    ],
    [
      '"label (required, max 100)"',
      "POST",
      `${root}/x/custom_instructions`,
      { ...dry, label: "a".repeat(101) },
      /^label holds 101 characters/
    ],
    [
      '"prompt (required, max 300)"',
      "POST",
      `${root}/x/custom_instructions`,
      { ...dry, prompt: "a".repeat(301) },
      /^prompt holds 301 characters/
    ],
    [
      '"label, prompt, source_language; all fields must be provided"',
      "PUT",
      `${root}/x/custom_instructions/y`,
      dry,
      /^source_language is missing/
    ],
    [
      '"body: the configured rules object itself"',
      "PUT",
      `${root}/x/configured_rules`,
      [],
      /^must be an object of categories/
    ],
    [
      '"page_size (integer, default 10, min 1, max 25)"',
      "GET",
      `${root}?page_size=26`,
      undefined,
      /page_size is 26/
    ]
  ]
  for (const [rule, method, path, body, message] of refused) {
    it.effect(`${rule} is held with 400, which repeats no text`, () =>
      Effect.gen(function* () {
        const answer = yield* request(method, path, body)
        expect(answer.status).toBe(400)
        expect(answer.json.message).toMatch(message)
        expect(answer.text).not.toMatch(/aaaa|éééé/)
      }).pipe(Effect.provide(served()))
    )
  }

  it.effect('"Style rules are available only to paid-tier subscribers": 403 for a key of the free tier', () =>
    Effect.gen(function* () {
      const one = `${root}/${absent}`
      const instructions = `${one}/custom_instructions`
      const answers = yield* Effect.all([
        request("POST", root, { name: "A", language: "de" }, "free"),
        request("GET", root, undefined, "free"),
        request("GET", one, undefined, "free"),
        request("PATCH", one, { name: "A" }, "free"),
        request("PUT", `${one}/configured_rules`, {}, "free"),
        request("DELETE", one, undefined, "free"),
        request("POST", instructions, dry, "free"),
        request("GET", `${instructions}/${absent}`, undefined, "free"),
        request("PUT", `${instructions}/${absent}`, { ...dry, source_language: null }, "free"),
        request("DELETE", `${instructions}/${absent}`, undefined, "free"),
        translate({ text: ["Hello"], target_lang: "de", style_id: absent }, withKey("free"))
      ])
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))
      expect(answers[0].json.message).toBe("Style rules are available only to paid-tier subscribers")
      expect((yield* request("GET", root, undefined, "paid")).status).toBe(200)
      expect((yield* usage(withKey("free"))).json.character_count).toBe(0)
    }).pipe(Effect.provide(served({ keys: [{ key: "paid" }, { key: "free", tier: "free" }] })))
  )
})

describe("a translation with style_id", () => {
  const list = (language: string) =>
    Effect.map(request("POST", root, { name: "A", language }), ({ json }) => json.style_id as string)

  it.effect('"target language must equal the list\'s language", variants of it included', () =>
    Effect.gen(function* () {
      const style_id = yield* list("en")
      const fits = yield* translate({ text: ["слово"], target_lang: "en-GB", style_id })
      expect(fits.json.translations[0].text).toBe(PseudoTranslation.translate("слово", "en-GB"))
      const other = yield* translate({ text: ["Hallo"], target_lang: "de", style_id })
      expect([other.status, other.json.message]).toEqual([
        400,
        "The style rule list of style_id is for en, not for target_lang de"
      ])
      expect((yield* meter).characters).toBe(5)
    }).pipe(Effect.provide(served()))
  )

  it.effect("answers 404, which names style_id, for a list that does not exist or no longer does", () =>
    Effect.gen(function* () {
      const style_id = yield* list("de")
      yield* request("DELETE", `${root}/${style_id}`)
      for (const id of [style_id, absent]) {
        const answer = yield* translate({ text: ["Hello"], target_lang: "de", style_id: id })
        expect([answer.status, answer.json.message]).toEqual([
          404,
          "There is no style rule list of this style_id"
        ])
      }
      expect((yield* meter).characters).toBe(0)
    }).pipe(Effect.provide(served()))
  )

  it.effect('"forces quality_optimized; combining with model_type=latency_optimized is rejected"', () =>
    Effect.gen(function* () {
      const body = { text: ["Hello"], target_lang: "de", source_lang: "en", style_id: yield* list("de") }
      const forced = yield* translate({ ...body, model_type: "prefer_quality_optimized" })
      expect(forced.json.translations[0].model_type_used).toBe("quality_optimized")
      const rejected = yield* translate({ ...body, model_type: "latency_optimized" })
      expect([rejected.status, rejected.json.message.split(" ")[0]]).toEqual([400, "style_id"])
    }).pipe(Effect.provide(served()))
  )
})
