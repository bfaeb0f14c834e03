/** Listings of languages tell the checks of later requests what a target allows. */
import type * as Language from "../../../api/Language.js"
import type { Languages } from "./requestRules.js"

/** Takes a listing. One without beta and third parties does not show the features that a language lacks. */
export const learnList = (
  known: Languages,
  { include = [], resource }: Language.Query,
  languages: ReadonlyArray<Language.Language>
): void => {
  if (resource === "write") {
    for (const { lang, usableAsTarget } of languages) if (usableAsTarget) known.improved.add(lang)
  }
  if (resource !== "translate_text" && resource !== "translate_document") return
  const isWhole = include.includes("beta") && include.includes("external")
  for (const language of languages) {
    const before = isWhole ? undefined : known.find(resource, language.lang)
    if (!language.usableAsTarget) continue
    known.learn(resource, language.lang, {
      hasFormality: Object.hasOwn(language.features, "formality") || before?.hasFormality === true,
      isBeta: language.status === "beta"
    })
  }
}

/** Takes the older listing, which is of texts. */
export const learnListV2 = (known: Languages, languages: ReadonlyArray<Language.LanguageV2>): void => {
  for (const { language, supportsFormality } of languages) {
    if (supportsFormality === undefined) continue
    const isBeta = known.find("translate_text", language)?.isBeta === true
    known.learn("translate_text", language, { hasFormality: supportsFormality, isBeta })
  }
}
