import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import { constVoid } from "effect/Function"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import { hash, makeByteHash } from "./hash.js"
import * as processes from "./processes.js"
import * as systemCauses from "./systemCauses.js"

/** The number of bytes that are read at once. */
const pieceBytes = 131_072

/**
 * Reads a file into one buffer, and emits copies of it. With a new buffer for each read, Effect would keep up to 64 MB of
 * them alive until V8's next full collection.
 */
export const read = (
  fs: FileSystem.FileSystem,
  path: string
): Stream.Stream<Uint8Array, PlatformError.PlatformError> =>
  Stream.unwrapScoped(
    Effect.map(fs.open(path), (file) => {
      const buffer = new Uint8Array(pieceBytes)
      const pieces: Channel.Channel<
        Chunk.Chunk<Uint8Array>,
        unknown,
        PlatformError.PlatformError
      > = Channel.flatMap(Channel.fromEffect(file.read(buffer)), (bytes) =>
        Number(bytes) === 0
          ? Channel.void
          : Channel.flatMap(Channel.write(Chunk.of(buffer.slice(0, Number(bytes)))), () => pieces)
      )
      return Stream.fromChannel(pieces)
    })
  )

/** The bytes of a range of an open file, or those that are there. */
export const readRange = (
  file: FileSystem.File,
  start: number,
  end: number
): Effect.Effect<Uint8Array, PlatformError.PlatformError> =>
  Effect.gen(function* () {
    const bytes = new Uint8Array(Math.max(0, end - start))
    yield* file.seek(FileSystem.Size(start), "start")
    let filled = 0
    while (filled < bytes.length) {
      const count = Number(yield* file.read(bytes.subarray(filled)))
      if (count === 0) break
      filled += count
    }
    return bytes.subarray(0, filled)
  })

/** The hash of bytes that are read to their end. */
export const hashOfAll = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Effect.Effect<string, E, R> =>
  Effect.suspend(() => {
    const { digest, update } = makeByteHash()
    return Effect.map(
      Stream.runForEachChunk(bytes, (pieces) => Effect.sync(() => Chunk.forEach(pieces, update))),
      digest
    )
  })

/** The hash of a file. */
export const hashOf = (
  path: string
): Effect.Effect<string, PlatformError.PlatformError, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => hashOfAll(read(fs, path)))

/** Syncs the folder of a file, so that its new name survives a crash of the machine. Ignored where the file system can't do it. */
export const syncFolderOf = (path: string): Effect.Effect<void, never, FileSystem.FileSystem | Path.Path> =>
  Effect.all([FileSystem.FileSystem, Path.Path]).pipe(
    Effect.flatMap(([fs, { dirname }]) => fs.open(dirname(path), { flag: "r" })),
    Effect.flatMap((opened) => opened.sync),
    Effect.scoped,
    Effect.ignore
  )

/** True if there is no such file. */
export const isMissing = (error: PlatformError.PlatformError): boolean =>
  error._tag === "SystemError" && error.reason === "NotFound"

/** True if a file can't be written since its disk takes no more. */
export const isFull = (error: unknown): boolean =>
  systemCauses.find(systemCauses.codeOf(error))?.tag === "DiskFull"

/** Where a path really is. A missing file is where its folder is, or where a link that has its name leads. */
export const realPath = (
  fs: FileSystem.FileSystem,
  paths: Path.Path,
  path: string
): Effect.Effect<string, PlatformError.PlatformError> =>
  Effect.catchIf(
    fs.realPath(path),
    (error) => isMissing(error) && paths.dirname(path) !== path,
    () =>
      Effect.flatMap(realPath(fs, paths, paths.dirname(path)), (folder) =>
        Effect.matchEffect(fs.readLink(path), {
          onFailure: () => Effect.succeed(paths.join(folder, paths.basename(path))),
          onSuccess: (target) => realPath(fs, paths, paths.resolve(folder, target))
        })
      )
  )

/** Makes a folder and those above it. Node's own way of doing so never ends where a folder takes none, as in `/proc`. */
export const makeFolder = (
  folder: string
): Effect.Effect<void, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path> =>
  Effect.flatMap(Effect.all([FileSystem.FileSystem, Path.Path]), ([fs, paths]) => make(fs, paths, folder))

const make = (
  fs: FileSystem.FileSystem,
  paths: Path.Path,
  folder: string
): Effect.Effect<void, PlatformError.PlatformError> => {
  const above = paths.dirname(folder)
  const one = Effect.catchAll(fs.makeDirectory(folder), (error) =>
    fs.stat(folder).pipe(
      Effect.filterOrFail(({ type }) => type === "Directory"),
      Effect.mapError(() => error),
      Effect.asVoid
    )
  )
  return Effect.catchIf(
    one,
    (error) => isMissing(error) && above !== folder,
    () => Effect.zipRight(make(fs, paths, above), one)
  )
}

/** Makes the folder of a file. Fails if it can't be written. */
export const prepareFolderOf = (
  path: string
): Effect.Effect<void, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path> =>
  Effect.flatMap(Effect.all([FileSystem.FileSystem, Path.Path]), ([fs, paths]) => {
    const folder = paths.dirname(path)
    const access = fs.access(folder, { writable: true })
    return Effect.catchIf(access, isMissing, () => Effect.zipRight(make(fs, paths, folder), access))
  })

const prefix = ".effect-translate-"

/** The prefix of this process's temporary files. */
const ownPrefix = Effect.map(processes.self, (self) =>
  Option.match(self, {
    onNone: () => prefix,
    onSome: ({ machine, pid, startedAt }) => `${prefix}${hash(machine).slice(0, 8)}-${pid}-${startedAt}-`
  })
)

