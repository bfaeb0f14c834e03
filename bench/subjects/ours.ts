import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { Auth, ConcurrencyLimit, Outcome, Region, TranslateClient, TranslateStream } from "effect-translate"
import type { Subject } from "../corpus.js"

const [kind, initial] = (process.env.LIMIT ?? "adaptive 8").split(" ")

const concurrencyLimit =
  kind === "fixed"
    ? ConcurrencyLimit.layerFixed(Number(initial))
    : ConcurrencyLimit.layerAdaptive({ initial: Number(initial) })

/** Our stream with all checks on. */
export const translate = (
  url: string,
  texts: IterableIterator<string>,
  options: TranslateStream.Options
): Promise<number> => {
  const layers = TranslateClient.layerServices().pipe(
    Layer.provide([
      Region.layer({ url }),
      Auth.layer({ key: Redacted.make("bench") }),
      concurrencyLimit,
      NodeHttpClient.layerUndici
    ])
  )
  let characters = 0
  return Stream.fromIteratorSucceed(texts, 100).pipe(
    TranslateStream.translate(options),
    Outcome.orFail,
    Stream.runForEachChunk((chunk) =>
      Effect.sync(() => {
        for (const text of chunk) characters += text.length
      })
    ),
    Effect.provide(layers),
    Effect.map(() => characters),
    Effect.runPromise
  )
}

export const run: Subject = (url, texts, concurrency) =>
  translate(url, texts, { targetLang: "de", concurrency })
