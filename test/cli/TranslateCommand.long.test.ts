import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run, start } from "./process.js"

const products = "id,title,note\n1,Mug,blue\n2,Cup,red\n3,Mug,green\n"

/** The objects of `--json`. */
const objects = (stdout: string): ReadonlyArray<Record<string, unknown> & { readonly type: string }> =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("limits that the service has changed", () => {
  it.scopedLive(
    "is sent as parameters: others are another translation",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator({ allowUnknown: true })
        const folder = yield* folderOf({ "products.csv": products })
        const args = ["products.csv", "--to", "de", "--column", "title", "--parameter", 'some_modes=["fast"]']
        expect((yield* run(["translate", ...args], { folder, env })).code).toBe(0)
        expect(yield* billed).toBe(6)
        expect((yield* run(["translate", ...args], { folder, env })).code).toBe(0)
        expect(yield* billed).toBe(6)
        const slow = yield* run(["translate", ...args, "--parameter", "some_modes=slow"], { folder, env })
        expect(slow.code).toBe(0)
        expect(yield* billed).toBe(12)
        const known = yield* run(["translate", ...args, "--parameter", "target_lang=fr"], { folder, env })
        expect(known).toMatchObject({
          code: 2,
          stderr: expect.stringContaining(
            "--parameter names target_lang, which this library knows: use its option"
          )
        })
      }),
    processTimeout
  )

  it.scopedLive(
    "is refused here as the specification says, unless a setting names the rule",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator({ allowUnknown: true })
        const folder = yield* folderOf({ "products.csv": products })
        const made = yield* run(["style", "create", "kind", "--to", "de", "--json"], { folder, env })
        const [{ styleId }] = objects(made.stdout) as unknown as [{ styleId: string }]
        const args = ["translate", "products.csv", "--to", "de", "--column", "title", "--style", styleId]
        const fast = [...args, "--model", "latency_optimized"]
        const refused = yield* run(fast, { folder, env })
        expect(refused.code).not.toBe(0)
        expect(refused.stderr).toContain('--style can\'t be combined with --model "latency_optimized"')
        const relaxed = { ...env, LANGUAGE_SERVICE_RELAX: "latencyWithStyle" }
        expect((yield* run(fast, { folder, env: relaxed })).code).toBe(0)
        const misspelt = yield* run(fast, { folder, env: { ...env, LANGUAGE_SERVICE_RELAX: "latency" } })
        expect(misspelt.code).toBe(2)
        expect(misspelt.stderr).toContain("LANGUAGE_SERVICE_RELAX")
      }),
    processTimeout
  )
})

