/** Prints where the time of a run of tests goes: `npm run test:time`, with paths and options of vitest. */
import { readdirSync, readFileSync } from "node:fs"
import { relative } from "node:path"
import type { Reporter, TestModule, Vitest } from "vitest/node"

const longest = 30

const statOf = (pid: string | number): ReadonlyArray<string> => {
  try {
    // The name of a program may hold spaces: fields are counted from behind it. The first is the third of proc(5).
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ")
  } catch {
    return []
  }
}

/** The seconds of CPU of this process and all that it has started; on Linux only. */
const cpuOfTree = (): number => {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [pid, statOf(pid)[1]])
  )
  const belongs = (pid: string | undefined): boolean =>
    pid !== undefined && (pid === String(process.pid) || belongs(parents.get(pid)))
  const ticks = [...parents.keys()]
    .filter(belongs)
    // User and system, then those of the children that have ended.
    .flatMap((pid) => statOf(pid).slice(11, 15))
    .reduce((sum, each) => sum + Number(each), 0)
  return ticks / 100
}

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, each) => sum + each, 0)

const print = (title: string, rows: ReadonlyArray<readonly [string, number]>, count = rows.length) => {
  console.log(`\n${title}`)
  const sorted = [...rows].sort(([, a], [, b]) => b - a).slice(0, count)
  for (const [name, ms] of sorted) console.log(`${(ms / 1000).toFixed(2).padStart(8)}  ${name}`)
}

/** vitest tells the time of its transforms to its own reporters only. */
interface WithTransforms {
  readonly vitenode: { readonly getTotalDuration: () => number }
}

export default class TimeReporter implements Reporter {
  #vitest: WithTransforms | undefined
  readonly #start = performance.now()

  onInit(vitest: Vitest) {
    this.#vitest = vitest as unknown as WithTransforms
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>) {
    const files = modules.map((module) => {
      const path = relative(process.cwd(), module.moduleId)
      const { collectDuration, environmentSetupDuration, prepareDuration, setupDuration } =
        module.diagnostic()
      const tests = [...module.children.allTests()].map(
        (test) => [`${path}  ${test.fullName}`, test.diagnostic()?.duration ?? 0] as const
      )
      return {
        path,
        tests,
        running: sum(tests.map(([, ms]) => ms)),
        collecting: collectDuration,
        starting: environmentSetupDuration + prepareDuration + setupDuration
      }
    })
    const folderOf = (path: string) => path.split("/")[1] ?? path
    print(
      "Seconds of tests by folder",
      [...new Set(files.map(({ path }) => folderOf(path)))].map((folder) => {
        const its = files.filter(({ path }) => folderOf(path) === folder)
        return [`${folder}, ${its.length} files`, sum(its.map(({ running }) => running))]
      })
    )
    print(
      "The longest files",
      files.map(({ path, running }) => [path, running] as const),
      longest
    )
    print(
      "The longest tests",
      files.flatMap(({ tests }) => tests),
      longest
    )
    print("The whole, in seconds", [
      ["tests", sum(files.map(({ running }) => running))],
      ["collecting: loading files and what they import", sum(files.map(({ collecting }) => collecting))],
      ["starting: workers and setup files", sum(files.map(({ starting }) => starting))],
      ["transforming", Object(this.#vitest).vitenode?.getTotalDuration() ?? 0],
      ["from start to end", performance.now() - this.#start],
      ["of CPU, all processes", 1000 * cpuOfTree()]
    ])
  }
}
