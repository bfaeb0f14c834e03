import * as Option from "effect/Option"
import { everything, make, type Pair } from "./check.js"
import { languageOf, lengthRatio } from "./languages.js"

/** Two sentences are often made one. */
const fewest = 3

/** Cheap to count: texts of fewer sentences are not segmented. */
const terminator = /[.!?…؟۔।։።](?=["'”’»)\]]*(?:\s|$))|[。！？]/g

const endsIn = (text: string): number =>
  (text.match(terminator)?.length ?? 0) + (text.match(/\n/g)?.length ?? 0)

/** A line that ends within a paragraph. */
const lineEnd = /\n(?![^\S\n]*\n)/g

/** A number, an initial or an abbreviation, after which a sentence goes on. */
const goesOn = /(?:^|[\s(])(?:\p{L}|\d{1,2})\.\s*$/u

const letter = /\p{L}/u

const segmenters = new Map<string | undefined, Intl.Segmenter>()

const segmenterOf = (code: string | undefined): Intl.Segmenter => {
  let segmenter = segmenters.get(code)
  if (segmenter === undefined) {
    const locale = Option.liftThrowable(Intl.getCanonicalLocales)(code)
    segmenter = new Intl.Segmenter(Option.getOrUndefined(locale), { granularity: "sentence" })
    segmenters.set(code, segmenter)
  }
  return segmenter
}

const countSentences = (text: string, code: string | undefined): number => {
  let count = 0
  let hasLetter = false
  for (const { segment } of segmenterOf(code).segment(text.replace(lineEnd, " "))) {
    hasLetter ||= letter.test(segment)
    if (!hasLetter || goesOn.test(segment)) continue
    count++
    hasLetter = false
  }
  return hasLetter ? count + 1 : count
}

/** `Intl.Segmenter` of V8 takes quadratic time: 32,000 characters took seconds. */
const longest = 4000

/** Languages that part sentences by spaces, as they do clauses. */
const unmarked = new Set(["th", "lo"])

const canSegment = ({ source, targetLang, translation }: Pair): boolean =>
  "Segmenter" in Intl &&
  source.length <= longest &&
  translation.length <= longest &&
  !unmarked.has(languageOf(targetLang).name)

const countLines = (text: string): number => text.split("\n").filter((line) => letter.test(line)).length

const hasFewer = (expected: number, actual: () => number): boolean =>
  expected >= fewest && actual() < expected

export const sentences = make(
  {
    name: "sentences",
    severity: "warning",
    explanation:
      "The translation has fewer sentences or lines than the source, and is shorter than translations usually are."
  },
  (pair) => {
    const { source, sourceLang, targetLang, translation } = pair
    // Sentences may be joined. Then the translation is as long as others are. The last one may have no end.
    if (lengthRatio(pair) >= 1.05 || endsIn(source) < fewest - 1) return undefined
    return (canSegment(pair) &&
      hasFewer(countSentences(source, sourceLang), () => countSentences(translation, targetLang))) ||
      hasFewer(countLines(source), () => countLines(translation))
      ? everything(pair)
      : undefined
  }
)
