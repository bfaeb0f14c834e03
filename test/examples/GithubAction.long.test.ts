/** examples/github-action.yml: its parts are where GitHub looks for them, and its steps run, each run in a new clone. */
import { execFileSync, spawn } from "node:child_process"
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { parse } from "yaml"
import { cliBundle } from "../../scripts/cliBundle.js"
import { emulator, folderOf, inherited, processTimeout } from "../cli/process.js"
import { root } from "./process.js"

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
  readonly if?: string
  readonly with?: Readonly<Record<string, string>>
}

const workflow = parse(readFileSync(`${root}/examples/github-action.yml`, "utf8"))
const steps: ReadonlyArray<Step> = workflow.jobs.translate.steps

const git = (folder: string, ...args: ReadonlyArray<string>) =>
  execFileSync("git", args, { cwd: folder, stdio: "pipe", encoding: "utf8" })

/** Texts of 24 characters each, which take several requests. */
const catalogue = JSON.stringify(
  Object.fromEntries(
    Array.from({ length: 150 }, (_, n) => [`key${n}`, `Text number ${String(n).padStart(3, "0")} of many.`])
  )
)
const characters = 150 * 24

/** A repository, the cache of its workflow, and `npx` that starts the command line of this folder. */
const repository = Effect.gen(function* () {
  const folder = yield* folderOf()
  const bundle = yield* Effect.promise(cliBundle)
  mkdirSync(`${folder}/bin`)
  mkdirSync(`${folder}/cache`)
  const npx = `${folder}/bin/npx`
  writeFileSync(npx, `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${bundle}/main.js" "$@"\n`)
  chmodSync(npx, 0o755)
  git(folder, "init", "--quiet", "--bare", "--initial-branch=main", "origin")
  git(folder, "clone", "--quiet", "origin", "first")
  mkdirSync(`${folder}/first/locales`)
  writeFileSync(`${folder}/first/locales/en.json`, catalogue)
  git(`${folder}/first`, "add", ".")
  git(`${folder}/first`, "-c", "user.name=me", "-c", "user.email=me@host", "commit", "--quiet", "-m", "Texts")
  git(`${folder}/first`, "push", "--quiet", "origin", "HEAD:main")
  return folder
})

const matchesGlob = (file: string, pattern: string) =>
  pattern.endsWith("*") ? file.startsWith(pattern.slice(0, -1)) : file === pattern

const shell = (command: string, cwd: string, env: Readonly<Record<string, string>>) =>
  Effect.promise(
    () =>
      new Promise<number>((resolve) => {
        const child = spawn("bash", ["-e", "-c", command], { cwd, env: { ...inherited, ...env } })
        child.on("close", (code) => resolve(code ?? 1))
      })
  )

/** Carries out the steps as GitHub does: those without a condition only as long as none has failed. */
const runWorkflow = (
  folder: string,
  run: number,
  env: Readonly<Record<string, string>>,
  changed: (command: string) => string
) =>
  Effect.gen(function* () {
    const clone = `${folder}/run-${run}`
    const cache = `${folder}/cache`
    const codes: Record<string, number> = {}
    let hasFailed = false
    const isMet = (condition: string) =>
      !condition.includes("hashFiles") || existsSync(`${clone}/.effect-translate/store.db`)
    const use = ({ uses = "", with: { path = "" } = {} }: Step) => {
      if (uses.startsWith("actions/checkout")) git(folder, "clone", "--quiet", "origin", clone)
      if (uses.startsWith("actions/cache/restore")) {
        const newest = readdirSync(cache).sort().at(-1)
        if (newest !== undefined) cpSync(`${cache}/${newest}`, clone, { recursive: true })
      }
      if (uses.startsWith("actions/cache/save")) {
        for (const name of readdirSync(`${clone}/${dirname(path)}`)) {
          const file = `${dirname(path)}/${name}`
          if (matchesGlob(file, path)) cpSync(`${clone}/${file}`, `${cache}/${run}/${file}`)
        }
      }
    }
    for (const step of steps) {
      if (step.if === undefined ? hasFailed : !isMet(step.if)) continue
      if (step.run === undefined) use(step)
      else {
        const code = yield* shell(changed(step.run), clone, {
          ...env,
          PATH: `${folder}/bin:${process.env.PATH}`
        })
        codes[step.name!] = code
        hasFailed ||= code !== 0
      }
    }
    return codes
  })

describe("the GitHub Action", () => {
  it("has steps that each use an action or run a command", () => {
    expect(Object.keys(workflow)).toEqual(["name", "on", "permissions", "concurrency", "jobs"])
    for (const { run, uses } of steps)
      expect([run, uses].filter((each) => each !== undefined)).toHaveLength(1)
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z/-]+@v\d+$/)
  })

  it("saves its cache after each run, failed ones too", () => {
    const [restore, save] = ["restore", "save"].map(
      (name) => steps.find(({ uses }) => uses?.startsWith(`actions/cache/${name}`))!
    )
    expect(save!.if).toContain("always()")
    expect(save!.with!.path).toBe(restore!.with!.path)
    expect(save!.with!.key).toBe(restore!.with!.key)
    expect(save!.with!.key).toContain("github.run_attempt")
    expect(save!.with!.key!.startsWith(restore!.with!["restore-keys"]!)).toBe(true)
  })

  it.scopedLive(
    "pays in a second run only for texts that the budget of the first one has left",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* repository
        const all = 3 * characters
        const budget = (command: string) => command.replace(/--budget \d+/, `--budget ${(all * 2) / 3}`)
        const first = yield* runWorkflow(folder, 1, env, budget)
        expect(first).toEqual({ Translate: 3, "Close the store": 0, Push: 0 })
        const paid = yield* billed
        expect(paid).toBeGreaterThan(all / 3)
        expect(paid).toBeLessThanOrEqual((all * 2) / 3)
        const second = yield* runWorkflow(folder, 2, env, budget)
        expect(second).toEqual({ Translate: 0, "Close the store": 0, Push: 0 })
        expect(yield* billed).toBe(all)
        expect(
          git(`${folder}/origin`, "ls-tree", "--name-only", "main", "locales/").trim().split("\n")
        ).toEqual(["de", "en", "fr", "ja"].map((language) => `locales/${language}.json`))
      }),
    processTimeout
  )
})
