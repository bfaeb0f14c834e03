import * as Effect from "effect/Effect"
import * as CorpusJob from "../../CorpusJob.js"
import type { ListOptions, Service } from "./jobControlModels.js"
import * as Tables from "./jobSchema.js"
import * as jobStatuses from "./jobStatuses.js"

const hasFailures = `(j.ended = 'failed' OR EXISTS (
  SELECT 1 FROM effect_translate_job_failures f WHERE f.job = j.job AND f.generation = j.generation))`

/** Conditions, and their parameters. */
const makeConditions = () => {
  const params: Array<Tables.Param> = []
  const texts = ["j.is_last = 1"]
  const param = (value: Tables.Param, type: string) => `CAST($${params.push(value)} AS ${type})`
  return { params, texts, param, where: () => texts.join(" AND ") }
}

const withPrefix = (prefix: string | undefined) => {
  const conditions = makeConditions()
  if (prefix !== undefined && prefix !== "") {
    const given = conditions.param(prefix, "text")
    conditions.texts.push(`substr(j.job, 1, length(${given})) = ${given}`)
  }
  return conditions
}

const cursorOf = (submittedAt: number, id: string): string => `${submittedAt}-${id}`

/** The jobs of a page by their ids, and one more if there is one. */
const pick = (
  { ask, dialect }: Tables.Tables,
  { cursor, hasFailures: failing, prefix, states }: ListOptions,
  limit: number
) => {
  const { param, params, texts, where } = withPrefix(prefix)
  if (states !== undefined)
    texts.push(
      `${jobStatuses.stateOf(dialect)} IN (SELECT value FROM ${dialect.list(param(Tables.json(states), "text"))})`
    )
  if (failing === true) texts.push(hasFailures)
  if (cursor !== undefined) {
    const [, submittedAt, id] = /^(\d+)-(.+)$/.exec(cursor) ?? []
    if (id === undefined) return Effect.succeed([])
    const time = param(Number(submittedAt), "bigint")
    texts.push(`(j.submitted_at < ${time} OR (j.submitted_at = ${time} AND j.job > ${param(id, "text")}))`)
  }
  return ask<[string, number]>(
    `SELECT j.job, ${dialect.number("j.submitted_at")} FROM effect_translate_jobs j WHERE ${where()}
      ORDER BY j.submitted_at DESC, j.job LIMIT ${limit + 1}`,
    params
  )
}

const count = ({ ask, dialect: { number } }: Tables.Tables, prefix: string | undefined) => {
  const { params, where } = withPrefix(prefix)
  const sum = (condition: string) => number(`COALESCE(SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0)`)
  return Effect.map(
    ask<[number, number, number, number]>(
      `SELECT ${number("COUNT(*)")}, ${sum("j.ended IS NULL")}, ${sum("j.ended IS NOT NULL")}, ${sum(hasFailures)}
        FROM effect_translate_jobs j WHERE ${where()}`,
      params
    ),
    ([row]) => {
      const [all, underWay, ended, withFailures] = row ?? [0, 0, 0, 0]
      return { all, underWay, ended, withFailures }
    }
  )
}

/** A page of jobs. */
export const listOf =
  (tables: Tables.Tables): Service["list"] =>
  (options = {}) =>
    Effect.gen(function* () {
      const limit = Math.min(Math.max(1, options.limit ?? 100), CorpusJob.longestPage)
      const found = yield* pick(tables, options, limit)
      const picked = found.slice(0, limit)
      const [id, submittedAt] = picked.at(-1) ?? ["", 0]
      return {
        jobs:
          picked.length === 0
            ? []
            : yield* jobStatuses.read(
                tables,
                picked.map(([id]) => id)
              ),
        ...(found.length > limit ? { next: cursorOf(submittedAt, id) } : {}),
        counts: yield* count(tables, options.prefix)
      }
    })
