/** Errors of jobs in words of the command line: flags and files instead of options. */
import type * as PlatformError from "@effect/platform/Error"
import type * as Format from "../../format/Format.js"
import type * as GlossaryFile from "../../glossary/GlossaryFile.js"
import type * as FailedUnits from "../../job/FailedUnits.js"
import type * as JobError from "../../job/JobError.js"
import type * as JobSource from "../../job/JobSource.js"
import { type Described, type Incomplete, Usage } from "../failure.js"
import type { ReportUnwritable } from "../report/reportFile.js"
import * as violations from "../violations.js"
import type { Inputs } from "./sourceFiles.js"

const flags = {
  formality: "--formality",
  glossaryId: "--glossary",
  modelType: "--model",
  output: "--out",
  sourceLang: "--from",
  styleId: "--style",
  targetLang: "--to"
}

/** What is to be chosen of a file. */
const ofChoice = ({ known, option, value }: Format.Choice): string => {
  if (option === "select") return "no field is chosen: give --field, such as --field title."
  return value === undefined
    ? `no column is chosen: give --column some of ${known}.`
    : `the header has no column ${JSON.stringify(value)}, but ${known}: correct --column.`
}

/** Why a job ends. */
type Ending =
  | JobSource.FileError
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
      return choice && `${place}: ${ofChoice(choice)}`
    }
    case "InvalidJob": {
      const files = Object.fromEntries(sources.map(({ path }, index) => [`sources[${index}]`, path]))
      return violations.format(error.violations, { ...flags, ...files })
    }
    case "InvalidRequest":
      return `Nothing was sent: ${violations.format(error.violations, flags)}`
    case "JobHalted":
      return "Stopped: the same command goes on where it was."
    case "BudgetExceeded":
      return "The budget is used up: the same command goes on with what is left, with a budget of its own."
    case "Outage":
      return `The service is down (${error.lastError}, ${error.failures} attempts): run the same again once it answers. What is translated is stored.`
    default:
      return undefined
  }
}

/** What is printed of an error that has ended a job. */
export const describe =
  (inputs: Pick<Inputs, "sources">) =>
  (error: Ending): Described => {
    // A disk without room is no mistake of the command line.
    if (error._tag === "OutputUnusable" && error.isFull !== true) return new Usage({ message: error.message })
    const message = sentenceOf(error, inputs)
    return message === undefined ? error : { _tag: error._tag, message }
  }
