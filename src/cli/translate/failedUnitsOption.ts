/** The file of the texts that were not translated: what persons have filled in is taken before a run, and the rest is listed after it. */
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as FailedUnits from "../../job/FailedUnits.js"
import * as TranslationStore from "../../store/TranslationStore.js"
import { Usage } from "../failure.js"

const unusable = (file: string) => (error: PlatformError.PlatformError) =>
  new Usage({
    message: `The list of texts that failed, ${file}, can't be used (${error._tag === "SystemError" ? error.reason : error._tag}): name another with --failed-units.`
  })

const isPlatformError = (error: { readonly _tag: string }): error is PlatformError.PlatformError =>
  error._tag === "SystemError" || error._tag === "BadArgument"

/** Gives the store what persons have filled in since the last run, and says how much that was. Without a store it would be lost. */
export const takeCorrections = (file: string, keeps: boolean) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    if (!(yield* fs.exists(file))) return 0
    const units = yield* Stream.runCollect(FailedUnits.decode(file)(fs.stream(file)))
    const corrections = yield* FailedUnits.corrections(Chunk.toReadonlyArray(units))
    if (corrections.length > 0) {
      if (!keeps) {
        return yield* new Usage({
          message: `--store none keeps no corrections, and ${file} holds some: name a store for them, or another list with --failed-units.`
        })
      }
      const store = yield* TranslationStore.TranslationStore
      yield* store.correct(corrections)
    }
    return corrections.length
  }).pipe(Effect.mapError((error) => (isPlatformError(error) ? unusable(file)(error) : error)))

/** Lists what fails in a file, which is there when the job has ended. A list that can't be written ends no job, and hides no error of it. */
export const toFile = <A, E extends { readonly _tag: string }, R>(
  file: string,
  use: (onFailed: (unit: FailedUnits.FailedUnit) => Effect.Effect<void>) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { dirname } = yield* Path.Path
    yield* fs.makeDirectory(dirname(file), { recursive: true })
    let broken: PlatformError.PlatformError | undefined
    const result = yield* FailedUnits.toFile(file, (onFailed) =>
      use((unit) =>
        Effect.catchAll(onFailed(unit), (error) =>
          Effect.sync(() => {
            broken ??= error
          })
        )
      )
    )
    return broken === undefined ? result : yield* Effect.fail(broken)
  }).pipe(
    Effect.mapError((error) =>
      isPlatformError(error) ? unusable(file)(error) : (error as Exclude<E, PlatformError.PlatformError>)
    )
  )
