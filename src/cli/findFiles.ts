/** Finds the files that a command line asks for: those that are named, and those that folders and patterns hold. */
import { existsSync, realpathSync } from "node:fs"
import { dirname, isAbsolute, normalize, relative, sep } from "node:path"
import * as Effect from "effect/Effect"
import { escapePath, glob, isDynamicPattern } from "tinyglobby"
import { Usage } from "./failure.js"
import { isFolder } from "./namedFiles.js"

/** A file that was found. */
export interface Found {
  /** Its path, without the working directory where it is below that; of an address, what is shown of it. */
  readonly path: string
  /** The address, if it is one. It may hold a signature. */
  readonly address?: string | undefined
  /** Its folder, below the working directory or below the folder that was named. */
  readonly folder: string
  /** Whether it was named itself. */
  readonly isNamed: boolean
}

/** What is looked for in folders. */
export interface Wanted {
  /** The ends of names, each with its dot. */
  readonly endings: ReadonlyArray<string>
  /** What is said of a folder that holds none of them. */
  readonly nothingIn: (folder: string) => string
}

/** What is in folders of projects and is no text for people. */
const ignored = [
  "**/node_modules/**",
  "**/{package,package-lock,composer,tsconfig,jsconfig,tsconfig.*,*.config,*-lock,biome,deno,lerna,nx,turbo,vercel}.json",
  "**/{pnpm-lock,pnpm-workspace,docker-compose,*.config}.{yaml,yml}",
  "**/effect-translate.config.*",
  "**/*.failed.jsonl"
]

/** Paths as they are shown: below the working directory without it, with the separators of the system. */
const shown = (path: string): string => {
  const short = isAbsolute(path) ? relative("", path) : path
  return normalize(short.startsWith("..") ? path : short)
}

const folderBelow = (path: string, root: string): string => {
  const inWorking = relative("", path)
  const below = inWorking.startsWith("..") || isAbsolute(inWorking) ? relative(root, path) : inWorking
  const folder = dirname(below)
  return folder === "." || folder.startsWith("..") ? "" : folder
}

const asPattern = (file: string): string => (sep === "\\" ? file.replaceAll("\\", "/") : file)

/** What leads from the working directory to a folder above it that holds the file. */
const wayUp = (file: string): string => /^(\.\.\/)*/.exec(`${asPattern(relative("", file))}/`)![0]

/** The globs of `ignored` do not reach above the working directory by themselves. */
const search = (
  file: string,
  pattern: string | ReadonlyArray<string>,
  exclusions: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(() =>
    glob(pattern, {
      ignore: [...ignored, ...ignored.map((each) => `${wayUp(file)}${each}`), ...exclusions],
      caseSensitiveMatch: false,
      expandDirectories: false,
      onlyFiles: true
    })
  )

const find = (
  file: string,
  exclusions: ReadonlyArray<string>,
  { endings, nothingIn }: Wanted
): Effect.Effect<ReadonlyArray<Found>, Usage> =>
  Effect.gen(function* () {
    const fail = (message: string) => new Usage({ message })
    const foundIn = (paths: ReadonlyArray<string>, rootOf: (path: string) => string) =>
      paths.map((path) => ({ path: shown(path), folder: folderBelow(path, rootOf(path)), isNamed: false }))
    if (isFolder(file)) {
      const prefix = file === "." ? "" : `${escapePath(asPattern(file)).replace(/\/+$/, "")}/`
      const paths = yield* search(
        file,
        endings.map((ending) => `${prefix}**/*${ending}`),
        exclusions
      )
      return paths.length === 0 ? yield* fail(nothingIn(file)) : foundIn(paths, () => file)
    }
    if (existsSync(file)) {
      return [{ path: shown(file), folder: folderBelow(file, dirname(file)), isNamed: true }]
    }
    if (!isDynamicPattern(asPattern(file))) {
      return yield* fail(`${file} is not there: check its name, and the folder that you are in.`)
    }
    const paths = yield* search(file, asPattern(file), exclusions)
    return paths.length === 0 ? yield* fail(`No file matches ${file}.`) : foundIn(paths, dirname)
  })

/** Links can lead to a file by several paths: those that are named stay, else the shortest. */
const eachOnce = (all: ReadonlyArray<Found>): ReadonlyArray<Found> => {
  const seen = new Set<string>()
  return all
    .toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed) || a.path.length - b.path.length)
    .filter(({ isNamed, path }) => {
      const file = realpathSync(path)
      const isNew = !seen.has(file)
      seen.add(file)
      return isNamed || isNew
    })
}

/** All files, each once, in the order of their paths. What begins with `!` leaves some out. */
export const findFiles = (
  files: ReadonlyArray<string>,
  wanted: Wanted
): Effect.Effect<ReadonlyArray<Found>, Usage> =>
  Effect.gen(function* () {
    const exclusions = files.filter((file) => file.startsWith("!")).map((file) => file.slice(1))
    const asked = files.filter((file) => !file.startsWith("!"))
    if (asked.length === 0) {
      return yield* new Usage({ message: "Name files too: what begins with ! only leaves some out." })
    }
    const found = new Map<string, Found>()
    for (const file of asked) {
      for (const one of yield* find(file, exclusions, wanted)) {
        if (found.get(one.path)?.isNamed !== true) found.set(one.path, one)
      }
    }
    return eachOnce([...found.values()]).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  })
