import * as Either from "effect/Either"
import type { Problem } from "../../Format.js"
import * as charset from "../charset.js"
import { declaredEncoding } from "./xmlContent.js"

const unicodeNames = new Set([
  "utf-8",
  "utf8",
  "utf-16",
  "utf16",
  "utf-16le",
  "utf-16be",
  "us-ascii",
  "ascii"
])

/** Left if the XML declaration names an encoding that is not read. */
export const checkEncoding = (name: string | undefined): Either.Either<void, Problem> =>
  name === undefined || unicodeNames.has(name.toLowerCase())
    ? Either.void
    : Either.left({
        line: 1,
        column: 1,
        message: "the XML declaration names an encoding that is not read: save the file as UTF-8."
      })

/** UTF-16 with a byte order mark, an encoding of one byte a character if the XML declaration says so, or else UTF-8. */
export const decode = (bytes: Uint8Array): Either.Either<charset.Decoded, Problem> => {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const head = isUtf16 ? "" : charset.latin1(bytes.subarray(0, 1024)).text
  const name = declaredEncoding(head)
  const decodeBytes = name === undefined ? undefined : charset.singleByte(name)
  return decodeBytes?.(bytes) ?? Either.flatMap(checkEncoding(name), () => charset.unicode(bytes))
}
