/**
 * Installs the package as README says, with what the pages add to it, each line in an empty folder, and runs the page's first program
 * there against the emulator. README's own program is run, and its types are checked, by the lines of README. It needs npm's registry, and
 * what `npm run build` has made.
 *
 *     npm run test:campaign -- install
 *     npx tsx scripts/check-install.ts README.md
 */
import { execFileSync, execSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { transformSync } from "esbuild"
import { blocksOf } from "../test/docs/markdown.js"
import { samplesOf } from "../test/docs/samples.js"

const root = fileURLToPath(new URL("..", import.meta.url))

interface Program {
  readonly code: string
  readonly prints: string
}

interface Install {
  readonly page: string
  /** Which of the page's lines that install something, from 0. */
  readonly line: number
  readonly program: Program
  /** Packages that nobody needs for it. */
  readonly without?: ReadonlyArray<string>
}

const read = (page: string) => readFileSync(`${root}/${page}`, "utf8")

/** The first program of a page that holds a word, and what the page says that it prints. */
const firstProgramOf = (page: string, word = ""): Program => {
  const blocks = blocksOf(page, read(page))
  const first = blocks.findIndex(({ code, language }) => language === "ts" && code.includes(word))
  return { code: blocks[first]?.code ?? "", prints: blocks[first + 1]?.code ?? "" }
}

/** Loads an entry whose server is not here. */
const loading = (namespace: string, entry: string): Program => ({
  code: `import { ${namespace} } from "${entry}"; console.log(typeof ${namespace}.layer)`,
  prints: "function\n"
})

/** Translates two texts over HTTP, with the emulator in the same process. */
const inProcess: Program = {
  code: `
import { NodeHttpClient } from "@effect/platform-node"
import { Effect, Layer, Redacted, Stream } from "effect"
import { Auth, ConcurrencyLimit, Outcome, TranslateClient, TranslateStream, Translator } from "effect-translate"
import { Emulator } from "effect-translate/emulator"

const services = TranslateClient.layerServices().pipe(
  Layer.provide([Emulator.layerRegion, Auth.layer({ key: Redacted.make(Emulator.defaultKey) }), ConcurrencyLimit.layerAdaptive()]),
  Layer.provide(NodeHttpClient.layerUndici),
  Layer.provide(Emulator.layerNode())
)

Stream.make("Good morning", "Good night").pipe(
  TranslateStream.translate({ targetLang: "de" }),
  Stream.run(Outcome.tally),
  Effect.provide(services),
  Effect.runPromise
).then(({ translated, characters }) => console.log(translated, characters))
`,
  prints: "2 22\n"
}

const optional = ["pg", "@effect/sql-pg", "eld"]

const installs: ReadonlyArray<Install> = [
  { page: "README.md", line: 0, program: inProcess, without: optional },
  { page: "docs/jobs.md", line: 0, program: firstProgramOf("docs/jobs.md"), without: optional },
  { page: "docs/checks.md", line: 0, program: firstProgramOf("docs/checks.md", "Check.language") },
  { page: "docs/databases.md", line: 0, program: firstProgramOf("docs/databases.md"), without: optional },
  { page: "docs/store.md", line: 0, program: firstProgramOf("docs/store.md"), without: optional },
  { page: "docs/store.md", line: 1, program: loading("PgTranslationStore", "effect-translate/postgres") },
  {
    page: "docs/durable-jobs.md",
    line: 0,
    program: firstProgramOf("docs/durable-jobs.md"),
    without: optional
  },
  {
    page: "docs/durable-jobs.md",
    line: 1,
    program: loading("PgWorker", "effect-translate/workflow/postgres")
  },
  { page: "docs/telemetry.md", line: 0, program: firstProgramOf("docs/telemetry.md"), without: optional }
]

/** npm tells its scripts where they are; a user has no such variables. */
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_|^INIT_CWD$/i.test(name))
)

const home = mkdtempSync(`${tmpdir()}/install-`)

const pack = () => {
  const packed = execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", home], {
    cwd: root,
    encoding: "utf8"
  })
  return `${home}/${packed.trim().split("\n").at(-1)}`
}

