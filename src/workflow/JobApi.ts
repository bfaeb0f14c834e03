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
import type { TaggedErrorClass } from "../internal/taggedError.js"
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

/** An error that has its message on the wire, for readers of other programs. */
const withMessage = <
  Self extends { readonly message: string },
  Tag extends string,
  F extends Schema.Struct.Fields
>(
  error: TaggedErrorClass<Self, Tag, F>
): Schema.Schema<Self, Schema.Struct.Encoded<F> & { readonly _tag: Tag; readonly message: string }> => {
  const wire = Schema.Struct({ ...error.fields, message: Schema.String } as Schema.Struct.Fields)
  return Schema.transform(wire, Schema.typeSchema(error), {
    strict: false,
    decode: ({ _tag, message, ...fields }) => new error(fields as never),
    encode: (self) => Struct.pick(self, ...(Object.keys(wire.fields) as Array<keyof typeof self>))
  }) as never
}

const notFound = withMessage(JobNotFound)
const conflict = withMessage(JobConflict)
const unavailable = withMessage(JobsUnavailable)
const versionUnknown = withMessage(JobsVersionUnknown)

/**
 * A job without its id, which is in the path.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Submission = Schema.Struct(Struct.omit(CorpusJob.CorpusJob.fields, "id")).annotations({
  identifier: "CorpusJobSubmission",
  // A budget or a check that is misspelt would guard nothing.
  parseOptions: { onExcessProperty: "error" }
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
  /** True if there are no more failures than those before it. */
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
 * The number of generations that were purged.
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

/** An age in seconds, at least. */
const olderThan = Schema.NumberFromString.pipe(Schema.nonNegative())

const jobs = HttpApiGroup.make("jobs")
  .add(
    HttpApiEndpoint.get("list", "/v1/jobs")
      .setUrlParams(ListParams)
      .addSuccess(CorpusJob.Page)
      .annotate(
        OpenApi.Description,
        "The last generations of jobs, the newest first: those in one of some states (`state`, as often as there are), whose ids begin with `prefix`, with failures (`hasFailures`). A page has `limit` of them, 100 by default; `next` of its answer is the `cursor` of the next one. With the ETag of the last answer in If-None-Match it is 304 if nothing has changed."
      )
  )
  .add(
    HttpApiEndpoint.put("submit", "/v1/jobs/:id")
      .setPath(id)
      .setPayload(Submission)
      .addSuccess(CorpusJob.Status)
      .annotate(
        OpenApi.Description,
        "Submits a job. Again with the same job it changes nothing, so it may be repeated; with another one it is a conflict until the job has ended. What the workers may not translate is refused with 422."
      )
  )
  .add(
    HttpApiEndpoint.get("status", "/v1/jobs/:id")
      .setPath(id)
      .addSuccess(CorpusJob.Status)
      .annotate(OpenApi.Description, "The last generation of a job.")
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
      .annotate(
        OpenApi.Description,
        "Texts that were not translated, as lines of JSON: CorpusJobFailure each, and FailuresEnd as the last one."
      )
  )
  .add(
    HttpApiEndpoint.post("pause", "/v1/jobs/:id/pause")
      .setPath(id)
      .addSuccess(CorpusJob.Status)
      .annotate(
        OpenApi.Description,
        "Sends nothing more until the job is resumed. Requests in flight are recorded."
      )
  )
  .add(
    HttpApiEndpoint.post("resume", "/v1/jobs/:id/resume")
      .setPath(id)
      .addSuccess(CorpusJob.Status)
      .annotate(OpenApi.Description, "Goes on with a job that is paused, or that waits.")
  )
  .add(
    HttpApiEndpoint.post("cancel", "/v1/jobs/:id/cancel")
      .setPath(id)
      .addSuccess(CorpusJob.Status)
      .annotate(OpenApi.Description, "Ends a job. Requests in flight are recorded.")
  )
  .add(
    HttpApiEndpoint.del("purge", "/v1/jobs/:id")
      .setPath(id)
      .setUrlParams(Schema.Struct({ olderThan: Schema.optional(olderThan) }))
      .addSuccess(Purged)
      .annotate(
        OpenApi.Description,
        "Removes a job that has ended, or leaves it if that was less than `olderThan` seconds ago. Translations stay in the store."
      )
  )
  .add(
    HttpApiEndpoint.del("purgeEnded", "/v1/jobs")
      .setUrlParams(Schema.Struct({ olderThan }))
      .addSuccess(Purged)
      .annotate(
        OpenApi.Description,
        "Removes all jobs that have ended more than so many seconds ago; 0 removes all that have ended."
      )
  )
  .add(
    HttpApiEndpoint.get("workers", "/v1/workers")
      .addSuccess(Schema.Array(CorpusJob.Worker))
      .annotate(OpenApi.Description, "The machines that translate.")
  )
  .addError(notFound, { status: 404 })
  .addError(conflict, { status: 409 })
  .addError(JobStateError, { status: 409 })
  .addError(InvalidJob, { status: 422 })
  .addError(InvalidReference, { status: 422 })
  .middleware(Authorization)

/**
 * The answer to probes of a server.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Health = Schema.Struct({ status: Schema.Literal("ok") })

const health = HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("live", "/health/live")
      .addSuccess(Health)
      .annotate(OpenApi.Description, "The server answers. It needs no key, and asks no database.")
  )
  .add(
    HttpApiEndpoint.get("ready", "/health/ready")
      .addSuccess(Health)
      .annotate(OpenApi.Description, "The database of the jobs answers too. It needs no key.")
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
