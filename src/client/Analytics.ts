/**
 * The usage of the account.
 *
 * @since 0.1.0
 */

import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import type * as Stream from "effect/Stream"
import * as Api from "../api/Analytics.js"
import * as Limits from "../api/Limits.js"
import type { Endpoints } from "./internal/calling/endpoints.js"
import * as pagination from "./internal/calling/pagination.js"
import type { CallError, RepeatedPage } from "./TranslateError.js"

/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export {
  CustomTagQuery,
  CustomTagUsage,
  CustomTagUsageReport,
  KeyAndDayUsage,
  KeyUsage,
  ReportQuery,
  UsageBreakdown,
  UsageReport
} from "../api/Analytics.js"

/**
 * The usage of the account: `analytics` of the client.
 *
 * @since 0.1.0
 * @category models
 */
export interface Analytics {
  /**
   * The usage in a range of up to 366 days: `GET /v2/admin/analytics`.
   *
   * Source: service specification, Endpoints, "Admin: analytics".
   *
   * @example
   * const endDate = yield* DateTime.now
   * const report = yield* admin.analytics.report({
   *   startDate: DateTime.subtract(endDate, { days: 30 }),
   *   endDate,
   *   groupBy: "key"
   * })
   */
  readonly report: (query: Api.ReportQuery) => Effect.Effect<Api.UsageReport, CallError>
  /**
   * The usage in a range of any length. More than 366 days are requested in several ranges, by key and day, and their rows
   * are added up. No day counts twice.
   */
  readonly reportOver: (query: Api.ReportQuery) => Effect.Effect<Api.UsageReport, CallError>
  /**
   * A page of the usage by custom tag, in up to 366 days: `GET /v2/admin/analytics/custom-tags`.
   *
   * Source: service specification, Endpoints, "Admin: analytics".
   *
   * @example
   * const tags = yield* admin.analytics.customTags({
   *   startDate: DateTime.subtract(endDate, { days: 30 }),
   *   endDate
   * })
   */
  readonly customTags: (query: Api.CustomTagQuery) => Effect.Effect<Api.CustomTagUsageReport, CallError>
  /** The usage by custom tag, page after page until there is no `nextPage`. */
  readonly customTagsStream: (
    query: Api.CustomTagQuery
  ) => Stream.Stream<Api.CustomTagUsage, CallError | RepeatedPage>
}

interface Range {
  readonly startDate: DateTime.Utc
  readonly endDate: DateTime.Utc
}

const days = Limits.analyticsRangeDays

/** Splits a range into ranges that the service allows. Each next one starts at the start of a day. */
const split = ({ endDate, startDate }: Range): ReadonlyArray<Range> => {
  const ranges: Array<Range> = []
  let start = startDate
  while (Duration.toDays(DateTime.distanceDuration(start, endDate)) > days) {
    const next = DateTime.add(DateTime.startOf(start, "day"), { days })
    ranges.push({ startDate: start, endDate: next })
    start = next
  }
  return [...ranges, { startDate: start, endDate }]
}

const nothing = {
  totalCharacters: 0,
  textTranslationCharacters: 0,
  documentTranslationCharacters: 0,
  textImprovementCharacters: 0,
  speechToTextMinutes: 0
} satisfies Api.UsageBreakdown

const add = (a: Api.UsageBreakdown, b: Api.UsageBreakdown): Api.UsageBreakdown =>
  Record.map(nothing, (_, key) => a[key] + b[key])

const byKey = (rows: ReadonlyArray<Api.KeyUsage>): ReadonlyArray<Api.KeyUsage> => {
  const keys = new Map<string, Api.KeyUsage>()
  for (const { apiKey, apiKeyLabel, usage } of rows) {
    const id = JSON.stringify([apiKey, apiKeyLabel])
    keys.set(id, { apiKey, apiKeyLabel, usage: add(keys.get(id)?.usage ?? nothing, usage) })
  }
  return Array.from(keys.values())
}

/**
 * The rows of the reports. The specification leaves open if the end of a range is part of it, so the day between two ranges
 * may be in both reports. It counts in the later one, which holds the whole day. Rows without a day count too.
 */
const rowsOf = (
  ranges: ReadonlyArray<Range>,
  reports: ReadonlyArray<Api.UsageReport>
): ReadonlyArray<Api.KeyAndDayUsage> =>
  reports.flatMap(({ keyAndDayUsages = [] }, index) => {
    const isLast = index === ranges.length - 1
    const { endDate, startDate } = ranges[index]!
    return keyAndDayUsages.filter(
      ({ usageDate }) =>
        usageDate === undefined ||
        ((index === 0 || DateTime.greaterThanOrEqualTo(usageDate, startDate)) &&
          (isLast || DateTime.lessThan(usageDate, endDate)))
    )
  })

const merge = (
  { endDate, groupBy, startDate }: Api.ReportQuery,
  rows: ReadonlyArray<Api.KeyAndDayUsage>
): Api.UsageReport => ({
  totalUsage: rows.reduce((sum, { usage }) => add(sum, usage), nothing),
  groupBy,
  startDate,
  endDate,
  ...(groupBy === "key" && { keyUsages: byKey(rows) }),
  ...(groupBy === "key_and_day" && { keyAndDayUsages: rows })
})

/** @internal */
export const make: (endpoints: Endpoints) => Analytics = ({ group }) => {
  const { call } = group("analytics")
  const getReport = call("report", "always", (query: Api.ReportQuery) => ({ urlParams: query }))
  const getCustomTags = call("customTags", "always", (query: Api.CustomTagQuery) => ({ urlParams: query }))
  const report: Analytics["report"] = (query) =>
    Effect.map(getReport(query), ({ usageReport }) => usageReport)
  const customTags: Analytics["customTags"] = (query) =>
    Effect.map(getCustomTags(query), ({ customTagUsageReport }) => customTagUsageReport)
  return {
    report,
    reportOver: (query) => {
      const ranges = split(query)
      return ranges.length === 1
        ? report(query)
        : Effect.map(
            Effect.forEach(ranges, (range) => report({ ...range, groupBy: "key_and_day" })),
            (reports) => merge(query, rowsOf(ranges, reports))
          )
    },
    customTags,
    customTagsStream: (query) =>
      pagination.byCursor(Api.customTags, query.page, (page) =>
        Effect.map(customTags({ ...query, page }), ({ nextPage, usage }) => [usage, nextPage])
      )
  }
}
