import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Compression from "../../format/Compression.js"
import type { Format } from "../../format/Format.js"
import { controlReason, hasControls } from "../../internal/controlCharacters.js"
import {
  areSame,
  discard,
  draftFor,
  hashOfAll,
  hashOf as hashOfFile,
  isFull,
  isMissing,
  prepareFolderOf,
  syncFolderOf,
  writeNew
} from "../../internal/files.js"
import { makeByteHash } from "../../internal/hash.js"
import { reasonWithCode } from "../../internal/systemCauses.js"
import * as Address from "../../storage/Address.js"
import * as Storage from "../../storage/Storage.js"
import type { StorageError } from "../../storage/StorageError.js"
import {
  OutputAltered,
  OutputIsSource,
  OutputTaken,
  OutputUnusable,
  type StorageUnavailable,
  unavailable
} from "../FileSourceError.js"
import type { NamedLanguage, TargetOptions } from "./contract.js"
import * as recordFiles from "./recordFiles.js"
import * as recordPlaces from "./recordPlaces.js"
import * as remote from "./remoteFile.js"

/** The facts about a file that exists. */
export type Info = FileSystem.File.Info | Storage.Opened

const isRemote = (info: Info): info is Storage.Opened => "version" in info

type Failure = PlatformError.PlatformError | StorageError

/** Where the translation of a file goes. */
export interface Output {
  readonly targetLang: string
  /** As it is called in reports. */
  readonly name: string
  /** The file itself: behind a link, its target. */
  readonly path: string
  /** The file of the output when it was checked. */
  readonly existing: Info | undefined
  /** The hash of its bytes, as they were when it was asked for first. */
  readonly hash: Effect.Effect<string | undefined, OutputUnusable | StorageUnavailable, FileSystem.FileSystem>
  readonly record: recordPlaces.Located
  readonly state: recordFiles.FileState | undefined
}

/** Options for finding and keeping outputs. */
export interface Options extends recordPlaces.Place {
  /** Its address, or its path from the root. */
  readonly source: string
  readonly outputOf: (targetLang: string, name?: string) => string
  readonly existing: "keep" | "overwrite"
}

/** The facts about a file, if it exists. */
export const infoOf = (path: string): Effect.Effect<Info | undefined, Failure, FileSystem.FileSystem> =>
  Address.isAddress(path)
    ? remote.infoOf(path)
    : Effect.flatMap(FileSystem.FileSystem, (fs) =>
        Effect.catchIf(fs.stat(path), isMissing, () => Effect.succeed(undefined))
      )

/** True if a file is as it was. */
export const isAsBefore = (before: Info | undefined, now: Info | undefined): boolean => {
  if (before === undefined || now === undefined) return before === now
  if (isRemote(before) || isRemote(now)) {
    return isRemote(before) && isRemote(now) && before.version === now.version
  }
  return areSame(before, now) && before.size === now.size && Equal.equals(before.mtime, now.mtime)
}

/** The error of an output that the file system, or its store of objects, refuses. */
export const unusable =
  (output: string) =>
  (error: Failure): OutputUnusable | StorageUnavailable => {
    if (error._tag !== "StorageError")
      return new OutputUnusable({ output, reason: reasonWithCode(error), isFull: isFull(error) })
    return unavailable(output, error) ?? new OutputUnusable({ output, reason: error.detail })
  }

/** The content of an existing output. */
export const read = ({ existing, name, path }: Output) =>
  Effect.mapError(
    existing !== undefined && isRemote(existing)
      ? existing.read(0, existing.size)
      : Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFile(path)),
    unusable(name)
  )

const hashOf = (path: string): Effect.Effect<string, Failure, FileSystem.FileSystem> =>
  Address.isAddress(path)
    ? Effect.flatMap(
        Effect.flatMap(Storage.Storage, ({ open }) => open(path)),
        ({ bytes }) => hashOfAll(bytes)
      )
    : hashOfFile(path)

/** Fails if an output has no place in a bucket. Its name is one of the folder of states too. */
const prepareObject = ({ name: output, path }: Output) =>
  Effect.flatMap(Effect.mapError(Address.parse(path), unusable(output)), ({ key }) =>
    key.split("/").includes("")
      ? new OutputUnusable({
          output,
          reason: "its key has two slashes behind each other, or begins with one"
        })
      : Effect.void
  )

/** Fails if a folder can't be written. Makes it if there is none. */
const prepareFolder = ({ existing, name: output, path }: Output) =>
  Effect.flatMap(Effect.all([FileSystem.FileSystem, Path.Path]), ([fs, { sep }]) => {
    const type = existing === undefined || isRemote(existing) ? "File" : existing.type
    if (output.endsWith("/") || output.endsWith(sep) || type === "Directory") {
      return new OutputUnusable({ output, reason: "it is a folder" })
    }
    // A renaming would replace a device or a pipe.
    if (type !== "File") return new OutputUnusable({ output, reason: "it is no regular file" })
    return prepareFolderOf(path).pipe(
      // A renaming would replace it all the same.
      Effect.zipRight(existing === undefined ? Effect.void : fs.access(path, { writable: true })),
      Effect.mapError(unusable(output))
    )
  })

