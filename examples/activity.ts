/** How do I translate in a workflow of my own? An activity translates once, however often its process dies: the store has what is paid for. */
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { Workflow } from "@effect/workflow"
import { Console, Effect, Layer, Schema } from "effect"
import { Translator } from "effect-translate"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { NodeProgram } from "effect-translate/node"
import { Activities, LibsqlCluster } from "effect-translate/workflow"

const Letter = Workflow.make({
  name: "Letter",
  payload: { id: Schema.String, texts: Activities.TranslatePayload },
  success: Activities.Texts,
  error: Activities.TextsError,
  idempotencyKey: ({ id }) => id
})

// The name of an activity is its key in the journal: unique in a workflow, and the same in every run.
const translateLetter = Letter.toLayer(({ texts }) =>
  Activities.translate({ name: `translate/${texts.targetLang}`, payload: texts })
)

const program = Effect.gen(function* () {
  const { failures, tally, texts } = yield* Letter.execute({
    id: "L-1",
    texts: { texts: ["Good morning", "Good night"], targetLang: "de" }
  })
  yield* Effect.forEach(texts, (text) => Console.log(text))
  yield* Console.log(`${tally.characters} characters billed, ${failures.length} texts have failed`)
})

const services = Layer.merge(
  Translator.layerConfig(),
  LibsqlTranslationStore.layer({ file: "translations.db" })
).pipe(Layer.provideMerge(Layer.merge(NodeHttpClient.layerUndici, NodeContext.layer)))

program.pipe(
  Effect.provide(
    translateLetter.pipe(
      Layer.provideMerge(LibsqlCluster.layer({ file: "workflow.db" })),
      // Outside of the engine, so that they end after what it has in flight.
      Layer.provide(services)
    )
  ),
  NodeProgram.runMain
)
