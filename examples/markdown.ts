/** How is a folder of Markdown translated? File by file; what it takes is told first. */
import { FileSystem, Path } from "@effect/platform"
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer, Stream } from "effect"
import { Outcome, ServiceLimits, Translator } from "effect-translate"
import { Markdown } from "effect-translate/formats"
import { FileTranslation } from "effect-translate/jobs"
import { NodeProgram } from "effect-translate/node"

const format = Markdown.make({ frontMatter: ["title", "description"] })
const targetLang = "de"

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const serviceLimits = yield* ServiceLimits.make() // what one file learns of the service, all know
  const names = (yield* fs.readDirectory("docs/en", { recursive: true })).filter((name) =>
    name.endsWith(".md")
  )

  let characters = 0
  for (const name of names) {
    const [forecast] = yield* FileTranslation.forecast(fs.stream(`docs/en/${name}`), {
      format,
      targets: [targetLang]
    })
    characters += forecast!.characters
  }
  yield* Console.log(`${names.length} files, ${characters} characters`)

  for (const name of names.sort()) {
    const target = `docs/${targetLang}/${name}`
    yield* fs.makeDirectory(path.dirname(target), { recursive: true })
    yield* fs.stream(`docs/en/${name}`).pipe(
      FileTranslation.translate({
        format,
        file: name,
        options: { targetLang, serviceLimits },
        onOutcome: (outcome) =>
          Outcome.isFailed(outcome)
            ? Effect.zipRight(
                Effect.sync(() => (process.exitCode = 1)), // a script sees it too
                Console.log(`${name}: ${outcome.failures[0].field}: ${outcome.failures[0].error.message}`)
              )
            : Effect.void
      }),
      Stream.run(fs.sink(`${target}.part`))
    )
    yield* fs.rename(`${target}.part`, target)
    yield* Console.log(target)
  }
})

program.pipe(
  Effect.provide([Layer.provide(Translator.layerConfig(), NodeHttpClient.layerUndici), NodeContext.layer]),
  NodeProgram.runMain // broken off, it does not end with 0
)
