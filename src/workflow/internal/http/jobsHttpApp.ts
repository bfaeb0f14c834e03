import { createHash, timingSafeEqual } from "node:crypto"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import * as HttpMethod from "@effect/platform/HttpMethod"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Function from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as httpApiApp from "../../../internal/httpApiApp.js"
import * as CorpusJob from "../../CorpusJob.js"
import * as JobApi from "../../JobApi.js"
import { JobControl, type PurgeOptions, type Service } from "../../JobControl.js"
import { type JobControlError, JobServerError, JobsUnavailable } from "../../JobControlError.js"
import * as jobData from "../jobData.js"

type Response = HttpServerResponse.HttpServerResponse

export interface Settings {
  readonly key: Redacted.Redacted
  readonly maxBodyBytes: number
}

const sha256 = (text: string) => createHash("sha256").update(text).digest()

/** Compares keys in a time that tells nothing of them. */
const authorization = (key: Redacted.Redacted) => {
  const expected = sha256(Redacted.value(key))
  return Layer.succeed(
    JobApi.Authorization,
    JobApi.Authorization.of({
      key: (given) =>
        timingSafeEqual(sha256(Redacted.value(given)), expected)
          ? Effect.void
          : Effect.fail(
              new JobServerError({
                reason: "KeyRefused",
                message:
                  'The key was refused: send that of the server in the header "Authorization: Bearer <KEY>".'
              })
            )
    })
  )
}

/** Not reached by a handler: bodies of errors are as the contract has them. */
const refused = (status: number, message: string): Response =>
  HttpServerResponse.unsafeJson(
    { _tag: "JobServerError", reason: "RequestRefused", message },
    { status, headers: { "content-type": "application/json" } }
  )

const encodeJobs = Schema.encode(Schema.parseJson(CorpusJob.Page))

/** Answers with the changes alone: pages ask every second. */
const listing = (
  control: Service,
  { state, ...options }: typeof JobApi.ListParams.Type,
  request: HttpServerRequest.HttpServerRequest
) =>
  Effect.gen(function* () {
    const json = yield* Effect.orDie(encodeJobs(yield* control.list({ ...options, states: state })))
    const etag = `"${createHash("sha256").update(json).digest("base64url").slice(0, 22)}"`
    return request.headers["if-none-match"] === etag
      ? HttpServerResponse.empty({ status: 304, headers: { etag } })
      : HttpServerResponse.text(json, { contentType: "application/json", headers: { etag } })
  })

const encodeLine = Schema.encode(JobApi.FailureLine)

const line = (value: CorpusJob.Failure | JobApi.End) =>
  Effect.map(Effect.orDie(encodeLine(value)), (json) => `${json}\n`)

/** Ends with a line that tells if it is whole: a stream over HTTP that breaks may look like one that has ended. */
const failureLines = (
  failures: Stream.Stream<CorpusJob.Failure, JobControlError>,
  limit: number | undefined
) => {
  let sent = 0
  return failures.pipe(
    limit === undefined ? Function.identity : Stream.take(limit + 1),
    Stream.mapConcatEffect((failure) =>
      limit !== undefined && sent++ >= limit
        ? Effect.succeed([])
        : Effect.map(line(failure), (text) => [text])
    ),
    Stream.concat(
      Stream.fromEffect(
        Effect.suspend(() => line({ _tag: "End", isWhole: limit === undefined || sent <= limit }))
      )
    ),
    Stream.catchAll((error) => Stream.fromEffect(line({ _tag: "End", isWhole: false, error }))),
    Stream.encodeText
  )
}

const purgeOptions = ({ olderThan = 0 }: { readonly olderThan?: number | undefined }): PurgeOptions =>
  olderThan === 0 ? {} : { olderThan: Duration.seconds(olderThan) }

const purge = (control: Service, options: PurgeOptions) =>
  Effect.map(control.purge(options), (generations) => ({ generations }))

const jobs = (control: Service) =>
  HttpApiBuilder.group(JobApi.Api, "jobs", (handlers) =>
    handlers
      .handleRaw("list", ({ request, urlParams }) => listing(control, urlParams, request))
      .handle("submit", ({ path, payload }) => control.submit({ ...payload, id: path.id }))
      .handle("status", ({ path }) => control.status(path.id))
      .handleRaw("failures", ({ path, urlParams }) =>
        // Errors that can't be told after the first line are found out before it.
        Effect.map(control.status(path.id), () =>
          HttpServerResponse.stream(failureLines(control.failures(path.id), urlParams.limit), {
            contentType: "application/x-ndjson"
          })
        )
      )
      .handle("pause", ({ path }) => control.pause(path.id))
      .handle("resume", ({ path }) => control.resume(path.id))
      .handle("cancel", ({ path }) => control.cancel(path.id))
      .handle("purge", ({ path, urlParams }) => purge(control, { id: path.id, ...purgeOptions(urlParams) }))
      .handle("purgeEnded", ({ urlParams }) => purge(control, purgeOptions(urlParams)))
      .handle("workers", () => control.workers)
  )

