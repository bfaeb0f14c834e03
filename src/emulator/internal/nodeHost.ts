import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import { constTrue } from "effect/Function"
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

/** Serves the app on the server of the context. */
export const serve = (app: HttpApp.Default<ConnectionCut>) =>
  app.pipe(
    Effect.catchTag("ConnectionCut", cut),
    // The server runs its apps uninterruptibly; a client that goes away ends the work.
    Effect.interruptible,
    HttpServer.serveEffect(),
    // A span costs more than the request.
    Effect.locally(HttpMiddleware.currentTracerDisabledWhen, constTrue)
  )
