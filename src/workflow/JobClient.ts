/**
 * Control of durable jobs over HTTP: the same `JobControl`, by a `JobServer` instead of the database.
 *
 * @since 0.1.0
 */
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import type { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Function from "effect/Function"
import * as Layer from "effect/Layer"
import type { ParseError } from "effect/ParseResult"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as CorpusJob from "./CorpusJob.js"
import { encodeJob } from "./internal/encodeJob.js"
import * as statusWatch from "./internal/tables/statusWatch.js"
import * as JobApi from "./JobApi.js"
import { JobControl, type Service } from "./JobControl.js"
import { isJobControlError, type JobControlError, JobNotFound, JobServerError } from "./JobControlError.js"

/**
 * Where the server of the jobs is.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Its address, such as `https://jobs.example.com`. */
  readonly url: string
  /** Its key. */
  readonly key: Redacted.Redacted
}

/** For an answer; a list of failures may take longer. */
const patience = "30 seconds"

const unreachable = new JobServerError({
  reason: "Unreachable",
  message: "The server of the jobs has not answered: start it, or correct its address, and try again."
})

const unknownAnswer = new JobServerError({
  reason: "UnknownAnswer",
  message: "The answer is not that of a server of jobs, or it has another version: correct its address."
})

const refused = (message: string) => new JobServerError({ reason: "RequestRefused", message })

const Refusal = Schema.Struct({ message: Schema.String })

/** A proxy answers 502 to 504 for a server that is down; an answer of success was cut. */
const refusalOf = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<JobServerError> =>
  response.status < 400 || response.status >= 500
    ? Effect.succeed(unreachable)
    : Effect.match(Effect.flatMap(response.json, Schema.decodeUnknown(Refusal)), {
        onFailure: () => unknownAnswer,
        onSuccess: ({ message }) => refused(message)
      })

const errorOf = (
  error: JobControlError | HttpApiDecodeError | HttpClientError | ParseError
): Effect.Effect<JobControlError> => {
  if (isJobControlError(error)) return Effect.succeed(error)
  switch (error._tag) {
    case "HttpApiDecodeError":
      return Effect.succeed(
        refused("The server of the jobs does not understand the request: update it, or this program.")
      )
    case "ParseError":
      return Effect.succeed(unknownAnswer)
    case "RequestError":
      return Effect.succeed(unreachable)
    case "ResponseError":
      return refusalOf(error.response)
  }
}

const answered = <A>(
  call: Effect.Effect<A, JobControlError | HttpApiDecodeError | HttpClientError | ParseError>
): Effect.Effect<A, JobControlError> =>
  call.pipe(
    Effect.catchAll((error) => Effect.flatMap(errorOf(error), Effect.fail)),
    Effect.timeoutFail({ duration: patience, onTimeout: () => unreachable })
  )

const isJobId = Schema.is(CorpusJob.JobId)

/** No other job can exist. */
const ofJob =
  <A>(call: (id: string) => Effect.Effect<A, JobControlError>) =>
  (id: string): Effect.Effect<A, JobControlError> =>
    isJobId(id) ? call(id) : Effect.fail(new JobNotFound({ id }))

const decodeLine = Schema.decode(JobApi.FailureLine)

/** The list is not whole without its last line. */
const failuresOf = (
  lines: Stream.Stream<string, JobControlError>
): Stream.Stream<CorpusJob.Failure, JobControlError> => {
  let isEnded = false
  return lines.pipe(
    Stream.filter((line) => line !== ""),
    Stream.mapEffect((line) => Effect.mapError(decodeLine(line), () => unknownAnswer)),
    Stream.mapConcatEffect((line) => {
      if (!("_tag" in line)) return Effect.succeed([line])
      isEnded = true
      return line.error === undefined ? Effect.succeed([]) : Effect.fail(line.error)
    }),
    Stream.concat(Stream.suspend(() => (isEnded ? Stream.empty : Stream.fail(unreachable))))
  )
}

/**
 * Control of durable jobs over HTTP. In addition to the errors of `JobControl`, `JobServerError` tells that the server can't
 * be reached or has refused the key. `watch` asks once a second unless it is told otherwise.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options: Options) => Effect.Effect<Service, never, HttpClient.HttpClient> = ({
  key,
  url
}) =>
  Effect.gen(function* () {
    const transformClient = HttpClient.mapRequest(HttpClientRequest.bearerToken(key))
    const { jobs } = yield* HttpApiClient.make(JobApi.Api, { baseUrl: url, transformClient })
    const http = (yield* HttpClient.HttpClient).pipe(
      HttpClient.mapRequest(
        Function.flow(HttpClientRequest.prependUrl(url), HttpClientRequest.bearerToken(key))
      )
    )
    const status: Service["status"] = ofJob((id) => answered(jobs.status({ path: { id } })))
    const failures: Service["failures"] = (id) =>
      Stream.unwrapScoped(
        Effect.map(
          // Tells whether there is such a job, and whether the key is accepted.
          Effect.zipRight(
            status(id),
            http.get(`/v1/jobs/${encodeURIComponent(id)}/failures`).pipe(
              Effect.mapError(() => unreachable),
              Effect.filterOrElse(
                (response) => response.status === 200,
                () => Effect.fail(unknownAnswer)
              ),
              Effect.timeoutFail({ duration: patience, onTimeout: () => unreachable })
            )
          ),
          (response) =>
            failuresOf(
              response.stream.pipe(
                Stream.mapError(() => unreachable),
                Stream.decodeText(),
                Stream.splitLines
              )
            )
        )
      )
    return {
      submit: (job) => {
        const { id, ...payload } = job
        return Effect.zipRight(encodeJob(job), answered(jobs.submit({ path: { id }, payload })))
      },
      status,
      list: ({ states, ...options } = {}) =>
        answered(jobs.list({ urlParams: { ...options, state: states } })),
      watch: statusWatch.make(status),
      failures,
      pause: ofJob((id) => answered(jobs.pause({ path: { id } }))),
      resume: ofJob((id) => answered(jobs.resume({ path: { id } }))),
      cancel: ofJob((id) => answered(jobs.cancel({ path: { id } }))),
      purge: ({ id, olderThan = 0 } = {}) => {
        const urlParams = { olderThan: Duration.toSeconds(olderThan) }
        return Effect.map(
          id === undefined
            ? answered(jobs.purgeEnded({ urlParams }))
            : ofJob((id) => answered(jobs.purge({ path: { id }, urlParams })))(id),
          Struct.get("generations")
        )
      },
      workers: answered(jobs.workers())
    }
  })

/**
 * Control of durable jobs over HTTP.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<JobControl, never, HttpClient.HttpClient> =>
  Layer.effect(JobControl, make(options))

/**
 * Control of durable jobs over HTTP, at the address in `EFFECT_TRANSLATE_JOBS_URL` with the key in `EFFECT_TRANSLATE_JOBS_KEY`, unless the
 * settings name others.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options: Config.Config.Wrap<Options> = {
    url: Config.nonEmptyString("EFFECT_TRANSLATE_JOBS_URL"),
    key: Config.redacted("EFFECT_TRANSLATE_JOBS_KEY")
  }
): Layer.Layer<JobControl, ConfigError, HttpClient.HttpClient> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layer))
