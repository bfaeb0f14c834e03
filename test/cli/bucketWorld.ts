/** What the command line needs to translate the objects of a bucket. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Emulator } from "effect-translate/emulator"
import * as bucket from "../support/bucket.js"
import { emulator, folderOf, run } from "./process.js"

/** A bucket with files, an emulator, and a folder. */
export const world = (files: Readonly<Record<string, string>>, options?: Emulator.Options) =>
  disturbedWorld(undefined, files, options)

/** The same, with a bucket that answers some requests otherwise. */
export const disturbedWorld = (
  disturb: Parameters<typeof bucket.make>[0],
  files: Readonly<Record<string, string>>,
  options?: Emulator.Options
) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.merge(NodeContext.layer, NodeHttpClient.layerUndici))
    const objects = yield* Effect.provide(bucket.withObjects(files, disturb), context)
    const service = yield* emulator(options)
    const folder = yield* folderOf()
    const env = { ...service.env, ...bucket.envOf(objects.endpoint) }
    return {
      ...objects,
      billed: service.billed,
      folder,
      env,
      run: (...args: ReadonlyArray<string>) => run(args, { folder, env })
    }
  })

export const columns = ["--column", "title", "--to", "de"]
