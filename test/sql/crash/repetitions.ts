/** A stream of three texts with a store, which asks once more for empty answers: killed between its requests by `CrashRepetitions.long.test.ts`. */
import { NodeContext, NodeHttpClient, NodeRuntime } from "@effect/platform-node"
import * as Chunk from "effect/Chunk"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import {
  Auth,
  ConcurrencyLimit,
  Region,
  RetryPolicy,
  TranslateClient,
  TranslateStream,
  TranslationStore
} from "effect-translate"
import { Check } from "effect-translate/checks"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import { PgTranslationStore } from "effect-translate/postgres"

const [store = "", url = ""] = process.argv.slice(2)

const services = TranslateClient.layerServices().pipe(
  Layer.provide([
    Region.layer({ url, name: "scripted" }),
    Auth.layer({ key: Redacted.make("key") }),
    ConcurrencyLimit.layerAdaptive()
  ]),
  Layer.provide(NodeHttpClient.layerUndici)
)

/** Its lease is short, as that of a killed process on PostgreSQL is waited for. */
const lease = "2 seconds"

const stored = store.startsWith("postgres:")
  ? PgTranslationStore.layer({ url: Redacted.make(store), lease })
  : LibsqlTranslationStore.layer({ file: store, lease })

Effect.flatMap(TranslationStore.TranslationStore, (store) =>
  Stream.make("Mug", "Cup", "Jug").pipe(
    TranslateStream.translate({
      targetLang: "de",
      store,
      verify: { checks: [Check.empty], policies: { answers: "off" } }
    }),
    Stream.runCollect
  )
).pipe(
  Effect.tap((outcomes) =>
    Console.log(JSON.stringify(Chunk.toReadonlyArray(outcomes).map(({ _tag, value }) => [_tag, value])))
  ),
  Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ timeout: "60 seconds" })),
  Effect.provide([services, stored]),
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain
)
