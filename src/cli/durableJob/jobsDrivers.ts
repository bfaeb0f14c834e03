/** The drivers of the database of jobs. */
import * as Layer from "effect/Layer"
import * as LibsqlClient from "../../sql/LibsqlClient.js"
import * as PgClient from "../../sql/PgClient.js"
import * as SqlErrorCode from "../../sql/SqlErrorCode.js"
import { JobsUnavailable } from "../../workflow/JobControlError.js"
import type { Place } from "./database.js"

/** The client of a database. */
export const layer = (place: Exclude<Place, { readonly kind: "http" }>) =>
  Layer.catchAll(
    place.kind === "file" ? LibsqlClient.layer({ filename: place.file }) : PgClient.layer({ url: place.url }),
    (error) => Layer.fail(new JobsUnavailable({ code: SqlErrorCode.orDisconnected(error) }))
  )
