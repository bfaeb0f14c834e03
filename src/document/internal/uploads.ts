import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as TranslateError from "../../client/TranslateError.js"
import * as pause from "./pause.js"

const isRateLimited = (error: unknown): error is TranslateError.RateLimited =>
  TranslateError.isTranslateError(error) && error._tag === "RateLimited"

/** What all uploads of a run pass. */
export interface Uploads {
  /**
   * An upload that is refused because too many documents wait for their download (429) is made again after a pause, up to
   * a deadline. Meanwhile all other uploads wait, and then go one at a time until one is taken; nothing else does.
   */
  readonly held: <A, E, R>(
    upload: Effect.Effect<A, E, R>,
    deadline: Duration.DurationInput
  ) => Effect.Effect<A, E, R>
}

export const make: Effect.Effect<Uploads> = Effect.map(Effect.makeSemaphore(1), (turnstile) => ({
  held: <A, E, R>(upload: Effect.Effect<A, E, R>, deadline: Duration.DurationInput) =>
    Effect.flatMap(Clock.currentTimeMillis, (start) => {
      const until = start + Duration.toMillis(deadline)
      const again = (error: E, n: number): Effect.Effect<A, E, R> =>
        isRateLimited(error)
          ? Effect.gen(function* () {
              const rest = Duration.max(yield* pause.after(n), TranslateError.retryAfter(error))
              if ((yield* Clock.currentTimeMillis) + Duration.toMillis(rest) > until)
                return yield* Effect.fail(error)
              yield* Effect.sleep(rest)
              return yield* Effect.catchAll(upload, (error) => again(error, n + 1))
            })
          : Effect.fail(error)
      return Effect.zipRight(
        turnstile.withPermits(1)(Effect.void),
        Effect.catchAll(upload, (error) => turnstile.withPermits(1)(again(error, 0)))
      )
    })
}))
