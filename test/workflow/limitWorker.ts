/**
 * A worker that sends as much as the limit of its cluster allows.
 *
 *     limitWorker.ts <address of PostgreSQL> <address of the service>
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Auth, Region, TranslateClient } from "effect-translate"
import { ClusterLimit } from "effect-translate/workflow"
import { PgCluster } from "effect-translate/workflow/postgres"

const [database = "", url = ""] = process.argv.slice(2)

const client = TranslateClient.layerServices().pipe(
  Layer.provide([
    Layer.succeed(Region.Region, { url }),
    Layer.succeed(Auth.ApiKey, { key: Redacted.make("emulator-key"), scheme: "Service-Auth-Key" }),
    ClusterLimit.layer(),
    NodeHttpClient.layerUndici
  ]),
  Layer.provide(PgCluster.layer({ url: Redacted.make(database) }))
)

Effect.runPromise(
  Effect.gen(function* () {
    const { translateText } = yield* TranslateClient.TranslateClient
    const sent = Effect.option(translateText({ text: ["Hello"], targetLang: "de" }))
    yield* Effect.replicateEffect(Effect.forever(sent), 16, { concurrency: "unbounded", discard: true })
  }).pipe(Effect.provide(client))
)
