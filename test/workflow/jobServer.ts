/** A server of jobs on a free port, over control in memory. */
import * as Http from "node:http"
import * as HttpServer from "@effect/platform/HttpServer"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { JobControl, type Service } from "../../src/workflow/JobControl.js"
import * as JobServer from "../../src/workflow/JobServer.js"

export const key = "a key of at least 16 characters".replaceAll(" ", "-")

/** Serves in the scope; gives the address. */
export const serve = (control: Service, options: Partial<JobServer.Options> = {}) =>
  Effect.map(
    Layer.build(
      Layer.provideMerge(
        JobServer.layer({ key: Redacted.make(key), ...options }),
        Layer.merge(
          Layer.succeed(JobControl, control),
          NodeHttpServer.layerServer(Http.createServer, { port: 0, host: "127.0.0.1" })
        )
      )
    ),
    (context) => HttpServer.formatAddress(Context.get(context, HttpServer.HttpServer).address)
  )
