/** Folders that git ignores, by the files in which it is told so. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import ignore, { type Ignore } from "ignore"
import { asPosix } from "./patterns.js"

/** The rules of each folder, the innermost first; `undefined` outside of a working tree. */
export type Rules = ReadonlyArray<{ readonly folder: string; readonly rules: Ignore }> | undefined

const read = (folder: string, file: string) => {
  const path = join(folder, file)
  return existsSync(path)
    ? [{ folder, rules: ignore({ ignorecase: false }).add(readFileSync(path, "utf8")) }]
    : []
}

/** The rules above a folder. */
export const above = (folder: string): Rules => {
  if (existsSync(join(folder, ".git"))) return read(folder, ".git/info/exclude")
  const parent = dirname(folder)
  return parent === folder ? undefined : within(above(parent), parent)
}

/** The rules with those of a folder in it. */
export const within = (rules: Rules, folder: string): Rules =>
  rules && [...read(folder, ".gitignore"), ...rules]

/** True if a folder is ignored. */
export const isIgnored = (all: Rules, path: string): boolean => {
  for (const { folder, rules } of all ?? []) {
    const { ignored, unignored } = rules.test(`${asPosix(relative(folder, path))}/`)
    if (ignored || unignored) return ignored
  }
  return false
}
