import { isOmission } from "./alignment.js"
import { everything, make, mostSearched, type Pair } from "./check.js"
import { languageOf } from "./languages.js"

/** The end of a sentence or of a paragraph. */
const end = /(?<![.!?…؟۔।։።])[.!?…؟۔।։።]+["'”’»)\]]*(?=\s)|[。！？]+["'”’」』）)]*|\n/gu

/** A number, an initial or an abbreviation, after which a sentence goes on: `1.`, `A.`, `e.g.`, `z. B.`. */
const goesOn = /(?:^|[\s(„«"“])(?:\p{L}|\d{1,3}|(?:\p{L}\.)+ ?\p{L})\.$/u

/** A sentence does not begin like this. */
const continues = /^\s*[\p{Ll}\p{Pd},;:)]/u

/** Scripts without small letters: what follows is a name. */
const caseless = /\p{Lo}/u

const letter = /\p{L}/u

/** The sentences of a text, or its lines. Those without letters belong to the next. */
const sentencesOf = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let [start, seen] = [0, 0]
  let hasLetter = false
  const add = (to: number) => {
    hasLetter ||= letter.test(text.slice(seen, to))
    seen = to
    if (!hasLetter) return
    found.push(text.slice(start, to))
    start = to
    hasLetter = false
  }
  for (const { 0: match, index } of text.matchAll(end)) {
    const to = index + match.length
    const isWithin =
      match !== "\n" &&
      (goesOn.test(text.slice(Math.max(start, to - 12), to)) ||
        (continues.test(text.slice(to, to + 8)) && !caseless.test(text.slice(Math.max(start, to - 3), to))))
    if (!isWithin) add(to)
  }
  add(text.length)
  return found
}

/** Cheap to tell: most texts have one sentence. */
const mayHaveTwo = /[.!?…؟۔।։።]["'”’»)\]]*\s|[。！？]["'”’」』）)]*.|\n/su

/** A line of a list. */
const item = /^\s*(?:[-*•·‣+・]|\d{1,3}[.)、]|\(\d{1,3}\))\s*(?=\S)/u

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => letter.test(line))

const countItems = (lines: ReadonlyArray<string>): number => lines.filter((line) => item.test(line)).length

const firstWord = /^\s*\S+/u

/** A sentence or an introduction ends with its line. */
const endOfLine = /[.!?:]\s*$/

/** The lines of a paragraph are longer, in UTF-16 code units. */
const narrowest = 40

/**
 * The lines that end where more words have room: a paragraph that is broken into lines has none. A line that goes on with a small letter
 * ends so only if there is more room. If all lines but the widest one end so, that one does too.
 */
const countEnds = (lines: ReadonlyArray<string>): number => {
  const widths = lines.map((line) => line.length)
  const width = widths.reduce((most, each) => Math.max(most, each), 0)
  if (width < narrowest) return lines.length - 1
  const found = lines.slice(1).filter((line, index) => {
    const room = width - widths[index]! - 1 - firstWord.exec(line)![0].length
    return continues.test(line) ? room >= width * 0.2 : room >= 0 || endOfLine.test(lines[index]!)
  }).length
  return found === lines.length - 2 && found > 0 && widths.indexOf(width) < lines.length - 1
    ? found + 1
    : found
}

const hasLostLines = ({ source, translation }: Pair): boolean => {
  if (!source.includes("\n")) return false
  if (source.endsWith("\n") && !translation.endsWith("\n")) return true
  const lines = linesOf(source)
  const translations = linesOf(translation)
  if (lines.length < 2 || translations.length >= lines.length) return false
  const items = countItems(lines)
  return (items >= 2 && countItems(translations) < items) || translations.length < 1 + countEnds(lines)
}

/** A line that ends within a paragraph. */
const lineEnd = /\n(?![^\S\n]*\n)/g

/** Names and numbers. */
const name = /[\p{Lu}\d][\w.+#-]{2,}/gu

/** The cost of an alignment that leaves out a name which the translation has. */
const omissionOfName = 2

/** Counts the names in each sentence that no other has, and that the translation has too. */
const countKept = (
  sentences: ReadonlyArray<string>,
  { source, translation }: Pair
): ReadonlyArray<number> => {
  let left = mostSearched
  const isKept = (each: string) =>
    left-- > 0 && translation.includes(each) && source.indexOf(each) === source.lastIndexOf(each)
  return sentences.map((sentence) => (sentence.match(name) ?? []).filter(isKept).length)
}

/** Texts of more sentences are looked at by their lines alone: to align them takes their product. */
const most = 200

const hasLostSentences = (pair: Pair): boolean => {
  const { source, sourceLang = "en", targetLang, translation } = pair
  if (!mayHaveTwo.test(source)) return false
  const target = languageOf(targetLang)
  const hasLines = translation.includes("\n") && countEnds(linesOf(source)) > 0
  const split = (text: string) => sentencesOf(hasLines ? text : text.replace(lineEnd, " "))
  const sentences = split(source)
  const translations = target.hasFullStops ? split(translation) : [translation]
  if (translations.length >= sentences.length || sentences.length > most) return false
  const kept = countKept(sentences, pair)
  const { measure } = languageOf(sourceLang)
  return isOmission(
    sentences.map((sentence, index) => ({
      length: measure(sentence),
      omission: omissionOfName * kept[index]!
    })),
    translations.map(target.measure)
  )
}

export const sentences = make(
  {
    name: "sentences",
    version: "2",
    severity: "warning",
    explanation:
      "The translation has fewer sentences or lines than the source, and is shorter than translations usually are."
  },
  (pair) => (hasLostLines(pair) || hasLostSentences(pair) ? everything(pair) : undefined)
)
