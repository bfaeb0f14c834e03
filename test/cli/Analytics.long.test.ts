import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

const translate = (url: string, text: string, tag: string) =>
  Effect.promise(() =>
    fetch(`${url}/v2/translate`, {
      method: "POST",
      headers: {
        authorization: "Service-Auth-Key emulator-key",
        "content-type": "application/json",
        "x-custom-tag": tag
      },
      body: JSON.stringify({ text: [text], target_lang: "de" })
    })
  )

describe("analytics", () => {
  it.scopedLive(
    "prints the usage in total, by key, by day and by tag",
    () =>
      Effect.gen(function* () {
        const { env, url } = yield* emulator()
        const folder = yield* folderOf()
        yield* translate(url, "four", "spring")
        yield* translate(url, "mug", "autumn")
        const call = (...args: ReadonlyArray<string>) => run(["analytics", ...args], { folder, env })

        const total = yield* call("--json")
        expect(JSON.parse(total.stdout)).toMatchObject({ type: "result", totalUsage: { totalCharacters: 7 } })
        const byKey = yield* call("--by", "key")
        expect(byKey.stdout).toMatch(/^\S+ +Key 1 +7 +7 +0 +0 +0$/m)
        const byDay = yield* call("--by", "day", "--csv", "--from", "2020-01-01", "--quiet")
        expect(byDay.stderr).toBe("")
        expect(byDay.stdout).toMatch(/^day,key,label,characters,.*\n\d{4}-\d\d-\d\d,[^,]+,Key 1,7,7,0,0,0\n$/)
        const byTag = yield* call("--by", "tag")
        expect(byTag.stdout).toMatch(/^spring +4 +4 +0$/m)

        const wrong = yield* call("--from", "yesterday")
        expect(wrong).toEqual({
          code: 2,
          stdout: "",
          stderr: "--from yesterday: give a day such as 2026-05-01.\n"
        })
        const tooLong = yield* call("--from", "2020-01-01", "--by", "tag")
        expect(tooLong).toMatchObject({ code: 2, stdout: "" })
        expect(tooLong.stderr).toContain("--by tag covers a year at most")
      }),
    processTimeout
  )
})
