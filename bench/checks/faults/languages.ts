/** Faults of language: another one, words of a model about itself, another term than the glossary says. */
import { areVarieties, haveSameScript, type Language } from "../languages.js"
import { selfTalk } from "../selfTalk.js"
import { matchesOf, replace, wordsOf } from "../text.js"
import type { Context, Fault, Make } from "./fault.js"

/** The translation of the same text into another language, of a length and with words. */
const another =
  (isSuch: (language: Language, other: Language) => boolean, from: number, below: number): Make =>
  ({ source, translation }, { elsewhere, language, random }) => {
    const found = elsewhere(source).filter(
      ([other, text]) =>
        !areVarieties(language, other) &&
        isSuch(language, other) &&
        text !== translation &&
        text !== source &&
        text.length >= from &&
        text.length < below &&
        wordsOf(text, other).length >= 4
    )
    return found.length === 0 ? undefined : { translation: random.pick(found)[1] }
  }

const isOfScript = (language: Language, other: Language) => !haveSameScript(language, other)

const refusal: Make = (_, { language, random }) => ({ translation: random.pick(selfTalk[language].refusals) })

const introduction: Make = ({ translation }, { language, random }) => ({
  translation: `${random.pick(selfTalk[language].introductions)}${random.pick(["\n", "\n\n", " "])}${translation}`
})

const note: Make = ({ translation }, { language, random }) => ({
  translation: `${translation}${random.pick(["\n", "\n\n", " "])}${random.pick(selfTalk[language].notes)}`
})

/** Another word stands where the word of the glossary stood, and all of its forms that begin alike. */
const otherTerm: Make = ({ source, translation }, { language, random, terms }: Context) => {
  const words = matchesOf(source, /(?<![\w-])[A-Za-z]?[a-z]{3,}(?![\w-])/g)
  const inTranslation = wordsOf(translation, language)
  for (const { text } of words) {
    const target = terms.get(text.toLowerCase())
    if (target === undefined) continue
    const found = inTranslation.filter((word) => word.text.toLowerCase() === target)
    if (found.length === 0) continue
    const other = random.pick([...terms.values()])
    const changed = found.reduceRight((whole, word) => replace(whole, word, other), translation)
    return changed.toLowerCase().includes(target)
      ? undefined
      : { translation: changed, glossary: new Map([[text, target]]) }
  }
  return undefined
}

export const ofLanguage: ReadonlyArray<Fault> = [
  {
    name: "another language, from 80 characters on",
    make: another(haveSameScript, 80, Number.POSITIVE_INFINITY)
  },
  { name: "another language, shorter", make: another(haveSameScript, 20, 80) },
  { name: "another script", make: another(isOfScript, 10, Number.POSITIVE_INFINITY) },
  { name: "refusal of a model", make: refusal },
  { name: "introduction of a model", make: introduction },
  { name: "note of a model", make: note },
  { name: "term of the glossary not used", make: otherTerm }
]
