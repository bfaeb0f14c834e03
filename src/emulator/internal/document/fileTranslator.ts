import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import * as LanguageCode from "../../../api/LanguageCode.js"
import * as Text from "../../../api/Text.js"
import { isBlank } from "../../../internal/texts.js"
import { detect } from "../detect.js"
import type { Phrases } from "../phrases.js"
import * as pseudoTranslation from "../pseudoTranslation.js"

/** The document cannot be translated, such as a file whose content is not of its type: its status becomes `error`. */
export class DocumentFailure extends Data.TaggedError("DocumentFailure")<{ readonly message: string }> {}

/** Translates the texts of a file, and leaves everything else in it as it is. */
export type FileTranslator = (
  content: Uint8Array,
  translator: TextTranslator
) => Effect.Effect<Uint8Array, DocumentFailure>

/** Translates the texts of one document, and counts their characters. */
export interface TextTranslator {
  /** Only the first text of a paragraph gets the mark of the language. */
  readonly translate: (text: string, isContinued?: boolean) => string
  /** The text is markup: tags and entities stay, and tags are not counted. */
  readonly translateMarkup: (text: string) => string
  /** Code points of all texts so far, without the whitespace around each. */
  readonly characters: () => number
}

const tag = /(<[/!?a-z][^<>]*>)/i

/** Translates by pseudo-translation. A text that is in the target language already is counted, and stays as it is. */
export const makeTextTranslator = (
  targetLang: string,
  phrases: Phrases | undefined,
  sourceLang: string | undefined
): TextTranslator => {
  const target = LanguageCode.base(targetLang)
  let characters = 0
  const translate = (text: string, isContinued = false) =>
    pseudoTranslation.mapTrimmed(text, (trimmed) => {
      characters += Text.characters(trimmed)
      if (LanguageCode.base(sourceLang ?? detect(trimmed)) === target) return trimmed
      return isContinued
        ? pseudoTranslation.accented(trimmed, phrases)
        : pseudoTranslation.translate(trimmed, targetLang, phrases)
    })
  return {
    translate,
    translateMarkup: (text) => {
      let isContinued = false
      return text
        .split(tag)
        .map((piece, index) => {
          if (index % 2 === 1 || isBlank(piece)) return piece
          const translated = translate(piece, isContinued)
          isContinued = true
          // The target of a glossary may hold one.
          return piece.includes("<") ? translated : translated.replaceAll("<", "&lt;")
        })
        .join("")
    },
    characters: () => characters
  }
}
