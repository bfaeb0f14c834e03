/**
 * What `check-docs.ts` asks of a page about the sources, those below `docs/internals`: the files, folders and modules that it names exist.
 *
 * - A path, and the name of a file of TypeScript, in backticks.
 * - A name with a capital inside, such as `fileSource`, in backticks: some word of the sources.
 * - What a list item begins with, and all names of a table's column "Module", or "Module in `folder`": modules or folders, there below
 *   that one. A member is `module.member`, or `member()`.
 * - A name in brackets in a picture (a block of `text`): a module, or a path. A `Module.member` there: words of the sources. A path there, which may
 *   leave folders out by `…`. A picture has at most 30 lines, so that a screen shows it.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { Fail } from "./checkModule.js"

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Lines of a screen, for a picture. */
const mostLines = 30

/** The names of modules and folders below a folder. */
const namesBelow = (folder: string): ReadonlySet<string> =>
  new Set(filesOf(folder).flatMap((file) => file.replace(/\.\w+$/, "").split("/")))

const backticks = (text: string) =>
  Array.from(text.matchAll(/`([\w./-]+)(\(\))?`/g), ([all, name, call]) => ({
    all,
    name: name!,
    isCall: call !== undefined
  }))

export const makeCheckNames = () => {
  const sources = ["src", "scripts"].flatMap(filesOf)
  const words = new Set(sources.flatMap((file) => readFileSync(file, "utf8").split(/\W+/)))
  const fileNames = new Set([...sources, ...filesOf("test")].map((file) => basename(file)))
  const modules = namesBelow("src")
  const roots = [".", "src", ...readdirSync("src").map((floor) => `src/${floor}`)]

  /** The package and what is built have paths of their own. */
  const isPath = (path: string) =>
    /^(effect|effect-translate|dist)\//.test(path) ||
    roots.some((root) => ["", ".ts"].some((end) => existsSync(join(root, `${path}${end}`))))

  /** Public modules are capitalised, and so are types: only the others are looked for. */
  const isModule = (name: string, known: ReadonlySet<string>) => {
    if (!/^[a-z][\w.]*$/.test(name)) return true
    const [module, ...members] = name.split(".")
    return known.has(module!) && members.every((member) => words.has(member))
  }

  const problemInPicture = (name: string, isModuleName: boolean) => {
    if (name.includes("…")) return modules.has(basename(name)) ? undefined : "no such file"
    const problem = isModuleName || name.includes("/") ? problemOf(name) : undefined
    if (problem !== undefined) return problem
    if (isModuleName) return isModule(name, modules) ? undefined : "no such module"
    return name.split(/[./]/).every((part) => words.has(part) || modules.has(part))
      ? undefined
      : "no such name in the sources"
  }

  const problemOf = (name: string) => {
    if (/\w\/\w/.test(name)) return isPath(name) ? undefined : "no such file"
    if (/\.(ts|mjs)$/.test(name)) return fileNames.has(name) || isPath(name) ? undefined : "no such file"
    const missing = name.split(".").find((part) => /^[a-z]+[A-Z]/.test(part) && !words.has(part))
    return missing === undefined || modules.has(missing) ? undefined : "no such name in the sources"
  }

  return (path: string, markdown: string, fail: Fail) => {
    let fence: string | undefined
    let opened = 0
    let column = -1
    let known = modules
    markdown.split("\n").forEach((line, index) => {
      const report = (name: string, problem: string | undefined) => {
        if (problem !== undefined) fail(path, index + 1, `${name}: ${problem}`)
      }
      const mark = /^\s*```(\w*)/.exec(line)
      if (mark !== null) {
        if (fence === "text" && index - opened > mostLines) report("picture", `more than ${mostLines} lines`)
        fence = fence === undefined ? mark[1] : undefined
        opened = index + 1
      } else if (fence === "text") {
        for (const [, module, other] of line.matchAll(/\[([\w./]+)\]|\b([A-Z]\w+\.\w+|\w+(?:\/(?:\w+|…))+)/g))
          report(module ?? other!, problemInPicture(module ?? other!, module !== undefined))
      } else if (fence === undefined) {
        const cells = line.startsWith("|") ? line.split("|").slice(1, -1) : []
        const head = cells.findIndex((cell) => /^ Module( in `[^`]+`)? $/.test(cell))
        if (cells.length === 0) column = -1
        if (head >= 0) {
          column = head
          const folder = backticks(cells[head]!)[0]?.name
          known = folder !== undefined && existsSync(folder) ? namesBelow(folder) : modules
        }
        const item = /^\s*- (?:\*\*)?(`[^`]+`)/.exec(line)?.[1] ?? ""
        const named = head >= 0 ? [] : backticks(cells[column] ?? item).filter(({ isCall }) => !isCall)
        const strict = new Set(named.filter(({ name }) => !isModule(name, column < 0 ? modules : known)))
        for (const { name } of strict) report(name, "no such module")
        for (const { name } of backticks(line)) {
          if (![...strict].some((other) => other.name === name)) report(name, problemOf(name))
        }
      }
    })
  }
}
