/** Addresses on the command line: the objects that patterns name, and the storage that reads and writes them. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as FileSourceError from "../../job/FileSourceError.js"
import * as Address from "../../storage/Address.js"
import * as Storage from "../../storage/Storage.js"
import type { LeftOut } from "../discovery/leftOut.js"
import { type Usage, usage } from "../failure.js"
import type { Findings, Found } from "../findFiles.js"

/** True if a name on a command line is an address; `!` leaves it out. */
export const isRemote = (file: string): boolean => Address.isAddress(file.replace(/^!/, ""))

/** The expression of a pattern: `*` and `?` within a name, `**` for folders as well. */
const regExpOf = (pattern: string): RegExp => {
  const source = pattern
    .replace(/[.+^$()|[\]\\{}]/g, "\\$&")
    .replace(/\*\*\/?|\*|\?/g, (found) =>
      found === "**/" ? "(?:.*/)?" : found === "**" ? ".*" : found === "*" ? "[^/]*" : "[^/]"
    )
  return new RegExp(`^${source}$`, "s")
}

/** The part of an address before its pattern. */
const prefixOf = (pattern: string): string => /^[^*?]*/.exec(pattern)![0]

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

/** The objects that an address names: itself, those below a folder, or those of a pattern. */
const find = (
  address: string,
  endings: ReadonlyArray<string>
): Effect.Effect<Findings, Usage | FileSourceError.StorageUnavailable> =>
  Effect.gen(function* () {
    const isS3 = Address.isObject(address)
    const pattern = isS3 && address.endsWith("/") ? `${address}**` : address
    if (!isS3 || !/[*?]/.test(pattern)) {
      return { found: [{ path: Address.shown(address), address, folder: "", isNamed: true }], leftOut: [] }
    }
    const { list } = yield* Storage.Storage
    const prefix = prefixOf(pattern)
    const root = folderOf(prefix)
    const matches = regExpOf(pattern)
    const found: Array<Found> = []
    const leftOut: Array<LeftOut> = []
    yield* list(prefix).pipe(
      Stream.filter(({ address }) => matches.test(address)),
      Stream.runForEach(({ address: path }) =>
        Effect.sync(() => {
          if (pattern !== address && !endings.some((ending) => path.endsWith(ending))) {
            leftOut.push({ path, reason: "unknownEnding" })
            return
          }
          const folder = folderOf(path.slice(root.length)).replace(/\/$/, "")
          found.push({ path, address: path, folder, isNamed: false })
        })
      ),
      Effect.mapError(
        (error) => FileSourceError.unavailable(Address.shown(address), error) ?? usage(error.message)
      )
    )
    return found.length === 0 ? yield* usage(`No object matches ${address}.`) : { found, leftOut }
  })

/** Returns a predicate of the addresses that `!` and an address leave out: the same, one of its pattern, or one in its folder. */
const excludes = (exclusion: string): ((found: Found) => boolean) => {
  const pattern = regExpOf(exclusion.endsWith("/") ? `${exclusion}**` : exclusion)
  return ({ address, path }) => address === exclusion || pattern.test(path)
}

/** All objects and addresses that are named, each once, and the ones left out. */
export const findAll = (
  files: ReadonlyArray<string>,
  endings: ReadonlyArray<string>
): Effect.Effect<Findings, Usage | FileSourceError.StorageUnavailable> =>
  Effect.gen(function* () {
    const exclusions = files.filter((file) => file.startsWith("!")).map((file) => excludes(file.slice(1)))
    const all = new Map<string, Found>()
    const leftOut = new Map<string, LeftOut>()
    for (const file of files) {
      if (file.startsWith("!")) continue
      const findings = yield* find(file, endings)
      for (const one of findings.leftOut) leftOut.set(one.path, one)
      for (const one of findings.found) {
        if (exclusions.some((isExcluded) => isExcluded(one)))
          leftOut.set(one.path, { path: one.path, reason: "excluded" })
        else all.set(one.path, one)
      }
    }
    return {
      found: [...all.values()],
      leftOut: [...leftOut.values()].filter(({ path }) => !all.has(path))
    }
  })

interface Named {
  readonly files: ReadonlyArray<string>
  readonly out: string | undefined
  readonly sources: ReadonlyArray<string>
}

/** The problem of `--sources`. */
export const sourcesProblem = (sources: ReadonlyArray<string>): string | undefined => {
  const problem = Address.prefixesProblem(sources)
  return problem === undefined ? undefined : `--sources: ${problem}`
}

/** The storage that reads and writes addresses. It is loaded for those alone. */
export const storage = (sources: ReadonlyArray<string>) =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("../../runtime/NodeStorage.js")),
      ({ layerConfig }) => layerConfig({ sources })
    )
  )

/** Provides a command with the storage of its addresses. */
export const provided =
  ({ files, out, sources }: Named) =>
  <A, E, R>(
    self: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | ConfigError, R | FileSystem.FileSystem | Path.Path> =>
    [...files, ...(out === undefined ? [] : [out])].some(isRemote)
      ? Effect.provide(self, storage(sources))
      : self
