/** Which files are translated: those that are named, and those that folders and patterns hold. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Compression from "../../format/Compression.js"
import type { Format } from "../../format/Format.js"
import * as Formats from "../../format/Formats.js"
import * as OutputPath from "../../format/OutputPath.js"
import type { StorageUnavailable } from "../../job/FileSourceError.js"
import * as JobOptions from "../../job/JobOptions.js"
import * as JobSource from "../../job/JobSource.js"
import type { LeftOut } from "../discovery/leftOut.js"
import * as sourcesAmong from "../discovery/sourcesAmong.js"
import { type Usage, usage } from "../failure.js"
import { type Findings, type Found, findFiles } from "../findFiles.js"
import { isFolder } from "../namedFiles.js"
import { Settings } from "../settings/settings.js"
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

const asDocument = (one: LeftOut): LeftOut =>
  one.reason === "unknownEnding" && isDocument.test(one.path) ? { ...one, reason: "document" } : one

/** Two files that have the same outputs, since they are the same in two languages. */
const twins = (
  sources: ReadonlyArray<Found>,
  from: string | undefined
): readonly [string, string] | undefined => {
  const byPattern = new Map<string, string>()
  for (const { path } of sources) {
    const pattern = OutputPath.placeOf(path, from)?.pattern
    if (pattern === undefined) continue
    const other = byPattern.get(pattern)
    if (other !== undefined) return [other, path]
    byPattern.set(pattern, path)
  }
  return undefined
}

/** A file that is translated. */
export interface Source extends OutputPath.Source {
  /** The address, if it is one. It may hold a signature. */
  readonly address?: string | undefined
}

type OutputOf = (source: Source) => (targetLang: string) => string

/** The sources to translate. */
export interface Inputs {
  readonly sources: ReadonlyArray<Source>
  readonly outputOf: OutputOf
  readonly leftOut: ReadonlyArray<LeftOut>
}

/** Finds the files of a plan, each once, in the order of their names. */
export const make = (
  plan: SharedPlan
): Effect.Effect<Inputs, Usage | StorageUnavailable, Settings | FileSystem.FileSystem | Path.Path> =>
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
    const { root, stateFolder } = yield* Settings
    const [local, remote] = Arr.partition(plan.files, remoteFiles.isRemote)
    const nothing: Findings = { found: [], leftOut: [] }
    const files =
      local.length === 0
        ? nothing
        : yield* findFiles(local, {
            endings,
            stateFolder,
            nothingIn: (folder) =>
              `${folder} holds no file of a format that is known: name files, and their --format.`
          })
    const objects = remote.length === 0 ? nothing : yield* remoteFiles.findAll(remote, endings)
    const all = [...files.found, ...objects.found]
    const leftOut = [...files.leftOut, ...objects.leftOut].map(asDocument)
    const document = all.find(({ path }) => isDocument.test(path))
    if (document !== undefined) {
      return yield* usage(
        `${document.path} is a document: translate it with effect-translate document translate.`
      )
    }
    const outputs = { ...plan, isFolder }
    const count = all.reduce(
      (sum, { path }) => sum + (OutputPath.isOfColumns(path) ? 1 : plan.languages.length),
      0
    )
    const problem = OutputPath.problemOf(outputs, count)
    if (problem !== undefined) return yield* usage(`--out ${problem}`)
    const names = new Map(
      plan.targets.map(JobOptions.canonical).map(({ lang, name }) => [lang as string, name])
    )
    const pathOf = OutputPath.outputOf(outputs)
    const outputOf: OutputOf = (source) => {
      const path = pathOf(source)
      return (lang) => path(lang, names.get(lang))
    }
    const sorted = yield* sourcesAmong.make(
      { found: all, leftOut },
      { ...plan, targets: plan.languages, outputOf, records: yield* JobSource.outputsIn(stateFolder, root) }
    )
    const sources = sorted.found
    const same = twins(sources, plan.from)
    if (same !== undefined) {
      return yield* usage(
        `${same.join(" and ")} are the same file in two languages: name the source only, or say with --from which one it is.`
      )
    }
    return { sources, outputOf, leftOut: sorted.leftOut }
  })
