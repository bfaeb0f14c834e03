/** Finds the files that a command line asks for: those that are named, and those that folders and patterns hold. */
import { existsSync, lstatSync, realpathSync } from "node:fs"
import { dirname, isAbsolute, normalize, relative, resolve, sep } from "node:path"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { fileMeant } from "./discovery/fileMeant.js"
import * as leftOuts from "./discovery/leftOut.js"
import * as patterns from "./discovery/patterns.js"
import { type Walked, walk } from "./discovery/walk.js"
import { type Usage, usage } from "./failure.js"
import { isFolder } from "./namedFiles.js"
import * as text from "./textTable.js"

/** A file that was found. */
export interface Found {
  /** Its path, relative to the working directory where it is below that; of an address, its shown part. */
  readonly path: string
  /** The address, if it is one. It may hold a signature. */
  readonly address?: string | undefined
  /** Its folder, below the working directory or below the folder that was named. */
  readonly folder: string
  /** True if it was named itself. */
  readonly isNamed: boolean
}

/** The files to look for in folders. */
export interface Wanted {
  /** The ends of names, each with its dot. */
  readonly endings: ReadonlyArray<string>
  /** The message for a folder that holds none of them. */
  readonly nothingIn: (folder: string) => string
  /** The state folder, which is passed by. */
  readonly stateFolder?: string | undefined
}

/** Files that were found, and those that were passed by. */
export interface Findings {
  readonly found: ReadonlyArray<Found>
  readonly leftOut: ReadonlyArray<leftOuts.LeftOut>
}

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

/** Returns a predicate for paths that were excluded, by themselves or by a folder that holds them. */
const isExcludedIn =
  (exclusions: ReadonlyArray<(path: string) => boolean>) =>
  (path: string): boolean =>
    exclusions.some((excludes) => excludes(path)) ||
    (exclusions.length > 0 && dirname(path) !== path && isExcludedIn(exclusions)(dirname(path)))

/** Walks through the files of folders or patterns. */
const search = (
  all: ReadonlyArray<patterns.Pattern>,
  exclusions: ReadonlyArray<(path: string) => boolean>,
  { endings, stateFolder }: Partial<Wanted>
): Effect.Effect<Walked> => {
  const isAnyAbove = isExcludedIn(exclusions)
  const isExcluded = (path: string) => exclusions.some((excludes) => excludes(path))
  return Effect.map(
    Effect.forEach(
      all,
      (pattern): Effect.Effect<Walked> =>
        isAnyAbove(pattern.folder)
          ? Effect.succeed({ files: [], leftOut: [{ path: `${pattern.folder}${sep}`, reason: "excluded" }] })
          : walk(pattern, { isExcluded, endings, stateFolder: stateFolder && resolve(stateFolder) })
    ),
    (walked) => ({
      files: walked.flatMap(({ files }) => files),
      leftOut: walked.flatMap(({ leftOut }) => leftOut)
    })
  )
}

const isLink = (file: string): boolean =>
  lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true

