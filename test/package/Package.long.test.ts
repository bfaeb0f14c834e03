/** The packed tarball as a user gets it: what travels in it, and that programs compile against its declarations. */
import { execFile } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { entries } from "../../scripts/entries.js"
import { blocksOf } from "../docs/markdown.js"
import { root } from "../examples/process.js"
import { runs } from "../support/long.js"

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const manifest: Manifest = JSON.parse(readFileSync(`${root}/package.json`, "utf8"))

const user = mkdtempSync(`${tmpdir()}/package-`)
const installed = `${user}/node_modules/effect-translate`

/** What npm would install beside the package, and what a user's program is compiled with. No network is needed. */
const link = (name: string) => {
  const path = `${user}/node_modules/${name}`
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(`${root}/node_modules/${name}`, path)
}

const programs: Readonly<Record<string, string>> = {
  "readme.ts": blocksOf("README.md", readFileSync(`${root}/README.md`, "utf8")).find(
    ({ language }) => language === "ts"
  )!.code,
  "entries.ts": [
    ...entries.map(({ name }, index) => `import * as entry${index} from "${name}"`),
    `console.log(${entries.map((_, index) => `Object.keys(entry${index})`).join(", ")})`
  ].join("\n"),
  // The compiler has to name, in the declarations of this module, types of modules that it does not import.
  "exported.ts": `
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { Effect, Layer, Schema, Stream } from "effect"
import { Outcome, TranslateStream } from "effect-translate"
import { JobOptions, JobSource, TranslationJob } from "effect-translate/jobs"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { FileCorpus, JobControl, LibsqlWorker } from "effect-translate/workflow"

export const outcomes = Stream.make("Mug").pipe(TranslateStream.translate({ targetLang: "de" }))
export const sum = Stream.run(outcomes, Outcome.tally)
export const source = JobSource.rows({
  name: "titles",
  rows: Stream.make({ id: "1", title: "Mug" }),
  key: ({ id }) => id,
  fields: ["title"],
  write: () => (outcomes) => Stream.runDrain(outcomes)
})
export const targets: ReadonlyArray<JobOptions.Target> = ["de", { lang: "zh-Hant", name: "zh-TW", options: { glossaryId: "g" } }]
export const options: JobOptions.Options = { sourceLang: "en" }
export const isTarget = Schema.is(JobOptions.Target)
export const report = TranslationJob.run({ sources: [source], targets, options })
export const store = LibsqlTranslationStore.layer({ file: "translations.db" })
export const worker = LibsqlWorker.layer({ file: "jobs.db", kinds: [FileCorpus.kind] }).pipe(
  Layer.provide([NodeHttpClient.layerUndici, NodeContext.layer])
)
export const status = Effect.flatMap(JobControl.JobControl, ({ status }) => status("catalogue"))
`
}

let tarball: string

/** Asynchronous: a worker of vitest that is blocked for a minute counts as lost. */
const execute = promisify(execFile)

beforeAll(async () => {
  // `npm run build` has made what is packed.
  const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", user]
  const { stdout } = await execute("npm", pack, { cwd: root })
  tarball = `${user}/${stdout.trim().split("\n").at(-1)}`
  mkdirSync(installed, { recursive: true })
  await execute("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"])
  const { dependencies, peerDependencies } = manifest
  for (const name of [...Object.keys(dependencies), ...Object.keys(peerDependencies), "@types/node"])
    link(name)
  writeFileSync(`${user}/package.json`, '{ "type": "module" }')
  for (const [name, code] of Object.entries(programs)) writeFileSync(`${user}/${name}`, code)
})

afterAll(() => rmSync(user, { recursive: true, force: true }))

/** What the compiler says of the user's programs and of the package; other packages answer for themselves. */
const diagnostics = async (options: object): Promise<ReadonlyArray<string>> => {
  // What a program exports is declared too, as in the settings that `tsc --init` writes.
  const common = {
    target: "ES2022",
    noEmit: true,
    declaration: true,
    strict: true,
    skipLibCheck: false,
    types: ["node"]
  }
  const config = { compilerOptions: { ...common, ...options }, files: Object.keys(programs) }
  writeFileSync(`${user}/tsconfig.json`, JSON.stringify(config))
  const tsc = `${root}/node_modules/typescript/bin/tsc`
  const output = await execute(process.execPath, [tsc, "--pretty", "false"], { cwd: user }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => stdout + stderr
  )
  // Paths are relative to the user's folder, and links lead out of it. Indented lines explain the line before.
  return output.split("\n").filter((line) => line !== "" && !/^(\.\.\/|\s)/.test(line))
}

const settings: Readonly<Record<string, object>> = {
  "nodenext, the library's own strictness": {
    module: "nodenext",
    moduleResolution: "nodenext",
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true
  },
  "bundler, preserve": { module: "preserve", moduleResolution: "bundler" },
  "bundler, esnext": { module: "esnext", moduleResolution: "bundler" },
  nodenext: { module: "nodenext", moduleResolution: "nodenext" }
}

describe("the packed tarball", () => {
  it.each(Object.keys(settings).slice(0, runs(4, 2)))("compiles without skipLibCheck: %s", async (name) => {
    expect(await diagnostics(settings[name]!)).toEqual([])
  })

  it("brings at most 22 packages of others, besides theirs", () => {
    expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(22)
  })

  it("takes at most 3 MB, and 10.4 MB unpacked", () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    const sizes = files
      .filter((file) => file.isFile())
      .map((file) => statSync(`${file.parentPath}/${file.name}`).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(10_400_000)
    expect(statSync(tarball).size).toBeLessThan(3_000_000)
  })

  it("holds every file that its manifest names", () => {
    const paths = (value: unknown): ReadonlyArray<string> =>
      typeof value === "string" ? [value] : Object.values(value as object).flatMap(paths)
    const missing = paths(manifest.exports).filter(
      (path) => !existsSync(`${installed}/${path.replace("*", "index")}`)
    )
    expect(missing).toEqual([])
  })

  it("holds README, and the documents and examples that it links", () => {
    const readme = readFileSync(`${installed}/README.md`, "utf8")
    const links = Array.from(readme.matchAll(/\]\(((?:docs|examples)\/[^)#]+)/g), ([, path]) => path!)
    expect(links).not.toEqual([])
    expect(links.filter((path) => !existsSync(`${installed}/${path}`))).toEqual([])
  })

  it("holds neither tests nor files for maintainers only", () => {
    expect(readdirSync(installed).sort()).toEqual(
      [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "SECURITY.md",
        "config.schema.json",
        "deploy",
        "dist",
        "docs",
        "examples",
        "package.json"
      ].sort()
    )
  })
})
