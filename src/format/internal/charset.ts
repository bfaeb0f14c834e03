import * as Either from "effect/Either"
import { encoder, hasLoneSurrogate, makeDecoder } from "../../internal/utf8.js"
import type { Problem } from "./problem.js"

/** The encoding of text. `latin1` is ISO-8859-1. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1"

export interface Decoded {
  /** A byte order mark stays in front. */
  readonly text: string
  readonly encoding: Encoding
}

const decode = (
  bytes: Uint8Array,
  encoding: "utf-8" | "utf-16le" | "utf-16be"
): Either.Either<string, unknown> =>
  Either.try(() => new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes))

const malformed = (bytes: Uint8Array): Problem => {
  const before = Either.merge(makeDecoder().decode(bytes))
  const line = before.split("\n")
  return {
    line: line.length,
    column: line.at(-1)!.length + 1,
    message: "there are bytes that are not UTF-8: save the file as UTF-8."
  }
}

/** UTF-8, with or without a byte order mark. */
export const utf8 = (bytes: Uint8Array): Either.Either<Decoded, Problem> =>
  Either.mapBoth(decode(bytes, "utf-8"), {
    onLeft: () => malformed(bytes),
    onRight: (text): Decoded => ({ text, encoding: "utf-8" })
  })

/** UTF-16 if the file begins with its byte order mark, else UTF-8. */
export const unicode = (bytes: Uint8Array): Either.Either<Decoded, Problem> => {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : undefined
  return encoding === undefined
    ? utf8(bytes)
    : Either.mapBoth(decode(bytes, encoding), {
        onLeft: (): Problem => ({
          line: 1,
          message:
            "the byte order mark says UTF-16, but not all bytes are: save the file again in one encoding."
        }),
        onRight: (text): Decoded => ({ text, encoding })
      })
}

/** ISO-8859-1, in which every byte is a character. */
export const latin1 = (bytes: Uint8Array): Decoded => {
  let text = ""
  // `String.fromCharCode` takes its characters on the stack.
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8192))
  }
  return { text, encoding: "latin1" }
}

/** The text, if the encoding can hold it. */
export const check = (text: string, encoding: Encoding): Either.Either<string, Problem> =>
  hasLoneSurrogate(text)
    ? Either.left({
        message: "the text holds half of a surrogate pair, which no encoding carries: repair it."
      })
    : encoding === "latin1" && /[^\u0000-\u00ff]/.test(text)
      ? Either.left({ message: "the text holds characters that ISO-8859-1 has not: save the file as UTF-8." })
      : Either.right(text)

/** The bytes of a text that `check` has let through. */
export const encode = (text: string, encoding: Encoding): Uint8Array => {
  if (encoding === "utf-8") return encoder.encode(text)
  if (encoding === "latin1") return Uint8Array.from(text, (character) => character.charCodeAt(0))
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), encoding === "utf-16le")
  return bytes
}
