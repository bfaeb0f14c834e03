import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { areSame, blockBytes, discard, prepareFolderOf, syncFolderOf } from "../../internal/files.js"
import { reasonWithCode } from "../../internal/systemCauses.js"
import * as DiskSpace from "../DiskSpace.js"
import * as DocumentError from "../DocumentError.js"

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

/** The error of an output that the file system refuses. */
export const unusable = (output: string, kept?: string) => (error: PlatformError.PlatformError) =>
  new DocumentError.DocumentOutputUnusable({ output, reason: "refused", detail: reasonWithCode(error), kept })

const taken = (output: string, kept?: string) =>
  new DocumentError.DocumentOutputUnusable({ output, reason: "taken", kept })

export interface Output {
  readonly output: string
  /** Replaces an existing output. @default false */
  readonly overwrite?: boolean | undefined
  /** The bytes that it may need. @default 0 */
  readonly space?: number | undefined
}

/** The bytes of a disk that are left for the journal and the file system. */
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
  DocumentError.DocumentOutputUnusable | DocumentError.DiskFull,
  FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function* () {
    const { output, overwrite } = options
    const fs = yield* FileSystem.FileSystem
    const { sep } = yield* Path.Path
    if (output === "") {
      return yield* new DocumentError.DocumentOutputUnusable({ output, reason: "unnamed" })
    }
    if (output.endsWith("/") || output.endsWith(sep)) {
      return yield* new DocumentError.DocumentOutputUnusable({ output, reason: "folder" })
    }
    const isThere = yield* fs.exists(output)
    // `exists` is false for a link whose target is missing.
    const isTaken = isThere || Option.isSome(yield* Effect.option(fs.readLink(output)))
    if (isTaken && !overwrite) return yield* Effect.fail(taken(output))
    if (isThere && (yield* fs.stat(output)).type === "Directory") {
      return yield* new DocumentError.DocumentOutputUnusable({ output, reason: "folder" })
    }
    yield* prepareFolderOf(output)
    yield* checkSpace(options)
  }).pipe(
    Effect.mapError((error) =>
      DocumentError.isDocumentError(error) ? error : unusable(options.output)(error)
    )
  )

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

/**
 * Gives a whole file its name. It is linked, as a link fails if somebody has made the output meanwhile, and a renaming does not.
 * After a crash between link and removal, or if only the answer was lost, the output is a link to the file already.
 */
export const move = (
  temporary: string,
  { output, overwrite }: Output
): Effect.Effect<void, DocumentError.DocumentOutputUnusable, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const rename = Effect.mapError(fs.rename(temporary, output), unusable(output, temporary))
    const isLinked = Effect.zipWith(fs.stat(output), fs.stat(temporary), areSame)
    const isTaken = (error: PlatformError.PlatformError) =>
      error._tag === "SystemError" && error.reason === "AlreadyExists"
        ? Effect.succeed(true)
        : Effect.orElseSucceed(fs.exists(output), () => false)
    // Some file systems have no links.
    const unlinked = (error: PlatformError.PlatformError) =>
      Effect.if(isTaken(error), {
        onTrue: () => Effect.fail(taken(output, temporary)),
        onFalse: () => rename
      })
    const link = fs.link(temporary, output).pipe(
      Effect.catchAll((error) =>
        Effect.unlessEffect(
          unlinked(error),
          Effect.orElseSucceed(isLinked, () => false)
        )
      ),
      Effect.zipRight(discard(temporary))
    )
    yield* overwrite ? rename : link
    yield* syncFolderOf(output)
  })
