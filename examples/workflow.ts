/** How do I build a durable workflow of my own? Killed at any moment, the same command goes on, and pays for nothing twice. */
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { DurableDeferred, Workflow } from "@effect/workflow"
import { Console, Effect, Layer, Schema } from "effect"
import { TranslateClient } from "effect-translate"
import { DocumentSchema } from "effect-translate/documents"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { NodeProgram } from "effect-translate/node"
import { Activities, LibsqlCluster, SqlDocumentJournal } from "effect-translate/workflow"

const languages = ["de", "fr", "es"] as const

const Product = Workflow.make({
  name: "Product",
  payload: { sku: Schema.String, description: Schema.String, datasheet: Schema.String },
  success: Schema.Struct({
    descriptions: Schema.Record({ key: Schema.String, value: Schema.String }),
    datasheet: Schema.String,
    isApproved: Schema.Boolean
  }),
  error: Schema.Union(
    Activities.TextsError,
    Activities.GlossaryError,
    DocumentSchema.DocumentTranslationError
  ),
  idempotencyKey: ({ sku }) => sku
}).annotate(Workflow.CaptureDefects, false)

/** What a person decides, perhaps days later and from another program. */
const Approval = DurableDeferred.make("approval", { success: Schema.Boolean })

const glossary = {
  name: "products",
  dictionaries: languages.map((targetLang) => ({
    sourceLang: "en",
    targetLang,
    entries: [{ source: "Teapot", target: "TEAPOT" }]
  }))
}

// The names of activities are their keys in the journal: unique in a workflow, and the same in every run.
const translateProduct = Product.toLayer(({ datasheet, description }) =>
  Effect.gen(function* () {
    const { glossaryId } = yield* Activities.glossarySync({ name: "glossary", payload: glossary })
    const corrected = yield* Activities.write({
      name: "correct",
      payload: { mode: "correct", texts: [description], targetLang: "en-GB" }
    })
    const descriptions = yield* Effect.forEach(
      languages,
      (targetLang) =>
        Activities.translate({
          name: `translate/${targetLang}`,
          payload: { texts: corrected.texts, sourceLang: "en", targetLang, glossaryId }
        }).pipe(Effect.map(({ texts: [text = ""] }): [string, string] => [targetLang, text])),
      { concurrency: languages.length }
    )
    const { output } = yield* Activities.document({
      name: "datasheet",
      payload: { file: datasheet, output: "datasheet.de.pdf", sourceLang: "en", targetLang: "de", glossaryId }
    })
    const isApproved = yield* DurableDeferred.await(Approval)
    return { descriptions: Object.fromEntries(descriptions), datasheet: output, isApproved }
  })
)

const program = Effect.gen(function* () {
  const product = { sku: "T-1", description: "A Teapot for two", datasheet: "datasheet.pdf" }
  const executionId = yield* Product.execute(product, { discard: true })
  const token = DurableDeferred.tokenFromExecutionId(Approval, { workflow: Product, executionId })
  yield* DurableDeferred.succeed(Approval, { token, value: true })
  const { datasheet, descriptions, isApproved } = yield* Product.execute(product)
  for (const [language, description] of Object.entries(descriptions)) {
    yield* Console.log(`${language}: ${description}`)
  }
  yield* Console.log(`${datasheet}: ${isApproved ? "approved" : "not approved"}`)
})

const services = Layer.mergeAll(
  TranslateClient.layerConfig(),
  LibsqlTranslationStore.layer({ file: "translations.db" })
).pipe(Layer.provideMerge(Layer.merge(NodeHttpClient.layerUndici, NodeContext.layer)))

program.pipe(
  Effect.provide(
    translateProduct.pipe(
      Layer.provide(SqlDocumentJournal.layer),
      // Several machines share a database: PgCluster.layer
      Layer.provideMerge(LibsqlCluster.layer({ file: "workflow.db" })),
      // Outside of the engine, so that they end after what it has in flight.
      Layer.provide(services)
    )
  ),
  NodeProgram.runMain
)
