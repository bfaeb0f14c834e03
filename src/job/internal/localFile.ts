/** A file of the disk that is read at any place. */
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readRange } from "../../internal/files.js"
import type { RandomAccess } from "../../internal/randomAccess.js"
import { SourceChanged, SourceUnreadable } from "../FileSourceError.js"
import * as outputs from "./outputFiles.js"

type Error = SourceUnreadable | SourceChanged

export interface LocalFile extends RandomAccess<Error> {
  /** Fails if the file was written since it was opened. */
  readonly check: Effect.Effect<void, Error>
}

export const open = (
  path: string
): Effect.Effect<LocalFile, SourceUnreadable, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    const unreadable = Effect.mapError(
      ({ message }: PlatformError.PlatformError) => new SourceUnreadable({ path, reason: message })
    )
    const context = yield* Effect.context<FileSystem.FileSystem>()
    const fs = yield* FileSystem.FileSystem
    const infoOf = unreadable(outputs.infoOf(path))
    const before = yield* infoOf
    const file = yield* unreadable(fs.open(path, { flag: "r" }))
    // A place that is sought is that of the next read, whoever reads.
    const one = yield* Effect.makeSemaphore(1)
    return {
      size: Number(before?.size ?? 0),
      read: (start, end) =>
        readRange(file, start, end).pipe(
          unreadable,
          one.withPermits(1),
          Effect.filterOrFail(
            ({ length }) => length === end - start,
            () => new SourceChanged({ path })
          )
        ),
      check: Effect.flatMap(infoOf, (now) =>
        outputs.isAsBefore(before, now) ? Effect.void : Effect.fail(new SourceChanged({ path }))
      ).pipe(Effect.provide(context))
    }
  })
