import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { DocumentSource } from "../../DocumentSource.js"
import * as RetryPolicy from "../../RetryPolicy.js"
import type { CallError } from "../../TranslateError.js"
import { MemoryTransferRefused } from "../../TranslationMemoryError.js"
import type { Quotable } from "../redacting/quotable.js"
import type { Endpoint } from "./call.js"
import * as download from "./download.js"
import type { Endpoints } from "./endpoints.js"
import { addresses } from "./errorTable.js"
import * as responseBody from "./responseBody.js"
import * as uploads from "./uploads.js"

export const contentType = "application/xml"

type Address = Redacted.Redacted

/** An address of a file, which is no endpoint of the contract. */
const endpointOf = (method: "PUT" | "GET", path: string): Endpoint => ({
  method,
  path: path as Endpoint["path"],
  annotations: Context.empty()
})

const refused = (operation: "import" | "export") => (error: CallError) =>
  "status" in error && error._tag !== "UndecodableResponse"
    ? new MemoryTransferRefused({ operation, status: error.status })
    : error

/** Sends TMX to where an import waits for it. Any success will do. */
export const uploader = ({ define, sendTo }: Endpoints) => {
  const put = endpointOf("PUT", addresses.upload)
  const run = define({
    endpoint: put,
    // The same bytes at the same address: another time changes nothing.
    resend: "always",
    size: ({ reading: { size } }: { readonly reading: uploads.Reading; readonly address: Address }) =>
      size / 100,
    document: ({ reading }) => reading.document,
    send: ({ address, reading }, call) => {
      const { content, size } = reading
      const body =
        content instanceof Uint8Array
          ? HttpBody.uint8Array(content, contentType)
          : // The transport on node:http waits for the connection only between the elements of a chunk.
            HttpBody.stream(Stream.rechunk(content, 2), contentType, size)
      const request = HttpClientRequest.setBody(HttpClientRequest.put(Redacted.value(address)), body)
      return reading.attempt(call, Effect.flatMap(sendTo(call, request), responseBody.readBriefly))
    }
  })
  return <E>(address: Address, source: DocumentSource<E>, document: Quotable) => {
    const reading = new uploads.Reading(source, document, put, "sourceFile.contentLength")
    const sent = Effect.catchAll(run({ address, reading }), (error) => {
      // An attempt before has brought the file, and it is not taken twice: the job tells.
      const isThere = "status" in error && error.delivery === "rejected" && error.ambiguousAttempts > 0
      return isThere ? Effect.void : Effect.fail(refused("import")(error))
    })
    return reading.upload(Effect.asVoid(sent))
  }
}

/** The bytes of an exported file. */
export const downloader = ({ define, sendTo }: Endpoints) => {
  const open = define({
    endpoint: endpointOf("GET", addresses.download),
    resend: "always",
    isTimeoutFixed: true,
    send: ({ address, scope }: { readonly address: Address; readonly scope: Scope.Scope }, call) =>
      Effect.gen(function* () {
        const connection = yield* Scope.fork(scope, ExecutionStrategy.sequential)
        const close = Scope.close(connection, Exit.void)
        yield* Effect.addFinalizer(() => close)
        const sent = sendTo(call, HttpClientRequest.get(Redacted.value(address)))
        return { call, close, response: yield* Scope.extend(sent, connection) }
      })
  })
  return (address: Address, idleTimeout: Duration.Duration) =>
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const opened = RetryPolicy.withRetryPolicy({ timeout: idleTimeout })(open({ address, scope }))
      return yield* download.receive(yield* Effect.mapError(opened, refused("export")), {
        idleTimeout,
        type: "tmx"
      })
    })
}
