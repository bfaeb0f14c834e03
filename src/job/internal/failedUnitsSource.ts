import * as Arr from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as Translator from "../../client/Translator.js"
import * as TranslationStore from "../../store/TranslationStore.js"
import type { FailedUnit } from "../../stream/FailedUnits.js"
import * as Forecast from "../../stream/Forecast.js"
import * as TranslateStream from "../../stream/TranslateStream.js"
import type * as JobSource from "./contract.js"
import type { RowsError } from "./rowsSource.js"
import * as rows from "./rowsSource.js"

/** Units of one language that are sent with the same options. */
interface Group {
  readonly units: ReadonlyArray<FailedUnit>
  readonly options: TranslateStream.Options
}

const texts = ({ text }: FailedUnit): readonly [string | undefined] => [text]

const elements = { texts, replace: identity<FailedUnit> }

const translate =
  (translation: JobSource.Translation) =>
  ({ options, units }: Group) =>
    rows.pipeline<FailedUnit, FailedUnit, RowsError, never>(
      {
        texts,
        key: ({ key }) => key,
        translate: (options) => TranslateStream.translateWith({ ...options, ...elements }),
        unitOf: ({ key, line, source }) => ({ source, key, line }),
        write: () => Stream.runDrain
      },
      { ...translation, options, limit: undefined }
    )(Stream.fromIterable(units))

const forecast = ({ options, units }: Group) =>
  rows.forecast({ texts }, options, undefined)(Stream.fromIterable(units))

const source = <E, R, E2, R2>(
  name: string,
  collected: Effect.Effect<ReadonlyArray<FailedUnit>, E, R>,
  of: ReadonlyArray<JobSource.JobSource<E2, R2>>
): JobSource.JobSource<E | E2, R | R2 | Translator.Translator> => {
  /** The units of a language, by the sources that they are of. */
  const groupsOf = (
    units: ReadonlyArray<FailedUnit>,
    options: TranslateStream.Options,
    limit: number = units.length
  ): Effect.Effect<ReadonlyArray<Group>, E2, R2> => {
    const wanted = units
      .filter(
        (unit) => LanguageCode.canonical(unit.targetLang) === LanguageCode.canonical(options.targetLang)
      )
      .filter(({ text }) => text !== undefined)
      .slice(0, limit)
    return Effect.forEach(Object.entries(Arr.groupBy(wanted, ({ source }) => source)), ([name, units]) => {
      const known = of.find((source) => source.name === name)
      const given = known?.optionsFrom?.(options) ?? Effect.succeed(options)
      return Effect.zipWith(given, DateTime.now, (options, retryFailedBefore) => ({
        units,
        options: {
          ...options,
          store: options.store && TranslationStore.withOptions(options.store, { retryFailedBefore })
        }
      }))
    })
  }
  return {
    name,
    translate: (translations) =>
      Effect.flatMap(collected, (units) =>
        Effect.forEach(
          translations,
          (translation) =>
            groupsOf(units, translation.options, translation.limit).pipe(
              Effect.flatMap(Effect.forEach(translate(translation))),
              Effect.as<JobSource.Written>({ state: "written", stale: [] }),
              Effect.either
            ),
          { concurrency: "unbounded" }
        )
      ),
    forecast: ({ limit, targets }) =>
      Effect.flatMap(collected, (units) =>
        Effect.forEach(targets, ({ options: given }) =>
          Effect.flatMap(groupsOf(units, given, limit), (groups) =>
            Effect.map(Effect.forEach(groups, forecast), (found) => Forecast.sum(given.targetLang, found))
          )
        )
      )
  }
}

/** A source of units that have failed before. */
export const make = <E, R, S extends JobSource.JobSource<unknown, unknown> = JobSource.JobSource>(options: {
  /** Names the source in reports. @default "failed units" */
  readonly name?: string | undefined
  readonly units: Stream.Stream<FailedUnit, E, R>
  /**
   * The sources that they come from: the units are sent with the same options, such as the placeholders of a format, which
   * the store tells apart. A unit with options of its own in a source, such as a context, is translated without them, and
   * paid again by the job that failed. @default none: the options of the job
   */
  readonly of?: ReadonlyArray<S> | undefined
}): JobSource.JobSource<E | JobSource.ErrorOf<S>, R | JobSource.ContextOf<S> | Translator.Translator> => {
  const { name = "failed units", of = [], units } = options
  const sources = of as ReadonlyArray<JobSource.JobSource<JobSource.ErrorOf<S>, JobSource.ContextOf<S>>>
  return source(name, Effect.map(Stream.runCollect(units), Chunk.toReadonlyArray), sources)
}
