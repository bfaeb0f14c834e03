import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

describe("languages", () => {
  it.scopedLive(
    "lists languages with their sides and features, also those in beta",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const { code, stderr, stdout } = yield* run(["languages"], { folder, env })
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
        expect(stdout).toMatch(/^ +source +target +formality +style_rules +tag_handling +glossary/)
        expect(stdout).toMatch(/^de +German +yes +yes +yes +yes +yes +yes/m)
        expect(stdout).toMatch(/^en +English +yes {2}/m)
        expect(stdout).toMatch(/^de-CH +German \(Swiss\) +beta/m)
        const json = yield* run(["languages", "--resource", "write", "--json"], { folder, env })
        const { features, languages, resource, type } = JSON.parse(json.stdout)
        expect({ resource, type }).toEqual({ resource: "write", type: "result" })
        expect(features).toContainEqual(expect.objectContaining({ name: "tone" }))
        expect(languages).toContainEqual(
          expect.objectContaining({ lang: "en-GB", usableAsSource: false, usableAsTarget: true })
        )
      }),
    processTimeout
  )

  it.scopedLive(
    "lists the features of a pair, and ends with 1 if none works",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const pair = (pair: string, ...args: ReadonlyArray<string>) =>
          run(["languages", "--pair", pair, ...args], { folder, env })
        const danish = yield* pair("EN:da")
        expect(danish).toMatchObject({ code: 0, stderr: "" })
        expect(danish.stdout).toMatch(/^translate_text +yes\nformality +no\n/)
        const german = yield* pair(":de", "--resource", "translate_document", "--json")
        expect(JSON.parse(german.stdout)).toMatchObject({
          type: "result",
          targetLang: "de",
          supported: true,
          features: { formality: true }
        })
        for (const [given, side] of [
          ["de:vi", "vi is no target language of translate_text"],
          ["xx:de", "xx is no source language of translate_text"]
        ] as const) {
          const { code, stderr, stdout } = yield* pair(given)
          expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
          expect(stderr).toMatch(new RegExp(`^${side}: [^\\n]+\\n$`))
        }
      }),
    processTimeout
  )

  it.scopedLive(
    "refuses an invalid pair, and an unknown resource",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        const env = { LANGUAGE_SERVICE_URL: "http://127.0.0.1:9", LANGUAGE_SERVICE_KEY: "key" }
        const refused = (...args: ReadonlyArray<string>) =>
          Effect.map(run(["languages", ...args], { folder, env }), ({ code, stderr, stdout }) => {
            expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
            return stderr
          })
        expect(yield* refused("--pair", "en-de")).toMatch(/^--pair must be two languages [^\n]*\n$/)
        expect(yield* refused("--resource", "texts")).toContain("translate_document")
      }),
    processTimeout
  )
})
