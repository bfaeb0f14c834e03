import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as files from "./files.js"

/** Only the owner may read the log. */
const mode = 0o600

const lineFeed = 10

/** Lines in a file that is only appended to. A line that `append` has written survives a crash of the machine. */
export interface AppendLog {
  readonly lines: ReadonlyArray<string>
  /** Writes a line and syncs it. Writes nothing and returns `false` if somebody else has written to the file. */
  readonly append: (line: string) => Effect.Effect<boolean, PlatformError.PlatformError>
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const contentsOf = (fs: FileSystem.FileSystem, path: string) =>
  fs.readFile(path).pipe(
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "NotFound",
      () => Effect.succeed(new Uint8Array())
    )
  )

/**
 * Opens a log, or makes one. If a crash has cut the last line, the line is removed, unless only its line feed is missing
 * (`isWhole`).
 */
export const open = (
  path: string,
  isWhole: (line: string) => boolean
): Effect.Effect<AppendLog, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { dirname } = yield* Path.Path
    const found = yield* contentsOf(fs, path)
    const end = found.lastIndexOf(lineFeed) + 1
    const lines = decode(found.subarray(0, end)).split("\n").slice(0, -1)
    const tail = decode(found.subarray(end))
    const isTailWhole = tail !== "" && isWhole(tail)
    if (tail !== "" && !isTailWhole) yield* fs.truncate(path, end)
    const log = yield* fs.open(path, { flag: "a", mode })
    // Ignored on file systems without modes.
    yield* Effect.ignore(fs.chmod(path, mode))
    const mutex = yield* Effect.makeSemaphore(1)
    let size = isTailWhole ? found.length : end

    const write = (text: string) =>
      Effect.suspend(() => {
        const bytes = new TextEncoder().encode(text)
        return log.writeAll(bytes).pipe(
          Effect.zipRight(log.sync),
          Effect.tapError(() => Effect.ignore(log.truncate(size))),
          Effect.tap(() => {
            size += bytes.length
          })
        )
      })
    const isOurs = Effect.map(fs.stat(path), (info) => Number(info.size) === size)

    if (isTailWhole) yield* write("\n")
    yield* files.syncFolder(dirname(path))
    return {
      lines: isTailWhole ? [...lines, tail] : lines,
      append: (line) =>
        mutex.withPermits(1)(
          Effect.uninterruptible(
            Effect.if(isOurs, {
              onTrue: () => Effect.as(write(`${line}\n`), true),
              onFalse: () => Effect.succeed(false)
            })
          )
        )
    }
  })
