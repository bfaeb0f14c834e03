/** Workers as processes: starts on an empty database, ends, and databases that go away. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Pg from "pg"
import { temporaryFile } from "../support/databases.js"
import { isCampaign, runs } from "../support/long.js"
import { postgres } from "../support/postgres.js"
import { until, type Worker, worker } from "./clusterProcesses.js"

const database = Effect.map(
  Effect.flatMap(postgres, ({ database }) => database),
  Redacted.value
)

/** A session of the test's own. */
const sessionOf = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Pg.Client({ connectionString: url })
      client.on("error", () => {})
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

/** Waits until these workers, and no other, hold the locks of all shards; a worker may be replaced meanwhile. */
const haveAll = (session: Pg.Client, workers: ReadonlyArray<Worker>) =>
  until(
    Effect.promise(async () => {
      const { rows } = await session.query(
        "SELECT address, count(*)::int AS held FROM cluster_locks WHERE acquired_at > NOW() - INTERVAL '6 seconds' GROUP BY address"
      )
      const addresses = workers.map(({ lines }) =>
        lines.find(({ line }) => line.startsWith("address "))?.line.slice("address ".length)
      )
      return (
        rows.length === addresses.length &&
        rows.every(({ address }) => addresses.includes(address)) &&
        rows.reduce((sum, { held }) => sum + held, 0) === 32
      )
    })
  )

/** The executions that have ticked at a worker since. */
const ticksSince = ({ lines }: Worker, since: number) =>
  new Set(lines.filter(({ at, line }) => at > since && line.startsWith("tick ")).map(({ line }) => line))

const ticks = (worker: Worker) => Effect.asVoid(worker.said("tick "))

/** Waits until all executions have ticked at these workers since, and tells after how many seconds that was. */
const goOn = (workers: ReadonlyArray<Worker>, since: number) =>
  Effect.map(
    until(
      Effect.sync(
        () => new Set(workers.flatMap((worker) => [...ticksSince(worker, since)])).size === executions
      )
    ),
    () => (performance.now() - since) / 1000
  )

/** The longest that a takeover may take on a machine that does nothing else, in seconds. */
const promised = isCampaign ? 20 : Number.POSITIVE_INFINITY

/** All rounds of a disturbance, or in `npm run test:long` the first one. */
const rounds = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => all.slice(0, runs(all.length, 1))

/** Executions that the workers share. */
const executions = runs(20, 6)

/** Starts a worker anew in place of each that has lost its database, as may happen on a busy machine, until the scope is closed. */
const supervised = (url: string, workers: Array<Worker>) =>
  Effect.forEach(workers, ({ lines }, index) =>
    lines.some(({ line }) => line.startsWith("error"))
      ? Effect.map(worker(url), (next) => {
          workers[index] = next
        })
      : Effect.void
  ).pipe(Effect.delay("200 millis"), Effect.forever, Effect.forkScoped)

/** Three workers that share the executions, all of which tick. */
const three = (url: string) =>
  Effect.gen(function* () {
    const first = yield* worker(url, executions)
    const workers = [first, yield* worker(url), yield* worker(url)]
    yield* supervised(url, workers)
    yield* first.said("submitted")
    yield* goOn(workers, 0)
    const session = yield* sessionOf(url)
    yield* haveAll(session, workers)
    return { session, workers }
  })

const tell = (what: string, seconds: number) =>
  console.log(`${what}: all executions go on after ${seconds.toFixed(1)} s`)

describe("workers of PostgreSQL", () => {
  it.scopedLive("start at once on an empty database", () =>
    Effect.forEach(
      Array.from({ length: runs(8, 2) }),
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
    )
  )

  it.scopedLive("take over from two that were killed at once, and from one", () =>
    Effect.forEach(
      rounds([[0, 1], [0], [1], [2], [1, 2]]),
      (victims) =>
        Effect.scoped(
          Effect.gen(function* () {
            const url = yield* database
            const { session, workers } = yield* three(url)
            const killedAt = performance.now()
            for (const victim of victims) yield* workers[victim]!.kill("SIGKILL")
            for (const victim of victims) yield* workers[victim]!.ended
            const rest = workers.filter((_, index) => !victims.includes(index))
            yield* haveAll(session, rest)
            const moved = (performance.now() - killedAt) / 1000
            const seconds = yield* goOn(rest, performance.now())
            tell(
              `${victims.length} of three killed, shards moved after ${moved.toFixed(1)} s`,
              moved + seconds
            )
            expect(moved).toBeLessThan(promised)
          })
        ),
      { discard: true }
    )
  )

  it.scopedLive(
    "take over from one that is frozen, also in the middle of a transaction, and it takes part again when it thaws",
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const { session, workers } = yield* three(url)
        for (const round of rounds([0, 1, 2, 0])) {
          const frozen = workers[round]!
          const frozenAt = performance.now()
          yield* frozen.kill("SIGSTOP")
          const seconds = yield* goOn(workers, frozenAt + 1000)
          tell("One of three frozen", seconds + 1)
          expect(seconds).toBeLessThan(promised)
          yield* frozen.kill("SIGCONT")
          // A worker may have no execution in its shards, and then it never ticks.
          yield* haveAll(session, workers)
          tell("Thawed", yield* goOn(workers, performance.now()))
        }
      })
  )

  it.scopedLive("heal after a fault that ends all of their connections", () =>
    Effect.gen(function* () {
      const url = yield* database
      const { session, workers } = yield* three(url)
      const before = [...workers]
      for (const round of rounds([1, 2, 3])) {
        const since = performance.now()
        yield* Effect.promise(() =>
          session.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'effect-translate%' AND datname = current_database()"
          )
        )
        tell(`Connections ended (${round})`, yield* goOn(workers, since + 500))
      }
      expect(workers.map(({ pid }) => pid)).toEqual(before.map(({ pid }) => pid))
    })
  )

  it.scopedLive("go on by themselves when the server is stopped for a moment, or are started again", () =>
    Effect.gen(function* () {
      const { start, stop } = yield* postgres
      const url = yield* database
      const { workers } = yield* three(url)
      for (const pause of rounds([1000, 0, 500, 1000, 1000, 1500, 2000, 4000])) {
        yield* Effect.acquireUseRelease(
          stop,
          () => Effect.sleep(pause),
          () => start
        )
        const since = performance.now()
        const before = [...workers]
        tell(`PostgreSQL stopped for ${pause} ms`, yield* goOn(workers, since))
        console.log(`  ${workers.filter((one, index) => one === before[index]).length} of 3 have healed`)
      }
    })
  )

  it.scopedLive("make progress between kills of one of three", () =>
    Effect.gen(function* () {
      const url = yield* database
      const { workers } = yield* three(url)
      for (let round = 0; round < runs(8, 2); round++) {
        const since = performance.now()
        const victim = round % 3
        yield* workers[victim]!.kill("SIGKILL")
        workers[victim] = yield* worker(url)
        yield* until(Effect.sync(() => workers.some((one) => ticksSince(one, since).size > 0)))
      }
      yield* goOn(workers, performance.now())
    })
  )

  it.scopedLive("end with a code of their own when the database is lost", () =>
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
    })
  )
})

it.scopedLive("the file of a worker that was killed is free", () =>
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
  })
)
