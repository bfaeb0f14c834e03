import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run, start } from "./process.js"

const lines = (stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

/** Waits until a process has printed something to standard error. */
const said = (process: Effect.Effect.Success<ReturnType<typeof start>>, text: string) =>
  Effect.async<void>((resume) => {
    const check = () => {
      if (process.stderr().includes(text)) resume(Effect.void)
    }
    process.child.stderr!.on("data", check)
    check()
  })

const usage = /^[^\n]+\n$/

describe("document", () => {
  it.scopedLive(
    "uploads nothing, and gives the code to write, where a language is none of the service's",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({ "notes.txt": "Good morning" })
        const ended = yield* run(["document", "translate", "notes.txt", "--to", "de,zh-TW"], { folder, env })
        expect(ended).toEqual({
          code: 2,
          stdout: "",
          stderr: 'Nothing was uploaded: --to is "zh-TW", which is no target language: write "zh-Hant".\n'
        })
        expect(existsSync(`${folder}/.effect-translate`)).toBe(false)
        expect(yield* billed).toBe(0)
      }),
    processTimeout
  )

  it.scopedLive(
    "translates files and folders once, and reports the result of each",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({
          "notes.txt": "Good morning",
          "page.html": "<p>Hello</p>",
          "data.csv": "a,b"
        })
        mkdirSync(`${folder}/sub`)
        writeFileSync(`${folder}/sub/MORE.TXT`, "Night")
        const document = (...args: ReadonlyArray<string>) => run(["document", ...args], { folder, env })
        const first = yield* document("translate", "notes.txt", "*.html", "data.csv", "--to", "de,fr")
        expect(first.code).toBe(1)
        expect(first.stdout).toMatch(/^document +language +state +characters +output\n/)
        expect(first.stdout).toMatch(/^notes\.txt +de +translated +12 +notes\.de\.txt$/m)
        expect(first.stdout).toMatch(/^data\.csv +fr +failed$/m)
        expect(first.stdout).toMatch(/^4 documents translated, 34 characters billed\.$/m)
        expect(first.stderr).toMatch(/^notes\.txt into de: translated$/m)
        expect(first.stderr).toMatch(/^data\.csv into de: its name is "data\.csv", whose extension/m)
        expect(first.stderr).toMatch(/2 documents of 6 could not be translated\.\n$/)
        expect(readFileSync(`${folder}/notes.de.txt`, "utf8")).not.toBe("Good morning")
        expect(yield* billed).toBe(34)

        // A folder holds translations too: they are not translated again.
        const second = yield* document("translate", ".", "--to", "it", "--json")
        expect(second).toMatchObject({ code: 0, stderr: "" })
        expect(lines(second.stdout).at(-1)).toMatchObject({
          type: "result",
          in: 3,
          translated: 3,
          characters: 22
        })
        expect(lines(second.stdout).find(({ type }) => type === "document")).toMatchObject({
          targetLang: "it",
          state: "Translated",
          documentId: expect.any(String)
        })
        const again = yield* document("translate", ".", "--to", "it", "--quiet")
        expect(again).toMatchObject({ code: 0, stderr: "" })
        expect(again.stdout.match(/was done before/g)).toHaveLength(3)
        const elsewhere = yield* document(
          "translate",
          "sub/MORE.TXT",
          "--to",
          "it",
          "--out",
          "{lang}/{dir}/{name}.{ext}"
        )
        expect(elsewhere.stdout).toMatch(/^sub\/MORE\.TXT +it +copied +it\/sub\/MORE\.TXT$/m)
        expect(yield* billed).toBe(56)
      }),
    processTimeout
  )

  /** Translates two files one after the other, and stops when the first one is uploaded. */
  const stopped = (folder: string, env: Readonly<Record<string, string>>) =>
    Effect.gen(function* () {
      const args = ["document", "translate", "a.txt", "b.txt", "--to", "de", "--concurrency", "1"]
      const process = yield* start(args, { folder, env })
      yield* said(process, "into de: translating")
      yield* process.kill("SIGINT")
      return yield* process.ended
    })

  it.scopedLive(
    "stopped by Ctrl-C names the uploaded documents, and status and download know them",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator({ documents: { translationTime: 600_000 } })
        const folder = yield* folderOf({ "a.txt": "First", "b.txt": "Other" })
        const document = (...args: ReadonlyArray<string>) => run(["document", ...args], { folder, env })
        const { code, stderr, stdout } = yield* stopped(folder, env)
        expect(code).toBe(130)
        expect(stdout).toMatch(/^a\.txt +de +uploaded$/m)
        expect(stdout).toMatch(/^b\.txt +de +not begun$/m)
        expect(stderr).toMatch(
          /\nStopped\. 1 document is uploaded and not downloaded yet\. The same command goes on[^\n]*\n$/
        )
        const journal = readFileSync(`${folder}/.effect-translate/documents.jsonl`, "utf8")
        const [, key] = /"documentKey":"([^"]+)"/.exec(journal)!
        const status = yield* document("status", "--json")
        expect(JSON.parse(status.stdout).documents).toEqual([
          expect.objectContaining({
            file: "a.txt",
            targetLang: "de",
            state: expect.stringMatching(/^translating/),
            output: "a.de.txt"
          })
        ])
        const early = yield* document("download")
        expect(early.code).toBe(1)
        expect(early.stdout).toMatch(/^a\.txt +de +translating/m)
        expect(early.stderr).toMatch(/^1 document of 1 not downloaded[^\n]*\n$/)
        expect([stderr, stdout, status.stdout, early.stdout].join("")).not.toContain(key)
      }),
    processTimeout
  )

  it.scopedLive(
    "stopped by Ctrl-C leaves an uploaded document to download, which needs its file no more, and works once",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator({ documents: { translationTime: 1500 } })
        const folder = yield* folderOf({ "a.txt": "First", "b.txt": "Other" })
        const document = (...args: ReadonlyArray<string>) => run(["document", ...args], { folder, env })
        expect((yield* stopped(folder, env)).code).toBe(130)
        rmSync(`${folder}/a.txt`)
        const fetched = yield* Effect.repeat(document("download"), { until: ({ code }) => code === 0 })
        expect(fetched.stderr).toBe("")
        expect(fetched.stdout).toMatch(/^a\.txt +de +translated +5 +a\.de\.txt$/m)
        expect(existsSync(`${folder}/a.de.txt`)).toBe(true)
        expect((yield* document("download", "a.txt")).stdout).toBe("Nothing waits for its download.\n")
        expect((yield* document("status")).stdout).toMatch(/^a\.txt +de +translated +5 +a\.de\.txt/m)
        expect(yield* billed).toBe(5)
      }),
    processTimeout
  )

  it.scopedLive(
    "takes the key of a single document from the environment, a file or standard input",
    () =>
      Effect.gen(function* () {
        const { env, url } = yield* emulator()
        const folder = yield* folderOf()
        const form = new FormData()
        form.set("target_lang", "de")
        form.set("file", new Blob(["Hello"]), "hello.txt")
        const uploaded = yield* Effect.promise(() =>
          fetch(`${url}/v2/document`, {
            method: "POST",
            headers: { authorization: "Service-Auth-Key emulator-key" },
            body: form
          }).then((answer) => answer.json())
        )
        const { document_id, document_key } = uploaded as Record<string, string>
        const of = (args: ReadonlyArray<string>, more: Record<string, string> = {}, stdin?: string) =>
          run(["document", ...args, "--id", document_id!], { folder, env: { ...env, ...more }, stdin })
        const nobody = yield* of(["status"])
        expect(nobody).toMatchObject({ code: 2, stdout: "" })
        expect(nobody.stderr).toMatch(
          /^There is no key for document [^\n]*LANGUAGE_SERVICE_DOCUMENT_KEY[^\n]*\n$/
        )
        const known = yield* of(["status"], { LANGUAGE_SERVICE_DOCUMENT_KEY: document_key! })
        expect(known).toEqual({ code: 0, stderr: "", stdout: `${document_id}: ready, 5 characters\n` })
        const stranger = yield* of(
          ["download", "--key-file", "-", "--out", "hello.de.txt"],
          {},
          `${document_key}\n`
        )
        expect(stranger).toEqual({ code: 0, stderr: "", stdout: "hello.de.txt\n" })
        expect(readFileSync(`${folder}/hello.de.txt`, "utf8")).not.toBe("")
        writeFileSync(`${folder}/key`, document_key!)
        const twice = yield* of(["download", "--key-file", "key", "--out", "again.txt"])
        expect(twice).toMatchObject({ code: 1, stdout: "" })
        expect(twice.stderr).toMatch(usage)
        expect(twice.stderr).not.toContain(document_key)
        expect(existsSync(`${folder}/again.txt`)).toBe(false)
      }),
    processTimeout
  )

  it.scopedLive(
    "gives advice about outputs that are there, and about documents that fail",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator(undefined, {
          faults: [{ fault: "documentError", message: "The file is broken", fileName: "weak.txt" }]
        })
        const folder = yield* folderOf({ "weak.txt": "One", "a.txt": "Two", "a.de.txt": "mine" })
        const document = (...args: ReadonlyArray<string>) =>
          run(["document", "translate", "weak.txt", "a.txt", "--to", "de", ...args], { folder, env })
        const failed = yield* document()
        expect(failed.code).toBe(1)
        expect(failed.stderr).toMatch(/^weak\.txt into de: [^\n]*The file is broken[^\n]*--resubmit failed/m)
        expect(failed.stderr).toMatch(/^a\.txt into de: a\.de\.txt exists[^\n]*--existing overwrite/m)
        expect(failed.stderr).not.toContain("resubmit:")
        expect(readFileSync(`${folder}/a.de.txt`, "utf8")).toBe("mine")
        expect((yield* document("--resubmit", "failed", "--existing", "overwrite")).code).toBe(0)
        expect(readFileSync(`${folder}/a.de.txt`, "utf8")).not.toBe("mine")
      }),
    processTimeout
  )

  it.scopedLive(
    "refuses wrong usage in one line, before anything is uploaded",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({ "a.txt": "One", "b.txt": "not a journal" })
        for (const [args, message] of [
          [["translate", "none.txt", "--to", "de"], /^none\.txt is not there/],
          [["translate", "a.txt", "--to", "vi"], /^--to is "vi"/],
          [
            ["translate", "a.txt", "--to", "da", "--formality", "more"],
            /^--formality is "more"[^\n]*--to "da"/
          ],
          [["translate", "a.txt", "--to", "de,fr", "--out", "x.txt"], /^--out is one file/],
          [["translate", "a.txt", "--to", "de", "--out", "{language}.txt"], /^--out has \{language\}/],
          [["translate", "a.txt", "--to", "de", "--journal", "b.txt"], /^b\.txt is no journal/],
          [["status"], /knows no document/],
          [["download", "a.txt", "--id", "x"], /^Name files or one document/]
        ] as const) {
          const { code, stderr, stdout } = yield* run(["document", ...args], { folder, env })
          expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: "" })
          expect(stderr).toMatch(message)
          expect(stderr).toMatch(usage)
        }
        expect(yield* billed).toBe(0)
        const another = { ...env, LANGUAGE_SERVICE_KEY: "another" }
        const refused = yield* run(["document", "translate", "a.txt", "--to", "de"], { folder, env: another })
        expect(refused.code).toBe(4)
        expect(refused.stderr).toMatch(
          /^GET \/v3\/languages is answered with 403.+\na\.txt into de: failed\nThe service does not accept the key.+\n$/
        )
      }),
    processTimeout
  )
})