/** Anyone may ask, so the database is asked once a second at most. */
const health = (control: Service) =>
  HttpApiBuilder.group(JobApi.Api, "health", (handlers) =>
    Effect.map(
      Effect.cachedWithTTL(
        control.workers.pipe(
          Effect.catchAll((error) =>
            error._tag === "JobsUnavailable" || error._tag === "JobsVersionUnknown"
              ? Effect.fail(error)
              : Effect.die(error)
          ),
          Effect.timeoutFail({
            duration: "5 seconds",
            onTimeout: () => new JobsUnavailable({ code: "TIMEOUT" })
          }),
          Effect.as({ status: "ok" as const })
        ),
        "1 second"
      ),
      (ready) =>
        handlers.handle("live", () => Effect.succeed({ status: "ok" as const })).handle("ready", () => ready)
    )
  )

const decodeText = new TextDecoder("utf-8", { fatal: true })

/** The JSON of a body, or the answer that refuses it. */
const bodyOf = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number
): Effect.Effect<unknown, Response> => {
  const tooLarge = HttpServerResponse.setHeader(
    refused(413, `The body holds more than ${limit} bytes, which is the limit: send less.`),
    "connection",
    "close"
  )
  const [type = ""] = (request.headers["content-type"] ?? "").split(";", 1)
  if (type.trim().toLowerCase() !== "application/json")
    return Effect.fail(refused(415, "The content type must be application/json."))
  if (Number(request.headers["content-length"] ?? 0) > limit) return Effect.fail(tooLarge)
  return request.arrayBuffer.pipe(
    HttpIncomingMessage.withMaxBodySize(Option.some(limit)),
    Effect.mapError(() => tooLarge),
    Effect.flatMap((bytes) =>
      Effect.try({
        try: (): unknown => JSON.parse(decodeText.decode(bytes)),
        catch: () => refused(400, "The body is no JSON in UTF-8.")
      })
    ),
    Effect.filterOrFail(
      (body) => jobData.nestingProblem(body) === undefined,
      (body) => refused(400, `The body ${jobData.nestingProblem(body)}.`)
    )
  )
}

/** The request as the contract reads it: once the key was accepted, and if its method has a body. */
const withBody = (request: HttpServerRequest.HttpServerRequest, limit: number) =>
  HttpMethod.hasBody(request.method)
    ? (Object.create(request, {
        headers: { value: { ...request.headers, "content-type": "application/json" } },
        json: { value: bodyOf(request, limit) }
      }) as HttpServerRequest.HttpServerRequest)
    : request

const noEndpoint = refused(404, "There is no such endpoint: see /openapi.json.")

/** No browser may show an answer in another page, guess its type, keep it, or tell others where it came from. */
const secured = (response: Response): Response =>
  HttpServerResponse.setHeaders(response, {
    "content-security-policy":
      response.headers["content-security-policy"] ?? "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store"
  })

/** Loaded when it is asked for: a program that runs from its sources has no bundle of the page. */
const page = Effect.map(
  Effect.promise(() => import("./jobsPage.js")),
  ({ html, policy }) =>
    HttpServerResponse.setHeader(HttpServerResponse.html(html), "content-security-policy", policy)
)

const pathOf = (url: string) => url.split(/[?#]/, 1)[0]!

export const make = (settings: Settings): Effect.Effect<HttpApp.Default, never, JobControl | Scope.Scope> =>
  Effect.gen(function* () {
    const control = yield* JobControl
    const context = yield* HttpApiBuilder.api(JobApi.Api).pipe(
      Layer.provide([jobs(control), health(control)]),
      Layer.provide(authorization(settings.key)),
      Layer.provideMerge(
        Layer.mergeAll(HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer, HttpServer.layerContext)
      ),
      Layer.build
    )
    const api = yield* httpApiApp.make(context, {
      noEndpoint,
      failedMessage: "The server of jobs failed",
      failed: refused(500, "The server of jobs failed.")
    })
    const openApi = HttpServerResponse.unsafeJson(JobApi.openApi())
    return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const path = pathOf(request.url)
      const isRead = request.method === "GET" || request.method === "HEAD"
      if (isRead && path === "/") return Effect.map(page, secured)
      if (isRead && path === "/openapi.json") return Effect.succeed(secured(openApi))
      return Effect.map(
        Effect.provideService(
          api,
          HttpServerRequest.HttpServerRequest,
          withBody(request, settings.maxBodyBytes)
        ),
        secured
      )
    })
  })
