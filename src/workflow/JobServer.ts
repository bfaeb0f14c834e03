/**
 * Serves control of durable jobs over HTTP, and a page for browsers that shows them live. Nothing is told without the key but whether the
 * server is well.
 *
 * @since 0.1.0
 */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import * as HttpServer from "@effect/platform/HttpServer"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { is, TaggedError } from "../internal/taggedError.js"
import * as jobsHttpApp from "./internal/http/jobsHttpApp.js"
import type { JobControl } from "./JobControl.js"

/**
 * The fewest characters of a key.
 *
 * @since 0.1.0
 * @category constants
 */
export const shortestKey = 16

/**
 * The key of a server could be guessed.
 *
 * @since 0.1.0
 * @category errors
 */
export class KeyTooShort extends TaggedError<KeyTooShort>()(
  "KeyTooShort",
  {},
  () =>
    `The key of the server of jobs has less than ${shortestKey} characters: take a random one, such as that of "openssl rand -hex 32".`
) {}

/**
 * Returns `true` for an error of this module.
 *
 * @since 0.1.0
 * @category guards
 */
export const isKeyTooShort = is(KeyTooShort)

/**
 * Settings of a server of jobs.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The key that clients send as `Authorization: Bearer <KEY>`: at least 16 characters without spaces. */
  readonly key: Redacted.Redacted
  /** The most bytes of a body; 413 beyond. @default 1,000,000 */
  readonly maxBodyBytes?: number | undefined
}

/**
 * The app of a server of jobs, for a server of your own: the API below `/v1`, the page at `/`, its description at `/openapi.json`, and
 * `/health/live` and `/health/ready` for probes. It answers every request. Fails if the key is too short.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (
  options: Options
) => Effect.Effect<HttpApp.Default, KeyTooShort, JobControl | Scope.Scope> = ({
  key,
  maxBodyBytes = 1_000_000
}) =>
  Redacted.value(key).length < shortestKey
    ? Effect.fail(new KeyTooShort())
    : jobsHttpApp.make({ key, maxBodyBytes })

/**
 * Serves jobs on the server of the context. Where others can listen on the way, let a proxy with TLS stand before it: the key is sent
 * with each request.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<never, KeyTooShort, JobControl | HttpServer.HttpServer> =>
  Layer.scopedDiscard(
    // The server runs its apps uninterruptibly; a client that goes away ends the work.
    Effect.flatMap(make(options), (app) => HttpServer.serveEffect(Effect.interruptible(app))).pipe(
      // Pages and probes ask every second: they would be most of all spans.
      Effect.locally(HttpMiddleware.currentTracerDisabledWhen, ({ method }) => method === "GET")
    )
  )

/**
 * Serves jobs on the server of the context, with the key in `EFFECT_TRANSLATE_JOBS_KEY` unless the settings name another one.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options: Config.Config.Wrap<Options> = { key: Config.redacted("EFFECT_TRANSLATE_JOBS_KEY") }
): Layer.Layer<never, KeyTooShort | ConfigError, JobControl | HttpServer.HttpServer> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layer))
