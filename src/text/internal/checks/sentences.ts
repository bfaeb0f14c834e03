import { isOmission } from "./alignment.js"
import { everything, make, type Pair } from "./check.js"
import { languageOf } from "./languages.js"

/** The end of a sentence or of a paragraph. */
const end = /[.!?…؟۔।։።]+["'”’»)\]]*(?=\s)|[。！？]+["'”’」』）)]*|\n\s*\n/gu

/** A number, an initial or an abbreviation, after which a sentence goes on: `1.`, `A.`, `e.g.`, `z. B.`. */
const goesOn = /(?:^|[\s(„«"“])(?:\p{L}|\d{1,3}|(?:\p{L}\.)+ ?\p{L})\.$/u

/** A sentence does not begin like this. */
const continues = /^\s*[\p{Ll}\p{Pd},;:)]/u

const letter = /\p{L}/u

/** The sentences of a text. Those without letters belong to the next. */
const sentencesOf = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let start = 0
  const add = (to: number) => {
    const sentence = text.slice(start, to)
    if (!letter.test(sentence)) return
    found.push(sentence)
    start = to
  }
  for (const { 0: match, index } of text.matchAll(end)) {
    const to = index + match.length
    const isParagraph = match.startsWith("\n")
    const isWithin =
      !isParagraph &&
      (goesOn.test(text.slice(Math.max(start, to - 12), to)) || continues.test(text.slice(to, to + 8)))
    if (!isWithin) add(to)
  }
  add(text.length)
  return found
}

/** Cheap to tell: most texts have one sentence. */
const mayHaveTwo = /[.!?…؟۔।։።]["'”’»)\]]*\s|[。！？]["'”’」』）)]*.|\n/su

const lineStart = /^[ \t]*(?:[-*•·+]|\d{1,3}[.)])?[ \t]*/u

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => letter.test(line))

/** True if no line goes on with the sentence of the line before. */
const areItems = (lines: ReadonlyArray<string>): boolean =>
  lines.length >= 2 && lines.every((line) => !continues.test(line.replace(lineStart, "")))

const hasLostLines = ({ source, translation }: Pair): boolean => {
  if (!source.includes("\n")) return false
  const lines = linesOf(source)
  return areItems(lines) && linesOf(translation).length < lines.length
}

/** Languages that part sentences by spaces, as they do clauses. */
const unmarked = new Set(["th", "lo"])

const hasLostSentences = ({ source, sourceLang = "en", targetLang, translation }: Pair): boolean => {
  if (!mayHaveTwo.test(source)) return false
  const target = languageOf(targetLang)
  const sentences = sentencesOf(source)
  const translations = unmarked.has(target.name) ? [translation] : sentencesOf(translation)
  return (
    translations.length < sentences.length &&
    isOmission(sentences.map(languageOf(sourceLang).measure), translations.map(target.measure))
  )
}

export const sentences = make(
  {
    name: "sentences",
    severity: "warning",
    explanation:
      "The translation has fewer sentences or lines than the source, and is shorter than translations usually are."
  },
  (pair) => (hasLostLines(pair) || hasLostSentences(pair) ? everything(pair) : undefined)
)