/** The emulator as its program. */
const startEmulator = (bin: string) =>
  new Promise<{ readonly url: string; readonly stop: () => void }>((resolve, reject) => {
    const child = spawn(`${bin}/effect-translate-emulator`, ["--port", "0"], { env: inherited })
    let printed = ""
    const listen = (bytes: Buffer) => {
      printed += bytes.toString()
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
      if (url !== undefined) resolve({ url, stop: () => child.kill() })
    }
    child.stdout.on("data", listen)
    child.stderr.on("data", listen)
    child.on("close", () => reject(new Error(`The emulator has ended: ${printed}`)))
  })

/** Runs the program of README and checks its types, by the lines of README. What is wrong with them. */
const followReadme = (folder: string, env: NodeJS.ProcessEnv): string | undefined => {
  const { code } = firstProgramOf("README.md")
  const lines = blocksOf("README.md", read("README.md")).find((block) => block.code.includes("npx tsc"))
  if (lines === undefined) return "README.md does not say how to run a program"
  writeSamples(folder, code)
  writeFileSync(`${folder}/products.ts`, code)
  execSync(`set -e\n${lines.code}`, { cwd: folder, env, stdio: ["ignore", "inherit", "inherit"] })
  return readFileSync(`${folder}/products.de.csv`, "utf8").includes("[de]")
    ? undefined
    : "the program of README.md has translated nothing"
}

const helpOf = (bin: string, name: string) => execFileSync(`${bin}/${name}`, ["--help"], { encoding: "utf8" })

const writeSamples = (folder: string, code: string) => {
  for (const [path, content] of samplesOf(code)) {
    mkdirSync(dirname(`${folder}/${path}`), { recursive: true })
    writeFileSync(`${folder}/${path}`, content)
  }
}

/** What is wrong with a page's line. */
const check = async (
  tarball: string,
  { line, page, program, without = [] }: Install
): Promise<string | undefined> => {
  const ofPackage = /^npm install \.\/effect-translate-.*$/m.exec(read("README.md"))?.[0]
  const added = page === "README.md" ? "" : read(page).match(/(?<=^npm install) [@a-z].*$/gm)?.[line]
  if (ofPackage === undefined || added === undefined) return `${page} does not say what to install`
  const command = `${ofPackage}${added}`
  console.log(`${page}: ${command}`)
  const folder = mkdtempSync(`${home}/user-`)
  const bin = `${folder}/node_modules/.bin`
  // Without it, npm would install into a folder above that has one.
  writeFileSync(`${folder}/package.json`, "{}")
  execSync(`${command.replace(/\.\/effect-translate-\S+/, tarball)} --no-audit --no-fund`, {
    cwd: folder,
    env: inherited
  })
  const needless = without.filter((name) => existsSync(`${folder}/node_modules/${name}`))
  if (needless.length > 0) return `${page}: ${needless.join(", ")} was installed`
  writeSamples(folder, program.code)
  writeFileSync(`${folder}/program.mjs`, transformSync(program.code, { loader: "ts" }).code)
  const { stop, url } = await startEmulator(bin)
  try {
    const env = { ...inherited, LANGUAGE_SERVICE_URL: url, LANGUAGE_SERVICE_KEY: "emulator-key" }
    const printed = execFileSync(process.execPath, ["program.mjs"], { cwd: folder, env, encoding: "utf8" })
    if (printed.trim() !== program.prints.trim())
      return `${page}: the program printed ${printed}, not ${program.prints}`
    if (page === "README.md") {
      const problem = followReadme(folder, env)
      if (problem !== undefined) return problem
    }
  } finally {
    stop()
  }
  if (page !== "README.md") return undefined
  if (!helpOf(bin, "effect-translate").includes("translate")) return "effect-translate has no help"
  return helpOf(bin, "effect-translate-emulator").includes("--port")
    ? undefined
    : "effect-translate-emulator has no help"
}

/** All of them, unless some are given. */
const pages = process.argv.slice(2)

const attempt = async (): Promise<string | undefined> => {
  try {
    const tarball = pack()
    for (const install of installs) {
      if (pages.length > 0 && !pages.includes(install.page)) continue
      const problem = await check(tarball, install)
      if (problem !== undefined) return problem
    }
    return undefined
  } catch (error) {
    return String(error)
  }
}

const problem = await attempt()
rmSync(home, { recursive: true, force: true })
console.log(problem ?? "The package installs as README and its pages say.")
process.exitCode = problem === undefined ? 0 : 1
