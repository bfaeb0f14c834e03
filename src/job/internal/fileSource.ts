/** A file as a source of a job. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as Translator from "../../client/Translator.js"
import { isColumnar } from "../../format/Columnar.js"
import * as Compression from "../../format/Compression.js"
import type { Format, FormatError, Selection } from "../../format/Format.js"
import * as OutputPath from "../../format/OutputPath.js"
import { cachedSuccess } from "../../internal/cachedSuccess.js"
import { controlReason, hasControls } from "../../internal/controlCharacters.js"
import * as Address from "../../storage/Address.js"
import {
  type FileSourceError,
  type OutputUnusable,
  type ReadError,
  SourceUnreadable,
  type StorageUnavailable
} from "../FileSourceError.js"
import * as columnarSource from "./columnarSource.js"
import {
  type Estimate,
  type Forecasting,
  isJobStopped,
  type JobSource,
  type NamedLanguage,
  type Translation,
  type Written
} from "./contract.js"
import type { FileError, FileOptions } from "./fileReading.js"
import * as fileReading from "./fileReading.js"
import * as outputs from "./outputFiles.js"
import type { Made } from "./outputState.js"
import { noRecords, optionsOf, streamOptions } from "./partOptions.js"
import * as pipeline from "./pipeline.js"
import * as sampling from "./sampling.js"
import * as upToDate from "./upToDate.js"

/** The settings for updating an output that is read as a whole: its content, and its state. */
const settingsOf = (
  { existing, removed }: Pick<FileOptions, "existing" | "removed">,
  { isSource, output }: outputs.Found
): Effect.Effect<pipeline.Settings, OutputUnusable | StorageUnavailable, FileSystem.FileSystem> =>
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

type Output = pipeline.Output<
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
    madeOf: (told: Pick<Written, "byPersons" | "selection" | "stale">) => Made | undefined
  ) =>
  <E, R>({ byPersons, bytes, ended, isWhole, manifest, selection, stale }: pipeline.Translated<E, R>) =>
    Effect.map(outputs.draft(output, bytes), (draft) =>
      Effect.gen(function* () {
        const written = { output: output.name, stale, byPersons, selection: selection() }
        if (!isWhole() && !partial) return { ...written, state: "withheld" } satisfies Written
        const made = isWhole() ? madeOf({ byPersons, stale, selection: selection() }) : undefined
        const state = yield* outputs.publish(output, draft, { made, manifest }, isSource)
        const error = ended()
        if (error !== undefined && !isJobStopped(error)) return yield* Effect.fail(error)
        return { ...written, state: isWhole() ? state : "partial" } satisfies Written
      })
    )

/** The source for reading a file. */
const sourceOf = ({ failed, maxFileBytes, path, useContext, version }: FileOptions, format: Format) => {
  const { bytes, digest } = fileReading.digestedBytesOf(path, version)
  const reading = {
    file: Address.shown(path),
    maxFileBytes,
    useContext,
    isOneOfSeveral: true,
    format,
    failed
  }
  return { ...reading, bytes, digest, isReadAgain: true }
}

/** A file, and its outputs in some languages. */
interface File {
  readonly options: FileOptions
  readonly source: ReturnType<typeof sourceOf>
  readonly found: ReadonlyArray<outputs.Found>
}

/** The ingredients of each output, and the state of those that are up to date. */
const knownOf = ({ found, options, source }: File, asked: ReadonlyArray<upToDate.Asked>) =>
  Effect.flatMap(Effect.cached(fileReading.digestOf(options.path, options.version)), (digestOfSource) =>
    Effect.forEach(found, ({ output }, index) =>
      Effect.gen(function* () {
        const given = optionsOf(source, asked[index]!.options)
        const ingredients = yield* upToDate.ingredientsOf(given, options)
        return { ingredients, made: yield* upToDate.find(output, asked[index]!, ingredients, digestOfSource) }
      }).pipe(Effect.either)
    )
  )

