/** Looks for the files of a pattern, and reports the ones that it passes by, with the reason. */
import type { Dirent } from "node:fs"
import { readdir, realpath, stat } from "node:fs/promises"
import { join, sep } from "node:path"
import * as Effect from "effect/Effect"
import { codeOf } from "../../internal/systemCauses.js"
import * as gitIgnored from "./gitIgnored.js"
import type { LeftOut, Reason } from "./leftOut.js"
import type { Pattern } from "./patterns.js"

export interface Options {
  /** Returns `true` if an absolute path was excluded. */
  readonly isExcluded: (path: string) => boolean
  /** The ends of names, each with its dot and in small letters. @default all that the pattern matches */
  readonly endings?: ReadonlyArray<string> | undefined
  /** The absolute path of a folder of this program, apart from those known by their names. */
  readonly stateFolder?: string | undefined
}

/** Files that were found, with absolute paths. */
export interface Walked {
  readonly files: ReadonlyArray<string>
  readonly leftOut: ReadonlyArray<LeftOut>
}

/** Names of this program and of git, which are nobody's text. */
const own = /^(\.git|\.effect-translate|effect-translate\.config\..*|.*\.failed\.jsonl)$/i

/** Files of tools in folders of projects, which are no text for people. */
const ofTools =
  /^((package|package-lock|composer|[tj]sconfig|tsconfig\..*|.*\.config|.*-lock|biome|deno|lerna|nx|turbo|vercel)\.json|(pnpm-lock|pnpm-workspace|docker-compose|.*\.config)\.ya?ml)$/i

type Kind = "folder" | "file" | "brokenLink" | "special"

const kindOf = (entry: Pick<Dirent, "isDirectory" | "isFile">): Kind =>
  entry.isDirectory() ? "folder" : entry.isFile() ? "file" : "special"

const follow = (path: string) =>
  Effect.tryPromise(() => stat(path)).pipe(
    Effect.map(kindOf),
    Effect.orElseSucceed((): Kind => "brokenLink")
  )

const realOf = (path: string) =>
  Effect.orElseSucceed(
    Effect.tryPromise(() => realpath(path)),
    () => path
  )

interface Folder {
  readonly path: string
  /** From the folder of the pattern, with a slash at its end. */
  readonly below: string
  /** Its real path, and those of the folders above it: links may lead round in circles. */
  readonly real: ReadonlyArray<string>
  readonly rules: gitIgnored.Rules
}

const isGone = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")

/** Why a folder is not looked into. Those of packages and of git are named, and not read. */
const reasonOfFolder = (
  path: string,
  name: string,
  below: string,
  rules: gitIgnored.Rules,
  pattern: Pattern
) => {
  if (name === "node_modules") return "packages"
  if (!pattern.reaches(below)) return "hidden"
  return gitIgnored.isIgnored(rules, path) ? "gitIgnored" : undefined
}

const reasonOfFile = (
  kind: Exclude<Kind, "folder">,
  name: string,
  below: string,
  pattern: Pattern,
  endings: Options["endings"]
): Reason | undefined => {
  if (kind !== "file") return kind
  if (!pattern.matches(below)) return "hidden"
  if (ofTools.test(name)) return "toolFile"
  return endings === undefined || endings.some((ending) => name.toLowerCase().endsWith(ending))
    ? undefined
    : "unknownEnding"
}

/** Looks into the folder of a pattern and into those that it leads to. */
export const walk = (
  pattern: Pattern,
  { endings, isExcluded, stateFolder }: Options
): Effect.Effect<Walked> =>
  Effect.gen(function* () {
    const files: Array<string> = []
    const leftOut: Array<LeftOut> = []
    const open: Array<Folder> = [
      {
        path: pattern.folder,
        below: "",
        real: [yield* realOf(pattern.folder)],
        rules: gitIgnored.above(pattern.folder)
      }
    ]
    const visit = (folder: Folder, rules: gitIgnored.Rules, entry: Dirent) =>
      Effect.gen(function* () {
        const { name } = entry
        const path = join(folder.path, name)
        const below = `${folder.below}${name}`
        if (own.test(name) || path === stateFolder) return
        const isLink = entry.isSymbolicLink()
        const kind = isLink ? yield* follow(path) : kindOf(entry)
        if (kind !== "folder") {
          const isMeant =
            pattern.matches(below, true) || (kind === "brokenLink" && pattern.reaches(below, true))
          if (!isMeant) return
          const reason = isExcluded(path) ? "excluded" : reasonOfFile(kind, name, below, pattern, endings)
          if (reason === undefined) files.push(path)
          else leftOut.push({ path, reason })
          return
        }
        if (!pattern.reaches(below, true)) return
        const reason = isExcluded(path) ? "excluded" : reasonOfFolder(path, name, below, rules, pattern)
        if (reason !== undefined) {
          leftOut.push({ path: `${path}${sep}`, reason })
          return
        }
        const real = isLink ? yield* realOf(path) : join(folder.real[0]!, name)
        if (!folder.real.includes(real)) {
          open.push({ path, below: `${below}/`, real: [real, ...folder.real], rules })
        }
      })
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const { path } = folder
      const read = yield* Effect.either(
        Effect.tryPromise({
          try: () => readdir(path, { withFileTypes: true }),
          catch: (error) => error
        })
      )
      if (read._tag === "Left") {
        if (!isGone(read.left)) leftOut.push({ path: `${path}${sep}`, reason: "unreadable" })
        continue
      }
      const rules = gitIgnored.within(folder.rules, path)
      for (const entry of read.right) yield* visit(folder, rules, entry)
    }
    return { files, leftOut }
  })
