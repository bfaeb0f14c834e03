import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type * as Document from "../../api/Document.js"
import type { Access, Documents } from "../../client/Documents.js"
import * as RetryPolicy from "../../client/RetryPolicy.js"
import type * as TranslateError from "../../client/TranslateError.js"
import * as monotonic from "../../internal/monotonic.js"
import * as DocumentError from "../DocumentError.js"
import * as backoff from "./backoff.js"
import type { Answer, WaitError, WaitOptions } from "./translationModels.js"

/** The default time to wait for a document. */
export const defaultDeadline: Duration.DurationInput = "2 hours"

/** Every status until the last; see `DocumentTranslation.watch`. */
export const watch = (
  documents: Pick<Documents, "status">,
  handle: Access,
  { deadline = defaultDeadline, pollSchedule = backoff.schedule }: WaitOptions = {}
): Stream.Stream<Document.Status, WaitError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { documentId } = handle
      const start = yield* monotonic.millis
      const waited = Effect.map(monotonic.millis, (now) => Duration.millis(now - start))
      const pauses = yield* Schedule.driver(pollSchedule)
      let lastStatus: string | undefined
      let lastError: string | undefined

      const overdue = (after: Duration.Duration) =>
        new DocumentError.DocumentOverdue({ documentId, after, lastStatus, lastError })

      const pause = (answer: Answer) =>
        Effect.catchAll(pauses.next(answer), () => Effect.flatMap(waited, overdue))

      const ask: Effect.Effect<Document.Status, TranslateError.CallError | DocumentError.DocumentOverdue> =
        documents.status(handle).pipe(
          // The schedule alone says when to ask again.
          RetryPolicy.withRetryPolicy({ schedule: Schedule.stop }),
          Effect.tapBoth({
            onFailure: ({ message }) =>
              Effect.sync(() => {
                lastError = message
              }),
            onSuccess: ({ status }) =>
              Effect.sync(() => {
                lastError = undefined
                lastStatus = status
              })
          }),
          Effect.catchIf(
            ({ isFatal, isRetryable }) => isRetryable && !isFatal,
            (error) => Effect.zipRight(pause(error), ask)
          )
        )

      const inTime = <A, E>(effect: Effect.Effect<A, E>) =>
        Effect.flatMap(waited, (waited) =>
          Effect.timeoutFail(effect, {
            duration: Duration.subtract(Duration.decode(deadline), waited),
            onTimeout: () => overdue(Duration.decode(deadline))
          })
        )

      return Stream.paginateEffect(ask, (next) =>
        Effect.map(inTime(next), (status) => [
          status,
          status.status === "done" || status.status === "error"
            ? Option.none()
            : Option.some(Effect.zipRight(pause(status), ask))
        ])
      ).pipe(
        Stream.flatMap((status) =>
          status.status === "error"
            ? Stream.concat(
                Stream.make(status),
                new DocumentError.DocumentFailed({ documentId, serviceMessage: status.errorMessage })
              )
            : Stream.make(status)
        )
      )
    })
  )
