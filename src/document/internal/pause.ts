import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/** The shortest and the longest pause between two questions, in milliseconds. */
const shortest = 1000
const longest = 30_000

/** What the service's estimate is taken for at most: it has answered 2147483647. */
const longestEstimate = 86_400

const isSane = (seconds: number | undefined): seconds is number =>
  seconds !== undefined && seconds >= 0 && seconds <= longestEstimate

/**
 * The pause after the nth question, from 0: it doubles, with jitter, between 1 s and 30 s. An estimate of the service
 * replaces it, but never by less than a quarter: an estimate that always says "1" must not be asked every second.
 */
export const after = (n: number, secondsRemaining?: number): Effect.Effect<Duration.Duration> =>
  Effect.map(Random.next, (random) => {
    const doubled = Math.min(longest, 1.5 * shortest * 2 ** n)
    const target = isSane(secondsRemaining)
      ? Math.min(longest, Math.max(1500 * secondsRemaining, doubled / 4))
      : doubled
    return Duration.millis(Math.round(Math.max(shortest, target * (2 / 3 + random / 3))))
  })