describe("translate", () => {
  it.scopedLive(
    "takes no translation for a source, whatever its name is",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({ "a%b.md": "Good morning\n" })
        const args = ["translate", "a%b.md", "--to", "de", "--out", "{name}.x{ext}"]
        expect((yield* run(args, { folder, env })).code).toBe(0)
        const before = yield* billed
        expect((yield* run(["translate", ".", "--to", "fr"], { folder, env })).code).toBe(0)
        expect((yield* billed) - before).toBe("Good morning".length)
      }),
    processTimeout
  )

  it.scopedLive(
    "translates files, bills nothing for the same again, and only the edit of an edited one",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({ "products.csv": products })
        const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8")
        const args = ["translate", "products.csv", "--to", "de,fr", "--column", "title"]

        const dry = yield* run([...args, "--dry-run", "--json"], { folder, env })
        expect(dry.code).toBe(0)
        const [forecast] = objects(dry.stdout)
        expect(forecast).toMatchObject({ type: "result", texts: 6, characters: 12 })
        expect(existsSync(`${folder}/.effect-translate`)).toBe(false)
        expect(yield* billed).toBe(0)

        const first = yield* run(args, { folder, env })
        expect(first.code).toBe(0)
        expect(first.stderr).toContain("Translating products.csv into de, fr: 6 texts")
        expect(first.stdout).toMatch(/^all +6 +4 +2 +0 +2 +12 /m)
        expect(first.stdout).toContain("products.de.csv: written")
        expect(first.stdout).toContain("Everything is translated. 12 characters were billed.")
        expect(read("products.de.csv")).toBe(
          "id,title,note\n1,[de] Mûg,blue\n2,[de] Çûp,red\n3,[de] Mûg,green\n"
        )
        expect(yield* billed).toBe(12)

        const again = yield* run(args, { folder, env })
        expect(again.code).toBe(0)
        expect(again.stderr).toContain("2 outputs exist: only new and changed texts are translated.")
        expect(again.stdout).toContain("2 outputs unchanged")
        expect(yield* billed).toBe(12)

        writeFileSync(`${folder}/products.csv`, `${products}4,Pot,new\n`)
        expect((yield* run(args, { folder, env })).code).toBe(0)
        expect(read("products.fr.csv")).toContain("4,[fr] Pöt,new")
        expect(yield* billed).toBe(18)
      }),
    processTimeout
  )

  it.scopedLive(
    "translates all texts but the one that the service fails with, and asks for that one again when told to",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator(undefined, {
          faults: [{ fault: "status", status: 500, text: "Product 27", times: "always" }]
        })
        const rows = Array.from({ length: 50 }, (_, index) => `${index},Product ${10 + index}`)
        const folder = yield* folderOf({ "products.csv": `id,title\n${rows.join("\n")}\n` })
        const args = ["translate", "products.csv", "--to", "de", "--column", "title"]
        const first = yield* run(args, { folder, env })
        expect(first.code).toBe(1)
        expect(first.stdout).toContain("1 text failed (ServerError)")
        expect(yield* billed).toBe(490)
        const second = yield* run(args, { folder, env })
        expect(second.stdout).toContain("1 text failed (FailedBefore)")
        expect(second.stdout).toContain("Nothing was billed.")
        const third = yield* run([...args, "--retry-failed"], { folder, env })
        expect(third.stdout).toContain("1 text failed (ServerError)")
        expect(yield* billed).toBe(490)
      }),
    processTimeout
  )

  it.scopedLive(
    "forecasts its bill where equal texts are far apart, and in several files",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const rows = Array.from({ length: 2000 }, (_, index) => `${index},Product ${index}`)
        const table = (rows: ReadonlyArray<string>) => `id,title\n${rows.join("\n")}\n`
        const folder = yield* folderOf({
          "one.csv": table([...rows, ...rows.toReversed()]),
          "two.csv": table(rows)
        })
        const args = ["translate", "one.csv", "two.csv", "--to", "de", "--column", "title"]
        const dry = yield* run([...args, "--dry-run", "--json"], { folder, env })
        const [forecast] = objects(dry.stdout)
        expect((yield* run(args, { folder, env })).code).toBe(0)
        expect(forecast).toMatchObject({ characters: yield* billed, isExact: true })
      }),
    processTimeout
  )

  it.scopedLive(
    "goes on with a budget below one request, and tells the size of a text that is larger than the budget",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const rows = Array.from({ length: 40 }, (_, index) => `${index},Product ${10 + index}`)
        const folder = yield* folderOf({ "products.csv": `id,title\n${rows.join("\n")}\n` })
        const args = ["translate", "products.csv", "--to", "de", "--column", "title", "--budget"]
        const first = yield* run([...args, "205"], { folder, env })
        expect(first.code).toBe(3)
        expect(first.stderr).toContain(
          "translate the rest with a budget of its own: with a store, the same again does that."
        )
        expect(yield* billed).toBe(200)
        expect((yield* run([...args, "205"], { folder, env })).code).toBe(0)
        expect(yield* billed).toBe(400)

        const small = yield* folderOf({ "one.csv": `id,title\n1,${"long ".repeat(50)}end\n` })
        const refused = yield* run(
          ["translate", "one.csv", "--to", "de", "--column", "title", "--budget", "100"],
          {
            folder: small,
            env
          }
        )
        expect(refused.code).toBe(3)
        expect(refused.stderr).toContain("The budget of 100 characters is too small")
        expect(refused.stderr).toContain("Raise --budget to 253 at least.")
        expect(yield* billed).toBe(400)
      }),
    processTimeout
  )

  it.scopedLive(
    "translates folders, patterns and formats, and takes no translation for a source",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf()
        for (const name of ["locales", "docs", "docs/deep", "node_modules", "docs/.hidden"]) {
          mkdirSync(`${folder}/${name}`)
        }
        const files = {
          "locales/en.json": '{"hello":"Hello","bye":"Bye {name}"}',
          "locales/es.json": '{"hello":"Hola"}',
          "package.json": '{"description":"not for people"}',
          "node_modules/a.md": "# No",
          "docs/.hidden/a.md": "# No",
          "docs/intro.md": "# Title",
          "docs/deep/more.md": "Text.",
          "app.pot":
            'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Save"\nmsgstr ""\n',
          "terms.csv": "Hello,Servus,en,de\n"
        }
        for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text)
        const args = [
          "translate",
          ".",
          "!terms.csv",
          "--to",
          "de,fr",
          "--from",
          "en",
          "--glossary",
          "terms.csv"
        ]

        const first = yield* run([...args, "--json"], { folder, env })
        expect(first.stderr).toBe("")
        expect(first.code).toBe(0)
        const told = objects(first.stdout)
        expect(told.map(({ type }) => type)).toEqual(
          expect.arrayContaining(["begin", "estimate", "progress", "output"])
        )
        const last = told.at(-1)!
        expect(last).toMatchObject({ type: "result", end: { state: "complete" } })
        const outputs = (last.outputs as ReadonlyArray<{ readonly output: string }>).map(
          ({ output }) => output
        )
        expect(outputs.toSorted()).toEqual([
          "app.de.po",
          "app.fr.po",
          "docs/deep/more.de.md",
          "docs/deep/more.fr.md",
          "docs/intro.de.md",
          "docs/intro.fr.md",
          "locales/de.json",
          "locales/fr.json"
        ])
        expect(readFileSync(`${folder}/locales/de.json`, "utf8")).toContain("Servus")
        expect(readFileSync(`${folder}/app.de.po`, "utf8")).toContain('msgstr "[de]')
        const paid = yield* billed

        const again = yield* run([...args, "--json"], { folder, env })
        expect(again.code).toBe(0)
        expect((objects(again.stdout).at(-1)!.outputs as ReadonlyArray<unknown>).length).toBe(8)
        expect(yield* billed).toBe(paid)

        // A person's text stays; an output that streams and was altered is refused.
        writeFileSync(`${folder}/locales/de.json`, '{"hello":"Griaß di","bye":"Pfiat di {name}"}')
        const kept = yield* run(["translate", "locales/*.json", "--to", "de", "--from", "en"], {
          folder,
          env
        })
        expect(kept.code).toBe(0)
        expect(readFileSync(`${folder}/locales/de.json`, "utf8")).toContain("Griaß di")
      }),
    processTimeout
  )

  it.scopedLive(
    "reads standard input and writes standard output, with all else on standard error",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const args = ["translate", "-", "--to", "de", "--format", "csv", "--column", "title"]
        const plain = yield* run(args, { folder, env, stdin: products })
        expect(plain.stdout).toBe("id,title,note\n1,[de] Mûg,blue\n2,[de] Çûp,red\n3,[de] Mûg,green\n")
        expect(plain.stderr).toContain("6 characters were billed")
        expect(plain.code).toBe(0)

        const json = yield* run([...args, "--json"], { folder, env, stdin: products })
        expect(json.stdout).toBe(plain.stdout)
        expect(objects(json.stderr).at(-1)).toMatchObject({ type: "result", end: { state: "complete" } })

        const refused = yield* run([...args, "--json"], { folder, env, stdin: "name\nx\n" })
        expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: "" })
        expect(objects(refused.stderr).at(-1)).toMatchObject({ type: "error", code: 1 })
      }),
    processTimeout
  )

  it.scopedLive(
    "reports the mistake in one line, and ends with its code",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf({ "products.csv": products, "report.docx": "" })
        const csv = ["translate", "products.csv", "--column", "title", "--to", "de"]
        const cases: ReadonlyArray<
          readonly [
            code: number,
            says: string,
            args: ReadonlyArray<string>,
            env?: Readonly<Record<string, string>>
          ]
        > = [
          [
            2,
            'line 1: no column is chosen: give --column some of "id", "title", "note"',
            ["translate", "products.csv", "--to", "de"]
          ],
          [2, "Name them with --to", ["translate", "products.csv"]],
          [2, "is not there", ["translate", "nothing.csv", "--to", "de"]],
          [2, "is no language code", [...csv, "--to", "klingon"]],
          [2, "effect-translate document translate", ["translate", "report.docx", "--to", "de"]],
          [2, "can't be written", [...csv, "--out", "products.csv/{lang}.csv"]],
          [2, "write {lang} into", [...csv, "--to", "fr", "--out", "out.csv"]],
          [2, "is the output of de as well", [...csv, "--report", "products.de.csv"]],
          [2, "is a folder: name a file", [...csv, "--store", "."]],
          [2, "--formality", [...csv, "--to", "nb", "--formality", "more"]],
          [3, "The budget of 3 characters is used up", [...csv, "--budget", "3"]],
          [4, "does not accept the key", csv, { LANGUAGE_SERVICE_KEY: "another" }],
          [
            5,
            "The service does not answer (ECONNREFUSED)",
            csv,
            { LANGUAGE_SERVICE_URL: "http://127.0.0.1:9" }
          ]
        ]
        const results = yield* Effect.forEach(
          cases,
          ([code, says, args, other]) =>
            Effect.map(run([...args, "--quiet"], { folder, env: { ...env, ...other } }), (result) => {
              expect({ args, code: result.code }).toEqual({ args, code })
              expect(result.stderr).toContain(says)
              expect(result.stderr.trimEnd().split("\n")).toHaveLength(1)
            }),
          { concurrency: 2 }
        )
        expect(results).toHaveLength(cases.length)
        expect(
          readdirSync(folder).filter((name) => name.endsWith(".de.csv") || name.endsWith(".draft"))
        ).toEqual([])
      }),
    processTimeout
  )

  it.scopedLive(
    "ends with 3 once the quota is used up, keeps paid translations, and refuses to replace a file that it has not written",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator({ characterLimit: 1 })
        const folder = yield* folderOf({ "products.csv": products })
        const csv = ["translate", "products.csv", "--column", "title", "--to", "de"]
        const first = yield* run(csv, { folder, env })
        const again = yield* run(csv, { folder, env })
        expect([first.code, again.code].includes(3)).toBe(true)
        expect(`${first.stderr}${again.stderr}`).toMatch(/quota/i)

        writeFileSync(`${folder}/products.de.csv`, "mine")
        const refused = yield* run(csv, { folder, env })
        expect(refused.code).toBe(2)
        expect(refused.stderr).toContain("--existing overwrite")
        expect(readFileSync(`${folder}/products.de.csv`, "utf8")).toBe("mine")
      }),
    processTimeout
  )

  it.scopedLive(
    "--watch translates changed and new files, until Ctrl-C",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf()
        mkdirSync(`${folder}/docs`)
        writeFileSync(`${folder}/docs/a.md`, "Text.")
        const watching = yield* start(["translate", "docs", "--to", "de", "--watch", "--json"], {
          folder,
          env
        })
        const rounds = (count: number) =>
          Effect.repeat(Effect.sleep("50 millis"), {
            until: () => watching.stdout().split('"type":"watching"').length > count
          })
        yield* rounds(1)
        writeFileSync(`${folder}/docs/b.md`, "New.")
        yield* rounds(2)
        writeFileSync(`${folder}/draft`, "Text.\n\nEdit.")
        renameSync(`${folder}/draft`, `${folder}/docs/a.md`)
        yield* rounds(3)
        yield* watching.kill("SIGINT")
        expect((yield* watching.ended).code).toBe(0)
        expect(readFileSync(`${folder}/docs/a.de.md`, "utf8")).toContain("Édît")
        expect(existsSync(`${folder}/docs/b.de.md`)).toBe(true)
        expect(yield* billed).toBe(14)
      }),
    processTimeout
  )
})
