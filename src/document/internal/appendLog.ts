import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { makeFolder, realPath, syncFolderOf } from "../../internal/files.js"
import * as fileLock from "./fileLock.js"

/** Only the owner may read the log. */
const mode = 0o600

const lineFeed = 10

/** Lines in a file that is only appended to. A line that `append` has written survives a crash of the machine. */
export interface AppendLog<A> {
  /** The entries that the file had when it was opened. */
  readonly entries: ReadonlyArray<A>
  /** Writes a line and syncs it. `false` if somebody else has written to the file: the line is of no use then. */
  readonly append: (line: string) => Effect.Effect<boolean, PlatformError.PlatformError>
}

/** The file is no log of this kind. */
export class NotALog extends Data.TaggedError("NotALog") {}

/** A line that can't be decoded, and that no crash explains. */
export class BrokenLine extends Data.TaggedError("BrokenLine")<{ readonly line: number }> {}

/** The format of a log. */
export interface Format<A> {
  readonly decode: (line: string) => Option.Option<A>
  /** The beginning of each line. */
  readonly beginning: string
}

const decodeText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const isJson = (text: string): boolean => Option.isSome(Schema.decodeOption(Schema.parseJson())(text))

interface Contents<A> {
  readonly entries: ReadonlyArray<A>
  /** The bytes up to and including the last line feed. */
  readonly end: number
  /** The end of the file behind the last line feed: nothing, a line without its line feed, or a part of one, which a crash has left. */
  readonly tail: "none" | "whole" | "torn"
}

const parse = <A>(
  bytes: Uint8Array,
  { beginning, decode }: Format<A>
): Effect.Effect<Contents<A>, NotALog | BrokenLine> =>
  Effect.gen(function* () {
    const end = bytes.lastIndexOf(lineFeed) + 1
    const decoded = decodeText(bytes.subarray(0, end)).split("\n").slice(0, -1).map(decode)
    const entries = Array.from(decoded, Option.toArray).flat()
    // Some file systems leave zeros where a crash has lost bytes.
    const tail = decodeText(bytes.subarray(end)).replace(/\0+$/, "")
    const last = decode(tail)
    const isBegun = tail.startsWith(beginning) || (entries.length > 0 && beginning.startsWith(tail))
    const isExplained = bytes.length === end || Option.isSome(last) || (isBegun && !isJson(tail))
    const isLog = entries.length > 0 || (end === 0 && isExplained)
    if (!isLog) return yield* new NotALog()
    const broken = isExplained ? decoded.findIndex(Option.isNone) : decoded.length
    if (broken >= 0) return yield* new BrokenLine({ line: broken + 1 })
    if (Option.isSome(last)) return { entries: [...entries, last.value], end, tail: "whole" }
    return { entries, end, tail: bytes.length === end ? "none" : "torn" }
  })

const bytesOf = (fs: FileSystem.FileSystem, path: string) =>
  Effect.gen(function* () {
    if (!(yield* fs.exists(path))) return new Uint8Array()
    return (yield* fs.stat(path)).type === "File" ? yield* fs.readFile(path) : yield* new NotALog()
  })

/** Reads the entries of a log, without taking it; nothing if there is none. A last line that is being written is left out. */
export const read = <A>(path: string, format: Format<A>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { entries } = yield* parse(yield* bytesOf(fs, path), format)
    return entries
  })

/**
 * Opens a log for this process alone, or makes one, with its folder. If a crash has cut the last line, the line is removed,
 * unless only its line feed is missing. A file that is no log stays as it is.
 */
export const open = <A>(
  path: string,
  format: Format<A>
): Effect.Effect<
  AppendLog<A>,
  PlatformError.PlatformError | NotALog | BrokenLine | fileLock.Locked,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    yield* makeFolder(paths.dirname(path))
    // All processes must lock the same file, whichever links lead to it.
    yield* fileLock.acquire(`${yield* realPath(fs, paths, path)}.lock`)
    const found = yield* bytesOf(fs, path)
    const { end, entries, tail } = yield* parse(found, format)
    if (tail === "torn") yield* fs.truncate(path, end)
    const log = yield* fs.open(path, { flag: "a", mode })
    // Ignored on file systems without modes.
    yield* Effect.ignore(fs.chmod(path, mode))
    const mutex = yield* Effect.makeSemaphore(1)
    let size = tail === "whole" ? found.length : end

    // Also after each write: of two processes that write at the same time, at most one finds the size that it expects.
    const isOurs = Effect.map(fs.stat(path), (info) => Number(info.size) === size)
    const write = (text: string) =>
      Effect.suspend(() => {
        const bytes = new TextEncoder().encode(text)
        return log.writeAll(bytes).pipe(
          Effect.zipRight(log.sync),
          Effect.tapError(() => Effect.ignore(log.truncate(size))),
          Effect.tap(() => {
            size += bytes.length
          }),
          Effect.zipRight(isOurs)
        )
      })

    if (tail === "whole") yield* write("\n")
    yield* syncFolderOf(path)
    return {
      entries,
      append: (line) =>
        mutex.withPermits(1)(
          Effect.uninterruptible(
            Effect.if(isOurs, {
              onTrue: () => write(`${line}\n`),
              onFalse: () => Effect.succeed(false)
            })
          )
        )
    }
  })
