import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { postgres } from "../support/postgres.js"
import { emulator, folderOf, processTimeout, run } from "./process.js"

const translated = `source,translation,sourceLang,targetLang,at,endpoint,service,account,settings
Mug,Becher,en,de,2020-01-01T00:00:00.000Z,POST /v2/translate,https://host,1,{}
Cup,Tasse,en,de,2030-01-01T00:00:00.000Z,POST /v2/translate,https://host,1,{}
`

const corrected = "source,translation\nMug,Humpen\n"

const lines = (text: string) => text.trimEnd().split("\n")

describe("memory", () => {
  it.scopedLive(
    "imports, counts, exports and prunes the translations of a store",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf({ "old.csv": translated, "corrected.csv": corrected })
        const imported = yield* run(["memory", "import", "old.csv"], { folder })
        expect(imported).toEqual({
          code: 0,
          stderr: "",
          stdout: "2 translations of the machine read into .effect-translate/store.db.\n"
        })
        const more = yield* run(
          ["memory", "import", "-", "--format", "csv", "--from", "en", "--to", "de", "--json"],
          { folder, stdin: corrected }
        )
        expect(JSON.parse(more.stdout)).toMatchObject({
          type: "result",
          store: ".effect-translate/store.db",
          corrections: 1,
          entries: 0
        })

        const stats = yield* run(["memory", "stats"], { folder })
        expect(stats.code).toBe(0)
        expect(stats.stdout).toContain("2 translations of the machine, 17 bytes; 1 correction.")
        expect(stats.stdout).toMatch(/^en +de +2$/m)

        const exported = yield* run(["memory", "export", "all.tmx", "--quiet"], { folder })
        expect(exported.stderr).toBe("")
        expect(readFileSync(`${folder}/all.tmx`, "utf8")).toContain("<seg>Humpen</seg>")
        const piped = yield* run(["memory", "export", "--format", "jsonl", "--corrections"], { folder })
        expect(lines(piped.stdout).map((line) => JSON.parse(line))).toMatchObject([
          { source: "Mug", translation: "Humpen", sourceLang: "en", targetLang: "de" }
        ])

        const unasked = yield* run(["memory", "prune", "--older-than", "30d"], { folder })
        expect({ code: unasked.code, stdout: unasked.stdout }).toEqual({ code: 2, stdout: "" })
        expect(unasked.stderr).toContain("--yes")
        const pruned = yield* run(["memory", "prune", "--max-size", "10B", "--yes", "--json"], { folder })
        expect(JSON.parse(pruned.stdout)).toMatchObject({ type: "result", removed: 1 })
      }),
    processTimeout
  )

  it.scopedLive(
    "uses a database of PostgreSQL, whose password it does not print",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf({ "old.csv": translated })
        const url = Redacted.value(yield* Effect.flatMap(postgres, ({ database }) => database))
        const call = (...args: ReadonlyArray<string>) =>
          run(["memory", ...args, "--store", url, "--verbose"], { folder })
        const imported = yield* call("import", "old.csv")
        expect(imported).toMatchObject({ code: 0, stderr: "" })
        const stats = yield* call("stats")
        expect(stats.stdout).toMatch(/^Store: PostgreSQL\n2 translations of the machine/)
        expect(imported.stdout + stats.stdout).not.toContain(new URL(url).password)
      }),
    processTimeout
  )

  it.scopedLive(
    "reports in one line the mistake in a store, a file or an option",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf({ "corrected.csv": corrected, "no-store.db": "text".repeat(1000) })
        // An import makes the store.
        const wrong = [
          [["stats"], 2, "There is no store .effect-translate/store.db"],
          [["salvage", "new.db"], 2, "There is no store .effect-translate/store.db"],
          [["stats", "--store", "no-store.db"], 2, "no-store.db is damaged, or it is no store"],
          [["stats", "--store", "postgres://me:secret@localhost:1/db"], 5, "localhost:1/db can't be used"],
          [["import", "missing.csv"], 2, "missing.csv can't be read: it is not there."],
          [["import", "corrected.csv"], 2, "--to"],
          [["export", "nowhere/all.csv"], 2, "nowhere/all.csv can't be written: it is not there."],
          [["prune", "--older-than", "soon"], 2, "such as 90d"],
          [["salvage", "new.db", "--store", "postgres://localhost:1/db"], 2, "Only a file can be salvaged"]
        ] as const
        yield* Effect.forEach(
          wrong,
          ([args, code, words]) =>
            Effect.map(run(["memory", ...args], { folder }), (result) => {
              expect({ args, code: result.code, stdout: result.stdout }).toEqual({ args, code, stdout: "" })
              expect(lines(result.stderr)).toHaveLength(1)
              expect(result.stderr).toContain(words)
              expect(result.stderr).not.toContain("secret")
            }),
          { concurrency: 2 }
        )
      }),
    processTimeout
  )
})

