/** `translate -` as a process that another program writes texts to and reads translations from. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { cliBundle } from "../../scripts/cliBundle.js"
import { emulator, folderOf, inherited, processTimeout } from "./process.js"

/** A process whose input stays open: a line is asked, and its answer awaited. */
const conversation = (args: ReadonlyArray<string>, folder: string, env: Readonly<Record<string, string>>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.map(Effect.promise(cliBundle), (bundle) =>
        spawn(process.execPath, [`${bundle}/main.js`, "translate", "-", "--to", "de", ...args], {
          cwd: folder,
          env: { ...inherited, ...env }
        })
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    ),
    (child) => {
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
      return {
        ask: (line: string) =>
          Effect.promise(async () => {
            child.stdin.write(line)
            const { value } = await lines.next()
            return value
          }),
        end: Effect.promise(() => {
          child.stdin.end()
          return ended
        })
      }
    }
  )

describe("translate -", () => {
  it.scopedLive(
    "answers each line before the next one comes",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf()
        const { ask, end } = yield* conversation(["--format", "lines"], folder, env)
        expect(yield* ask("Mug\n")).toBe("[de] Mûg")
        expect(yield* ask("Cup\n")).toBe("[de] Çûp")
        expect(yield* ask("\n")).toBe("")
        expect(yield* ask("Mug\r\n")).toBe("[de] Mûg")
        expect(yield* end).toBe(0)
        expect(yield* billed).toBe(6)
      }),
    processTimeout
  )

  it.scopedLive(
    "answers each line of JSON Lines before the next one comes",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const args = ["--format", "jsonl", "--field", "title", "--store", "none"]
        const { ask, end } = yield* conversation(args, folder, env)
        expect(yield* ask('{"id":1,"title":"Mug"}\n')).toBe('{"id":1,"title":"[de] Mûg"}')
        expect(yield* ask('{"id":2,"title":null}\n')).toBe('{"id":2,"title":null}')
        expect(yield* ask('{"id":3,"title":"Cup"}\n')).toBe('{"id":3,"title":"[de] Çûp"}')
        expect(yield* end).toBe(0)
      }),
    processTimeout
  )
})
