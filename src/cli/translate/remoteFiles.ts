/** Addresses on the command line: which objects patterns name, and what reads and writes them. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Address from "../../storage/Address.js"
import * as Storage from "../../storage/Storage.js"
import { Usage } from "../failure.js"
import type { Found } from "../findFiles.js"

/** Whether what is named on a command line is an address; `!` leaves it out. */
export const isRemote = (file: string): boolean => Address.isAddress(file.replace(/^!/, ""))

/** What a pattern stands for: `*` and `?` within a name, `**` for folders as well. */
const regExpOf = (pattern: string): RegExp => {
  const source = pattern
    .replace(/[.+^$()|[\]\\{}]/g, "\\$&")
    .replace(/\*\*\/?|\*|\?/g, (found) =>
      found === "**/" ? "(?:.*/)?" : found === "**" ? ".*" : found === "*" ? "[^/]*" : "[^/]"
    )
  return new RegExp(`^${source}$`, "s")
}

/** What of an address stands before its pattern. */
const prefixOf = (pattern: string): string => /^[^*?]*/.exec(pattern)![0]

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

/** The objects that an address names: itself, those below a folder, or those of a pattern. */
const find = (address: string, endings: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const isS3 = Address.isObject(address)
    const pattern = isS3 && address.endsWith("/") ? `${address}**` : address
    if (!isS3 || !/[*?]/.test(pattern)) {
      return [
        { path: Address.shown(address), address, folder: "", isNamed: true }
      ] satisfies ReadonlyArray<Found>
    }
    const { list } = yield* Storage.Storage
    const prefix = prefixOf(pattern)
    const root = folderOf(prefix)
    const matches = regExpOf(pattern)
    const isWanted = (path: string) =>
      matches.test(path) && (pattern === address || endings.some((ending) => path.endsWith(ending)))
    const found = yield* list(prefix).pipe(
      Stream.filter(({ address }) => isWanted(address)),
      Stream.map(
        ({ address }): Found => ({
          path: address,
          address,
          folder: folderOf(address.slice(root.length)).replace(/\/$/, ""),
          isNamed: false
        })
      ),
      Stream.runCollect,
      Effect.mapError(({ message }) => new Usage({ message }))
    )
    const all = Array.from(found)
    return all.length === 0 ? yield* new Usage({ message: `No object matches ${address}.` }) : all
  })

/** All objects and addresses that are named, each once. */
export const findAll = (
  files: ReadonlyArray<string>,
  endings: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Found>, Usage> =>
  Effect.gen(function* () {
    const exclusions = files.filter((file) => file.startsWith("!")).map((file) => regExpOf(file.slice(1)))
    const found = new Map<string, Found>()
    for (const file of files) {
      if (file.startsWith("!")) continue
      for (const one of yield* find(file, endings)) {
        if (!exclusions.some((excluded) => excluded.test(one.path))) found.set(one.path, one)
      }
    }
    return [...found.values()]
  })

interface Named {
  readonly files: ReadonlyArray<string>
  readonly out: string | undefined
  readonly sources: ReadonlyArray<string>
}

/** What is wrong with `--sources`. */
export const sourcesProblem = (sources: ReadonlyArray<string>): string | undefined => {
  const problem = Address.prefixesProblem(sources)
  return problem === undefined ? undefined : `--sources: ${problem}`
}

/** What reads and writes addresses. It is loaded for those alone. */
export const storage = (sources: ReadonlyArray<string>) =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("../../runtime/NodeStorage.js")),
      ({ layerConfig }) => layerConfig({ sources })
    )
  )

/** Gives a command what its addresses take. */
export const provided =
  ({ files, out, sources }: Named) =>
  <A, E, R>(
    self: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | ConfigError, R | FileSystem.FileSystem | Path.Path> =>
    [...files, ...(out === undefined ? [] : [out])].some(isRemote)
      ? Effect.provide(self, storage(sources))
      : self
