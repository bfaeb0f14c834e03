import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import { discard, discardAbandoned, temporaryFor } from "../../internal/files.js"

/** Writes what an effect hands over into a file, which gets its name when the effect has ended. `rest` comes after it. */
export const write = <I, A, E, R>(
  path: string,
  toBytes: (value: I) => Uint8Array,
  use: (write: (value: I) => Effect.Effect<void, PlatformError.PlatformError>) => Effect.Effect<A, E, R>,
  rest: (exit: Exit.Exit<A, E>) => Stream.Stream<I, PlatformError.PlatformError, FileSystem.FileSystem>
): Effect.Effect<A, E | PlatformError.PlatformError, R | FileSystem.FileSystem | Path.Path> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      yield* discardAbandoned(path)
      // Another process may run the same job.
      const draft = yield* temporaryFor(path, "draft")
      let count = 0
      const written = Effect.scoped(
        Effect.gen(function* () {
          const file = yield* fs.open(draft, { flag: "wx" })
          const write = (value: I) =>
            Effect.suspend(() => {
              count++
              return Effect.uninterruptible(file.writeAll(toBytes(value)))
            })
          const exit = yield* Effect.exit(restore(use(write)))
          yield* Stream.runForEach(rest(exit), write)
          // What has ended the effect is told, also on a disk that is full.
          yield* Exit.isSuccess(exit) ? file.sync : Effect.ignore(file.sync)
          return exit
        })
      )
      const exit = yield* Effect.onError(written, () => discard(draft))
      if (count > 0) yield* Effect.onError(fs.rename(draft, path), () => discard(draft))
      else {
        yield* discard(draft)
        if (Exit.isSuccess(exit)) yield* fs.remove(path, { force: true })
      }
      return yield* exit
    })
  )
