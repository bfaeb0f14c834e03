import * as Text from "../../../api/Text.js"
import { mapCore } from "../core.js"
import type { Phrases } from "../phrases.js"
import * as pseudoTranslation from "../pseudoTranslation.js"

/** How the texts of one document are worded in another language, and how many characters they had. */
export interface Wording {
  /** Puts a text; one that continues a paragraph gets no mark of the language. */
  readonly put: (text: string, isContinued?: boolean) => string
  /** Code points of all that was put, without the whitespace around each text. */
  readonly characters: () => number
}

/** A wording by pseudo-translation. */
export const make = (targetLang: string, phrases: Phrases | undefined, isUnchanged: boolean): Wording => {
  let characters = 0
  return {
    put: (text, isContinued = false) =>
      mapCore(text, (core) => {
        characters += Text.characters(core)
        if (isUnchanged) return core
        return isContinued
          ? pseudoTranslation.accented(core, phrases)
          : pseudoTranslation.translate(core, targetLang, phrases)
      }),
    characters: () => characters
  }
}

/** Whether a text is none. */
export const isBlank = (text: string): boolean => text.trim() === ""
