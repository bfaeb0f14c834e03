/** How do I give a team a key of its own, and see what it has used? An admin key makes it, limits it and reports it. */
import { NodeHttpClient } from "@effect/platform-node"
import { Config, Console, DateTime, Effect, Layer } from "effect"
import { TranslateClient } from "effect-translate"
import { AdminClient, CustomTag, type DeveloperKeys } from "effect-translate/admin"
import { NodeProgram } from "effect-translate/node"

/** The team's own client: a program holds as many clients as it has keys. */
const clientOf = (key: DeveloperKeys.KeyId) => TranslateClient.layerConfig({ key: Config.succeed(key) })

const work = Effect.flatMap(TranslateClient.TranslateClient, ({ translateText }) =>
  translateText({ text: ["Good morning"], targetLang: "de" })
).pipe(CustomTag.withCustomTag("spring"))

const program = Effect.gen(function* () {
  const { analytics, developerKeys } = yield* AdminClient.AdminClient
  const { keyId } = yield* developerKeys.create({ label: "Catalogue" })
  yield* developerKeys.setLimits(keyId, { characters: 20 })

  yield* Effect.provide(work, clientOf(keyId))
  yield* Effect.provide(work, clientOf(keyId)).pipe(
    Effect.catchTag("QuotaExceeded", (error) => Console.log(`${error.status}: the key's limit`))
  )
  yield* developerKeys.deactivate(keyId)

  const endDate = yield* DateTime.now
  const startDate = DateTime.subtract(endDate, { years: 2 })
  const { keyUsages = [] } = yield* analytics.reportOver({ startDate, endDate, groupBy: "key" })
  for (const { apiKey, apiKeyLabel, usage } of keyUsages) {
    yield* Console.log(`${apiKeyLabel} ${apiKey}: ${usage.totalCharacters} characters`)
  }
})

program.pipe(
  Effect.provide(Layer.provideMerge(AdminClient.layerConfig(), NodeHttpClient.layerUndici)),
  NodeProgram.runMain
)
