import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Analytics from "../../api/Analytics.js"
import * as DeveloperKey from "../../api/DeveloperKey.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import type { AccountState, Entry, KeyState, Product } from "./account.js"

const tagsOnAPage = 100

const mask = (key: string): DeveloperKey.MaskedKey =>
  DeveloperKey.MaskedKey.make(key.length > 12 ? `${key.slice(0, 4)}****${key.slice(-4)}` : "****")

const breakdown = (entries: ReadonlyArray<Entry>): Analytics.UsageBreakdown => {
  const sum = (product?: Product) =>
    entries.reduce(
      (sum, entry) => sum + (product === undefined || entry.product === product ? entry.characters : 0),
      0
    )
  return {
    totalCharacters: sum(),
    textTranslationCharacters: sum("text_translation"),
    documentTranslationCharacters: sum("document_translation"),
    textImprovementCharacters: sum("text_improvement"),
    speechToTextMinutes: 0
  }
}

const secondOf = (time: DateTime.Utc): number => Math.floor(time.epochMillis / 1000)

const dayOf = ({ second }: Entry): number => Math.floor(second / 86_400)

const usageDate = (day: number): DateTime.Utc => DateTime.unsafeMake(day * 86_400_000)

/** Groups in the order in which they first appear. */
const groupBy = <A, K>(items: Iterable<A>, key: (item: A) => K): ReadonlyArray<[K, Array<A>]> => {
  const groups = new Map<K, Array<A>>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group === undefined) groups.set(key(item), [item])
    else group.push(item)
  }
  return Array.from(groups)
}

/** A date as the end of a range means its last second. */
const lastSecond = (endDate: DateTime.Utc) =>
  Effect.map(HttpServerRequest.ParsedSearchParams, ({ end_date }) =>
    secondOf(String(end_date).length > 10 ? endDate : DateTime.endOf(endDate, "day"))
  )

/** The handlers of analytics: all that was ever billed to the account of the admin key. */
export const handlers = (account: AccountState) => {
  /** The characters billed to each key in a range of time. */
  const billed = ({ endDate, startDate }: Pick<Analytics.ReportQuery, "startDate" | "endDate">) =>
    Effect.gen(function* () {
      const { key } = yield* TranslateApi.Caller
      const last = yield* lastSecond(endDate)
      return account.keys
        .get(key)!
        .account.keys.map((key): [KeyState, ReadonlyArray<Entry>] => [
          key,
          Array.from(key.ledger.values()).filter(
            ({ second }) => second >= secondOf(startDate) && second <= last
          )
        ])
        .filter(([, entries]) => entries.length > 0)
    })

  return HttpApiBuilder.group(TranslateApi.TranslateApi, "analytics", (handlers) =>
    handlers
      .handle("report", ({ urlParams: { endDate, groupBy: grouping, startDate } }) =>
        Effect.map(billed({ startDate, endDate }), (keys) => {
          const row = (key: KeyState, entries: ReadonlyArray<Entry>): Analytics.KeyUsage => ({
            apiKey: mask(key.key),
            apiKeyLabel: key.label,
            usage: breakdown(entries)
          })
          return {
            usageReport: {
              totalUsage: breakdown(keys.flatMap(([, entries]) => entries)),
              groupBy: grouping,
              startDate,
              endDate,
              ...(grouping === "key" && { keyUsages: keys.map(([key, entries]) => row(key, entries)) }),
              ...(grouping === "key_and_day" && {
                keyAndDayUsages: keys.flatMap(([key, entries]) =>
                  groupBy(entries, dayOf).map(([day, entries]) => ({
                    ...row(key, entries),
                    usageDate: usageDate(day)
                  }))
                )
              })
            }
          }
        })
      )
      .handle("customTags", ({ urlParams: { aggregateBy = "period", endDate, page = 0, startDate } }) =>
        Effect.map(billed({ startDate, endDate }), (keys) => {
          const tagged = keys
            .flatMap(([, entries]) => entries)
            .filter(({ product, tag }) => tag !== undefined && product === "text_translation")
          const usage = groupBy(tagged, ({ tag }) => tag!).flatMap(([customTag, entries]) =>
            groupBy(entries, (entry) => (aggregateBy === "day" ? dayOf(entry) : undefined)).map(
              ([day, entries]): Analytics.CustomTagUsage => ({
                customTag,
                ...(day === undefined ? undefined : { usageDate: usageDate(day) }),
                breakdown: breakdown(entries)
              })
            )
          )
          const next = (page + 1) * tagsOnAPage
          return {
            customTagUsageReport: {
              aggregateBy,
              startDate,
              endDate,
              nextPage: next < usage.length ? page + 1 : null,
              usage: usage.slice(next - tagsOnAPage, next)
            }
          }
        })
      )
  )
}
