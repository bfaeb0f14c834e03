/** Rows as a source of which only those columns are translated that an output lacks. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Stream from "effect/Stream"
import type * as TranslateError from "../../client/TranslateError.js"
import type * as Translator from "../../client/Translator.js"
import { isBlank } from "../../internal/texts.js"
import * as JobSource from "../../job/JobSource.js"
import * as StreamOptions from "../../stream/StreamOptions.js"
import type { TableError } from "../TableError.js"
import * as columnRecords from "./columnRecords.js"
import { heldOf, type KnownRow } from "./knownRows.js"
import type { OutputRow } from "./tableOutput.js"
import { keyOf, type Row, type Table } from "./tableRows.js"

/** The key under which a row has its plan. No column is called so. */
const planOf: unique symbol = Symbol.for("effect-translate/table/plan")

interface PlannedRow extends KnownRow {
  readonly [planOf]?: columnRecords.Plan | undefined
}

export type Outcome = JobSource.RowOutcome<PlannedRow>

export interface Options {
  readonly name: string
  readonly table: Table
  readonly existing?: "keep" | "overwrite" | undefined
  /** Counts texts whose translations stay, as found. @default false */
  readonly countsKept?: boolean | undefined
  /** The rows, with those of the output in these languages. */
  readonly rows: (targets: ReadonlyArray<string>) => Stream.Stream<KnownRow, TableError, SqlClient.SqlClient>
  /** Writes the rows that `rowOf` makes of outcomes. */
  readonly write: (
    rowOf: (outcome: Outcome, targetLang: string) => OutputRow | undefined
  ) => (
    targetLang: string
  ) => (
    outcomes: Stream.Stream<Outcome, JobSource.RowsError>
  ) => Effect.Effect<void, JobSource.RowsError | TableError, SqlClient.SqlClient>
}

export type Failure = TableError | TranslateError.TranslateError

export type Source = JobSource.JobSource<Failure, SqlClient.SqlClient | Translator.Translator>

/** Translations by their columns, but of those that have failed; nothing if all have. */
const translatedIn = ({
  source,
  ...outcome
}: Outcome): Readonly<Record<string, string | null>> | undefined => {
  const failed = new Set<string | number>()
  if (outcome._tag === "Failed") {
    if (outcome.translations.every((translation) => translation === undefined)) return undefined
    for (const { field } of outcome.failures) failed.add(field)
  }
  const columns = source[planOf]!.wanted.filter((column) => !failed.has(column))
  return Object.fromEntries(columns.map((column) => [column, outcome.value[column] ?? null]))
}

/** The report of a language, beside the outcomes of its rows. */
interface Told {
  byPersons: number
  readonly stale: Array<JobSource.StaleUnit>
  /** Texts whose translations stay, and those of them that the stream skips in their rows. */
  kept: number
  skipped: number
}

export const make = ({ countsKept, existing = "keep", name, rows, table, write }: Options): Source => {
  const { columns } = table
  const nameOf = (row: Row) => row[keyOf].join("/")

  const sourceFor = (all: ReadonlyArray<JobSource.TargetOptions>, isAnew: boolean) =>
    Effect.gen(function* () {
      const choices = new Map<string, Pick<columnRecords.Wish, "choices" | "termsOf">>()
      for (const { options } of all) {
        choices.set(options.targetLang, {
          choices: yield* StreamOptions.choicesOf(options),
          termsOf: StreamOptions.termsOf(options)
        })
      }
      const targets = Array.from(choices.keys())
      const told = new Map(
        targets.map((target): [string, Told] => [target, { byPersons: 0, stale: [], kept: 0, skipped: 0 }])
      )
      const anew = existing === "overwrite" ? "all" : isAnew ? "machine" : undefined
      const tellStale = (row: Row, targetLang: string, column: string, translation: unknown) => {
        told.get(targetLang)!.stale.push({
          key: columns.length === 1 ? nameOf(row) : `${nameOf(row)}.${column}`,
          text: row[column] ?? "",
          translation: String(translation)
        })
      }
      const lacking = (row: PlannedRow, targetLang: string): PlannedRow | undefined => {
        const held = row[heldOf].get(targetLang)!
        const plan = columnRecords.plan({ columns, row, ...choices.get(targetLang)!, anew }, held)
        const found = told.get(targetLang)!
        found.byPersons += plan.byPersons
        for (const column of plan.stale) tellStale(row, targetLang, column, held.texts[column])
        const kept = columns.filter((column) => !plan.wanted.includes(column))
        for (const column of kept) {
          const isText = !isBlank(row[column] ?? "")
          if (isText) found.kept++
          if (isText && plan.isDue) found.skipped--
          if (!isText && !plan.isDue) found.skipped++
        }
        return plan.isDue
          ? { ...row, ...Object.fromEntries(kept.map((column) => [column, null])), [planOf]: plan }
          : undefined
      }
      const rowOf = (outcome: Outcome, targetLang: string): OutputRow | undefined => {
        const translated = translatedIn(outcome)
        if (translated === undefined) return undefined
        const row = outcome.source
        const plan = row[planOf]!
        const { record, stale, texts } = columnRecords.settle(
          plan,
          { row, ...choices.get(targetLang)! },
          translated
        )
        for (const column of stale) tellStale(row, targetLang, column, plan.unknown[column])
        told.get(targetLang)!.byPersons += stale.length
        return { key: row[keyOf], texts, record }
      }
      const source = JobSource.rows({
        name,
        rows: rows(targets) as Stream.Stream<PlannedRow, TableError, SqlClient.SqlClient>,
        key: nameOf,
        fields: columns,
        lacking,
        write: write(rowOf)
      })
      return { source, told }
    })

  /** Tells of texts whose translations stay as of texts that are found. */
  const counting = (translation: JobSource.Translation, told: Told): JobSource.Translation => ({
    ...translation,
    observe: (outcomes) =>
      Effect.suspend(() => {
        const { kept: cached, skipped } = told
        told.kept = told.skipped = 0
        const texts = { translated: 0, cached, skipped, failed: 0 }
        const cost = { characters: 0, ambiguousCharacters: 0 }
        return translation.observe([...outcomes, { texts, cost, failures: [] }])
      })
  })

  return {
    name,
    translate: (translations) =>
      Effect.gen(function* () {
        const { source, told } = yield* sourceFor(
          translations,
          translations.some(({ refresh }) => refresh === true)
        )
        const toldIn = ({ options }: JobSource.Translation) => told.get(options.targetLang)!
        const observed =
          countsKept === true ? translations.map((each) => counting(each, toldIn(each))) : translations
        const results = yield* source.translate(observed)
        if (countsKept === true) yield* Effect.forEach(observed, ({ observe }) => Effect.ignore(observe([])))
        return results.map((result, index) => {
          const { byPersons, stale } = toldIn(translations[index]!)
          return Either.map(result, (written): JobSource.Written => ({ ...written, stale, byPersons }))
        })
      }),
    forecast: (forecasting) =>
      Effect.flatMap(sourceFor(forecasting.targets, forecasting.refresh === true), ({ source }) =>
        source.forecast(forecasting)
      )
  }
}