/** The output for the translation into a language, with its state. */
const outputOf = (
  { options, source }: File,
  { isSource, output }: outputs.Found,
  watched: ReturnType<typeof upToDate.watch>,
  ingredients: upToDate.Ingredients
): Output => ({
  name: output.name,
  isSource,
  open: Effect.gen(function* () {
    // A change by another language is none.
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
    const isLeft = new Set(left.map(({ index }) => index))
    yield* Effect.forEach(translations, ({ shared }, index) =>
      shared === undefined || isLeft.has(index) ? Effect.void : shared.leave
    )
    const translated =
      left.length === 0
        ? []
        : yield* pipeline.translate(
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
          byPersons: made!.byPersons,
          selection: made!.selection
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
    const { targets: all, ...asked } = forecasting
    const known = yield* Effect.all(
      yield* knownOf(
        file,
        all.map(({ options }) => ({ ...asked, options }))
      )
    )
    const left = known.flatMap(({ made }, index) => (made === undefined ? [index] : []))
    const rest = { ...forecasting, targets: left.map((index) => all[index]!) }
    const found = left.map((index) => file.found[index]!)
    const { forecasts, isExact } =
      left.length === 0
        ? { forecasts: [], isExact: true }
        : yield* estimate(rest, forecastAll({ ...file, found }, rest))
    return {
      forecasts: known.map(({ made }, index) =>
        made === undefined ? forecasts[left.indexOf(index)]! : upToDate.forecast(all[index]!.options, made)
      ),
      isExact
    } satisfies Estimate
  })

const forecastAll = ({ found, options, source }: File, forecasting: Forecasting) =>
  pipeline.forecast(source, forecasting, (index) => settingsOf(options, found[index]!))

/** The operations of a file that is read from its beginning, and of its outputs. */
const fromBeginning = (options: FileOptions, format: Format, given: outputs.Options) => {
  const { path } = options
  const find = (targets: ReadonlyArray<NamedLanguage>) =>
    Effect.flatMap(fileReading.infoOf(path), (info) => outputs.findAll(targets, info, format, given))
  const fileOf = (found: ReadonlyArray<outputs.Found>): File => ({
    options,
    found,
    source: sourceOf(options, format)
  })
  const findFor = ({ targets }: Forecasting) => Effect.map(find(targets.map(outputs.namedOf)), fileOf)
  const check = (targets: ReadonlyArray<NamedLanguage>) =>
    Effect.tap(find(targets), (found) =>
      Effect.forEach(found, ({ output }) => outputs.check(output, format, given), { discard: true })
    )
  return {
    check: (targets: ReadonlyArray<NamedLanguage>) =>
      Effect.zipWith(check(targets), outputs.absolute(path), (found, source) => [
        ...new Set([source, ...found.map(({ output }) => output.path)])
      ]),
    translate: (translations: ReadonlyArray<Translation>) =>
      Effect.flatMap(check(translations.map(outputs.namedOf)), (found) =>
        translate(fileOf(found), translations)
      ).pipe(Effect.scoped),
    forecast: (forecasting: Forecasting) =>
      Effect.flatMap(findFor(forecasting), (file) =>
        forecast(file, forecasting, (_, all) =>
          Effect.map(all, (forecasts) => ({ forecasts, isExact: true }))
        )
      ).pipe(Effect.map(({ forecasts }) => forecasts)),
    estimate: (forecasting: Forecasting) =>
      Effect.flatMap(Effect.all([findFor(forecasting), fileReading.sizeOf(path)]), ([file, size]) =>
        forecast(file, forecasting, (left, all) => sampling.estimate({ ...file.source, size }, left, all))
      )
  }
}

/** The fit of the chosen columns or languages of a file. Of lines the last one says it, which is far. */
const readSelection = (
  { path, ...options }: FileOptions,
  format: Format
): Effect.Effect<Selection | undefined | "later", FormatError | ReadError, FileSystem.FileSystem> => {
  const { choices = [], records } = format
  if (choices.length < 2) return Effect.succeed(undefined)
  if (isColumnar(format)) return columnarSource.selectionOf(format, { path, ...options })
  if (records?.hasHeader === false) return Effect.succeed("later" as const)
  const file = { file: Address.shown(path), maxBytes: options.maxFileBytes, isOneOfSeveral: true }
  return fileReading.bytesOf(path).pipe(
    format.decode({ ...file, targetLang: "" }),
    Stream.filterMap(({ selection }) => Option.fromNullable(selection)),
    Stream.runHead,
    Effect.map(Option.getOrUndefined)
  )
}

/** The size of a local file whose texts may share requests with others. */
const sizeOf = (path: string, format: Format) =>
  Address.isAddress(path) || isColumnar(format) || Compression.ofPath(path).compression !== undefined
    ? Effect.succeed(undefined)
    : Effect.map(fileReading.infoOf(path), (info) => info && Number(info.size))

/** The same, of a file whose format is not known yet. */
export const selectionOf = (options: FileOptions) =>
  Effect.flatMap(fileReading.formatOf(options.path, options.format), (format) =>
    readSelection(options, format)
  )

/** Refuses to leave records out of a file that has none. */
const recordsOf = ({ failed, path }: FileOptions, format: Format) =>
  failed === "drop" && format.records === undefined
    ? Effect.fail(noRecords(format, Address.shown(path)))
    : Effect.succeed(format)

type Source = JobSource<FileError, FileSystem.FileSystem | Path.Path | Translator.Translator>

/** The operations of a file once its format is known. */
type OfFormat = {
  readonly [Name in "check" | "estimate" | "forecast" | "translate"]: NonNullable<Source[Name]>
}

export const make = (options: FileOptions): Source => {
  const { existing = "keep", output, path, stateFolder = ".effect-translate", stateRoot } = options
  const outputOf = typeof output === "function" ? output : OutputPath.make(output).path
  const given: outputs.Options = { source: path, outputOf, stateFolder, stateRoot, existing }
  const named = [path, stateFolder].some(hasControls)
    ? Effect.fail(new SourceUnreadable({ path, reason: controlReason }))
    : Effect.void
  const file = cachedSuccess(
    Effect.map(
      Effect.zipRight(named, fileReading.formatOf(path, options.format)).pipe(
        Effect.flatMap((format) => recordsOf(options, format))
      ),
      (format): OfFormat & { readonly format: Format } => ({
        format,
        ...(isColumnar(format)
          ? columnarSource.make({ options, outputs: given, format })
          : fromBeginning(options, format, given))
      })
    )
  )
  return {
    name: options.name ?? Address.shown(path),
    optionsFrom: (options) => Effect.map(file, ({ format }) => streamOptions({ options, format })),
    check: (targets) => Effect.flatMap(file, ({ check }) => check(targets)),
    size: Effect.flatMap(file, ({ format }) => sizeOf(path, format)),
    selection: Effect.flatMap(file, ({ format }) => readSelection(options, format)),
    translate: (translations) => Effect.flatMap(file, ({ translate }) => translate(translations)),
    forecast: (forecasting) => Effect.flatMap(file, ({ forecast }) => forecast(forecasting)),
    estimate: (forecasting) => Effect.flatMap(file, ({ estimate }) => estimate(forecasting))
  }
}
