/** Says at the end of a run of tests how each that failed is found, and run again alone with the same seed. */
import { relative } from "node:path"
import type { Plugin } from "vitest/config"
import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node"

/** A word of a command, for shells. */
const quoted = (word: string): string =>
  /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")

export interface Failure {
  /** The path of its file. */
  readonly file: string
  readonly line?: number | undefined
  /** Its titles from the outermost to its own, parted by spaces; without one, the file failed. */
  readonly name?: string | undefined
  readonly seed: string
  /** The path of vitest's configuration. */
  readonly config: string
}

/** The place of a failure, and the command that runs it alone. */
export const told = ({ config, file, line, name, seed }: Failure): string => {
  const place = line === undefined ? file : `${file}:${line}`
  const words = [
    "npx",
    "vitest",
    "run",
    ...(config === "vitest.config.ts" ? [] : ["--config", config]),
    file,
    ...(name === undefined ? [] : ["-t", `^${escaped(name)}$`])
  ]
  return `${place}${name === undefined ? "" : `  ${name}`}\n  TEST_SEED=${seed} ${words.map(quoted).join(" ")}`
}

/** The titles of a test from the outermost to its own, as the option `-t` compares them. */
const nameOf = ({ name, parent }: TestCase | TestSuite): string =>
  parent.type === "module" ? name : `${nameOf(parent)} ${name}`

/** The line of the test file in the first stack of its errors that names one. */
const lineOf = (test: TestCase): number | undefined =>
  test
    .result()
    .errors?.flatMap(({ stacks = [] }) => stacks)
    .find(({ file }) => file === test.module.moduleId)?.line ?? test.location?.line

const failuresOf = (module: TestModule): ReadonlyArray<Pick<Failure, "line" | "name">> => {
  const tests = [...module.children.allTests("failed")]
  if (tests.length > 0) return tests.map((test) => ({ line: lineOf(test), name: nameOf(test) }))
  return module.ok() ? [] : [{}]
}

/**
 * Chooses one seed for a whole run where `TEST_SEED` gives none, and tells failures at its end. It is a plugin, as the
 * option `--reporter` replaces the reporters of a configuration.
 */
export const failures: Plugin = {
  name: "failures",
  configureVitest({ vitest }) {
    process.env.TEST_SEED ??= String(Math.floor(Math.random() * 2 ** 31))
    const seed = process.env.TEST_SEED
    const { configFile, root } = vitest.vite.config
    let found: ReadonlyArray<string> = []
    const reporter: Reporter = {
      onTestRunStart: () => vitest.logger.error(`TEST_SEED=${seed}`),
      onTestRunEnd: (modules) => {
        found = modules.flatMap((module) =>
          failuresOf(module).map((failure) =>
            told({
              ...failure,
              file: relative(root, module.moduleId),
              seed,
              config: relative(root, configFile || "vitest.config.ts")
            })
          )
        )
      },
      // The other reporters tell of the whole run here.
      onFinished: () => {
        if (found.length > 0)
          vitest.logger.error(["Failed, and what runs it alone:", ...found, ""].join("\n"))
      }
    }
    vitest.config.reporters.push(reporter)
  }
}
