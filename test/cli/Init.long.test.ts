import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folderOf, processTimeout, run } from "./process.js"
import { ctrlC, open } from "./terminal.js"

const name = "effect-translate.config.json"

const written = (folder: string): unknown => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"))

describe("init", () => {
  it.scopedLive(
    "asks at a terminal, names the mistake in an answer, and writes the file",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        const session = yield* open(["init"], { folder, size: { columns: 120, rows: 40 } })
        const answer = (question: RegExp, keys: string) =>
          Effect.zipRight(session.shows(question), session.type(keys))
        yield* answer(/Address of the service/, "no address\r")
        yield* answer(/must be the base address/, `${"\u007f".repeat(10)}https://host\r`)
        yield* answer(/Where is the key\?/, "\u001b[B\r")
        yield* answer(/Which variable/, "MY_KEY\r")
        yield* answer(/Which files\?/, "a.md, {b,c}.md\r")
        yield* answer(/From which language\?/, "\r")
        yield* answer(/To which languages\?/, "de,fr\r")
        yield* answer(/Where do translations go\?/, "out/{lang}/{name}\r")
        expect(yield* session.ended).toBe(0)
        expect(written(folder)).toEqual({
          url: "https://host",
          keyVariable: "MY_KEY",
          translate: { files: ["a.md", "{b,c}.md"], targets: ["de", "fr"], out: "out/{lang}/{name}" }
        })
        expect(session.isRestored()).toBe(true)
      }),
    processTimeout
  )

  it.scopedLive(
    "writes nothing after Ctrl-C",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        const session = yield* open(["init"], { folder })
        yield* session.shows(/Address of the service/)
        yield* session.type(`https://host\r`)
        yield* session.shows(/Where is the key\?/)
        yield* session.type(ctrlC)
        expect(yield* session.ended).toBe(130)
        expect(existsSync(`${folder}/${name}`)).toBe(false)
        expect(session.isRestored()).toBe(true)
      }),
    processTimeout
  )

  it.scopedLive(
    "refuses a target that the service lacks, with the code to write, and writes nothing",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        const ended = yield* run(["init", "--url", "https://host", "--to", "de,zh-TW"], { folder })
        expect(ended.code).toBe(2)
        expect(ended.stderr).toContain('--to is "zh-TW", which is no target language: write "zh-Hant".')
        expect(existsSync(`${folder}/${name}`)).toBe(false)
      }),
    processTimeout
  )

  it.scopedLive(
    "takes options where there is no terminal, and never overwrites",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        const silent = yield* run(["init"], { folder })
        expect(silent).toMatchObject({
          code: 2,
          stdout: "",
          stderr: expect.stringMatching(/^There is no terminal/)
        })
        const wrong = yield* run(["init", "--url", "host"], { folder })
        expect(wrong).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(/^url must be the base address/)
        })
        expect(existsSync(`${folder}/${name}`)).toBe(false)
        mkdirSync(`${folder}/node_modules/effect-translate`, { recursive: true })
        writeFileSync(`${folder}/node_modules/effect-translate/config.schema.json`, "{}")
        const done = yield* run(["init", "--url", "https://host", "--to", "de", "--json"], { folder })
        expect(done).toMatchObject({ code: 0, stderr: "" })
        const settings = {
          $schema: "./node_modules/effect-translate/config.schema.json",
          url: "https://host",
          translate: { targets: ["de"] }
        }
        expect(JSON.parse(done.stdout)).toEqual({ type: "result", file: name, settings })
        expect(written(folder)).toEqual(settings)
        const again = yield* run(["init", "--url", "https://other"], { folder })
        expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/is already here/) })
        expect(written(folder)).toEqual(settings)
      }),
    processTimeout
  )
})
