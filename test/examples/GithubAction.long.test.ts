/** examples/github-action.yml: its parts are where GitHub looks for them, and its command runs. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { parse } from "yaml"
import { emulator, folderOf, processTimeout, run } from "../cli/process.js"
import { samples } from "../docs/samples.js"
import { root } from "./process.js"

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
}

const workflow = parse(readFileSync(`${root}/examples/github-action.yml`, "utf8"))
const steps: ReadonlyArray<Step> = workflow.jobs.translate.steps

describe("the GitHub Action", () => {
  it("has steps that each use an action or run a command", () => {
    expect(Object.keys(workflow)).toEqual(["name", "on", "permissions", "concurrency", "jobs"])
    for (const { run, uses } of steps)
      expect([run, uses].filter((each) => each !== undefined)).toHaveLength(1)
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/)
  })

  it.scopedLive(
    "translates by a command that works",
    () =>
      Effect.gen(function* () {
        const [program, ...words] = steps.find(({ name }) => name === "Translate")!.run!.split(" ")
        expect([program, ...words.slice(0, 2)]).toEqual(["npx", "--yes", "effect-translate"])
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        mkdirSync(`${folder}/locales`)
        writeFileSync(`${folder}/locales/en.json`, samples["locales/en.json"]!)
        const { code, stderr } = yield* run(words.slice(2), { folder, env })
        expect(code, stderr).toBe(0)
        for (const language of ["de", "fr", "ja"])
          expect(existsSync(`${folder}/locales/${language}.json`)).toBe(true)
        expect(existsSync(`${folder}/.effect-translate/store.db`)).toBe(true)
      }),
    processTimeout
  )
})
