import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as TranslateStream from "../../stream/TranslateStream.js"
import type * as Translator from "../../stream/Translator.js"
import type { FailedUnit } from "../FailedUnits.js"
import type * as JobSource from "../JobSource.js"
import * as forecasts from "./forecasts.js"
import * as rows from "./rows.js"

/** Units of one language that are sent with the same options. */
interface Group {
  readonly units: ReadonlyArray<FailedUnit>
  readonly options: TranslateStream.Options
}

const texts = ({ text }: FailedUnit): readonly [string | undefined] => [text]

const elements = { texts, replace: identity<FailedUnit> }

/** The units of a language, by the sources that they are of. */
const groupsOf = (
  units: ReadonlyArray<FailedUnit>,
  of: ReadonlyArray<JobSource.JobSource<unknown, unknown>>,
  options: TranslateStream.Options,
  limit: number = units.length
): ReadonlyArray<Group> => {
  const targetLang = LanguageCode.canonical(options.targetLang)
  const wanted = units
    .filter((unit) => unit.text !== undefined && LanguageCode.canonical(unit.targetLang) === targetLang)
    .slice(0, limit)
  return Object.entries(Arr.groupBy(wanted, ({ source }) => source)).map(([source, units]) => ({
    units,
    options: of.find(({ name }) => name === source)?.optionsFrom?.(options) ?? options
  }))
}

const translate =
  (translation: JobSource.Translation) =>
  ({ options, units }: Group) =>
    rows.pipeline<FailedUnit, FailedUnit, JobSource.RowsError, never>(
      {
        texts,
        key: ({ key }) => key,
        translate: (options) => TranslateStream.translateWith({ ...options, ...elements }),
        failuresOf: ({ failures, source: { key, line, source, text } }) =>
          failures.map(({ error }) => ({ source, key, line, text, error })),
        write: () => Stream.runDrain
      },
      { ...translation, options, limit: undefined }
    )(Stream.fromIterable(units))

/** A source of units that have failed before. */
export const source = <E, R>(
  name: string,
  collected: Effect.Effect<ReadonlyArray<FailedUnit>, E, R>,
  of: ReadonlyArray<JobSource.JobSource<unknown, unknown>>
): JobSource.JobSource<E, R | Translator.Translator> => ({
  name,
  translate: (translations) =>
    Effect.flatMap(collected, (units) =>
      Effect.forEach(
        translations,
        (translation) =>
          Effect.forEach(
            groupsOf(units, of, translation.options, translation.limit),
            translate(translation)
          ).pipe(Effect.as<JobSource.Written>({ state: "written", stale: [] }), Effect.either),
        { concurrency: "unbounded" }
      )
    ),
  forecast: (forecasting) =>
    Effect.flatMap(collected, (units) =>
      Effect.forEach(forecasting.options, (given) =>
        Effect.forEach(groupsOf(units, of, given, forecasting.limit), ({ options, units }) =>
          rows.forecast(texts, options, undefined)(Stream.fromIterable(units))
        ).pipe(Effect.map((found) => forecasts.sum(given.targetLang, found)))
      )
    )
})
