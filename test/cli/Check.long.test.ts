import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run, runAlone, withoutPackages } from "./process.js"

const catalogue = (bye: string) => `${JSON.stringify({ hello: "Good morning", bye }, null, 2)}\n`

const args = ["app.en.json", "--from", "en", "--to", "de,fr"]

/** A folder whose files are translated, as it is in version control: without the store. */
const translated = Effect.gen(function* () {
  const { env } = yield* emulator()
  const folder = yield* folderOf({ "app.en.json": catalogue("Good bye") })
  expect((yield* run(["translate", ...args], { folder, env })).code).toBe(0)
  for (const name of readdirSync(`${folder}/.effect-translate`)) {
    if (name.startsWith("store.")) rmSync(`${folder}/.effect-translate/${name}`)
  }
  return folder
})

describe("check", () => {
  it.scopedLive(
    "needs no address, no key and no store, and finds no fault in translations",
    () =>
      Effect.gen(function* () {
        const folder = yield* translated
        const { code, stderr, stdout } = yield* run(["check", ...args], { folder })
        expect([code, stdout, stderr]).toEqual([0, "", "2 outputs: nothing is wrong.\n"])
      }),
    processTimeout
  )

  it.scopedLive(
    "of languages ends with 2 where its detector is missing, and says how to install it; translate does so before it sends anything",
    () =>
      Effect.gen(function* () {
        const { env, requests } = yield* emulator()
        const folder = yield* folderOf({ "app.en.json": catalogue("Good bye") })
        const program = yield* withoutPackages
        for (const command of ["check", "translate"]) {
          const asked = [command, ...args, "--check", "language=flag"]
          const { code, stderr } = yield* runAlone(asked, { folder, env, program })
          expect([code, stderr]).toEqual([2, expect.stringContaining("npm install eld@2.1")])
        }
        expect(yield* requests).toBe(0)
        expect((yield* run(["check", ...args, "--check", "language=flag"], { folder, env })).code).toBe(6)
      }),
    processTimeout
  )

  it.scopedLive(
    "ends with 6 and names file and line of each text that is stale, missing, or made with other options",
    () =>
      Effect.gen(function* () {
        const folder = yield* translated
        writeFileSync(`${folder}/app.en.json`, catalogue("See you soon"))
        rmSync(`${folder}/app.fr.json`)
        const { code, stderr, stdout } = yield* run(["check", ...args], { folder })
        expect(code).toBe(6)
        expect(stdout.trimEnd().split("\n")).toEqual([
          "app.de.json:3 bye: the translation of an earlier text",
          "app.en.json:2 hello: not translated (app.fr.json)",
          "app.en.json:3 bye: not translated (app.fr.json)"
        ])
        expect(stderr).toBe("2 outputs: 2 missing, 1 stale.\n")
        const formal = yield* run(
          ["check", "app.en.json", "--from", "en", "--to", "de", "--formality", "more"],
          {
            folder
          }
        )
        expect(formal.code).toBe(6)
        expect(formal.stdout).toContain("app.de.json: 2 texts translated with other options than now")
      }),
    processTimeout
  )

  it.scopedLive(
    "ends with 0 where nothing is wrong that it was told to fail on, and tells a program all",
    () =>
      Effect.gen(function* () {
        const folder = yield* translated
        writeFileSync(`${folder}/app.en.json`, catalogue("See you soon"))
        const { code, stdout } = yield* run(["check", ...args, "--fail-on", "missing", "--json"], { folder })
        expect(code).toBe(0)
        expect(
          stdout
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line))
        ).toMatchObject([
          {
            type: "problem",
            kind: "stale",
            source: "app.en.json",
            output: "app.de.json",
            key: "bye",
            line: 3
          },
          {
            type: "problem",
            kind: "stale",
            source: "app.en.json",
            output: "app.fr.json",
            key: "bye",
            line: 3
          },
          { type: "result", outputs: 2, problems: { stale: 2 } }
        ])
      }),
    processTimeout
  )
})
