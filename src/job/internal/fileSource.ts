/** A file as a source of a job. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as Translator from "../../client/Translator.js"
import { isColumnar } from "../../format/Columnar.js"
import * as Compression from "../../format/Compression.js"
import type { Format, FormatError, Selection } from "../../format/Format.js"
import { cachedSuccess } from "../../internal/cachedSuccess.js"
import { controlReason, hasControls } from "../../internal/controlCharacters.js"
import * as Address from "../../storage/Address.js"
import type { StoreError } from "../../store/StoreError.js"
import {
  type FileSourceError,
  type OutputUnusable,
  type ReadError,
  SourceUnreadable,
  type StorageUnavailable
} from "../FileSourceError.js"
import * as columnarSource from "./columnarSource.js"
import { isJobStopped, type JobSource, type Translation, type Written } from "./contract.js"
import * as correctedRows from "./correctedRows.js"
import * as fileOperations from "./fileOperations.js"
import type { FileError, FileOptions } from "./fileReading.js"
import * as fileReading from "./fileReading.js"
import * as keptTexts from "./keptTexts.js"
import * as outputs from "./outputFiles.js"
import * as outputInspection from "./outputInspection.js"
import { decodeOptions, noRecords, optionsOf, streamOptions } from "./partOptions.js"
import * as pipeline from "./pipeline.js"
import type { FileState, Made } from "./recordFiles.js"
import * as sampling from "./sampling.js"
import * as upToDate from "./upToDate.js"

type Place = Pick<outputs.Found, "isSource" | "output">

/** The settings for updating an output that is read as a whole: its content, and its state. */
const settingsOf = (
  { existing, removed }: Pick<FileOptions, "existing" | "removed">,
  { isSource, output }: Place
): Effect.Effect<pipeline.Settings, OutputUnusable | StorageUnavailable, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const target =
      existing === "overwrite" ? undefined : yield* outputInspection.readUpdated(output, isSource)
    return {
      removed,
      target,
      targetFile: isSource ? undefined : output.name,
      record: target !== undefined || isSource ? output.state?.units : undefined
    }
  })

type Output = pipeline.Output<
  ReadError,
  FileSystem.FileSystem,
  FileSourceError | FormatError | StoreError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
>

/** Writes a draft, which gets the name of the output once the source was read to its end. */
const write =
  (
    { isSource, output }: Place,
    partial: boolean,
    madeOf: (told: upToDate.Told) => Made | undefined,
    failed: () => FileState["failed"],
    onlyHere: ReadonlyArray<string> | undefined
  ) =>
  <E, R>({ bytes, ended, isWhole, selection, units, ...told }: pipeline.Translated<E, R>) =>
    Effect.map(outputs.draft(output, bytes), (draft) =>
      Effect.gen(function* () {
        const isDone = isWhole()
        const written = { output: output.name, ...told, selection: selection() }
        if (!isDone && !partial) return { ...written, state: "withheld" } satisfies Written
        const made = isDone ? madeOf(written) : undefined
        const known = { made, units, onlyHere, failed: isDone ? failed() : undefined }
        const state = yield* outputs.publish(output, draft, known, isSource)
        const error = ended()
        if (error !== undefined && !isJobStopped(error)) return yield* Effect.fail(error)
        return { ...written, state: isDone ? state : "partial" } satisfies Written
      })
    )

/** The source for reading a file. The version of its bytes is found once. */
const sourceOf = (
  { failed, mark, maxFileBytes, path, useContext, version }: FileOptions,
  format: Format,
  digestOfSource: Effect.Effect<string, ReadError, FileSystem.FileSystem>
) => {
  const { bytes, digest } = fileReading.digestedBytesOf(path, version)
  const reading = {
    file: Address.shown(path),
    maxFileBytes,
    useContext,
    isOneOfSeveral: true,
    format,
    failed,
    mark
  }
  return { ...reading, bytes, digest, digestOfSource, isReadAgain: true }
}

type OwnSource = ReturnType<typeof sourceOf>

/** A person's texts in an output of rows. */
const correctedIn = (
  own: FileOptions,
  { digestOfSource, format, ...reading }: OwnSource,
  { isAsMade, output }: upToDate.Known,
  { options }: Pick<Translation, "options">,
  isStoring: boolean
) =>
  correctedRows.find({
    output,
    isAsMade: isAsMade && format.isStreamed === true,
    source: own,
    format,
    options,
    digest: digestOfSource,
    isStoring,
    parts: correctedRows.streamed(
      format,
      decodeOptions(optionsOf({ format, ...reading }, options)),
      { source: fileReading.bytesOf(own.path, own.version), output: fileReading.bytesOf(output.path) },
      output.name
    )
  })

