/** Errors of jobs in words of the command line: flags and files instead of options. */
import type * as PlatformError from "@effect/platform/Error"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Violation from "../../api/Violation.js"
import * as Format from "../../format/Format.js"
import * as Formats from "../../format/Formats.js"
import type * as GlossaryFile from "../../glossary/GlossaryFile.js"
import * as systemCauses from "../../internal/systemCauses.js"
import * as FileSourceError from "../../job/FileSourceError.js"
import type * as JobError from "../../job/JobError.js"
import type * as JobSource from "../../job/JobSource.js"
import type * as FailedUnits from "../../stream/FailedUnits.js"
import * as TableError from "../../table/TableError.js"
import { type Described, type Incomplete, Usage } from "../failure.js"
import * as optionFlags from "../optionFlags.js"
import type { ReportUnwritable } from "../report/reportFile.js"
import type { Inputs } from "./sourceFiles.js"

/** The commands that list the values of an option. */
const lists: Readonly<Record<string, string>> = {
  glossaryId: "glossary list",
  styleId: "style list",
  translationMemoryId: "translation-memory list"
}

const inCommands = (all: ReadonlyArray<Violation.Violation>): ReadonlyArray<Violation.Violation> =>
  all.map(({ field, rule }) => ({
    field,
    rule: rule.replace(/take the id from the list$/, (advice) =>
      lists[field] === undefined ? advice : `effect-translate ${lists[field]} shows those there are`
    )
  }))

const isOfSource = (error: unknown): error is JobSource.FileError | TableError.TableError =>
  TableError.isTableError(error) ||
  FileSourceError.isFileSourceError(error) ||
  Format.isFormatError(error) ||
  Formats.isUnknownFormat(error)

/** Why a job ends. */
type Ending =
  | JobSource.FileError
  | TableError.TableError
  | JobError.JobError
  | FailedUnits.FailedUnitsError
  | GlossaryFile.GlossaryFileError
  | PlatformError.PlatformError
  | ReportUnwritable
  | Incomplete
  | Usage

/** The advice of an error for a person, where it differs from that for a program. */
const sentenceOf = (error: Ending, { sources }: Pick<Inputs, "sources">): string | undefined => {
  switch (error._tag) {
    case "InvalidJob":
    case "InvalidRequest": {
      const files = Object.fromEntries(sources.map(({ path }, index) => [`sources[${index}]`, path]))
      const flags = { ...optionFlags.ofJob, ...files }
      return `Nothing was sent: ${optionFlags.format(inCommands(error.violations), flags)}.`
    }
    case "Outage":
      return `The service is down (${error.lastError}, ${error.failures} attempts): run the same again once it answers. Finished translations are stored.`
    default: {
      const named = optionFlags.named(error.message, optionFlags.ofJob)
      return named === error.message ? undefined : named
    }
  }
}

/** An error that was put into words. */
export class Told implements Described {
  constructor(
    readonly _tag: string,
    readonly message: string,
    /** The code of the system or the database, which may say that it passes. */
    readonly code?: string | undefined
  ) {}
}

/** A lack of the machine while nothing could be sent: no outage of the service. */
const lackOf = (error: Ending): Told | undefined => {
  if (error._tag !== "Outage") return undefined
  const lack = systemCauses.ofProgram({ code: /\((\w+)\)$/.exec(error.lastError)?.[1] })
  return (
    lack && new Told(lack.tag, `${lack.message} Then run the same again: finished translations are stored.`)
  )
}

/** The printed form of an error that has ended a job. */
export const describe =
  (inputs: Pick<Inputs, "sources">) =>
  (error: Ending | Told): Described => {
    if (error instanceof Told) return error
    // A disk without room is no mistake of the command line.
    if (error._tag === "OutputUnusable" && error.isFull !== true) return new Usage({ message: error.message })
    const message = sentenceOf(error, inputs)
    return lackOf(error) ?? (message === undefined ? error : new Told(error._tag, message))
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
      check: check && ((targets, hasStore) => Effect.mapError(check(targets, hasStore), told)),
      forecast: (forecasting) => Effect.mapError(forecast(forecasting), told),
      estimate: estimate && ((forecasting) => Effect.mapError(estimate(forecasting), told)),
      translate: (translations) =>
        Effect.map(Effect.mapError(translate(translations), told), (results) =>
          results.map((result) => Either.mapLeft(result, told))
        )
    }
  }
