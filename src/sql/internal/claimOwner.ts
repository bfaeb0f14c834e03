import type * as FileSystem from "@effect/platform/FileSystem"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { millisOf } from "../../internal/monotonic.js"
import * as processes from "../../internal/processes.js"
import type { StoreError } from "../../store/StoreError.js"
import * as SqlLease from "../SqlLease.js"
import type { Database } from "./database.js"
import { ask, askTexts } from "./statements.js"

/** The attempts of one owner that hold their claims, and their keys: the last attempt that has claimed a key holds it. */
export class Holdings {
  private readonly attempts = new Map<string, ReadonlyArray<string>>()
  /** The attempts that hold keys. */
  private readonly holders = new Map<string, string>()

  has(attempt: string): boolean {
    return this.attempts.has(attempt)
  }

  all(): ReadonlyArray<string> {
    return Array.from(this.attempts.keys())
  }

  take(attempt: string, keys: ReadonlyArray<string>): void {
    for (const key of keys) this.holders.set(key, attempt)
    this.attempts.set(attempt, keys)
  }

  /** The attempts that would lose keys to a new one, with the keys that would be left to them. */
  losers(
    keys: ReadonlyArray<string>
  ): ReadonlyArray<readonly [attempt: string, keys: ReadonlyArray<string>]> {
    const losers = new Set<string>()
    for (const key of keys) {
      const holder = this.holders.get(key)
      if (holder !== undefined) losers.add(holder)
    }
    if (losers.size === 0) return []
    const lost = new Set(keys)
    return Array.from(losers, (attempt) => [attempt, this.held(attempt).filter((key) => !lost.has(key))])
  }

  /** An attempt goes on under another name. */
  rename(attempt: string, next: string): void {
    const keys = this.held(attempt)
    this.end(attempt)
    this.take(next, keys)
  }

  end(attempt: string): void {
    for (const key of this.held(attempt)) this.holders.delete(key)
    this.attempts.delete(attempt)
  }

  private held(attempt: string): ReadonlyArray<string> {
    return (this.attempts.get(attempt) ?? []).filter((key) => this.holders.get(key) === attempt)
  }
}

/** The owner of claims: one for each store that is open. */
export interface Owner {
  readonly id: number
  /** The claims that it holds, as far as is known here. */
  readonly holdings: Holdings
  /** True if an attempt holds its claim. Asks the database only if the lease may have run out. */
  readonly holds: (attempt: string) => Effect.Effect<boolean, StoreError>
  /** The lease is current from now on, or was. */
  readonly current: Effect.Effect<void, StoreError>
  /** Ends the leases of processes of this machine that do not run any more. Tells whether there were any. */
  readonly buryDead: Effect.Effect<boolean, StoreError>
}

const table = "effect_translate_owners"

/** The columns that identify an owner. */
const values = { name: "$1", machine: "$2", pid: "CAST($3 AS BIGINT)", started_at: "$4" }

const register = ({ query }: Database, rows: SqlLease.Rows, name: string) =>
  Effect.gen(function* () {
    const self: Partial<processes.Process> = Option.getOrElse(yield* processes.self, () => ({}))
    const { machine = null, pid = null, startedAt = null } = self
    const row = { key: "name", values, isFree: "1 = 1" }
    const [owner] = yield* query<[number | string]>(`${SqlLease.acquire(rows, row)} id`, [
      name,
      machine,
      pid,
      startedAt
    ])
    return Number(owner![0])
  })

/** Owners of this machine with requests in flight, whose leases have not run out. */
const neighbours = ({ dialect: { now, number }, queryTexts }: Database, id: number) =>
  Effect.flatMap(
    processes.self,
    Option.match({
      onNone: () => Effect.succeed([]),
      onSome: ({ machine }) =>
        queryTexts<[id: number, machine: string, pid: number, startedAt: string]>(
          4,
          `SELECT ${number("o.id")}, o.machine, ${number("o.pid")}, o.started_at FROM effect_translate_owners o
           WHERE o.machine = $1 AND o.id <> $2 AND NOT ${SqlLease.hasEnded(now, "o.leased_until")}
             AND EXISTS (SELECT 1 FROM effect_translate_attempts a WHERE a.owner = o.id AND a.ending IS NULL)`,
          [machine, id]
        )
    })
  )

