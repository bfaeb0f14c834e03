import * as Either from "effect/Either"

/** Text to bytes. */
export const encoder = new TextEncoder()

/** True if the text holds half of a surrogate pair, which UTF-8 cannot carry (an encoder would write U+FFFD). */
export const hasLoneSurrogate = (text: string): boolean => !text.isWellFormed()

/** The number of bytes that the text takes in UTF-8. */
export const byteLength = (text: string): number => {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    // Each half of a pair takes two of the four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2
  }
  return bytes
}

/** Bytes of a text as a JSON string in UTF-8, quotes and escapes included, as `JSON.stringify` writes it. */
export const jsonBytes = (text: string): number =>
  escapedOrWide.test(text) ? measure(text) : text.length + 2

const escapedOrWide = /[^ !#-[\]-~]/

const measure = (text: string): number => {
  let bytes = text.length + 2
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) {
      if (unit >= 0x20) {
        if (unit === 0x22 || unit === 0x5c) bytes++
      } else {
        bytes += (unit >= 0x08 && unit <= 0x0a) || unit === 0x0c || unit === 0x0d ? 1 : 5
      }
    } else if (unit < 0x800) {
      bytes++
    } else if (unit < 0xd800 || unit > 0xdfff) {
      bytes += 2
    } else if (unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 2
      i++
    } else {
      bytes += 5
    }
  }
  return bytes
}

/** Decodes UTF-8 piece by piece. */
export interface Decoder {
  /** The text of the piece, or the text in front of the first malformed byte. */
  readonly decode: (bytes: Uint8Array) => Either.Either<string, string>
  /** Returns `true` if the input ended in the middle of a character. */
  readonly isCut: () => boolean
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80

/** A decoder of one input, which takes away a byte order mark at the start unless told to keep it. */
export const makeDecoder = (options?: { readonly keepsMark: boolean }): Decoder => {
  // The mark is taken away here: the decoder of Node 24 takes away two if the first is cut between pieces.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  let started = options?.keepsMark === true
  // The last decoded bytes: enough to continue a character from, if one is cut here.
  let tail = new Uint8Array(0)

  const withoutMark = (text: string): string => {
    if (started || text === "") return text
    started = true
    return text.startsWith("\uFEFF") ? text.slice(1) : text
  }

  const textBeforeError = (bytes: Uint8Array): string => {
    const retry = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
    const start = tail.findIndex((byte) => !isContinuation(byte))
    if (start !== -1) retry.decode(tail.subarray(start), { stream: true })
    let text = ""
    for (let i = 0; i < bytes.length; i++) {
      const next = Either.try(() => retry.decode(bytes.subarray(i, i + 1), { stream: true }))
      if (Either.isLeft(next)) break
      text += next.right
    }
    return text
  }

  return {
    decode: (bytes) => {
      const text = Either.try(() => decoder.decode(bytes, { stream: true })).pipe(
        Either.mapBoth({ onLeft: () => withoutMark(textBeforeError(bytes)), onRight: withoutMark })
      )
      const kept = new Uint8Array([...tail, ...bytes.subarray(-3)])
      tail = kept.slice(-3)
      return text
    },
    isCut: () => Either.isLeft(Either.try(() => decoder.decode()))
  }
}
