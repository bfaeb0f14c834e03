import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

const name = "effect-translate.config.json"

describe("a key", () => {
  it.scopedLive(
    "comes from standard input, where a file is named -",
    () =>
      Effect.gen(function* () {
        const { url } = yield* emulator()
        const folder = yield* folderOf({ [name]: JSON.stringify({ url, keyFile: "-" }) })
        const piped = yield* run(["usage"], { folder, stdin: "emulator-key\n" })
        expect(piped).toMatchObject({ code: 0, stderr: "" })
        const nothing = yield* run(["usage"], { folder })
        expect(nothing).toMatchObject({ code: 2, stdout: "" })
        expect(nothing.stderr).toBe(`LANGUAGE_SERVICE_KEY: ${name} (keyFile): there is no key.\n`)
      }),
    processTimeout
  )
})
