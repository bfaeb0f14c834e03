/** A file that is read at any place as a source of a job: translations go into new columns, of one output or of one for each language. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type * as Translator from "../../client/Translator.js"
import type { ColumnarFormat } from "../../format/Columnar.js"
import type * as Format from "../../format/Format.js"
import * as Targets from "../../stream/Targets.js"
import {
  find,
  type Given,
  knownOf,
  type OwnFile,
  open,
  openFor,
  partsOf,
  type ReadError,
  type Result,
  readingOf,
  type Source,
  translateInto
} from "./columnarFile.js"
import type {
  Estimate,
  Forecasting,
  JobSource,
  NamedLanguage,
  SourceForecast,
  Translation,
  Written
} from "./contract.js"
import type { FileOptions } from "./fileReading.js"
import * as halting from "./halting.js"
import * as outputs from "./outputFiles.js"
import { optionsOf, streamOptions } from "./partOptions.js"
import { fillParts, forecast as forecastStream, limiting } from "./partStream.js"
import * as sampling from "./sampling.js"
import * as upToDate from "./upToDate.js"

/** Row groups of a file. */
export interface FillGroups extends Pick<FileOptions, "path" | "useContext" | "version"> {
  readonly name: string
  readonly format: ColumnarFormat
  /** The first row group, from 0. */
  readonly from: number
  /** Behind the last row group. */
  readonly end: number
}

const check = (given: Given, targets: ReadonlyArray<NamedLanguage>) =>
  Effect.gen(function* () {
    const source = yield* outputs.absolute(given.options.path)
    const file = yield* open(given.options)
    const groups = yield* find(given, targets, file.info)
    yield* Effect.forEach(groups, ({ output }) => outputs.check(output, given.format, given.outputs))
    yield* openFor(
      given,
      file,
      targets.map(({ lang }) => lang)
    )
    return [...new Set([source, ...groups.map(({ output }) => output.path)])]
  }).pipe(Effect.scoped)

const translate = (given: Given, translations: ReadonlyArray<Translation>) =>
  Effect.gen(function* () {
    const file = yield* open(given.options)
    const groups = yield* find(given, translations.map(outputs.namedOf), file.info)
    yield* Effect.forEach(groups, ({ output }) => outputs.check(output, given.format, given.outputs))
    const known = yield* knownOf(given, file, groups, (index) => translations[index]!)
    const left = Arr.getRights(known).filter(({ made }) => made === undefined)
    const translated = yield* translateInto(given, file, left, translations)
    const results: Array<Result> = []
    for (const [place, group] of groups.entries()) {
      const found = known[place]!
      const written = Either.isRight(found) ? translated[left.indexOf(found.right)] : undefined
      for (const [column, index] of group.languages.entries()) {
        results[index] =
          written?.[column] ??
          (yield* Effect.either(
            Effect.flatMap(found, ({ made }) =>
              Effect.as(upToDate.tell(translations[index]!, made!), {
                output: group.output.name,
                state: "unchanged",
                stale: [],
                selection: made!.selection
              } satisfies Written)
            )
          ))
      }
    }
    return results
  }).pipe(Effect.scoped)

/** Forecasts those languages whose outputs are not up to date, as `estimate` does. */
const forecastWith = <E, R>(
  given: Given,
  { targets: all, ...asked }: Forecasting,
  estimate: (columnar: OwnFile, left: Forecasting) => Effect.Effect<Estimate, E, R>
) =>
  Effect.gen(function* () {
    const targets = all.map(outputs.namedOf)
    const file = yield* open(given.options)
    const columnar = yield* openFor(
      given,
      file,
      targets.map(({ lang }) => lang)
    )
    const groups = yield* find(given, targets, file.info)
    const known = yield* Effect.all(
      yield* knownOf(given, file, groups, (index) => ({ ...asked, ...all[index]! }))
    )
    const left = known.flatMap(({ languages, made }) => (made === undefined ? languages : []))
    const { forecasts, isExact } =
      left.length === 0
        ? { forecasts: [], isExact: true }
        : yield* estimate(columnar, { ...asked, targets: left.map((index) => all[index]!) })
    const found: Array<SourceForecast> = []
    for (const { languages, made } of known) {
      for (const index of languages) {
        found[index] =
          made === undefined ? forecasts[left.indexOf(index)]! : upToDate.forecast(all[index]!.options, made)
      }
    }
    return { forecasts: found, isExact } satisfies Estimate
  }).pipe(Effect.scoped)

