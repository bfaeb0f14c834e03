import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import * as TranslateError from "../../client/TranslateError.js"
import * as monotonic from "../../internal/monotonic.js"
import type { Answer } from "./translationModels.js"

/** The first pauses after a status and after an error, and the longest of all, in milliseconds. */
const first = { status: 150, error: 1500 }
const longest = 30_000

/**
 * The estimates that are believed, in seconds. The service tells whole seconds, so a small document that is ready in a tenth
 * of a second is 1 too. It has also answered 2147483647.
 */
const isBelieved = (estimate: number | undefined): estimate is number =>
  estimate !== undefined && estimate >= 3 && estimate <= 86_400

const pauseAfter = (n: number, answer: Answer) =>
  Effect.map(Random.next, (random) => {
    const isError = TranslateError.isTranslateError(answer)
    const estimate = isError ? undefined : answer.secondsRemaining
    const doubled = Math.min(longest, first[isError ? "error" : "status"] * 2 ** n)
    // Never less than a quarter: one that is always the same must not mean as many requests.
    const target = isBelieved(estimate) ? Math.min(longest, Math.max(1500 * estimate, doubled / 4)) : doubled
    const pause = Duration.millis(Math.round(target * (2 / 3 + random / 3)))
    return isError ? Duration.max(pause, TranslateError.retryAfter(answer)) : pause
  })

/** See `DocumentTranslation.pollSchedule`. */
export const schedule: Schedule.Schedule<unknown, Answer> = Schedule.forever.pipe(
  Schedule.intersect(Schedule.identity<Answer>()),
  Schedule.addDelayEffect(([n, answer]) => pauseAfter(n, answer))
)

const isRateLimited = (error: unknown): error is TranslateError.RateLimited =>
  TranslateError.isTranslateError(error) && error._tag === "RateLimited"

/** The shared backoff of all uploads of a run. */
export interface UploadBackoff {
  /**
   * Sends an upload again, after a pause and until a deadline after the first refusal, if it is refused because too many documents wait for their
   * download (429). Meanwhile other uploads wait, and then one at a time is tried until one is taken.
   */
  readonly retry: <A, E, R>(
    upload: Effect.Effect<A, E, R>,
    deadline: Duration.DurationInput
  ) => Effect.Effect<A, E, R>
}

export const makeUploadBackoff: Effect.Effect<UploadBackoff> = Effect.map(
  Effect.makeSemaphore(1),
  (mutex) => ({
    retry: <A, E, R>(upload: Effect.Effect<A, E, R>, deadline: Duration.DurationInput) => {
      const retry = (error: E) =>
        Effect.gen(function* () {
          if (!isRateLimited(error)) return yield* Effect.fail(error)
          const until = (yield* monotonic.millis) + Duration.toMillis(deadline)
          const pauses = yield* Schedule.delays(schedule).pipe(
            Schedule.whileOutputEffect((pause) =>
              Effect.map(monotonic.millis, (now) => now + Duration.toMillis(pause) <= until)
            ),
            Schedule.driver
          )
          const again = (error: E): Effect.Effect<A, E, R> =>
            isRateLimited(error)
              ? Effect.matchEffect(pauses.next(error), {
                  onFailure: () => Effect.fail(error),
                  onSuccess: () => Effect.catchAll(upload, again)
                })
              : Effect.fail(error)
          return yield* mutex.withPermits(1)(again(error))
        })
      return Effect.zipRight(mutex.withPermits(1)(Effect.void), Effect.catchAll(upload, retry))
    }
  })
)
