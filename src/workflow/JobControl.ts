/**
 * Submits durable jobs, tells how far they are, and pauses, resumes, cancels and purges them: by the database alone, whichever machines
 * run. Workers see a command within half a second.
 *
 * @since 0.1.0
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Kind, kindOf } from "./Corpus.js"
import type { Service } from "./internal/tables/jobControlModels.js"
import * as jobSubmission from "./internal/tables/jobSubmission.js"
import type { JobControlError } from "./JobControlError.js"

/**
 * Commands and queries of jobs.
 *
 * @since 0.1.0
 * @category models
 */
export type { ListOptions, PurgeOptions, Service } from "./internal/tables/jobControlModels.js"

/**
 * Control of durable jobs.
 *
 * @since 0.1.0
 * @category tags
 */
export class JobControl extends Context.Tag("effect-translate/JobControl")<JobControl, Service>() {}

/**
 * Control of the jobs of a database: PostgreSQL, or a libsql file. It makes the tables if they are missing; any number of processes may
 * begin at once. Their names begin with `effect_translate_job`.
 *
 * Errors: `JobsUnavailable`, `JobsVersionUnknown`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<Service, JobControlError, SqlClient.SqlClient> = jobSubmission.make

/**
 * A layer of {@link make}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<JobControl, JobControlError, SqlClient.SqlClient> = Layer.effect(
  JobControl,
  make
)

/**
 * Control that takes jobs of these kinds only, as they allow: a job that workers would refuse is refused when it is
 * submitted, with `InvalidReference`. `PgWorker.layer` and `LibsqlWorker.layer` provide it with their kinds.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFor = (
  kinds: ReadonlyArray<Pick<Kind, "check" | "name">>
): Layer.Layer<JobControl, JobControlError, SqlClient.SqlClient> =>
  Layer.effect(
    JobControl,
    Effect.map(make, (control) => ({
      ...control,
      submit: (job) =>
        Effect.flatMap(kindOf(kinds, job.corpus.kind), ({ check }) => check(job.corpus.reference)).pipe(
          Effect.zipRight(control.submit(job))
        )
    }))
  )
