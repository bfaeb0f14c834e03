import * as Either from "effect/Either"
import type { Problem } from "../Format.js"
import * as inlineCodes from "./inlineCodes.js"
import * as xmlText from "./xmlText.js"

const lettersOrDigits = /[\p{L}\p{N}]/u

/** The name of an encoding in the XML declaration, in lower case. */
export const declaredEncoding = (text: string): string | undefined =>
  /^\uFEFF?<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/
    .exec(text.slice(0, 1024))?.[1]
    ?.toLowerCase()

/** What ISO-8859-1 has not as references. */
const withReferences = (text: string): string =>
  text.replace(/[^\u0000-\u00ff]/gu, (character) => `&#${character.codePointAt(0)};`)

/** What a translator gets of the content of an element: XML with short tags for what is in it, without the blanks around it. */
export const textOf = (pieces: ReadonlyArray<inlineCodes.Piece>): string => inlineCodes.textOf(pieces).trim()

export const hasLetters = (pieces: ReadonlyArray<inlineCodes.Piece>): boolean =>
  pieces.some((piece) => piece.type === "text" && lettersOrDigits.test(inlineCodes.plain(piece)))

/** How text of such pieces is written: as CDATA if all of it is. */
const writerOf = (
  pieces: ReadonlyArray<inlineCodes.Piece>,
  isLatin1: boolean
): ((text: string) => Either.Either<string, Problem>) => {
  const texts = pieces.filter((piece) => piece.type === "text")
  const isCdata =
    texts.some((piece) => piece.isCdata) && texts.every((piece) => piece.isCdata || piece.raw.trim() === "")
  if (isCdata) return (text) => (text === "" ? Either.right("") : xmlText.cdata(text))
  const style = xmlText.styleOf(texts.map(({ raw }) => raw).join(""))
  return (text) => {
    const escaped = xmlText.escape(text, style)
    return isLatin1 ? Either.map(escaped, withReferences) : escaped
  }
}

/**
 * Writes a translation as content in the style of its source. Left if it has other codes, or characters that XML cannot hold.
 * `isLatin1` says that the file holds only characters of ISO-8859-1.
 */
export const write = (
  pieces: ReadonlyArray<inlineCodes.Piece>,
  translation: string,
  isLatin1: boolean
): Either.Either<string, Problem> => {
  const whole = inlineCodes.textOf(pieces)
  const before = whole.slice(0, whole.length - whole.trimStart().length)
  const after = whole.slice(Math.max(before.length, whole.trimEnd().length))
  const writeText = writerOf(pieces, isLatin1)
  return Either.flatMap(inlineCodes.restore(pieces, before + translation + after), (written) =>
    Either.map(
      Either.all(
        written.map((piece) => (piece.type === "raw" ? Either.right(piece.raw) : writeText(piece.text)))
      ),
      (all) => all.join("")
    )
  )
}
