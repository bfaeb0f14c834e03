/** Faults in what a translation says: nothing, the same, too often, or not all. */
import type { Translation } from "../catalogues.js"
import type { Random } from "../random.js"
import { blankOf, matchesOf, type Piece, replace, sentencesOf, wordsOf } from "../text.js"
import type { Fault, Make, Plant } from "./fault.js"

const empty: Make = (_, { random }) => ({ translation: random.pick(["", " ", "\n", "\u00a0", "\u200b"]) })

/** Whether there is something to translate: words, and not only names of options and placeholders. */
const hasProse = (text: string, least: number) =>
  (text.match(/(?<=^|[\s("'])[A-Za-z][a-z]{2,}(?=$|[\s)"'.,:;!?])/g)?.length ?? 0) >= least

const characters = (text: string) => [...text].length

const longSource: Make = ({ source }) =>
  characters(source) >= 20 && hasProse(source, 3) ? { translation: source } : undefined

/** The source as it is, but for its full stop. */
const nearlySource: Make = (pair, context) => {
  if (longSource(pair, context) === undefined) return undefined
  const source = pair.source.trimEnd()
  const change = context.random.pick([
    source.replace(/[.:!?…]+$/, ""),
    source.replace(/[.:!?…]*$/, context.random.pick([".", "!", " .", "…", "。"]))
  ])
  return change === source ? undefined : { translation: change }
}

/** It goes on in English behind its middle. */
const halfEnglish: Make = ({ source, translation }, { language }) => {
  const [inSource, inTranslation] = [wordsOf(source, "en"), wordsOf(translation, language)]
  if (inSource.length < 8 || inTranslation.length < 6 || !hasProse(source, 6)) return undefined
  const from = inSource[inSource.length >> 1]!.start
  const to = inTranslation[(inTranslation.length >> 1) - 1]!.end
  return { translation: `${translation.slice(0, to)} ${source.slice(from)}` }
}

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

/** Once more, as a sentence or a line of its own. */
const twice: Make = ({ translation }, { language, random }) =>
  wordsOf(translation, language).length >= 3
    ? { translation: `${translation}${random.pick([" ", "\n", "\n\n", blankOf(language)])}${translation}` }
    : undefined

/** It ends within the word that stands at 60 % of its length. */
const cut: Make = ({ source, translation }, { language }) => {
  const words = wordsOf(translation, language)
  const at = translation.length * 0.6
  const word = words.find(({ end, start }) => start < at && end > at && end - start >= 2)
  if (word === undefined || words.length < 5 || !hasProse(source, 5)) return undefined
  const within = Math.min(Math.max(Math.floor(at), word.start + 1), word.end - 1)
  return { translation: translation.slice(0, within) }
}

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

/** Pairs of one line each, one below the other. */
const lines =
  (bullet: string, least: number, most: number): Plant =>
  (pair, { pairs, random }) => {
    const isLine = ({ source, translation }: Translation) =>
      !/\n/.test(source + translation) &&
      !/^[\s*\-–—\d]/.test(source) &&
      source !== translation &&
      hasProse(source, 2)
    if (!isLine(pair)) return undefined
    const count = least + random.below(most - least + 1)
    const others = Array.from({ length: count * 4 }, () => random.pick(pairs)).filter(isLine)
    const all = [pair, ...others.slice(0, count - 1)]
    const join = (of: (each: Translation) => string) => all.map((each) => `${bullet}${of(each)}`).join("\n")
    return {
      ...pair,
      source: join(({ source }) => source),
      translation: join(({ translation }) => translation)
    }
  }

const itemLeftOut: Make = ({ translation }, { random }) => {
  const items = translation.split("\n")
  return items.length < 3
    ? undefined
    : { translation: items.toSpliced(random.below(items.length), 1).join("\n") }
}

/** One end of a line, or all of them, are lost. */
const linesJoined: Make = ({ source, translation }, { language, random }) => {
  const ends = matchesOf(translation.trim(), /(?<=\S)\n(?=\S)/g)
  if (ends.length === 0 || ends.length !== matchesOf(source.trim(), /(?<=\S)\n(?=\S)/g).length)
    return undefined
  const blank = blankOf(language)
  return {
    translation:
      random.below(2) === 0
        ? translation.trim().replaceAll("\n", blank)
        : replace(translation.trim(), random.pick(ends), blank)
  }
}

const goal = 0.97

const exactly =
  (count: number, make: Make): Make =>
  (pair, context) =>
    sentencesOf(pair.source, "en").length === count ? make(pair, context) : undefined

export const wording: ReadonlyArray<Fault> = [
  { name: "empty", goal, make: empty },
  { name: "the source, from 20 characters on", goal, make: longSource },
  { name: "the source with another full stop", goal, make: nearlySource },
  { name: "second half in English", goal, make: halfEnglish },
  { name: "the source, shorter", make: shortSource },
  { name: "word repeated", goal, make: repeated(1, 1) },
  { name: "phrase repeated", goal, make: repeated(2, 4) },
  { name: "all repeated", goal, make: repeatedWhole },
  { name: "the whole twice", goal, make: twice },
  { name: "one word for a sentence", make: oneWord },
  { name: "cut within a word at 60 %", goal: 0.7, make: cut },
  {
    name: "sentence of three or more left out",
    goal,
    make: dropped(3, (sentences, random) => sentences[random.below(sentences.length)]!)
  },
  {
    name: "sentence of two left out",
    goal: 0.6,
    make: exactly(
      2,
      dropped(2, (sentences, random) => random.pick(sentences))
    )
  },
  { name: "item of a list left out", goal, plant: lines("- ", 3, 6), make: itemLeftOut },
  { name: "lines joined", goal, make: linesJoined },
  { name: "lines of three or more joined", goal, plant: lines("", 3, 6), make: linesJoined }
]
