import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { BodyLimit } from "../../api/BodyLimit.js"
import { TranslateApi } from "../../api/TranslateApi.js"
import type * as Auth from "../Auth.js"
import * as CustomTag from "../CustomTag.js"
import type * as Region from "../Region.js"
import * as TranslateError from "../TranslateError.js"
import * as answer from "./answer.js"
import { type Call, CurrentCall } from "./call.js"

const bodyLimits = (): ReadonlyMap<string, number> => {
  const limits = new Map<string, number>()
  HttpApi.reflect(TranslateApi, {
    // Unlimited endpoints are passed over, since reflection goes through all errors of each that is not.
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

const unsendable = (call: Call) =>
  TranslateError.invalidRequest(call, [
    {
      field: "customTag",
      rule: "is no tag that a header takes: give printable ASCII with spaces only inside, and a header's name"
    }
  ])

/**
 * Turns an `HttpClient` into the service's: address and key set, and every answer that is no success a
 * `TranslateError` before anything is decoded (a decoder would lose status and headers).
 */
export const make = (options: {
  readonly region: Region.Service
  readonly credentials: Auth.Credentials
  readonly httpClient: HttpClient.HttpClient
}): HttpClient.HttpClient.With<TranslateError.TranslateError, CurrentCall | Scope.Scope> => {
  const { credentials, region } = options
  const httpClient = HttpClient.withScope(options.httpClient)
  const limits = bodyLimits()
  const prefix = new URL(region.url).pathname.replace(/\/$/, "")
  const authorization = `${credentials.scheme} ${Redacted.value(credentials.key)}`
  const send = (request: HttpClientRequest.HttpClientRequest) =>
    Effect.contextWithEffect((context: Context.Context<CurrentCall | Scope.Scope>) => {
      const call = Context.get(context, CurrentCall)
      const tag = Context.get(context, CustomTag.CustomTag)
      call.path = prefix + request.url
      const amended = call.amend === undefined ? request : call.amend(request)
      const bytes = amended.body.contentLength ?? 0
      const limit = limits.get(request.url)
      if (limit !== undefined && bytes > limit) return Effect.fail(answer.tooLarge(call, bytes, limit))
      if (tag !== undefined && !isSendable(tag)) return Effect.fail(unsendable(call))
      const tagged = tag === undefined ? amended : HttpClientRequest.setHeader(amended, tag.header, tag.tag)
      const addressed = HttpClientRequest.setHeader(
        HttpClientRequest.prependUrl(tagged, region.url),
        "authorization",
        authorization
      )
      const sent = Effect.catchAllCause(httpClient.execute(addressed), (cause) =>
        Effect.failCause(Cause.map(cause, (error) => answer.transportError(call, error)))
      )
      return Effect.flatMap(sent, (response) => answer.received(call, response))
    })
  return HttpClient.makeWith<never, never, TranslateError.TranslateError, CurrentCall | Scope.Scope>(
    Effect.flatMap(send),
    Effect.succeed
  )
}
