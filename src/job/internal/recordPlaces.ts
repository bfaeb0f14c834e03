/** Where the state of an output is in the folder of states: it has the name of the output there. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Address from "../../storage/Address.js"

/** The name of a path's segment in the folder of states. */
const segment = (name: string): string =>
  name === ".." ? "%2E%2E" : name.replaceAll(/[%:]/g, encodeURIComponent)

/** The path's segment of a name in the folder of states: the other way round. */
export const nameOf = (segment: string): string => segment.replaceAll(/%(?:25|3A|2E)/g, decodeURIComponent)

/** The folder of states, and the one from which they name outputs, which is the one that holds it unless told otherwise. */
export interface Place {
  readonly stateFolder: string
  readonly stateRoot?: string | undefined
}

/** The files of the state of an output. */
export interface Files {
  /** The record, which is committed. */
  readonly record: string
  /** The record of an output that is about to get its name. */
  readonly next: string
  readonly cache: string
}

/** The place of the state of an output. */
export interface Located {
  readonly files: Files
  readonly place: Place
  readonly targetLang: string
  /** The name of its source in records. */
  readonly source: string
}

export const rootOf = ({ dirname, resolve }: Path.Path, { stateFolder, stateRoot }: Place): string =>
  stateRoot === undefined ? dirname(resolve(stateFolder)) : resolve(stateRoot)

/** The folder from which records name files. */
export const root = (place: Place): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (paths) => rootOf(paths, place))

/** The folder of records in the folder of states, and the folder of the cache. */
export const folders = { records: "records", cache: "cache" }

export const extension = ".jsonl"

/** The name of a file in records: an address, or its path from the root. */
const nameIn = ({ relative, resolve, sep }: Path.Path, root: string, path: string): string =>
  Address.isAddress(path) ? Address.shown(path) : relative(root, resolve(path)).split(sep).join("/")

/** The place of the state of an output in a language. Outputs are known by their paths from the root. */
export const locate = (
  place: Place,
  targetLang: string,
  { output, source }: { readonly output: string; readonly source: string }
): Effect.Effect<Located, never, Path.Path> =>
  Effect.map(Path.Path, (paths) => {
    const { join } = paths
    const { stateFolder } = place
    const root = rootOf(paths, place)
    const names = Address.isAddress(output) ? output.split(/\/+/) : nameIn(paths, root, output).split("/")
    const segments = names.map(segment)
    const record = join(stateFolder, folders.records, targetLang, ...segments).concat(extension)
    const cache = join(stateFolder, folders.cache, targetLang, ...segments)
    return {
      files: { record, next: `${cache}${extension}.next`, cache: `${cache}.json` },
      place,
      targetLang,
      source: nameIn(paths, root, source)
    }
  })
