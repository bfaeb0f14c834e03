import { FileSystem } from "@effect/platform"
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { Effect, Layer, Schema, Stream } from "effect"
import { Csv, Outcome, TranslateStream, Translator } from "effect-translate"
import { NodeProgram } from "effect-translate/node"

const Row = Schema.Struct({ sku: Schema.String, title: Schema.String, body: Schema.String })

const program = Effect.flatMap(FileSystem.FileSystem, (fs) =>
  fs.stream("products.csv").pipe(
    Csv.decode(Row),
    TranslateStream.translateFields(["title", "body"], { targetLang: "de" }), // a misspelt field does not compile
    Outcome.orFail, // or orElseSource, or keep the outcomes
    Csv.encode(Row),
    Stream.run(fs.sink("products.de.csv.part")),
    Effect.zipRight(fs.rename("products.de.csv.part", "products.de.csv")) // whole, or not at all
  )
)

program.pipe(
  Effect.provide([Layer.provide(Translator.layerConfig(), NodeHttpClient.layerUndici), NodeContext.layer]),
  NodeProgram.runMain
)