/** An output, the languages that go into it, by their places among those of the job, and `true` if it is the source. */
export interface Found {
  readonly output: Output
  readonly languages: ReadonlyArray<number>
  readonly isSource: boolean
}

/** Where an output is: behind links. */
const pathOf = (name: string) =>
  Address.isAddress(name)
    ? Effect.succeed(name)
    : Effect.flatMap(FileSystem.FileSystem, (fs) => fs.realPath(name)).pipe(
        Effect.catchIf(
          (error) => error._tag !== "SystemError" || error.reason !== "PermissionDenied",
          () => absolute(name)
        ),
        Effect.mapError(unusable(name))
      )

/** The address of a source, or its path from the root. */
export const absolute = (path: string): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, ({ resolve }) => (Address.isAddress(path) ? path : resolve(path)))

/** The language of a translation, and its name in paths. */
export const namedOf = ({ name, options }: TargetOptions): NamedLanguage => ({
  lang: LanguageCode.canonical(options.targetLang),
  name
})

/** The output in a language, whose state is stored under that language, or under the code of several. */
export const find = (
  { lang: targetLang, name: languageName }: NamedLanguage,
  source: Info | undefined,
  format: Format,
  options: Options,
  remembered: string = targetLang
) =>
  Effect.gen(function* () {
    const name = options.outputOf(targetLang, languageName)
    if (hasControls(name)) return yield* new OutputUnusable({ output: name, reason: controlReason })
    if (format.isStreamed !== true && Compression.ofPath(name).compression !== undefined) {
      return yield* new OutputUnusable({
        output: name,
        reason: `a file of the format ${format.name} is written as a whole, and is not compressed`
      })
    }
    const path = yield* pathOf(name)
    const existing = yield* Effect.mapError(infoOf(path), unusable(name))
    const isSource =
      options.source === path ||
      (existing !== undefined &&
        source !== undefined &&
        !isRemote(existing) &&
        !isRemote(source) &&
        areSame(existing, source))
    if (isSource && (!format.isBilingual || format.isStreamed === true)) {
      return yield* new OutputIsSource({ output: name, targetLang })
    }
    const record = yield* recordPlaces.locate(options, remembered, { output: name, source: options.source })
    const hashOfBytes =
      existing === undefined ? undefined : yield* Effect.cached(Effect.mapError(hashOf(path), unusable(name)))
    const state = yield* recordFiles.load(record, hashOfBytes)
    const isKnown = existing !== undefined && isRemote(existing) && existing.version === state?.object
    const hash = isKnown ? Effect.succeed(state.written) : (hashOfBytes ?? Effect.succeed(undefined))
    return { output: { targetLang, name, path, existing, hash, record, state }, isSource }
  })

/**
 * The outputs of a file. Only a file that holds texts and translations is its own output, also in several languages. Fails if two have one
 * path.
 */
export const findAll = (
  targets: ReadonlyArray<NamedLanguage>,
  source: Info | undefined,
  format: Format,
  options: Options
) =>
  Effect.forEach(targets, (target, index) =>
    Effect.map(find(target, source, format, options), (one): Found => ({ ...one, languages: [index] }))
  ).pipe(
    Effect.tap((found) => {
      const known = new Map<string, Found>()
      for (const one of found) {
        const { name, path, targetLang } = one.output
        const other = known.get(path)
        if (other !== undefined && !(one.isSource && other.output.targetLang !== targetLang)) {
          return new OutputTaken({ output: name, targets: [other.output.targetLang, targetLang] })
        }
        known.set(path, one)
      }
      return Effect.void
    })
  )

/** Fails if an output can't be written, or must not be. Makes missing folders. */
export const check = (output: Output, format: Format, { existing }: Options, hasStore: boolean) => {
  const isUpdated = format.isStreamed !== true && format.columnar === undefined
  const isCompared = format.rows !== undefined && hasStore
  const mayDiffer = isUpdated || isCompared || existing === "overwrite" || output.existing === undefined
  const isOfOther = !isUpdated && output.state?.units !== undefined && output.existing !== undefined
  const isAsWritten = Effect.flatMap(output.hash, (hash) =>
    hash === output.state?.written
      ? Effect.void
      : new OutputAltered({
          output: output.name,
          meanwhile: false,
          why: format.rows === undefined ? undefined : "store"
        })
  )
  return (Address.isAddress(output.path) ? prepareObject(output) : prepareFolder(output)).pipe(
    Effect.zipRight(recordFiles.prepare(output.record)),
    Effect.zipRight(
      isOfOther && existing !== "overwrite"
        ? new OutputAltered({ output: output.name, meanwhile: false, why: "format" })
        : mayDiffer
          ? Effect.void
          : isAsWritten
    )
  )
}

