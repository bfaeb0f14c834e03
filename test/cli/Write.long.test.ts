import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Fault } from "effect-translate/emulator"
import { emulator, folderOf, processTimeout, run } from "./process.js"

const dead = { LANGUAGE_SERVICE_URL: "http://127.0.0.1:9", LANGUAGE_SERVICE_KEY: "key" }

describe("write", () => {
  it.scopedLive(
    "improves the text of the command line, a file and standard input",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({ "letter.txt": "one\r\n\r\n  two is\r\nlonger" })
        const write = (args: ReadonlyArray<string>, stdin?: string) =>
          run(["write", ...args], { folder, env, stdin })
        expect(yield* write(["rephrase", "we was\nhere", "--lang", "en-gb", "--style", "business"])).toEqual({
          code: 0,
          stdout: "[rephrased en-GB business] we was\nhere\n",
          stderr: ""
        })
        expect(yield* billed).toBe(11)
        expect((yield* write(["correct", "--file", "letter.txt"])).stdout).toBe(
          "[corrected] one\r\n\r\n  [corrected] two is\r\n[corrected] longer"
        )
        expect(readFileSync(`${folder}/letter.txt`, "utf8")).toMatch(/^one/)
        const wrapped = yield* write(["correct", "-", "--paragraphs"], "one\n\nwe is\nhere")
        expect(wrapped.stdout.replace(/\s+/g, " ")).toBe("[corrected] one [corrected] we is here")
        const json = yield* write(["correct", "--json"], "one\n\ntwo\n")
        expect(
          json.stdout
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        ).toMatchObject([
          { type: "text", line: 1, state: "Translated", text: "[corrected] one" },
          { type: "text", line: 3, state: "Translated", text: "[corrected] two" },
          { type: "result", translated: 2, failed: 0, characters: 6 }
        ])
      }),
    processTimeout
  )

  it.scopedLive(
    "sends parameters that the program does not know, and refuses those that it has a flag for",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const send = (command: string, parameter: string) =>
          run(["write", command, "we was", "--parameter", parameter], { folder, env })
        for (const command of ["rephrase", "correct"]) {
          const sent = yield* send(command, "some_mode=true")
          expect([command, sent.code]).toEqual([command, 1])
          expect(sent.stderr).toContain("The service says: some_mode is not known here")
          const known = yield* send(command, "target_lang=de")
          expect([command, known.code]).toEqual([command, 2])
          expect(known.stderr).toContain("--parameter names target_lang, which this library knows")
        }
      }),
    processTimeout
  )

  it.scopedLive(
    "leaves texts as they are that can't be improved, and never prints them in an error",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator({ faults: [Fault.poison("secret")] })
        const folder = yield* folderOf()
        const long = "x".repeat(11_000)
        const lines = yield* run(["write", "correct"], { folder, env, stdin: `fine\n${long}\ngood\n` })
        expect(lines.code).toBe(1)
        expect(lines.stdout).toBe(`[corrected] fine\n${long}\n[corrected] good\n`)
        expect(lines.stderr).toMatch(/^Line 2 was left as it is: [^\n]*\n1 text could not be improved\.\n$/)
        expect(lines.stderr).not.toContain("xx")
        const one = yield* run(["write", "correct", "a secret"], { folder, env })
        expect({ code: one.code, stdout: one.stdout }).toEqual({ code: 1, stdout: "" })
        expect(one.stderr).toMatch(/^[^\n]+\n$/)
        expect(one.stderr).not.toContain("secret")
        const another = { ...env, LANGUAGE_SERVICE_KEY: "another" }
        const refused = yield* run(["write", "correct"], { folder, env: another, stdin: "mine\nyours\n" })
        expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 4, stdout: "" })
        expect(refused.stderr).toMatch(/^[^\n]+does not accept the key[^\n]+\n$/)
      }),
    processTimeout
  )

  it.scopedLive(
    "refuses wrong usage in words of the command line, before anything is billed",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf()
        for (const [args, message, service] of [
          [
            ["rephrase", "a", "--style", "casual", "--tone", "friendly"],
            /^--tone can't be combined with --style/,
            env
          ],
          [
            ["rephrase", "a", "--style", "casual", "--lang", "ja"],
            /^--style does not work with --lang "ja"/,
            env
          ],
          [["correct", "a", "--lang", "xx"], /^--lang [^\n]*xx/, env],
          [["correct", "a", "--file", "b"], /^Give a text or --file, not both/, dead],
          [["correct", "--file", "none.txt"], /^none\.txt can't be read: it is not there/, dead]
        ] as const) {
          const { code, stderr, stdout } = yield* run(["write", ...args], { folder, env: service })
          expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
          expect(stderr).toMatch(message)
          expect(stderr).toMatch(/^[^\n]+\n$/)
        }
        expect(yield* billed).toBe(0)
      }),
    processTimeout
  )
})
