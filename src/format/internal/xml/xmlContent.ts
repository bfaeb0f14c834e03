import * as Either from "effect/Either"
import type { Problem } from "../../Format.js"
import * as inlineCodes from "./inlineCodes.js"
import * as xmlText from "./xmlText.js"

const lettersOrDigits = /[\p{L}\p{N}]/u

/** The name of an encoding in the XML declaration, in lower case. */
export const declaredEncoding = (text: string): string | undefined =>
  /^\uFEFF?<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/
    .exec(text.slice(0, 1024))?.[1]
    ?.toLowerCase()

/** The content of an element for a translator: XML with short tags for codes, without the whitespace around it. */
export const textOf = (pieces: ReadonlyArray<inlineCodes.Piece>): string => inlineCodes.textOf(pieces).trim()

export const hasLetters = (pieces: ReadonlyArray<inlineCodes.Piece>): boolean =>
  pieces.some((piece) => piece.type === "text" && lettersOrDigits.test(inlineCodes.plain(piece)))

/** Writes the text of CDATA, with whitespace in front of it and behind it where the pieces have the same. */
const cdataWriter =
  (texts: ReadonlyArray<inlineCodes.Text>) =>
  (text: string): Either.Either<string, Problem> => {
    const body = text.trim()
    if (body === "") return Either.right(text)
    const isOutside = (piece: inlineCodes.Text, whitespace: string) =>
      !piece.isCdata && piece.raw === whitespace
    const before = text.slice(0, text.length - text.trimStart().length)
    const after = text.slice(text.trimEnd().length)
    const start = isOutside(texts[0]!, before) ? before : ""
    const end = isOutside(texts.at(-1)!, after) ? after : ""
    return Either.map(
      xmlText.cdata(text.slice(start.length, text.length - end.length)),
      (cdata) => start + cdata + end
    )
  }

/** Returns the writer for such pieces: CDATA if all of theirs is. */
const writerOf = (
  pieces: ReadonlyArray<inlineCodes.Piece>
): ((text: string) => Either.Either<string, Problem>) => {
  const texts = pieces.filter((piece) => piece.type === "text")
  const isCdata =
    texts.some((piece) => piece.isCdata) && texts.every((piece) => piece.isCdata || piece.raw.trim() === "")
  if (isCdata) return cdataWriter(texts)
  const style = xmlText.styleOf(texts.map(({ raw }) => raw).join(""))
  return (text) => xmlText.escape(text, style)
}

/**
 * Writes a translation of all of a content, as another one writes characters. Left if it has other codes, or characters that XML cannot
 * hold.
 */
export const writeAll = (
  source: ReadonlyArray<inlineCodes.Piece>,
  translation: string,
  like: ReadonlyArray<inlineCodes.Piece>
): Either.Either<string, Problem> => {
  const writeText = writerOf(like)
  return Either.flatMap(inlineCodes.restore(source, translation), (written) =>
    Either.map(
      Either.all(
        written.map((piece) => (piece.type === "raw" ? Either.right(piece.raw) : writeText(piece.text)))
      ),
      (all) => all.join("")
    )
  )
}

/** Writes a translation of a content without the whitespace around it, which stays. Otherwise as `writeAll`. */
export const write = (
  pieces: ReadonlyArray<inlineCodes.Piece>,
  translation: string
): Either.Either<string, Problem> => {
  const whole = inlineCodes.textOf(pieces)
  const before = whole.slice(0, whole.length - whole.trimStart().length)
  const after = whole.slice(Math.max(before.length, whole.trimEnd().length))
  return writeAll(pieces, before + translation + after, pieces)
}
