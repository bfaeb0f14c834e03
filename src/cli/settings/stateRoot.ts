/** The folder from which records name outputs. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"

/** The name of the state folder unless told otherwise: the default of the library too. */
export const standard = ".effect-translate"

const exists = (fs: FileSystem.FileSystem, path: string) => Effect.orElseSucceed(fs.exists(path), () => false)

/** A folder and those above it, up to the root of git if they are in one. */
const upwards = (
  folder: string
): Effect.Effect<ReadonlyArray<string>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { dirname, join } = yield* Path.Path
    const isTop = dirname(folder) === folder || (yield* exists(fs, join(folder, ".git")))
    return [folder, ...(isTop ? [] : yield* upwards(dirname(folder)))]
  })

/**
 * The folder from which records name outputs: the folder of the file of settings, or else the nearest one with a state folder; the working folder
 * if neither is there.
 */
export const rootOf = (
  folder: string,
  config: string | undefined
): Effect.Effect<string, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { dirname, join } = yield* Path.Path
    const all = yield* upwards(folder)
    if (config !== undefined && all.includes(dirname(config))) return dirname(config)
    const [nearest = folder] = yield* Effect.filter(all, (one) => exists(fs, join(one, standard)))
    return nearest
  })
