/** Accounts that last over a restart of the emulator. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Emulator, StateFile } from "effect-translate/emulator"
import { hello, type Sent, send, served, translate, usage, withKey } from "./support.js"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "effect-translate-state-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** One run of an emulator that keeps its accounts in a file. */
const running = <A, E>(
  file: string,
  run: Effect.Effect<A, E, Effect.Effect.Context<ReturnType<typeof hello>>>,
  options: Emulator.Options = {}
) =>
  Effect.flatMap(StateFile.open(file), (state) => Effect.provide(run, served({ ...options, state }))).pipe(
    Effect.provide(NodeContext.layer)
  )

const admin = (method: "GET" | "POST" | "PUT", path: string, body?: object) =>
  send(body === undefined ? undefined : JSON.stringify(body), {
    method,
    path: `/v2/admin${path}`,
    ...withKey(Emulator.defaultAdminKey)
  })

const get = (path: string, sent?: Sent) => send(undefined, { method: "GET", path, ...sent })

const glossary = {
  name: "Terms",
  dictionaries: [{ source_lang: "en", target_lang: "de", entries: "House\tHaus", entries_format: "tsv" }]
}

/** Everything that the endpoints show of the accounts. */
const shown = Effect.gen(function* () {
  const answers = yield* Effect.all([
    usage(),
    admin("GET", "/developer-keys"),
    admin("GET", "/analytics?start_date=2020-01-01&end_date=2020-12-31&group_by=key_and_day"),
    admin("GET", "/analytics/custom-tags?start_date=2020-01-01&end_date=2020-12-31"),
    get("/v3/glossaries"),
    get("/v3/style_rules?detailed=true")
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  return answers.map(({ json }) => json)
})

describe("a state file", () => {
  it.effect("restores keys, limits, usage, glossaries and style rules whole", () =>
    Effect.gen(function* () {
      const file = `${yield* folder}/state.json`
      const first = yield* running(
        file,
        Effect.gen(function* () {
          yield* hello({ headers: { "x-custom-tag": "shop" } })
          yield* send(JSON.stringify(glossary), { path: "/v3/glossaries" })
          const style = { name: "Dry", language: "de", custom_instructions: [{ label: "a", prompt: "b" }] }
          yield* send(JSON.stringify(style), { path: "/v3/style_rules" })
          const created = yield* admin("POST", "/developer-keys", { label: "Shop" })
          const key_id = created.json.key_id as string
          yield* admin("PUT", "/developer-keys/limits", { key_id, characters: 7 })
          const gone = yield* admin("POST", "/developer-keys", {})
          yield* admin("PUT", "/developer-keys/deactivate", { key_id: gone.json.key_id })
          return { key_id, gone: gone.json.key_id as string, shown: yield* shown }
        })
      )
      yield* running(
        file,
        Effect.gen(function* () {
          expect(yield* shown).toEqual(first.shown)
          expect((yield* hello(withKey(first.key_id))).status).toBe(200)
          expect((yield* hello(withKey(first.key_id))).status).toBe(456)
          expect((yield* hello(withKey(first.gone))).status).toBe(403)
          const [{ glossary_id }] = (yield* get("/v3/glossaries")).json.glossaries
          const { json } = yield* translate({
            text: ["House"],
            source_lang: "en",
            target_lang: "de",
            glossary_id
          })
          expect(json.translations[0].text).toBe("[de] Haus")
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("restores translation memories with their segments", () =>
    Effect.gen(function* () {
      const file = `${yield* folder}/state.json`
      const memories = "/v3/translation_memories"
      const tmx = `<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>Mug</seg></tuv>
        <tuv xml:lang="de"><seg>Humpen</seg></tuv></tu></body></tmx>`
      yield* running(
        file,
        Effect.gen(function* () {
          const source_file = { file_name: "a.tmx", content_length: tmx.length }
          const request = { source_file, parameters: { display_name: "Shop" } }
          const { json } = yield* send(JSON.stringify(request), { path: `${memories}/import` })
          yield* HttpClient.put(json.upload_url, { body: HttpBody.text(tmx) })
        })
      )
      yield* running(
        file,
        Effect.gen(function* () {
          const [memory] = (yield* get(memories)).json.translation_memories
          expect(memory).toMatchObject({ name: "Shop", segment_count: 1 })
          const { json } = yield* get(`${memories}/${memory.translation_memory_id}/segments`)
          expect(json.segments[0]).toMatchObject({
            source_text: "Mug",
            targets: [{ target_language: "de", target_text: "Humpen" }]
          })
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("holds a creation as soon as it is answered", () =>
    Effect.gen(function* () {
      const file = `${yield* folder}/state.json`
      yield* running(
        file,
        Effect.gen(function* () {
          yield* send(JSON.stringify(glossary), { path: "/v3/glossaries" })
          expect(JSON.parse(readFileSync(file, "utf8")).accounts[0].glossaries).toHaveLength(1)
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("is only for its owner, and leaves nothing else in its folder", () =>
    Effect.gen(function* () {
      const path = yield* folder
      yield* running(`${path}/state.json`, hello())
      expect(readdirSync(path)).toEqual(["state.json"])
      expect(statSync(`${path}/state.json`).mode & 0o777).toBe(0o600)
    }).pipe(Effect.scoped)
  )

  it.effect("may be a link, which stays one", () =>
    Effect.gen(function* () {
      const path = yield* folder
      yield* running(`${path}/state.json`, hello())
      symlinkSync(`${path}/state.json`, `${path}/link`)
      yield* running(`${path}/link`, hello())
      expect(readdirSync(path).sort()).toEqual(["link", "state.json"])
      yield* running(
        `${path}/state.json`,
        Effect.map(usage(), ({ json }) => expect(json.character_count).toBe(10))
      )
    }).pipe(Effect.scoped)
  )

  it.effect("takes new keys beside those that it holds", () =>
    Effect.gen(function* () {
      const file = `${yield* folder}/state.json`
      yield* running(file, hello(withKey("a")), { keys: ["a"] })
      yield* running(
        file,
        Effect.gen(function* () {
          const answers = yield* Effect.forEach(["a", "b"], (key) => usage(withKey(key)))
          expect(answers.map(({ json }) => json.character_count)).toEqual([5, 0])
        }),
        { keys: ["b"] }
      )
    }).pipe(Effect.scoped)
  )

  it.effect.each([
    ["a text", "my diary"],
    ["nothing", ""],
    ["other JSON", '{"name":"effect-translate"}'],
    ["a state of another format", '{"format":"effect-translate-emulator/2","periodStart":0,"accounts":[]}'],
    ["half a state", '{"format":"effect-translate-emulator/1","periodStart":0,"accounts":[{"keys":[{']
  ] as const)("that holds %s is refused untouched", ([, content]) =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = `${path}/file`
      writeFileSync(file, content)
      chmodSync(file, 0o644)
      const before = statSync(file)
      const error = yield* Effect.flip(running(file, hello()))
      expect(error).toMatchObject({ _tag: "StateFileError", file })
      expect((error as Error).message).toMatch(/ is no state of an emulator \(/)
      const after = statSync(file)
      expect([after.mode, after.mtimeMs, after.ino]).toEqual([before.mode, before.mtimeMs, before.ino])
      expect(readFileSync(file, "utf8")).toBe(content)
      expect(readdirSync(path)).toEqual(["file"])
    }).pipe(Effect.scoped)
  )

  it.effect("in a folder that does not exist, or that is a folder, is refused", () =>
    Effect.gen(function* () {
      const path = yield* folder
      for (const file of [`${path}/no/state.json`, path]) {
        const error = yield* Effect.flip(running(file, hello()))
        expect((error as Error).message).toMatch(/ can't be (written|read): /)
      }
      expect(existsSync(`${path}/no`)).toBe(false)
    }).pipe(Effect.scoped)
  )
})
