import { existsSync, readFileSync } from "node:fs"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { Emulator, Fault, PseudoTranslation } from "effect-translate/emulator"
import { PgClient } from "effect-translate/postgres"
import * as documents from "../emulator/documents.js"
import * as bucket from "../support/bucket.js"
import { asked, fromDuckDb } from "../support/parquet.js"
import { postgres } from "../support/postgres.js"
import * as programs from "../support/programs.js"
import * as rawServer from "../support/rawServer.js"
import { sharedLayer } from "../support/sharedLayer.js"
import { example, fileOf, layer, run } from "./example.js"
import { bundled, processTimeout, root, runShell, serviceEnv, start } from "./process.js"

const names = [
  "readme",
  "outcomes",
  "translate-with",
  "style-rules",
  "languages",
  "documents",
  "glossaries",
  "admin",
  "catalogue",
  "dataset",
  "parquet",
  "markdown",
  "job",
  "bucket",
  "store",
  "cost",
  "postgres-table",
  "workflow"
]

const sources = {
  "notes.txt": "The mug is full",
  "page.html": "<p>Hello</p>",
  "terms.srt": "1\n00:00:01,000 --> 00:00:02,000\nHello\n",
  "locales/en.json": '{"title":"Mug"}',
  "products.csv": "sku,title,body\nA,Mug,Cup\n",
  "chats.jsonl": '{"messages":[{"content":"Hello"}]}\n',
  "docs/en/a.md": "# Hello\n"
}

const test = sharedLayer(layer(names), processTimeout)

