import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import { constTrue } from "effect/Function"
import type * as Scope from "effect/Scope"
import { bytesOf } from "./answer.js"
import { type ConnectionCut, half } from "./faults.js"

/** Destroys the socket; in the middle of an answer, once its first half has been sent. */
const cut = ({ amid }: ConnectionCut) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    Effect.async<HttpServerResponse.HttpServerResponse>((resume) => {
      const { socket } = NodeHttpServerRequest.toIncomingMessage(request)
      const response = NodeHttpServerRequest.toServerResponse(request)
      const destroy = () => {
        socket.destroy()
        // After its end it takes no other answer.
        response.end()
        resume(Effect.succeed(HttpServerResponse.empty()))
      }
      if (amid === undefined) return destroy()
      response.writeHead(amid.status, amid.headers)
      response.write(half(bytesOf(amid)), destroy)
    })
  )

/** The time for which a client may go on sending a body that is refused, until its connection is cut. */
const patience = "5 seconds"

/** A client that is answered amid its body reads the answer only if its connection stays, which must not be for ever. */
const endSending = (scope: Scope.Scope) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const message = NodeHttpServerRequest.toIncomingMessage(request)
    const isSending = () => !message.complete && !message.destroyed
    return isSending()
      ? Effect.sync(() => isSending() && message.destroy()).pipe(Effect.delay(patience), Effect.forkIn(scope))
      : Effect.void
  })

const serveIn = (app: HttpApp.Default<ConnectionCut>, scope: Scope.Scope) =>
  app.pipe(
    Effect.catchTag("ConnectionCut", cut),
    Effect.zipLeft(endSending(scope)),
    // The server runs its apps uninterruptibly; a client that goes away ends the work.
    Effect.interruptible,
    HttpServer.serveEffect(),
    // A span costs more than the request.
    Effect.locally(HttpMiddleware.currentTracerDisabledWhen, constTrue)
  )

/** Serves the app on the server of the context. */
export const serve = (app: HttpApp.Default<ConnectionCut>) =>
  Effect.flatMap(Effect.scope, (scope) => serveIn(app, scope))
