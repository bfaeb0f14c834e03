/** Which files are translated: those that are named, and those that folders and patterns hold. */
import { resolve } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Compression from "../../format/Compression.js"
import type { Format } from "../../format/Format.js"
import * as Formats from "../../format/Formats.js"
import * as JobSource from "../../job/JobSource.js"
import * as Address from "../../storage/Address.js"
import { Usage } from "../failure.js"
import { type Found, findFiles } from "../findFiles.js"
import { isFolder } from "../namedFiles.js"
import { stateFolder } from "../stateFolder.js"
import * as outputPath from "./outputPath.js"
import * as remoteFiles from "./remoteFiles.js"
import { isPipe, type SharedPlan } from "./translateOptions.js"

const endingsOf = ({ extensions, isStreamed }: Format) =>
  isStreamed === true
    ? extensions.flatMap((extension) => [
        extension,
        ...Compression.all.map(({ ending }) => `${extension}${ending}`)
      ])
    : extensions

const endings = [...new Set(Formats.all.flatMap(endingsOf))]

/** Formats that documents have, which the service translates as a whole. */
const isDocument = /\.(docx?|pptx|xlsx|pdf)$/i

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
    if (remembered.has(Address.isAddress(path) ? path : resolve(path))) return true
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
    const [local, remote] = Arr.partition(plan.files, remoteFiles.isRemote)
    const files =
      local.length === 0
        ? []
        : yield* findFiles(local, {
            endings,
            nothingIn: (folder) =>
              `${folder} holds no file of a format that is known: name files, and their --format.`
          })
    const all = [...files, ...(yield* remoteFiles.findAll(remote, endings))]
    const document = all.find(({ path }) => isDocument.test(path))
    if (document !== undefined) {
      return yield* new Usage({
        message: `${document.path} is a document: translate it with effect-translate document translate.`
      })
    }
    const outputs = { ...plan, isFolder }
    const count = all.reduce(
      (sum, { path }) => sum + (outputPath.isOfColumns(path) ? 1 : plan.targets.length),
      0
    )
    const problem = outputPath.problemOf(outputs, count)
    if (problem !== undefined) return yield* new Usage({ message: problem })
    const outputOf = outputPath.make(outputs)
    const isOutput = isTranslation(all, plan, outputOf, new Set(yield* JobSource.outputsIn(stateFolder)))
    const sources = all.filter((source) => !isOutput(source))
    if (sources.length === 0) {
      return yield* new Usage({
        message: `${plan.files
          .filter((file) => !file.startsWith("!"))
          .map(Address.shown)
          .join(" ")} holds translations only: name their source.`
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
