/** `translate --glossary` with files: whose terms a text gets, and what a change of them sends. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

const texts = '{"a":"Open the basket","b":"Close the doors"}'
const translate = ["translate", "en.json", "--from", "en"]
const files = ["--glossary", "words.{lang}.csv"]

const resultOf = (stdout: string) => JSON.parse(stdout.trimEnd().split("\n").at(-1)!)

const read = (folder: string, language = "de") => readFileSync(`${folder}/${language}.json`, "utf8")

const identity = (folder: string): string =>
  JSON.parse(readFileSync(`${folder}/.effect-translate/project.json`, "utf8")).id

describe("translate --glossary with files", () => {
  it.scopedLive(
    "gives two projects of one account, which run at once, their own terms",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const many = JSON.stringify(
          Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, `basket ${index}`]))
        )
        const folders = yield* Effect.forEach(["Korb", "Wagen"], (term) =>
          folderOf({ "en.json": many, "words.de.csv": `basket,${term}\n` })
        )
        const runBoth = Effect.forEach(
          folders,
          (folder) => run([...translate, "--to", "de", ...files], { folder, env }),
          { concurrency: 2 }
        )
        for (const { code } of yield* runBoth) expect(code).toBe(0)
        expect(read(folders[0]!).match(/Korb/g)).toHaveLength(300)
        expect(read(folders[1]!).match(/Wagen/g)).toHaveLength(300)
        expect(identity(folders[0]!)).not.toBe(identity(folders[1]!))
        const before = yield* billed
        for (const { stdout } of yield* runBoth) expect(stdout).toContain("Nothing was billed.")
        expect(yield* billed).toBe(before)
      }),
    processTimeout
  )

  it.scopedLive(
    "takes a new language of the files in the same run, and sends the texts that hold a new, changed or removed term, as the forecast says",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({ "en.json": texts, "words.de.csv": "basket,Korb\n" })
        yield* run([...translate, "--to", "de", ...files], { folder, env })
        writeFileSync(`${folder}/words.nl.csv`, "basket,mand\n")
        const both = yield* run([...translate, "--to", "de,nl", ...files], { folder, env })
        expect(both.code).toBe(0)
        expect(read(folder, "nl")).toContain("mand")
        const open = "Open the basket".length
        const close = "Close the doors".length
        const steps = [
          ["basket,Korb\ndoor,Pforte\n", close],
          ["basket,Korb\ndoor,Tor\n", close],
          ["basket,Henkelkorb\ndoor,Tor\n", open],
          // Texts without terms are found as they were translated first.
          ["basket,Henkelkorb\n", 0],
          ["basket,Henkelkorb\nwindow,Fenster\n", 0]
        ] as const
        for (const [content, characters] of steps) {
          writeFileSync(`${folder}/words.de.csv`, content)
          const before = yield* billed
          const args = [...translate, "--to", "de", ...files]
          const dry = yield* run([...args, "--dry-run", "--json"], { folder, env })
          expect((yield* run(args, { folder, env })).code).toBe(0)
          const sent = (yield* billed) - before
          expect([content, sent]).toEqual([content, characters])
          expect(resultOf(dry.stdout).characters).toBe(sent)
          const again = yield* run(args, { folder, env })
          expect(again.stdout).toContain("Nothing was billed.")
        }
      }),
    processTimeout * 2
  )

  it.scopedLive(
    "knows by the record alone, without a store, which texts a change of terms sends, and says so",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({ "en.json": texts, "words.de.csv": "basket,Korb\n" })
        const args = ["--from", "en", "--to", "de", ...files]
        const translate = ["translate", "en.json", ...args, "--store", "none"]
        yield* run(translate, { folder, env })
        expect((yield* run(["check", "en.json", ...args], { folder, env })).code).toBe(0)
        writeFileSync(`${folder}/words.de.csv`, "basket,Korb\ndoor,Pforte\n")
        const told = "de: 1 text holds terms that are new, have changed or are gone: it is translated again."
        const dry = yield* run([...translate, "--dry-run"], { folder, env })
        expect(dry.stdout).toContain(told)
        const json = yield* run([...translate, "--dry-run", "--json"], { folder, env })
        expect(resultOf(json.stdout).targets[0]).toMatchObject({ translated: 1, skipped: 1, otherTerms: 1 })
        const checked = yield* run(["check", "en.json", ...args], { folder, env })
        expect(checked.code).toBe(6)
        expect(checked.stdout).toContain("1 text translated with other terms of the glossary than now")
        const before = yield* billed
        expect((yield* run(translate, { folder, env })).stderr).toContain(told)
        expect((yield* billed) - before).toBe("Close the doors".length)
        const again = yield* run(translate, { folder, env })
        expect(again.stdout).toContain("Nothing was billed.")
      }),
    processTimeout
  )

  it.scopedLive(
    "knows a clone as the same project, whose glossary it takes, and a project of another folder as another one",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "en.json": texts, "words.de.csv": "basket,Korb\n" })
        const args = [...translate, "--to", "de", ...files]
        const countOf = Effect.map(
          run(["glossary", "list", "--json"], { folder, env }),
          ({ stdout }) => resultOf(stdout).glossaries.length
        )
        yield* run([...args, "--dry-run"], { folder, env })
        expect(existsSync(`${folder}/.effect-translate`)).toBe(false)
        yield* run(args, { folder, env })
        expect(readFileSync(`${folder}/.effect-translate/.gitignore`, "utf8")).not.toContain("project")
        expect(yield* countOf).toBe(1)
        const clone = yield* folderOf({ "en.json": texts, "words.de.csv": "basket,Korb\n" })
        mkdirSync(`${clone}/.effect-translate`)
        cpSync(`${folder}/.effect-translate/project.json`, `${clone}/.effect-translate/project.json`)
        yield* run(args, { folder: clone, env })
        expect(identity(clone)).toBe(identity(folder))
        expect(yield* countOf).toBe(1)
        rmSync(`${clone}/.effect-translate`, { recursive: true })
        rmSync(`${clone}/de.json`)
        yield* run(args, { folder: clone, env })
        expect(identity(clone)).not.toBe(identity(folder))
        expect(yield* countOf).toBe(2)
      }),
    processTimeout
  )

  it.scopedLive(
    "takes one of the ids of a file that git has merged, and gives advice about one that holds none",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "en.json": texts, "words.de.csv": "basket,Korb\n" })
        const args = [...translate, "--to", "de", ...files]
        mkdirSync(`${folder}/.effect-translate`)
        const [one, other] = ["0123456789abcdef", "fedcba9876543210"]
        writeFileSync(
          `${folder}/.effect-translate/project.json`,
          `{\n<<<<<<< HEAD\n  "id": "${other}"\n=======\n  "id": "${one}"\n>>>>>>> theirs\n}\n`
        )
        expect((yield* run(args, { folder, env })).code).toBe(0)
        expect(identity(folder)).toBe(one)
        writeFileSync(`${folder}/.effect-translate/project.json`, "{}")
        const refused = yield* run(args, { folder, env })
        expect(refused.code).toBe(2)
        expect(refused.stderr).toContain("holds no id of the project")
      }),
    processTimeout
  )
})
