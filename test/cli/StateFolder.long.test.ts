/** The state folder: where it is, from which folder, and who needs none. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

const text = '{ "greeting": "Good morning" }'

const translate = ["translate", "en.json", "--from", "en", "--to", "de"]

/** A project, and a folder in it that has its file. */
const project = (files: Readonly<Record<string, string>> = {}) =>
  Effect.map(folderOf(files), (root) => {
    const sub = `${root}/app/locales`
    mkdirSync(sub, { recursive: true })
    writeFileSync(`${sub}/en.json`, text)
    return { root, sub }
  })

describe("a run in a folder below", () => {
  it.scopedLive(
    "finds the records of the nearest folder above that has some, and adds to them",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const { root, sub } = yield* project()
        const args = ["translate", "app/locales/en.json", "--from", "en", "--to"]
        expect((yield* run([...args, "de"], { folder: root, env })).code).toBe(0)
        const once = yield* billed
        const again = yield* run([...translate, "--json"], { folder: sub, env })
        expect(again.stdout).toContain('"state":"unchanged"')
        expect(yield* billed).toBe(once)
        expect(
          (yield* run(["translate", "en.json", "--from", "en", "--to", "fr"], { folder: sub, env })).code
        ).toBe(0)
        expect(existsSync(`${root}/.effect-translate/records/fr/app/locales/fr.json.jsonl`)).toBe(true)
        expect(readdirSync(sub).sort()).toEqual(["de.json", "en.json", "fr.json"])
        const stats = yield* run(["memory", "stats"], { folder: sub, env })
        expect(stats.stdout).toContain("Store: ../../.effect-translate/store.db")
        const checked = yield* run(["check", "en.json", "--from", "en", "--to", "de,fr"], {
          folder: sub,
          env
        })
        expect(checked).toMatchObject({ code: 0, stderr: expect.stringContaining("nothing is wrong") })
        // From the root, the outputs are known as what they are.
        const all = yield* run(["translate", "app", "--from", "en", "--to", "de,fr"], { folder: root, env })
        expect(all).toMatchObject({ code: 0 })
        expect(yield* billed).toBe(2 * once)
      }),
    processTimeout
  )

  it.scopedLive(
    "keeps its records beside the file of settings, which comes before a nearer folder of records",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const { root, sub } = yield* project({ "effect-translate.config.json": "{}" })
        mkdirSync(`${root}/app/.effect-translate`)
        expect((yield* run(translate, { folder: sub, env })).code).toBe(0)
        expect(existsSync(`${root}/.effect-translate/records/de/app/locales/de.json.jsonl`)).toBe(true)
        expect(readdirSync(`${root}/app/.effect-translate`)).toEqual([])
      }),
    processTimeout
  )

  it.scopedLive(
    "looks no further than to the root of git",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const { root, sub } = yield* project()
        mkdirSync(`${root}/.effect-translate`)
        mkdirSync(`${root}/app/.git`)
        expect((yield* run(translate, { folder: sub, env })).code).toBe(0)
        expect(readdirSync(`${root}/.effect-translate`)).toEqual([])
        expect(existsSync(`${sub}/.effect-translate/store.db`)).toBe(true)
      }),
    processTimeout
  )

  it.scopedLive(
    "lists texts that failed by the paths of their files from there",
    () =>
      Effect.gen(function* () {
        const fault = { fault: "status", status: 400, text: "Good morning", times: "always" }
        const { env } = yield* emulator({}, { faults: [fault] })
        const { root, sub } = yield* project({ "effect-translate.config.json": "{}" })
        expect((yield* run(translate, { folder: sub, env })).code).toBe(1)
        const [unit = "{}"] = readFileSync(`${root}/.effect-translate/failed.jsonl`, "utf8").split("\n")
        expect(JSON.parse(unit)).toMatchObject({ source: "app/locales/en.json" })
      }),
    processTimeout
  )
})

describe("--state-folder", () => {
  it.scopedLive(
    "keeps all records elsewhere, under the paths from the root, for every command that reads them",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const { sub } = yield* project()
        const elsewhere = `${yield* folderOf()}/state`
        const there = ["--state-folder", elsewhere]
        expect((yield* run([...translate, ...there], { folder: sub, env })).code).toBe(0)
        const once = yield* billed
        expect(readdirSync(sub).sort()).toEqual(["de.json", "en.json"])
        expect(existsSync(`${elsewhere}/records/de/de.json.jsonl`)).toBe(true)
        expect(readFileSync(`${elsewhere}/.gitignore`, "utf8")).toContain("store.db*")
        const byVariable = { ...env, EFFECT_TRANSLATE_STATE_FOLDER: elsewhere }
        const again = yield* run([...translate, "--json"], { folder: sub, env: byVariable })
        expect(again.stdout).toContain('"state":"unchanged"')
        expect(yield* billed).toBe(once)
        for (const args of [["memory", "stats"], ["doctor"]]) {
          expect((yield* run([...args, ...there], { folder: sub, env })).stdout).toContain(
            `${elsewhere}/store.db`
          )
        }
        const checked = yield* run(["check", ...translate.slice(1), ...there], { folder: sub, env })
        expect(checked).toMatchObject({ code: 0, stderr: expect.stringContaining("nothing is wrong") })
        const submitted = yield* run(["job", "submit", ...translate.slice(1), ...there], { folder: sub, env })
        expect(submitted.code).toBe(0)
        expect(existsSync(`${elsewhere}/jobs.db`)).toBe(true)
        expect(readdirSync(sub).sort()).toEqual(["de.json", "en.json"])
      }),
    processTimeout
  )

  it.scopedLive(
    "is a setting of the file, whose path is relative to it, and is no folder of texts",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const { root, sub } = yield* project({ "effect-translate.config.json": '{ "stateFolder": "kept" }' })
        expect((yield* run(translate, { folder: sub, env })).code).toBe(0)
        expect(existsSync(`${root}/kept/records/de/app/locales/de.json.jsonl`)).toBe(true)
        expect(existsSync(`${root}/.effect-translate`)).toBe(false)
        const all = ["translate", ".", "--from", "en", "--to", "de", "--dry-run", "--json"]
        const forecast = yield* run(all, { folder: root, env })
        expect(forecast.code).toBe(0)
        expect(forecast.stdout).not.toContain("kept/")
      }),
    processTimeout
  )
})

describe("a pipe with --store none", () => {
  it.scopedLive(
    "needs no state folder, and leaves none",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ ".effect-translate": "a file in its place" })
        const args = ["translate", "-", "--format", "lines", "--from", "en", "--to", "de", "--store", "none"]
        const { code, stdout } = yield* run(args, { folder, env, stdin: "Mug\n" })
        expect({ code, stdout }).toEqual({ code: 0, stdout: "[de] Mûg\n" })
        expect(readFileSync(`${folder}/.effect-translate`, "utf8")).toBe("a file in its place")
      }),
    processTimeout
  )
})
