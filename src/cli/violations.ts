/** Requests that the library refuses, in words of the command line. */
import * as Violation from "../api/Violation.js"
import * as TranslateError from "../client/TranslateError.js"
import { Usage } from "./failure.js"

/** The flag of each option of the library. */
export type Flags = Readonly<Record<string, string>>

/** Violations, with flags in place of options. */
export const format = (violations: ReadonlyArray<Violation.Violation>, flags: Flags): string =>
  Violation.format(violations, (option) => flags[option] ?? option)

/** Names flags in place of options. Other errors stay as they are. */
export const inFlags =
  (flags: Flags) =>
  <E>(error: E): E | Usage => {
    if (!TranslateError.isTranslateError(error) || error._tag !== "InvalidRequest") return error
    return new Usage({ message: `${format(error.violations, flags)}.` })
  }
