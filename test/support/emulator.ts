/** An emulator on a free port or in the process, and a client of it. */
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpServerError from "@effect/platform/HttpServerError"
import type * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { ConcurrencyLimit, TranslateClient } from "effect-translate"
import { Emulator } from "effect-translate/emulator"

type ClientOptions = Emulator.ClientOptions["client"]

/** A client of the emulator in the context, with the given key. */
export const clientOf = (key = Emulator.defaultKey, options?: ClientOptions) =>
  Layer.unwrapEffect(
    Effect.map(Emulator.Emulator, ({ url }) =>
      TranslateClient.layer({
        url,
        name: "emulator",
        key: Redacted.make(key),
        limit: ConcurrencyLimit.makeUnlimited,
        ...options
      })
    )
  )

/** An emulator on a free port and a client of its first key. */
export const emulated = ({
  client,
  ...options
}: Emulator.ClientOptions = {}): Layer.Layer<
  TranslateClient.Provided | Emulator.Emulator,
  ConfigError.ConfigError | HttpServerError.ServeError,
  HttpClient.HttpClient
> => {
  const [first = Emulator.defaultKey] = options.keys ?? []
  const key = typeof first === "string" ? first : first.key
  return Layer.provideMerge(clientOf(key, client), Emulator.layerNode(options))
}

/** The same without a socket: the clock of `it.virtual` drives all of it, or the `TestClock`. */
export const emulatedInProcess = ({ client, ...options }: Emulator.ClientOptions = {}) =>
  Emulator.layerClient({ ...options, client: { limit: ConcurrencyLimit.makeUnlimited, ...client } })
