import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

describe("usage", () => {
  it.scopedLive(
    "prints the usage, and ends with 0",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator({ characterLimit: 4000 })
        const folder = yield* folderOf()
        yield* run(["write", "correct"], { folder, env, stdin: `${"x".repeat(1000)}\n` })
        const { code, stderr, stdout } = yield* run(["usage"], { folder, env })
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
        const [head, characters, ofKey] = stdout.split("\n")
        expect(head).toMatch(/^ +used +limit$/)
        expect(characters).toMatch(/^characters +1,000 +4,000 {2}25 %$/)
        expect(characters?.indexOf("4,000")).toBe(head?.indexOf("limit"))
        expect(ofKey).toMatch(/^characters of this key +1,000 +no limit$/)
        expect(stdout).toMatch(
          /^Counted since \d{4}-\d\d-01; begins anew at \d{4}-\d\d-01 00:00 UTC \(.* left\)\.$/m
        )
        const json = yield* run(["usage", "--json"], { folder, env })
        expect(JSON.parse(json.stdout)).toMatchObject({ type: "result", characterCount: 1000 })
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
