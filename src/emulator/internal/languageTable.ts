import type * as Language from "../../api/Language.js"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Text from "../../api/Text.js"
import * as Write from "../../api/Write.js"

/** What the specification says of languages: "Language item (v2)", "Language resource (v3)", and the tables of parameters. */
const names = {
  ar: "Arabic",
  bg: "Bulgarian",
  cs: "Czech",
  da: "Danish",
  de: "German",
  "de-CH": "German (Swiss)",
  el: "Greek",
  en: "English",
  "en-GB": "English (British)",
  "en-US": "English (American)",
  es: "Spanish",
  "es-419": "Spanish (Latin American)",
  et: "Estonian",
  fi: "Finnish",
  fr: "French",
  "fr-CA": "French (Canadian)",
  he: "Hebrew",
  hu: "Hungarian",
  id: "Indonesian",
  it: "Italian",
  ja: "Japanese",
  ko: "Korean",
  lt: "Lithuanian",
  lv: "Latvian",
  nb: "Norwegian (Bokmål)",
  nl: "Dutch",
  pl: "Polish",
  pt: "Portuguese",
  "pt-BR": "Portuguese (Brazilian)",
  "pt-PT": "Portuguese (European)",
  ro: "Romanian",
  ru: "Russian",
  sk: "Slovak",
  sl: "Slovenian",
  sv: "Swedish",
  th: "Thai",
  tr: "Turkish",
  uk: "Ukrainian",
  vi: "Vietnamese",
  zh: "Chinese",
  "zh-Hans": "Chinese (simplified)",
  "zh-Hant": "Chinese (traditional)"
} as const

type Code = keyof typeof names

const codes = Object.keys(names) as ReadonlyArray<Code>

const isBase = (code: Code) => !code.includes("-")

const except = (list: ReadonlyArray<Code>, ...absent: ReadonlyArray<Code>): ReadonlyArray<Code> =>
  list.filter((code) => !absent.includes(code))

/** Targets in beta: not billed, and for next-gen models only. */
const beta = LanguageCode.betaTargets as ReadonlyArray<Code>

const sources = codes.filter(isBase)

const textTargets = except(codes, "en", "he", "pt", "th", "vi")

const targets = except(textTargets, ...beta)

const withFormality = Text.formalityTargets as ReadonlyArray<Code>

const styled: ReadonlyArray<Code> = ["de", "en", "es", "fr", "it", "ja", "ko", "zh"]

const isStyled = (code: Code) => styled.includes(LanguageCode.base(code) as Code)

const writeStyled = Write.styledLanguages as ReadonlyArray<Code>

/** The languages that list a feature, by side. A side is left out if it need not list the feature. */
interface FeatureData {
  readonly name: string
  readonly sources?: ReadonlyArray<Code>
  readonly targets?: ReadonlyArray<Code>
  /** Relies on a third party. */
  readonly isExternal?: boolean
}

interface ResourceData {
  readonly sources: ReadonlyArray<Code>
  readonly targets: ReadonlyArray<Code>
  readonly features: ReadonlyArray<FeatureData>
}

const table: { readonly [Name in Language.ResourceName]: ResourceData } = {
  translate_text: {
    sources,
    targets: textTargets,
    features: [
      { name: "formality", targets: withFormality },
      { name: "style_rules", targets: textTargets.filter(isStyled) },
      { name: "tag_handling", sources, targets: textTargets },
      { name: "glossary", sources, targets: textTargets },
      { name: "auto_detection", sources }
    ]
  },
  translate_document: {
    sources,
    targets,
    features: [
      { name: "formality", targets: except(withFormality, "es-419") },
      { name: "style_rules", targets: targets.filter(isStyled) },
      { name: "glossary", sources, targets },
      { name: "auto_detection", sources }
    ]
  },
  glossary: { sources, targets: except(sources, "he", "th", "vi"), features: [] },
  voice: {
    sources,
    targets,
    features: [
      { name: "glossary", sources, targets },
      { name: "spoken_terms", sources },
      { name: "translated_speech", targets, isExternal: true }
    ]
  },
  write: {
    sources: [...styled, "pt"],
    targets: Write.targetLanguages,
    features: [
      { name: "writing_style", targets: writeStyled },
      { name: "tone", targets: writeStyled }
    ]
  },
  style_rules: { sources: [], targets: styled, features: [] }
}

