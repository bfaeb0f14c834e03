/** What will a job cost, what may it cost at most, and what has it cost? */
import { NodeHttpClient } from "@effect/platform-node"
import { Console, Effect, Layer, Stream } from "effect"
import { TranslateClient, TranslationStore } from "effect-translate"
import { JobSource, TranslationJob } from "effect-translate/jobs"
import { NodeProgram } from "effect-translate/node"

const rows = ["Mug", "Cup", "Mug", "Teapot"].map((title, id) => ({ id, title }))

const source = JobSource.rows({
  name: "titles",
  rows: Stream.fromIterable(rows),
  key: ({ id }) => String(id),
  fields: ["title"],
  write: () => (outcomes) => Stream.runDrain(outcomes)
})

const job = {
  sources: [source],
  targets: ["de", "fr"],
  pricePerMillion: 20,
  options: { budget: 24 }
} as const

const forecast = Effect.gen(function* () {
  const { budget, characters, cost, requests, targets } = yield* TranslationJob.forecast(job)
  for (const { cached, in: texts, paid, targetLang, translated } of targets) {
    yield* Console.log(
      `${targetLang}: ${texts} texts = ${paid} paid for + ${cached - paid} equal to another + ${translated} to be sent`
    )
  }
  yield* Console.log(
    `${characters} characters in ${requests} requests, for ${cost}; the budget ${budget?.suffices ? "suffices" : "is too small"}`
  )
})

const program = Effect.gen(function* () {
  yield* forecast
  const report = yield* TranslationJob.run(job)
  for (const { cached, characters, cost, targetLang, translated } of report.targets) {
    yield* Console.log(
      `${targetLang}: ${translated} translated, ${cached} not paid again; ${characters.least} to ${characters.most} characters, for ${cost?.least} to ${cost?.most}`
    )
  }
  yield* forecast // the same again
  if (report.end.state !== "complete") process.exitCode = 1
})

program.pipe(
  Effect.provide([
    Layer.provide(TranslateClient.layerConfig(), NodeHttpClient.layerUndici),
    TranslationStore.layerMemory()
  ]),
  NodeProgram.runMain
)
