/** Uploads a file, or downloads one of its size into a file or as a stream, once, and tells the peak of this process's memory. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { Auth, ConcurrencyLimit, Region, TranslateClient } from "effect-translate"
import { DocumentSource, DocumentTranslation } from "effect-translate/documents"

const transports: Record<"undici" | "node" | "fetch", Layer.Layer<HttpClient.HttpClient>> = {
  undici: NodeHttpClient.layerUndici,
  node: NodeHttpClient.layer,
  fetch: FetchHttpClient.layer
}

const [direction, transport, url, path] = process.argv.slice(2) as [
  "upload" | "download" | "stream",
  keyof typeof transports,
  string,
  string
]

const client = TranslateClient.layerServices().pipe(
  Layer.provide([
    Region.layer({ url }),
    Auth.layer({ key: Redacted.make("key") }),
    ConcurrencyLimit.layerUnlimited,
    transports[transport]
  ])
)

/** Bytes of the file. */
const program = Effect.gen(function* () {
  const { documents } = yield* TranslateClient.TranslateClient
  const source = yield* DocumentSource.fromPath(path)
  if (direction === "upload") {
    // The server's id is the number of bytes that it got.
    const { documentId } = yield* documents.upload(source, { targetLang: "de" })
    return Number(documentId)
  }
  const handle = { documentId: String(source.size), documentKey: Redacted.make("key") }
  if (direction === "download") {
    return yield* DocumentTranslation.download(handle, `${path}.download`, { overwrite: true })
  }
  return yield* Stream.runFold(documents.download(handle), 0, (bytes, { length }) => bytes + length)
})

const bytes = await program.pipe(
  Effect.provide(client),
  Effect.provide([NodeFileSystem.layer, NodePath.layer]),
  Effect.runPromise
)
process.send!({
  bytes,
  peakRssMiB: process.resourceUsage().maxRSS / 1024
})
process.disconnect()
