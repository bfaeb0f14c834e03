import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { BodyLimit } from "../../api/BodyLimit.js"
import { TranslateApi } from "../../api/TranslateApi.js"
import type * as Auth from "../Auth.js"
import type * as CustomTag from "../CustomTag.js"
import type * as Region from "../Region.js"
import { invalidRequest, type TranslateError } from "../TranslateError.js"
import type { Call } from "./call.js"
import * as response from "./response.js"

/**
 * Sends a request of a call: with address, key and custom tag, and not if its body is over the endpoint's limit. Every
 * response that is no success becomes a `TranslateError`. The scope holds the connection.
 */
export type Send = (
  call: Call,
  request: HttpClientRequest.HttpClientRequest
) => Effect.Effect<HttpClientResponse.HttpClientResponse, TranslateError, Scope.Scope>

const bodyLimits = (): ReadonlyMap<string, number> => {
  const limits = new Map<string, number>()
  HttpApi.reflect(TranslateApi, {
    // Only endpoints with a limit, since reflection goes through all errors of an endpoint.
    predicate: ({ endpoint }) => Option.isSome(Context.getOption(endpoint.annotations, BodyLimit)),
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      limits.set(endpoint.path, Context.unsafeGet(endpoint.annotations, BodyLimit))
    }
  })
  return limits
}

const isSendable = ({ header, tag }: CustomTag.Tag): boolean =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(header) && /^[!-~]([ -~]*[!-~])?$/.test(tag)

const invalidTag = (call: Call) =>
  invalidRequest(call, [
    {
      field: "customTag",
      rule: "is no tag that a header takes: give printable ASCII with spaces only inside, and a header's name"
    }
  ])

export const make = (options: {
  readonly region: Region.Service
  readonly credentials: Auth.Credentials
  readonly httpClient: HttpClient.HttpClient
}): Send => {
  const { credentials, region } = options
  const httpClient = HttpClient.withScope(options.httpClient)
  const limits = bodyLimits()
  const prefix = new URL(region.url).pathname.replace(/\/$/, "")
  const authorization = `${credentials.scheme} ${Redacted.value(credentials.key)}`
  return (call, request) => {
    const { customTag } = call
    call.path = prefix + request.url
    const bytes = request.body.contentLength ?? 0
    const limit = limits.get(request.url)
    if (limit !== undefined && bytes > limit) return Effect.fail(response.tooLarge(call, bytes, limit))
    if (customTag !== undefined && !isSendable(customTag)) return Effect.fail(invalidTag(call))
    const tagged =
      customTag === undefined
        ? request
        : HttpClientRequest.setHeader(request, customTag.header, customTag.tag)
    const addressed = HttpClientRequest.setHeader(
      HttpClientRequest.prependUrl(tagged, region.url),
      "authorization",
      authorization
    )
    return Effect.matchCauseEffect(httpClient.execute(addressed), {
      onFailure: (cause: Cause.Cause<HttpClientError.HttpClientError>) =>
        Effect.failCause(Cause.map(cause, (error) => response.transportError(call, error))),
      onSuccess: (received) => response.received(call, received)
    })
  }
}
