import * as Chunk from "effect/Chunk"
import * as Either from "effect/Either"
import type { Transducer } from "./transducer.js"

/** Text to bytes. */
export const encoder = new TextEncoder()

const loneSurrogate = /[\uD800-\uDFFF]/u

/** Whether the text holds half of a surrogate pair, which UTF-8 cannot carry (an encoder would write U+FFFD). */
export const hasLoneSurrogate = (text: string): boolean => loneSurrogate.test(text)

/** The text without the carriage returns at its end. */
export const dropCarriageReturns = (text: string): string => {
  let end = text.length
  while (text.charCodeAt(end - 1) === 13) end--
  return end === text.length ? text : text.slice(0, end)
}

/** How often `part` occurs in `text` before `end`, from `start` on. */
export const countOf = (text: string, part: string, start = 0, end = text.length): number => {
  let count = 0
  for (let at = text.indexOf(part, start); at !== -1 && at < end; at = text.indexOf(part, at + 1)) count++
  return count
}

/** Decodes UTF-8 piece by piece, without a byte order mark at the start. */
interface Decoder {
  /** The text of the piece, or the text in front of the first malformed byte. */
  readonly decode: (bytes: Uint8Array) => Either.Either<string, string>
  /** Whether the input ended in the middle of a character. */
  readonly isCut: () => boolean
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80

const makeDecoder = (): Decoder => {
  // The mark is taken away here: the decoder of Node 24 takes away two if the first is cut between pieces.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  let started = false
  // The last bytes of what was decoded: enough to continue a character from, if one is cut here.
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

/** What is read from text that arrives in pieces. */
export interface TextReader<out O> {
  readonly onText: (piece: string) => void
  /** Bytes that are not UTF-8 come next. */
  readonly onMalformed: () => void
  readonly onEnd: () => void
  readonly hasProblem: () => boolean
  /** What was read since the last time. */
  readonly flush: () => O
}

/** Feeds a reader from bytes, up to its first problem. */
export const fromBytes = <O>(reader: TextReader<O>): Transducer<Uint8Array, O> => {
  const decoder = makeDecoder()
  return {
    push: (input) => {
      for (const bytes of Chunk.toReadonlyArray(input)) {
        const piece = decoder.decode(bytes)
        reader.onText(Either.merge(piece))
        if (!reader.hasProblem() && Either.isLeft(piece)) reader.onMalformed()
        if (reader.hasProblem()) break
      }
      return reader.flush()
    },
    end: () => {
      if (decoder.isCut()) reader.onMalformed()
      else reader.onEnd()
      return reader.flush()
    }
  }
}
