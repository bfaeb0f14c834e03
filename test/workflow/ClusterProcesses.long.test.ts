/** Workers as processes: starts on an empty database, ends, and databases that go away. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Pg from "pg"
import { processTimeout } from "../examples/process.js"
import { temporaryFile } from "../support/databases.js"
import { postgres } from "../support/postgres.js"
import { until, type Worker, worker } from "./clusterProcesses.js"

const database = Effect.map(
  Effect.flatMap(postgres, ({ database }) => database),
  Redacted.value
)

/** The locks of shards that sessions hold. */
const locksOf = (url: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const client = new Pg.Client({ connectionString: url })
        await client.connect()
        return client
      }),
      (client) => Effect.promise(() => client.end())
    ),
    (client) =>
      Effect.promise(async () => {
        const { rows } = await client.query(
          `SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory' AND granted
           AND objid BETWEEN 1000001 AND 1000300 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
        )
        return rows[0].held as number
      })
  )

/** The executions that have ticked at a worker since. */
const ticksSince = ({ lines }: Worker, since: number) =>
  new Set(lines.filter(({ at, line }) => at > since && line.startsWith("tick ")).map(({ line }) => line))

const ticks = (worker: Worker) => Effect.asVoid(worker.said("tick "))

describe("workers of PostgreSQL", () => {
  it.scopedLive(
    "start at once on an empty database",
    () =>
      Effect.forEach(
        Array.from({ length: 8 }),
        () =>
          Effect.scoped(
            Effect.gen(function* () {
              const url = yield* database
              const workers = yield* Effect.replicateEffect(worker(url), 2)
              const found = yield* Effect.forEach(workers, ({ said }) => said("address"), { concurrency: 2 })
              expect(new Set(found).size).toBe(2)
            })
          ),
        { discard: true }
      ),
    2 * processTimeout
  )

  it.scopedLive(
    "take over from one that was killed, within 15 seconds",
    () =>
      Effect.forEach(
        [0, 1, 2],
        (round) =>
          Effect.scoped(
            Effect.gen(function* () {
              const url = yield* database
              const locks = yield* locksOf(url)
              const workers = [yield* worker(url, 30), yield* worker(url), yield* worker(url)]
              yield* Effect.forEach(workers, ticks, { concurrency: 3 })
              yield* until(Effect.map(locks, (held) => held === 300))
              const victim = workers[round]!
              const rest = workers.filter((worker) => worker !== victim)
              const killedAt = performance.now()
              yield* victim.kill("SIGKILL")
              yield* victim.ended
              yield* until(Effect.map(locks, (held) => held === 300))
              const moved = performance.now() - killedAt
              const orphans = ticksSince(victim, killedAt - 2000)
              yield* until(
                Effect.sync(() => {
                  const now = new Set(rest.flatMap((worker) => [...ticksSince(worker, killedAt)]))
                  return [...orphans].every((line) => now.has(line))
                })
              )
              const going = performance.now() - killedAt
              console.log(
                `Shards moved after ${(moved / 1000).toFixed(1)} s, ${orphans.size} executions went on after ${(going / 1000).toFixed(1)} s`
              )
              expect(moved).toBeLessThan(15_000)
            })
          ),
        { discard: true }
      ),
    3 * processTimeout
  )

  it.scopedLive(
    "take over from one that is frozen",
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const locks = yield* locksOf(url)
        const workers = [yield* worker(url, 10), yield* worker(url)]
        yield* Effect.forEach(workers, ticks, { concurrency: 2 })
        yield* until(Effect.map(locks, (held) => held === 300))
        const frozenAt = performance.now()
        yield* workers[0]!.kill("SIGSTOP")
        const orphans = ticksSince(workers[0]!, frozenAt - 2000)
        yield* until(
          Effect.sync(() => {
            const now = ticksSince(workers[1]!, frozenAt)
            return [...orphans].every((line) => now.has(line))
          })
        )
        console.log(`Taken over after ${((performance.now() - frozenAt) / 1000).toFixed(1)} s`)
      }),
    processTimeout
  )

  it.scopedLive(
    "end with a code of their own when the database is lost",
    () =>
      Effect.gen(function* () {
        const { start, stop } = yield* postgres
        const lost = yield* worker(yield* database, 4)
        yield* ticks(lost)
        yield* lost.said("submitted")
        yield* Effect.acquireUseRelease(
          stop,
          () => Effect.sleep("3 seconds"),
          () => start
        )
        expect(yield* lost.ended).toBe(75)
        expect(yield* lost.said("error")).toContain("StorageLost")
      }),
    processTimeout
  )
})

it.scopedLive(
  "the file of a worker that was killed is free",
  () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const first = yield* worker(file, 3)
      yield* ticks(first)
      const refused = yield* worker(file)
      expect(yield* refused.ended).toBe(2)
      expect(refused.lines[0]?.line).toContain("ClusterInUse")
      yield* first.kill("SIGKILL")
      yield* first.ended
      yield* ticks(yield* worker(file))
    }),
  processTimeout
)
