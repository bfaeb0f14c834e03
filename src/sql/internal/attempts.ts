/** The outcomes of attempts, and their sums. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { type Backend, noAttempts } from "../../store/StoreBackend.js"
import type { StoreError } from "../../store/StoreError.js"
import type { Attempt } from "../../store/TranslationStore.js"
import * as SqlLease from "../SqlLease.js"
import type { Database } from "./database.js"
import { ask } from "./statements.js"

const endings = ["answered", "rejected", "unknown", "expired"].map((ending) => `'${ending}'`).join()

/** The condition that an ending is one of those that are written. */
export const isEnding = (ending: string): string => `${ending} IN (${endings})`

/**
 * The state of an attempt. One whose owner has gone is in doubt, whether or not somebody has taken over; and so is one
 * whose ending is damaged.
 */
export const attemptState = (now: string): string =>
  `CASE WHEN ${isEnding("a.ending")} THEN a.ending WHEN a.ending IS NOT NULL THEN 'unknown'
     WHEN ${SqlLease.hasEnded(now, "o.leased_until")} THEN 'expired' ELSE 'inFlight' END`

/** Rows that one statement reads or removes: some milliseconds, in which the thread does nothing else. */
export const pageSize = 5000

/** Goes from page to page: each tells the number that the next one goes on from, none at the end. */
export const pages = (
  from: number,
  page: (from: number) => Effect.Effect<number | undefined, StoreError>
): Effect.Effect<void, StoreError> =>
  Effect.flatMap(page(from), (next) => (next === undefined ? Effect.void : pages(next, page)))

type Sums = readonly [
  state: Attempt["state"],
  isSince: boolean,
  attempts: number,
  characters: number,
  last: number
]

/** The sums of the ledger, and of its attempts since a time in milliseconds. */
export const attemptSums = ({ dialect: { now, number }, persist, read }: Database, since: number) =>
  Effect.gen(function* () {
    const sums = { everything: noAttempts(), since: noAttempts() }
    yield* pages(0, (after) =>
      Effect.map(
        persist(
          read(() =>
            ask<Sums>(
              `SELECT state, is_since, ${number("count(*)")}, ${number("sum(characters)")}, ${number("max(id)")}
             FROM (SELECT a.id, a.characters, a.written_at >= $2 AS is_since, ${attemptState(now)} AS state
                   FROM effect_translate_attempts a JOIN effect_translate_owners o ON o.id = a.owner
                   WHERE a.id > $1 ORDER BY a.id LIMIT ${pageSize}) page
             GROUP BY state, is_since`,
              [after, since]
            )
          )
        ),
        (groups) => {
          let rows = 0
          for (const [state, isSince, attempts, characters] of groups) {
            rows += attempts
            for (const { [state]: sum } of isSince ? [sums.everything, sums.since] : [sums.everything]) {
              sum.attempts += attempts
              sum.characters += characters
            }
          }
          return rows < pageSize ? undefined : Math.max(...groups.map(([, , , , last]) => last))
        }
      )
    )
    return sums
  })

/** The sums of the ledger. */
export const make = (database: Database): Pick<Backend, "attemptSums"> => ({
  attemptSums: (since) => attemptSums(database, DateTime.toEpochMillis(since))
})
