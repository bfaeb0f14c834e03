const openers = new Set(Buffer.from("[{"))
const closers = new Set(Buffer.from("]}"))
const quote = 34
const backslash = 92

/** The end of the string that begins before this place. */
const stringEnd = (bytes: Buffer, start: number): number => {
  for (let at = bytes.indexOf(quote, start); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let escapes = 0
    while (bytes[at - 1 - escapes] === backslash) escapes++
    if (escapes % 2 === 0) return at
  }
  return bytes.length
}

/** Whether JSON is nested deeper than this. It is asked before anything walks down the levels, which would use up the stack. */
export const isNestedDeeper = (content: Uint8Array, levels: number): boolean => {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  let level = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === quote) at = stringEnd(bytes, at + 1)
    else if (openers.has(byte)) {
      if (++level > levels) return true
    } else if (closers.has(byte)) level--
  }
  return false
}
