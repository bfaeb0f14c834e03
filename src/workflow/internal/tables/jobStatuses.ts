import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { Texts } from "../../../stream/Outcome.js"
import type { CorpusJob, State, Status, Waiting } from "../../CorpusJob.js"
import type { JobControlError } from "../../JobControlError.js"
import * as Tables from "./jobSchema.js"
import { decodeJob } from "./jobsSql.js"
import * as tallies from "./tallies.js"

type JobRow = readonly [
  id: string,
  generation: number,
  spec: string,
  state: State,
  reason: Waiting["reason"] | null,
  until: number | null,
  tag: string | null,
  message: string | null,
  submittedAt: number,
  startedAt: number | null,
  endedAt: number | null,
  texts: number | null,
  sources: number | null,
  spent: number | null,
  held: number | null
]

const jobsQuery = ({ now, number }: Tables.Dialect, where: string) => `
  SELECT j.job, ${number("j.generation")}, j.spec,
    CASE WHEN j.ended IS NOT NULL THEN j.ended WHEN j.told = 'cancel' THEN 'cancelling' WHEN j.told = 'pause' THEN 'paused'
      WHEN j.waiting_until > ${now} THEN 'waiting' WHEN j.started_at IS NULL THEN 'submitted' ELSE 'running' END,
    j.waiting_reason, ${number("j.waiting_until")}, j.error_tag, j.error_message,
    ${number("j.submitted_at")}, ${number("j.started_at")}, ${number("j.ended_at")}, ${number("j.texts")}, ${number("j.sources")},
    ${number("b.spent")}, ${number("b.held")}
  FROM effect_translate_jobs j LEFT JOIN effect_translate_job_budgets b ON b.name = j.budget
  WHERE j.is_last = 1 ${where} ORDER BY j.submitted_at DESC, j.job`

/** What a sum is of. */
const kinds = {
  closed: 0,
  whole: 1,
  openSlice: 2,
  closedSlice: 3,
  replacedOpen: 4,
  replacedClosed: 5,
  counts: 6
}

type FigureRow = readonly [
  id: string,
  kind: number,
  language: string,
  ...sums: [number, number, number, number]
]

/**
 * All sums of jobs, in one statement: a shard that is closed meanwhile is counted once. Slices of a source that was written as a whole,
 * in a shard that is still open, are sums of their own: see `correction`.
 */
const figuresQuery = ({ each, number }: Tables.Dialect, where: string) => {
  const sum = (n: number) => number(`COALESCE(SUM(CAST(each.value ->> ${n} AS bigint)), 0)`)
  const slices = (kind: number, replaced: number, from: string) => `
    SELECT p.job, CASE WHEN w.source IS NULL THEN ${kind} ELSE ${replaced} END, p.tallies
    FROM ${from} LEFT JOIN wholes w ON w.job = p.job AND w.source = p.source`
  return `
  WITH picked AS (SELECT job, generation FROM effect_translate_jobs WHERE is_last = 1 ${where}),
  open_steps AS (
    SELECT s.job, s.source, s.is_whole, s.failed_outputs, s.tallies FROM picked
    JOIN effect_translate_job_shards h ON h.job = picked.job AND h.generation = picked.generation AND h.is_closed = 0
    JOIN effect_translate_job_steps s ON s.job = h.job AND s.generation = h.generation AND s.shard = h.shard),
  closed AS (
    SELECT h.job, h.looked, h.outputs, h.failed_outputs, h.tallies FROM picked
    JOIN effect_translate_job_shards h ON h.job = picked.job AND h.generation = picked.generation AND h.is_closed = 1),
  wholes AS (SELECT DISTINCT job, source FROM open_steps WHERE is_whole = 1),
  open_slices AS (SELECT job, source, tallies FROM open_steps WHERE is_whole = 0),
  closed_slices AS (
    SELECT s.job, s.source, s.tallies FROM picked
    JOIN effect_translate_job_slices s ON s.job = picked.job AND s.generation = picked.generation),
  parts (job, kind, tallies) AS (
    SELECT job, ${kinds.closed}, tallies FROM closed
    UNION ALL SELECT job, ${kinds.whole}, tallies FROM open_steps WHERE is_whole = 1
    UNION ALL ${slices(kinds.openSlice, kinds.replacedOpen, "open_slices p")}
    UNION ALL ${slices(kinds.closedSlice, kinds.replacedClosed, "closed_slices p")})
  SELECT parts.job, parts.kind, each.key, ${sum(0)}, ${sum(1)}, ${sum(2)}, ${sum(3)}
  FROM parts CROSS JOIN ${each("parts.tallies")} GROUP BY parts.job, parts.kind, each.key
  UNION ALL
  SELECT job, ${kinds.counts}, '', ${number("SUM(looked)")}, ${number("SUM(outputs)")}, ${number("SUM(failed_outputs)")}, 0 FROM (
    SELECT job, looked, outputs, failed_outputs FROM closed
    UNION ALL SELECT job, 0, 1, failed_outputs FROM open_steps WHERE is_whole = 1) c GROUP BY job`
}

