/** How do I translate texts nested in objects? One function takes them out, another puts them back. */
import { NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer, Stream } from "effect"
import { Outcome, TranslateStream, Translator } from "effect-translate"
import { NodeProgram } from "effect-translate/node"

interface Question {
  readonly id: number
  readonly text: string
  readonly answers: ReadonlyArray<{ readonly text: string; readonly right: boolean }>
}

const questions: ReadonlyArray<Question> = [
  {
    id: 1,
    text: "Who shall be subjected to torture?",
    answers: [{ text: "No one", right: true }]
  }
]

const program = Stream.fromIterable(questions).pipe(
  TranslateStream.translateWith({
    targetLang: "fr",
    texts: ({ answers, text }: Question) => [text, ...answers.map((answer) => answer.text)],
    replace: (question, [text = "", ...answers]) => ({
      ...question,
      text,
      answers: question.answers.map((answer, index) => ({ ...answer, text: answers[index] ?? "" }))
    })
  }),
  Outcome.orFail,
  Stream.runForEach((question) => Console.log(JSON.stringify(question)))
)

program.pipe(
  Effect.provide(Layer.provide(Translator.layerConfig(), NodeHttpClient.layerUndici)),
  NodeProgram.runMain
)
