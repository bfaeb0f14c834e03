/** The control of jobs over HTTP, which a worker serves. */
import * as HttpServer from "@effect/platform/HttpServer"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as BoundedServer from "../../workflow/BoundedServer.js"
import * as JobServer from "../../workflow/JobServer.js"
import { type Usage, usage } from "../failure.js"
import type { Http } from "./workerOptions.js"

const cannotServe = ({ host, port }: Http, cause: unknown): Usage => {
  const code = Predicate.hasProperty(cause, "code") ? String(cause.code) : "an unknown reason"
  return usage(
    `--http ${host}:${port} ${code === "EADDRINUSE" ? "is taken" : `can't be used (${code})`}: choose another address.`
  )
}

/** The address that is served, with the port that was free if that was not said. */
export const addressOf = (context: Context.Context<never>): string | undefined =>
  Option.getOrUndefined(
    Option.map(Context.getOption(context, HttpServer.HttpServer), ({ address }) =>
      HttpServer.formatAddress(address)
    )
  )

/** Serves the control, and the page that shows jobs. */
export const layer = (http: Http) =>
  JobServer.layer({ key: http.key }).pipe(
    Layer.provideMerge(
      NodeHttpServer.layer(() => BoundedServer.make(), { host: http.host, port: http.port })
    ),
    Layer.mapError((error) => (error._tag === "ServeError" ? cannotServe(http, error.cause) : error))
  )
