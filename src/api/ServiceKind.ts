/**
 * Kinds of services: the differences between the service of the specification and others of its shape. They are all
 * here, as data: another difference is a line in a row.
 *
 * @since 0.1.0
 */

/**
 * The rules that a kind of service may have relaxed, so that no request is refused for them.
 *
 * @since 0.1.0
 * @category constants
 */
export const rules = [
  "languages",
  "limits",
  "documentTypes",
  "glossaryWithoutSource",
  "glossaryWithoutDictionaries",
  "latencyWithTagHandlingV2",
  "latencyWithStyle",
  "latencyWithInstructions",
  "latencyWithMemory"
] as const

/**
 * A rule that a kind of service may have relaxed. `RequestChecks` says what each of them refuses.
 *
 * @since 0.1.0
 * @category models
 */
export type Rule = (typeof rules)[number]

/**
 * The differences between services of this shape. None of it is part of what identifies a stored translation.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServiceKind {
  /** Its name in `LANGUAGE_SERVICE_KIND`. */
  readonly name: string
  /** The hosts where services of this kind are known to be. */
  readonly hosts: ReadonlyArray<string>
  /** The word before the key in the `Authorization` header, unless the credentials have their own. */
  readonly scheme: string
  /** The header that brings the custom tag of a request, unless the tag has its own. */
  readonly customTagHeader: string
  /** The rules that no request is refused for, unless `RequestChecks` says otherwise. */
  readonly relaxed: ReadonlyArray<Rule>
  /** The targets of text translation that are in beta: they take the model `quality_optimized` only. */
  readonly betaTargets: ReadonlyArray<string>
  /** The targets that a forecast counts nothing for, as the service does not bill them. A budget reserves them in full all the same. */
  readonly freeTargets: ReadonlyArray<string>
  /** The languages that texts are improved in. */
  readonly writeTargets: ReadonlyArray<string>
  /** The extensions of the documents that it takes. */
  readonly documentTypes: ReadonlyArray<string>
  /** The most bytes of a document, by its extension, where a limit is known. */
  readonly documentBytes: { readonly [extension: string]: number }
}

/**
 * The service of the specification.
 *
 * Source: service specification, Authentication, 1; Resources, "Language item (v2)"; Endpoints, Text improvement and Document translation,
 * "Supported input types"; wire facts, Decisions.
 *
 * @since 0.1.0
 * @category constants
 */
export const specification = {
  name: "specification",
  hosts: [],
  scheme: "Service-Auth-Key",
  customTagHeader: "X-Custom-Tag",
  relaxed: [],
  betaTargets: ["de-CH", "fr-CA"],
  freeTargets: ["de-CH", "fr-CA"],
  writeTargets: ["de", "en-GB", "en-US", "es", "fr", "it", "ja", "ko", "pt-BR", "pt-PT", "zh", "zh-Hans"],
  documentTypes: [
    ...["docx", "doc", "pptx", "xlsx", "pdf", "htm", "html", "txt", "xlf", "xliff", "srt"],
    ...["jpeg", "jpg", "png"]
  ],
  documentBytes: {}
} as const satisfies ServiceKind

/**
 * The public service of this shape, DeepL's API.
 *
 * Source: wire facts, "What the public service has learned since" and "Translation memories, the whole group".
 *
 * @since 0.1.0
 * @category constants
 */
export const deepl: ServiceKind = {
  ...specification,
  name: "deepl",
  hosts: ["api.deepl.com", "api-free.deepl.com"],
  scheme: "DeepL-Auth-Key",
  customTagHeader: "X-DeepL-Reporting-Tag",
  relaxed: [
    "documentTypes",
    "glossaryWithoutSource",
    "glossaryWithoutDictionaries",
    "latencyWithTagHandlingV2",
    "latencyWithStyle",
    "latencyWithInstructions",
    "latencyWithMemory"
  ],
  betaTargets: [],
  freeTargets: [],
  writeTargets: [...specification.writeTargets, "en", "pt", "zh-Hant"],
  documentTypes: [...specification.documentTypes, "idml", "xml", "json", "dita", "mif"],
  documentBytes: { docx: 100_000_000, pptx: 100_000_000, pdf: 100_000_000 }
}

/**
 * The kinds that are known, by their names.
 *
 * @since 0.1.0
 * @category constants
 */
export const kinds = { specification, deepl } as const

/**
 * The name of a kind that is known.
 *
 * @since 0.1.0
 * @category models
 */
export type Name = keyof typeof kinds

/**
 * The name of the kind that is known to be at an address, if there is one.
 *
 * @since 0.1.0
 * @category accessors
 */
export const at = (address: string): Name | undefined =>
  URL.canParse(address) && deepl.hosts.includes(new URL(address).hostname) ? "deepl" : undefined

/**
 * The record of a language in a listing.
 *
 * @since 0.1.0
 * @category models
 */
export interface Listed {
  readonly lang: string
  readonly usableAsTarget: boolean
  readonly status: string
}

/**
 * Takes the targets of a kind from a listing of the service, from `languages.list` with `include: ["beta", "external"]`: the
 * listing of `translate_text` says which targets are in beta, and the listing of `write` in which languages texts are improved. A
 * target that has left beta is billed.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withLanguages = (
  kind: ServiceKind,
  resource: "translate_text" | "write",
  languages: ReadonlyArray<Listed>
): ServiceKind => {
  const targets = languages.filter(({ usableAsTarget }) => usableAsTarget)
  if (resource === "write") return { ...kind, writeTargets: targets.map(({ lang }) => lang) }
  const betaTargets = targets.filter(({ status }) => status === "beta").map(({ lang }) => lang)
  const isBeta = (code: string) => betaTargets.includes(code)
  return { ...kind, betaTargets, freeTargets: kind.freeTargets.filter(isBeta) }
}

/**
 * True if a rule holds: by the caller's choice, or else by the kind of service.
 *
 * @since 0.1.0
 * @category guards
 */
export const holds = (kind: ServiceKind, rule: Rule, said: boolean | undefined): boolean =>
  said ?? !kind.relaxed.includes(rule)
