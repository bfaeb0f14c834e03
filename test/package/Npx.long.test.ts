/** `npx` with the packed tarball, in an empty folder: by the Node and npm of this machine, and in a campaign by npm 10 and 11 of Node 20, 22 and 24. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname } from "node:path"
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

interface Version {
  readonly name: string
  readonly node: string
  readonly npx: string
}

const versions: ReadonlyArray<Version> = isCampaign
  ? nodes.flatMap((node) =>
      npms.map((npm) => ({
        name: `Node ${node}, npm ${npm}`,
        node: `${tools}/node${node}/bin/node`,
        npx: `${tools}/npm${npm}/bin/npx-cli.js`
      }))
    )
  : [
      {
        name: "this Node and its npm",
        node: process.execPath,
        npx: realpathSync(`${dirname(process.execPath)}/npx`)
      }
    ]

/** Each version as a package; none has an install script. */
const wanted = [
  ...npms.map((major) => `npm${major}@npm:npm@${major}`),
  ...nodes.map((major) => `node${major}@npm:node-${process.platform}-${process.arch}@${major}`)
]

interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const installation = ({ node, npx }: Version) => {
  const bin = mkdtempSync(`${home}/bin-`)
  // What a program finds as `node` is the Node that runs npm.
  writeFileSync(`${bin}/node`, `#!/bin/sh\nexec "${node}" "$@"\n`, { mode: 0o755 })
  const folder = mkdtempSync(`${home}/empty-`)
  rmSync(`${home}/cache/_npx`, { recursive: true, force: true })
  const start = (args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) => {
    const child = spawn(
      node,
      [npx, "--yes", `file:${tarball}`, ...args],
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

describe("npx of the packed tarball", () => {
  beforeAll(async () => {
    // `npm run build` has made what is packed.
    await execute("npm", ["pack", "--ignore-scripts", "--pack-destination", home], { cwd: root, env })
    const { name, version } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"))
    cpSync(`${home}/${name}-${version}.tgz`, tarball)
    if (!isCampaign) return
    mkdirSync(`${home}/tools`)
    writeFileSync(`${home}/tools/package.json`, "{}")
    await execute("npm", ["install", "--no-audit", "--no-fund", ...wanted], { cwd: `${home}/tools`, env })
  })

  afterAll(() => rmSync(home, { recursive: true, force: true }))

  for (const version of versions) {
    it.scopedLive(`${version.name}: help, a translation, and one that goes on after kill -9`, () =>
      Effect.gen(function* () {
        const { folder, run, start } = installation(version)
        const help = yield* run(["--help"])
        expect(help.code, help.stderr).toBe(0)
        expect(help.stdout).toContain("translate")
        const { billed, env } = yield* emulator({ latency: 300 })
        writeFileSync(`${folder}/app.en.json`, JSON.stringify(texts))
        const translate = ["translate", "app.en.json", "--from", "en", "--to", "de", "--concurrency", "1"]
        const { child, ended } = start(translate, env)
        yield* Effect.raceFirst(
          Effect.repeat(billed, { until: (sum) => sum > 0 }),
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
})
