/** A file as a source of a job. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as LanguageCode from "../../api/LanguageCode.js"
import type { Format } from "../../format/Format.js"
import * as LocalePath from "../../format/LocalePath.js"
import type { FileSourceError, OutputUnusable, SourceChanged, SourceUnreadable } from "../FileSourceError.js"
import type * as JobSource from "../JobSource.js"
import * as bytesTranslation from "./bytesTranslation.js"
import { streamOptions } from "./fileOptions.js"
import * as outputs from "./outputFiles.js"
import { isJobStopped, type Written } from "./sourceContract.js"
import * as sourceFile from "./sourceFile.js"

/** How an output is updated: what it holds, and what is remembered of it. */
const settingsOf = (
  { existing, removed }: Pick<JobSource.FileOptions, "existing" | "removed">,
  format: Format,
  { isSource, output }: outputs.Found
): Effect.Effect<bytesTranslation.Settings, OutputUnusable, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    if (format.isStreamed === true) return {}
    const fs = yield* FileSystem.FileSystem
    const isKept = existing !== "overwrite" && output.existing !== undefined && !isSource
    const target = isKept
      ? yield* Effect.mapError(fs.readFile(output.path), outputs.unusable(output.name))
      : undefined
    return {
      removed,
      target,
      targetFile: isSource ? undefined : output.name,
      manifest: isKept || isSource ? output.state?.manifest : undefined
    }
  })

type Output = bytesTranslation.Output<
  SourceUnreadable | SourceChanged,
  FileSystem.FileSystem,
  FileSourceError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
>

/** Writes a draft, which gets the name of the output once the source was read to its end. */
const write =
  (output: outputs.Output, partial: boolean) =>
  <E, R>({ bytes, ended, isWhole, manifest, stale }: bytesTranslation.Translated<E, R>) =>
    Effect.map(outputs.draft(output, bytes), (draft) =>
      Effect.gen(function* () {
        const written = { output: output.name, stale }
        if (!isWhole() && !partial) return { ...written, state: "withheld" } satisfies Written
        const state = yield* outputs.publish(output, draft, manifest)
        const error = ended()
        if (error !== undefined && !isJobStopped(error)) return yield* Effect.fail(error)
        return { ...written, state: isWhole() ? state : "partial" } satisfies Written
      })
    )

export const make = (options: JobSource.FileOptions): ReturnType<typeof JobSource.file> => {
  const { existing = "keep", failed, format, maxFileBytes, output, path, useContext } = options
  const given: outputs.Options = {
    source: path,
    outputOf: typeof output === "function" ? output : LocalePath.make(output).path,
    stateFolder: options.stateFolder ?? ".effect-translate",
    existing
  }
  const find = (targets: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const known = yield* sourceFile.formatOf(path, format)
      const found = yield* outputs.findAll(targets.map(LanguageCode.canonical), known, given)
      const file = { file: path, maxFileBytes, useContext }
      const bytes = sourceFile.bytesOf(path)
      return { found, source: { bytes, format: known, failed, file, isReadAgain: true } }
    })
  const check = (targets: ReadonlyArray<string>) =>
    Effect.tap(find(targets), ({ found, source }) =>
      Effect.forEach(found, ({ output }) => outputs.check(output, source.format, given), { discard: true })
    )
  const outputOf = ({ isSource, output }: outputs.Found, format: Format, partial: boolean): Output => ({
    name: output.name,
    isSource,
    open: Effect.gen(function* () {
      // What another language has written is no change.
      const own = isSource ? { ...output, existing: yield* outputs.infoOf(output.path) } : output
      const settings = yield* settingsOf(options, format, { isSource, output: own })
      return { settings, write: write(own, partial) }
    })
  })
  return {
    name: options.name ?? path,
    optionsFrom: (options) =>
      Effect.map(sourceFile.formatOf(path, format), (format) => streamOptions({ ...options, format })),
    check: (targets) =>
      Effect.zipWith(check(targets), Path.Path, ({ found }, { resolve }) => [
        ...new Set([resolve(path), ...found.map(({ output }) => output.path)])
      ]),
    translate: (translations) =>
      Effect.flatMap(check(translations.map(({ options }) => options.targetLang)), ({ found, source }) =>
        bytesTranslation.translate(
          source,
          translations,
          found.map((one, index) => outputOf(one, source.format, translations[index]!.partial))
        )
      ).pipe(Effect.scoped),
    forecast: (forecasting) =>
      Effect.flatMap(find(forecasting.options.map(({ targetLang }) => targetLang)), ({ found, source }) =>
        bytesTranslation.forecast(source, forecasting, (index) =>
          settingsOf(options, source.format, found[index]!)
        )
      )
  }
}
