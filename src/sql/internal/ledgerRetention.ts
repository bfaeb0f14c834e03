/** Removes old entries of the ledger: attempts that have ended or expired long ago, their owners, and texts that have failed then. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Backend } from "../../store/StoreBackend.js"
import * as SqlLease from "../SqlLease.js"
import { pageSize, pages } from "./attempts.js"
import type { Database } from "./database.js"

/** An owner that was frozen for so long may still go on: its number must not be gone then. */
const ownersStay = Duration.toMillis("30 days")

type Page = readonly [last: number | null, isNew: number | null]

/** Removes by number, which is also the order in time, and reads no further than the first one that stays. */
const remove = ({ dialect: { now, number }, persist, query }: Database, age: number) =>
  Effect.gen(function* () {
    const before = `${now} - CAST($2 AS BIGINT)`
    let removed = 0
    yield* pages(0, (after) =>
      Effect.gen(function* () {
        const [page] = yield* persist(
          query<Page>(
            `SELECT ${number("max(id)")}, ${number(`max(CASE WHEN written_at >= ${before} THEN 1 ELSE 0 END)`)}
             FROM (SELECT id, written_at FROM effect_translate_attempts WHERE id > $1 ORDER BY id LIMIT ${pageSize}) page`,
            [after, age]
          )
        )
        const [last, isNew] = page ?? [null, null]
        if (last === null) return undefined
        const rows = yield* persist(
          query(
            `DELETE FROM effect_translate_attempts
             WHERE id > $1 AND id <= $3 AND written_at < ${before} AND (ending IS NOT NULL OR owner IN
               (SELECT o.id FROM effect_translate_owners o WHERE ${SqlLease.hasEnded(now, "o.leased_until")})) RETURNING 1`,
            [after, age, last]
          )
        )
        removed += rows.length
        return isNew === 1 ? undefined : last
      })
    )
    yield* persist(
      query(`DELETE FROM effect_translate_failures WHERE written_at < ${now} - CAST($1 AS BIGINT)`, [age])
    )
    yield* persist(
      query(
        `DELETE FROM effect_translate_owners WHERE ${SqlLease.hasEnded(`${now} - ${ownersStay}`, "leased_until")}
         AND NOT EXISTS (SELECT 1 FROM effect_translate_attempts a WHERE a.owner = effect_translate_owners.id)`
      )
    )
    return removed
  })

/** Removes old entries of the ledger. */
export const make = (database: Database): Pick<Backend, "pruneAttempts"> => ({
  pruneAttempts: (maxAge) => {
    const age = Duration.toMillis(maxAge)
    return Number.isFinite(age) ? remove(database, Math.ceil(age)) : Effect.succeed(0)
  }
})
