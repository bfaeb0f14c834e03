import type * as Language from "../../api/Language.js"
import * as LanguageCode from "../../api/LanguageCode.js"

/** What the service says of one resource. */
export interface Catalogue {
  /** By code. */
  readonly languages: ReadonlyMap<string, Language.Language>
  readonly features: ReadonlyArray<Language.ResourceFeature>
}

export const make = (
  resource: Language.ResourceName,
  languages: ReadonlyArray<Language.Language>,
  resources: ReadonlyArray<Language.Resource>
): Catalogue => ({
  languages: new Map(languages.map((language) => [language.lang, language])),
  features: resources.find(({ name }) => name === resource)?.features ?? []
})

export type Side = "source" | "target"

/** The languages of a translation. Of a source that is not given nothing is asked. */
export interface Pair {
  readonly sourceLang?: string | undefined
  readonly targetLang: string
}

const usable = { source: "usableAsSource", target: "usableAsTarget" } as const

const needed = { source: "needsSourceSupport", target: "needsTargetSupport" } as const

/** The languages that may stand on a side. */
export const on = ({ languages }: Catalogue, side: Side): ReadonlyArray<Language.Language> =>
  Array.from(languages.values()).filter((language) => language[usable[side]])

/**
 * The language that a code means on a side, if it may stand there. A variant that is not listed is as its base, and so
 * is a source variant that is listed as a target only.
 */
export const find = ({ languages }: Catalogue, side: Side, code: string): Language.Language | undefined => {
  const subtags = LanguageCode.canonical(code).split("-")
  for (let length = subtags.length; length > 0; length--) {
    const language = languages.get(subtags.slice(0, length).join("-"))
    if (language?.[usable[side]] === true) return language
    if (language !== undefined && side === "target") return undefined
  }
  return undefined
}

const sides = ({ sourceLang, targetLang }: Pair): ReadonlyArray<readonly [Side, string]> =>
  sourceLang === undefined
    ? [["target", targetLang]]
    : [
        ["source", sourceLang],
        ["target", targetLang]
      ]

/** The sides on which a code may not stand. */
export const unusable = (catalogue: Catalogue, pair: Pair): ReadonlyArray<readonly [Side, string]> =>
  sides(pair).filter(([side, code]) => find(catalogue, side, code) === undefined)

/** Whether a language lists a feature. Its name may be any word, such as `constructor`. */
export const lists = (language: Language.Language, feature: string): boolean =>
  Object.hasOwn(language.features, feature)

/** The sides that should list a feature and don't; all of them if the resource has no such feature. */
export const lacking = (
  catalogue: Catalogue,
  feature: string,
  pair: Pair
): ReadonlyArray<readonly [Side, string]> => {
  const flags = catalogue.features.find(({ name }) => name === feature)
  return sides(pair).filter(([side, code]) => {
    const language = find(catalogue, side, code)
    if (language === undefined || flags === undefined) return true
    return flags[needed[side]] === true && !lists(language, feature)
  })
}
