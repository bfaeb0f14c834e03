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

const englishIntroductions = [
  "Here is the translation:",
  "Sure! Here's the translation:",
  "Translation:",
  "The translated text is as follows:",
  "Certainly, here is the translated text:"
]

const englishNotes = [
  "Note: I kept the technical terms in English.",
  "(Note: The product name was left untranslated.)",
  "Let me know if you need any changes!",
  "I hope this helps.",
  "Please note that the exact wording may vary depending on the context.",
  "Translation note: there is no direct equivalent for this phrase."
]

const englishRefusals = [
  "As an AI language model, I cannot translate this text.",
  "I'm sorry, but I can't help with that.",
  "Sorry, I can't assist with this request.",
  "I am unable to provide a translation of this content.",
  "Please provide the text that you would like me to translate.",
  "I can't translate this because it may violate our content policy."
]

const englishRefusal: Make = (_, { random }) => ({ translation: random.pick(englishRefusals) })

const englishIntroduction: Make = ({ translation }, { random }) => ({
  translation: `${random.pick(englishIntroductions)}${random.pick(["\n", "\n\n", " "])}${translation}`
})

const englishNote: Make = ({ translation }, { random }) => ({
  translation: `${translation}${random.pick(["\n", "\n\n", " "])}${random.pick(englishNotes)}`
})

/** The same text in the other script of Chinese, from ten characters on. */
const otherChinese: Make = ({ source, translation }, { elsewhere, language }) => {
  const found = elsewhere(source).find(
    ([other]) => other.startsWith("zh") && language.startsWith("zh") && other !== language
  )
  return found === undefined ||
    matchesOf(found[1], /\p{Script=Han}/gu).length < 10 ||
    found[1] === translation
    ? undefined
    : { translation: found[1] }
}

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

const goal = 0.97

export const ofLanguage: ReadonlyArray<Fault> = [
  {
    name: "another language, from 80 characters on",
    make: another(haveSameScript, 80, Number.POSITIVE_INFINITY)
  },
  { name: "another language, shorter", make: another(haveSameScript, 20, 80) },
  { name: "another script", make: another(isOfScript, 10, Number.POSITIVE_INFINITY) },
  { name: "the other script of Chinese", goal: 0.99, make: otherChinese },
  { name: "refusal of a model", goal, make: refusal },
  { name: "introduction of a model", goal, make: introduction },
  { name: "note of a model", make: note },
  { name: "refusal in English", goal, make: englishRefusal },
  { name: "introduction in English", goal, make: englishIntroduction },
  { name: "note in English", goal, make: englishNote },
  { name: "term of the glossary not used", make: otherTerm }
]
