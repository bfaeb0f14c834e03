/** An emulator on a free port or in the process, and a client of it. */
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpServerError from "@effect/platform/HttpServerError"
import type * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Auth, ConcurrencyLimit, Region, TranslateClient } from "effect-translate"
import { Emulator } from "effect-translate/emulator"

/** A client of the emulator in the context, with the given key. */
export const clientOf = (key = Emulator.defaultKey, tier?: "paid" | "free") =>
  Layer.unwrapEffect(
    Effect.map(Emulator.Emulator, ({ url }) =>
      TranslateClient.layer.pipe(
        Layer.provide([
          Region.layer({ url, tier }),
          Auth.layer({ key: Redacted.make(key) }),
          ConcurrencyLimit.layerUnlimited
        ])
      )
    )
  )

const clientOfFirst = ({ keys = [] }: Emulator.Options) => {
  const [first = Emulator.defaultKey] = keys
  return clientOf(typeof first === "string" ? first : first.key)
}

/** An emulator on a free port and a client of its first key. */
export const emulated = (
  options: Emulator.Options = {}
): Layer.Layer<
  TranslateClient.TranslateClient | Emulator.Emulator,
  ConfigError.ConfigError | HttpServerError.ServeError,
  HttpClient.HttpClient
> => Layer.provideMerge(clientOfFirst(options), Emulator.layerNode(options))

/** The same without a socket: the clock of `it.virtual` drives all of it, or the `TestClock`. */
export const emulatedInProcess = (
  options: Emulator.Options = {}
): Layer.Layer<
  TranslateClient.TranslateClient | Emulator.Emulator | HttpClient.HttpClient,
  ConfigError.ConfigError
> => Layer.provideMerge(clientOfFirst(options), Emulator.layerHttpClient(options))
