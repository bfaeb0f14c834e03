import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Compression from "../../format/Compression.js"
import { defaultMaxBytes, type Format, type FormatError } from "../../format/Format.js"
import type { UnknownFormat } from "../../format/Formats.js"
import * as OutputPath from "../../format/OutputPath.js"
import * as files from "../../internal/files.js"
import { makeByteHash } from "../../internal/hash.js"
import type { RandomAccess } from "../../internal/randomAccess.js"
import { reasonWithCode } from "../../internal/systemCauses.js"
import * as Address from "../../storage/Address.js"
import { type FileSourceError, type ReadError, SourceChanged, SourceUnreadable } from "../FileSourceError.js"
import type { Options } from "./fileOptions.js"
import * as outputs from "./outputFiles.js"
import * as remote from "./remoteFile.js"

/**
 * Finds the format of a file by its path and its beginning: `Formats.detect`, or a function that calls it with other formats than all.
 *
 * @since 0.1.0
 * @category models
 */
export type Detect = (file: {
  readonly path: string
  readonly head: string
}) => Either.Either<Format, UnknownFormat>

/**
 * Where a file is, and where its translations go.
 *
 * @since 0.1.0
 * @category models
 */
export interface FileOptions extends Pick<Options, "maxFileBytes" | "useContext"> {
  /**
   * The source: a local file, or an address such as `s3://bucket/key`, which takes a layer of `Storage`. One that ends in
   * `.gz`, `.br` or `.zst` is decompressed; an output with such an ending is compressed.
   */
  readonly path: string
  /** The version of an address, as its service names it; another one fails as `SourceChanged`. @default the one that is there */
  readonly version?: string | undefined
  /** The format, or a function that finds it by the path without such an ending. A compressed file is of one that streams. */
  readonly format: Format | Detect
  /**
   * The path of the output in a language, or a pattern such as `locales/{lang}.json` or `s3://bucket/{lang}.json`. Missing
   * folders are made. A file that holds texts and translations side by side, and does not stream, may be its own output.
   */
  readonly output: OutputPath.Pattern | ((targetLang: string, name?: string) => string)
  /**
   * The treatment of an output that exists. `keep`: a person's texts in it stay, and only missing and changed ones are
   * translated; an output of a format that streams is replaced, if it is as it was written here. `overwrite`: it is written
   * anew. @default "keep"
   */
  readonly existing?: "keep" | "overwrite" | undefined
  /**
   * The text in place of a unit that failed: the present translation, or else the source's text; the source's text; or
   * nothing. Formats that stream know no translation that is there. `drop` leaves out the record that has it, of formats
   * with `records`: of others it is refused. The output is published all the same. @default "previous"
   */
  readonly failed?: "previous" | "source" | "empty" | "drop" | undefined
  /**
   * Marks translations of the machine that look wrong to a check for a person to look at, in formats that can say that: PO, XLIFF and string
   * catalogues. Programs do not show what is marked in PO. A mark is no reason to send a text again. @default "none"
   */
  readonly mark?: "flagged" | "none" | undefined
  /** Keeps or drops units of an output that the source no longer has. @default "keep" */
  readonly removed?: "keep" | "drop" | undefined
  /** The folder of the state of outputs. Keep it with them, in version control too. @default ".effect-translate" */
  readonly stateFolder?: string | undefined
  /** The folder from which the state names outputs. @default the folder that holds `stateFolder` */
  readonly stateRoot?: string | undefined
  /** Names the file in reports. @default its path; of an address, the part that `Address.shown` leaves */
  readonly name?: string | undefined
}

/**
 * Why the translation of a file fails, beside the errors of streams.
 *
 * @since 0.1.0
 * @category errors
 */
export type FileError = FileSourceError | FormatError | UnknownFormat

/** Where the outputs of a file are, and their records. */
export const outputsOf = ({
  existing = "keep",
  output,
  path,
  stateFolder = ".effect-translate",
  stateRoot
}: FileOptions): Effect.Effect<outputs.Options, never, Path.Path> =>
  Effect.map(outputs.absolute(path), (source) => ({
    source,
    outputOf: typeof output === "function" ? output : OutputPath.make(output).path,
    stateFolder,
    stateRoot,
    existing
  }))

const unreadable = (path: string) => (error: PlatformError.PlatformError) =>
  new SourceUnreadable({ path, reason: reasonWithCode(error) })

/** The beginning of a file that shows its format, in bytes. */
const headBytes = 65_536

