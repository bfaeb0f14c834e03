import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as TranslationStore from "../../../store/TranslationStore.js"
import * as JobControl from "../../JobControl.js"
import type { JobControlError } from "../../JobControlError.js"
import type { Service as Jobs } from "../tables/jobTables.js"

export interface Options {
  readonly jobs: Pick<Jobs, "takeUpkeep">
  readonly keep: Duration.DurationInput | undefined
  readonly keepTranslations: Duration.DurationInput | undefined
}

/** Removes old entries, if it is this worker's turn. A failure is told, and the work is done the next time. */
export const make = ({
  jobs,
  keep,
  keepTranslations
}: Options): Effect.Effect<
  Effect.Effect<void, JobControlError>,
  JobControlError,
  SqlClient.SqlClient | TranslationStore.TranslationStore
> =>
  Effect.gen(function* () {
    const store = yield* TranslationStore.TranslationStore
    const { purge } = yield* JobControl.make
    const remove = Effect.all({
      jobs: keep === undefined ? Effect.succeed(0) : purge({ olderThan: keep }),
      requests: keep === undefined ? Effect.succeed(0) : store.pruneAttempts(keep),
      translations:
        keepTranslations === undefined ? Effect.succeed(0) : store.prune({ maxAge: keepTranslations })
    }).pipe(
      Effect.matchCauseEffect({
        onFailure: (cause) => Effect.logWarning("A worker could not remove old data", cause),
        onSuccess: (removed) => Effect.logInfo("A worker has removed old data", removed)
      })
    )
    return Effect.whenEffect(remove, jobs.takeUpkeep)
  })
