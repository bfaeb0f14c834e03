/** The namespace of a stream's translations in a store: each option is declared to change a translation or not. */
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Limits from "../../api/Limits.js"
import type * as Text from "../../api/Text.js"
import * as TranslateError from "../../client/TranslateError.js"
import type * as Translator from "../../client/Translator.js"
import { canonicalJson, hash } from "../../internal/hash.js"
import type { Namespace } from "../../store/TranslationStore.js"
import * as OversizedText from "../../text/OversizedText.js"
import { countedOf } from "../../text/PlaceholderPatterns.js"
import * as PlaceholderProtection from "../../text/PlaceholderProtection.js"
import * as PlaceholderSearch from "../../text/PlaceholderSearch.js"
import { running } from "./options.js"
import type * as TranslateStream from "./translateOptions.js"

/** "ignored" is an option that changes no translation, or is a field of its own in the namespace. */
type Counted<A, O> = "ignored" | "same" | ((value: A, options: O) => unknown)

/**
 * The rule by which each option counts. `undefined` is the value of its absence. An option that is missing here does not
 * compile, so every new one is declared.
 */
export type Declared<O> = { readonly [K in keyof O]-?: Counted<O[K], O> }

/** Of an option whose default is named by the specification, or our own. */
const unless =
  <A>(byDefault: A) =>
  (value: A): A | undefined =>
    value === byDefault ? undefined : value

/** Of a list whose order means nothing, and which is empty by default. */
const set = (values: ReadonlyArray<string> = []): ReadonlyArray<string> | undefined =>
  values.length === 0 ? undefined : [...new Set(values)].sort()

const count = <O extends object>(declared: Declared<O>, options: O): Readonly<Record<string, unknown>> => {
  const counted: Record<string, unknown> = {}
  for (const key in declared) {
    const of: Counted<O[typeof key], O> = declared[key]
    if (of === "ignored") continue
    const value = of === "same" ? options[key] : of(options[key], options)
    if (value !== undefined) counted[key] = value
  }
  return counted
}

/** Of extra parameters, which are none by default. */
export const unlessEmpty = (value: Text.TranslateOptions["extraParameters"] = {}) =>
  Record.isEmptyReadonlyRecord(value) ? undefined : value

/** Of a glossary, whose terms may be known. */
const unlessTerms = <A>(value: A, { glossaryTerms }: TranslateStream.Options): A | undefined =>
  glossaryTerms === undefined ? value : undefined

const protecting: Declared<TranslateStream.Placeholders> = {
  kinds: countedOf,
  patterns: (patterns = []) =>
    set(patterns.map((pattern) => String(PlaceholderSearch.withGlobalFlag(pattern)))),
  messageFormat: (format) => format?.name,
  apart: "ignored"
}

/** True if placeholders count for no translation. */
const isUncounted = (placeholders: TranslateStream.Options["placeholders"]): placeholders is undefined =>
  placeholders === undefined || placeholders.apart === true

const translating: Declared<TranslateStream.Options> = {
  ...running,
  dedupe: "ignored",
  budget: "ignored",
  targetLang: "ignored",
  sourceLang: "ignored",
  enableBetaLanguages: "ignored",
  context: "same",
  // No model is not "latency_optimized": features and languages may need another one, and the answer does not name it.
  modelType: "same",
  splitSentences: (value, { tagHandling }) =>
    value === (tagHandling === "html" ? "nonewlines" : "1") ? undefined : value,
  preserveFormatting: unless<boolean | undefined>(false),
  formality: unless<Text.Formality | undefined>("default"),
  // The terms that a text holds are in its key.
  glossaryId: unlessTerms,
  // In their order: the first one that holds a phrase decides.
  glossaryIds: unlessTerms,
  glossaryTerms: "ignored",
  styleId: "same",
  customInstructions: "same",
  translationMemoryId: (id) => id?.toLowerCase(),
  translationMemoryThreshold: unless<number | undefined>(Limits.translationMemoryThreshold.default),
  tagHandling: "same",
  // The default of the service will become "v2".
  tagHandlingVersion: "same",
  outlineDetection: unless<boolean | undefined>(true),
  nonSplittingTags: set,
  splittingTags: set,
  ignoreTags: set,
  oversized: unless<TranslateStream.Options["oversized"]>("segment"),
  segmentContext: unless<number | undefined>(0),
  // Apart from others, texts have the translations that they had before they were protected.
  placeholders: (value) => (isUncounted(value) ? undefined : count(protecting, value)),
  syntax: "ignored",
  extraParameters: unlessEmpty
}

