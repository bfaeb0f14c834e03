import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import Papa from "papaparse"
import * as AdminClient from "../../client/AdminClient.js"
import type * as Analytics from "../../client/Analytics.js"
import type { Actions } from "../command.js"
import type { analytics } from "../declarations/account.js"
import { type Usage, usage } from "../failure.js"
import { Output } from "../output.js"
import * as service from "../serviceClient.js"
import type { InputOf } from "../settings/declarations.js"
import * as text from "../textTable.js"

type Input = InputOf<typeof analytics>

/** Rows for people, and the data behind them. */
interface Report {
  readonly value: object
  readonly heads: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string | number | undefined>>
}

interface Range {
  readonly startDate: DateTime.Utc
  readonly endDate: DateTime.Utc
}

const day = DateTime.formatIsoDateUtc

const dateOf = (option: string, given: string): Effect.Effect<DateTime.Utc, Usage> =>
  Option.match(
    Option.filter(DateTime.make(given), (date) => DateTime.formatIsoDateUtc(date) === given),
    {
      onNone: () => usage(`${option} ${given}: give a day such as 2026-05-01.`),
      onSome: Effect.succeed
    }
  )

const rangeOf = ({ from, to }: Input) =>
  Effect.gen(function* () {
    const today = DateTime.startOf(yield* DateTime.now, "day")
    const endDate = to === undefined ? today : yield* dateOf("--to", to)
    const startDate =
      from === undefined ? DateTime.subtract(endDate, { days: 30 }) : yield* dateOf("--from", from)
    return DateTime.lessThan(endDate, startDate)
      ? yield* usage(`--from ${day(startDate)} is after --to ${day(endDate)}: exchange them.`)
      : { startDate, endDate }
  })

const usageHeads = ["characters", "texts", "documents", "rephrased", "speech (minutes)"]

const usageRow = (usage: Analytics.UsageBreakdown) => [
  usage.totalCharacters,
  usage.textTranslationCharacters,
  usage.documentTranslationCharacters,
  usage.textImprovementCharacters,
  usage.speechToTextMinutes
]

const report = (range: Range, by: "key" | "day" | undefined) =>
  Effect.gen(function* () {
    const { analytics } = yield* AdminClient.AdminClient
    const groupBy = by === "day" ? "key_and_day" : by
    const value = yield* analytics.reportOver({ ...range, groupBy })
    const ofKey = ({ apiKey, apiKeyLabel, usage }: Analytics.KeyUsage) => [
      apiKey,
      apiKeyLabel,
      ...usageRow(usage)
    ]
    return by === undefined
      ? { value, heads: usageHeads, rows: [usageRow(value.totalUsage)] }
      : by === "key"
        ? { value, heads: ["key", "label", ...usageHeads], rows: (value.keyUsages ?? []).map(ofKey) }
        : {
            value,
            heads: ["day", "key", "label", ...usageHeads],
            rows: (value.keyAndDayUsages ?? []).map((row) => [
              row.usageDate && day(row.usageDate),
              ...ofKey(row)
            ])
          }
  })

const byTag = (range: Range) =>
  Effect.gen(function* () {
    const { analytics } = yield* AdminClient.AdminClient
    const usage = Chunk.toReadonlyArray(yield* Stream.runCollect(analytics.customTagsStream(range)))
    return {
      value: { ...range, usage },
      heads: ["tag", "characters", "texts", "rephrased"],
      rows: usage.map(({ breakdown, customTag }) => [
        customTag,
        breakdown.totalCharacters,
        breakdown.textTranslationCharacters,
        breakdown.textImprovementCharacters
      ])
    }
  }).pipe(
    Effect.catchTag("InvalidRequest", () =>
      usage("--by tag covers a year at most: bring --from and --to closer together.")
    )
  )

export const actions: Actions<typeof analytics> = (input) =>
  Effect.gen(function* () {
    const range = yield* rangeOf(input)
    const { heads, rows, value }: Report = yield* input.by === "tag" ? byTag(range) : report(range, input.by)
    yield* Output.note(
      `From ${day(range.startDate)} to ${day(range.endDate)}, as far as the service has counted.`
    )
    yield* Output.result(
      value,
      input.csv
        ? Papa.unparse({ fields: [...heads], data: rows.map((row) => [...row]) }, { newline: "\n" }).trimEnd()
        : text.table(heads, rows)
    )
  }).pipe(Effect.provide(service.admin))
