/** A file as a source of a job. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import * as LanguageCode from "../../api/LanguageCode.js"
import { isColumnar } from "../../format/Columnar.js"
import type { Format } from "../../format/Format.js"
import * as LocalePath from "../../format/LocalePath.js"
import { cachedSuccess } from "../../internal/cachedSuccess.js"
import * as Address from "../../storage/Address.js"
import type { FileSourceError, OutputUnusable, ReadError, StorageUnavailable } from "../FileSourceError.js"
import type * as JobSource from "../JobSource.js"
import * as bytesTranslation from "./bytesTranslation.js"
import type { Made } from "./fileState.js"
import * as outputs from "./outputFiles.js"
import { streamOptions } from "./partTranslation.js"
import * as sampling from "./sampling.js"
import {
  type Estimate,
  type Forecasting,
  isJobStopped,
  type Translation,
  type Written
} from "./sourceContract.js"
import * as sourceFile from "./sourceFile.js"
import * as tableSource from "./tableSource.js"
import * as upToDate from "./upToDate.js"

/** How an output is updated that is read as a whole: what it holds, and what is remembered of it. */
const settingsOf = (
  { existing, removed }: Pick<JobSource.FileOptions, "existing" | "removed">,
  { isSource, output }: outputs.Found
): Effect.Effect<bytesTranslation.Settings, OutputUnusable | StorageUnavailable, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const isKept = existing !== "overwrite" && output.existing !== undefined && !isSource
    const target = isKept ? yield* outputs.read(output) : undefined
    return {
      removed,
      target,
      targetFile: isSource ? undefined : output.name,
      manifest: isKept || isSource ? output.state?.manifest : undefined
    }
  })

type Output = bytesTranslation.Output<
  ReadError,
  FileSystem.FileSystem,
  FileSourceError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
>

/** Writes a draft, which gets the name of the output once the source was read to its end. */
const write =
  (
    { isSource, output }: outputs.Found,
    partial: boolean,
    madeOf: (told: Pick<Written, "byPersons" | "stale">) => Made | undefined
  ) =>
  <E, R>({ byPersons, bytes, ended, isWhole, manifest, stale }: bytesTranslation.Translated<E, R>) =>
    Effect.map(outputs.draft(output, bytes), (draft) =>
      Effect.gen(function* () {
        const written = { output: output.name, stale, byPersons }
        if (!isWhole() && !partial) return { ...written, state: "withheld" } satisfies Written
        const made = isWhole() ? madeOf({ byPersons, stale }) : undefined
        const state = yield* outputs.publish(output, draft, { made, manifest }, isSource)
        const error = ended()
        if (error !== undefined && !isJobStopped(error)) return yield* Effect.fail(error)
        return { ...written, state: isWhole() ? state : "partial" } satisfies Written
      })
    )

/** How a file is read. */
const sourceOf = (
  { failed, maxFileBytes, path, useContext, version }: JobSource.FileOptions,
  format: Format
) => {
  const { bytes, digest } = sourceFile.digestedBytesOf(path, version)
  const file = { file: Address.shown(path), maxFileBytes, useContext }
  return { bytes, digest, format, failed, file, isReadAgain: true }
}

/** A file, and its outputs in some languages. */
interface File {
  readonly options: JobSource.FileOptions
  readonly source: ReturnType<typeof sourceOf>
  readonly found: ReadonlyArray<outputs.Found>
}

/** What each output is made of, and what is remembered of those that are up to date. */
const knownOf = ({ found, options, source }: File, asked: ReadonlyArray<upToDate.Asked>) =>
  Effect.flatMap(Effect.cached(sourceFile.digestOf(options.path, options.version)), (digestOfSource) =>
    Effect.forEach(found, ({ output }, index) =>
      Effect.gen(function* () {
        const given = bytesTranslation.optionsOf(source, asked[index]!.options)
        const ingredients = yield* upToDate.ingredientsOf(given, options)
        return { ingredients, made: yield* upToDate.find(output, asked[index]!, ingredients, digestOfSource) }
      }).pipe(Effect.either)
    )
  )

/** Where the translation into a language goes, and what is remembered of it. */
const outputOf = (
  { options, source }: File,
  { isSource, output }: outputs.Found,
  watched: ReturnType<typeof upToDate.watch>,
  ingredients: upToDate.Ingredients
): Output => ({
  name: output.name,
  isSource,
  open: Effect.gen(function* () {
    // What another language has written is no change.
    const own = isSource
      ? {
          ...output,
          existing: yield* Effect.mapError(outputs.infoOf(output.path), outputs.unusable(output.name))
        }
      : output
    const isWhole = source.format.isStreamed !== true
    const settings = isWhole ? yield* settingsOf(options, { isSource, output: own }) : {}
    const isKept = isWhole && options.existing !== "overwrite"
    return {
      settings,
      write: write({ isSource, output: own }, watched.translation.partial, (told) =>
        watched.made(source.digest(), ingredients, told, isKept)
      )
    }
  })
})

