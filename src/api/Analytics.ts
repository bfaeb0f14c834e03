/**
 * The usage of an account: by key, by day, by custom tag.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as AnswerLimit from "./AnswerLimit.js"
import * as DeveloperKey from "./DeveloperKey.js"
import * as time from "./internal/time.js"
import * as wire from "./internal/wire.js"
import * as Limits from "./Limits.js"

/** A count that the service leaves out is 0. */
const used = <const Key extends string>(key: Key) => wire.defaulted(Schema.Number, key, () => 0)

/**
 * The usage of each product. A field that the service leaves out is 0.
 *
 * Source: service specification, Resources, "Usage report (admin)".
 *
 * @since 0.1.0
 * @category schemas
 */
export const UsageBreakdown = wire.record({
  /** Characters (code points) of all products. */
  totalCharacters: used("total_characters"),
  textTranslationCharacters: used("text_translation_characters"),
  documentTranslationCharacters: used("document_translation_characters"),
  textImprovementCharacters: used("text_improvement_characters"),
  speechToTextMinutes: used("speech_to_text_minutes")
})

/**
 * The usage of each product.
 *
 * @since 0.1.0
 * @category models
 */
export interface UsageBreakdown extends Schema.Schema.Type<typeof UsageBreakdown> {}

const nothing: UsageBreakdown = {
  totalCharacters: 0,
  textTranslationCharacters: 0,
  documentTranslationCharacters: 0,
  textImprovementCharacters: 0,
  speechToTextMinutes: 0
}

const breakdown = <const Key extends string>(key: Key) => wire.defaulted(UsageBreakdown, key, () => nothing)

const byKey = {
  apiKey: wire.hint(DeveloperKey.MaskedKey, "api_key"),
  apiKeyLabel: wire.hint(Schema.String, "api_key_label"),
  usage: breakdown("usage")
}

/**
 * The usage of one key.
 *
 * Source: wire facts, Usage, translation memories, admin, voice.
 *
 * @since 0.1.0
 * @category schemas
 */
export const KeyUsage = wire.record(byKey)

/**
 * The usage of one key.
 *
 * @since 0.1.0
 * @category models
 */
export interface KeyUsage extends Schema.Schema.Type<typeof KeyUsage> {}

/**
 * The usage of one key on one day.
 *
 * Source: service specification, Resources, "Usage report (admin)".
 *
 * @since 0.1.0
 * @category schemas
 */
export const KeyAndDayUsage = wire.record({
  ...byKey,
  /** The start of the day, in UTC. */
  usageDate: wire.hint(time.Utc, "usage_date")
})

/**
 * The usage of one key on one day.
 *
 * @since 0.1.0
 * @category models
 */
export interface KeyAndDayUsage extends Schema.Schema.Type<typeof KeyAndDayUsage> {}

/**
 * The usage of an account in a range of time.
 *
 * Source: service specification, Resources, "Usage report (admin)".
 *
 * @since 0.1.0
 * @category schemas
 */
export const UsageReport = wire.named("UsageReport", {
  /** Of all keys in the whole range. */
  totalUsage: breakdown("total_usage"),
  groupBy: wire.hint(wire.open("key", "key_and_day"), "group_by"),
  startDate: wire.hint(time.Utc, "start_date"),
  endDate: wire.hint(time.Utc, "end_date"),
  /** There if the report is grouped by `key`. */
  keyUsages: wire.hint(wire.items(KeyUsage), "key_usages"),
  /** There if the report is grouped by `key_and_day`. */
  keyAndDayUsages: wire.hint(wire.items(KeyAndDayUsage), "key_and_day_usages")
})

/**
 * The usage of an account in a range of time.
 *
 * @since 0.1.0
 * @category models
 */
export interface UsageReport extends Schema.Schema.Type<typeof UsageReport> {}

/**
 * The translated characters under one custom tag.
 *
 * Source: service specification, Resources, "Custom tag usage report (admin)".
 *
 * @since 0.1.0
 * @category schemas
 */
export const CustomTagUsage = wire.record({
  /** Absent for translations without a tag. */
  customTag: wire.hint(Schema.String, "custom_tag"),
  /** The start of the day, in UTC; there if the report is aggregated by `day`. */
  usageDate: wire.hint(time.Utc, "usage_date"),
  breakdown: wire.defaulted(
    wire.record({
      totalCharacters: used("total_characters"),
      textTranslationCharacters: used("text_translation_characters"),
      textImprovementCharacters: used("text_improvement_characters")
    }),
    "breakdown",
    () => ({ totalCharacters: 0, textTranslationCharacters: 0, textImprovementCharacters: 0 })
  )
})

/**
 * The translated characters under one custom tag.
 *
 * @since 0.1.0
 * @category models
 */
export interface CustomTagUsage extends Schema.Schema.Type<typeof CustomTagUsage> {}

