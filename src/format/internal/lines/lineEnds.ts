import type { RecordEnds } from "../../Format.js"

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Lines that end with LF or CRLF. Those that end with CR alone are not parted. */
export const lines = (): RecordEnds => (bytes) => {
  const ends: Array<number> = []
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) ends.push(at + 1)
  return ends
}

/** Paragraphs, which end with an empty line. */
export const paragraphs = (): RecordEnds => {
  /** True if nothing came since the last line break. */
  let isEmpty = false
  return (bytes) => {
    const ends: Array<number> = []
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] === lineFeed) {
        if (isEmpty) ends.push(at + 1)
        isEmpty = true
      } else if (bytes[at] !== carriageReturn) isEmpty = false
    }
    return ends
  }
}
