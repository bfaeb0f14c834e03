/** Every code block of README.md and docs: TypeScript and Python compile and run, commands exist and run, output is what is printed. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Emulator } from "effect-translate/emulator"
import ts from "typescript"
import { cliBundle } from "../../scripts/cliBundle.js"
import { folderOf } from "../cli/process.js"
import { processTimeout, type Result, root, runNpm, runShell, serviceEnv } from "../examples/process.js"
import * as bucket from "../support/bucket.js"
import { serverOf, withParts } from "../support/fileServer.js"
import * as programs from "../support/programs.js"
import { sharedLayer } from "../support/sharedLayer.js"
import { allBlocks, type Block } from "./markdown.js"
import { samples, samplesOf } from "./samples.js"

const blocks = allBlocks(root)

const nameOf = ({ file, line }: Block) => `${file}:${line}`

/** The modules of the blocks, inside the repository, where imports resolve. */
const scratch = `${root}/.docs-test`
const moduleOf = (block: Block) => `${scratch}/${nameOf(block).replace(/[^\w.-]/g, "_")}.ts`

/** Blocks run outside the repository: a store of its own, which `npm start` makes, would have their texts. */
const folderFor = ({ code }: Block) => folderOf(Object.fromEntries(samplesOf(code)))

const isTypeScript = ({ language }: Block) => language === "ts"

rmSync(scratch, { recursive: true, force: true })
mkdirSync(`${scratch}/bin`, { recursive: true })
for (const block of blocks.filter(isTypeScript)) writeFileSync(moduleOf(block), block.code)

const complaints = (modules: ReadonlyArray<Block>): ReadonlyArray<string> => {
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  const byModule = new Map(modules.map((block) => [moduleOf(block), block]))
  const program = ts.createProgram(Array.from(byModule.keys()), options)
  // Of these modules alone: the library's own are checked by `npm run check:types`.
  return Array.from(byModule.keys(), (name) => program.getSourceFile(name)!)
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(({ file, messageText, start }) => {
      const block = file && byModule.get(file.fileName)
      const line = file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0
      const where = block === undefined ? (file?.fileName ?? "") : `${block.file}:${block.line + line}`
      return `${where}  ${ts.flattenDiagnosticMessageText(messageText, "\n")}`
    })
}

const {
  peerDependencies: peers,
  scripts
}: Record<string, Record<string, string>> = JSON.parse(readFileSync(`${root}/package.json`, "utf8"))

/** A peer in the version that is asked for, such as `pg@8`. */
const isPeer = (install: string): boolean => {
  const [, name = "", version = ""] = /^(.+)@([^@]+)$/.exec(install) ?? []
  return peers?.[name]?.replace("^", "").startsWith(version) === true
}

/** A command that is not run here has to exist at least. */
const exists = (command: string): boolean => {
  if (ofUser.includes(command)) return true
  const [program, first = "", second = ""] = command.split(/\s+/)
  if (program === "npx") return first === "tsx" && existsSync(`${root}/${second}`)
  if (program !== "npm") return existsSync(`${root}/${program}`)
  // `scripts/check-install.ts` runs those that a program needs.
  if (first === "install") return /^(\.\/effect-translate-|@effect\/)/.test(second) || isPeer(second)
  return ["ci", "pack", "test"].includes(first) || (first === "run" && second in scripts!)
}

