import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { realPath } from "../../../internal/files.js"
import * as LibsqlClient from "../../../sql/LibsqlClient.js"
import * as SqlErrorCode from "../../../sql/SqlErrorCode.js"
import { ClusterInUse, DatabaseUnavailable, FolderUnavailable } from "../../ClusterError.js"

/** Longer than another worker takes to open the file or to close it, so that one of two that start at once gets it. */
const busySchedule = Schedule.spaced("50 millis").pipe(Schedule.upTo("1 seconds"))

/** The error of a worker for a failure to open or to use a file. */
export const fileError =
  (file: string) =>
  (error: SqlError): FolderUnavailable | DatabaseUnavailable => {
    const code = SqlErrorCode.orDisconnected(error)
    return code === "SQLITE_CANTOPEN" ? new FolderUnavailable({ file }) : new DatabaseUnavailable({ code })
  }

/**
 * Holds a transaction that writes to a file beside the database's, until the scope closes: there can be one at a time. The system drops it
 * with the process, also after `kill -9`. The database's own file stays free for others.
 */
export const hold = (
  file: string
): Effect.Effect<
  void,
  ClusterInUse | FolderUnavailable | DatabaseUnavailable,
  Scope.Scope | FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function* () {
    const path = realPath(yield* FileSystem.FileSystem, yield* Path.Path, file)
    const filename = `${yield* Effect.orElseSucceed(path, () => file)}.owner`
    const context = yield* Layer.build(Layer.fresh(LibsqlClient.layer({ filename, busySchedule })))
    const { withTransaction } = Context.get(context, SqlClient.SqlClient)
    const held = yield* Deferred.make<void, SqlError>()
    yield* withTransaction(Effect.zipRight(Deferred.succeed(held, undefined), Effect.never)).pipe(
      Effect.catchAll((error) => Deferred.fail(held, error)),
      Effect.forkScoped
    )
    yield* Deferred.await(held)
  }).pipe(
    Effect.mapError((error) =>
      Option.exists(SqlErrorCode.get(error), (code) => /^SQLITE_(BUSY|LOCKED)/.test(code))
        ? new ClusterInUse({ file })
        : fileError(file)(error)
    )
  )
