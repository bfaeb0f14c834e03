/** The service. */
import { NodeHttpClient } from "@effect/platform-node"
import { Config, Effect, Layer, Option, Redacted } from "effect"
import { Auth, ConcurrencyLimit, TranslateClient, Translator } from "effect-translate"
import { Emulator } from "effect-translate/emulator"
import { Failure } from "./failure.js"
import type { Options } from "./options.js"

/** Its region is called "emulator" at each start, whatever its port, so a store finds again what was paid for. */
const emulator = (latency: number) =>
  TranslateClient.layer.pipe(
    Layer.provide([
      Emulator.layerRegion,
      Auth.layer({ key: Redacted.make(Emulator.defaultKey) }),
      ConcurrencyLimit.layerAdaptive()
    ]),
    Layer.provideMerge(Emulator.layerNode({ latency }))
  )

const variables = ["LANGUAGE_SERVICE_URL", "LANGUAGE_SERVICE_KEY"] as const

/** The service that the environment names, or an emulator on this machine. */
export const layer = ({ latency }: Options) => {
  const client = Effect.gen(function* () {
    const missing = []
    for (const name of variables) {
      if (Option.isNone(yield* Config.option(Config.nonEmptyString(name)))) missing.push(name)
    }
    if (missing.length === 0) return TranslateClient.layerConfig()
    if (missing.length === variables.length) return emulator(latency)
    return yield* new Failure({
      message: `${missing[0]} is not set: set ${variables.join(" and ")} for the real service, or neither for an emulator.`
    })
  })
  return Translator.layer.pipe(
    Layer.provideMerge(Layer.unwrapEffect(client)),
    Layer.provide(NodeHttpClient.layerUndici)
  )
}
