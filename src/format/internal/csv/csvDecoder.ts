import * as Either from "effect/Either"
import { concat } from "../../../internal/bytes.js"
import { type Decoder, makeDecoder } from "../../../internal/utf8.js"
import * as charset from "../charset.js"

/** Decodes a file piece by piece, and knows its encoding. */
export interface FileDecoder extends Decoder {
  readonly encoding: () => charset.Encoding
}

const decoderOf = (encoding: charset.Encoding): Decoder => {
  if (encoding === "utf-8") return makeDecoder({ keepsMark: true })
  if (!charset.isUnicode(encoding)) {
    return {
      decode: (bytes) => Either.mapLeft(charset.decode(bytes, encoding), () => ""),
      isCut: () => false
    }
  }
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  return {
    decode: (bytes) =>
      Either.mapLeft(
        Either.try(() => decoder.decode(bytes, { stream: true })),
        () => ""
      ),
    isCut: () => Either.isLeft(Either.try(() => decoder.decode()))
  }
}

/** A decoder of a file in an encoding, or, if none is given, in UTF-16 if it begins with the mark of that, and else in UTF-8. */
export const make = (given: charset.Encoding | undefined): FileDecoder => {
  let encoding = given
  let decoder = given === undefined ? undefined : decoderOf(given)
  let held: Uint8Array = new Uint8Array(0)
  return {
    encoding: () => encoding ?? "utf-8",
    decode: (bytes) => {
      if (decoder !== undefined) return decoder.decode(bytes)
      held = concat([held, bytes])
      const [first] = held
      // One byte may be a half of the mark.
      if (first === undefined || (held.length === 1 && first >= 0xfe)) return Either.right("")
      encoding = charset.marked(held) ?? "utf-8"
      decoder = decoderOf(encoding)
      return decoder.decode(held)
    },
    isCut: () => decoder?.isCut() ?? held.length > 0
  }
}
