import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Selection } from "../../format/Format.js"
import { isMissing, prepareFolderOf, syncFolderOf } from "../../internal/files.js"
import { reasonWithCode } from "../../internal/systemCauses.js"
import { encoder } from "../../internal/utf8.js"
import * as Address from "../../storage/Address.js"
import { StateUnusable } from "../FileSourceError.js"
import { OnlyPlaceholders } from "./contract.js"
import { Manifest } from "./manifest.js"

/** The ingredients of a whole output, in which no text is left to translate or to report: see `upToDate`. */
const Made = Schema.Struct({
  /** The version of the source's bytes: of an object its version, or else their hash. */
  source: Schema.String,
  /** The hash of all else. */
  settings: Schema.String,
  /** The hash of the options among it. */
  options: Schema.String,
  /** The revision of the corrections of the store. */
  corrections: Schema.optional(Schema.String),
  /** The counts of its texts for the next run. */
  texts: Schema.Struct({ cached: Schema.Number, skipped: Schema.Number }),
  byPersons: Schema.optional(Schema.Number),
  onlyPlaceholders: Schema.optional(OnlyPlaceholders),
  selection: Schema.optional(Selection)
})

export interface Made extends Schema.Schema.Type<typeof Made> {}

/** The state of an output: the hash of its bytes, its ingredients, and the authors of its units. */
const FileState = Schema.Struct({
  version: Schema.Literal(1),
  written: Schema.String,
  /** The version that has these bytes, of an object in a bucket. */
  object: Schema.optional(Schema.String),
  made: Schema.optional(Made),
  manifest: Schema.optional(Manifest)
})

export interface FileState extends Schema.Schema.Type<typeof FileState> {}

const Json = Schema.parseJson(FileState, { space: 2 })
const decode = Schema.decodeEither(Json)
const encode = Schema.encodeSync(Json)

const unusable = (path: string) => (error: PlatformError.PlatformError) =>
  new StateUnusable({ path, reason: reasonWithCode(error) })

const ending = ".json"

/** The name of a path's segment in the folder of states. */
const segment = (name: string): string =>
  name === ".." ? "%2E%2E" : name.replaceAll(/[%:]/g, encodeURIComponent)

/** The folder of states, and the one from which they name outputs, which is the one that holds it unless told otherwise. */
export interface Place {
  readonly stateFolder: string
  readonly stateRoot?: string | undefined
}

const rootOf = ({ dirname, resolve }: Path.Path, { stateFolder, stateRoot }: Place): string =>
  stateRoot === undefined ? dirname(resolve(stateFolder)) : resolve(stateRoot)

/** The file of the state of an output in a language. Outputs are known by their paths from the root. */
export const pathOf = (
  known: Place,
  targetLang: string,
  output: string
): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (paths) => {
    const { join, relative, resolve, sep } = paths
    const folder = known.stateFolder
    const place = Address.isAddress(output)
      ? output.split(/\/+/)
      : relative(rootOf(paths, known), resolve(output)).split(sep)
    return join(folder, targetLang, ...place.map(segment)).concat(ending)
  })

/** The path's segment of a name in the folder of states: the other way round. */
const nameOf = (segment: string): string => segment.replaceAll(/%(?:25|3A|2E)/g, decodeURIComponent)

/** An output whose state a folder holds: its address or absolute path. */
export interface RememberedOutput {
  readonly path: string
  readonly targetLang: string
}

/** The outputs whose states a folder holds; none if there is no such folder. */
export const outputsIn = (
  folder: string,
  stateRoot?: string
): Effect.Effect<ReadonlyArray<RememberedOutput>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const { resolve, sep } = paths
    const root = rootOf(paths, { stateFolder: folder, stateRoot })
    const files = yield* fs.readDirectory(folder, { recursive: true })
    return files.flatMap((file) => {
      const [targetLang = "", ...place] = file.split(sep)
      if (place.length === 0 || !file.endsWith(ending)) return []
      const [first = "", ...rest] = place.map(nameOf)
      const path = first === "s3:" ? `s3://${rest.join("/")}` : resolve(root, first, ...rest)
      return [{ path: path.slice(0, -ending.length), targetLang }]
    })
  }).pipe(Effect.orElseSucceed(() => []))

const next = (path: string): string => `${path}.next`

const read = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(path)).pipe(
    Effect.catchIf(isMissing, () => Effect.succeed(undefined)),
    Effect.mapError(unusable(path))
  )

/** Makes the state that was written last the one that is true. */
export const commit = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    // Another process may have written the same output at the same time.
    Effect.catchIf(fs.rename(next(path), path), isMissing, () => Effect.void)
  ).pipe(Effect.zipRight(syncFolderOf(path)), Effect.mapError(unusable(path)))

/**
 * The state of an output. If a process has ended between the writing of a state and that of its output, the hash of the
 * output says which state is true.
 */
export const load = <E, R>(
  path: string,
  /** `undefined` if there is no output. */
  hashOfOutput: Effect.Effect<string, E, R> | undefined
): Effect.Effect<FileState | undefined, StateUnusable | E, R | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    if (hashOfOutput !== undefined) {
      const begun = yield* read(next(path))
      const state = begun === undefined ? undefined : Either.getOrUndefined(decode(begun))
      // One that is cut was not followed by an output.
      if (state !== undefined && state.written === (yield* hashOfOutput)) {
        yield* commit(path)
        return state
      }
    }
    const json = yield* read(path)
    if (json === undefined) return undefined
    return yield* Either.mapLeft(
      decode(json),
      () =>
        new StateUnusable({
          path,
          reason: /^<<<<<<< /m.test(json)
            ? "it holds a conflict of git: take either side"
            : "damaged, or of a newer version"
        })
    )
  })

/** Checks that a state can be written. */
export const prepare = (path: string) => Effect.mapError(prepareFolderOf(path), unusable(path))

/** True if both are equal. */
export const areSame = (first: FileState, second: FileState | undefined): boolean =>
  second !== undefined && first.written === second.written && encode(first) === encode(second)

/** Writes the state of an output that is about to get its name. */
export const write = (path: string, state: FileState) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.open(next(path), { flag: "w" })).pipe(
    Effect.flatMap((file) => Effect.zipRight(file.writeAll(encoder.encode(`${encode(state)}\n`)), file.sync)),
    Effect.scoped,
    Effect.mapError(unusable(path))
  )
