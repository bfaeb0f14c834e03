/**
 * Leases over rows: a row is held until a time by the clock of the database, which is one for all machines.
 *
 * @internal
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Dialect } from "./SqlTables.js"

/** The time that a row is kept for a holder that shows no sign of life: longer than others are busy, or wait for the database. */
export const duration = Duration.seconds(15)

/** Rows of a table that has the column {@link column}. */
export interface Rows {
  readonly table: string
  /** When a row that is acquired or renewed now is free. */
  readonly until: string
  /** The condition under which a row is free. */
  readonly isFree: string
}

/** The column of a table whose rows can be held. It is 0 in a row that was given back. */
export const column = ({ long }: Pick<Dialect, "long">): string => `leased_until ${long} NOT NULL`

/** The condition under which a lease has run out. */
export const hasEnded = (now: string, leasedUntil: string): string => `${leasedUntil} < ${now}`

/** The rows of a table, which are held for so long. */
export const rows = (
  { now }: Pick<Dialect, "now">,
  table: string,
  lease: Duration.DurationInput = duration
): Rows => ({
  table,
  // Columns hold whole numbers.
  until: `${now} + ${Math.ceil(Duration.toMillis(lease))}`,
  isFree: hasEnded(now, `${table}.leased_until`)
})

/** The values of the columns of a row: numbers with `CAST`. */
type Values = Readonly<Record<string, string>>

/**
 * Acquires a row, which is made if it is missing, and taken over if it is free. The statement goes on with the returned row:
 * none if another owner holds the row.
 */
export const acquire = (
  { isFree, table, until }: Rows,
  row: {
    /** The column that the row is found by. */
    readonly key: string
    readonly values: Values
    /** A table and a condition: without a row of these nothing is acquired. */
    readonly from?: string
    /** When the row is free. @default once it is not held */
    readonly isFree?: string
    /** @default the statement of a row which is held */
    readonly until?: string
  }
): string => {
  const columns = [...Object.keys(row.values), "leased_until"]
  const values = [...Object.values(row.values), row.until ?? until].join()
  const changes = columns.map((name) => `${name} = excluded.${name}`).join()
  return `INSERT INTO ${table} (${columns.join()}) SELECT ${values} ${row.from ?? "WHERE 1 = 1"}
    ON CONFLICT (${row.key}) DO UPDATE SET ${changes} WHERE ${row.isFree ?? isFree} RETURNING`
}

/** Renews the leases of rows, and writes other values with them. */
export const renew = ({ table, until }: Rows, where: string, values: Values = {}): string => {
  const changes = Object.entries(values).map(([column, value]) => `, ${column} = ${value}`)
  return `UPDATE ${table} SET leased_until = ${until}${changes.join("")} WHERE ${where}`
}

/** Gives rows back. */
export const release = ({ table }: Pick<Rows, "table">, where: string): string =>
  `UPDATE ${table} SET leased_until = 0 WHERE ${where}`

/** Renews every third of a lease, until the scope closes: two renewals may fail. */
export const keep = <E, R>(
  renewal: Effect.Effect<unknown, E, R>,
  lease: Duration.Duration = duration
): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.asVoid(
    Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignore(renewal), Duration.times(lease, 1 / 3))))
  )