const released = ({ query }: Database, id: number) => query(SqlLease.release({ table }, "id = $1"), [id])

const buryDead = (database: Database, id: number): Effect.Effect<boolean, SqlError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const dead = yield* Effect.filter(yield* neighbours(database, id), ([, machine, pid, startedAt]) =>
      Effect.map(processes.isRunning({ machine, pid, startedAt }), (running) =>
        Option.contains(running, false)
      )
    )
    yield* Effect.forEach(dead, ([owner]) => released(database, owner))
    return dead.length > 0
  })

/** Milliseconds by both clocks of this process: the one does not count while the machine sleeps, the other can be set. */
const clocks = Clock.clockWith((clock) => Effect.succeed([millisOf(clock), clock.unsafeCurrentTimeMillis()]))

const renewed = ({ exclusively, persist }: Database, rows: SqlLease.Rows, id: number) =>
  persist(
    exclusively(function* () {
      yield* ask(SqlLease.renew(rows, "id = $1"), [id])
      return yield* askTexts<[string]>(
        1,
        "SELECT attempt FROM effect_translate_attempts WHERE ending IS NULL AND owner = $1",
        [id]
      )
    })
  )

/** Writes the endings of attempts that nobody here waits for. */
const abandon = ({ dialect: { elements }, persist, query }: Database, attempts: ReadonlyArray<string>) =>
  persist(
    query(
      `UPDATE effect_translate_attempts SET ending = 'unknown'
       WHERE ending IS NULL AND attempt IN (SELECT value ->> 0 FROM ${elements("$1")})`,
      [JSON.stringify(attempts.map((attempt) => [attempt]))]
    )
  )

/**
 * Registers an owner, and renews its lease as long as its scope is open.
 *
 * Others take over an owner's claims only in transactions that exclude those here. So a lease that was renewed tells for
 * sure which claims are left.
 */
export const make = (
  database: Database,
  lease: Duration.Duration
): Effect.Effect<Owner, StoreError, Scope.Scope | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const rows = SqlLease.rows(database.dialect, table, lease)
    const files = yield* Effect.context<FileSystem.FileSystem>()
    const holdings = new Holdings()

    /** When the lease was taken last. */
    let last = yield* clocks
    // Not by `Random`: processes may have the same seed.
    const id = yield* database.persist(register(database, rows, crypto.randomUUID()))
    // As a transaction: those wait for the lock of a file though their fiber was interrupted.
    yield* Effect.addFinalizer(() => Effect.ignore(database.withTransaction(released(database, id))))

    /** Those that were in the database at the last renewal, and that nobody held here. */
    let unheld = new Set<string>()
    const renew = Effect.gen(function* () {
      const began = yield* clocks
      const before = holdings.all()
      const held = new Set((yield* renewed(database, rows, id)).map(([attempt]) => attempt))
      for (const attempt of before) if (!held.has(attempt)) holdings.end(attempt)
      last = began
      // A claim may be stored before it is held: but not at two renewals.
      const open = Array.from(held).filter((attempt) => !holdings.has(attempt))
      const abandoned = open.filter((attempt) => unheld.has(attempt))
      unheld = new Set(open)
      if (abandoned.length > 0) yield* abandon(database, abandoned)
    })
    yield* SqlLease.keep(renew, lease)
    const current = Effect.flatMap(clocks, (times) =>
      times.every((time, index) => time - last[index]! < Duration.toMillis(lease)) ? Effect.void : renew
    )
    const owner: Owner = {
      id,
      holdings,
      current,
      holds: (attempt) => Effect.map(current, () => holdings.has(attempt)),
      buryDead: Effect.provide(database.persist(buryDead(database, id)), files)
    }
    yield* owner.buryDead
    return owner
  })