/** The resources with their features. */
export const resources: ReadonlyArray<Language.Resource> = Object.entries(table).map(
  ([name, { features }]) => ({
    name,
    features: features.map(({ name, sources, targets }) => ({
      name,
      ...(sources === undefined ? undefined : { needsSourceSupport: true }),
      ...(targets === undefined ? undefined : { needsTargetSupport: true })
    }))
  })
)

/** The languages of a resource: stable ones, and what else is asked for. */
export const languages = ({ include = [], resource }: Language.Query): ReadonlyArray<Language.Language> => {
  const { features, sources, targets } = table[resource]
  const listed = features.filter(({ isExternal }) => isExternal !== true || include.includes("external"))
  return codes
    .filter((code) => sources.includes(code) || targets.includes(code))
    .filter((code) => !beta.includes(code) || include.includes("beta"))
    .map((code) => ({
      lang: code,
      name: names[code],
      usableAsSource: sources.includes(code),
      usableAsTarget: targets.includes(code),
      status: beta.includes(code) ? "beta" : "stable",
      features: Object.fromEntries(
        listed
          .filter(({ sources, targets }) => sources?.includes(code) || targets?.includes(code))
          .map(({ name }) => [name, { status: "stable" }])
      )
    }))
}

/** The older listing: stable languages of text translation, in uppercase. */
export const languagesV2 = ({ type = "source" }: Language.QueryV2): ReadonlyArray<Language.LanguageV2> =>
  (type === "source" ? sources : targets).map((code) => ({
    language: code.toUpperCase(),
    name: names[code],
    ...(type === "target" ? { supportsFormality: withFormality.includes(code) } : undefined)
  }))

/** Whether a target of text translation is in beta. */
export const isBeta = (target: string): boolean => beta.includes(target as Code)

/** Whether a target of text translation takes `more` and `less`. A variant that is not listed counts as its base. */
export const hasFormality = (target: string): boolean =>
  withFormality.includes((target in names ? target : LanguageCode.base(target)) as Code)

/** Whether a code is listed on one side, or is the base of one that is: `en` of `en-GB`. */
const isUsable = (list: ReadonlyArray<Code>, code: string): boolean =>
  list.some((listed) => listed === code || LanguageCode.base(listed) === code)

/** Languages of a request, by the names that they have there. A source may be a variant of one that is listed. */
export interface Asked {
  readonly sources?: { readonly [field: string]: string | undefined }
  readonly targets?: { readonly [field: string]: string | undefined }
}

const purposes: { readonly [Name in Language.ResourceName]: string } = {
  translate_text: "",
  translate_document: " for documents",
  glossary: " for glossaries",
  voice: " for voice",
  write: " here",
  style_rules: " for style rules"
}

/** What is wrong with the languages of a request to a resource, if something is. */
export const unsupported = (
  resource: Language.ResourceName,
  { sources = {}, targets = {} }: Asked
): string | undefined => {
  const listed = table[resource]
  const isTarget = (code: string) =>
    resource === "write" ? listed.targets.includes(code as Code) : isUsable(listed.targets, code)
  const isSource = (code: string) =>
    isUsable(listed.sources, code) || (code in names && isUsable(listed.sources, LanguageCode.base(code)))
  const unknown = (asked: NonNullable<Asked["sources"]>, isKnown: (code: string) => boolean) =>
    Object.entries(asked).find(([, code]) => code !== undefined && !isKnown(LanguageCode.canonical(code)))
  const found = unknown(targets, isTarget) ?? unknown(sources, isSource)
  return found === undefined
    ? undefined
    : `${found[0]} ${found[1]} is not supported${purposes[resource]}: GET /v3/languages?resource=${resource} lists the languages`
}
