/**
 * What the emulator answers instead of a translation: the text itself, marked with the target language and
 * accented, so that people recognise it and tests predict it.
 *
 * @since 0.1.0
 */
import type * as GlossaryEntries from "../api/GlossaryEntries.js"
import * as phrases from "./internal/phrases.js"
import * as pseudoTranslation from "./internal/pseudoTranslation.js"

/**
 * Marks a text with the target language and accents its Latin letters: `Hello {name}` in `de` becomes
 * `[de] Héllö {name}`. Tags, placeholders, entities and surrounding whitespace stay as they are; a blank text
 * stays blank.
 *
 * A glossary's entries replace their sources, where these are whole words in the same casing, by their targets, which
 * stay without accents: `the House` with `House` as `Haus` becomes `[de] thé Haus`. From the left on, the longest source
 * wins, and the first of equal ones.
 *
 * Elements of `ignoreTags` stay as they are, with all that is in them.
 *
 * @since 0.1.0
 * @category codecs
 */
export const translate = (
  text: string,
  targetLang: string,
  entries?: GlossaryEntries.GlossaryEntries,
  ignoreTags: ReadonlyArray<string> = []
): string =>
  pseudoTranslation.translate(
    text,
    targetLang,
    entries === undefined ? undefined : phrases.make(entries),
    pseudoTranslation.codeWith(ignoreTags)
  )
