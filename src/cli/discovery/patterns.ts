/** The patterns of a command line: the files that they match, the folder where they begin, and the folders that they reach. */
import { posix, resolve, sep } from "node:path"
import { braceExpand, Minimatch, unescape } from "minimatch"

const options = { nocase: true, nobrace: true, nonegate: true, nocomment: true } as const

/** Paths as patterns have them. */
export const asPosix = (path: string): string => (sep === "\\" ? path.replaceAll("\\", "/") : path)

/** True if a name stands for others. */
export const isPattern = (file: string): boolean => {
  const { nocase: _, nobrace: __, ...exact } = options
  return new Minimatch(asPosix(file), { ...exact, magicalBraces: true }).hasMagic()
}

const partsOf = (pattern: string): ReadonlyArray<string> =>
  posix
    .normalize(pattern)
    .split("/")
    .filter((part, index) => part !== "" || index === 0)

const folderOf = (parts: ReadonlyArray<string>): string =>
  resolve(parts.length === 1 && parts[0] === "" ? "/" : unescape(parts.join("/")))

/** A pattern without braces. Paths are from its folder. */
export interface Pattern {
  /** The absolute path of the folder in which it begins. */
  readonly folder: string
  /** Returns `true` if it matches a file. Hidden files are matched by a dot in the pattern, unless they are asked for. */
  readonly matches: (path: string, withHidden?: boolean) => boolean
  /** Returns `true` if it may match a file in a folder. */
  readonly reaches: (path: string, withHidden?: boolean) => boolean
}

const made = (folder: string, pattern: string): Pattern => {
  const plain = new Minimatch(pattern, options)
  const dotted = new Minimatch(pattern, { ...options, dot: true })
  const by = (withHidden: boolean) => (withHidden ? dotted : plain)
  return {
    folder,
    matches: (path, withHidden = false) => by(withHidden).match(path),
    reaches: (path, withHidden = false) => by(withHidden).match(path, true)
  }
}

/** All that a folder holds. */
export const ofFolder = (folder: string): Pattern => made(resolve(folder), "**/*")

/** The patterns that one with braces stands for. */
export const compile = (pattern: string): ReadonlyArray<Pattern> =>
  braceExpand(asPosix(pattern)).map((each) => {
    const parts = partsOf(each)
    const first = parts.findIndex((part) => new Minimatch(part, { ...options, nocase: false }).hasMagic())
    const at = first === -1 ? parts.length - 1 : first
    return made(folderOf(parts.slice(0, at)), parts.slice(at).join("/"))
  })

/** Returns a predicate of the absolute paths, and the folders with all their files, that `!` and a pattern or a name leave out. */
export const exclusion = (pattern: string): ((path: string) => boolean) => {
  const named = resolve(pattern)
  const all = braceExpand(asPosix(pattern)).map((each) => {
    const parts = partsOf(each)
    const first = parts.findIndex((part) => part !== ".." && part !== "")
    const up = first === -1 ? parts.length : first
    const rest = parts
      .slice(up)
      .join("/")
      .replace(/\/\*\*$/, "")
    return made(folderOf(parts.slice(0, up)), rest)
  })
  return (path) =>
    path === named ||
    all.some(({ folder, matches }) => {
      const below = folder.endsWith(sep) ? folder : `${folder}${sep}`
      return path.startsWith(below) && matches(asPosix(path.slice(below.length)), true)
    })
}