/** Bytes as they are written, compressed if the ending of the name asks for it. */
const compressed =
  (output: string) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E | OutputUnusable, R> => {
    const { compression } = Compression.ofPath(output)
    return compression === undefined
      ? bytes
      : Stream.mapError(compression.compress(bytes), (error) =>
          Compression.isCompressionError(error)
            ? new OutputUnusable({ output, reason: error.message })
            : error
        )
  }

/** An output that has no name yet. */
export interface Draft {
  readonly hash: string
  readonly size: number
  /** Gives it its name, in place of an existing output. The version of an object. */
  readonly publish: (
    existing: Info | undefined
  ) => Effect.Effect<
    string | undefined,
    OutputUnusable | StorageUnavailable,
    FileSystem.FileSystem | Path.Path
  >
}

const draftFile = <E, R>(
  output: Output,
  bytes: Stream.Stream<Uint8Array, E, R>,
  onBytes: (bytes: Uint8Array) => void
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Effect.acquireRelease(draftFor(output.path), discard)
    const asUnusable = unusable(output.name)
    yield* writeNew(path, bytes, asUnusable, { onBytes })
    const publish: Draft["publish"] = (existing) =>
      Effect.gen(function* () {
        if (existing !== undefined && !isRemote(existing)) {
          yield* Effect.ignore(fs.chmod(path, existing.mode & 0o777))
        }
        yield* Effect.mapError(fs.rename(path, output.path), asUnusable)
        yield* syncFolderOf(output.path)
        return undefined
      })
    return publish
  })

const draftObject = <E, R>(
  { name, path }: Output,
  bytes: Stream.Stream<Uint8Array, E, R>,
  onBytes: (bytes: Uint8Array) => void
) => {
  const observed = Stream.map(bytes, (piece) => {
    onBytes(piece)
    return piece
  })
  return Effect.map(
    remote.draft(path, observed, unusable(name)),
    (publish): Draft["publish"] =>
      () =>
        publish
  )
}

/** Writes a new file beside the output, and syncs it; or sends an object. It is gone with its scope, unless it was published. */
export const draft = <E, R>(output: Output, bytes: Stream.Stream<Uint8Array, E, R>) =>
  Effect.gen(function* () {
    const { digest, update } = makeByteHash()
    let size = 0
    const observe = (piece: Uint8Array) => {
      update(piece)
      size += piece.length
    }
    const written = compressed(output.name)(bytes)
    const publish = yield* Address.isAddress(output.path)
      ? draftObject(output, written, observe)
      : draftFile(output, written, observe)
    return { hash: digest(), size, publish } satisfies Draft
  })

/**
 * Gives a draft the name of its output. An output with the same bytes is left alone, with its times. One that was altered since it
 * was checked fails with `OutputAltered`. The state is written before, so that a process that ends in between leaves both.
 */
export const publish = (
  output: Output,
  { hash, publish, size }: Draft,
  known: Pick<recordFiles.FileState, "failed" | "made" | "onlyHere" | "units">,
  isSource = false
) =>
  Effect.gen(function* () {
    const { made } = known
    // An object that is its own source is the next source, in its version.
    const stateOf = (object: string | undefined): recordFiles.FileState => ({
      written: hash,
      movedFrom: output.state?.movedFrom,
      accepted: output.state?.accepted,
      object,
      ...known,
      made: isSource && made !== undefined ? { ...made, source: object ?? hash } : made
    })
    // The version of an object is not in the record.
    const text = recordFiles.render(output.record, stateOf(undefined))
    const asUnusable = Effect.mapError(unusable(output.name))
    const existing = yield* asUnusable(infoOf(output.path))
    const isAsKnown = isAsBefore(output.existing, existing)
    const isSame =
      existing !== undefined &&
      Number(existing.size) === size &&
      (yield* isAsKnown ? output.hash : asUnusable(hashOf(output.path))) === hash
    if (isSame) {
      const state = stateOf(isRemote(existing) ? existing.version : undefined)
      if (!recordFiles.isSaved(text, state, output.state))
        yield* recordFiles.replace(output.record, text, state)
      return "unchanged" as const
    }
    if (!isAsKnown) {
      return yield* new OutputAltered({ output: output.name, meanwhile: true })
    }
    yield* Effect.uninterruptible(
      Effect.gen(function* () {
        yield* recordFiles.begin(output.record, text)
        const version = yield* publish(existing)
        yield* recordFiles.commit(output.record, text, stateOf(version))
      })
    )
    return "written" as const
  })
