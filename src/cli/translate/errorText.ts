/** Errors of jobs in words of the command line: flags and files instead of options. */
import type * as PlatformError from "@effect/platform/Error"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Format from "../../format/Format.js"
import * as Formats from "../../format/Formats.js"
import type * as GlossaryFile from "../../glossary/GlossaryFile.js"
import type * as FailedUnits from "../../job/FailedUnits.js"
import * as FileSourceError from "../../job/FileSourceError.js"
import type * as JobError from "../../job/JobError.js"
import type * as JobSource from "../../job/JobSource.js"
import * as TableCorpusError from "../../workflow/TableCorpusError.js"
import { type Described, type Incomplete, Usage } from "../failure.js"
import type { ReportUnwritable } from "../report/reportFile.js"
import * as violations from "../violations.js"
import type { Inputs } from "./sourceFiles.js"

const flags = {
  extraParameters: "--parameter",
  formality: "--formality",
  glossaryId: "--glossary",
  modelType: "--model",
  output: "--out",
  sourceLang: "--from",
  styleId: "--style",
  targetLang: "--to",
  translationMemoryId: "--translation-memory",
  translationMemoryThreshold: "--translation-memory-threshold"
}

/** What is to be chosen of a file. */
const ofChoice = ({ known, option, value }: Format.Choice, line: number | undefined): string => {
  if (option === "select") {
    return value === undefined
      ? "no field is chosen: give --field, such as --field title."
      : `no text is at ${value}, but at ${known}: correct --field.`
  }
  return value === undefined
    ? `no column is chosen: give --column some of ${known}.`
    : `${line === undefined ? "it" : "the header"} has no column ${JSON.stringify(value)}, but ${known}: correct --column.`
}

const isOfSource = (error: unknown): error is JobSource.FileError | TableCorpusError.TableCorpusError =>
  TableCorpusError.isTableCorpusError(error) ||
  FileSourceError.isFileSourceError(error) ||
  Format.isFormatError(error) ||
  Formats.isUnknownFormat(error)

/** Why a job ends. */
type Ending =
  | JobSource.FileError
  | TableCorpusError.TableCorpusError
  | JobError.JobError
  | FailedUnits.FailedUnitsError
  | GlossaryFile.GlossaryFileError
  | PlatformError.PlatformError
  | ReportUnwritable
  | Incomplete
  | Usage

/** What a person does about an error, where that is not what a program does. */
const sentenceOf = (error: Ending, { sources }: Pick<Inputs, "sources">): string | undefined => {
  switch (error._tag) {
    case "OutputAltered":
      return error.meanwhile
        ? `${error.output} was altered while its translation ran, and was left alone: run the same again.`
        : `${error.output} was altered since it was written, or effect-translate has not written it: move it away, or write it anew with --existing overwrite. What a person has written in it is lost then.`
    case "OutputTaken":
      return `${error.output} would be the translation into several languages: write {lang} into --out.`
    case "OutputIsSource":
      return `${error.output} is the source, and would be overwritten by its translation into ${error.targetLang}: give another --out, or leave that language out of --to.`
    case "UnknownFormat":
      if (error.file === undefined) return undefined
      return error.candidates.length > 0
        ? `${error.file}: it may be ${error.candidates.join(" or ")}: choose with --format.`
        : `${error.file}: no format has its ending: choose with --format, one of ${error.known.join(", ")}.`
    case "FormatError": {
      const { choice, file, line } = error
      const place = line === undefined ? file : `${file}, line ${line}`
      return choice && `${place}: ${ofChoice(choice, line)}`
    }
    case "TableUnusable":
      return `${error.table} can't be used: ${error.reason ?? error.code}.`
    case "InvalidJob": {
      const files = Object.fromEntries(sources.map(({ path }, index) => [`sources[${index}]`, path]))
      return violations.format(error.violations, { ...flags, ...files })
    }
    case "InvalidRequest":
      return `Nothing was sent: ${violations.format(error.violations, flags)}`
    case "JobHalted":
      return "Stopped: the same command goes on where it was."
    case "BudgetExceeded":
      return error.needed > error.cap
        ? `The budget of ${error.cap} characters is too small: what is next takes ${error.needed} by itself. Raise --budget to ${error.needed} at least.`
        : "The budget is used up: the same command goes on with what is left, with a budget of its own."
    case "Outage":
      return `The service is down (${error.lastError}, ${error.failures} attempts): run the same again once it answers. What is translated is stored.`
    default:
      return undefined
  }
}

/** An error that was put into words. */
export class Told implements Described {
  constructor(
    readonly _tag: string,
    readonly message: string
  ) {}
}

/** What is printed of an error that has ended a job. */
export const describe =
  (inputs: Pick<Inputs, "sources">) =>
  (error: Ending | Told): Described => {
    if (error instanceof Told) return error
    // A disk without room is no mistake of the command line.
    if (error._tag === "OutputUnusable" && error.isFull !== true) return new Usage({ message: error.message })
    const message = sentenceOf(error, inputs)
    return message === undefined ? error : new Told(error._tag, message)
  }

/** A source whose errors are put into words: a report tells them too. */
export const ofSource =
  (inputs: Pick<Inputs, "sources">) =>
  <E, R>(source: JobSource.JobSource<E, R>): JobSource.JobSource<E | Told, R> => {
    const told = <E>(error: E): E | Told => {
      const message = isOfSource(error) ? sentenceOf(error, inputs) : undefined
      return message === undefined ? error : new Told((error as Described)._tag, message)
    }
    const { check, estimate, forecast, translate } = source
    return {
      ...source,
      check: check && ((targets) => Effect.mapError(check(targets), told)),
      forecast: (forecasting) => Effect.mapError(forecast(forecasting), told),
      estimate: estimate && ((forecasting) => Effect.mapError(estimate(forecasting), told)),
      translate: (translations) =>
        Effect.map(Effect.mapError(translate(translations), told), (results) =>
          results.map((result) => Either.mapLeft(result, told))
        )
    }
  }
