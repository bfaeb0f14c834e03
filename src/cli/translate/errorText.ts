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

const withCommand = ({ field, rule }: Violation.Violation): Violation.Violation =>
  lists[field] === undefined
    ? { field, rule }
    : {
        field,
        rule: rule.replace(
          /take the id from the list$/,
          `effect-translate ${lists[field]} shows those there are`
        )
      }

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

/** An error in words of the command line. */
export class CommandError implements Described {
  constructor(
    readonly _tag: string,
    readonly message: string,
    /** The code of the system or the database, which may say that it passes. */
    readonly code?: string | undefined
  ) {}
}

/** An error in words of the command line; `undefined` if it names no option. */
const translated = (error: Ending, { sources }: Pick<Inputs, "sources">): CommandError | undefined => {
  switch (error._tag) {
    case "InvalidJob":
    case "InvalidRequest": {
      const files = Object.fromEntries(sources.map(({ path }, index) => [`sources[${index}]`, path]))
      const flags = { ...optionFlags.ofJob, ...files }
      const mistakes = optionFlags.format(error.violations.map(withCommand), flags)
      return new CommandError(error._tag, `Nothing was sent: ${mistakes}.`)
    }
    case "Outage": {
      // Where nothing could be sent as the machine lacks something, the service is not down.
      const lack = systemCauses.ofProgram({ code: /\((\w+)\)$/.exec(error.lastError)?.[1] })
      return lack === undefined
        ? new CommandError(
            error._tag,
            `The service is down (${error.lastError}, ${error.failures} attempts): run the same again once it answers. Finished translations are stored.`
          )
        : new CommandError(
            lack.tag,
            `${lack.message} Then run the same again: finished translations are stored.`
          )
    }
    default: {
      const message = optionFlags.named(error.message, optionFlags.ofJob)
      return message === error.message ? undefined : new CommandError(error._tag, message)
    }
  }
}

/** The printed form of an error that has ended a job. */
export const describe =
  (inputs: Pick<Inputs, "sources">) =>
  (error: Ending | CommandError): Described => {
    if (error instanceof CommandError) return error
    // A disk without room is no mistake of the command line.
    if (error._tag === "OutputUnusable" && error.isFull !== true) return new Usage({ message: error.message })
    return translated(error, inputs) ?? error
  }

/** A source whose errors are in words of the command line: a report shows them too. */
export const ofSource =
  (inputs: Pick<Inputs, "sources">) =>
  <E, R>(source: JobSource.JobSource<E, R>): JobSource.JobSource<E | CommandError, R> => {
    const inWords = <E>(error: E): E | CommandError =>
      (isOfSource(error) ? translated(error, inputs) : undefined) ?? error
    const { check, estimate, forecast, translate } = source
    return {
      ...source,
      check: check && ((targets, hasStore) => Effect.mapError(check(targets, hasStore), inWords)),
      forecast: (forecasting) => Effect.mapError(forecast(forecasting), inWords),
      estimate: estimate && ((forecasting) => Effect.mapError(estimate(forecasting), inWords)),
      translate: (translations) =>
        Effect.map(Effect.mapError(translate(translations), inWords), (results) =>
          results.map((result) => Either.mapLeft(result, inWords))
        )
    }
  }
