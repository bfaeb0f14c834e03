/**
 * The emulator's answer instead of a translation: the text itself, marked with the target language and accented, so that
 * people recognise it and tests predict it.
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
 * Sources of glossary entries that occur as whole words in the same casing are replaced by their targets, which get no
 * accents: `the House` with `House` as `Haus` becomes `[de] thé Haus`. If several sources match at a position, the longest
 * one wins, and of equal ones the first.
 *
 * Elements of `ignoreTags` stay as they are, including their content.
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
