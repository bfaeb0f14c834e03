/** Errors of jobs in words of the command line: flags and files instead of options. */
import * as Predicate from "effect/Predicate"
import { type Described, Usage } from "../failure.js"

/** The error of another tag or message. */
const as = (_tag: string, message: string): Described => ({ _tag, message })

/** Options of formats as flags. */
export const inFlags = (message: string): string =>
  message
    .replace('the option "columns"', "--column")
    .replace('the option "select"', "--field")
    .replace(
      "no selector is given: name at least one field, such as title.",
      "no field is chosen: give --field, such as --field title."
    )

const flags: Readonly<Record<string, string>> = {
  formality: "--formality",
  glossaryId: "--glossary",
  modelType: "--model",
  sourceLang: "--from",
  styleId: "--style",
  targetLang: "--to"
}

/** What the service would refuse. */
const refused = (message: string): string =>
  `Nothing was sent: ${message
    .replace(/^.* was not sent: /, "")
    .replaceAll(
      /\b(formality|glossaryId|modelType|sourceLang|styleId|targetLang)\b/g,
      (name) => flags[name]!
    )}`

/** A disk without room is no mistake of the command line. */
const isFull = (reason: string): boolean => /ENOSPC|EDQUOT|EFBIG|no space/i.test(reason)

interface Fields extends Described {
  readonly [name: string]: unknown
}

/** What is printed of an error that has ended a job; `sources` are the names of its files. */
export const describe = (error: Described, sources: ReadonlyArray<string>): Described => {
  const fields = error as Fields
  const output = Predicate.isString(fields.output) ? fields.output : ""
  switch (error._tag) {
    case "OutputAltered":
      return fields.meanwhile === true
        ? as(
            error._tag,
            `${output} was altered while its translation ran, and was left alone: run the same again.`
          )
        : as(
            error._tag,
            `${output} was altered since it was written, or effect-translate has not written it: move it away, or write it anew with --existing overwrite. What a person has written in it is lost then.`
          )
    case "OutputTaken":
      return as(
        error._tag,
        `${output} would be the translation into several languages: write {lang} into --out.`
      )
    case "OutputIsSource":
      return as(
        error._tag,
        `${output} is the source, and would be overwritten by its translation into ${String(fields.targetLang)}: give another --out, or leave that language out of --to.`
      )
    case "OutputUnusable":
      return isFull(String(fields.reason)) ? error : new Usage({ message: error.message })
    case "UnknownFormat":
      return as(
        error._tag,
        error.message
          .replace("choose the format by name", "choose with --format")
          .replace("choose one by name, of", "choose with --format, one of")
      )
    case "FormatError":
    case "CsvError":
      return as(error._tag, inFlags(error.message))
    case "InvalidJob":
      return as(
        error._tag,
        error.message
          .replace("The job was not begun: ", "")
          .replaceAll(/sources\[(\d+)\]/g, (_, index) => sources[Number(index)] ?? "")
          .replaceAll("give them outputs of their own", "give them other outputs with --out")
      )
    case "InvalidRequest":
      return as(error._tag, refused(error.message))
    case "JobHalted":
      return as(error._tag, "Stopped: the same command goes on where it was.")
    case "BudgetExceeded":
      return as(
        error._tag,
        "The budget is used up: the same command goes on with what is left, with a budget of its own."
      )
    case "Outage":
      return as(
        error._tag,
        `The service is down (${String(fields.lastError)}, ${String(fields.failures)} attempts): run the same again once it answers. What is translated is stored.`
      )
    default:
      return error
  }
}
