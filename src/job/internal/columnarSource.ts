/** A file that is read at any place as a source of a job: translations go into new columns, of one output or of one for each language. */

import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as Translator from "../../client/Translator.js"
import type { ColumnarFormat } from "../../format/Columnar.js"
import type * as Format from "../../format/Format.js"
import * as Targets from "../../stream/Targets.js"
import { find, type Given, ingredientsOf, type Result, readingOf, translateInto } from "./columnarFile.js"
import { type OwnFile, open, openFor, partsOf, type ReadError, type Source } from "./columnarReading.js"
import * as columnarRows from "./columnarRows.js"
import type { Estimate, Forecasting, JobSource, NamedLanguage, Translation } from "./contract.js"
import * as correctedRows from "./correctedRows.js"
import type { SourceFile } from "./fileOperations.js"
import type { FileOptions } from "./fileReading.js"
import * as fileReading from "./fileReading.js"
import * as halting from "./halting.js"
import * as keptTexts from "./keptTexts.js"
import * as outputs from "./outputFiles.js"
import { forecast as forecastStream } from "./partForecast.js"
import { optionsOf, streamOptions } from "./partOptions.js"
import { fillParts, limiting } from "./partStream.js"
import * as sampling from "./sampling.js"
import type * as upToDate from "./upToDate.js"

/** Row groups of a file. */
export interface FillGroups extends Pick<FileOptions, "path" | "useContext" | "version"> {
  readonly name: string
  readonly format: ColumnarFormat
  /** The first row group, from 0. */
  readonly from: number
  /** Behind the last row group. */
  readonly end: number
}

const forecastParts = <R, E2 = never, R2 = never>(
  given: Source,
  parts: Stream.Stream<Format.Part, ReadError | Format.FormatError, R>,
  { limit, targets }: Forecasting,
  corrected: (index: number) => Effect.Effect<keptTexts.Corrected | undefined, E2, R2> = () =>
    Effect.succeed(undefined)
) =>
  Targets.run(
    parts,
    targets.map(({ options }) => options.targetLang),
    (targetLang) => (parts) => {
      const index = targets.findIndex(({ options }) => options.targetLang === targetLang)
      const all = Stream.unwrap(Effect.map(corrected(index), (found) => keptTexts.intoParts(found)(parts)))
      return forecastStream(
        Stream.map(all, limiting(limit).limit),
        optionsOf(readingOf(given), targets[index]!.options)
      )
    }
  ).pipe(Effect.flatMap((results) => Effect.all(results.map(({ result }) => result))))

/** The estimate of a file from the beginning of its first row group that is not empty. */
const estimate = <E, R>(
  given: Given,
  columnar: OwnFile,
  forecasting: Forecasting,
  all: Effect.Effect<Estimate, E, R>
) =>
  Effect.gen(function* () {
    const { groups } = columnar
    const bytes = groups.reduce((sum, group) => sum + group.bytes, 0)
    const rows = groups.reduce((sum, group) => sum + group.rows, 0)
    const first = groups.findIndex((group) => group.rows > 0)
    const sampleRows = Math.ceil((rows * sampling.sampleBytes) / Math.max(1, bytes))
    if (first === -1 || sampleRows >= rows) return yield* all
    const sampled = Math.min(sampleRows, groups[first]!.rows)
    const { limit = Number.POSITIVE_INFINITY, ...whole } = forecasting
    const forecasts = yield* forecastParts(given, columnar.parts(first, sampled), whole)
    return forecasts.some(({ in: texts }) => texts > 0)
      ? { forecasts: forecasts.map((one) => sampling.scaled(one, rows / sampled, limit)), isExact: false }
      : yield* all
  })

/** The file, opened, with its version. */
interface OpenedSource extends Given {
  readonly file: fileReading.OpenedFile
  readonly columnar: OwnFile
  readonly digest: Effect.Effect<string, ReadError, FileSystem.FileSystem>
}

/** A person's texts in a language of an output. */
const correctedIn = (
  { columnar, digest, file, format, options: source }: OpenedSource,
  { isAsMade, output }: upToDate.Known,
  options: Translation["options"],
  isStoring: boolean
) =>
  correctedRows.find({
    output,
    isAsMade,
    source,
    format,
    options,
    digest,
    isStoring,
    parts: () =>
      columnarRows.parts(
        format,
        { file, path: source.path, columnar },
        { path: output.path, targetLang: LanguageCode.canonical(options.targetLang) }
      )
  })

/** Translates into outputs whose texts of persons stay. One in which they can't be found does not end the others. */
const translateKept = (
  source: OpenedSource,
  outdated: ReadonlyArray<upToDate.Known>,
  translations: ReadonlyArray<Translation>
) =>
  Effect.gen(function* () {
    const found = yield* Effect.forEach(outdated, (known) =>
      Effect.either(
        Effect.map(
          Effect.forEach(known.languages, (index) =>
            correctedIn(source, known, translations[index]!.options, true)
          ),
          (corrected) => ({ ...known, corrected })
        )
      )
    )
    const groups = found.flatMap((one) => (Either.isRight(one) ? [one.right] : []))
    const results = yield* translateInto(source, source.file, groups, translations)
    let next = 0
    return found.flatMap(
      (one, index): ReadonlyArray<Result> =>
        outdated[index]!.languages.map(() => (Either.isRight(one) ? results[next++]! : Either.left(one.left)))
    )
  })

/** Such a file, which is open. */
export const sourceFile = (given: Given) =>
  Effect.gen(function* () {
    const file = yield* open(given.options)
    const digest = yield* Effect.cached(fileReading.digestOfOpened(given.options.path, file))
    const openInto = (targets: ReadonlyArray<NamedLanguage>) => openFor(given, file, targets)
    return {
      find: (targets) => find(given, targets, file.info),
      check: openInto,
      digest,
      ingredientsOf: (targets) => ingredientsOf(given, targets),
      translate: (outdated, translations) =>
        Effect.flatMap(openInto([]), (columnar) =>
          translateKept({ ...given, digest, file, columnar }, outdated, translations)
        ),
      forecast: (outdated, forecasting) =>
        Effect.flatMap(openInto(forecasting.targets.map(outputs.namedOf)), (columnar) => {
          const ofTargets = outdated.flatMap((known) => known.languages.map(() => known))
          return forecastParts(given, partsOf(columnar), forecasting, (index) => {
            const { options } = forecasting.targets[index]!
            return correctedIn({ ...given, digest, file, columnar }, ofTargets[index]!, options, false)
          })
        }),
      estimate: (forecasting, all) =>
        Effect.flatMap(openInto(forecasting.targets.map(outputs.namedOf)), (columnar) =>
          estimate(given, columnar, forecasting, all)
        )
    } satisfies SourceFile
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
          halting.interruptWhen(parts, translations[0]?.halted),
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
