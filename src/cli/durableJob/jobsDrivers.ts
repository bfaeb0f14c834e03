/** The drivers of the database of jobs. */
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as LibsqlClient from "../../sql/LibsqlClient.js"
import * as PgClient from "../../sql/PgClient.js"
import * as SqlErrorCode from "../../sql/SqlErrorCode.js"
import { JobsUnavailable } from "../../workflow/JobControlError.js"

/** A database of jobs. An address may hold a password: only `name` is for people. */
export type Database =
  | { readonly kind: "file"; readonly name: string; readonly file: string }
  | { readonly kind: "postgres"; readonly name: string; readonly url: Redacted.Redacted }

/** The client of a database. */
export const layer = (place: Database) =>
  Layer.catchAll(
    place.kind === "file" ? LibsqlClient.layer({ filename: place.file }) : PgClient.layer({ url: place.url }),
    (error) => Layer.fail(new JobsUnavailable({ code: SqlErrorCode.orDisconnected(error) }))
  )