const find = (
  file: string,
  exclusions: ReadonlyArray<(path: string) => boolean>,
  { nothingIn, ...wanted }: Wanted
): Effect.Effect<Findings, Usage> =>
  Effect.gen(function* () {
    const inWords = isAbsolute(file) ? shown : (path: string) => relative("", path)
    const findings = ({ files, leftOut }: Walked, nothing: string, rootOf: (path: string) => string) => {
      const passed = leftOut.map(({ path, reason }) => {
        const slash = path.endsWith(sep) ? sep : ""
        return { path: `${inWords(resolve(path)) || "."}${slash}`, reason }
      })
      if (files.length === 0) {
        return usage(text.present(nothing, leftOuts.line(passed)).join(" "))
      }
      return Effect.succeed({
        found: files.map((each) => {
          const path = inWords(each)
          return { path, folder: folderBelow(path, rootOf(path)), isNamed: false }
        }),
        leftOut: passed
      })
    }
    if (isFolder(file)) {
      const walked = yield* search([patterns.ofFolder(file)], exclusions, wanted)
      return yield* findings(walked, nothingIn(file), () => file)
    }
    if (existsSync(file)) {
      const path = shown(file)
      return isExcludedIn(exclusions)(resolve(file))
        ? { found: [], leftOut: [{ path, reason: "excluded" }] }
        : { found: [{ path, folder: folderBelow(file, dirname(file)), isNamed: true }], leftOut: [] }
    }
    if (isLink(file)) {
      return yield* usage(`${file} is a link that leads nowhere: mend it, or leave it out.`)
    }
    if (!patterns.isPattern(file)) {
      return yield* usage(
        `${file} is not there: check its name, and the folder that you are in.${fileMeant(file)}`
      )
    }
    const walked = yield* search(patterns.compile(file), exclusions, { stateFolder: wanted.stateFolder })
    return yield* findings(walked, `No file matches ${file}.`, dirname)
  })

/** Links can lead to a file by several paths: those that are named stay, else the shortest. */
const eachOnce = (all: ReadonlyArray<Found>): Findings => {
  const seen = new Set<string>()
  const found: Array<Found> = []
  const leftOut: Array<leftOuts.LeftOut> = []
  for (const one of all.toSorted(
    (a, b) => Number(b.isNamed) - Number(a.isNamed) || a.path.length - b.path.length
  )) {
    const file = realpathSync(one.path)
    if (one.isNamed || !seen.has(file)) found.push(one)
    else leftOut.push({ path: one.path, reason: "sameFile" })
    seen.add(file)
  }
  return { found, leftOut }
}

/** Returns a predicate for the absolute paths of files that are not there any more: names and patterns would have found them. */
export const wouldFind = (files: ReadonlyArray<string>): ((path: string) => boolean) => {
  const [asked, left] = Arr.partition(files, (file) => file.startsWith("!"))
  const isExcluded = isExcludedIn(left.map((file) => patterns.exclusion(file.slice(1))))
  const all = asked.flatMap((file) => {
    if (isFolder(file)) return [patterns.ofFolder(file)]
    return patterns.isPattern(file) ? patterns.compile(file) : []
  })
  return (path) =>
    !isExcluded(path) &&
    all.some(({ folder, matches }) => {
      const below = relative(folder, path)
      return !below.startsWith("..") && !isAbsolute(below) && matches(patterns.asPosix(below))
    })
}

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : 1

/**
 * All files, each once, in the order of their paths, and the ones left out. Names that begin with `!` leave files out, also
 * those that are named.
 */
export const findFiles = (files: ReadonlyArray<string>, wanted: Wanted): Effect.Effect<Findings, Usage> =>
  Effect.gen(function* () {
    const exclusions = files
      .filter((file) => file.startsWith("!"))
      .map((file) => patterns.exclusion(file.slice(1)))
    const asked = files.filter((file) => !file.startsWith("!"))
    if (asked.length === 0) {
      return yield* usage("Name files too: patterns with ! only leave some out.")
    }
    const all = new Map<string, Found>()
    const passed = new Map<string, leftOuts.LeftOut>()
    for (const file of asked) {
      const { found, leftOut } = yield* find(file, exclusions, wanted)
      for (const one of found) {
        if (all.get(one.path)?.isNamed !== true) all.set(one.path, one)
      }
      for (const one of leftOut) passed.set(one.path, one)
    }
    const once = eachOnce([...all.values()])
    const leftOut = [...[...passed.values()].filter(({ path }) => !all.has(path)), ...once.leftOut]
    if (once.found.length === 0) {
      return yield* usage(`No file is left of ${asked.join(" ")}: ${leftOuts.line(leftOut)}`)
    }
    return { found: once.found.toSorted(byPath), leftOut: leftOut.toSorted(byPath) }
  })