/** The versions of the library's own treatment of texts, where an option turns it on. */
const versions = ({ oversized = "segment", placeholders }: TranslateStream.Options) => ({
  ...(oversized === "segment" ? { segmenter: OversizedText.version } : {}),
  ...(isUncounted(placeholders) ? {} : { placeholders: PlaceholderProtection.version })
})

interface Languages {
  readonly sourceLang?: string | undefined
  readonly targetLang?: string | undefined
}

export interface Endpoint {
  readonly method: string
  readonly path: string
}

/** The namespace of translations with options that are declared. */
export const make =
  <O extends Languages>(declared: Declared<O>, versionsOf: (options: O) => object | undefined) =>
  (
    { method, path }: Endpoint,
    options: O,
    { account, content, service }: Translator.Identity
  ): Namespace => ({
    endpoint: `${method} ${path}`,
    service,
    account,
    sourceLang: options.sourceLang && LanguageCode.canonical(options.sourceLang),
    targetLang: options.targetLang && LanguageCode.canonical(options.targetLang),
    settings: canonicalJson({ ...count(declared, options), content, versions: versionsOf(options) })
  })

/** The namespace of translations with these options. */
export const ofTranslation: (
  endpoint: Endpoint,
  options: TranslateStream.Options,
  identity: Translator.Identity
) => Namespace = make(translating, versions)

/** A person's choices that translations depend on, as hashes. */
export interface Choices {
  /** Of the options. */
  readonly options: string
  /** The hash of the service, and of the content of its glossaries and style rules. Terms that are known are no part of it. */
  readonly service: string
  /** The options that are not the defaults, by their names; of texts their hashes. */
  readonly named: Readonly<Record.ReadonlyRecord<string, unknown>>
}

/** A formality may be preferred only where a language has none: {@link LanguageSupport} says so, and asks the service. */
const unpreferred = (formality: Text.Formality | undefined) =>
  formality?.replace("prefer_", "") as Text.Formality | undefined

/** The options that count, without the ids of glossaries and style rules. */
const counted = (options: TranslateStream.Options): Readonly<Record.ReadonlyRecord<string, unknown>> => {
  const { glossaryId: _, glossaryIds: _1, styleId: _2, formality, ...own } = options
  const sourceLang = options.sourceLang && LanguageCode.canonical(options.sourceLang)
  return { ...count(translating, { ...own, formality: unpreferred(formality) }), sourceLang }
}

const hashOfCounted = (counted: Choices["named"]): string => hash(canonicalJson(counted))

/** The hash of options, without the ids of glossaries and style rules. */
export const hashOfOptions = (options: TranslateStream.Options): string => hashOfCounted(counted(options))

/** Options that may hold texts of a person. */
const texts: ReadonlyArray<string> = ["context", "customInstructions", "extraParameters"]

/** The options that count, by their names, with the hashes of texts. */
const named = (counted: Choices["named"]): Choices["named"] =>
  Record.map(
    Record.filter(counted, (value) => value !== undefined),
    (value, name) => (texts.includes(name) ? hash(canonicalJson(value)).slice(0, 8) : value)
  )

/**
 * A person's choices that translations depend on: the same for all members of a project. So it has no account, no
 * version of this library, and no id of a glossary or style rule list, whose `content` is hashed.
 */
export const choicesOf = (
  options: TranslateStream.Options,
  { content, service }: Partial<Translator.Identity>
): Choices => {
  const { glossaryId, glossaryIds, glossaryTerms: terms, styleId } = options
  const ids = terms === undefined ? [glossaryId, glossaryIds, styleId] : [undefined, undefined, styleId]
  const own = counted(options)
  return {
    options: hashOfCounted(own),
    named: named(own),
    service: hash(canonicalJson({ content: content ?? ids, service }))
  }
}

/** The namespace of a translator's translations, by its `identify`. */
export const ofTranslator = (
  { identify }: Translator.Service,
  requests: { readonly endpoint: Endpoint; readonly options: Text.TranslateOptions },
  options: TranslateStream.Options
): Effect.Effect<Namespace, TranslateError.TranslateError> =>
  identify === undefined
    ? Effect.fail(
        TranslateError.invalidRequest(requests.endpoint, [
          {
            field: "store",
            rule: "needs a Translator with `identify`: give Translator.make an `identity`"
          }
        ])
      )
    : Effect.map(identify(identifying(requests.options, options)), (identity) =>
        ofTranslation(requests.endpoint, options, identity)
      )

/** The options that a translator is asked to identify: without a glossary whose terms are known, as it is not asked for its content. */
export const identifying = (
  { glossaryId, glossaryIds, ...request }: Text.TranslateOptions,
  { glossaryTerms }: TranslateStream.Options
): Text.TranslateOptions => (glossaryTerms === undefined ? { ...request, glossaryId, glossaryIds } : request)