/** The compression of a file, and its name without that. */
const compressionOf = (path: string) => Compression.ofPath(Address.shown(path))

/** Bytes of a file as they are once they are decompressed, which the ending of its name asks for. */
const decompressed =
  (path: string, options?: Compression.DecompressOptions) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E | SourceUnreadable, R> => {
    const { compression } = compressionOf(path)
    return compression === undefined
      ? bytes
      : Stream.mapError(compression.decompress(options)(bytes), (error) =>
          Compression.isCompressionError(error)
            ? new SourceUnreadable({ path: Address.shown(path), reason: error.message })
            : error
        )
  }

/** The first bytes of a file, as they are. */
const firstBytesOf = (path: string) =>
  Effect.gen(function* () {
    if (Address.isAddress(path)) {
      const { read, size } = yield* remote.open(path)
      return yield* Effect.mapError(read(0, Math.min(size, headBytes)), remote.unreadable(path))
    }
    const fs = yield* FileSystem.FileSystem
    const { type } = yield* Effect.mapError(fs.stat(path), unreadable(path))
    // A pipe could be read once only.
    if (type !== "File") return yield* new SourceUnreadable({ path, reason: "it is no regular file" })
    const head = yield* Effect.flatMap(fs.open(path, { flag: "r" }), (file) =>
      file.readAlloc(headBytes)
    ).pipe(Effect.scoped, Effect.mapError(unreadable(path)))
    return Option.getOrElse(head, () => new Uint8Array())
  })

const isCompressed = (path: string): boolean => compressionOf(path).compression !== undefined

/** The first bytes of a compressed file, decompressed. */
const beginningOf = (path: string, bytes: Uint8Array) =>
  decompressed(path, { isBeginning: true })(Stream.succeed(bytes))

/** The beginning of a file, which shows its format. */
export const headOf = (path: string): Effect.Effect<string, ReadError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const bytes = yield* firstBytesOf(path)
    const head = isCompressed(path)
      ? Option.getOrElse(yield* Stream.runHead(beginningOf(path, bytes)), () => new Uint8Array())
      : bytes
    return new TextDecoder().decode(head.subarray(0, headBytes))
  })

/** The size of a file in bytes: about, if it is compressed. */
export const sizeOf = (path: string): Effect.Effect<number, ReadError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const size = Number((yield* infoOf(path))?.size ?? 0)
    if (!isCompressed(path)) return size
    const bytes = yield* firstBytesOf(path)
    const made = yield* Stream.runFold(beginningOf(path, bytes), 0, (sum, { length }) => sum + length)
    return (size * made) / Math.max(1, bytes.length)
  })

/**
 * The format of a file, or of its content if it is compressed. Reads the beginning of a local file in any case, so
 * one that can't be read is found.
 */
export const formatOf = (
  path: string,
  format: Format | Detect
): Effect.Effect<Format, ReadError | UnknownFormat, FileSystem.FileSystem> =>
  Effect.flatMap(
    typeof format === "function" || !Address.isAddress(path) ? headOf(path) : Effect.succeed(""),
    (head) => {
      const { compression, path: name } = compressionOf(path)
      const found = typeof format === "function" ? format({ path: name, head }) : Either.right(format)
      return Either.filterOrLeft(
        found,
        ({ isStreamed }) => compression === undefined || isStreamed === true,
        ({ name }) =>
          new SourceUnreadable({
            path: Address.shown(path),
            reason: `a file of the format ${name} is read as a whole, and must not be compressed`
          })
      )
    }
  )

/** The facts about a file, if it exists. */
export const infoOf = (path: string) =>
  Effect.mapError(outputs.infoOf(path), (error) =>
    error._tag === "StorageError" ? remote.unreadable(path)(error) : unreadable(path)(error)
  )

/** The bytes of a file as they are. Fails at their end if it was written meanwhile. */
const storedBytesOf = (
  path: string,
  version?: string
): Stream.Stream<Uint8Array, ReadError, FileSystem.FileSystem> =>
  Address.isAddress(path) ? remote.bytesOf(path, version) : localBytesOf(path)

/** Fails if a local file is not as it was. */
const unchanged = (path: string, before: outputs.Info | undefined) =>
  Effect.flatMap(infoOf(path), (now) =>
    outputs.isAsBefore(before, now) ? Effect.void : Effect.fail(new SourceChanged({ path }))
  )

