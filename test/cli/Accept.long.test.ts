import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

const source = { hello: "Good morning to all of you.", bye: "Please confirm your address." }
const refusal = "Als KI-Sprachmodell kann ich diese Anfrage leider nicht bearbeiten."

const files = {
  "en.json": `${JSON.stringify(source, null, 2)}\n`,
  "app.po": `msgid ""\nmsgstr ""\n\nmsgctxt "menu"\nmsgid "${source.bye}"\nmsgstr ""\n`,
  "rows.csv": `title\n${source.hello}\n${source.bye}\n`
}

const args = [...Object.keys(files), "--column", "title", "--from", "en", "--to", "de"]

const replaced = (text: string, by: (line: string) => string) =>
  text
    .split("\n")
    .map((line) => by(line))
    .join("\n")

/** A folder whose outputs have a translation each that looks wrong, as somebody has left it there. */
const wrong = Effect.gen(function* () {
  const { billed, env } = yield* emulator()
  const folder = yield* folderOf(files)
  const cli = (...words: ReadonlyArray<string>) => run(words, { folder, env })
  expect((yield* cli("translate", ...args)).code).toBe(0)
  const edit = (name: string, by: (line: string) => string) =>
    writeFileSync(`${folder}/${name}`, replaced(readFileSync(`${folder}/${name}`, "utf8"), by))
  edit("de.json", (line) => (line.includes('"bye"') ? `  "bye": "${refusal}"` : line))
  edit("app.de.po", (line) => (line.startsWith('msgstr "') && line.length > 9 ? `msgstr "${refusal}"` : line))
  const rows = readFileSync(`${folder}/rows.de.csv`, "utf8").trimEnd().split("\n")
  writeFileSync(`${folder}/rows.de.csv`, [...rows.slice(0, -1), refusal, ""].join("\n"))
  const list = `${folder}/.effect-translate/failed.jsonl`
  const listed = () =>
    (existsSync(list) ? readFileSync(list, "utf8") : "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
  return { billed, cli, folder, list, listed }
})

describe("a translation that looks wrong", () => {
  it.scopedLive(
    "is told and listed by each run, in words, figures and JSON, and costs nothing",
    () =>
      Effect.gen(function* () {
        const { billed, cli, listed } = yield* wrong
        const before = yield* billed
        for (let time = 0; time < 2; time++) {
          const { code, stdout } = yield* cli("translate", ...args)
          expect(code).toBe(0)
          expect(stdout).toContain("\nEverything is translated, and 3 texts look wrong. Nothing was billed.")
          expect(listed()).toMatchObject([
            { reason: "Flagged" },
            { reason: "Flagged" },
            { reason: "Flagged" }
          ])
        }
        const { stdout } = yield* cli("translate", ...args, "--json")
        const events = stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
        expect(events.filter(({ type }) => type === "flaggedUnit")).toHaveLength(3)
        expect(events.at(-1)).toMatchObject({
          end: { state: "complete", next: expect.stringContaining("and 3 texts look wrong.") },
          targets: [{ flagged: 3 }]
        })
        expect(yield* billed).toBe(before)
      }),
    processTimeout
  )

  it.scopedLive(
    "is accepted by its key, by a check or by the list, and then nothing is wrong, in a clone too",
    () =>
      Effect.gen(function* () {
        const { cli, folder, list, listed } = yield* wrong
        yield* cli("translate", ...args)
        const key = `menu|${source.bye}`
        expect(yield* cli("accept", "app.de.po", "--key", key)).toMatchObject({
          code: 0,
          stdout: "app.de.po: 1 text accepted that looks wrong.\n"
        })
        expect((yield* cli("accept", "de.json", "--check", "length")).stdout).toBe(
          "de.json: nothing to accept.\n"
        )
        expect((yield* cli("accept", "de.json", "--check", "modelReply")).stdout).toBe(
          "de.json: 1 text accepted that looks wrong.\n"
        )
        yield* cli("translate", ...args)
        expect(listed()).toMatchObject([{ source: "rows.csv", key: "2:title" }])
        writeFileSync(list, `${JSON.stringify({ ...listed()[0], accepted: true })}\n`)
        const { stderr, stdout } = yield* cli("translate", ...args)
        expect(stderr).toContain("1 text of .effect-translate/failed.jsonl accepted.")
        expect(stdout).toContain("Everything is translated. Nothing was billed.")
        expect(existsSync(list)).toBe(false)
        rmSync(`${folder}/.effect-translate/cache`, { recursive: true })
        rmSync(`${folder}/.effect-translate/store.db`)
        expect((yield* cli("check", ...args)).stderr).toBe("3 outputs: nothing is wrong.\n")
      }),
    processTimeout
  )

  it.scopedLive(
    "is not accepted by a name that no check has, nor by a key that nothing is wrong with",
    () =>
      Effect.gen(function* () {
        const { cli } = yield* wrong
        const named = yield* cli("accept", "de.json", "--check", "modelReplies")
        expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('Did you mean "modelReply"')])
        const keyed = yield* cli("accept", "de.json", "--key", "hello")
        expect([keyed.code, keyed.stderr]).toEqual([
          2,
          expect.stringContaining("hello: nothing to accept there")
        ])
      }),
    processTimeout
  )

  it.scopedLive(
    "has a key of gettext that is printed with its context",
    () =>
      Effect.gen(function* () {
        const { cli } = yield* wrong
        const { stdout } = yield* cli("check", ...args)
        expect(stdout).toContain(`app.de.po:5 menu|${source.bye}: The translation speaks`)
        expect(stdout).not.toContain("\u0004")
      }),
    processTimeout
  )
})
