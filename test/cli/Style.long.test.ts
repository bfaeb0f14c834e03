import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

const rules = '{ "punctuation": { "apostrophe": "use_curly_apostrophes" } }'

describe("style", () => {
  it.scopedLive(
    "creates, shows, changes and deletes a list of rules and instructions",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "rules.json": rules })
        const call = (...args: ReadonlyArray<string>) => run(["style", ...args], { folder, env })
        const given = [
          "--rules",
          "rules.json",
          "--instruction",
          "Tone=Stay dry.",
          "--instruction",
          "Names=a = b"
        ]

        const created = yield* call("create", "Catalogue", "--to", "DE", ...given, "--from", "en")
        expect(created).toMatchObject({ code: 0, stderr: "Created Catalogue, for translations into de.\n" })
        const styleId = created.stdout.trimEnd()
        const shown = yield* call("show", styleId)
        expect(shown.stdout).toContain(`Catalogue (${styleId}), for translations into de, version 1`)
        expect(shown.stdout).toMatch(/^punctuation +apostrophe +use_curly_apostrophes$/m)
        expect(shown.stdout).toMatch(/^Names +en +a = b$/m)

        const changes = [
          "--instruction",
          "Tone=Be cheerful.",
          "--instruction",
          "New=Short.",
          "--remove",
          "Names"
        ]
        const changed = yield* call("update", "Catalogue", "--name", "Shop", ...changes, "--json")
        expect(JSON.parse(changed.stdout)).toMatchObject({
          type: "result",
          styleId,
          name: "Shop",
          configuredRules: { punctuation: { apostrophe: "use_curly_apostrophes" } },
          customInstructions: [
            { label: "Tone", prompt: "Be cheerful.", sourceLanguage: "en" },
            { label: "New", prompt: "Short." }
          ]
        })
        expect((yield* call("list")).stdout).toMatch(new RegExp(`^${styleId} +Shop +de +5 `, "m"))
        expect(yield* call("delete", "Shop", "--yes")).toEqual({
          code: 0,
          stderr: "",
          stdout: "Deleted Shop.\n"
        })
        expect((yield* call("list")).stderr).toBe("There are no styles.\n")
      }),
    processTimeout
  )

  it.scopedLive(
    "reports in one line the mistake in a list, an option or a file",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "rules.json": '{ "punctuation": 3 }', "broken.json": "{" })
        const wrong = [
          [["show", "Nope"], "There is no style Nope"],
          [["create", "Shop", "--to", "xx"], "--to must be de, en"],
          [["create", "Shop", "--to", "de", "--instruction", "dry"], "--instruction dry: give a label"],
          [
            ["create", "Shop", "--to", "de", "--rules", "rules.json"],
            "--rules: punctuation must be an object"
          ],
          [["create", "Shop", "--to", "de", "--rules", "broken.json"], "broken.json is no JSON."]
        ] as const
        yield* Effect.forEach(
          wrong,
          ([args, words]) =>
            Effect.map(run(["style", ...args], { folder, env }), (result) => {
              expect({ args, code: result.code, stdout: result.stdout }).toEqual({
                args,
                code: 2,
                stdout: ""
              })
              expect(result.stderr.trimEnd().split("\n")).toHaveLength(1)
              expect(result.stderr).toContain(words)
            }),
          { concurrency: 2 }
        )
      }),
    processTimeout
  )
})
