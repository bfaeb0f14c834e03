import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Layer from "effect/Layer"
import * as SqlErrorCode from "../../../sql/SqlErrorCode.js"
import * as JobControl from "../../JobControl.js"
import { type JobControlError, JobsUnavailable } from "../../JobControlError.js"

/** The control of the jobs of a database that may not be there. */
export const over = (
  client: Layer.Layer<SqlClient.SqlClient, SqlError>
): Layer.Layer<JobControl.JobControl, JobControlError> =>
  Layer.provide(
    JobControl.layer,
    Layer.mapError(client, (error) => new JobsUnavailable({ code: SqlErrorCode.orDisconnected(error) }))
  )
