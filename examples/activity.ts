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
  payload: { id: Schema.String, letter: Activities.TranslatePayload },
  success: Activities.Texts,
  error: Activities.TextsError,
  idempotencyKey: ({ id }) => id
})

// The name of an activity is its key in the journal: unique in a workflow, and the same in every run.
const translateLetter = Letter.toLayer(({ letter }) =>
  Activities.translate({ name: `translate/${letter.targetLang}`, payload: letter })
)

const program = Effect.gen(function* () {
  const letter = { texts: ["Good morning", "Good night"], targetLang: "de" }
  const { failures, tally, texts } = yield* Letter.execute({ id: "L-1", letter })
  yield* Console.log(texts.join("\n"))
  yield* Console.log(`${tally.characters} characters billed, ${failures.length} texts have failed`)
})

const workflow = translateLetter.pipe(
  Layer.provideMerge(LibsqlCluster.layer({ file: "workflow.db" })),
  // Outside of the engine, so that they end after what it has in flight.
  Layer.provide([Translator.layerConfig(), LibsqlTranslationStore.layer({ file: "translations.db" })]),
  Layer.provide([NodeHttpClient.layerUndici, NodeContext.layer])
)

program.pipe(Effect.provide(workflow), NodeProgram.runMain)
