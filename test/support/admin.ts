/** Admin clients: of a recording server, and of the emulator in the context. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Auth, Region } from "effect-translate"
import { AdminClient } from "effect-translate/admin"
import { Emulator } from "effect-translate/emulator"
import { key } from "./client.js"
import * as recording from "./recordingServer.js"

const adminAt = (url: string, adminKey: string) =>
  AdminClient.layerServices.pipe(
    Layer.provide([Region.layer({ url }), Auth.layerAdmin({ key: Redacted.make(adminKey) })])
  )

/** A recording server and an admin client of it. */
export const served = () =>
  Layer.provideMerge(
    Layer.unwrapEffect(
      Effect.map(recording.RecordingServer, ({ url }) =>
        adminAt(url, key).pipe(Layer.provide(NodeHttpClient.layerUndici))
      )
    ),
    recording.layer
  )

/** An admin client of the emulator in the context, with the given key. */
export const adminOf = (adminKey: string) =>
  Layer.unwrapEffect(Effect.map(Emulator.Emulator, ({ url }) => adminAt(url, adminKey)))

export const developerKeys = Effect.map(AdminClient.AdminClient, (client) => client.developerKeys)

export const analytics = Effect.map(AdminClient.AdminClient, (client) => client.analytics)
