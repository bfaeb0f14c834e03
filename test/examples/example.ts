/** Programs of `examples`, run against an emulator. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Emulator } from "effect-translate/emulator"
import * as programs from "../support/programs.js"
import { root, serviceEnv } from "./process.js"

export const fileOf = (name: string) => `${root}/examples/${name}.ts`

export const run = (folder: string, name: string, env?: Record<string, string>) =>
  Effect.flatMap(programs.Programs, (programs) => programs.run({ folder, env }, fileOf(name)))

export const example = (name: string, files: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    for (const [file, content] of Object.entries(files))
      yield* fs.writeFileString(`${folder}/${file}`, content)
    return { ...(yield* run(folder, name, yield* serviceEnv)), folder }
  })

/** The programs of these names, and an emulator that they reach. */
export const layer = (names: ReadonlyArray<string>) =>
  Layer.merge(programs.layer(names.map(fileOf)), Emulator.layerNode()).pipe(
    Layer.provideMerge(NodeContext.layer)
  )
