import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import { discard, draftFor } from "../../internal/files.js"

/** Characters of a write: a write for each line would be most of a line's cost. */
const writeSize = 65_536

const encoder = new TextEncoder()

/**
 * Writes the lines that an effect hands over into a file, which gets its name when the effect has ended. `rest` comes after it. Where
 * a line can't be written, the file that is there stays, and an effect that has succeeded fails.
 */
export const write = <A, E, R>(
  path: string,
  use: (write: (line: string) => Effect.Effect<void, PlatformError.PlatformError>) => Effect.Effect<A, E, R>,
  rest: (exit: Exit.Exit<A, E>) => Stream.Stream<string, PlatformError.PlatformError, FileSystem.FileSystem>
): Effect.Effect<A, E | PlatformError.PlatformError, R | FileSystem.FileSystem | Path.Path> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      // Another process may run the same job.
      const draft = yield* draftFor(path)
      let isEmpty = true
      let pending = ""
      let failure: Effect.Effect<void, PlatformError.PlatformError> = Effect.void
      const written = Effect.scoped(
        Effect.gen(function* () {
          const file = yield* fs.open(draft, { flag: "wx" })
          const flush = Effect.suspend(() => {
            if (pending === "") return Effect.void
            const bytes = encoder.encode(pending)
            pending = ""
            return Effect.tapError(Effect.uninterruptible(file.writeAll(bytes)), (error) =>
              Effect.sync(() => {
                failure = Effect.fail(error)
              })
            )
          })
          const write = (line: string) =>
            Effect.suspend(() => {
              isEmpty = false
              pending += `${line}\n`
              return pending.length < writeSize ? Effect.void : flush
            })
          const exit = yield* Effect.exit(restore(use(write)))
          const end = Stream.runForEach(rest(exit), write).pipe(
            Effect.zipRight(flush),
            Effect.zipRight(Effect.suspend(() => failure)),
            Effect.zipRight(file.sync)
          )
          // The error that has ended the effect is told, also on a disk that is full.
          const isWhole = yield* Exit.isSuccess(exit) ? Effect.as(end, true) : Effect.isSuccess(end)
          return { exit, isWhole }
        })
      )
      const { exit, isWhole } = yield* Effect.onError(written, () => discard(draft))
      if (isWhole && !isEmpty) yield* Effect.onError(fs.rename(draft, path), () => discard(draft))
      else {
        yield* discard(draft)
        if (Exit.isSuccess(exit)) yield* fs.remove(path, { force: true })
      }
      return yield* exit
    })
  )