describe("an export that a person has edited", () => {
  it.scopedLive.each(["csv", "jsonl", "tmx"])(
    "in %s is read as a correction, which the next translate writes into outputs",
    (format) =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({ "en.json": '{"a":"Save","b":"Open","c":"Close"}' })
        const call = (...args: ReadonlyArray<string>) => run(args, { folder, env })
        const translate = call("translate", "en.json", "--from", "en", "--to", "pl")
        yield* translate
        yield* call("memory", "export", `r.${format}`)
        const exported = readFileSync(`${folder}/r.${format}`, "utf8")
        writeFileSync(`${folder}/r.${format}`, exported.replace("[pl] Såvé", "Zapisz"))

        const store = ".effect-translate/store.db"
        const imported = yield* call("memory", "import", `r.${format}`)
        expect(imported).toMatchObject({
          code: 0,
          stdout: `1 correction read into ${store}, 2 translations of the machine as they were.\n`
        })
        const again = yield* call("memory", "import", `r.${format}`)
        expect(again.stdout).toBe(
          `Nothing new read into ${store}, 1 correction and 2 translations of the machine as they were.\n`
        )
        const paid = yield* billed
        expect((yield* translate).code).toBe(0)
        expect(JSON.parse(readFileSync(`${folder}/pl.json`, "utf8"))).toMatchObject({ a: "Zapisz" })
        expect(yield* billed).toBe(paid)
      }),
    processTimeout
  )

  it.scopedLive(
    "is told where the store has a newer correction of its text",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf({ "old.csv": translated, "corrected.csv": corrected })
        const call = (...args: ReadonlyArray<string>) => run(["memory", ...args], { folder })
        yield* call("import", "old.csv")
        yield* call("import", "corrected.csv", "--from", "en", "--to", "de")
        writeFileSync(`${folder}/old.csv`, translated.replace("Becher", "Krug"))
        const told = (yield* call("import", "old.csv")).stdout
        expect(told).toContain("1 translation of the machine as it was.")
        expect(told).toContain("1 correction of the file is older than the store's, which stays")
        expect((yield* call("export", "--corrections", "--format", "csv")).stdout).toContain("Humpen")
      }),
    processTimeout
  )
})

describe("a damaged store", () => {
  /** A store with 500 translations, of which one has a text that is not UTF-8, and another one that does not belong to its key. */
  const damaged = Effect.gen(function* () {
    const rows = Array.from(
      { length: 500 },
      (_, n) =>
        `text ${n},translated ${n},en,de,2020-01-01T00:00:00.000Z,POST /v2/translate,https://host,1,{}\n`
    )
    const folder = yield* folderOf({ "old.csv": `${translated.split("\n")[0]}\n${rows.join("")}` })
    yield* run(["memory", "import", "old.csv", "--store", "store.db"], { folder })
    const whole = yield* run(["memory", "verify", "--store", "store.db"], { folder })
    expect(whole).toEqual({
      code: 0,
      stderr: "",
      stdout:
        "Store: store.db\n500 translations of the machine, 0 corrections, 0 requests in the ledger.\nNothing is damaged.\n"
    })
    const bytes = readFileSync(`${folder}/store.db`)
    bytes[bytes.indexOf("translated 77") + 1] = 0xff
    bytes[bytes.indexOf("text 123") + 1] = 0x41
    writeFileSync(`${folder}/store.db`, bytes)
    return folder
  })

  it.scopedLive(
    "is told by memory verify, and saved by memory salvage",
    () =>
      Effect.gen(function* () {
        const folder = yield* damaged
        const exported = yield* run(["memory", "export", "all.csv", "--store", "store.db"], { folder })
        expect(exported.code).toBe(2)
        expect(exported.stderr).toContain("memory verify")
        expect(exported.stderr).toContain("memory salvage")

        const verified = yield* run(["memory", "verify", "--store", "store.db", "--json"], { folder })
        expect(verified.code).toBe(1)
        const [result] = lines(verified.stdout).map((line) => JSON.parse(line))
        expect(result).toMatchObject({
          type: "result",
          isWhole: false,
          problems: [
            { check: "texts", count: 1 },
            { check: "keys", count: 1 }
          ]
        })
        const told = yield* run(["memory", "verify", "--store", "store.db"], { folder })
        expect(told.stdout).toContain("texts: 1 ")
        expect(told.stderr).toContain("memory salvage")

        const salvaged = yield* run(["memory", "salvage", "saved.db", "--store", "store.db"], { folder })
        expect(salvaged).toMatchObject({ code: 0, stderr: "" })
        expect(salvaged.stdout).toMatch(/^translations of the machine +498 +2$/m)
        const saved = yield* run(["memory", "verify", "--store", "saved.db", "--json"], { folder })
        expect(JSON.parse(saved.stdout)).toMatchObject({ isWhole: true, translations: 498 })
        const again = yield* run(["memory", "salvage", "saved.db", "--store", "store.db"], { folder })
        expect(again.code).toBe(2)
        expect(again.stderr).toContain("saved.db is there already")
      }),
    processTimeout
  )

  it.scopedLive(
    "of which nothing can be read becomes no new one",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf({ "store.db": "no store ".repeat(1000) })
        const verified = yield* run(["memory", "verify", "--store", "store.db"], { folder })
        expect(verified.code).toBe(1)
        const salvaged = yield* run(["memory", "salvage", "saved.db", "--store", "store.db"], { folder })
        expect({ code: salvaged.code, stdout: salvaged.stdout }).toEqual({ code: 1, stdout: "" })
        expect(salvaged.stderr).toContain("Nothing can be read in store.db")
        expect(existsSync(`${folder}/saved.db`)).toBe(false)
      }),
    processTimeout
  )
})
