import { existsSync, readFileSync, statSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { emulator, folderOf, processTimeout, run, start } from "./process.js"

const tmx = `<?xml version="1.0"?><tmx version="1.4"><header srclang="en"/><body>
<tu><tuv xml:lang="en"><seg>Mug</seg></tuv><tuv xml:lang="de"><seg>Becher</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>Good morning</seg></tuv><tuv xml:lang="de"><seg>Guten Morgen</seg></tuv></tu>
</body></tmx>`

const corrected = "source,translation\nMug,Humpen\n"

const store = ["memory", "import", "corrected.csv", "--from", "en", "--to", "de"]

const journal = ".effect-translate/translation-memories.json"

describe("translation-memory", () => {
  it.scopedLive(
    "makes one of a file, lists, shows, exports and deletes it",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "shop.tmx": tmx, "empty.tmx": "" })
        const call = (...args: ReadonlyArray<string>) => run(["translation-memory", ...args], { folder, env })
        expect((yield* call("list")).stderr).toBe("There are no translation memories.\n")
        const made = yield* call("import", "shop.tmx", "--name", "Shop", "--json")
        expect(made).toMatchObject({ code: 0, stderr: "" })
        const { translationMemoryId } = JSON.parse(made.stdout)
        const list = yield* call("list")
        expect(list.stdout).toMatch(
          new RegExp(`^${translationMemoryId} +Shop +en +de +2 +\\d{4}-\\d\\d-\\d\\d$`, "m")
        )
        const show = yield* call("show", "Shop", "--text", "guten")
        expect(show.stdout).toMatch(/^Good morning +de +Guten Morgen$/m)
        expect(show.stdout).not.toContain("Mug")
        const short = yield* call("show", "Shop", "--text", "g")
        expect(short).toMatchObject({
          code: 2,
          stderr: "--text is shorter than 2 characters: give more of the text.\n"
        })
        const empty = yield* call("import", "empty.tmx")
        expect(empty).toMatchObject({
          code: 2,
          stderr: "the size of empty.tmx is 0; it must be from 1 to 1000000000 bytes: split the file.\n"
        })
        const exported = yield* call("export", "Shop", "--out", "out.tmx")
        expect(exported.stdout).toBe("Shop written to out.tmx.\n")
        expect(readFileSync(`${folder}/out.tmx`, "utf8")).toContain("<seg>Becher</seg>")
        const deleted = yield* call("delete", "Shop", "--yes")
        expect(deleted).toEqual({ code: 0, stderr: "", stdout: `Deleted Shop (${translationMemoryId}).\n` })
      }),
    processTimeout
  )
})

describe("memory push and pull", () => {
  it.scopedLive(
    "carry corrections to a translation memory, by its name to translations, and back into another store",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({
          "shop.tmx": tmx,
          "corrected.csv": corrected,
          "a.txt": "Good morning\n"
        })
        const call = (...args: ReadonlyArray<string>) => run(args, { folder, env })
        yield* call("translation-memory", "import", "shop.tmx", "--name", "Shop")
        yield* call(...store)
        const pushed = yield* call("memory", "push", "Shop", "--delete-old", "--json")
        expect(pushed.stderr).toBe("")
        const result = JSON.parse(pushed.stdout)
        expect(result).toMatchObject({ isNew: true, added: 0, replaced: 1, kept: 1, superseded: [] })
        expect(result.deleted).toHaveLength(1)
        expect(statSync(`${folder}/${journal}`).mode & 0o777).toBe(0o600)
        expect(readFileSync(`${folder}/.effect-translate/.gitignore`, "utf8")).toContain(
          "translation-memories.json"
        )
        const again = yield* call("memory", "push", "Shop")
        expect(again.stdout).toBe(`Shop (${result.translationMemoryId}) holds all corrections already.\n`)

        const translated = yield* call(
          "translate",
          "a.txt",
          "--from",
          "en",
          "--to",
          "de",
          "--translation-memory",
          "Shop"
        )
        expect(translated.code).toBe(0)
        expect(readFileSync(`${folder}/a.de.txt`, "utf8")).toBe("Guten Morgen\n")

        const pulled = yield* call("memory", "pull", "Shop", "--store", "other.db")
        expect(pulled.stdout).toBe("2 corrections of Shop added to other.db; 0 there already.\n")
        const unknown = yield* call("translate", "a.txt", "--to", "de", "--translation-memory", "Nobody")
        expect(unknown.code).toBe(2)
        expect(unknown.stderr).toContain("nothing was pushed under this name from here")
      }),
    processTimeout
  )

  it.scopedLive(
    "go on after a kill amid the import, and make one memory",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf({ "corrected.csv": corrected })
        const { env } = yield* emulator({ translationMemoryJobs: { processingTime: "4 seconds" } })
        yield* run(store, { folder, env })
        const isBegun = () =>
          existsSync(`${folder}/${journal}`) &&
          readFileSync(`${folder}/${journal}`, "utf8").includes('"begun"')
        const killed = yield* start(["memory", "push", "Shop"], { folder, env })
        yield* Effect.repeat(Effect.sync(isBegun), {
          until: (begun) => begun,
          schedule: Schedule.spaced("5 millis")
        })
        yield* killed.kill("SIGKILL")
        yield* killed.ended
        const pushed = yield* run(["memory", "push", "Shop", "--json"], { folder, env })
        expect(JSON.parse(pushed.stdout)).toMatchObject({ isNew: false, kept: 1 })
        const list = yield* run(["translation-memory", "list", "--json"], { folder, env })
        expect(JSON.parse(list.stdout).translationMemories).toHaveLength(1)
        expect(isBegun()).toBe(false)
      }),
    processTimeout
  )

  it.scopedLive(
    "say which scope the key lacks",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf({ "corrected.csv": corrected })
        const { env } = yield* emulator({
          keys: [{ key: "emulator-key", scopes: ["translation_memories:read"] }]
        })
        yield* run(store, { folder, env })
        const pushed = yield* run(["memory", "push", "Shop"], { folder, env })
        expect(pushed.code).toBe(4)
        expect(pushed.stderr).toContain("Take a key with the scope translation_memories:write")
      }),
    processTimeout
  )
})
