import type * as Language from "../../api/Language.js"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as ServiceKind from "../../api/ServiceKind.js"
import * as Text from "../../api/Text.js"
import * as Write from "../../api/Write.js"

/** The languages of the specification: "Language item (v2)", "Language resource (v3)", and the tables of parameters. */
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

const sources = codes.filter(isBase)

const textTargets = except(codes, "en", "he", "pt", "th", "vi")

/** The languages of glossaries, which are those of every kind. */
export const glossaryLanguages = { sources, targets: except(sources, "he", "th", "vi") }

const withFormality = Text.formalityTargets as ReadonlyArray<Code>

const styled: ReadonlyArray<Code> = ["de", "en", "es", "fr", "it", "ja", "ko", "zh"]

const isStyled = (code: Code) => styled.includes(LanguageCode.base(code) as Code)

const styledBases = new Set(Write.styledLanguages.map(LanguageCode.base))

/** The languages of text improvement whose variants take a style or a tone take it too. */
const takesStyle = (code: string): boolean => styledBases.has(LanguageCode.base(code))

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

/** The listings of a kind of service, by resource. */
const tableOf = (
  { name, writeTargets }: ServiceKind.ServiceKind,
  targets: ReadonlyArray<Code>
): { readonly [Name in Language.ResourceName]?: ResourceData } => ({
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
  glossary: { ...glossaryLanguages, features: [] },
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
    targets: writeTargets as ReadonlyArray<Code>,
    features: [
      { name: "writing_style", targets: writeTargets.filter(takesStyle) as ReadonlyArray<Code> },
      { name: "tone", targets: writeTargets.filter(takesStyle) as ReadonlyArray<Code> }
    ]
  },
  style_rules: { sources: [], targets: styled, features: [] },
  ...(name === ServiceKind.specification.name
    ? {}
    : { translation_memory: { sources, targets, features: [] } })
})

/** True if a target of text translation takes `more` and `less`. A variant that is not listed counts as its base. */
export const hasFormality = (target: string): boolean =>
  withFormality.includes((target in names ? target : LanguageCode.base(target)) as Code)

/** True if a code is listed on one side, or is the base of one that is: `en` of `en-GB`. */
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
  style_rules: " for style rules",
  translation_memory: " for translation memories"
}

/** An emulator's answers about languages. */
export class LanguageTable {
  private readonly beta: ReadonlyArray<string>
  private readonly table: ReturnType<typeof tableOf>
  /** The targets of all but texts. */
  private readonly targets: ReadonlyArray<Code>

  constructor(kind: ServiceKind.ServiceKind) {
    this.beta = kind.betaTargets
    this.targets = textTargets.filter((code) => !kind.betaTargets.includes(code))
    this.table = tableOf(kind, this.targets)
  }

  /** The resources with their features. */
  get resources(): ReadonlyArray<Language.Resource> {
    return Object.entries(this.table).map(([name, { features }]) => ({
      name,
      features: features.map(({ name, sources, targets }) => ({
        name,
        ...(sources === undefined ? undefined : { needsSourceSupport: true }),
        ...(targets === undefined ? undefined : { needsTargetSupport: true })
      }))
    }))
  }

  /** The languages of a resource: stable ones, and others that are asked for; `undefined` if there is no such resource. */
  readonly languages = ({
    include = [],
    resource
  }: Language.Query): ReadonlyArray<Language.Language> | undefined => {
    const listed = this.table[resource]
    if (listed === undefined) return undefined
    const { sources, targets } = listed
    const features = listed.features.filter(
      ({ isExternal }) => isExternal !== true || include.includes("external")
    )
    return codes
      .filter((code) => sources.includes(code) || targets.includes(code))
      .filter((code) => !this.isBeta(code) || include.includes("beta"))
      .map((code) => ({
        lang: code,
        name: names[code],
        usableAsSource: sources.includes(code),
        usableAsTarget: targets.includes(code),
        status: this.isBeta(code) ? "beta" : "stable",
        features: Object.fromEntries(
          features
            .filter(({ sources, targets }) => sources?.includes(code) || targets?.includes(code))
            .map(({ name }) => [name, { status: "stable" }])
        )
      }))
  }

  /** The older listing: stable languages of text translation, in uppercase. */
  readonly languagesV2 = ({ type = "source" }: Language.QueryV2): ReadonlyArray<Language.LanguageV2> =>
    (type === "source" ? sources : this.targets).map((code) => ({
      language: code.toUpperCase(),
      name: names[code],
      ...(type === "target" ? { supportsFormality: withFormality.includes(code) } : undefined)
    }))

  /** True if a target of text translation is in beta: for next-gen models only. */
  isBeta(target: string): boolean {
    return this.beta.includes(target)
  }

  /** The problem with the languages of a request to a resource, if there is one. */
  unsupported(resource: Language.ResourceName, { sources = {}, targets = {} }: Asked): string | undefined {
    const listed: Pick<ResourceData, "sources" | "targets"> = this.table[resource] ?? {
      sources: [],
      targets: []
    }
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
}
