/** How do I translate the messages of a queue, within a budget, and see how far it is? What the budget does not cover stays in the queue. */
import { NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer, Queue, Stream } from "effect"
import { Budget, Outcome, Progress, TranslateStream, Translator } from "effect-translate"
import { NodeProgram } from "effect-translate/node"

const program = Effect.gen(function* () {
  const messages = yield* Queue.unbounded<{ readonly id: number; readonly text: string }>()
  yield* messages.offerAll([
    { id: 1, text: "Good morning" },
    { id: 2, text: "Good night" },
    { id: 3, text: "Good afternoon" }
  ])
  const budget = yield* Budget.make(30) // characters
  const progress = yield* Progress.make({ total: 3, pricePerMillion: 20 })
  yield* Stream.fromQueue(messages, { maxChunkSize: 50 }).pipe(
    TranslateStream.translateField("text", { targetLang: "de", linger: "100 millis", budget, progress }),
    Stream.runForEach((outcome) =>
      Outcome.isFailed(outcome)
        ? Console.log(`${outcome.source.id}: put back, ${outcome.failures[0].error._tag}`)
        : Console.log(`${outcome.value.id}: ${outcome.value.text}`)
    ),
    Progress.watch(progress, ({ done, total }) => Console.error(`${done} of ${total}`)),
    Effect.catchTag("BudgetExceeded", (error) => Console.log(error.message))
  )
  const { characters, done, failed } = yield* progress.state
  yield* Console.log({ done, failed, characters })
})

program.pipe(
  Effect.provide(Layer.provide(Translator.layerConfig(), NodeHttpClient.layerUndici)),
  NodeProgram.runMain
)
