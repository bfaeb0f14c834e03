/** The flags of the library's options, as commands declare them: messages of errors are told with flags in place of options. */
import type * as Text from "../api/Text.js"
import * as Violation from "../api/Violation.js"
import type * as Documents from "../client/Documents.js"
import * as TranslateError from "../client/TranslateError.js"
import type * as Write from "../client/Write.js"
import type * as DocumentBatch from "../document/DocumentBatch.js"
import type * as Formats from "../format/Formats.js"
import * as optionNames from "../internal/optionNames.js"
import type * as JobSource from "../job/JobSource.js"
import type * as TranslationJob from "../job/TranslationJob.js"
import type * as CorpusJob from "../workflow/CorpusJob.js"
import type { Parameter } from "./commandLine/declare.js"
import * as jobs from "./declarations/jobs.js"
import * as texts from "./declarations/texts.js"
import { type Usage, usage } from "./failure.js"
import * as settings from "./settings/declarations.js"

/** The flag of each option of the library, or a word for it. */
export type Flags = Readonly<Record<string, string>>

/** Options that are declared. The names are checked to be those of the library. */
const flagsOf = <Option extends string>(declared: { readonly [Name in Option]?: Parameter }): Flags =>
  Object.fromEntries(
    Object.entries<Parameter | undefined>(declared).map(([option, parameter]) => [
      option,
      parameter?.names[0] ?? option
    ])
  )

const shared = settings.translate

/** Those of jobs, their files and their formats. */
export const ofJob = flagsOf<
  | keyof Text.TranslateOptions
  | keyof JobSource.FileOptions
  | keyof Formats.Options
  | keyof TranslationJob.TranslationJob<JobSource.JobSource>
  | keyof TranslationJob.StreamOptions
>({
  budget: shared.budget,
  columns: shared.columns,
  existing: shared.existing,
  extraParameters: shared.parameters,
  formality: shared.formality,
  key: shared.keys,
  format: shared.format,
  glossaryId: shared.glossary,
  modelType: shared.model,
  output: shared.out,
  select: shared.fields,
  sourceLang: shared.from,
  styleId: shared.style,
  targetLang: shared.targets,
  targets: shared.targets,
  translationMemoryId: shared.translationMemory,
  translationMemoryThreshold: shared.translationMemoryThreshold
})

const submit = jobs.job.commands.submit.parameters

export const ofDurableJob = flagsOf<keyof CorpusJob.CorpusJob | keyof Text.TranslateOptions>({
  id: submit.id,
  budget: submit.budget,
  budgetName: submit.budgetName,
  pricePerMillion: submit.price,
  batchTexts: submit.batch,
  targets: submit.targets,
  sourceLang: submit.from
})

const document = texts.document.commands.translate.parameters

export const ofDocument: Flags = {
  ...flagsOf<keyof Documents.UploadOptions | keyof DocumentBatch.Options<DocumentBatch.Item>>({
    budget: document.budget,
    enableWatermark: document.watermark,
    extraParameters: document.parameters,
    formality: document.formality,
    glossaryId: document.glossary,
    outputFormat: document.outputFormat,
    resubmit: document.resubmit,
    sourceLang: document.from,
    styleId: document.style,
    targetLang: document.to
  }),
  "file.name": "its name"
}

const rephrase = texts.write.commands.rephrase.parameters

export const ofWriting = flagsOf<keyof Write.RephraseOptions>({
  extraParameters: rephrase.parameters,
  targetLang: rephrase.lang,
  writingStyle: rephrase.style,
  tone: rephrase.tone
})

/** A message of the library, with flags in place of options. */
export const named = (message: string, flags: Flags): string =>
  optionNames.rename(message, (option) => flags[option])

/** Violations, with flags in place of options, also of those of a list. */
export const format = (violations: ReadonlyArray<Violation.Violation>, flags: Flags): string =>
  Violation.format(violations, (option) => flags[option] ?? flags[option.replace(/\[\d+\]$/, "")] ?? option)

/** Names flags in place of options. Other errors stay as they are. */
export const inFlags =
  (flags: Flags) =>
  <E>(error: E): E | Usage => {
    if (!TranslateError.isTranslateError(error) || error._tag !== "InvalidRequest") return error
    return usage(`${format(error.violations, flags)}.`)
  }
