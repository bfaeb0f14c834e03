import type { RecordEnds } from "../../Format.js"
import { findDelimiter, findNewline, preface } from "./csvRows.js"

const quote = 0x22
const lineFeed = 0x0a
const blank = 0x20
const byteOrderMark = [0xef, 0xbb, 0xbf]

/** Where in a record a byte is. */
const fieldStart = 0
const unquoted = 1
const quoted = 2
const afterQuote = 3
const broken = 4

/** Records that end with LF or CRLF: a quoted field may hold line breaks. Behind a quote that is misplaced there are none. */
const make = (delimiter: number): RecordEnds => {
  let state: number = fieldStart
  let read = 0
  return (bytes) => {
    const ends: Array<number> = []
    for (let at = 0; at < bytes.length && state !== broken; at++) {
      const byte = bytes[at]!
      if (read < byteOrderMark.length && byte === byteOrderMark[read]) {
        read++
        continue
      }
      read = byteOrderMark.length
      if (state === quoted) {
        if (byte === quote) state = afterQuote
      } else if (byte === delimiter) state = fieldStart
      else if (byte === lineFeed) {
        state = fieldStart
        ends.push(at + 1)
      } else if (state !== unquoted) {
        if (byte === quote) state = quoted
        else if (state === fieldStart) state = unquoted
        // Whitespace may follow a quote, and the CR of CRLF.
        else if (byte > blank) state = broken
      }
    }
    return ends
  }
}

/**
 * Finds the ends of records without reading their fields.
 *
 * @param head the beginning of the file, which shows the delimiter
 */
export const csvEnds = (
  delimiter: string | undefined,
  columns: ReadonlyArray<string>,
  head: string
): RecordEnds | undefined => {
  const text = head.replace(/^\uFEFF/, "")
  // A line in front of the header is in no record, and a line end of UTF-16 is no byte.
  if (preface.test(text) || text.includes("\u0000")) return undefined
  const found = delimiter ?? findDelimiter(columns)(text, false)
  if (found?.length !== 1 || found.charCodeAt(0) >= 0x80) return undefined
  return findNewline(text, found) === "\n" ? make(found.charCodeAt(0)) : undefined
}
