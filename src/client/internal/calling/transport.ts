import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { constTrue } from "effect/Function"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { dieOfDefect } from "../../../internal/transportFailure.js"
import { version } from "../../../internal/version.js"
import type * as Auth from "../../Auth.js"
import type * as CustomTag from "../../CustomTag.js"
import * as Region from "../../Region.js"
import { type CallError, invalidRequest } from "../../TranslateError.js"
import type { Call } from "./call.js"
import * as responseBody from "./responseBody.js"
import * as responseErrors from "./responseErrors.js"

/**
 * Sends a request of a call: with address, key and custom tag, and not if its body is over the endpoint's limit. Every
 * response that is no success becomes a `TranslateError`. The scope holds the connection.
 */
export type Send = (
  call: Call,
  request: HttpClientRequest.HttpClientRequest
) => Effect.Effect<HttpClientResponse.HttpClientResponse, CallError, Scope.Scope>

const isSendable = (header: string, { tag }: CustomTag.Tag): boolean =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(header) && /^[!-~]([ -~]*[!-~])?$/.test(tag)

const invalidTag = {
  field: "customTag",
  rule: "is no tag that a header takes: give printable ASCII with spaces only inside, and a header's name"
}

const tooLarge = (bytes: number, limit: number) => ({
  field: "",
  rule: `the body holds ${bytes} bytes; the limit is ${limit}: send fewer or shorter texts, or a shorter context`
})

/** A browser names itself and its encodings. It would ask the service for the permission of another name. */
const isBrowser = "document" in globalThis || "WorkerGlobalScope" in globalThis

const ofRuntime: { readonly [name: string]: string } = isBrowser
  ? {}
  : { "user-agent": `effect-translate/${version}`, "accept-encoding": responseBody.acceptedEncodings }

/** The two ways in which requests leave. */
export interface Transport {
  /** To the service. */
  readonly send: Send
  /**
   * To the address of the request, which the service has given: without the key. The address gives access to the file, so no
   * span holds it.
   */
  readonly sendTo: Send
}

export const make = (options: {
  readonly region: Region.Service
  readonly credentials: Auth.Credentials
  readonly httpClient: HttpClient.HttpClient
}): Transport => {
  const { credentials, region } = options
  const httpClient = HttpClient.withScope(options.httpClient)
  const prefix = new URL(region.url).pathname.replace(/\/$/, "")
  const kind = Region.kindOf(region)
  const authorization = `${credentials.scheme ?? kind.scheme} ${Redacted.value(credentials.key)}`
  const fixed: typeof ofRuntime = { ...ofRuntime, authorization }
  const { "accept-encoding": _, ...withoutEncoding } = fixed
  const execute: Send = (call, request) =>
    Effect.matchCauseEffect(httpClient.execute(request), {
      onFailure: (cause: Cause.Cause<HttpClientError.HttpClientError>) =>
        Effect.zipRight(
          Option.match(Cause.failureOption(cause), { onNone: () => Effect.void, onSome: dieOfDefect }),
          Effect.failCause(Cause.map(cause, (error) => responseErrors.transportError(call, error)))
        ),
      // Headers have come. The status decides before anything is decoded: a decoder would lose status and headers.
      onSuccess: (response) => {
        call.response = response
        return response.status >= 200 && response.status < 300
          ? Effect.as(call.permit!.accepted, response)
          : responseErrors.fromResponse(call, response)
      }
    })
  return {
    send: (call, request) => {
      const { customTag, settings } = call
      call.path = prefix + request.url
      const bytes = request.body.contentLength ?? 0
      const limit = settings.bodyLimit ?? Number.POSITIVE_INFINITY
      if (bytes > limit) return Effect.fail(invalidRequest(call, [tooLarge(bytes, limit)]))
      const header = customTag?.header ?? kind.customTagHeader
      if (customTag !== undefined && !isSendable(header, customTag))
        return Effect.fail(invalidRequest(call, [invalidTag]))
      const tagged =
        customTag === undefined ? request : HttpClientRequest.setHeader(request, header, customTag.tag)
      const addressed = HttpClientRequest.setHeaders(
        HttpClientRequest.prependUrl(tagged, region.url),
        // A download asks for no encoding.
        "accept-encoding" in request.headers ? withoutEncoding : fixed
      )
      return execute(call, addressed)
    },
    sendTo: (call, request) =>
      Effect.locally(
        execute(call, HttpClientRequest.setHeaders(request, { ...ofRuntime, "accept-encoding": "identity" })),
        HttpClient.currentTracerDisabledWhen,
        constTrue
      )
  }
}
