/** Policies over what was translated before, `--retry-flagged`, `--fail-on` and `--mark`, as a person runs them. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Fault } from "effect-translate/emulator"
import { answers, kinds, refusal, right, wrong } from "../job/flaggedFiles.js"
import { emulator, folderOf, processTimeout, run } from "./process.js"

const names = ["a.json", "a.po", "a.xlf", "a.csv", "a.md"] as const

const chosen: Partial<Record<(typeof names)[number], ReadonlyArray<string>>> = {
  "a.csv": ["--column", "title"]
}

/** Runs commands over a file with a text whose translation looks wrong, until the service has a better one. */
const world = (name: (typeof names)[number]) =>
  Effect.gen(function* () {
    let answer = refusal
    const mistranslated = Fault.mistranslate((source) =>
      source === wrong ? answer : (answers[source] ?? source)
    )
    const { billed, env } = yield* emulator({
      faults: [mistranslated.pipe(Fault.times(Number.POSITIVE_INFINITY))]
    })
    const folder = yield* folderOf({ [name]: kinds[name]!.write([wrong, "The door is closed."]) })
    const shared = [
      name,
      "--from",
      "en",
      "--to",
      "de",
      "--out",
      "{lang}/{name}.{ext}",
      ...(chosen[name] ?? [])
    ]
    return {
      improve: () => {
        answer = right
      },
      output: () => readFileSync(`${folder}/de/${name}`, "utf8"),
      go: (command: string, ...flags: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const before = yield* billed
          const { code, stderr, stdout } = yield* run([command, ...shared, ...flags], { folder, env })
          return { code, said: stdout + stderr, billed: (yield* billed) - before }
        })
    }
  })

describe.each(names)("a text that looks wrong in an output of %s", (name) => {
  it.scopedLive(
    "is refused by --check, written by a milder run, and bettered by --retry-flagged, which tells the cost before",
    () =>
      Effect.gen(function* () {
        const { go, improve, output } = yield* world(name)
        expect(yield* go("translate")).toMatchObject({ code: 0, billed: 47 })
        const strict = yield* go("translate", "--check", "all=fail")
        expect(strict).toMatchObject({ code: 1, billed: 0 })
        expect(strict.said).toContain("1 text failed (modelReply)")
        expect(output()).not.toContain(refusal)
        const milder = yield* go("translate")
        expect(milder).toMatchObject({ code: 0, billed: 0 })
        expect(milder.said).toContain("Everything is translated, and 1 text looks wrong. Nothing was billed.")
        expect(output()).toContain(refusal)
        improve()
        const forecast = yield* go("translate", "--retry-flagged", "--dry-run")
        expect([forecast.billed, forecast.said]).toEqual([0, expect.stringMatching(/\b28\n/)])
        const better = yield* go("translate", "--retry-flagged")
        expect(better).toMatchObject({ code: 0, billed: wrong.length })
        expect(better.said).toContain("With those that look wrong, 1 text is sent: 28 characters.")
        expect(better.said).toContain("Everything is translated. 28 characters were billed.")
        expect(output()).toContain(right)
        expect(yield* go("check")).toMatchObject({ code: 0 })
      }),
    processTimeout
  )

  it.scopedLive(
    "ends translate and check with 6 by its kind and its check, and with their own codes by another",
    () =>
      Effect.gen(function* () {
        const { go } = yield* world(name)
        for (const command of ["translate", "check"]) {
          for (const [named, code] of [
            ["flagged", 6],
            ["missing,modelReply", 6],
            ["stale,strict", 0],
            ["flaged", 2]
          ] as const) {
            expect([named, (yield* go(command, "--fail-on", named)).code]).toEqual([named, code])
          }
        }
        const failed = yield* go("translate", "--check", "all=fail", "--fail-on", "failed,missing")
        expect(failed.code).toBe(1)
      }),
    processTimeout
  )
})

describe("a text that looks wrong in an output of a.po", () => {
  it.scopedLive(
    "is marked as fuzzy by --mark flagged, and not sent again for that",
    () =>
      Effect.gen(function* () {
        const { go, output } = yield* world("a.po")
        yield* go("translate")
        expect(output()).not.toContain("fuzzy")
        expect(yield* go("translate", "--mark", "flagged")).toMatchObject({ code: 0, billed: 0 })
        expect(output()).toContain(`#, fuzzy\nmsgid "${wrong}"`)
        expect(yield* go("translate")).toMatchObject({ code: 0, billed: 0 })
        const checked = yield* go("check")
        expect([checked.code, checked.said]).toEqual([6, expect.stringContaining("1 output: 1 flagged.")])
      }),
    processTimeout
  )
})
