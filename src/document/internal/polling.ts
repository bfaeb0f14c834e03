import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Document from "../../api/Document.js"
import type { Access, Documents } from "../../client/Documents.js"
import * as RetryPolicy from "../../client/RetryPolicy.js"
import * as TranslateError from "../../client/TranslateError.js"
import * as DocumentError from "../DocumentError.js"
import * as pause from "./pause.js"

/** How long a document is waited for unless told otherwise. */
export const defaultDeadline: Duration.DurationInput = "2 hours"

interface Question {
  /** How many were asked before. */
  readonly n: number
  readonly after: Duration.Duration
}

/** Every status until the last; see `DocumentTranslation.watch`. */
export const watch = (
  documents: Documents,
  handle: Access,
  deadline: Duration.DurationInput = defaultDeadline
): Stream.Stream<
  Document.Status,
  TranslateError.TranslateError | DocumentError.DocumentFailed | DocumentError.DocumentOverdue
> =>
  Stream.unwrap(
    Effect.map(Clock.currentTimeMillis, (start) => {
      const { documentId } = handle
      let lastStatus: string | undefined
      let lastError: string | undefined

      // The pauses between questions are those of the schedule.
      const asked = RetryPolicy.adjusted({ maxAttempts: 1 })(documents.status(handle))

      const next = (n: number, secondsRemaining?: number) =>
        Effect.map(pause.after(n, secondsRemaining), (after): Question => ({ n: n + 1, after }))

      const ask = ({
        after,
        n
      }: Question): Effect.Effect<
        readonly [Document.Status, Option.Option<Question>],
        TranslateError.TranslateError
      > =>
        Effect.matchEffect(Effect.delay(asked, after), {
          onFailure: (error) => {
            lastError = error.message
            if (!TranslateError.isRetryable(error)) return Effect.fail(error)
            return Effect.flatMap(next(n), (question) =>
              ask({ ...question, after: Duration.max(question.after, TranslateError.retryAfter(error)) })
            )
          },
          onSuccess: (status) => {
            lastError = undefined
            lastStatus = status.status
            return status.status === "done" || status.status === "error"
              ? Effect.succeed([status, Option.none()] as const)
              : Effect.map(
                  next(n, status.secondsRemaining),
                  (question) => [status, Option.some(question)] as const
                )
          }
        })

      const inTime = (question: Question) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.timeoutFail(ask(question), {
            duration: Duration.subtract(Duration.decode(deadline), Duration.millis(now - start)),
            onTimeout: () =>
              new DocumentError.DocumentOverdue({
                documentId,
                after: Duration.decode(deadline),
                lastStatus,
                lastError
              })
          })
        )

      return Stream.paginateEffect({ n: 0, after: Duration.zero }, inTime).pipe(
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
