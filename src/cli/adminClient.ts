/** The administration of the service that the settings name, as a layer for handlers. */
import * as Layer from "effect/Layer"
import * as AdminClient from "../client/AdminClient.js"
import * as ProxyHttpClient from "../runtime/ProxyHttpClient.js"
import { configured } from "./serviceClient.js"

export const admin = AdminClient.layerConfig().pipe(
  Layer.provide(ProxyHttpClient.layerConfig()),
  Layer.provide(configured)
)
