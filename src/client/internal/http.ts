import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { BodyLimit } from "../../api/BodyLimit.js"
import { TranslateApi } from "../../api/TranslateApi.js"
import type * as Auth from "../Auth.js"
import type * as Region from "../Region.js"
import * as RetryPolicy from "../RetryPolicy.js"
import type * as Throttle from "../Throttle.js"
import * as TranslateError from "../TranslateError.js"
import * as answer from "./answer.js"
import { CurrentCall, fields } from "./call.js"

const bodyLimits = (): ReadonlyMap<string, number> => {
  const limits = new Map<string, number>()
  HttpApi.reflect(TranslateApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const limit = Context.getOption(endpoint.annotations, BodyLimit)
      if (limit._tag === "Some") limits.set(endpoint.path, limit.value)
    }
  })
  return limits
}

/**
 * Turns an `HttpClient` into the service's: address and key set, one permit for each attempt, a time-out that grows
 * with the body, and every failure a `TranslateError` before anything is decoded (a decoder would lose status and
 * headers).
 */
export const make = (options: {
  readonly region: Region.Service
  readonly credentials: Auth.Credentials
  readonly throttle: Throttle.Service
  readonly httpClient: HttpClient.HttpClient
}): HttpClient.HttpClient.With<TranslateError.TranslateError, CurrentCall> => {
  const { credentials, region, throttle } = options
  const limits = bodyLimits()
  const prefix = new URL(region.url).pathname.replace(/\/$/, "")
  const authorization = `${credentials.scheme} ${Redacted.value(credentials.key)}`
  const send = (request: HttpClientRequest.HttpClientRequest) =>
    Effect.flatMap(CurrentCall, (call) => {
      call.path = new URL(request.url).pathname
      const bytes = request.body.contentLength ?? 0
      const limit = limits.get(call.path.slice(prefix.length))
      if (limit !== undefined && bytes > limit) return Effect.fail(answer.tooLarge(call, bytes, limit))
      const after = RetryPolicy.timeoutFor(call.policy, bytes, call.attempts)
      return throttle.withPermit((release) =>
        options.httpClient.execute(request).pipe(
          Effect.mapError((error) => answer.transportError(call, error)),
          Effect.flatMap((response) => Effect.zipRight(release, answer.received(call, response))),
          Effect.timeoutFail({
            duration: after,
            onTimeout: () => new TranslateError.TimedOut({ ...fields(call, "ambiguous"), after })
          })
        )
      )
    })
  return HttpClient.makeWith<never, never, TranslateError.TranslateError, CurrentCall>(
    Effect.flatMap(send),
    (request) =>
      Effect.succeed(
        HttpClientRequest.setHeader(
          HttpClientRequest.prependUrl(request, region.url),
          "authorization",
          authorization
        )
      )
  )
}
