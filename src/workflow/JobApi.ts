/**
 * Control of durable jobs over HTTP, as a contract: `JobServer` serves it, `JobClient` calls it, and other programs read its OpenAPI
 * description.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { InvalidJob } from "../job/JobError.js"
import { InvalidReference } from "./Corpus.js"
import * as CorpusJob from "./CorpusJob.js"
import {
  JobConflict,
  JobNotFound,
  JobServerError,
  JobStateError,
  JobsUnavailable,
  JobsVersionUnknown
} from "./JobControlError.js"

/**
 * Every request for jobs and workers carries `Authorization: Bearer <KEY>`.
 *
 * @since 0.1.0
 * @category contract
 */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()(
  "effect-translate/JobAuthorization",
  {
    failure: JobServerError.annotations(HttpApiSchema.annotations({ status: 401 })),
    security: { key: HttpApiSecurity.bearer }
  }
) {}

const message = Schema.String

/** On the wire errors have their messages, for those who read them with other programs. */
const notFound = Schema.transform(
  Schema.Struct({ _tag: Schema.Literal("JobNotFound"), id: Schema.String, message }),
  Schema.typeSchema(JobNotFound),
  {
    strict: true,
    decode: ({ id }) => new JobNotFound({ id }),
    encode: ({ _tag, id, message }) => ({ _tag, id, message })
  }
)

const conflict = Schema.transform(
  Schema.Struct({ _tag: Schema.Literal("JobConflict"), id: Schema.String, message }),
  Schema.typeSchema(JobConflict),
  {
    strict: true,
    decode: ({ id }) => new JobConflict({ id }),
    encode: ({ _tag, id, message }) => ({ _tag, id, message })
  }
)

const unavailable = Schema.transform(
  Schema.Struct({ _tag: Schema.Literal("JobsUnavailable"), code: Schema.String, message }),
  Schema.typeSchema(JobsUnavailable),
  {
    strict: true,
    decode: ({ code }) => new JobsUnavailable({ code }),
    encode: ({ _tag, code, message }) => ({ _tag, code, message })
  }
)

const versionUnknown = Schema.transform(
  Schema.Struct({
    _tag: Schema.Literal("JobsVersionUnknown"),
    version: Schema.Number,
    supported: Schema.Number,
    message
  }),
  Schema.typeSchema(JobsVersionUnknown),
  {
    strict: true,
    decode: ({ supported, version }) => new JobsVersionUnknown({ supported, version }),
    encode: ({ _tag, message, supported, version }) => ({ _tag, version, supported, message })
  }
)

/**
 * A job without its id, which is in the path.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Submission = Schema.Struct(Struct.omit(CorpusJob.CorpusJob.fields, "id")).annotations({
  identifier: "CorpusJobSubmission"
})

/**
 * A job without its id.
 *
 * @since 0.1.0
 * @category models
 */
export interface Submission extends Schema.Schema.Type<typeof Submission> {}

/**
 * The last line of a list of failures: without it the connection was lost. Its error tells why the list ends early.
 *
 * @since 0.1.0
 * @category schemas
 */
export const End = Schema.Struct({
  _tag: Schema.tag("End"),
  /** Whether there are no more failures than those before it. */
  isWhole: Schema.Boolean,
  error: Schema.optional(
    Schema.Union(
      notFound,
      conflict,
      JobStateError,
      unavailable,
      versionUnknown,
      InvalidJob,
      InvalidReference,
      JobServerError
    )
  )
}).annotations({ identifier: "FailuresEnd" })

/**
 * The last line of a list of failures.
 *
 * @since 0.1.0
 * @category models
 */
export interface End extends Schema.Schema.Type<typeof End> {}

/**
 * A line of a list of failures.
 *
 * @since 0.1.0
 * @category schemas
 */
export const FailureLine = Schema.parseJson(Schema.Union(End, CorpusJob.Failure))

/**
 * How many generations were purged.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Purged = Schema.Struct({ generations: Schema.Number })

/**
 * Which jobs are listed, as it is in the address.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ListParams = Schema.Struct({
  state: Schema.optional(Schema.Array(CorpusJob.State)),
  prefix: Schema.optional(Schema.String),
  hasFailures: Schema.optional(Schema.BooleanFromString),
  limit: Schema.optional(
    Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, CorpusJob.longestPage))
  ),
  cursor: Schema.optional(CorpusJob.Cursor)
})

const id = Schema.Struct({ id: CorpusJob.JobId })

/** So many seconds ago or earlier. */
const olderThan = Schema.NumberFromString.pipe(Schema.nonNegative())

const described = (description: string) => OpenApi.annotations({ description })