/** The output for the translation into a language, with its state. */
const outputOf = (
  options: FileOptions,
  source: OwnSource,
  known: upToDate.Known,
  watched: ReturnType<typeof upToDate.watch>
): Output => ({
  name: known.output.name,
  isSource: known.isSource,
  open: Effect.gen(function* () {
    const { digest, format } = source
    const { isSource, output } = known
    // Another language may have written it since: that is no change by others.
    const own = isSource
      ? {
          ...output,
          existing: yield* Effect.mapError(outputs.infoOf(output.path), outputs.unusable(output.name))
        }
      : output
    const isWhole = format.isStreamed !== true
    const settings = isWhole ? yield* settingsOf(options, { isSource, output: own }) : {}
    const isKept = isWhole && options.existing !== "overwrite"
    const corrected = yield* correctedIn(options, source, known, watched.translation, true)
    return {
      settings,
      corrected,
      write: write(
        { isSource, output: own },
        watched.translation.partial,
        (told) => watched.made(digest(), told, isKept),
        watched.failed,
        keptTexts.onlyHere([{ corrected }])
      )
    }
  })
})

const digestOf = ({ path, version }: FileOptions) => Effect.cached(fileReading.digestOf(path, version))

/** A file that is read from its beginning: each output is of one language. */
const fromBeginning = (options: FileOptions, format: Format, given: outputs.Options) =>
  Effect.zipWith(fileReading.infoOf(options.path), digestOf(options), (info, digest) => {
    const { path } = options
    const source = sourceOf(options, format, digest)
    return {
      find: (targets) => outputs.findAll(targets, info, format, given),
      digest,
      ingredientsOf: ([own]) => upToDate.ingredientsOf(optionsOf(source, own!.options), options),
      translate: (outdated, translations) => {
        const watched = outdated.map((known) => upToDate.watch(translations[known.languages[0]!]!, known))
        return pipeline.translate(
          source,
          watched.map(({ translation }) => translation),
          outdated.map((known, place) => outputOf(options, source, known, watched[place]!))
        )
      },
      forecast: (outdated, forecasting) =>
        pipeline.forecast(
          source,
          forecasting,
          (place) => settingsOf(options, outdated[place]!),
          (place) => correctedIn(options, source, outdated[place]!, forecasting.targets[place]!, false)
        ),
      estimate: (forecasting, all) =>
        Effect.flatMap(fileReading.sizeOf(path), (size) =>
          sampling.estimate({ ...source, size }, forecasting, all)
        )
    } satisfies fileOperations.SourceFile
  })

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

type Source = JobSource<FileError, FileSystem.FileSystem | Path.Path | Translator.Translator>

export const make = (options: FileOptions): Source => {
  const { path, stateFolder = "" } = options
  const named = [path, stateFolder].some(hasControls)
    ? Effect.fail(new SourceUnreadable({ path, reason: controlReason }))
    : Effect.void
  const file = cachedSuccess(
    Effect.zipRight(named, fileReading.formatOf(path, options.format)).pipe(
      Effect.filterOrFail(
        ({ records }) => options.failed !== "drop" || records !== undefined,
        (format) => noRecords(format, Address.shown(path))
      ),
      Effect.zipWith(fileReading.outputsOf(options), (format, given) => {
        const open = isColumnar(format)
          ? columnarSource.sourceFile({ options, outputs: given, format })
          : fromBeginning(options, format, given)
        const look: fileOperations.Look = (found, translation) =>
          outputInspection.look({ file: options, format, found }, translation.options)
        return {
          format,
          ...fileOperations.make(open, format, given, look)
        }
      })
    )
  )
  return {
    name: options.name ?? Address.shown(path),
    optionsFrom: (options) =>
      Effect.map(file, ({ format }) => streamOptions({ file: path, options, format })),
    check: (targets, hasStore) => Effect.flatMap(file, ({ check }) => check(targets, hasStore)),
    size: Effect.flatMap(file, ({ format }) => sizeOf(path, format)),
    selection: Effect.flatMap(file, ({ format }) => readSelection(options, format)),
    translate: (translations) => Effect.flatMap(file, ({ translate }) => translate(translations)),
    forecast: (forecasting) => Effect.flatMap(file, ({ forecast }) => forecast(forecasting)),
    estimate: (forecasting) => Effect.flatMap(file, ({ estimate }) => estimate(forecasting))
  }
}
