import * as Either from "effect/Either"
import type { Problem } from "../../Format.js"
import * as charset from "../charset.js"

/** The name of an encoding in a `meta` element or an XML declaration. Comments may hold one as well. */
const declared =
  /(?:<meta\b[^>]{0,200}?\bcharset|<\?xml\b[^>]{0,200}?\bencoding)\s*=\s*["']?\s*([A-Za-z][\w.:-]{0,40})/i

/** The encoding that browsers read for the one that a page names. */
const asBrowsersDo = (name: string): string =>
  /^(?:iso-?8859-1|iso_8859-1|latin-?1|l1|us-ascii|ascii)$/.test(name) ? "windows-1252" : name

const withoutComments = (head: string): string => head.replace(/<!--[\s\S]*?(?:-->|$)/g, "")

/**
 * Unicode if there is a byte order mark or the bytes are UTF-8, or else the encoding that the file names. Of one whose bytes are all ASCII it
 * has the characters that the encoding has, as browsers read it by its name.
 */
export const decode = (bytes: Uint8Array): Either.Either<charset.Decoded, Problem> => {
  const read = charset.unicode(bytes)
  const name = declared
    .exec(withoutComments(charset.latin1(bytes.subarray(0, 4096)).text))?.[1]
    ?.toLowerCase()
  if (name === undefined || name === "utf-8" || name === "utf8") return read
  const isAscii = Either.isRight(read) && !/[^\u0000-\u007f]/.test(read.right.text)
  if (Either.isRight(read) && !isAscii) return read
  return (
    charset.singleByte(asBrowsersDo(name))?.(bytes) ??
    Either.map(read, (decoded): charset.Decoded => ({ ...decoded, encoding: "ascii" }))
  )
}
