import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpRouter from "@effect/platform/HttpRouter"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

/** The answers where no handler answers. */
export interface Fallbacks {
  readonly noEndpoint: HttpServerResponse.HttpServerResponse
  /** The answer to a defect, whose cause is logged and not sent. */
  readonly failed: HttpServerResponse.HttpServerResponse
  readonly failedMessage: string
}

/** The app of the handlers in a context. All failures are responses, so that the server has nothing to add. */
export const make = (
  context: Context.Context<
    Effect.Effect.Context<typeof HttpApiBuilder.httpApp> | HttpRouter.HttpRouter.DefaultServices
  >,
  { failed, failedMessage, noEndpoint }: Fallbacks
): Effect.Effect<HttpApp.Default> =>
  Effect.provide(HttpApiBuilder.httpApp, context).pipe(
    // An id may have any length: the contract refuses one that is too long.
    HttpRouter.withRouterConfig({ maxParamLength: Number.POSITIVE_INFINITY }),
    Effect.map((app) =>
      app.pipe(
        Effect.mapInputContext((input: Context.Context<HttpServerRequest.HttpServerRequest>) =>
          Context.merge(context, input)
        ),
        Effect.catchAllCause((cause) => {
          const error = Cause.squash(cause)
          if (HttpServerResponse.isServerResponse(error)) return Effect.succeed(error)
          // The router decodes the path; the endpoint was found by the path as sent.
          if (Predicate.isTagged(error, "RouteNotFound")) return Effect.succeed(noEndpoint)
          return Cause.isInterruptedOnly(cause)
            ? Effect.failCause(cause as Cause.Cause<never>)
            : Effect.as(Effect.logError(failedMessage, cause), failed)
        })
      )
    )
  )
