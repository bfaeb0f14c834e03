/** Faults in what a translation says: nothing, the same, too often, or not all. */
import type { Random } from "../random.js"
import { blankOf, type Piece, replace, sentencesOf, wordsOf } from "../text.js"
import type { Fault, Make } from "./fault.js"

const empty: Make = (_, { random }) => ({ translation: random.pick(["", " ", "\n", "\u00a0", "\u200b"]) })

/** Whether there is something to translate: words, and not only names of options and placeholders. */
const hasProse = (text: string, least: number) =>
  (text.match(/(?<=^|[\s("'])[A-Za-z][a-z]{2,}(?=$|[\s)"'.,:;!?])/g)?.length ?? 0) >= least

const characters = (text: string) => [...text].length

const longSource: Make = ({ source }) =>
  characters(source) >= 20 && hasProse(source, 3) ? { translation: source } : undefined

const shortSource: Make = ({ source }) =>
  characters(source) < 20 && hasProse(source, 1) ? { translation: source } : undefined

/** From the start of a word to the end of one that follows. */
const phrase = (words: ReadonlyArray<Piece>, length: number, random: Random): Omit<Piece, "text"> => {
  const first = random.below(words.length - length + 1)
  return { start: words[first]!.start, end: words[first + length - 1]!.end }
}

const times = (random: Random) => 3 + random.below(10)

/** A word or some, in their place; a word has two letters or more. */
const repeated =
  (least: number, most: number): Make =>
  ({ translation }, { language, random }) => {
    const words = wordsOf(translation, language).filter(({ text }) => text.length >= 2)
    if (words.length < least) return undefined
    const length = least + random.below(Math.min(most, words.length) - least + 1)
    const { end, start } = phrase(words, length, random)
    const copies = Array.from({ length: times(random) }, () => translation.slice(start, end))
    return { translation: replace(translation, { start, end }, copies.join(blankOf(language))) }
  }

const repeatedWhole: Make = ({ translation }, { language, random }) =>
  wordsOf(translation, language).length >= 3
    ? { translation: Array.from({ length: times(random) }, () => translation).join(blankOf(language)) }
    : undefined

const oneWord: Make = ({ source, translation }, { language, random }) => {
  const words = wordsOf(translation, language).filter(({ text }) => text.length >= 2)
  return words.length >= 4 && hasProse(source, 5) ? { translation: random.pick(words).text } : undefined
}

/** Sentences of a text that has as many in the other language, none of which is a mere number or abbreviation. */
const sentencesOfBoth = (
  source: string,
  translation: string,
  language: string
): ReadonlyArray<Piece> | undefined => {
  const inSource = sentencesOf(source, "en")
  const found = sentencesOf(translation, language)
  const isSame = found.length === inSource.length && inSource.every(({ text }) => hasProse(text, 3))
  return isSame && found.every(({ text }) => wordsOf(text, language).length >= 3) ? found : undefined
}

const dropped =
  (least: number, which: (sentences: ReadonlyArray<Piece>, random: Random) => Piece): Make =>
  ({ source, translation }, { language, random }) => {
    const sentences = hasProse(source, least * 3) ? sentencesOfBoth(source, translation, language) : undefined
    return sentences !== undefined && sentences.length >= least
      ? { translation: replace(translation, which(sentences, random), "").trimEnd() }
      : undefined
  }

export const wording: ReadonlyArray<Fault> = [
  { name: "empty", goal: 0.95, make: empty },
  { name: "the source, from 20 characters on", goal: 0.85, make: longSource },
  { name: "the source, shorter", make: shortSource },
  { name: "word repeated", goal: 0.95, make: repeated(1, 1) },
  { name: "phrase repeated", goal: 0.95, make: repeated(2, 4) },
  { name: "all repeated", goal: 0.95, make: repeatedWhole },
  { name: "one word for a sentence", make: oneWord },
  {
    name: "sentence of three or more left out",
    goal: 0.95,
    make: dropped(3, (sentences, random) => sentences[random.below(sentences.length - 1)]!)
  },
  { name: "last sentence left out", make: dropped(2, (sentences) => sentences.at(-1)!) }
]
