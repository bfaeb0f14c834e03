import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Format from "../Format.js"
import * as charset from "./charset.js"

/** As `Format.wholeFile`, of markup: characters that the encoding of the file lacks are written as references. */
export const wholeFile = (options: Format.WholeFileOptions): Format.Format =>
  Format.wholeFile({
    ...options,
    parse: (text, decoding, encoding) => {
      const parts = options.parse(text, decoding, encoding)
      return charset.isUnicode(encoding) ? parts : Effect.map(parts, (all) => all.map(referring(encoding)))
    }
  })

const referring =
  (encoding: charset.Encoding) =>
  (part: Format.Part): Format.Part => {
    const { write } = part
    return write === undefined
      ? part
      : {
          ...part,
          write: (translations, marks) =>
            Either.map(write(translations, marks), (written) => charset.withReferences(written, encoding))
        }
  }
