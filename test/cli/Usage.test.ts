import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

describe("usage", () => {
  it.scopedLive(
    "prints what was used, and ends with 0",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const { code, stderr, stdout } = yield* run(["usage"], { folder, env })
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
        expect(stdout).toMatch(/^characters +0$/m)
        const json = yield* run(["usage", "--json"], { folder, env })
        expect(JSON.parse(json.stdout)).toMatchObject({ type: "result", characterCount: 0 })
      }),
    processTimeout
  )

  it.scopedLive(
    "says in one line that the key is not accepted, and ends with 4",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const { code, stderr, stdout } = yield* run(["usage"], {
          folder,
          env: { ...env, LANGUAGE_SERVICE_KEY: "another" }
        })
        expect({ code, stdout }).toEqual({ code: 4, stdout: "" })
        expect(stderr.trimEnd().split("\n")).toHaveLength(1)
        expect(stderr).toContain("does not accept the key")
      }),
    processTimeout
  )
})
