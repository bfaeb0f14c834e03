import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Analytics from "../../api/Analytics.js"
import * as Limits from "../../api/Limits.js"
import type { UsageReports } from "../UsageReports.js"
import type { Endpoints } from "./endpoints.js"
import * as paginate from "./paginate.js"

interface Range {
  readonly startDate: DateTime.Utc
  readonly endDate: DateTime.Utc
}

const days = Limits.analyticsRangeDays

/** Ranges that the service allows; each but the last ends where the next one starts, at the start of a day. */
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

const nothing: Analytics.UsageBreakdown = {
  totalCharacters: 0,
  textTranslationCharacters: 0,
  documentTranslationCharacters: 0,
  textImprovementCharacters: 0,
  speechToTextMinutes: 0
}

const add = (a: Analytics.UsageBreakdown, b: Analytics.UsageBreakdown): Analytics.UsageBreakdown => ({
  totalCharacters: a.totalCharacters + b.totalCharacters,
  textTranslationCharacters: a.textTranslationCharacters + b.textTranslationCharacters,
  documentTranslationCharacters: a.documentTranslationCharacters + b.documentTranslationCharacters,
  textImprovementCharacters: a.textImprovementCharacters + b.textImprovementCharacters,
  speechToTextMinutes: a.speechToTextMinutes + b.speechToTextMinutes
})

const byKey = (rows: ReadonlyArray<Analytics.KeyUsage>): ReadonlyArray<Analytics.KeyUsage> => {
  const keys = new Map<string, Analytics.KeyUsage>()
  for (const { apiKey, apiKeyLabel, usage } of rows) {
    const id = JSON.stringify([apiKey, apiKeyLabel])
    keys.set(id, { apiKey, apiKeyLabel, usage: add(keys.get(id)?.usage ?? nothing, usage) })
  }
  return Array.from(keys.values())
}

/**
 * The rows of each report that are of its own range. Whether the end of a range is part of it, as a moment or as a
 * whole day, the specification leaves open: a day where two ranges meet may be in both reports, and counts in the later
 * one, which holds all of it.
 */
const rowsOf = (
  ranges: ReadonlyArray<Range>,
  reports: ReadonlyArray<Analytics.UsageReport>
): ReadonlyArray<Analytics.KeyAndDayUsage> =>
  reports.flatMap(({ keyAndDayUsages = [] }, index) => {
    const isLast = index === ranges.length - 1
    const { endDate, startDate } = ranges[index]!
    return keyAndDayUsages.filter(
      ({ usageDate }) =>
        (index === 0 || DateTime.greaterThanOrEqualTo(usageDate, startDate)) &&
        (isLast || DateTime.lessThan(usageDate, endDate))
    )
  })

const merge = (
  { endDate, groupBy, startDate }: Analytics.ReportQuery,
  rows: ReadonlyArray<Analytics.KeyAndDayUsage>
): Analytics.UsageReport => ({
  totalUsage: rows.reduce((sum, { usage }) => add(sum, usage), nothing),
  groupBy,
  startDate,
  endDate,
  ...(groupBy === "key" && { keyUsages: byKey(rows) }),
  ...(groupBy === "key_and_day" && { keyAndDayUsages: rows })
})

export const make = ({ api, call }: Endpoints): UsageReports => {
  const report = call(Analytics.report, "free", (query: Analytics.ReportQuery) =>
    Effect.map(api.analytics.report({ urlParams: query }), ({ usageReport }) => usageReport)
  )
  const customTags = call(Analytics.customTags, "free", (query: Analytics.CustomTagQuery) =>
    Effect.map(
      api.analytics.customTags({ urlParams: query }),
      ({ customTagUsageReport }) => customTagUsageReport
    )
  )
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
      paginate.byCursor(query.page, (page) =>
        Effect.map(customTags({ ...query, page }), ({ nextPage, usage }) => [usage, nextPage])
      )
  }
}
