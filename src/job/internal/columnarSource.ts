/** A file that is read at any place as a source of a job: translations go into new columns, of one output or of one for each language. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Translator from "../../client/Translator.js"
import type { ColumnarFormat } from "../../format/Columnar.js"
import type * as Format from "../../format/Format.js"
import * as Targets from "../../stream/Targets.js"
import {
  find,
  type Given,
  ingredientsOf,
  type OwnFile,
  open,
  openFor,
  partsOf,
  type ReadError,
  readingOf,
  type Source,
  translateInto
} from "./columnarFile.js"
import type { Estimate, Forecasting, JobSource, NamedLanguage } from "./contract.js"
import type { SourceFile } from "./fileOperations.js"
import type { FileOptions } from "./fileReading.js"
import * as fileReading from "./fileReading.js"
import * as halting from "./halting.js"
import * as outputs from "./outputFiles.js"
import { optionsOf, streamOptions } from "./partOptions.js"
import { fillParts, forecast as forecastStream, limiting } from "./partStream.js"
import * as sampling from "./sampling.js"

/** Row groups of a file. */
export interface FillGroups extends Pick<FileOptions, "path" | "useContext" | "version"> {
  readonly name: string
  readonly format: ColumnarFormat
  /** The first row group, from 0. */
  readonly from: number
  /** Behind the last row group. */
  readonly end: number
}

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
      translate: (left, translations) => translateInto({ ...given, digest }, file, left, translations),
      forecast: (_, forecasting) =>
        Effect.flatMap(openInto(forecasting.targets.map(outputs.namedOf)), (columnar) =>
          forecastParts(given, partsOf(columnar), forecasting)
        ),
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