const forecastParts = <R>(
  given: Source,
  parts: Stream.Stream<Format.Part, ReadError | Format.FormatError, R>,
  { limit, targets }: Forecasting
) =>
  Targets.run(
    parts,
    targets.map(({ options }) => options.targetLang),
    (targetLang) => (parts) =>
      forecastStream(
        Stream.map(parts, limiting(limit).limit),
        optionsOf(readingOf(given), targets.find(({ options }) => options.targetLang === targetLang)!.options)
      )
  ).pipe(Effect.flatMap((results) => Effect.all(results.map(({ result }) => result))))

const forecastAll = (given: Given) => (columnar: OwnFile, forecasting: Forecasting) =>
  Effect.map(forecastParts(given, partsOf(columnar), forecasting), (forecasts) => ({
    forecasts,
    isExact: true
  }))

const forecast = (given: Given, forecasting: Forecasting) =>
  Effect.map(forecastWith(given, forecasting, forecastAll(given)), ({ forecasts }) => forecasts)

/** The estimate of a file from the beginning of its first row group that is not empty. */
const estimateFrom = (given: Given) => (columnar: OwnFile, forecasting: Forecasting) =>
  Effect.gen(function* () {
    const { groups } = columnar
    const bytes = groups.reduce((sum, group) => sum + group.bytes, 0)
    const rows = groups.reduce((sum, group) => sum + group.rows, 0)
    const first = groups.findIndex((group) => group.rows > 0)
    const sampleRows = Math.ceil((rows * sampling.sampleBytes) / Math.max(1, bytes))
    if (first === -1 || sampleRows >= rows) return yield* forecastAll(given)(columnar, forecasting)
    const sampled = Math.min(sampleRows, groups[first]!.rows)
    const { limit = Number.POSITIVE_INFINITY, ...whole } = forecasting
    const forecasts = yield* forecastParts(given, columnar.parts(first, sampled), whole)
    return forecasts.some(({ in: texts }) => texts > 0)
      ? { forecasts: forecasts.map((one) => sampling.scaled(one, rows / sampled, limit)), isExact: false }
      : yield* forecastAll(given)(columnar, forecasting)
  })

/** The operations of such a file and its outputs. */
export const make = (given: Given) => ({
  check: (targets: ReadonlyArray<NamedLanguage>) => check(given, targets),
  translate: (translations: ReadonlyArray<Translation>) => translate(given, translations),
  forecast: (forecasting: Forecasting) => forecast(given, forecasting),
  estimate: (forecasting: Forecasting) => forecastWith(given, forecasting, estimateFrom(given))
})

/** The row groups of a file, and the version of it that has them. */
export const groupsOf = (options: Source["options"], format: ColumnarFormat) =>
  Effect.gen(function* () {
    const file = yield* open(options)
    const { groups } = yield* openFor({ format, options }, file, [])
    return { groups, version: file.version }
  }).pipe(Effect.scoped)

/** Which of the columns that were chosen a file has. */
export const selectionOf = (format: ColumnarFormat, options: Source["options"]) =>
  Effect.map(
    Effect.flatMap(open(options), (file) => openFor({ format, options }, file, [])),
    ({ selection }) => selection
  ).pipe(Effect.scoped)

/** Translates some row groups into the store, and writes nothing. */
export const fill = ({
  end,
  format,
  from,
  name,
  path,
  useContext,
  version
}: FillGroups): JobSource<ReadError | Format.FormatError, FileSystem.FileSystem | Translator.Translator> => {
  const given: Source = { format, options: { path, version, useContext } }
  const parts = Stream.unwrapScoped(
    Effect.map(
      Effect.flatMap(open(given.options), (file) => openFor(given, file, [])),
      (columnar) => partsOf(columnar, from, end)
    )
  )
  return {
    name,
    optionsFrom: (options) => Effect.succeed(streamOptions({ options, format })),
    translate: (translations) =>
      Effect.map(
        Targets.run(
          halting.ending(parts, translations[0]?.halted),
          translations.map(({ options }) => options.targetLang),
          (targetLang) => (parts) =>
            fillParts(
              readingOf(given),
              translations.find(({ options }) => options.targetLang === targetLang)!,
              parts
            )
        ),
        (results) => results.map(({ result }) => result)
      ),
    forecast: (forecasting) => forecastParts(given, parts, forecasting)
  }
}
