/** Which files are translated: those that are named, and those that folders and patterns hold. */
import { existsSync, realpathSync } from "node:fs"
import { dirname, isAbsolute, relative, resolve, sep } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { escapePath, glob, isDynamicPattern } from "tinyglobby"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Formats from "../../format/Formats.js"
import * as JobSource from "../../job/JobSource.js"
import { Usage } from "../failure.js"
import { stateFolder } from "../stateFolder.js"
import * as outputPath from "./outputPath.js"
import { isFolder } from "./outputPath.js"
import { isPipe, type SharedPlan } from "./translateOptions.js"

/** What is in folders of projects and is no text for people. */
const ignored = [
  "**/node_modules/**",
  "**/{package,package-lock,composer,tsconfig,jsconfig,tsconfig.*,*.config,*-lock,biome,deno,lerna,nx,turbo,vercel}.json",
  "**/{pnpm-lock,pnpm-workspace,docker-compose,*.config}.{yaml,yml}",
  "**/effect-translate.config.*",
  "**/*.failed.jsonl"
]

const endings = [...new Set(Formats.all.flatMap(({ extensions }) => extensions))]

/** Formats that documents have, which the service translates as a whole. */
const isDocument = /\.(docx?|pptx|xlsx|pdf)$/i

/** Paths as they are shown: below the working directory without it, with the separators of the system. */
const shown = (path: string): string => {
  const short = isAbsolute(path) ? relative("", path) : path
  const found = short.startsWith("..") ? path : short
  return found.split("/").join(sep)
}

/** A file that was found, and whether it was named itself. */
interface Found extends outputPath.Source {
  readonly isNamed: boolean
}

const folderBelow = (path: string, root: string): string => {
  const inWorking = relative("", path)
  const below = inWorking.startsWith("..") || isAbsolute(inWorking) ? relative(root, path) : inWorking
  const folder = dirname(below)
  return folder === "." || folder.startsWith("..") ? "" : folder
}

const asPattern = (file: string): string => (sep === "\\" ? file.replaceAll("\\", "/") : file)

const search = (pattern: string | ReadonlyArray<string>, exclusions: ReadonlyArray<string>) =>
  Effect.promise(() =>
    glob(pattern, { ignore: [...ignored, ...exclusions], expandDirectories: false, onlyFiles: true })
  )

const find = (file: string, exclusions: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Found>, Usage> =>
  Effect.gen(function* () {
    const fail = (message: string) => new Usage({ message })
    if (isFolder(file)) {
      const prefix = file === "." ? "" : `${escapePath(asPattern(file)).replace(/\/+$/, "")}/`
      const paths = yield* search(
        endings.map((ending) => `${prefix}**/*${ending}`),
        exclusions
      )
      if (paths.length === 0) {
        return yield* fail(`${file} holds no file of a format that is known: name files, and their --format.`)
      }
      return paths.map((path) => ({ path: shown(path), folder: folderBelow(path, file), isNamed: false }))
    }
    if (existsSync(file)) {
      return [{ path: shown(file), folder: folderBelow(file, dirname(file)), isNamed: true }]
    }
    if (!isDynamicPattern(asPattern(file))) {
      return yield* fail(`${file} is not there: check its name, and the folder that you are in.`)
    }
    const paths = yield* search(asPattern(file), exclusions)
    if (paths.length === 0) return yield* fail(`No file matches ${file}.`)
    return paths.map((path) => ({
      path: shown(path),
      folder: folderBelow(path, dirname(path)),
      isNamed: false
    }))
  })

/** Whether a file that a folder or a pattern holds is a translation of another one. */
const isTranslation = (
  all: ReadonlyArray<Found>,
  plan: SharedPlan,
  outputOf: OutputOf,
  remembered: ReadonlySet<string>
) => {
  const { from, targets } = plan
  const isSourceLanguage = (language: string) =>
    from !== undefined && LanguageCode.base(language) === LanguageCode.base(from)
  const patterns = new Set<string>()
  const outputs = new Set<string>()
  for (const source of all) {
    const place = outputPath.placeOf(source.path, from)
    if (place !== undefined && isSourceLanguage(place.language)) patterns.add(place.pattern)
    for (const target of targets) {
      const output = outputOf(source)(target)
      if (output !== source.path) outputs.add(output)
    }
  }
  return ({ isNamed, path }: Found): boolean => {
    if (isNamed) return false
    if (remembered.has(resolve(path))) return true
    const place = outputPath.placeOf(path, from)
    if (place === undefined) return outputs.has(path)
    return (
      !isSourceLanguage(place.language) && (targets.includes(place.language) || patterns.has(place.pattern))
    )
  }
}

/** Two files that have the same outputs, since they are the same in two languages. */
const twins = (
  sources: ReadonlyArray<Found>,
  from: string | undefined
): readonly [string, string] | undefined => {
  const byPattern = new Map<string, string>()
  for (const { path } of sources) {
    const pattern = outputPath.placeOf(path, from)?.pattern
    if (pattern === undefined) continue
    const other = byPattern.get(pattern)
    if (other !== undefined) return [other, path]
    byPattern.set(pattern, path)
  }
  return undefined
}

type OutputOf = (source: outputPath.Source) => (targetLang: string) => string

/** What is to be translated. */
export interface Inputs {
  readonly sources: ReadonlyArray<outputPath.Source>
  readonly outputOf: OutputOf
  /** Files that folders and patterns hold, and that are translations themselves. */
  readonly leftOut: ReadonlyArray<string>
}

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

/** Finds the files of a plan, each once, in the order of their names. */
export const make = (plan: SharedPlan): Effect.Effect<Inputs, Usage, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    if (isPipe(plan))
      return {
        sources: [],
        outputOf:
          ({ path }) =>
          () =>
            path,
        leftOut: []
      }
    const exclusions = plan.files.filter((file) => file.startsWith("!")).map((file) => file.slice(1))
    const wanted = plan.files.filter((file) => !file.startsWith("!"))
    const found = new Map<string, Found>()
    for (const file of wanted) {
      for (const one of yield* find(file, exclusions)) {
        const other = found.get(one.path)
        if (other === undefined || !other.isNamed) found.set(one.path, one)
      }
    }
    const all = eachOnce([...found.values()]).toSorted((a, b) => (a.path < b.path ? -1 : 1))
    const document = all.find(({ path }) => isDocument.test(path))
    if (document !== undefined) {
      return yield* new Usage({
        message: `${document.path} is a document: translate it with effect-translate document translate.`
      })
    }
    const outputs = { ...plan, isFolder }
    const problem = outputPath.problemOf(outputs, all.length * plan.targets.length)
    if (problem !== undefined) return yield* new Usage({ message: problem })
    const outputOf = outputPath.make(outputs)
    const isOutput = isTranslation(all, plan, outputOf, new Set(yield* JobSource.outputsIn(stateFolder)))
    const sources = all.filter((source) => !isOutput(source))
    if (sources.length === 0) {
      return yield* new Usage({
        message: `${wanted.join(" ")} holds translations only: name their source.`
      })
    }
    const same = twins(sources, plan.from)
    if (same !== undefined) {
      return yield* new Usage({
        message: `${same.join(" and ")} are the same file in two languages: name the source only, or say with --from which one it is.`
      })
    }
    return { sources, outputOf, leftOut: all.filter(isOutput).map(({ path }) => path) }
  })