const jobs = HttpApiGroup.make("jobs")
  .add(
    HttpApiEndpoint.get("list", "/v1/jobs")
      .setUrlParams(ListParams)
      .addSuccess(CorpusJob.Page)
      .annotateContext(
        described(
          "The last generations of jobs, the newest first: those in one of some states (`state`, as often as there are), whose ids begin with `prefix`, with failures (`hasFailures`). A page has `limit` of them, 100 by default; `next` of its answer is the `cursor` of the next one. With the ETag of the last answer in If-None-Match it is 304 if nothing has changed."
        )
      )
  )
  .add(
    HttpApiEndpoint.put("submit", "/v1/jobs/:id")
      .setPath(id)
      .setPayload(Submission)
      .addSuccess(CorpusJob.Status)
      .annotateContext(
        described(
          "Submits a job. Again with the same job it changes nothing, so it may be repeated; with another one it is a conflict until the job has ended. What the workers may not translate is refused with 422."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("status", "/v1/jobs/:id")
      .setPath(id)
      .addSuccess(CorpusJob.Status)
      .annotateContext(described("The last generation of a job."))
  )
  .add(
    HttpApiEndpoint.get("failures", "/v1/jobs/:id/failures")
      .setPath(id)
      .setUrlParams(
        Schema.Struct({
          limit: Schema.optional(Schema.NumberFromString.pipe(Schema.int(), Schema.positive()))
        })
      )
      .addSuccess(HttpApiSchema.Text({ contentType: "application/x-ndjson" }))
      .annotateContext(
        described(
          "Texts that were not translated, as lines of JSON: CorpusJobFailure each, and FailuresEnd as the last one."
        )
      )
  )
  .add(
    HttpApiEndpoint.post("pause", "/v1/jobs/:id/pause")
      .setPath(id)
      .addSuccess(CorpusJob.Status)
      .annotateContext(
        described("Sends nothing more until the job is resumed. What is in flight is recorded.")
      )
  )
  .add(
    HttpApiEndpoint.post("resume", "/v1/jobs/:id/resume")
      .setPath(id)
      .addSuccess(CorpusJob.Status)
      .annotateContext(described("Goes on with a job that is paused, or that waits."))
  )
  .add(
    HttpApiEndpoint.post("cancel", "/v1/jobs/:id/cancel")
      .setPath(id)
      .addSuccess(CorpusJob.Status)
      .annotateContext(described("Ends a job. What is in flight is recorded."))
  )
  .add(
    HttpApiEndpoint.del("purge", "/v1/jobs/:id")
      .setPath(id)
      .setUrlParams(Schema.Struct({ olderThan: Schema.optional(olderThan) }))
      .addSuccess(Purged)
      .annotateContext(
        described(
          "Removes a job that has ended, or leaves it if that was less than `olderThan` seconds ago. Translations stay in the store."
        )
      )
  )
  .add(
    HttpApiEndpoint.del("purgeEnded", "/v1/jobs")
      .setUrlParams(Schema.Struct({ olderThan }))
      .addSuccess(Purged)
      .annotateContext(
        described(
          "Removes all jobs that have ended more than so many seconds ago; 0 removes all that have ended."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("workers", "/v1/workers")
      .addSuccess(Schema.Array(CorpusJob.Worker))
      .annotateContext(described("The machines that translate."))
  )
  .addError(notFound, { status: 404 })
  .addError(conflict, { status: 409 })
  .addError(JobStateError, { status: 409 })
  .addError(InvalidJob, { status: 422 })
  .addError(InvalidReference, { status: 422 })
  .middleware(Authorization)

/**
 * What probes of a server are answered.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Health = Schema.Struct({ status: Schema.Literal("ok") })

const health = HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("live", "/health/live")
      .addSuccess(Health)
      .annotateContext(described("The server answers. It needs no key, and asks no database."))
  )
  .add(
    HttpApiEndpoint.get("ready", "/health/ready")
      .addSuccess(Health)
      .annotateContext(described("The database of the jobs answers too. It needs no key."))
  )

/**
 * Control of durable jobs over HTTP.
 *
 * @since 0.1.0
 * @category contract
 */
export class Api extends HttpApi.make("Jobs")
  .add(jobs)
  .add(health)
  .addError(unavailable, { status: 503 })
  .addError(versionUnknown, { status: 500 })
  .annotate(OpenApi.Title, "Durable jobs of effect-translate")
  .annotate(OpenApi.Version, "1") {}

/**
 * The OpenAPI description, which servers give at `/openapi.json`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const openApi = (): OpenApi.OpenAPISpec =>
  JSON.parse(
    // Names of schemas have no slash there.
    JSON.stringify(OpenApi.fromApi(Api)).replaceAll(/effect-translate(?:\/|~1)/g, ""),
    // That of any JSON is there several times, which validators refuse.
    (name, value) => (name === "$id" ? undefined : value)
  )
