import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as JobOptions from "../../../job/JobOptions.js"
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

/** The state of a job. */
export const stateOf = ({ now }: Tables.Dialect): string =>
  `CASE WHEN j.ended IS NOT NULL THEN j.ended WHEN j.told = 'cancel' THEN 'cancelling' WHEN j.told = 'pause' THEN 'paused'
      WHEN j.waiting_until > ${now} THEN 'waiting' WHEN j.started_at IS NULL THEN 'submitted' ELSE 'running' END`

const jobsQuery = (dialect: Tables.Dialect, where: string) => {
  const { number } = dialect
  return `
  SELECT j.job, ${number("j.generation")}, j.spec, ${stateOf(dialect)},
    j.waiting_reason, ${number("j.waiting_until")}, j.error_tag, j.error_message,
    ${number("j.submitted_at")}, ${number("j.started_at")}, ${number("j.ended_at")}, ${number("j.texts")}, ${number("j.sources")},
    ${number("b.spent")}, ${number("b.held")}
  FROM effect_translate_jobs j LEFT JOIN effect_translate_job_budgets b ON b.name = j.budget
  WHERE j.is_last = 1 ${where} ORDER BY j.submitted_at DESC, j.job`
}

/** The kinds of sums. */
const kinds = {
  /** Steps that are done, or of which it is not known how many texts they have. */
  done: 0,
  /** Steps that are under way. */
  open: 1,
  /** Slices of sources that are written. */
  replaced: 2,
  counts: 3
}

type FigureRow = readonly [
  id: string,
  kind: number,
  language: string,
  ...sums: [number, number, number, number, number]
]

/** All sums of jobs, in one statement. */
const figuresQuery = ({ each, number }: Tables.Dialect, where: string) => {
  const sum = (n: number) => number(`COALESCE(SUM(CAST(each.value ->> ${n} AS bigint)), 0)`)
  return `
  WITH steps AS (
    SELECT s.* FROM effect_translate_jobs j JOIN effect_translate_job_steps s ON s.job = j.job AND s.generation = j.generation
    WHERE j.is_last = 1 ${where}),
  written AS (SELECT job, sources FROM steps WHERE kind = 'output' AND is_done = 1),
  sums AS (
    SELECT s.job, s.tallies, CASE WHEN s.kind = 'slice' AND w.sources IS NOT NULL THEN ${kinds.replaced}
      WHEN s.is_done = 0 AND s.texts > 0 THEN ${kinds.open} ELSE ${kinds.done} END AS kind
    FROM steps s LEFT JOIN written w ON w.job = s.job AND w.sources = s.sources WHERE s.tallies <> '{}')
  SELECT sums.job, sums.kind, each.key, ${sum(0)}, ${sum(1)}, ${sum(2)}, ${sum(3)}, ${sum(4)}
  FROM sums CROSS JOIN ${each("sums.tallies")} GROUP BY sums.job, sums.kind, each.key
  UNION ALL
  SELECT job, ${kinds.counts}, '', ${number("SUM(is_done * texts)")}, ${number("SUM(is_done * outputs)")}, ${number("SUM(failed_outputs)")}, 0, 0
  FROM steps GROUP BY job`
}

interface Figures {
  /** Texts of steps that are done, once for all languages. */
  planned: number
  /** Texts of steps under way, for all languages. */
  looked: number
  /** Sources of which outputs were written. */
  outputs: number
  failedOutputs: number
  readonly byLanguage: Map<string, Texts>
}

const noFigures = (): Figures => ({
  planned: 0,
  looked: 0,
  outputs: 0,
  failedOutputs: 0,
  byLanguage: new Map()
})

const figuresOf = (rows: ReadonlyArray<FigureRow>): ReadonlyMap<string, Figures> => {
  const jobs = new Map<string, Figures>()
  for (const [id, kind, language, first, second, third, fourth, flagged] of rows) {
    const figures = jobs.get(id) ?? noFigures()
    jobs.set(id, figures)
    if (kind === kinds.counts) {
      figures.planned += first
      figures.outputs += second
      figures.failedOutputs += third
      continue
    }
    const texts = { translated: first, cached: second, skipped: third, failed: fourth, flagged }
    tallies.add(figures.byLanguage, language, kind === kinds.replaced ? tallies.correction(texts) : texts)
    if (kind === kinds.open) figures.looked += first + second + third + fourth
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
  { failedOutputs, looked, outputs, planned }: Figures,
  texts: number | null,
  sources: number | null
): Status["progress"] => {
  const totalTexts = texts === null ? undefined : texts * targets.length
  const seen = planned * targets.length + looked
  return {
    texts: Math.min(seen, totalTexts ?? seen),
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
    progress: progressOf(job, figures ?? noFigures(), texts, sources),
    targets: job.targets.map(JobOptions.langOf).map((targetLang) => ({
      targetLang,
      ...tallies.shown(figures?.byLanguage.get(targetLang) ?? tallies.none)
    })),
    characters,
    ...costOf(job, characters)
  }
}

/** The status of the last generations of jobs, the newest first. */
export const read = (
  { dialect, query }: Tables.Tables,
  ids: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Status>, JobControlError> =>
  Effect.gen(function* () {
    const params = [Tables.json(ids)]
    const are = `IN (SELECT value FROM ${dialect.list("$1")})`
    // First the states: the figures of a job that is done are whole then.
    const rows = yield* query<JobRow>(jobsQuery(dialect, `AND j.job ${are}`), params)
    if (rows.length === 0) return []
    const figures = figuresOf(yield* query<FigureRow>(figuresQuery(dialect, `AND j.job ${are}`), params))
    return yield* Effect.forEach(rows, (row) =>
      Effect.map(decodeJob(row[2]), (job) => statusOf(row, job, figures.get(row[0])))
    )
  }).pipe(Tables.unavailable)
