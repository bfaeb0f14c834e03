import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { type encodings, singleBytes } from "../../internal/encodings.js"
import { encoder, hasLoneSurrogate, makeDecoder } from "../../internal/utf8.js"
import type { Problem } from "./problem.js"

type SingleByte = (typeof singleBytes)[number]

/** The encoding of text. `latin1` is ISO-8859-1; `ascii` is US-ASCII. */
export type Encoding = (typeof encodings)[number]

export interface Decoded {
  /** A byte order mark stays in front. */
  readonly text: string
  readonly encoding: Encoding
}

/** Of windows-1252 those from 0x80 on. Some versions of Node read it as ISO-8859-1. */
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

/** The text of bytes in an encoding, or why they have none. */
export const decode = (bytes: Uint8Array, encoding: Encoding): Either.Either<string, unknown> => {
  if (encoding !== "latin1" && encoding !== "ascii" && encoding !== "windows-1252") {
    return Either.try(() => new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes))
  }
  const ofBytes = latin1(bytes).text
  return Either.right(
    encoding === "windows-1252"
      ? ofBytes.replace(/[\u0080-\u009f]/g, (character) => windows1252[character.charCodeAt(0) - 0x80]!)
      : ofBytes
  )
}

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

/** UTF-16 if the file begins with its byte order mark. */
export const marked = ([first, second]: Uint8Array): "utf-16le" | "utf-16be" | undefined =>
  first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : undefined

/** UTF-16 if the file begins with its byte order mark, else UTF-8. */
export const unicode = (bytes: Uint8Array): Either.Either<Decoded, Problem> => {
  const encoding = marked(bytes)
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

/** Names that the Encoding Standard takes for windows-1252. */
const latin1Names: ReadonlySet<string> = new Set([
  "iso-8859-1",
  "iso_8859-1",
  "iso8859-1",
  "latin1",
  "latin-1",
  "l1"
])
const asciiNames: ReadonlySet<string> = new Set(["us-ascii", "ascii", "ansi_x3.4-1968"])

const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80)

const singleByteOf = Option.liftThrowable((name: string) => {
  const { encoding } = new TextDecoder(name)
  return singleBytes.find((known) => known === encoding)
})

/** The decoder of an encoding of one byte a character, by its name in lower case; `undefined` for all others. */
export const singleByte = (
  name: string
): ((bytes: Uint8Array) => Either.Either<Decoded, Problem>) | undefined => {
  if (latin1Names.has(name)) return (bytes) => Either.right(latin1(bytes))
  if (asciiNames.has(name)) {
    return (bytes) => (isAscii(bytes) ? Either.right({ ...latin1(bytes), encoding: "ascii" }) : utf8(bytes))
  }
  const encoding = Option.getOrUndefined(singleByteOf(name))
  return (
    encoding &&
    ((bytes) =>
      Either.mapBoth(decode(bytes, encoding), {
        onLeft: (): Problem => ({
          line: 1,
          message: `there are bytes that ${encoding} has not, which the file says it is in: save it as UTF-8.`
        }),
        onRight: (text): Decoded => ({ text, encoding })
      }))
  )
}

const byteTable = (encoding: SingleByte): ReadonlyMap<string, number> =>
  new Map(
    Array.from({ length: 256 }, (_, byte) => byte).flatMap(
      (byte): ReadonlyArray<[string, number]> =>
        Either.match(decode(Uint8Array.of(byte), encoding), {
          onLeft: () => [],
          onRight: (character) => [[character, byte]]
        })
    )
  )

const byteTables = new Map<SingleByte, ReadonlyMap<string, number>>()

const bytesOf = (encoding: SingleByte): ReadonlyMap<string, number> => {
  const known = byteTables.get(encoding) ?? byteTable(encoding)
  byteTables.set(encoding, known)
  return known
}

const beyondAscii = /[^\u0000-\u007f]/gu

/** True if an encoding has all characters. */
export const isUnicode = (encoding: Encoding): boolean => encoding.startsWith("utf-")

/** Returns `true` for a character that an encoding has. */
export const holds = (encoding: Encoding): ((character: string) => boolean) => {
  switch (encoding) {
    case "utf-8":
    case "utf-16le":
    case "utf-16be":
      return () => true
    case "latin1":
      return (character) => character <= "\u00ff"
    case "ascii":
      return (character) => character <= "\u007f"
    default: {
      const known = bytesOf(encoding)
      return (character) => known.has(character)
    }
  }
}

const shownNames: Partial<Record<Encoding, string>> = { latin1: "ISO-8859-1", ascii: "US-ASCII" }

/** The text, if the encoding can hold it. */
export const check = (text: string, encoding: Encoding): Either.Either<string, Problem> => {
  if (hasLoneSurrogate(text)) {
    return Either.left({
      message: "the text holds half of a surrogate pair, which no encoding carries: repair it."
    })
  }
  return isUnicode(encoding) || (text.match(beyondAscii) ?? []).every(holds(encoding))
    ? Either.right(text)
    : Either.left({
        message: `the text holds characters that ${shownNames[encoding] ?? encoding} has not: save the file as UTF-8.`
      })
}

/** The bytes of a text that `check` has let through. */
export const encode = (text: string, encoding: Encoding): Uint8Array => {
  switch (encoding) {
    case "utf-8":
    case "ascii":
      return encoder.encode(text)
    case "latin1":
      return Uint8Array.from(text, (character) => character.charCodeAt(0))
    case "utf-16le":
    case "utf-16be": {
      const bytes = new Uint8Array(text.length * 2)
      const view = new DataView(bytes.buffer)
      for (let i = 0; i < text.length; i++) {
        view.setUint16(i * 2, text.charCodeAt(i), encoding === "utf-16le")
      }
      return bytes
    }
    default: {
      const known = bytesOf(encoding)
      return Uint8Array.from(text, (character) => known.get(character) ?? 0x3f)
    }
  }
}

/** Markup with references for characters that its encoding lacks, CDATA with some between its sections. */
export const withReferences = (markup: string, encoding: Encoding): string => {
  const isHeld = holds(encoding)
  const written = (before: string, after: string) => (text: string) =>
    text.replace(beyondAscii, (character) =>
      isHeld(character) ? character : `${before}&#${character.codePointAt(0)};${after}`
    )
  const inText = written("", "")
  const inCdata = written("]]>", "<![CDATA[")
  return markup
    .split(/(<!\[CDATA\[[\s\S]*?\]\]>)/)
    .map((piece, index) => (index % 2 === 0 ? inText(piece) : inCdata(piece)))
    .join("")
}
