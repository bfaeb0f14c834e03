/** `npx` with the packed tarball, in an empty folder: npm 10 and 11, Node 20, 22 and 24. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator } from "../cli/process.js"
import { root } from "../examples/process.js"
import { isCampaign } from "../support/long.js"

const home = mkdtempSync(`${tmpdir()}/npx-`)
const tarball = `${home}/package.tgz`
const tools = `${home}/tools/node_modules`

/** npm tells its scripts where they are; a user has no such variables. */
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD$|NODE_OPTIONS$|LANGUAGE_SERVICE_|OTEL_|VITEST)/.test(name)
  )
)
const env = { ...inherited, npm_config_cache: `${home}/cache` }

const execute = promisify(execFile)

const npms = ["10", "11"]
const nodes = ["20", "22", "24"]

/** In `.ci/run` one npm for each Node translates; the others show that they install and start it. */
const isOnlyStarted = (node: string, npm: string) => !isCampaign && (npm === "10") !== (node === "20")

const isHere = (major: string) => process.version.startsWith(`v${major}.`)
const nodeOf = (major: string) => (isHere(major) ? process.execPath : `${tools}/node${major}/bin/node`)

/** Each version as a package; none has an install script. */
const wanted = [
  ...npms.map((major) => `npm${major}@npm:npm@${major}`),
  ...nodes
    .filter((major) => !isHere(major))
    .map((major) => `node${major}@npm:node-${process.platform}-${process.arch}@${major}`)
]

const isReachable = await execute("npm", ["ping"], { env, timeout: 30_000 }).then(
  () => true,
  () => false
)

const reason = isReachable ? "" : " (left out: npm's registry can't be reached)"

interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A combination of Node and npm, as a user has one of them. */
const installation = (node: string, npm: string) => {
  const bin = `${home}/bin-${node}-${npm}`
  mkdirSync(bin, { recursive: true })
  // What a program finds as `node` is the Node that runs npm.
  writeFileSync(`${bin}/node`, `#!/bin/sh\nexec "${nodeOf(node)}" "$@"\n`, { mode: 0o755 })
  const folder = mkdtempSync(`${home}/empty-`)
  rmSync(`${home}/cache/_npx`, { recursive: true, force: true })
  const start = (args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) => {
    const child = spawn(
      nodeOf(node),
      [`${tools}/npm${npm}/bin/npx-cli.js`, "--yes", `file:${tarball}`, ...args],
      // A group of its own, so that a kill ends npx, its shell and the program at once.
      { cwd: folder, env: { ...env, PATH: `${bin}:${inherited.PATH}`, ...more }, detached: true }
    )
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (bytes: Buffer) => {
      stdout += bytes.toString()
    })
    child.stderr.on("data", (bytes: Buffer) => {
      stderr += bytes.toString()
    })
    const ended = new Promise<Run>((resolve) => {
      child.on("close", (code) => resolve({ code, stdout, stderr }))
    })
    return { child: child as ChildProcess, ended }
  }
  const run = (args: ReadonlyArray<string>, more?: Readonly<Record<string, string>>) =>
    Effect.promise(() => start(args, more).ended)
  return { folder, run, start }
}

const texts = Object.fromEntries(
  Array.from({ length: 400 }, (_, index) => [`key${index}`, `Sentence ${index}.`])
)
const characters = Object.values(texts).join("").length

describe.skipIf(!isReachable)(`npx of the packed tarball${reason}`, () => {
  beforeAll(async () => {
    const stage = `${home}/stage`
    mkdirSync(stage)
    for (const name of ["package.json", "README.md", "LICENSE"]) cpSync(`${root}/${name}`, `${stage}/${name}`)
    await execute("npx", ["tsx", "scripts/bundle.ts", `${stage}/dist`], { cwd: root })
    await execute("npm", ["pack", "--ignore-scripts", "--pack-destination", home], { cwd: stage, env })
    const { name, version } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"))
    cpSync(`${home}/${name}-${version}.tgz`, tarball)
    mkdirSync(`${home}/tools`)
    writeFileSync(`${home}/tools/package.json`, "{}")
    await execute("npm", ["install", "--no-audit", "--no-fund", ...wanted], { cwd: `${home}/tools`, env })
  })

  afterAll(() => rmSync(home, { recursive: true, force: true }))

  for (const node of nodes) {
    for (const npm of npms) {
      it.scopedLive(`Node ${node}, npm ${npm}: help, a translation, and one that goes on after kill -9`, () =>
        Effect.gen(function* () {
          const { folder, run, start } = installation(node, npm)
          const help = yield* run(["--help"])
          expect(help.code, help.stderr).toBe(0)
          expect(help.stdout).toContain("translate")
          if (isOnlyStarted(node, npm)) return

          const { billed, env } = yield* emulator("--latency", "300")
          writeFileSync(`${folder}/app.en.json`, JSON.stringify(texts))
          const translate = ["translate", "app.en.json", "--from", "en", "--to", "de", "--concurrency", "1"]
          const { child, ended } = start(translate, env)
          yield* Effect.raceFirst(
            billed.pipe(Effect.delay(50), Effect.repeat({ until: (sum) => sum > 0 })),
            Effect.flatMap(
              Effect.promise(() => ended),
              ({ stderr }) => Effect.dieMessage(stderr)
            )
          )
          process.kill(-child.pid!, "SIGKILL")
          yield* Effect.promise(() => ended)
          expect(yield* billed).toBeLessThan(characters)

          const resumed = yield* run(translate, env)
          expect(resumed.code, resumed.stderr).toBe(0)
          const translated: object = JSON.parse(readFileSync(`${folder}/app.de.json`, "utf8"))
          expect(Object.keys(translated)).toEqual(Object.keys(texts))
          const sum = yield* billed
          // What was in flight is paid for twice: one request, of at most 50 texts.
          expect(sum).toBeGreaterThanOrEqual(characters)
          expect(sum).toBeLessThanOrEqual(characters + 50 * "Sentence 399.".length)

          const again = yield* run(translate, env)
          expect(again.code, again.stderr).toBe(0)
          expect(yield* billed).toBe(sum)
        })
      )
    }
  }
})
