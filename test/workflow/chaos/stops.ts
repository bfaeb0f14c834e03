/** Jobs that stop and go on: for a quota, or because they were told to. */
import * as Effect from "effect/Effect"
import { TranslationStore } from "effect-translate"
import * as jobs from "./jobs.js"
import { type Processes, patience, until } from "./processes.js"

/** A job whose quota lasts for a part of it, and whose workers are all killed and started again while it waits. */
export const quota = async (
  processes: Processes,
  undisturbed: jobs.Undisturbed,
  { periods, periodMillis }: { readonly periods: number; readonly periodMillis: number }
) => {
  const service = { latency: 50, periodMillis, characterLimit: Math.ceil(undisturbed.characters / periods) }
  return jobs.withWorkers(
    processes,
    undisturbed,
    { service, count: 2, worker: { concurrency: 4 } },
    async ({ job, service, workers }) => {
      await job.submit()
      const waiting = await job.untilState(["waiting"])
      for (const worker of workers) worker.kill("SIGKILL", true)
      await Promise.all(workers.map((worker) => worker.ended()))
      const asked = (await service.meter()).requests
      for (const worker of workers) worker.start()
      const status = await job.untilState(["done", "failed", "cancelled"])
      const log = await service.log()
      const until = Number(waiting.waiting?.until.epochMillis)
      return {
        waiting,
        status,
        /** Requests of the time that it was to wait, once its workers were started again. */
        whileWaiting: log.slice(asked).filter(({ arrived }) => arrived < until).length,
        refused: log.filter(({ status }) => status === 456).length,
        excess: (await service.meter()).characters - undisturbed.characters,
        doubts: await job.doubts(),
        outputs: job.outputs()
      }
    }
  )
}

/** A busy job that is paused, goes on, and is cancelled. */
export const told = async (processes: Processes, undisturbed: jobs.Undisturbed) => {
  return jobs.withWorkers(
    processes,
    undisturbed,
    { service: { latency: 300 }, count: 2 },
    async ({ allSend, job, service, workers }) => {
      await job.submit()
      await allSend()
      const isBusy = async () => {
        const { open } = await service.meter()
        return new Set(open.map(({ worker }) => worker)).size === workers.length
      }
      /** Requests of the job while another one is done, once all workers have had the time of one to hear of it. */
      const lateAfter = async (name: string, tell: () => Promise<unknown>) => {
        await until("Both workers are busy", patience, isBusy)
        await tell()
        await job.another(`${name}-1`)
        const before = (await service.meter()).requests
        await job.another(`${name}-2`)
        return (await service.meter()).requests - before - jobs.targets.length
      }
      const afterPause = await lateAfter("pause", () => job.control(({ pause }) => pause(job.id)))
      const paused = await job.status()
      await job.control(({ resume }) => resume(job.id))
      const afterCancel = await lateAfter("cancel", () => job.control(({ cancel }) => cancel(job.id)))
      const cancelled = await job.untilState(["cancelled"])
      const { attempts } = await job.run(
        Effect.flatMap(TranslationStore.TranslationStore, ({ stats }) => stats)
      )
      return {
        afterPause,
        paused,
        afterCancel,
        cancelled,
        outputs: [...job.outputs().keys()],
        billed: (await service.meter()).characters,
        recorded: attempts.answered.characters,
        doubts: await job.doubts()
      }
    }
  )
}
