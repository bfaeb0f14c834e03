import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folderOf, processTimeout, run } from "./process.js"

describe("help", () => {
  it.scopedLive(
    "is printed by the program, and by mistake to standard error",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        const asked = yield* run(["--help"], { folder })
        expect(asked).toMatchObject({ code: 0, stderr: "" })
        expect(asked.stdout).toMatch(/^Usage: effect-translate <command> \[options\]\n\nTranslates files/)
        expect(asked.stdout).toMatch(/^ {2}130 {2}Interrupted/m)
        const none = yield* run([], { folder })
        expect(none).toMatchObject({ code: 2, stdout: "", stderr: asked.stdout })
        expect(yield* run(["--version"], { folder })).toMatchObject({ code: 0, stdout: "0.1.0\n" })
        const wrong = yield* run(["usage", "--jsno", "--json"], { folder })
        expect(wrong).toMatchObject({ code: 2 })
        expect(wrong.stderr).toBe(
          'effect-translate usage has no option --jsno. Did you mean "--json"? See "effect-translate usage --help".\n'
        )
        expect(JSON.parse(wrong.stdout)).toMatchObject({ type: "error", code: 2, tag: "Usage" })
      }),
    processTimeout
  )
})
