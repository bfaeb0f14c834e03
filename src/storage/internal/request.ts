import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { constTrue } from "effect/Function"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { advised, codeOf, find } from "../../internal/systemCauses.js"
import { dieOfDefect, statusOfProxy } from "../../internal/transportFailure.js"
import { proxyRefused, StorageError } from "../StorageError.js"

/** The default time to wait for an answer, or the next of its bytes. */
export const defaultTimeout = "60 seconds"

const unavailable = (address: string, detail: string) =>
  new StorageError({ address, reason: "unavailable", detail })

/** The code by which a lookup says that an address is private. */
export const privateAddress = "ERR_PRIVATE_ADDRESS"

const refused = (address: string) =>
  new StorageError({
    address,
    reason: "refused",
    detail:
      "its host is on a private network, or on this machine: name what the address begins with in `sources` (--sources), with whole names of its path, if it may be read"
  })

const unreachable = (address: string, error: HttpClientError.HttpClientError) => {
  const status = statusOfProxy(error)
  if (status !== undefined) return proxyRefused(address, status)
  // The error itself may print the request.
  const code = codeOf(error)
  if (code === privateAddress) return refused(address)
  const detail = advised(code)
  if (detail !== undefined) {
    // A certificate stays refused, and a limit of the machine may pass.
    return new StorageError({
      address,
      reason: find(code)?.tag === undefined ? "refused" : "unavailable",
      detail
    })
  }
  const why = code === undefined ? "" : ` (${code})`
  return unavailable(
    address,
    `the connection has failed${why}: check the name of its host, the network, and the proxy`
  )
}

const failed = (address: string) => (error: HttpClientError.HttpClientError) =>
  Effect.zipRight(dieOfDefect(error), Effect.fail(unreachable(address, error)))

/** Sends one request. Spans of the client would show the query of the address. */
export const execute = (
  client: HttpClient.HttpClient,
  address: string,
  timeout: Duration.DurationInput
): ((
  request: HttpClientRequest.HttpClientRequest
) => Effect.Effect<HttpClientResponse.HttpClientResponse, StorageError, Scope.Scope>) => {
  const scoped = HttpClient.withScope(client)
  return (request) =>
    scoped.execute(request).pipe(
      Effect.locally(HttpClient.currentTracerDisabledWhen, constTrue),
      Effect.catchAll(failed(address)),
      Effect.timeoutFail({
        duration: timeout,
        onTimeout: () => unavailable(address, "there was no answer in time: try it again")
      })
    )
}

/** The bytes of an answer. */
export const bytesOf = (
  response: HttpClientResponse.HttpClientResponse,
  address: string,
  timeout: Duration.DurationInput
): Stream.Stream<Uint8Array, StorageError> =>
  response.stream.pipe(
    // Fetch has no body for an answer to HEAD.
    Stream.catchAll((error) =>
      error.reason === "EmptyBody" ? Stream.empty : Stream.fail(unreachable(address, error))
    ),
    Stream.timeoutFail(() => unavailable(address, "its bytes have stopped to come: try it again"), timeout)
  )

/** The beginning of a text that is small as a rule. */
export const textOf = (
  response: HttpClientResponse.HttpClientResponse,
  address: string,
  timeout: Duration.DurationInput
): Effect.Effect<string, StorageError> => {
  let size = 0
  return bytesOf(response, address, timeout).pipe(
    Stream.takeUntil((piece) => {
      size += piece.length
      return size > 16_777_216
    }),
    Stream.decodeText(),
    Stream.mkString
  )
}
