/** How is a dataset translated? Line by line, in flat memory, into several languages on one reading of the file. */
import { FileSystem } from "@effect/platform"
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer, Ref, Stream } from "effect"
import { Outcome, Targets, Translator } from "effect-translate"
import { JsonLines } from "effect-translate/formats"
import { FileTranslation } from "effect-translate/jobs"
import { NodeProgram } from "effect-translate/node"

const format = JsonLines.make({ select: ["messages[*].content"], onBadLine: "skip" })

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const results = yield* Targets.run(
    fs.stream("chats.jsonl"),
    ["de", "fr"],
    (targetLang) => (bytes) =>
      Effect.gen(function* () {
        const sum = yield* Ref.make(Outcome.zero)
        yield* bytes.pipe(
          FileTranslation.translate({
            format,
            file: "chats.jsonl",
            options: { targetLang },
            onOutcome: (outcome) =>
              Effect.zipRight(
                Outcome.isFailed(outcome) ? Console.log(outcome.failures[0].error.message) : Effect.void,
                Ref.update(sum, (sum) => Outcome.add(sum, outcome))
              )
          }),
          Stream.run(fs.sink(`chats.${targetLang}.jsonl.part`))
        )
        yield* fs.rename(`chats.${targetLang}.jsonl.part`, `chats.${targetLang}.jsonl`)
        return yield* Ref.get(sum)
      })
  )
  for (const { result, targetLang } of results) {
    const tally = yield* result // fails with what has ended this language
    yield* Console.log(
      `${targetLang}: ${tally.translated} translated, ${tally.cached} cached, ${tally.failed} failed`
    )
    if (tally.failed > 0) process.exitCode = 1
  }
})

program.pipe(
  Effect.provide([Layer.provide(Translator.layerConfig(), NodeHttpClient.layerUndici), NodeContext.layer]),
  NodeProgram.runMain // broken off, it does not end with 0
)
