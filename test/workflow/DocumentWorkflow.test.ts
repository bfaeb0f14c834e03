import { readFileSync } from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect } from "@effect/vitest"
import * as WorkflowEngine from "@effect/workflow/WorkflowEngine"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DocumentError, DocumentJournal } from "effect-translate/documents"
import { Emulator, Fault } from "effect-translate/emulator"
import { DocumentWorkflow, SqlDocumentJournal } from "effect-translate/workflow"
import { libsqlFile } from "../support/databases.js"
import { emulated } from "../support/emulator.js"
import { sharedLayer } from "../support/sharedLayer.js"

const base = Layer.provideMerge(
  emulated({ documents: { queueTime: "20 millis", translationTime: "20 millis" } }),
  Layer.merge(NodeHttpClient.layerUndici, NodeContext.layer)
)

const test = sharedLayer(base)

/** A file of its own, and an engine that has forgotten what earlier ones have done. */
const prepared = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped()
  yield* fs.writeFileString(`${folder}/in.txt`, `Hello ${folder}`)
  return {
    folder,
    document: { file: `${folder}/in.txt`, output: `${folder}/out.txt`, targetLang: "de" as const }
  }
})

const engine = (options?: DocumentWorkflow.Options) =>
  Layer.provideMerge(DocumentWorkflow.layer(options), WorkflowEngine.layerMemory)

const uploads = Effect.flatMap(Emulator.Emulator, ({ meter }) => Effect.map(meter, ({ uploads }) => uploads))

describe("DocumentWorkflow", () => {
  test("a document is uploaded once and downloaded", () =>
    Effect.gen(function* () {
      const { document, folder } = yield* prepared
      const before = yield* uploads
      const job: DocumentWorkflow.DocumentJob = { id: "a", document }
      yield* Effect.gen(function* () {
        const [first, second] = yield* Effect.all([
          DocumentWorkflow.translate(job),
          DocumentWorkflow.translate(job)
        ])
        expect(first).toMatchObject({ output: `${folder}/out.txt`, already: false })
        expect(second).toEqual(first)
        expect(yield* DocumentWorkflow.poll({ id: "a" })).toMatchObject({ _tag: "Complete" })
        expect(yield* DocumentWorkflow.poll({ id: "b" })).toBeUndefined()
      }).pipe(Effect.provide(engine()), Effect.provide(DocumentJournal.layerMemory))
      expect(readFileSync(`${folder}/out.txt`, "utf8")).toMatch(/^\[de\] /)
      expect((yield* uploads) - before).toBe(1)
    }))

  test("an engine that has forgotten everything finds the document in the journal", () =>
    Effect.gen(function* () {
      const { document } = yield* prepared
      const before = yield* uploads
      const once = DocumentWorkflow.translate({ id: "a", document })
      yield* Effect.gen(function* () {
        yield* Effect.provide(once, engine())
        expect(yield* Effect.provide(once, engine())).toMatchObject({ already: true })
      }).pipe(Effect.provide(Layer.provide(SqlDocumentJournal.layer, libsqlFile.layer)))
      expect((yield* uploads) - before).toBe(1)
    }))

  test("an upload whose answer was lost is in doubt, and is sent again only if that is allowed", () =>
    Effect.gen(function* () {
      const { document } = yield* prepared
      const before = yield* uploads
      yield* Effect.gen(function* () {
        const { script } = yield* Emulator.Emulator
        // The document is taken, and its answer does not come.
        yield* script(
          Fault.cutConnection({ when: "after" }).pipe(Fault.where(({ path }) => path === "/v2/document"))
        )
        const error = yield* Effect.flip(
          Effect.provide(DocumentWorkflow.translate({ id: "a", document }), engine())
        )
        expect(error).toBeInstanceOf(DocumentError.AmbiguousUpload)
        const again = { ...document, resubmit: ["ambiguous" as const] }
        yield* Effect.provide(
          DocumentWorkflow.translate({ id: "a", revision: "2", document: again }),
          engine()
        )
      }).pipe(Effect.provide(DocumentJournal.layerMemory))
      expect((yield* uploads) - before).toBe(2)
    }))
})
