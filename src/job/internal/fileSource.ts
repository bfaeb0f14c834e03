/** A file as a source of a job. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as LocalePath from "../../format/LocalePath.js"
import type * as JobSource from "../JobSource.js"
import * as documentFile from "./documentFile.js"
import { streamOptions } from "./fileOptions.js"
import type { Opened } from "./opened.js"
import * as outputs from "./outputFiles.js"
import * as sourceFile from "./sourceFile.js"
import * as streamedFile from "./streamedFile.js"

export const make = (options: JobSource.FileOptions): ReturnType<typeof JobSource.file> => {
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
