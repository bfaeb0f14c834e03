import { make, mostSearched, ranges, whole } from "./check.js"
import { languageOf } from "./languages.js"

/** Words of Latin letters as a sentence has them. */
const words = /(?<![\w.\\/@-])[a-z]{2,}\s+(?:[a-z]{2,}\s+){2,}/

export const script = make(
  {
    name: "script",
    severity: "warning",
    explanation: "The translation has letters of a script that its language is not written in."
  },
  ({ source, targetLang, translation }) => {
    const { foreignLetter, letter } = languageOf(targetLang)
    if (foreignLetter.test(translation)) {
      const foreign = ranges(translation, new RegExp(`${foreignLetter.source}+`, "g"))
        .slice(0, mostSearched)
        .filter(({ end, start }) => !source.includes(translation.slice(start, end)))
      if (foreign.length > 0) return { source: [], translation: foreign }
    }
    return letter.test(translation) || source === translation || !words.test(translation)
      ? undefined
      : { source: [], translation: whole(translation) }
  }
)