const commandsOf = ({ code }: Block) =>
  code
    .split("\n")
    .flatMap((line) => line.replace(/\s+#.*$|^#.*$/, "").split(" && "))
    .map((command) => command.trim())
    .filter((line) => line !== "")

/** How a user runs the program of README and checks its types: `scripts/check-install.ts` does both. */
const ofUser = blocks
  .filter(({ code, file }) => file === "README.md" && code.includes("npx tsc"))
  .flatMap(commandsOf)

const isOfCommandLine = (command: string) => /^(.* \| )?effect-translate\s/.test(command)

/** Blocks with a line of `effect-translate` run whole, unless they wait for somebody. */
const isRun = (block: Block) =>
  block.language === "sh" &&
  commandsOf(block).some(isOfCommandLine) &&
  !/effect-translate emulator|--watch/.test(block.code)

/** What a block of Python needs of packages that are not here, it can't do: it is compiled. */
const isCompiledOnly = ({ code }: Block) => /^from (airflow|dagster)\b/m.test(code)

/** The command line as `effect-translate`, for a shell. */
const installed = async () => {
  const program = `${scratch}/bin/effect-translate`
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${await cliBundle()}/main.js" "$@"\n`)
  chmodSync(program, 0o755)
  return `${scratch}/bin:${process.env.PATH}`
}

/** What a block needs that is not its own: of one that names a dataset or a bucket, a server of it. */
const envOf = ({ code }: Block) =>
  Effect.gen(function* () {
    const service = yield* serviceEnv
    const answer = withParts(
      () => samples["reviews.parquet"]!,
      () => '"1"'
    )
    const env = code.includes("DATASET") ? { ...service, DATASET: (yield* serverOf(answer)).origin } : service
    if (!code.includes("s3://")) return env
    const { endpoint } = yield* Effect.provide(
      bucket.withObjects({ "in/products.csv": String(samples["products.csv"]) }),
      yield* Layer.build(NodeHttpClient.layerUndici)
    )
    return { ...env, ...bucket.envOf(endpoint) }
  })

const isStart = (command: string) => /^npm start(\s|$)/.test(command)

/** Output without what differs from run to run: the seconds at the end of a table's rows, and its widths. */
const masked = (output: string) =>
  output
    .replaceAll(`${root}/`, "")
    .replace(/\d+(\.\d+)?$/gm, "0")
    .replace(/ +/g, " ")
    .replace(/ $/gm, "")
    .trim()

describe("code blocks", () => {
  it("are of kinds that can be checked", () => {
    expect(
      blocks.filter(({ language }) => !["ts", "sh", "python", "text"].includes(language)).map(nameOf)
    ).toEqual([])
  })

  it("in TypeScript pass the type check", { timeout: processTimeout }, () => {
    expect(complaints(blocks.filter(isTypeScript))).toEqual([])
  })

  it("name commands that exist", () => {
    const unknown = blocks
      .filter((block) => block.language === "sh" && !isRun(block))
      .flatMap((block) =>
        commandsOf(block)
          .filter((command) => !isStart(command) && !isOfCommandLine(command) && !exists(command))
          .map((command) => `${nameOf(block)}  ${command}`)
      )
    expect(unknown).toEqual([])
  })

  it("begin with the two commands of the README, their output, and its program", () => {
    const readme = blocks.filter(({ file }) => file === "README.md")
    expect(readme[0]).toMatchObject({ language: "sh", code: "npm ci && npm start\nnpm test\n" })
    expect(readme.map(({ language }) => language).slice(0, 3)).toEqual(["sh", "text", "ts"])
    expect(readme[2]!.code).toBe(readFileSync(`${root}/examples/readme.ts`, "utf8"))
  })
})

const test = sharedLayer(
  Layer.merge(programs.layer(blocks.filter(isTypeScript).map(moduleOf)), Emulator.layerNode()).pipe(
    Layer.provideMerge(NodeContext.layer)
  ),
  processTimeout
)

describe("code block", () => {
  blocks.forEach((block, index) => {
    const shown = blocks[index + 1]
    const check = ({ code, stderr, stdout }: Result) => {
      expect(code, `${nameOf(block)}\n${stdout}${stderr}`).toBe(0)
      if (shown?.language === "text" && shown.file === block.file) {
        expect(masked(stdout), nameOf(shown)).toBe(masked(shown.code))
      }
    }
    if (isTypeScript(block)) {
      test(`${nameOf(block)} runs`, () =>
        Effect.gen(function* () {
          const { run } = yield* programs.Programs
          const folder = yield* folderFor(block)
          check(yield* run({ folder, env: yield* envOf(block) }, moduleOf(block)))
        }))
    }
    if (block.language === "python") {
      const name = `${nameOf(block)} ${isCompiledOnly(block) ? "compiles" : "runs"}`
      test(name, () =>
        Effect.gen(function* () {
          const folder = yield* folderFor(block)
          writeFileSync(`${folder}/block.py`, block.code)
          const env = { ...(yield* serviceEnv), PATH: yield* Effect.promise(installed) }
          const compile = isCompiledOnly(block) ? "-m py_compile " : ""
          check(yield* runShell({ folder, env }, `python3 ${compile}block.py`))
        })
      )
    }
    if (isRun(block)) {
      test(`${nameOf(block)} runs`, () =>
        Effect.gen(function* () {
          const folder = yield* folderFor(block)
          // The command line looks up optional packages where it is started.
          symlinkSync(`${root}/node_modules`, `${folder}/node_modules`)
          const env = { ...(yield* envOf(block)), PATH: yield* Effect.promise(installed) }
          check(yield* runShell({ folder, env }, block.code))
        }))
    } else if (block.language === "sh") {
      for (const command of commandsOf(block).filter(isStart)) {
        test(`${nameOf(block)} ${command}`, () =>
          Effect.gen(function* () {
            check(yield* runNpm({ folder: yield* folderFor(block) }, command.replace(/^npm /, "")))
          }))
      }
    }
  })
})