const localBytesOf = (path: string) =>
  Stream.unwrap(
    Effect.zipWith(FileSystem.FileSystem, infoOf(path), (fs, before) =>
      Stream.concat(
        Stream.mapError(files.read(fs, path), unreadable(path)),
        Stream.execute(unchanged(path, before))
      )
    )
  )

/** The version of a file's bytes: of an object its version, or else their hash. */
export const digestOf = (
  path: string,
  version?: string
): Effect.Effect<string, ReadError, FileSystem.FileSystem> =>
  Address.isAddress(path)
    ? Effect.flatMap(openRemote(path, version), (file) => digestOfOpened(path, file))
    : Effect.mapError(files.hashOf(path), unreadable(path))

/** The same of a file that is open. */
export const digestOfOpened = (path: string, { bytes, version }: Pick<OpenedFile, "bytes" | "version">) =>
  version !== undefined && Address.isObject(path) ? Effect.succeed(version) : files.hashOfAll(bytes)

/** The bytes of a file, decompressed. Fails at their end if it was written meanwhile. */
export const bytesOf = (path: string, version?: string) => decompressed(path)(storedBytesOf(path, version))

/** Bytes whose hash is told at their end. */
const hashed = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, onEnd: (hash: string) => void) =>
  Stream.suspend(() => {
    const { digest, update } = makeByteHash()
    return Stream.concat(
      Stream.mapChunks(bytes, (pieces) => {
        for (const piece of pieces) update(piece)
        return pieces
      }),
      Stream.execute(Effect.sync(() => onEnd(digest())))
    )
  })

/** The bytes, and their version once they were read to their end for the first time. */
export const digestedBytesOf = (path: string, version?: string) => {
  let found: string | undefined
  const keep = (digest: string) => {
    found ??= digest
  }
  const bytes: Stream.Stream<Uint8Array, ReadError, FileSystem.FileSystem> = Address.isObject(path)
    ? remote.bytesOf(path, version, keep)
    : hashed(storedBytesOf(path, version), keep)
  return { bytes: decompressed(path)(bytes), digest: () => found }
}

/** The bytes of a file that is read as a whole. Of a larger one, as many as its format needs to refuse it. */
export const readWhole = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, maxBytes: number = defaultMaxBytes) =>
  Stream.suspend(() => {
    let size = 0
    return Stream.takeUntil(bytes, (piece) => {
      size += piece.length
      return size > maxBytes
    })
  }).pipe(
    Stream.runCollect,
    Effect.map((pieces) => Chunk.toReadonlyArray(pieces))
  )

/** A file that is read at any place: of an address, in one version. Of a range of a local one, those bytes are read that are there. */
export interface OpenedFile extends RandomAccess<ReadError> {
  readonly info: outputs.Info | undefined
  /** That of an address. */
  readonly version: string | undefined
  /** Fails if a local file was written since it was opened. */
  readonly check: Effect.Effect<void, ReadError>
  readonly bytes: Stream.Stream<Uint8Array, ReadError>
}

const openLocal = (path: string): Effect.Effect<OpenedFile, ReadError, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<FileSystem.FileSystem>()
    const fs = yield* FileSystem.FileSystem
    const before = yield* infoOf(path)
    const file = yield* Effect.mapError(fs.open(path, { flag: "r" }), unreadable(path))
    // A place that is sought holds for the next read of any reader.
    const one = yield* Effect.makeSemaphore(1)
    return {
      info: before,
      size: Number(before?.size ?? 0),
      version: undefined,
      read: (start, end) =>
        one.withPermits(1)(Effect.mapError(files.readRange(file, start, end), unreadable(path))),
      bytes: Stream.mapError(files.read(fs, path), unreadable(path)),
      check: Effect.provide(unchanged(path, before), context)
    }
  })

const openRemote = (address: string, version: string | undefined) =>
  Effect.map(
    remote.open(address, version),
    (opened): OpenedFile => ({
      info: opened,
      size: opened.size,
      version: opened.version,
      read: (start, end) => Effect.mapError(opened.read(start, end), remote.unreadable(address)),
      bytes: Stream.mapError(opened.bytes, remote.unreadable(address)),
      // Each read asks for this version.
      check: Effect.void
    })
  )

/** Opens a file: of an address, the version that is asked for, or the one that is there. */
export const openAt = (
  path: string,
  version?: string
): Effect.Effect<OpenedFile, ReadError, FileSystem.FileSystem | Scope.Scope> =>
  Address.isAddress(path) ? openRemote(path, version) : openLocal(path)
