/** Requests that the library refuses, in words of the command line. */
import * as TranslateError from "../client/TranslateError.js"
import { Usage } from "./failure.js"

/** The flag of each option of the library. */
export type Flags = Readonly<Record<string, string>>

/** Names flags in place of options. Other errors stay as they are. */
export const inFlags =
  (flags: Flags) =>
  <E>(error: E): E | Usage => {
    if (!TranslateError.isTranslateError(error) || error._tag !== "InvalidRequest") return error
    const named = (words: string) =>
      Object.entries(flags).reduce((text, [option, flag]) => text.replaceAll(option, flag), words)
    const message = error.violations.map(({ field, rule }) => `${named(field)} ${named(rule)}`).join("; ")
    return new Usage({ message: `${message}.` })
  }