const temporaryWith = (
  output: string,
  ending: "draft" | "part"
): Effect.Effect<string, never, FileSystem.FileSystem | Path.Path> =>
  Effect.zipWith(
    Effect.all([Path.Path, ownPrefix]),
    Random.nextIntBetween(0, 2 ** 48),
    ([{ dirname, join }, prefix], random) =>
      join(dirname(output), `${prefix}${random.toString(36)}.${ending}`)
  )

/** A new name beside the output, for a file that another process may finish. It tells which process writes the file. */
export const temporaryFor = (output: string) => temporaryWith(output, "part")

const named = /^\.effect-translate-(?:([0-9a-f]{8})-(\d+)-(\d+)-)?[0-9a-z]+\.draft$/

const isAbandoned = (name: string): Effect.Effect<boolean, never, FileSystem.FileSystem> =>
  Effect.flatMap(processes.self, (self) => {
    const [, machine, pid, startedAt = ""] = named.exec(name) ?? []
    return Option.isNone(self) || machine !== hash(self.value.machine).slice(0, 8)
      ? Effect.succeed(false)
      : Effect.map(
          processes.isRunning({ machine: self.value.machine, pid: Number(pid), startedAt }),
          Option.exists((isRunning) => !isRunning)
        )
  })

/** Removes drafts in the folder of an output whose processes were killed. */
const discardAbandoned = (output: string): Effect.Effect<void, never, FileSystem.FileSystem | Path.Path> =>
  Effect.flatMap(Effect.all([FileSystem.FileSystem, Path.Path]), ([fs, { dirname, join }]) =>
    Effect.flatMap(fs.readDirectory(dirname(output)), (names) =>
      Effect.forEach(
        names.filter((name) => named.test(name)),
        (name) => Effect.whenEffect(discard(join(dirname(output), name)), isAbandoned(name)),
        { discard: true }
      )
    )
  ).pipe(Effect.ignore)

/** A new name beside the output, for a file that is worth nothing once its process has ended. Drafts of killed processes beside it go. */
export const draftFor = (output: string) =>
  Effect.zipRight(discardAbandoned(output), temporaryWith(output, "draft"))

/** The number of bytes that are written at once. */
export const blockBytes = 262_144

type Writing = Channel.Channel<
  never,
  Chunk.Chunk<Uint8Array>,
  PlatformError.PlatformError,
  never,
  void,
  unknown
>

/**
 * Writes all bytes, and calls `onBytes` with each piece. The bytes are copied into one block that is used again:
 * Effect keeps the bytes of a write alive until V8's next full collection, which comes after 64 MB of them.
 */
export const sink = (
  file: FileSystem.File,
  onBytes: (bytes: Uint8Array) => void
): Sink.Sink<void, Uint8Array, never, PlatformError.PlatformError> =>
  Sink.suspend(() => {
    const block = new Uint8Array(blockBytes)
    let filled = 0
    const write = Channel.fromEffect(
      // A write that is abandoned would go on after the file is closed.
      Effect.uninterruptible(
        Effect.suspend(() => {
          const bytes = block.subarray(0, filled)
          filled = 0
          return bytes.length === 0 ? Effect.void : file.writeAll(bytes)
        })
      )
    )
    const gather = (pieces: ReadonlyArray<Uint8Array>): Writing => {
      for (const [index, piece] of pieces.entries()) {
        const part = piece.subarray(0, blockBytes - filled)
        block.set(part, filled)
        filled += part.length
        onBytes(part)
        if (filled === blockBytes) {
          const rest = [piece.subarray(part.length), ...pieces.slice(index + 1)]
          return Channel.flatMap(write, () => gather(rest))
        }
      }
      return next
    }
    const next: Writing = Channel.readWith({
      onInput: (pieces: Chunk.Chunk<Uint8Array>) => gather(Chunk.toReadonlyArray(pieces)),
      onFailure: Channel.fail,
      onDone: () => write
    })
    return Sink.fromChannel(next)
  })

/** Writes a new file, and syncs it. */
export const writeNew = <E, R, E2>(
  path: string,
  bytes: Stream.Stream<Uint8Array, E, R>,
  failed: (error: PlatformError.PlatformError) => E2,
  {
    mode = 0o666,
    onBytes = constVoid
  }: { readonly mode?: number | undefined; readonly onBytes?: (bytes: Uint8Array) => void } = {}
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = yield* Effect.mapError(fs.open(path, { flag: "wx", mode }), failed)
    yield* Stream.run(bytes, Sink.mapError(sink(file, onBytes), failed))
    yield* Effect.mapError(file.sync, failed)
  }).pipe(Effect.scoped)

/** Writes a file, which gets its name when it is whole. */
export const replace = <E, R, E2>(
  path: string,
  bytes: Stream.Stream<Uint8Array, E, R>,
  failed: (error: PlatformError.PlatformError) => E2,
  mode?: number
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const draft = yield* draftFor(path)
    yield* writeNew(draft, bytes, failed, { mode }).pipe(
      Effect.zipRight(Effect.mapError(fs.rename(draft, path), failed)),
      Effect.onError(() => discard(draft))
    )
    yield* syncFolderOf(path)
  })

/** Removes a temporary file, if it is there. It is tried twice, as nobody looks for it later. */
export const discard = (path: string): Effect.Effect<void, never, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.retry(fs.remove(path, { force: true }), { times: 1 })
  ).pipe(Effect.ignore)

/** True if both are the same file. */
export const areSame = (first: FileSystem.File.Info, second: FileSystem.File.Info): boolean =>
  first.dev === second.dev && Option.isSome(first.ino) && Equal.equals(first.ino, second.ino)
