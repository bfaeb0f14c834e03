import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { isMissing, syncFolder } from "../../internal/files.js"
import { encoder } from "../../internal/utf8.js"
import * as Address from "../../storage/Address.js"
import { StateUnusable } from "../FileSourceError.js"
import { Manifest } from "./manifest.js"
import { OnlyPlaceholders } from "./sourceContract.js"

/** What a whole output was made of, of which nothing was left to do or to tell: see `upToDate`. */
const Made = Schema.Struct({
  /** What tells the bytes of the source: of an object its version, or else their hash. */
  source: Schema.String,
  /** The hash of all else. */
  settings: Schema.String,
  /** The hash of the options among it. */
  options: Schema.String,
  /** The revision of the corrections of the store. */
  corrections: Schema.optional(Schema.String),
  /** What the next run says of its texts. */
  texts: Schema.Struct({ cached: Schema.Number, skipped: Schema.Number }),
  byPersons: Schema.optional(Schema.Number),
  onlyPlaceholders: Schema.optional(OnlyPlaceholders)
})

export interface Made extends Schema.Schema.Type<typeof Made> {}

/** What is remembered of an output: the hash of its bytes, what it was made of, and which of its units is whose. */
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
  new StateUnusable({ path, reason: error.message })

const ending = ".json"

/** What a segment of a path is called in the folder of states. */
const segment = (name: string): string =>
  name === ".." ? "%2E%2E" : name.replaceAll(/[%:]/g, encodeURIComponent)

/** The file of what is remembered of an output in a language. Outputs are known by their paths from the folder that holds the states. */
export const pathOf = (
  folder: string,
  targetLang: string,
  output: string
): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, ({ dirname, join, relative, resolve, sep }) => {
    const place = Address.isAddress(output)
      ? output.split(/\/+/)
      : relative(dirname(resolve(folder)), resolve(output)).split(sep)
    return join(folder, targetLang, ...place.map(segment)).concat(ending)
  })

/** What a segment of the folder of states is called in a path: the other way round. */
const nameOf = (segment: string): string => segment.replaceAll(/%(?:25|3A|2E)/g, decodeURIComponent)

/** The addresses and absolute paths of the outputs whose states a folder holds; none if there is no such folder. */
export const outputsIn = (
  folder: string
): Effect.Effect<ReadonlyArray<string>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { dirname, resolve, sep } = yield* Path.Path
    const files = yield* fs.readDirectory(folder, { recursive: true })
    return files.flatMap((file) => {
      const [, ...place] = file.split(sep)
      if (place.length === 0 || !file.endsWith(ending)) return []
      const [first = "", ...rest] = place.map(nameOf)
      const path =
        first === "s3:" ? `s3://${rest.join("/")}` : resolve(dirname(resolve(folder)), first, ...rest)
      return [path.slice(0, -ending.length)]
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
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { dirname } = yield* Path.Path
    // Another process may have written the same output at the same time.
    yield* Effect.catchIf(fs.rename(next(path), path), isMissing, () => Effect.void)
    yield* syncFolder(dirname(path))
  }).pipe(Effect.mapError(unusable(path)))

/**
 * What is remembered of an output. If a process has ended between the writing of a state and that of its output, the hash of the output
 * says which state is true.
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
      () => new StateUnusable({ path, reason: "damaged, or of a newer version" })
    )
  })

/** Checks that a state can be written. */
export const prepare = (path: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { dirname } = yield* Path.Path
    yield* fs.makeDirectory(dirname(path), { recursive: true })
    yield* fs.access(dirname(path), { writable: true })
  }).pipe(Effect.mapError(unusable(path)))

/** Whether both say the same. */
export const areSame = (first: FileState, second: FileState | undefined): boolean =>
  second !== undefined && first.written === second.written && encode(first) === encode(second)

/** Writes the state of an output that is about to get its name. */
export const write = (path: string, state: FileState) =>
  Effect.scoped(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = yield* fs.open(next(path), { flag: "w" })
      yield* file.writeAll(encoder.encode(`${encode(state)}\n`))
      yield* file.sync
    })
  ).pipe(Effect.mapError(unusable(path)))
