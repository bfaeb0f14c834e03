import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { resolve } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../../src/cli/settings/settings.js"
import * as inputs from "../../src/cli/translate/sourceFiles.js"
import type { Plan } from "../../src/cli/translate/translateOptions.js"

const settings = Layer.succeed(Settings, {
  file: undefined,
  provider: ConfigProvider.fromMap(new Map()),
  translate: {},
  jobs: undefined,
  worker: {},
  stateFolder: ".effect-translate",
  root: process.cwd(),
  origins: []
})

const planOf = (files: ReadonlyArray<string>): Plan =>
  ({ files, targets: ["de"], languages: ["de"], from: undefined, out: undefined }) as unknown as Plan

describe("files to translate", () => {
  it.effect("are found once, by their shortest path, where links lead round in circles", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(`${tmpdir()}/cli-`)
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
      mkdirSync(`${folder}/a`)
      writeFileSync(`${folder}/a/shop.json`, "{}")
      symlinkSync("..", `${folder}/a/loop`)
      const pathsOf = (...files: ReadonlyArray<string>) =>
        Effect.map(inputs.make(planOf(files)), ({ sources }) => sources.map(({ path }) => resolve(path)))
      expect(yield* pathsOf(folder)).toEqual([`${folder}/a/shop.json`])
      expect(yield* pathsOf(`${folder}/**/*.json`)).toEqual([`${folder}/a/shop.json`])
    }).pipe(Effect.scoped, Effect.provide([NodeContext.layer, settings]))
  )
})
