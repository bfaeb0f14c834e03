/**
 * What the account has used.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as Analytics from "../api/Analytics.js"
import type * as TranslateError from "./TranslateError.js"

/**
 * What the account has used: `analytics` of the client.
 *
 * @since 0.1.0
 * @category models
 */
export interface UsageReports {
  /**
   * What was used in a range of up to 366 days: `GET /v2/admin/analytics`.
   *
   * Source: service specification, Endpoints, "Admin: analytics".
   */
  readonly report: (
    query: Analytics.ReportQuery
  ) => Effect.Effect<Analytics.UsageReport, TranslateError.TranslateError>
  /**
   * What was used in a range of any length. More than 366 days are asked for in several ranges, by key and day, and the
   * rows added up; no day counts twice.
   */
  readonly reportOver: (
    query: Analytics.ReportQuery
  ) => Effect.Effect<Analytics.UsageReport, TranslateError.TranslateError>
  /**
   * A page of what was translated by custom tag, in up to 366 days: `GET /v2/admin/analytics/custom-tags`.
   *
   * Source: service specification, Endpoints, "Admin: analytics".
   */
  readonly customTags: (
    query: Analytics.CustomTagQuery
  ) => Effect.Effect<Analytics.CustomTagUsageReport, TranslateError.TranslateError>
  /** What was translated by custom tag, page after page until there is no `nextPage`. */
  readonly customTagsStream: (
    query: Analytics.CustomTagQuery
  ) => Stream.Stream<Analytics.CustomTagUsage, TranslateError.TranslateError>
}
