import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { Auth, ConcurrencyLimit, Region, TranslateClient, TranslateStream } from "effect-translate"
import { texts } from "./corpus.js"

/** Milliseconds from the interruption of a running stream until it has ended. */
export const interruptAfter = (url: string, millis: number): Promise<number> =>
  Effect.gen(function* () {
    const fiber = yield* Stream.fromIteratorSucceed(texts("en", 1_000_000), 100).pipe(
      TranslateStream.translate({ targetLang: "de" }),
      Stream.runDrain,
      Effect.fork
    )
    yield* Effect.sleep(millis)
    const start = performance.now()
    yield* Fiber.interrupt(fiber)
    return performance.now() - start
  }).pipe(
    Effect.provide(
      TranslateClient.layerServices().pipe(
        Layer.provide([
          Region.layer({ url }),
          Auth.layer({ key: Redacted.make("bench") }),
          ConcurrencyLimit.layerAdaptive(),
          NodeHttpClient.layerUndici
        ])
      )
    ),
    Effect.runPromise
  )
