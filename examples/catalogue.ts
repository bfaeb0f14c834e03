/** How does a catalogue stay translated? Each run translates what is new or has changed, and keeps what people have corrected. */
import { FileSystem } from "@effect/platform"
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer, Schema } from "effect"
import { Translator } from "effect-translate"
import { I18next, OutputPath } from "effect-translate/formats"
import { FileTranslation } from "effect-translate/jobs"
import { NodeProgram } from "effect-translate/node"

const locales = OutputPath.make("locales/{lang}.json")

/** The record of a target stands beside it: a line for each unit, which git merges. */
const recordOf = (target: string) => `${target}.record`

const read = <A>(file: string, use: (fs: FileSystem.FileSystem) => Effect.Effect<A, unknown>) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.flatMap(fs.exists(file), (exists) => (exists ? use(fs) : Effect.succeed(undefined)))
  )

const update = (targetLang: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const source = locales.path("en")
    const file = locales.path(targetLang)
    const target = yield* read(file, (fs) => fs.readFile(file))
    const record = yield* read(recordOf(file), (fs) =>
      Effect.flatMap(fs.readFileString(recordOf(file)), Schema.decode(FileTranslation.OutputRecord))
    )
    const updated = yield* FileTranslation.update(fs.stream(source), {
      format: I18next.format,
      options: { sourceLang: "en", targetLang },
      target,
      record,
      removed: "drop"
    })
    yield* fs.writeFile(`${file}.part`, updated.bytes)
    yield* fs.rename(`${file}.part`, file) // whole, or not at all
    yield* fs.writeFileString(
      recordOf(file),
      yield* Schema.encode(FileTranslation.OutputRecord)(updated.record)
    )
    const { characters, failed, translated } = updated.tally
    yield* Console.log(
      `${file}: ${translated} translated for ${characters} characters, ${failed} failed, ${updated.removed.length} removed`
    )
    for (const { key } of updated.stale)
      yield* Console.log(`${file}: ${key} has changed since it was corrected`)
    if (failed > 0) process.exitCode = 1
  })

Effect.forEach(["de", "ru"], update).pipe(
  Effect.provide([Layer.provide(Translator.layerConfig(), NodeHttpClient.layerUndici), NodeContext.layer]),
  NodeProgram.runMain // broken off, it does not end with 0
)
