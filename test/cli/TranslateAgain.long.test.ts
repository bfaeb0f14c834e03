/** `translate` once more: with other options, over files that have not changed, and where not all can be translated. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

/** The result that `--json` prints. */
const resultOf = (stdout: string) => JSON.parse(stdout.trimEnd().split("\n").at(-1)!)

describe("translate, once more", () => {
  it.scopedLive(
    "translates anew with another option or glossary the texts of the machine, as the forecast says",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({
          "en.json": '{"a":"Mug","b":"Cup"}',
          "terms.csv": "Mug,Humpen,en,de\n"
        })
        const read = () => readFileSync(`${folder}/de.json`, "utf8")
        const args = ["translate", "en.json", "--from", "en", "--to", "de"]
        yield* run(args, { folder, env })
        writeFileSync(`${folder}/de.json`, read().replace(/"b":".*"/, '"b":"Tasse"'))
        const glossary = ["--glossary", "terms.csv"]
        for (const options of [["--context", "A shop"], glossary]) {
          const before = yield* billed
          const dry = yield* run([...args, ...options, "--dry-run", "--json"], { folder, env })
          expect(resultOf(dry.stdout).targets[0]).toMatchObject({ in: 2, translated: 1, skipped: 1 })
          const done = yield* run([...args, ...options], { folder, env })
          expect(done.stdout).toMatch(/^de +2 +1 +0 +1 +0 +1 +3 /m)
          expect(done.stdout).toContain("1 translation of a person kept.")
          expect((yield* billed) - before).toBe(3)
        }
        const again = yield* run([...args, ...glossary], { folder, env })
        expect(again.stdout).toContain("Everything is translated. Nothing was billed.")
        expect(read()).toBe('{"a":"[de] Humpen","b":"Tasse"}')
      }),
    processTimeout
  )

  it.scopedLive(
    "knows all figures of a large file that has not changed, without a store too, and translates it where its output is gone",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const long = "word ".repeat(2000).trim()
        const folder = yield* folderOf({ "a.csv": `title\n${`${long}\n`.repeat(200)}` })
        const args = ["translate", "a.csv", "--from", "en", "--to", "de", "--column", "title"]
        const first = yield* run(args, { folder, env })
        expect(first.stderr).toContain("into de: about")
        const [paid, output] = [yield* billed, readFileSync(`${folder}/a.de.csv`, "utf8")]
        for (const options of [[], ["--store", "none"]]) {
          const again = yield* run([...args, ...options], { folder, env })
          expect(again.stderr).toContain("Translating a.csv into de: 200 texts, 0 characters.")
          expect(again.stdout).toMatch(/^de +200 +0 +200 +0 +0 +0 /m)
          expect(again.stdout).toContain("1 output unchanged")
        }
        yield* run([...args, "--out", "other.csv"], { folder, env })
        expect([yield* billed, readFileSync(`${folder}/other.csv`, "utf8")]).toEqual([paid, output])
      }),
    processTimeout
  )

  it.scopedLive(
    "translates the files beside broken ones, names these, and ends with 1; with 2 if all are broken",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({
          "good.json": '{"a":"Mug"}',
          "cut.json": '{"a":',
          "b.csv": "titel\nCup\n",
          "c.xyz": "?"
        })
        const args = (...files: ReadonlyArray<string>) => [
          "translate",
          ...files,
          "--from",
          "en",
          "--to",
          "de,fr",
          "--column",
          "title"
        ]
        const named = [
          "cut.json, line 1",
          'b.csv, line 1: the header, with the delimiter ",", has no column "title", but "titel": correct --column.',
          "c.xyz: no format has its ending: choose with --format"
        ]
        const some = args("good.json", "cut.json", "b.csv", "c.xyz")
        const dry = yield* run([...some, "--dry-run"], { folder, env })
        expect(dry).toMatchObject({
          code: 1,
          stderr: expect.stringContaining("3 files can't be translated.")
        })
        const done = yield* run(some, { folder, env })
        expect(done.code).toBe(1)
        for (const { stdout } of [dry, done]) {
          for (const line of named) expect(stdout.split(line)).toHaveLength(2)
        }
        expect(done.stdout).not.toContain("Everything is translated")
        expect(readFileSync(`${folder}/good.fr.json`, "utf8")).toBe('{"a":"[fr] Mûg"}')
        const none = yield* run(args("cut.json", "b.csv", "c.xyz"), { folder, env })
        expect(none).toMatchObject({ code: 2, stdout: "" })
        for (const line of named) expect(none.stderr.split(line)).toHaveLength(2)
      }),
    processTimeout
  )

  it.scopedLive(
    "keeps the list of wrong texts until their output is made anew, and a correction in the list is stored",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const po = (text: string) => `#, max-length:4\nmsgid "${text}"\nmsgstr ""\n`
        const folder = yield* folderOf({ "a.po": po("Mug"), "b.po": po("Cup"), "c.json": '{"a":"Pot"}' })
        const list = `${folder}/.effect-translate/failed.jsonl`
        const read = () => readFileSync(list, "utf8")
        const sources = () =>
          read()
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line).source)
        const translate = (file: string) =>
          run(["translate", file, "--from", "en", "--to", "de", "--out", `de/${file}`], { folder, env })
        expect((yield* translate("a.po")).stdout).toContain("1 text looks wrong")
        yield* translate("b.po")
        yield* translate("c.json")
        yield* translate("a.po")
        expect(sources()).toEqual(["a.po", "b.po"])
        writeFileSync(list, read().replaceAll("}\n", ',"correction":"Krug"}\n'))
        const corrected = yield* translate("a.po")
        expect(corrected.stderr).toContain("2 corrections of .effect-translate/failed.jsonl stored.")
        expect(readFileSync(`${folder}/de/a.po`, "utf8")).toContain('msgstr "Krug"')
        yield* translate("b.po")
        expect(readFileSync(`${folder}/de/b.po`, "utf8")).toContain('msgstr "Krug"')
        expect(existsSync(list)).toBe(false)
      }),
    processTimeout
  )

  it.scopedLive(
    "names a misspelt field and the fields there are, also where the file looks like a catalogue, and on a pipe",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({
          "a.json": '{"title":"Mug","n":"{n, plural, one {# mug} other {# mugs}}"}',
          "a.yaml": "title: Mug\n"
        })
        const said = "no text is at titel, but at title"
        for (const file of ["a.json", "a.yaml"]) {
          const misspelt = yield* run(["translate", file, "--to", "de", "--field", "titel"], { folder, env })
          expect(misspelt).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(said) })
        }
        const piped = yield* run(["translate", "-", "--format", "jsonl", "--to", "de", "--field", "titel"], {
          folder,
          env,
          stdin: '{"title":"Mug"}\n'
        })
        expect(piped).toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
        expect([existsSync(`${folder}/a.de.json`), yield* billed]).toEqual([false, 0])
      }),
    processTimeout
  )

  it.scopedLive(
    "counts and lists texts that it leaves as they are, and says that there was none",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({
          "a.json": '{"a":"Mug","b":"<none>","c":"<enter a value>","d":"17"}',
          "b.json": '{"n":1}'
        })
        for (const _ of [1, 2]) {
          const { code, stdout } = yield* run(["translate", "a.json", "--to", "de"], { folder, env })
          expect(code).toBe(0)
          expect(stdout).toContain("2 texts left as they are, nothing but placeholders, tags or arguments:")
          expect(stdout).toContain("  a.de.json: b\n  a.de.json: c\n")
          expect(stdout).toContain("All other texts are translated.")
          expect(stdout).not.toContain("Everything is translated")
        }
        const none = yield* run(["translate", "b.json", "--to", "de"], { folder, env })
        expect(none).toMatchObject({
          code: 0,
          stdout: expect.stringContaining("There was no text to translate.")
        })
      }),
    processTimeout
  )
})
