/**
 * A file as a source of a job: read once, written for each language, and remembered, so that the same job again does what is left.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as LanguageCode from "../api/LanguageCode.js"
import type * as Format from "../format/Format.js"
import type * as Formats from "../format/Formats.js"
import * as LocalePath from "../format/LocalePath.js"
import type * as Translator from "../stream/Translator.js"
import type { FileSourceError, SourceUnreadable } from "./FileSourceError.js"
import type * as FileTranslation from "./FileTranslation.js"
import * as documentFile from "./internal/documentFile.js"
import { streamOptions } from "./internal/fileOptions.js"
import type { Opened } from "./internal/opened.js"
import * as outputs from "./internal/outputs.js"
import * as sourceFile from "./internal/sourceFile.js"
import * as streamedFile from "./internal/streamedFile.js"
import type { JobSource } from "./JobSource.js"

/**
 * Finds the format of a file by its path and its beginning: `Formats.detect`, or a function that calls it with other formats than all.
 *
 * @since 0.1.0
 * @category models
 */
export type Detect = (file: {
  readonly path: string
  readonly head: string
}) => Either.Either<Format.Format, Formats.UnknownFormat>

/**
 * Where a file is, and where its translations go.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Pick<FileTranslation.Options, "maxFileBytes" | "useContext"> {
  /** The source. */
  readonly path: string
  /** The format, or what finds it. */
  readonly format: Format.Format | Detect
  /**
   * The path of the output in a language, or a pattern such as `locales/{lang}.json`. Missing folders are made. A file that holds texts and
   * translations side by side, and does not stream, may be its own output.
   */
  readonly output: LocalePath.Pattern | ((targetLang: string) => string)
  /**
   * What becomes of an output that is there. `keep`: a person's texts in it stay, and only what is missing or has changed is translated;
   * an output of a format that streams is replaced, if it is as it was written here. `overwrite`: it is written anew. @default "keep"
   */
  readonly existing?: "keep" | "overwrite" | undefined
  /**
   * What a unit that failed leaves in its output: the translation that is there, or else the source's text; the source's text; or nothing.
   * Formats that stream know no translation that is there. The output is published all the same. @default "previous"
   */
  readonly failed?: "previous" | "source" | "empty" | undefined
  /** What becomes of units of an output that the source does not have any more. @default "keep" */
  readonly removed?: "keep" | "drop" | undefined
  /** The folder of what is remembered of outputs. Keep it with them, in version control too. @default ".effect-translate" */
  readonly stateFolder?: string | undefined
  /** Names the file in reports. @default its path */
  readonly name?: string | undefined
}

/**
 * Why the translation of a file fails, beside the errors of streams.
 *
 * @since 0.1.0
 * @category errors
 */
export type Error = FileSourceError | Format.FormatError | Formats.UnknownFormat

/**
 * A file as a source.
 *
 * Formats that stream are read and written piece by piece, in flat memory, and written anew each time: what is known already comes from
 * the store. An output that was altered by somebody else is refused as `OutputAltered`, unless `existing` says otherwise. Other formats
 * are updated, as by `FileUpdate`: what a person has written in an output stays, and is reported as stale when its source changes.
 *
 * An output is written beside its place under another name, synced, and renamed once it is whole. An output with the same bytes is left
 * alone. Units that failed leave what `failed` says; what is not whole is an output that a limit or an error has cut. Then it is
 * published only if the job asks for partial outputs, and something was translated: the rest is as it was in the output, or as in the
 * source.
 *
 * Fails before anything is sent if the source can't be read, its format is not known, or an output can't be written or must not be
 * replaced; see `FileSourceError`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options: Options
): JobSource<Error, FileSystem.FileSystem | Path.Path | Translator.Translator> => {
  const { existing = "keep", failed, format, maxFileBytes, output, path, removed, useContext } = options
  const given: outputs.Options = {
    source: path,
    outputOf: typeof output === "function" ? output : LocalePath.make(output).path,
    stateFolder: options.stateFolder ?? ".effect-translate",
    existing
  }
  const open = (targets: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const known = yield* sourceFile.formatOf(path, format)
      const found = yield* outputs.findAll(targets.map(LanguageCode.canonical), known, given)
      const file = { file: path, maxFileBytes, useContext }
      return { format: known, file, existing, failed, removed, found } satisfies Opened
    })
  const check = (targets: ReadonlyArray<string>) =>
    Effect.tap(open(targets), ({ format, found }) =>
      Effect.forEach(found, ({ output }) => outputs.check(output, format, given), { discard: true })
    )
  return {
    name: options.name ?? path,
    optionsFrom: (options) =>
      Effect.map(sourceFile.formatOf(path, format), (format) => streamOptions({ ...options, format })),
    check: (targets) =>
      Effect.zipWith(check(targets), Path.Path, ({ found }, { resolve }) => [
        ...new Set([resolve(path), ...found.map(({ output }) => output.path)])
      ]),
    translate: (translations) =>
      Effect.flatMap(check(translations.map(({ options }) => options.targetLang)), (opened) =>
        opened.format.isStreamed === true
          ? streamedFile.translate(opened, translations)
          : documentFile.translate(opened, translations)
      ),
    forecast: (forecasting) =>
      Effect.flatMap(open(forecasting.options.map(({ targetLang }) => targetLang)), (opened) =>
        opened.format.isStreamed === true
          ? streamedFile.forecast(opened, forecasting)
          : documentFile.forecast(opened, forecasting)
      )
  }
}

/**
 * The beginning of a file, which shows its format.
 *
 * @internal
 */
export const headOf: (path: string) => Effect.Effect<string, SourceUnreadable, FileSystem.FileSystem> =
  sourceFile.headOf