interface Figures {
  /** Texts of slices, for all languages. */
  looked: number
  /** Sources of which outputs were written. */
  outputs: number
  failedOutputs: number
  readonly byLanguage: Map<string, Texts>
}

const figuresOf = (rows: ReadonlyArray<FigureRow>): ReadonlyMap<string, Figures> => {
  const jobs = new Map<string, Figures>()
  for (const [id, kind, language, first, second, third, fourth] of rows) {
    const figures = jobs.get(id) ?? {
      looked: 0,
      outputs: 0,
      failedOutputs: 0,
      byLanguage: new Map<string, Texts>()
    }
    jobs.set(id, figures)
    if (kind === kinds.counts) {
      figures.looked += first
      figures.outputs += second
      figures.failedOutputs += third
      continue
    }
    const texts = { translated: first, cached: second, skipped: third, failed: fourth }
    const isReplaced = kind === kinds.replacedOpen || kind === kinds.replacedClosed
    tallies.add(figures.byLanguage, language, isReplaced ? tallies.correction(texts) : texts)
    if (kind === kinds.openSlice || kind === kinds.replacedOpen)
      figures.looked += first + second + third + fourth
  }
  return jobs
}

const costOf = (
  { pricePerMillion }: CorpusJob,
  { least, most }: Status["characters"]
): Pick<Status, "cost"> =>
  pricePerMillion === undefined
    ? {}
    : { cost: { least: (least * pricePerMillion) / 1_000_000, most: (most * pricePerMillion) / 1_000_000 } }

const dates = (startedAt: number | null, endedAt: number | null): Pick<Status, "startedAt" | "endedAt"> => ({
  ...(startedAt === null ? {} : { startedAt: DateTime.unsafeMake(startedAt) }),
  ...(endedAt === null ? {} : { endedAt: DateTime.unsafeMake(endedAt) })
})

const progressOf = (
  { targets }: CorpusJob,
  { failedOutputs, looked, outputs }: Omit<Figures, "byLanguage">,
  texts: number | null,
  sources: number | null
): Status["progress"] => {
  const totalTexts = texts === null ? undefined : texts * targets.length
  return {
    texts: Math.min(looked, totalTexts ?? looked),
    outputs: outputs * targets.length - failedOutputs,
    ...(totalTexts === undefined ? {} : { totalTexts }),
    ...(sources === null ? {} : { totalOutputs: sources * targets.length })
  }
}

const statusOf = (row: JobRow, job: CorpusJob, figures: Figures | undefined): Status => {
  const [
    id,
    generation,
    ,
    state,
    reason,
    until,
    tag,
    message,
    submittedAt,
    startedAt,
    endedAt,
    texts,
    sources
  ] = row
  const [spent, held] = [row[13] ?? 0, row[14] ?? 0]
  const characters = { least: spent, most: spent + held }
  return {
    id,
    generation,
    job,
    state,
    ...(state === "waiting" && reason !== null && until !== null
      ? { waiting: { reason, until: DateTime.unsafeMake(until) } }
      : {}),
    ...(tag === null ? {} : { error: { tag, message: message ?? "" } }),
    submittedAt: DateTime.unsafeMake(submittedAt),
    ...dates(startedAt, endedAt),
    progress: progressOf(job, figures ?? { looked: 0, outputs: 0, failedOutputs: 0 }, texts, sources),
    targets: job.targets.map((targetLang) => ({
      targetLang,
      ...tallies.shown(figures?.byLanguage.get(targetLang) ?? tallies.none)
    })),
    characters,
    ...costOf(job, characters)
  }
}

/** The status of the last generation of a job, or of all jobs, the newest first. */
export const read = (
  { dialect, query }: Tables.Tables,
  id?: string | undefined
): Effect.Effect<ReadonlyArray<Status>, JobControlError> =>
  Effect.gen(function* () {
    const params = id === undefined ? [] : [id]
    // First the states: what is told of a job that is done is whole then.
    const rows = yield* query<JobRow>(jobsQuery(dialect, id === undefined ? "" : "AND j.job = $1"), params)
    if (rows.length === 0) return []
    const where = id === undefined ? "" : "AND job = $1"
    const figures = figuresOf(yield* query<FigureRow>(figuresQuery(dialect, where), params))
    return yield* Effect.forEach(rows, (row) =>
      Effect.map(decodeJob(row[2]), (job) => statusOf(row, job, figures.get(row[0])))
    )
  }).pipe(Tables.unavailable)