describe("examples", () => {
  test("readme: a file through the service", () =>
    Effect.gen(function* () {
      const { code, folder, stderr } = yield* example("readme", {
        "products.csv": 'sku,title,body\nA,Mug,"Holds tea,\nor coffee"\nB,Cup,\n'
      })
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(readFileSync(`${folder}/products.de.csv`, "utf8")).toBe(
        'sku,title,body\nA,[de] Mûg,"[de] Hölds téå,\nör çöfféé"\nB,[de] Çûp,\n'
      )
    }))

  test("workflow: a product that is corrected, translated and approved, and nothing the second time", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { meter } = yield* Emulator.Emulator
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* fs.writeFile(`${folder}/datasheet.pdf`, documents.files["a.pdf"]!)
      const once = Effect.flatMap(serviceEnv, (env) => run(folder, "workflow", env))
      const first = yield* once
      expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: "" })
      expect(first.stdout.trim().split("\n")).toEqual([
        "de: [de] [çörréçtéd éñ-GB] Å TEAPOT för twö",
        "fr: [fr] [çörréçtéd éñ-GB] Å TEAPOT för twö",
        "es: [es] [çörréçtéd éñ-GB] Å TEAPOT för twö",
        "datasheet.de.pdf: approved"
      ])
      const { requests } = yield* meter
      expect((yield* once).stdout).toBe(first.stdout)
      expect((yield* meter).requests).toBe(requests)
    }))

  test("parquet: columns of a copy", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const reviews = yield* fromDuckDb("select 1 as id, 'Mug' as text")
      yield* fs.writeFile(`${folder}/reviews.parquet`, reviews)
      const { code, stdout } = yield* Effect.flatMap(serviceEnv, (env) => run(folder, "parquet", env))
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: "reviews.translated.parquet, de: written\nreviews.translated.parquet, fr: written\n"
      })
      const output = yield* fs.readFile(`${folder}/reviews.translated.parquet`)
      expect(yield* asked(output, "from {file}")).toEqual([
        { id: 1, text: "Mug", "text.de": "[de] Mûg", "text.fr": "[fr] Mûg" }
      ])
    }))

  test("bucket: the objects of a bucket, and nothing the second time", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { meter } = yield* Emulator.Emulator
      const folder = yield* fs.makeTempDirectoryScoped()
      const { endpoint, textOf } = yield* Effect.provide(
        bucket.withObjects({ "in/a.csv": "id,title\n1,Mug\n", "in/b.csv": "id,title\n1,Cup\n" }),
        yield* Layer.build(NodeHttpClient.layerUndici)
      )
      const env = { ...(yield* serviceEnv), ...bucket.envOf(endpoint) }
      const first = yield* run(folder, "bucket", env)
      expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: "" })
      expect(first.stdout.split("\n").slice(0, 4)).toEqual([
        "s3://corpora/de/a.csv: written",
        "s3://corpora/fr/a.csv: written",
        "s3://corpora/de/b.csv: written",
        "s3://corpora/fr/b.csv: written"
      ])
      expect(yield* textOf("fr/b.csv")).toBe("id,title\n1,[fr] Çûp\n")
      const { characters } = yield* meter
      expect((yield* run(folder, "bucket", env)).stdout).toContain("s3://corpora/de/a.csv: unchanged")
      expect((yield* meter).characters).toBe(characters)
    }))

  test("outcomes: failed texts, and their cost", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* example("outcomes")
      // One of its texts is left untranslated.
      expect(code).toBe(1)
      const [failed, tally] = stdout.trim().split("\n")
      expect(failed).toMatch(/^failed: POST \/v2\/translate was not sent: text takes a body of \d+ bytes/)
      expect(tally).toBe("5 texts = 2 translated + 1 cached + 1 skipped + 1 failed; 22 characters billed")
    }))

  test("translate-with: texts nested in objects", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* example("translate-with")
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toEqual({
        id: 1,
        text: PseudoTranslation.translate("Who shall be subjected to torture?", "fr"),
        answers: [{ text: PseudoTranslation.translate("No one", "fr"), right: true }]
      })
    }))

  test("style-rules: translations in a house style", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* example("style-rules")
      expect(code).toBe(0)
      expect(stdout.split("\n")).toEqual([
        "version 2: Names, Tone",
        PseudoTranslation.translate("Mug", "de"),
        PseudoTranslation.translate("Cup", "de"),
        ""
      ])
    }))

  test("languages: refused options are known before the first text", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* example("languages")
      expect(code).toBe(0)
      expect(stdout.split("\n")).toEqual([
        "formality: de, es, es-419, fr, it, ja, nl, pl, pt-BR, pt-PT, ru",
        PseudoTranslation.translate("Good morning", "da"),
        PseudoTranslation.translate("Good night", "da"),
        ""
      ])
      expect(stderr).toMatch(/^POST \/v2\/translate was not sent: formality is "more".*\n$/)
    }))

  test("documents: every file into every language, and nothing the second time", () =>
    Effect.gen(function* () {
      const files = {
        "notes.txt": "The mug is full",
        "page.html": "<p>Hello</p>",
        "terms.srt": "1\n00:00:01,000 --> 00:00:02,000\nHello\n"
      }
      const first = yield* example("documents", files)
      expect(first.code, first.stderr).toBe(0)
      expect(first.stdout).toBe(
        "6 documents = 6 translated + 0 skipped + 0 failed + 0 ambiguous + 0 lost; 50 characters billed\n"
      )
      expect(readFileSync(`${first.folder}/notes.de.txt`, "utf8")).toBe("[de] Thé mûg îs fûll")
      const second = yield* run(first.folder, "documents", yield* serviceEnv)
      expect(second.stdout).toMatch(/^6 documents = 0 translated \+ 6 skipped/)
    }))

  test("documents: one that can't be translated is told, and does not end with 0", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* example("documents", {
        "notes.txt": "The mug is full",
        "page.html": "<p>Hello</p>",
        "terms.srt": "no cue"
      })
      expect(stdout).toMatch(/^6 documents = 4 translated \+ 0 skipped \+ 2 failed/)
      expect(code).toBe(1)
    }))

  test("glossaries: a file that is no glossary is told, and does not end with 0", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* example("glossaries", { "terms.de.csv": "mug\n" })
      expect(`${stdout}${stderr}`).toContain("terms.de.csv")
      expect(code).toBe(1)
    }))

  test("glossaries: files made a glossary, and nothing the second time", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* example("glossaries", {
        "terms.de.csv": "mug,Becher\ntea,Tee\n",
        "terms.fr.csv": "mug,tasse,en,fr\nmug,taza,en,es\n"
      })
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      const lines = stdout.trim().split("\n")
      expect(lines.slice(0, 6)).toEqual([
        "1 calls that read, 1 that write",
        "de: create, 2 added, 0 changed, 0 removed",
        "fr: create, 1 added, 0 changed, 0 removed",
        "3 calls that read, 0 that write",
        "de: none, 0 added, 0 changed, 0 removed",
        "fr: none, 0 added, 0 changed, 0 removed"
      ])
      expect(lines[6]).toContain("Becher")
      expect(lines[6]).toContain("Tee")
    }))

  test("admin: a key for a team, its limit, and its usage", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* example("admin")
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout).toMatch(/^456: the key's limit$/m)
      expect(stdout).toMatch(/^Catalogue [0-9a-f]{4}\*{4}[0-9a-f]{4}: 12 characters$/m)
    }))

  test("catalogue: new texts are translated, corrections stay", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* fs.makeDirectory(`${folder}/locales`)
      const write = (name: string, content: object) =>
        fs.writeFileString(`${folder}/locales/${name}`, `${JSON.stringify(content, null, 2)}\n`)
      const read = (name: string) => JSON.parse(readFileSync(`${folder}/locales/${name}`, "utf8"))
      const env = yield* serviceEnv
      yield* write("en.json", { title: "Mug", file_one: "{{count}} file", file_other: "{{count}} files" })
      const first = yield* run(folder, "catalogue", env)
      expect(first.stderr).toBe("")
      expect(Object.keys(read("ru.json"))).toEqual([
        "title",
        "file_one",
        "file_few",
        "file_many",
        "file_other"
      ])
      yield* write("de.json", { ...read("de.json"), title: "Becher" })
      yield* write("en.json", {
        title: "Cup",
        file_one: "{{count}} file",
        file_other: "{{count}} files",
        pot: "Pot"
      })
      const second = yield* run(folder, "catalogue", env)
      expect(second.stdout.trim().split("\n")).toEqual([
        "locales/de.json: 1 translated for 3 characters, 0 failed, 0 removed",
        "locales/de.json: title has changed since it was corrected",
        "locales/ru.json: 2 translated for 6 characters, 0 failed, 0 removed"
      ])
      expect(read("de.json")).toMatchObject({ title: "Becher", pot: "[de] Pöt" })
    }))

  test("dataset: two languages on one reading, a bad line passes through", () =>
    Effect.gen(function* () {
      const { code, folder, stdout } = yield* example("dataset", {
        "chats.jsonl":
          '{"id":1,"messages":[{"role":"user","content":"Hello"},{"role":"bot","content":"Hello"}]}\nno json\n'
      })
      // A line was not translated.
      expect(code).toBe(1)
      expect(stdout).toContain("chats.jsonl, line 2")
      expect(stdout).toContain("de: 1 translated, 1 cached, 1 failed")
      expect(readFileSync(`${folder}/chats.fr.jsonl`, "utf8")).toBe(
        '{"id":1,"messages":[{"role":"user","content":"[fr] Héllö"},{"role":"bot","content":"[fr] Héllö"}]}\nno json\n'
      )
    }))

  test("markdown: a folder, with its forecast first", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* fs.makeDirectory(`${folder}/docs/en/guide`, { recursive: true })
      yield* fs.writeFileString(
        `${folder}/docs/en/index.md`,
        "---\ntitle: Mugs\nslug: mugs\n---\n\n# Hello\n"
      )
      yield* fs.writeFileString(`${folder}/docs/en/guide/a.md`, "Use `npm` *now*.\n")
      const { code, stderr, stdout } = yield* run(folder, "markdown", yield* serviceEnv)
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout.trim().split("\n")).toEqual([
        expect.stringMatching(/^2 files, \d+ characters$/),
        "docs/de/guide/a.md",
        "docs/de/index.md"
      ])
      expect(readFileSync(`${folder}/docs/de/index.md`, "utf8")).toBe(
        '---\ntitle: "[de] Mûgs"\nslug: mugs\n---\n\n# \\[de\\] Héllö\n'
      )
      expect(readFileSync(`${folder}/docs/de/guide/a.md`, "utf8")).toContain("`npm` *ñöw*")
    }))

  test("markdown: a text that is not translated is told, and does not end with 0", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* fs.makeDirectory(`${folder}/docs/en`, { recursive: true })
      yield* fs.writeFileString(`${folder}/docs/en/a.md`, "# Hello\n\nPOISON\n")
      const emulator = yield* Emulator.Emulator
      yield* emulator.script([Fault.times(Fault.poison("POISON"), 100)])
      const { code, stdout } = yield* run(folder, "markdown", yield* serviceEnv)
      yield* emulator.clear
      expect(stdout).toMatch(/a\.md: .*400/)
      expect(code).toBe(1)
    }))

  test("job: new texts are translated, a failed text is reported and translated next time", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* fs.makeDirectory(`${folder}/locales`)
      yield* fs.writeFileString(`${folder}/locales/en.json`, '{"title":"Mug"}\n')
      const write = (rows: string) => fs.writeFileString(`${folder}/products.csv`, `sku,title,body\n${rows}`)
      const env = yield* serviceEnv
      yield* write("A,Mug,POISON\n")
      const emulator = yield* Emulator.Emulator
      yield* emulator.script([Fault.times(Fault.poison("POISON"), 100)])
      const first = yield* run(folder, "job", env)
      yield* emulator.clear
      expect(first.code, first.stderr).toBe(1)
      expect(first.stdout.trim().split("\n")).toEqual([
        "0 texts are paid for; the others take 24 characters",
        expect.stringMatching(/^2 texts have failed\..* 12 characters were billed\.$/),
        "locales/de.json: written",
        "locales/fr.json: written",
        "products.de.csv: written",
        "products.fr.csv: written"
      ])
      expect(readFileSync(`${folder}/failed.jsonl`, "utf8").trim().split("\n")).toHaveLength(2)
      expect(readFileSync(`${folder}/products.de.csv`, "utf8")).toBe("sku,title,body\nA,[de] Mûg,POISON\n")

      const second = yield* run(folder, "job", env)
      expect(second.code, second.stderr).toBe(0)
      expect(second.stdout).toContain("locales/de.json: unchanged\n")
      expect(second.stdout).toContain("12 characters were billed.\n")
      expect(readFileSync(`${folder}/products.fr.csv`, "utf8")).toBe(
        "sku,title,body\nA,[fr] Mûg,[fr] PÖÎSÖÑ\n"
      )
      expect(JSON.parse(readFileSync(`${folder}/report.json`, "utf8")).end.state).toBe("complete")
      expect(existsSync(`${folder}/failed.jsonl`)).toBe(false)
    }))

  test("store: a correction costs nothing, and is moved with all else", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* example("store")
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout.trim().split("\n")).toEqual([
        "[de] Mûg: 3 characters",
        "[de] Téåpöt: 6 characters",
        "Becher: 0 characters",
        "[de] Téåpöt: 0 characters",
        "moved: 2 translations and 1 correction",
        "Becher: 0 characters",
        "[de] Téåpöt: 0 characters",
        "2 translations, 1 correction; 1 request answered, 0 in doubt"
      ])
    }))

  test("cost: the forecast is the bill, and the same again is free", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* example("cost")
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout.trim().split("\n")).toEqual([
        "de: 4 texts = 0 paid for + 1 equal to another + 3 to be sent",
        "fr: 4 texts = 0 paid for + 1 equal to another + 3 to be sent",
        "24 characters in 2 requests, for 0.00048; the budget suffices",
        "de: 3 translated, 1 not paid again; 12 to 12 characters, for 0.00024 to 0.00024",
        "fr: 3 translated, 1 not paid again; 12 to 12 characters, for 0.00024 to 0.00024",
        "de: 4 texts = 3 paid for + 1 equal to another + 0 to be sent",
        "fr: 4 texts = 3 paid for + 1 equal to another + 0 to be sent",
        "0 characters in 0 requests, for 0; the budget suffices"
      ])
    }))

  test("postgres-table: rows that are new, edited or have failed are translated, and no others", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const { database } = yield* postgres
      const url = yield* database
      const env = { ...(yield* serviceEnv), DATABASE_URL: Redacted.value(url) }
      const sql = yield* PgClient.make({ url })
      yield* sql`CREATE TABLE products (id BIGINT PRIMARY KEY, title TEXT NOT NULL, body TEXT)`
      yield* sql`INSERT INTO products SELECT i, 'Mug ' || i, NULL FROM generate_series(1, 1200) i`
      const counts = (stdout: string) => stdout.split("\n").filter((line) => /^(de|fr):/.test(line))

      const emulator = yield* Emulator.Emulator
      yield* emulator.script([Fault.times(Fault.poison("Mug 700"), 100)])
      const first = yield* run(folder, "postgres-table", env)
      yield* emulator.clear
      expect(first.code, first.stderr).toBe(1)
      expect(first.stdout).toMatch(/^700\.title: .*400/m)
      expect(counts(first.stdout)).toEqual([
        "de: 2400 texts, 1199 translated, 0 paid for before",
        "fr: 2400 texts, 1199 translated, 0 paid for before"
      ])

      yield* sql`UPDATE products SET title = 'Cup' WHERE id = 3`
      yield* sql`INSERT INTO products VALUES (1201, 'Teapot', 'Holds tea')`
      // As if it had been killed before it wrote these.
      yield* sql`DELETE FROM product_translations WHERE id > 1000`
      const second = yield* run(folder, "postgres-table", env)
      expect(second.code, second.stderr).toBe(0)
      expect(counts(second.stdout)).toEqual([
        "de: 406 texts, 4 translated, 200 paid for before",
        "fr: 406 texts, 4 translated, 200 paid for before"
      ])
      expect(
        yield* sql`SELECT lang, title, body FROM product_translations WHERE id IN (3, 700, 1201) ORDER BY lang, id`
      ).toEqual([
        { lang: "de", title: "[de] Çûp", body: null },
        { lang: "de", title: "[de] Mûg 700", body: null },
        { lang: "de", title: "[de] Téåpöt", body: "[de] Hölds téå" },
        { lang: "fr", title: "[fr] Çûp", body: null },
        { lang: "fr", title: "[fr] Mûg 700", body: null },
        { lang: "fr", title: "[fr] Téåpöt", body: "[fr] Hölds téå" }
      ])
      expect(yield* sql`SELECT count(*)::int AS rows FROM product_translations`).toEqual([{ rows: 2402 }])
    }).pipe(Effect.provide(Reactivity.layer)))

  for (const name of ["documents", "catalogue", "dataset", "markdown", "job", "store", "cost"]) {
    test(`${name}: SIGTERM lets it clean up, and it does not end with 0`, () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const { bundleOf } = yield* programs.Programs
        const folder = yield* fs.makeTempDirectoryScoped()
        yield* fs.makeDirectory(`${folder}/docs/en`, { recursive: true })
        yield* fs.makeDirectory(`${folder}/locales`)
        for (const [file, content] of Object.entries(sources))
          yield* fs.writeFileString(`${folder}/${file}`, content)
        const service = yield* rawServer.make(() => {})
        const child = yield* start(bundled(bundleOf(fileOf(name))), {
          folder,
          env: { ...(yield* serviceEnv), LANGUAGE_SERVICE_URL: service.url }
        })
        yield* Effect.sync(service.requests).pipe(
          Effect.repeat({ until: (requests) => requests > 0, schedule: Schedule.spaced("20 millis") })
        )
        yield* Effect.forkScoped(child.kill("SIGTERM"))
        expect(yield* child.exitCode).toBe(130)
      }))
  }

  test("each names the missing setting when the service is not named", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const { code, stdout } = yield* run(folder, "outcomes")
      expect(code).toBe(1)
      expect(stdout).toContain("LANGUAGE_SERVICE_URL")
    }))

  test("durable-jobs: three workers share a job, and one is killed", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const { code, stdout } = yield* runShell(
        { folder },
        `${root}/node_modules/.bin/tsx ${fileOf("durable-jobs")}`
      )
      expect(code).toBe(0)
      expect(stdout).toContain("a machine has died")
      expect(stdout).toContain("done: 2 files")
      for (const language of ["de", "fr"]) {
        const lines = readFileSync(`${folder}/products.${language}.csv`, "utf8").split("\n")
        expect(lines).toHaveLength(5001)
        expect(lines[1]).toBe(`0,${PseudoTranslation.translate("Mug number 0", language)}`)
      }
    }))
})
