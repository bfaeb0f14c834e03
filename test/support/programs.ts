/** Programs of the examples and the documents, which share what they load: see `programHost.mjs`. */
import { resolve } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Result, root, type Settings } from "../examples/process.js"
import { bundle } from "./bundles.js"
import * as programHost from "./programHost.js"

export interface Service {
  /** Runs one of the programs as a user would in that folder. One runs at a time. */
  readonly run: (settings: Settings, program: string, ...args: ReadonlyArray<string>) => Effect.Effect<Result>
  /** The bundle of one of the programs, to start a process of its own with. */
  readonly bundleOf: (program: string) => string
}

export class Programs extends Context.Tag("test/Programs")<Programs, Service>() {}

/** Bundles the programs, with their common parts in common files, and starts a host for them. */
export const layer = (files: ReadonlyArray<string>) =>
  Layer.scoped(
    Programs,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const outdir = yield* fs.makeTempDirectoryScoped()
      const { metafile } = yield* Effect.promise(() => bundle(files, outdir))
      const bundles = new Map<string, string>(
        Object.entries(metafile.outputs).flatMap(([output, { entryPoint }]) =>
          entryPoint === undefined ? [] : [[`${root}/${entryPoint}`, resolve(root, output)] as const]
        )
      )
      const host = programHost.make()
      yield* Effect.addFinalizer(() => host.discard)
      const bundleOf = (program: string) => bundles.get(program)!
      return {
        bundleOf,
        run: ({ env, folder }, program, ...args) =>
          host.run({ folder, env: { INIT_CWD: folder, ...env } }, bundleOf(program), args)
      }
    })
  )
