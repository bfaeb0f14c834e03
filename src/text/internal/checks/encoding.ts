import { make, mostSearched, type Pair, type Range, ranges } from "./check.js"
import { languageOf } from "./languages.js"

const nothing: ReadonlyArray<Range> = []

/** Bytes from 0x80 to 0x9f as Windows-1252 shows them. */
const windows = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ"

/** A byte behind the first one of a letter in UTF-8, as a character of Latin-1 or Windows-1252. */
const byte = `[\\x80-\\xbf${windows}]`

const bytes = new RegExp(`[\\xc2-\\xdf]${byte}|[\\xe0-\\xef]${byte}{2}|\\xf0[\\x9fŸ]${byte}{2}`, "g")

const byteOf = (character: string): number => {
  const at = windows.indexOf(character)
  return at === -1 ? character.charCodeAt(0) : 0x80 + at
}

/** The character that UTF-8 writes with these bytes. */
const decode = (text: string): string => {
  const [first, ...others] = Array.from(text, byteOf)
  return String.fromCodePoint(
    others.reduce((code, each) => code * 64 + (each & 63), first! & (127 >> (others.length + 1)))
  )
}

/** Letters of Latin, Greek and the scripts of India and Thailand, punctuation, Kana and pictures. */
const common =
  /[\xa0-\u017f\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u0386-\u03ce\u0900-\u0eff\u1e00-\u30ff\uff01-\uff5e\u{1f000}-\u{1faff}]/u

/** UTF-8 that was read in another encoding: `Ã¤` for `ä`. */
const misread = ({ source, targetLang, translation }: Pair): ReadonlyArray<Range> => {
  const { letter } = languageOf(targetLang)
  return ranges(translation, bytes)
    .slice(0, mostSearched)
    .filter(({ end, start }) => {
      const found = translation.slice(start, end)
      const decoded = decode(found)
      return (common.test(decoded) || (!letter.unicode && letter.test(decoded))) && !source.includes(found)
    })
}

const questionMark = /[?？؟]/g

const questionMarks = (text: string): number => text.match(questionMark)?.length ?? 0

/** Where no question ends. */
const inText = /\?{2,}|\?(?=[\p{L}\p{M}]|[.,:;…]|["')\]»”]?\s+[\p{Ll}\p{Lo}])|\s\?(?=\s+[^\p{Lu}])/gu

/** Texts without a question mark that are translated as questions. */
const asks =
  /^\W*(?:are|can|could|did|do|does|have|how|if|is|shall|should|what|when|where|whether|which|who|why|will|would)\b/i

/** Between blanks and before hyphens, too, where a text asks nothing. */
const inStatement = new RegExp(`${inText.source}|\\s\\?(?=\\s+\\S)|\\?(?=[-'’"“]\\p{L})`, "gu")

/** Anywhere but alone in quotes, and at the end of brackets. */
const inLabel = /\?(?![)）])(?<!["'“„‘«]\?(?=["'”“’»]))/gu

/** Labels ask nothing. More words may be a question of the translator. */
const mostOfLabel = 3

const isLatin = /\p{Script=Latin}/u

const isLabel = (text: string): boolean =>
  isLatin.test(text) && text.split(/\s+/, mostOfLabel + 1).length <= mostOfLabel

/** Letters that a program could not write: `H?user`. */
const lost = ({ source, translation }: Pair): ReadonlyArray<Range> => {
  if (!translation.includes("?")) return nothing
  const expected = questionMarks(source)
  if (questionMarks(translation) <= expected) return nothing
  const isStatement = expected === 0 && !asks.test(source)
  return ranges(translation, !isStatement ? inText : isLabel(translation) ? inLabel : inStatement)
}

const escapes: ReadonlyArray<RegExp> = [
  /\\u\{?[\da-f]{2,6}|\\x[\da-f]{2}|\\[23]\d{2}/gi,
  /&amp;(?=#?\w{1,31};)/g,
  /(?<![&\p{L}\d])(?:#\d{2,5}|amp|[lg]t|quot|nbsp|hellip|[mn]dash|[lr](?:aquo|arr|[sd]quo));/gu,
  /&#(?:19\d|[2-9]\d\d|[1-7]\d{3}|\d{5}|x[c-f][\da-f]|x[1-9a-f]?[\da-f]{3});/gi
]

const markup = /&#?\w{1,31};/

/** Entities of characters that even a person who writes markup has as they are, where the source has them so. */
const entities: ReadonlyArray<readonly [entity: RegExp, character: RegExp]> = [
  [/&(?:amp|#0*38|#x0*26);/gi, /&(?!#?\w{1,31};)/],
  [/&(?:apos|#0*39|#x0*27);/gi, /'/],
  [/&(?:quot|#0*34|#x0*22);/gi, /"/],
  [/&(?:lt|#0*60|#x0*3c);/gi, /<(?![A-Za-z/])/],
  [/&(?:gt|#0*62|#x0*3e);/gi, /(?<![\w"'/])>/]
]

/** Characters that are escaped in the translation alone, or wrongly: `\u00e4`, `&amp;amp;`, `&#39;`, `lt;`. */
const escaped = ({ source, translation }: Pair): ReadonlyArray<Range> => {
  const found = escapes.flatMap((pattern) => (source.match(pattern) ? nothing : ranges(translation, pattern)))
  if (!translation.includes("&")) return found
  const isPlain = !markup.test(source)
  return found.concat(
    entities.flatMap(([entity, character]) =>
      source.match(entity) || !(isPlain || character.test(source)) ? nothing : ranges(translation, entity)
    )
  )
}

/** The characters that each of these needs: far cheaper to look for. */
const mayHold = new RegExp(`[?\\\\&;]|[\\xc2-\\xf0]${byte}`)

export const encoding = make(
  {
    name: "encoding",
    version: "2",
    severity: "warning",
    explanation:
      "Letters of the translation are question marks, or were read in another encoding, or are escaped."
  },
  (pair) => {
    if (!mayHold.test(pair.translation)) return undefined
    const translation = [...misread(pair), ...lost(pair), ...escaped(pair)]
    return translation.length === 0 ? undefined : { source: [], translation }
  }
)
