import { readFileSync, statSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

const key = /^[0-9a-f-]{36}:[0-9a-f-]{36}$/

describe("keys", () => {
  it.scopedLive(
    "creates keys, limits, labels and deactivates them, and shows none but a new one",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const call = (...args: ReadonlyArray<string>) => run(["keys", ...args], { folder, env })

        const printed = yield* call("create", "Team", "--verbose")
        const secret = printed.stdout.trimEnd()
        expect(secret).toMatch(key)
        expect(printed.stderr).toContain("Created Team (")
        expect(printed.stderr).not.toContain(secret)
        expect(
          yield* run(["usage", "--json"], { folder, env: { ...env, LANGUAGE_SERVICE_KEY: secret } })
        ).toMatchObject({ code: 0 })

        const kept = yield* call("create", "Kept", "--out", "kept.key", "--json")
        const file = `${folder}/kept.key`
        expect(statSync(file).mode & 0o777).toBe(0o600)
        expect(readFileSync(file, "utf8").trimEnd()).toMatch(key)
        expect(JSON.parse(kept.stdout)).toMatchObject({ type: "result", label: "Kept", file: "kept.key" })
        expect(kept.stdout).not.toContain(readFileSync(file, "utf8").trimEnd())
        const again = yield* call("create", "Again", "--out", "kept.key")
        expect(again).toEqual({
          code: 2,
          stdout: "",
          stderr: "kept.key can't be written: it is there already.\n"
        })

        const limited = yield* call("limit", "Team", "--characters", "500", "--speech", "none", "--json")
        expect(JSON.parse(limited.stdout)).toMatchObject({
          usageLimits: { characters: 500, speechToTextMilliseconds: null }
        })
        yield* call("label", "Team", "Catalogue team")
        const unasked = yield* call("deactivate", "Catalogue team")
        expect(unasked).toMatchObject({ code: 2, stdout: "" })
        expect(unasked.stderr).toContain("Say so by --yes")
        yield* call("deactivate", "Catalogue team", "--yes")

        const list = yield* call("list")
        expect(list.stdout).toMatch(
          new RegExp(
            `^${secret.slice(0, 4)}\\*{4}${secret.slice(-4)} +Catalogue team .* 500 .*deactivated$`,
            "m"
          )
        )
        expect(list.stdout).toMatch(/^\w{4}\*{4}\w{4} +Kept .*active$/m)
        expect(list.stdout).not.toContain("Again")
        expect(list.stdout).not.toContain(secret)
      }),
    processTimeout
  )

  it.scopedLive(
    "reports mistakes in a key or a limit, and repeats no key",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const secret = "11111111-2222-3333-4444-555555555555:66666666-7777-8888-9999-000000000000"
        const wrong = [
          [["deactivate", secret, "--yes"], 2, "There is no key of that label", env],
          [["limit", "Key 1", "--characters", "many"], 2, "--characters many: give a whole number", env],
          [["list"], 4, "does not accept the key", { ...env, LANGUAGE_SERVICE_ADMIN_KEY: secret }],
          [["list"], 2, "LANGUAGE_SERVICE_ADMIN_KEY", { LANGUAGE_SERVICE_URL: env.LANGUAGE_SERVICE_URL }]
        ] as const
        yield* Effect.forEach(
          wrong,
          ([args, code, words, env]) =>
            Effect.map(run(["keys", ...args], { folder, env }), (result) => {
              expect({ args, code: result.code, stdout: result.stdout }).toEqual({ args, code, stdout: "" })
              expect(result.stderr.trimEnd().split("\n")).toHaveLength(1)
              expect(result.stderr).toContain(words)
              expect(result.stderr).not.toContain(secret)
            }),
          { concurrency: 2 }
        )
      }),
    processTimeout
  )
})
