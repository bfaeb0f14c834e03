import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import * as SqlErrorCode from "../../../sql/SqlErrorCode.js"

const isPassing = (error: unknown): boolean =>
  Predicate.isTagged(error, "SqlError") &&
  SqlErrorCode.isPassing(SqlErrorCode.orDisconnected(error as SqlError))

/** As a store does it, whose pauses differ by chance too: for a minute. */
const schedule = Schedule.exponential("100 millis").pipe(
  Schedule.union(Schedule.spaced("5 seconds")),
  Schedule.upTo("1 minute")
)

/** Does again what may be done twice, while the database is away or busy. */
export const retryPassing = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(effect, { schedule, while: isPassing })
