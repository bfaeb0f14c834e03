/** Durable jobs of a file by one layer: settings of the environment, a file, and the kinds of corpora. */
import { existsSync, readFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Emulator } from "effect-translate/emulator"
import { FileCorpus, JobControl, LibsqlWorker } from "effect-translate/workflow"
import { folderWith } from "../job/fileSources.js"
import { ended } from "./jobs.js"

const settings = Layer.unwrapEffect(
  Effect.map(Emulator.Emulator, ({ url }) =>
    Layer.setConfigProvider(
      ConfigProvider.fromMap(
        new Map([
          ["LANGUAGE_SERVICE_URL", url],
          ["LANGUAGE_SERVICE_KEY", Emulator.defaultKey]
        ])
      )
    )
  )
)

/** Does a job of one file. */
const translate = (folder: string, store?: string) =>
  Effect.gen(function* () {
    const { submit } = yield* JobControl.JobControl
    const corpus = yield* FileCorpus.reference({
      files: [{ path: `${folder}/products.csv`, output: `${folder}/products.{lang}.csv` }],
      columns: ["title"]
    })
    yield* submit({ id: "catalogue", corpus, targets: ["de", "fr"] })
    // Another program sees the same.
    return yield* ended("catalogue").pipe(
      Effect.provide(LibsqlWorker.layerControl({ file: `${folder}/jobs.db` }))
    )
  }).pipe(
    Effect.provide(
      LibsqlWorker.layer({ file: `${folder}/jobs.db`, kinds: [FileCorpus.kind], store }).pipe(
        Layer.provideMerge(Layer.merge(NodeHttpClient.layerUndici, NodeContext.layer)),
        Layer.provide(settings)
      )
    )
  )

const products = `id,title\n${Array.from({ length: 120 }, (_, n) => `${n},Mug ${n}`).join("\n")}\n`

describe("a worker of a file, by one layer", () => {
  for (const [where, nameOf] of [
    ["the file of the jobs", () => undefined],
    ["another file", (folder: string) => `${folder}/store.db`]
  ] as const) {
    it.scopedLive(`does a job, and keeps in ${where} the paid translations`, () =>
      Effect.gen(function* () {
        const folder = yield* folderWith({ "products.csv": products })
        const { meter } = yield* Emulator.Emulator
        const { characters, state } = yield* translate(folder, nameOf(folder))
        expect(state).toBe("done")
        expect(characters.least).toBe((yield* meter).characters)
        expect(readFileSync(`${folder}/products.fr.csv`, "utf8").split("\n")).toHaveLength(122)
        expect(existsSync(`${folder}/store.db`)).toBe(where === "another file")
      }).pipe(Effect.provide(Emulator.layerNode()), Effect.provide(NodeContext.layer))
    )
  }

  it.effect("fails as the control of jobs does if the file can't be opened", () =>
    Effect.gen(function* () {
      const control = LibsqlWorker.layerControl({ file: "/nowhere/jobs.db" })
      const error = yield* Effect.flip(Effect.scoped(Layer.build(control)))
      expect(error).toMatchObject({ _tag: "JobsUnavailable", code: "SQLITE_CANTOPEN" })
    })
  )
})
