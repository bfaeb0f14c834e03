/** What failed, and what did it cost? The outcomes say it for each text, and `tally` adds them up. */
import { NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer, Stream } from "effect"
import { Outcome, TranslateStream, Translator } from "effect-translate"
import { NodeProgram } from "effect-translate/node"

const tooLong = "x".repeat(200_000) // no request can hold it
const texts = Stream.make("Good morning", "", "Good night", "Good morning", tooLong)

const program = texts.pipe(
  TranslateStream.translate({ targetLang: "de", dedupe: true, oversized: "fail" }), // cut unless told to fail
  Stream.tap((outcome) =>
    Outcome.isFailed(outcome) ? Console.log(`failed: ${outcome.failures[0].error.message}`) : Effect.void
  ),
  Stream.run(Outcome.tally),
  Effect.flatMap((tally) =>
    Console.log(
      `${tally.in} texts = ${tally.translated} translated + ${tally.cached} cached + ${tally.skipped} skipped + ${tally.failed} failed; ${tally.characters} characters billed`
    ).pipe(
      Effect.andThen(() => {
        if (tally.failed > 0) process.exitCode = 1 // a script sees it too
      })
    )
  )
)

program.pipe(
  Effect.provide(Layer.provide(Translator.layerConfig(), NodeHttpClient.layerUndici)),
  NodeProgram.runMain
)
