import * as Effect from "effect/Effect"
import type * as ServiceLimits from "../../../stream/ServiceLimits.js"
import * as Tables from "../tables/jobSchema.js"
import type { Service } from "../tables/jobTables.js"

/** The number of sets of options that are kept of a service. */
const mostAccepted = 1000

/** After a day, a limit of the service may have been raised: it is learned again. */
const day = 24 * 60 * 60 * 1000

type Found = readonly [kind: "accepted" | "bytes", name: string, value: number]

const stateOf = (rows: ReadonlyArray<Found>): ServiceLimits.State => ({
  accepted: rows.flatMap(([kind, name]) => (kind === "accepted" ? [Number(name)] : [])),
  maxBytes: Object.fromEntries(
    rows.flatMap(([kind, name, value]) => (kind === "bytes" ? [[name, value]] : []))
  )
})

/** The findings that the others do not know. */
const newsOf = (
  known: ServiceLimits.State,
  { accepted, maxBytes }: ServiceLimits.State
): ReadonlyArray<Found> => {
  const isKnown = new Set(known.accepted)
  return [
    ...accepted
      .filter((options) => !isKnown.has(options))
      .slice(-mostAccepted)
      .map((options): Found => ["accepted", String(options), 0]),
    ...Object.entries(maxBytes)
      .filter(([path, bytes]) => !(known.maxBytes[path]! <= bytes))
      .map(([path, bytes]): Found => ["bytes", path, bytes])
  ]
}

/** Adds a worker's findings to those of all workers, and returns them. Mostly it only reads. */
export const mergeLimitsOf = ({
  dialect: { elements, now, number },
  query,
  transaction
}: Tables.Tables): Service["mergeLimits"] => {
  const isOld = (table: string) => `${table}.kind = 'bytes' AND ${table}.learned_at <= ${now} - ${day}`
  const read = `SELECT kind, name, ${number("value")} FROM effect_translate_job_limits t WHERE service = $1 AND NOT (${isOld("t")})
    ORDER BY learned_at, name`
  const table = "effect_translate_job_limits"
  // A limit that was refused before keeps its time, so that it is forgotten at last.
  const write = `INSERT INTO ${table}
    SELECT CAST($1 AS text), e.value ->> 0, e.value ->> 1, CAST(e.value ->> 2 AS bigint), ${now}
    FROM ${elements("$2")} WHERE 1 = 1 ORDER BY 2, 3
    ON CONFLICT (service, kind, name) DO UPDATE SET value = excluded.value, learned_at = excluded.learned_at
    WHERE ${isOld(table)} OR excluded.value < ${table}.value`
  const trim = `DELETE FROM ${table} WHERE service = $1 AND kind = 'accepted' AND name NOT IN (
    SELECT name FROM ${table} WHERE service = $1 AND kind = 'accepted' ORDER BY learned_at DESC, name LIMIT ${mostAccepted})`
  return (service, state) =>
    Effect.gen(function* () {
      const known = stateOf(yield* query<Found>(read, [service]))
      const news = newsOf(known, state)
      if (news.length === 0) return known
      return yield* transaction(
        Effect.gen(function* () {
          yield* query(write, [service, Tables.json(news)])
          yield* query(trim, [service])
          return stateOf(yield* query<Found>(read, [service]))
        })
      )
    }).pipe(Tables.unavailable)
}
