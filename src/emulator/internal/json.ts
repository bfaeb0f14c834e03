const quote = 34
const backslash = 92
const comma = 44
const openers = new Set(Buffer.from("[{"))
const closers = new Set(Buffer.from("]}"))

/** Far more than any request of the contract has. */
const maxLevels = 32

/** Values of a body, or fields of a form. Each costs much more time and memory than its bytes. */
export const maxValues = 10_000

const tooMany = `The body holds more than ${maxValues} values`

/** The end of the string that begins before this place. */
const stringEnd = (bytes: Buffer, start: number): number => {
  for (let at = bytes.indexOf(quote, start); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let escapes = 0
    while (bytes[at - 1 - escapes] === backslash) escapes++
    if (escapes % 2 === 0) return at
  }
  return bytes.length
}

/** Why JSON must not be parsed, if it must not. Walking down its levels would use up the stack. */
export const problem = (content: Uint8Array): string | undefined => {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  let level = 0
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === quote) at = stringEnd(bytes, at + 1)
    else if (byte === comma || openers.has(byte)) {
      if (++values > maxValues) return tooMany
      if (byte !== comma && ++level > maxLevels)
        return `The body is nested more than ${maxLevels} levels deep`
    } else if (closers.has(byte)) level--
  }
  return undefined
}

/** Why a form must not be parsed, if it must not. */
export const formProblem = (content: Uint8Array): string | undefined => {
  let fields = 0
  for (let at = content.indexOf(38); at >= 0; at = content.indexOf(38, at + 1)) {
    if (++fields > maxValues) return tooMany
  }
  return undefined
}