/** Translates a file into those languages whose outputs are not up to date. */
const translate = (file: File, translations: ReadonlyArray<Translation>) =>
  Effect.gen(function* () {
    const known = yield* knownOf(file, translations)
    const left = known.flatMap((result, index) =>
      Either.isRight(result) && result.right.made === undefined
        ? [{ index, ...result.right, watched: upToDate.watch(translations[index]!) }]
        : []
    )
    const translated =
      left.length === 0
        ? []
        : yield* bytesTranslation.translate(
            file.source,
            left.map(({ watched }) => watched.translation),
            left.map(({ index, ingredients, watched }) =>
              outputOf(file, file.found[index]!, watched, ingredients)
            )
          )
    return yield* Effect.forEach(known, (result, index) => {
      const place = left.findIndex((one) => one.index === index)
      if (place !== -1) return Effect.succeed(translated[place]!)
      const written = Effect.flatMap(result, ({ made }) =>
        Effect.as(upToDate.tell(translations[index]!, made!), {
          output: file.found[index]!.output.name,
          state: "unchanged",
          stale: [],
          byPersons: made!.byPersons
        } satisfies Written)
      )
      return Effect.either(written)
    })
  })

/** Forecasts a file for those languages whose outputs are not up to date, as `estimate` does. */
const forecast = <E, R>(
  file: File,
  forecasting: Forecasting,
  estimate: (left: Forecasting, forecast: ReturnType<typeof forecastAll>) => Effect.Effect<Estimate, E, R>
) =>
  Effect.gen(function* () {
    const { options: all, ...asked } = forecasting
    const known = yield* Effect.all(
      yield* knownOf(
        file,
        all.map((options) => ({ ...asked, options }))
      )
    )
    const left = known.flatMap(({ made }, index) => (made === undefined ? [index] : []))
    const rest = { ...forecasting, options: left.map((index) => all[index]!) }
    const found = left.map((index) => file.found[index]!)
    const { forecasts, isExact } =
      left.length === 0
        ? { forecasts: [], isExact: true }
        : yield* estimate(rest, forecastAll({ ...file, found }, rest))
    return {
      forecasts: known.map(({ made }, index) =>
        made === undefined ? forecasts[left.indexOf(index)]! : upToDate.forecast(all[index]!, made)
      ),
      isExact
    } satisfies Estimate
  })

const forecastAll = ({ found, options, source }: File, forecasting: Forecasting) =>
  bytesTranslation.forecast(source, forecasting, (index) => settingsOf(options, found[index]!))

/** What is done with a file that is read from its beginning, and its outputs. */
const fromBeginning = (options: JobSource.FileOptions, format: Format, given: outputs.Options) => {
  const { path } = options
  const find = (targets: ReadonlyArray<string>) =>
    Effect.flatMap(sourceFile.infoOf(path), (info) =>
      outputs.findAll(targets.map(LanguageCode.canonical), info, format, given)
    )
  const fileOf = (found: ReadonlyArray<outputs.Found>): File => ({
    options,
    found,
    source: sourceOf(options, format)
  })
  const findFor = ({ options }: Forecasting) =>
    Effect.map(find(options.map(({ targetLang }) => targetLang)), fileOf)
  const check = (targets: ReadonlyArray<string>) =>
    Effect.tap(find(targets), (found) =>
      Effect.forEach(found, ({ output }) => outputs.check(output, format, given), { discard: true })
    )
  return {
    check: (targets: ReadonlyArray<string>) =>
      Effect.zipWith(check(targets), outputs.absolute(path), (found, source) => [
        ...new Set([source, ...found.map(({ output }) => output.path)])
      ]),
    translate: (translations: ReadonlyArray<Translation>) =>
      Effect.flatMap(check(translations.map(({ options }) => options.targetLang)), (found) =>
        translate(fileOf(found), translations)
      ).pipe(Effect.scoped),
    forecast: (forecasting: Forecasting) =>
      Effect.flatMap(findFor(forecasting), (file) =>
        forecast(file, forecasting, (_, all) =>
          Effect.map(all, (forecasts) => ({ forecasts, isExact: true }))
        )
      ).pipe(Effect.map(({ forecasts }) => forecasts)),
    estimate: (forecasting: Forecasting) =>
      Effect.flatMap(Effect.all([findFor(forecasting), sourceFile.sizeOf(path)]), ([file, size]) =>
        forecast(file, forecasting, (left, all) => sampling.estimate({ ...file.source, size }, left, all))
      )
  }
}

type Source = ReturnType<typeof JobSource.file>

/** What is done with a file once its format is known. */
type OfFormat = {
  readonly [Name in "check" | "estimate" | "forecast" | "translate"]: NonNullable<Source[Name]>
}

export const make = (options: JobSource.FileOptions): Source => {
  const { existing = "keep", output, path, stateFolder = ".effect-translate" } = options
  const outputOf = typeof output === "function" ? output : LocalePath.make(output).path
  const given: outputs.Options = { source: path, outputOf, stateFolder, existing }
  const file = cachedSuccess(
    Effect.map(
      sourceFile.formatOf(path, options.format),
      (format): OfFormat & { readonly format: Format } => ({
        format,
        ...(isColumnar(format)
          ? tableSource.make({ options, outputs: given, format })
          : fromBeginning(options, format, given))
      })
    )
  )
  return {
    name: options.name ?? Address.shown(path),
    optionsFrom: (options) => Effect.map(file, ({ format }) => streamOptions({ ...options, format })),
    check: (targets) => Effect.flatMap(file, ({ check }) => check(targets)),
    translate: (translations) => Effect.flatMap(file, ({ translate }) => translate(translations)),
    forecast: (forecasting) => Effect.flatMap(file, ({ forecast }) => forecast(forecasting)),
    estimate: (forecasting) => Effect.flatMap(file, ({ estimate }) => estimate(forecasting))
  }
}