/**
 * A page of translated characters by custom tag. Only text translation is covered.
 *
 * Source: service specification, Resources, "Custom tag usage report (admin)".
 *
 * @since 0.1.0
 * @category schemas
 */
export const CustomTagUsageReport = wire.named("CustomTagUsageReport", {
  aggregateBy: wire.hint(wire.open("period", "day"), "aggregate_by"),
  startDate: wire.hint(time.Utc, "start_date"),
  endDate: wire.hint(time.Utc, "end_date"),
  /** The page to ask for next, as an id of it; `null` on the last one. */
  nextPage: wire.optional(Schema.NullOr(Schema.Number), "next_page"),
  usage: Schema.optionalWith(wire.items(CustomTagUsage), { default: () => [] })
})

/**
 * A page of translated characters by custom tag.
 *
 * @since 0.1.0
 * @category models
 */
export interface CustomTagUsageReport extends Schema.Schema.Type<typeof CustomTagUsageReport> {}

interface Range {
  readonly startDate: DateTime.Utc
  readonly endDate: DateTime.Utc
}

const problem = ({ endDate, startDate }: Range): string | undefined => {
  const days = Duration.toDays(DateTime.distanceDuration(startDate, endDate))
  if (DateTime.lessThan(endDate, startDate)) return "is before startDate: exchange them"
  return days > Limits.analyticsRangeDays
    ? `is ${Math.ceil(days)} days after \`startDate\`; the limit is ${Limits.analyticsRangeDays}: ask for several ranges`
    : undefined
}

const isAllowed = (range: Range) => {
  const message = problem(range)
  return message === undefined || { path: ["endDate"], message }
}

/**
 * The range of a usage report. The range includes both ends and has at most 366 days. An end at midnight (UTC) is a
 * date: it is sent as `YYYY-MM-DD`, and all of its day is in the report. Other ends are sent as `YYYY-MM-DDTHH:MM:SS`.
 *
 * Source: service specification, Endpoints, "Admin: analytics"; Limits, "Analytics date range".
 *
 * @since 0.1.0
 * @category schemas
 */
export const ReportQuery = Schema.Struct({
  startDate: wire.required(time.DayOrSecond, "start_date"),
  endDate: wire.required(time.DayOrSecond, "end_date"),
  /** The grouping of the report's rows. @default only the total */
  groupBy: wire.optional(Schema.Literal("key", "key_and_day"), "group_by")
})
  .pipe(Schema.filter(isAllowed))
  .annotations(wire.strict)

/**
 * The range of a usage report.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReportQuery extends Schema.Schema.Type<typeof ReportQuery> {}

/**
 * The range of a report by custom tag. The range includes the days of both ends, in UTC, and has at most 366 days. The
 * ends are sent as `YYYY-MM-DD`.
 *
 * Source: service specification, Endpoints, "Admin: analytics"; Limits, "Analytics date range".
 *
 * @since 0.1.0
 * @category schemas
 */
export const CustomTagQuery = Schema.Struct({
  startDate: wire.required(time.Day, "start_date"),
  endDate: wire.required(time.Day, "end_date"),
  /** The rows of the report: one for each tag, or one for each tag and day. @default "period" */
  aggregateBy: wire.optional(Schema.Literal("period", "day"), "aggregate_by"),
  /** The `nextPage` of the previous report. @default the first page */
  page: Schema.optional(wire.whole(0))
})
  .pipe(Schema.filter(isAllowed))
  .annotations(wire.strict)

/**
 * The range of a report by custom tag.
 *
 * @since 0.1.0
 * @category models
 */
export interface CustomTagQuery extends Schema.Schema.Type<typeof CustomTagQuery> {}

/**
 * `GET /v2/admin/analytics/custom-tags`.
 *
 * Source: service specification, Endpoints, "Admin: analytics".
 *
 * @since 0.1.0
 * @category contract
 */
export const customTags = HttpApiEndpoint.get("customTags", "/v2/admin/analytics/custom-tags")
  .annotate(AnswerLimit.AnswerLimit, AnswerLimit.ofLists)
  .setUrlParams(CustomTagQuery)
  .addSuccess(
    Schema.Struct({ customTagUsageReport: wire.required(CustomTagUsageReport, "custom_tag_usage_report") })
  )

/**
 * The endpoints of analytics.
 *
 * @since 0.1.0
 * @category contract
 */
export const group = HttpApiGroup.make("analytics")
  .add(
    HttpApiEndpoint.get("report", "/v2/admin/analytics")
      .annotate(AnswerLimit.AnswerLimit, AnswerLimit.ofLists)
      .setUrlParams(ReportQuery)
      .addSuccess(Schema.Struct({ usageReport: wire.required(UsageReport, "usage_report") }))
  )
  .add(customTags)
