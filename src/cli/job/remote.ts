/** The control of jobs that a worker serves. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as JobClient from "../../workflow/JobClient.js"
import * as key from "./key.js"

/** The control of jobs at an address. */
export const layer = (url: string) =>
  Layer.unwrapEffect(Effect.map(key.find, (key) => JobClient.layer({ url, key }))).pipe(
    Layer.provide(NodeHttpClient.layerUndici)
  )
