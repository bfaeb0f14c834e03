import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Sink from "effect/Sink"
import * as DiskSpace from "../DiskSpace.js"
import * as DocumentError from "../DocumentError.js"

/** Syncs a folder, so that a new name in it survives a crash of the machine. Ignored where the file system can't do it. */
export const syncFolder = (folder: string): Effect.Effect<void, never, FileSystem.FileSystem> =>
  FileSystem.FileSystem.pipe(
    Effect.flatMap((fs) => fs.open(folder, { flag: "r" })),
    Effect.flatMap((opened) => opened.sync),
    Effect.scoped,
    Effect.ignore
  )

/** The first bytes of a file, if it is there. */
export const beginning = (
  path: string
): Effect.Effect<Uint8Array | undefined, never, FileSystem.FileSystem> =>
  FileSystem.FileSystem.pipe(
    Effect.flatMap((fs) => fs.open(path, { flag: "r" })),
    Effect.flatMap((opened) => opened.readAlloc(4096)),
    Effect.map(Option.getOrUndefined),
    Effect.orElseSucceed(() => undefined),
    Effect.scoped
  )

const unusable = (output: string, kept?: string) => (error: PlatformError.PlatformError) =>
  new DocumentError.OutputUnusable({ output, reason: `can't be written (${error.message})`, kept })

const taken = (output: string, kept?: string) =>
  new DocumentError.OutputUnusable({
    output,
    reason: "exists already: choose another output, or say overwrite",
    kept
  })

export interface Output {
  readonly output: string
  /** Whether to replace an existing output. @default false */
  readonly overwrite?: boolean | undefined
  /** How many bytes it may need. @default 0 */
  readonly space?: number | undefined
}

/** What is left of a disk for the journal, and for what the file system itself needs. */
const reserve = 65_536

/** Fails if the disk is known to be too small. */
const checkSpace = ({ output, space = 0 }: Output) =>
  Effect.gen(function* () {
    const { dirname } = yield* Path.Path
    const { available } = yield* DiskSpace.DiskSpace
    const free = yield* available(dirname(output))
    if (Option.isSome(free) && free.value < space + reserve) {
      const reason = `${free.value} bytes are free, and ${space + reserve} may be needed`
      return yield* new DocumentError.DiskFull({ output, reason })
    }
  })

/** Fails if the output can't be written, before anything is paid. Makes its folder if there is none. */
export const prepare = (
  options: Output
): Effect.Effect<
  void,
  DocumentError.OutputUnusable | DocumentError.DiskFull,
  FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function* () {
    const { output, overwrite } = options
    const fs = yield* FileSystem.FileSystem
    const { dirname, sep } = yield* Path.Path
    if (output === "") {
      return yield* new DocumentError.OutputUnusable({ output, reason: "is empty: name a file" })
    }
    if (output.endsWith("/") || output.endsWith(sep)) {
      return yield* new DocumentError.OutputUnusable({ output, reason: "is a folder: name a file in it" })
    }
    const isThere = yield* fs.exists(output)
    // `exists` is false for a link whose target is missing.
    const isTaken = isThere || Option.isSome(yield* Effect.option(fs.readLink(output)))
    if (isTaken && !overwrite) return yield* Effect.fail(taken(output))
    if (isThere && (yield* fs.stat(output)).type === "Directory") {
      return yield* new DocumentError.OutputUnusable({ output, reason: "is a folder" })
    }
    yield* fs.makeDirectory(dirname(output), { recursive: true })
    yield* fs.access(dirname(output), { writable: true })
    yield* checkSpace(options)
  }).pipe(
    Effect.mapError((error) =>
      DocumentError.isDocumentError(error) ? error : unusable(options.output)(error)
    )
  )

/** A new name beside the output. */
export const temporaryFor = (output: string): Effect.Effect<string, never, Path.Path> =>
  Effect.zipWith(Path.Path, Random.nextIntBetween(0, 2 ** 48), ({ dirname, join }, random) =>
    join(dirname(output), `.effect-translate-${random.toString(36)}.part`)
  )

/** How many bytes are written at once. */
const blockBytes = 262_144

const zeros = new Uint8Array(blockBytes)

/** Takes the space of a new file by writing zeros. Its writing begins at its start then. */
export const takeSpace = (
  file: FileSystem.File,
  bytes: number
): Effect.Effect<void, PlatformError.PlatformError> =>
  bytes <= 0
    ? Effect.asVoid(file.seek(0, "start"))
    : Effect.zipRight(
        Effect.uninterruptible(file.writeAll(zeros.subarray(0, bytes))),
        Effect.suspend(() => takeSpace(file, bytes - blockBytes))
      )

type Writing = Channel.Channel<
  never,
  Chunk.Chunk<Uint8Array>,
  PlatformError.PlatformError,
  never,
  void,
  unknown
>

/**
 * Writes all bytes, and calls `onBytes` with the size of each piece. The bytes are copied into one block that is used again:
 * Effect keeps the bytes of a write alive until V8's next full collection, which comes after 64 MB of them.
 */
export const sink = (
  file: FileSystem.File,
  onBytes: (bytes: number) => void
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
        onBytes(part.length)
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

/** Removes a temporary file, if it is there. */
export const discard = (path: string): Effect.Effect<void, never, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.ignore(fs.remove(path, { force: true })))

/** Whether both are the same file. */
const areSame = (first: FileSystem.File.Info, second: FileSystem.File.Info): boolean =>
  first.dev === second.dev && Option.isSome(first.ino) && Equal.equals(first.ino, second.ino)

/**
 * Gives a whole file its name. It is linked, as a link fails if somebody has made the output meanwhile, and a renaming does not.
 * After a crash between link and removal the output is a link to the file already.
 */
export const move = (
  temporary: string,
  { output, overwrite }: Output
): Effect.Effect<void, DocumentError.OutputUnusable, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { dirname } = yield* Path.Path
    const rename = Effect.mapError(fs.rename(temporary, output), unusable(output, temporary))
    const isOther = Effect.zipWith(fs.stat(output), fs.stat(temporary), (a, b) => !areSame(a, b))
    const failIf = (isTaken: Effect.Effect<boolean>) =>
      Effect.if(isTaken, { onTrue: () => Effect.fail(taken(output, temporary)), onFalse: () => Effect.void })
    const link = fs.link(temporary, output).pipe(
      Effect.catchAll((error) =>
        error._tag === "SystemError" && error.reason === "AlreadyExists"
          ? failIf(Effect.orElseSucceed(isOther, () => true))
          : // Some file systems have no links.
            Effect.zipRight(failIf(Effect.orElseSucceed(fs.exists(output), () => false)), rename)
      ),
      Effect.zipRight(discard(temporary))
    )
    yield* overwrite ? rename : link
    yield* syncFolder(dirname(output))
  })
