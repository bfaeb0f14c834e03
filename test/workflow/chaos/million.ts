/** A job of many texts, whose workers are all killed and started again in the middle: what it takes, in time, memory and disk. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { cpuOfServer, figuresOf } from "../../../bench/processFigures.js"
import * as corpus from "./corpus.js"
import * as jobs from "./jobs.js"
import { type Processes, patience, until } from "./processes.js"

export interface Options extends corpus.Shape {
  readonly workers: number
  readonly concurrency: number
  readonly latency: number
}

export const run = async (processes: Processes, options: Options, say: (line: string) => void) => {
  const folder = `${processes.folder}/million`
  const { count, names } = corpus.write(folder, options)
  say(`${count} texts in ${names.length} files`)
  const service = await processes.service({ latency: options.latency, bare: true })
  const job = await jobs.make(processes, { folder, names })
  const query = <A extends object>(statement: string) =>
    job.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<A>(statement)))
  const [backend] = await query<{ pid: number }>("SELECT pg_backend_pid() AS pid")
  const postmaster = figuresOf(backend!.pid)!.parent
  const sizes = async () => {
    const rows = await query<{ name: string; bytes: string; rows: string }>(
      `SELECT c.relname AS name, pg_total_relation_size(c.oid) AS bytes, s.n_live_tup AS rows
       FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid ORDER BY 2 DESC`
    )
    return rows.map(
      ({ bytes, name, rows }) => `${name}: ${(Number(bytes) / 1e6).toFixed(1)} MB, ${rows} rows`
    )
  }
  const walBytes = async () =>
    Number((await query<{ bytes: string }>("SELECT pg_current_wal_lsn() - '0/0' AS bytes"))[0]!.bytes)
  const { concurrency } = options
  const workers = Array.from({ length: options.workers }, () =>
    processes.worker({ database: job.database, url: service.url, concurrency })
  )
  const cpu = () => workers.reduce((sum, { cpuSeconds }) => sum + cpuSeconds(), 0)
  const seconds = (since: number) => ((Date.now() - since) / 1000).toFixed(1)
  const limit = 7200
  try {
    await until("The workers are there", patience, async () => {
      const all = await job.control(({ workers }) => workers)
      return all.length === options.workers
    })
    const start = Date.now()
    const cpuBefore = { workers: cpu(), server: cpuOfServer(postmaster), wal: await walBytes() }
    await job.submit({ targets: ["de"], batchTexts: 2000 })
    await until("The job is planned", limit, async () => (await job.status()).progress.totalTexts, 200)
    say(`planned after ${seconds(start)} s; first request by then: ${(await service.meter()).requests > 0}`)
    await until("The first request", limit, async () => (await service.meter()).requests > 0)
    say(`first request after ${seconds(start)} s at most`)
    const first = Date.now()
    await until("The half", limit, async () => (await service.meter()).texts > options.texts / 2, 500)
    say(`half after ${seconds(first)} s: ${Math.round(options.texts / 2 / Number(seconds(first)))} texts/s`)
    say(`workers at the half: ${workers.map(({ peakMiB }) => peakMiB()).join(", ")} MiB at most`)

    for (const worker of workers) worker.kill("SIGKILL", true)
    await Promise.all(workers.map((worker) => worker.ended()))
    const before = (await service.meter()).requests
    const restart = Date.now()
    for (const worker of workers) worker.start()
    await until(
      "A request after the restart",
      limit,
      async () => (await service.meter()).requests > before,
      20
    )
    say(`first request ${seconds(restart)} s after all workers were started again`)
    await until("All workers have sent requests", limit, async () => {
      const senders = new Set((await service.log()).map(({ worker }) => worker))
      return workers.every((worker) => senders.has(worker.pid() ?? -1))
    })
    say(`all workers send requests ${seconds(restart)} s after`)

    await until("The last text", limit, async () => (await service.meter()).texts >= options.texts, 500)
    say(`last text after ${seconds(start)} s; outputs: ${(await job.status()).progress.outputs}`)
    const status = await job.untilState(["done", "failed"], limit)
    const total = Number(seconds(start))
    say(`${status.state} after ${total} s: ${Math.round(count / total)} texts/s, outputs included`)
    say(`workers: ${workers.map(({ peakMiB }) => peakMiB()).join(", ")} MiB at most`)
    const cpuMicros = (used: number) => `${used.toFixed(1)} s, ${Math.round((used * 1e6) / count)} µs a text`
    say(`processor of workers: ${cpuMicros(cpu() - cpuBefore.workers)}`)
    say(`processor of PostgreSQL: ${cpuMicros(cpuOfServer(postmaster) - cpuBefore.server)}`)
    say(`written to the log of PostgreSQL: ${Math.round(((await walBytes()) - cpuBefore.wal) / 1e6)} MB`)
    await query("ANALYZE")
    for (const line of await sizes()) say(`  ${line}`)
    const purging = Date.now()
    await job.control(({ purge }) => purge({ id: job.id }))
    await query("VACUUM FULL")
    say(`purged after ${seconds(purging)} s, VACUUM FULL included:`)
    for (const line of await sizes()) say(`  ${line}`)
    return status
  } finally {
    for (const worker of workers) worker.kill("SIGKILL", true)
    service.stop()
    await job.close()
  }
}
