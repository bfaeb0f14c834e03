/** Control of jobs in memory: it does nothing with them, and tests say what has become of them. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as CorpusJob from "../../src/workflow/CorpusJob.js"
import type { Service } from "../../src/workflow/JobControl.js"
import {
  JobConflict,
  type JobControlError,
  JobNotFound,
  JobStateError
} from "../../src/workflow/JobControlError.js"

export interface Fake {
  readonly control: Service
  /** The newest last. */
  readonly jobs: Map<string, CorpusJob.Status>
  readonly failures: Map<string, ReadonlyArray<CorpusJob.Failure>>
  readonly workers: Array<CorpusJob.Worker>
  /** What was asked. */
  readonly calls: Array<string>
  /** What everything fails with. */
  broken: JobControlError | undefined
  /** What a list of failures fails with after its items. */
  brokenAmid: JobControlError | undefined
  readonly change: (id: string, change: Partial<CorpusJob.Status>) => void
}

export const at = (iso: string): DateTime.Utc => DateTime.unsafeMake(iso)

export const job = (id: string, more: Partial<CorpusJob.CorpusJob> = {}): CorpusJob.CorpusJob => ({
  id,
  corpus: { kind: "files", reference: { folder: "/data" } },
  targets: ["de", "fr"],
  ...more
})

export const statusOf = (
  of: CorpusJob.CorpusJob,
  more: Partial<CorpusJob.Status> = {}
): CorpusJob.Status => ({
  id: of.id,
  generation: 1,
  job: of,
  state: "submitted",
  submittedAt: at("2026-01-02T03:04:05Z"),
  progress: { texts: 0, outputs: 0 },
  targets: of.targets
    .map(String)
    .map((targetLang) => ({ targetLang, translated: 0, cached: 0, skipped: 0, failed: 0 })),
  characters: { least: 0, most: 0 },
  ...more
})

const hasFailures = ({ state, targets }: CorpusJob.Status) =>
  state === "failed" || targets.some(({ failed }) => failed > 0)

export const make = (): Fake => {
  const guarded = <A>(call: string, effect: Effect.Effect<A, JobControlError>) =>
    Effect.suspend(() => {
      fake.calls.push(call)
      return fake.broken === undefined ? effect : Effect.fail(fake.broken)
    })
  const find = (id: string) =>
    Effect.suspend(() => {
      const found = fake.jobs.get(id)
      return found === undefined ? Effect.fail(new JobNotFound({ id })) : Effect.succeed(found)
    })
  const change = (id: string, more: Partial<CorpusJob.Status>) => {
    const changed = { ...fake.jobs.get(id)!, ...more }
    fake.jobs.set(id, changed)
    return changed
  }
  const tell = (call: string, state: CorpusJob.State) => (id: string) =>
    guarded(
      `${call} ${id}`,
      Effect.flatMap(find(id), (found) =>
        CorpusJob.isEnded(found)
          ? Effect.fail(new JobStateError({ id, state: found.state, message: "The job has ended." }))
          : Effect.sync(() => change(id, { state }))
      )
    )
  const control: Service = {
    submit: (submitted) =>
      guarded(
        `submit ${submitted.id}`,
        Effect.suspend(() => {
          const known = fake.jobs.get(submitted.id)
          if (known === undefined) {
            const made = statusOf(submitted)
            fake.jobs.set(submitted.id, made)
            return Effect.succeed(made)
          }
          return JSON.stringify(known.job.targets) === JSON.stringify(submitted.targets)
            ? Effect.succeed(known)
            : Effect.fail(new JobConflict({ id: submitted.id }))
        })
      ),
    status: (id) => guarded(`status ${id}`, find(id)),
    list: ({ cursor, hasFailures: failing, limit = 100, prefix = "", states } = {}) =>
      guarded(
        "list",
        Effect.sync(() => {
          const named = [...fake.jobs.values()].reverse().filter(({ id }) => id.startsWith(prefix))
          const fitting = named.filter(
            (job) => (states?.includes(job.state) ?? true) && (failing !== true || hasFailures(job))
          )
          const from = cursor === undefined ? 0 : Number(cursor.split("-", 1)[0])
          const jobs = fitting.slice(from, from + limit)
          const ended = named.filter(CorpusJob.isEnded).length
          return {
            jobs,
            ...(from + limit < fitting.length ? { next: `${from + limit}-${jobs.at(-1)!.id}` } : {}),
            counts: {
              all: named.length,
              underWay: named.length - ended,
              ended,
              withFailures: named.filter(hasFailures).length
            }
          }
        })
      ),
    watch: () => Stream.empty,
    failures: (id) =>
      Stream.concat(
        Stream.fromIterable(fake.failures.get(id) ?? []),
        Stream.suspend(() => (fake.brokenAmid === undefined ? Stream.empty : Stream.fail(fake.brokenAmid)))
      ),
    pause: tell("pause", "paused"),
    resume: tell("resume", "running"),
    cancel: tell("cancel", "cancelled"),
    purge: ({ id, olderThan } = {}) =>
      guarded(
        `purge ${id ?? "all"}${olderThan === undefined ? "" : ` ${JSON.stringify(olderThan)}`}`,
        Effect.suspend(() => {
          const purged = [...fake.jobs.values()].filter(
            (found) => (id === undefined || found.id === id) && CorpusJob.isEnded(found)
          )
          for (const found of purged) fake.jobs.delete(found.id)
          return id === undefined || purged.length > 0
            ? Effect.succeed(purged.length)
            : Effect.flatMap(find(id), ({ state }) =>
                Effect.fail(new JobStateError({ id, state, message: "Cancel the job first." }))
              )
        })
      ),
    workers: guarded(
      "workers",
      Effect.sync(() => [...fake.workers])
    )
  }
  const fake: Fake = {
    control,
    jobs: new Map(),
    failures: new Map(),
    workers: [],
    calls: [],
    broken: undefined,
    brokenAmid: undefined,
    change
  }
  return fake
}
