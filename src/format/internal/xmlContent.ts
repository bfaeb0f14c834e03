import * as Either from "effect/Either"
import type { Problem } from "../Format.js"
import * as inlineCodes from "./inlineCodes.js"
import * as xmlText from "./xmlText.js"

/** The content of an element of XML, or a part of it, as a translator gets it. */
export interface Content {
  readonly pieces: ReadonlyArray<inlineCodes.Piece>
  /** XML with short tags for what is in it, without the blanks around it. */
  readonly text: string
  readonly hasLetters: boolean
  /** Writes a translation as content of the same style. Left if it has other codes, or characters that XML cannot hold. */
  readonly write: (translation: string) => Either.Either<string, Problem>
}

const lettersOrDigits = /[\p{L}\p{N}]/u

/** The name of an encoding in the XML declaration, in lower case. */
export const declaredEncoding = (text: string): string | undefined =>
  /^\uFEFF?<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/
    .exec(text.slice(0, 1024))?.[1]
    ?.toLowerCase()

/** What ISO-8859-1 has not as references. */
const withReferences = (text: string): string =>
  text.replace(/[^\u0000-\u00ff]/gu, (character) => `&#${character.codePointAt(0)};`)

/** Reads pieces of content. `isLatin1` says that the file holds only characters of ISO-8859-1. */
export const make = (pieces: ReadonlyArray<inlineCodes.Piece>, isLatin1 = false): Content => {
  const texts = pieces.filter((piece) => piece.type === "text")
  const isCdata =
    texts.some((piece) => piece.isCdata) && texts.every((piece) => piece.isCdata || piece.raw.trim() === "")
  const whole = inlineCodes.textOf(pieces)
  const text = whole.trim()
  const before = whole.slice(0, whole.length - whole.trimStart().length)
  const after = text === "" ? "" : whole.slice(whole.trimEnd().length)
  const style = xmlText.styleOf(texts.map(({ raw }) => raw).join(""))
  const writeText = (written: string): Either.Either<string, Problem> => {
    if (written === "") return Either.right("")
    if (isCdata) return xmlText.cdata(written)
    const escaped = xmlText.escape(written, style)
    return isLatin1 ? Either.map(escaped, withReferences) : escaped
  }
  return {
    pieces,
    text,
    hasLetters: texts.some((piece) => lettersOrDigits.test(inlineCodes.plain(piece))),
    write: (translation) =>
      Either.flatMap(inlineCodes.restore(pieces, before + translation + after), (written) =>
        Either.map(
          Either.all(
            written.map((piece) => (piece.type === "raw" ? Either.right(piece.raw) : writeText(piece.text)))
          ),
          (all) => all.join("")
        )
      )
  }
}
