import * as Effect from "effect/Effect"
import * as IcuMessage from "../../text/IcuMessage.js"
import * as Syntax from "../../text/Syntax.js"
import * as Format from "../Format.js"

/** An argument with branches. */
const branches = /\{\s{0,9}[\w.$-]{1,200}\s{0,9},\s{0,9}(?:plural|select|selectordinal)\s{0,9},/

/** As Java's `MessageFormat` has them. */
const choice = /\{\s{0,9}\d{1,9}\s{0,9},\s{0,9}choice\s{0,9},/

/** True if a text has an argument with branches. */
export const hasBranches = (text: string): boolean => text.includes("{") && branches.test(text)

const placeholders: Format.Placeholders = {
  kinds: ["braces", "tags", ...Syntax.knownIn("catalogue")],
  messageFormat: IcuMessage.format
}

const problemOf = (text: string, languages: Format.DecodeOptions): string | undefined =>
  choice.test(text)
    ? "its choice format is not read: write {0, plural, one {…} other {…}}, as ICU has it."
    : hasBranches(text) && IcuMessage.format.parse(text.trim(), languages) === undefined
      ? 'its branches can\'t be read as an ICU message: see that its braces are closed, and that each argument has the branch "other".'
      : undefined

/** Parts whose texts are ICU messages, if they have branches; a part of which one can't be read is left, and tells it. */
const withMessages = (
  { name, placeholders: ofFormat }: Format.WholeFileOptions,
  options: Format.DecodeOptions,
  parts: ReadonlyArray<Format.Part>
): ReadonlyArray<Format.Part> =>
  parts.map((part) => {
    const found = part.units.filter(({ text }) => hasBranches(text) || choice.test(text))
    if (found.length === 0) return part
    for (const { key, line, text } of found) {
      const message = problemOf(text, options)
      if (message !== undefined) {
        const problem = Format.formatError(name, options.file, { line, key, message })
        return { raw: part.raw, units: [], problem }
      }
    }
    return ofFormat?.messageFormat === undefined ? { ...part, placeholders } : part
  })

/** As `Format.wholeFile`, of texts that are ICU messages if they have branches. */
export const wholeFile = (options: Format.WholeFileOptions): Format.Format =>
  Format.wholeFile({
    ...options,
    variesPlaceholders: options.variesPlaceholders ?? options.placeholders?.messageFormat === undefined,
    parse: (text, decoding, encoding) =>
      Effect.map(options.parse(text, decoding, encoding), (parts) => withMessages(options, decoding, parts))
  })
