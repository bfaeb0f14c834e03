import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Struct from "effect/Struct"
import * as Document from "../../../api/Document.js"
import type * as Language from "../../../api/Language.js"
import * as LanguageCode from "../../../api/LanguageCode.js"
import * as RequestRules from "../../../api/RequestRules.js"
import type * as ServiceKind from "../../../api/ServiceKind.js"
import * as Text from "../../../api/Text.js"
import * as Violation from "../../../api/Violation.js"
import * as Write from "../../../api/Write.js"
import type * as Glossaries from "../../Glossaries.js"
import type * as Languages from "../../Languages.js"
import { refuse } from "../../RequestChecks.js"
import type * as StyleRules from "../../StyleRules.js"
import { type CallError, invalidRequest } from "../../TranslateError.js"
import type { Endpoint } from "../calling/call.js"
import { isOf } from "../calling/dictionaries.js"
import * as languageListings from "./languageListings.js"
import type { Checked, CheckSettings, Options, Service } from "./languageSupportModel.js"
import * as unanswered from "./unanswered.js"

/** The options of all requests that depend on languages. */
interface RequestOptions
  extends Partial<
    Pick<
      Text.TranslateOptions,
      "targetLang" | "sourceLang" | "formality" | "modelType" | "glossaryId" | "glossaryIds" | "styleId"
    >
  > {
  readonly [name: string]: unknown
}

/** Requests whose options are checked. */
interface Requests {
  readonly endpoint: Endpoint
  readonly resource: Language.ResourceName
  readonly name: string
  readonly encode: (options: object) => Effect.Effect<unknown, CallError>
  /** The feature that an option needs. */
  readonly features: { readonly [option: string]: string }
  /** Returns `true` if the value of such an option needs the feature. */
  readonly needsFeature: (value: unknown) => boolean
  /** True if languages in beta allow one model only. */
  readonly hasModels: boolean
  /** The breaches of rules that can be relaxed. */
  readonly problems: (options: Partial<Text.TranslateOptions>) => ReadonlyArray<RequestRules.Problem>
}

/** Checks options by their schema. Fields of other functions, which the schema would refuse, are left out. */
const encodeWith = <A, I>(endpoint: Endpoint, schema: Schema.Schema<A, I>, fields: object) => {
  const encode = Schema.encodeUnknown(schema)
  const names = Object.keys(fields) as Array<never>
  return (options: object) =>
    Effect.mapError(encode(Struct.pick(options, ...names)), (error) =>
      invalidRequest(endpoint, Violation.fromIssue(error.issue))
    )
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0)

const ofTranslations = { glossaryId: "glossary", glossaryIds: "glossary", styleId: "style_rules" }

const texts: Requests = {
  endpoint: Text.translateText,
  resource: "translate_text",
  name: "text translation",
  encode: encodeWith(Text.translateText, Text.TranslateOptions, Text.optionFields),
  features: { ...ofTranslations, customInstructions: "style_rules", tagHandling: "tag_handling" },
  needsFeature: isGiven,
  hasModels: true,
  problems: RequestRules.ofTexts
}

const documents: Requests = {
  endpoint: Document.upload,
  resource: "translate_document",
  name: "document translation",
  encode: encodeWith(Document.upload, Document.UploadOptions, Document.optionFields),
  features: ofTranslations,
  needsFeature: isGiven,
  hasModels: false,
  problems: RequestRules.ofDocument
}

const writing: Requests = {
  endpoint: Write.rephrase,
  resource: "write",
  name: "text improvement",
  encode: encodeWith(Write.rephrase, Write.RephraseOptions, Write.rephraseFields),
  features: { writingStyle: "writing_style", tone: "tone" },
  needsFeature: (value) => typeof value === "string" && Write.isDemand(value),
  hasModels: false,
  problems: () => []
}

const named = { source: "sourceLang", target: "targetLang" } as const

const say = (sides: ReadonlyArray<readonly [languageListings.Side, string]>): string =>
  sides.map(([side, code]) => `\`${named[side]}\` "${code}"`).join(" and ")

const codes = (languages: ReadonlyArray<Language.Language>): string =>
  languages.map(({ lang }) => lang).join(", ")

const notUsable = (
  catalogue: languageListings.Catalogue,
  { name }: Requests,
  side: languageListings.Side,
  code: string
): Violation.Violation => {
  const usable = languageListings.usableOn(catalogue, side)
  const variants = usable.filter(({ lang }) => LanguageCode.base(lang) === LanguageCode.base(code))
  const isUsable = LanguageCode.suggested(code, side).some((right) =>
    usable.some(({ lang }) => lang === right)
  )
  const fix =
    variants.length === 0 && isUsable
      ? LanguageCode.advice(code, side)
      : `choose among ${codes(Arr.isNonEmptyArray(variants) ? variants : usable)}`
  return { field: named[side], rule: `is "${code}", which is no ${side} language of ${name}: ${fix}` }
}

/** The options that the languages don't allow, with advice. Formality is checked elsewhere, since it has a soft form. */
const unsupported = (
  catalogue: languageListings.Catalogue,
  { features, hasModels, needsFeature }: Requests,
  options: RequestOptions,
  pair: languageListings.Pair
): ReadonlyArray<Violation.Violation> => {
  const { modelType } = options
  const { targetLang } = pair
  const found: Array<Violation.Violation> = []
  if (
    hasModels &&
    modelType !== undefined &&
    modelType !== "quality_optimized" &&
    languageListings.find(catalogue, "target", targetLang)?.status === "beta"
  ) {
    found.push({
      field: "modelType",
      rule: `is "${modelType}", but \`targetLang\` "${targetLang}" is in beta: drop it or set "quality_optimized"`
    })
  }
  for (const [field, feature] of Object.entries(features)) {
    const lacking = needsFeature(options[field]) ? languageListings.lacking(catalogue, feature, pair) : []
    if (lacking.length > 0) {
      found.push({
        field,
        rule: `can't be used with ${say(lacking)}: drop it, or choose languages with the feature ${feature}`
      })
    }
  }
  return found
}

/**
 * The rule that an id breaks, if its resource can be asked for. One that does not exist breaks a rule too: the list
 * tells it from an endpoint that does not exist.
 */
const lookUp = <A>(
  found: Effect.Effect<A, CallError>,
  list: Effect.Effect<unknown, CallError>,
  rule: (value: A) => string | undefined
): Effect.Effect<string | undefined, CallError> =>
  Effect.catchTag(Effect.map(found, rule), "NotFound", () =>
    Effect.as(list, "names nothing that this key and region know: take the id from the list")
  )

interface Client {
  readonly kind: ServiceKind.ServiceKind
  readonly glossaries: Glossaries.Glossaries
  readonly styleRules: StyleRules.StyleRules
}

/** Checks that the glossaries and the style rule list are for these languages. They serve all variants of a language. */
const misplaced = (
  { glossaries, styleRules }: Client,
  { glossaryId, glossaryIds = [], sourceLang, styleId }: RequestOptions,
  { targetLang }: languageListings.Pair,
  ask: unanswered.Ask
): Effect.Effect<ReadonlyArray<Violation.Violation>, CallError> => {
  const broken = (field: string, rule: Effect.Effect<string | undefined, CallError>) =>
    Effect.map(ask(rule), (rule) => (rule === undefined ? [] : [{ field, rule }]))
  const glossary = (field: "glossaryId" | "glossaryIds", id: string) =>
    broken(
      field,
      lookUp(glossaries.get(id), glossaries.list, ({ dictionaries }) =>
        dictionaries.some((pair) => isOf(pair, { sourceLang: sourceLang ?? pair.sourceLang, targetLang }))
          ? undefined
          : `names a glossary without a dictionary ${sourceLang === undefined ? "" : `from "${sourceLang}" `}to "${targetLang}": add it or choose another glossary`
      )
    )
  return Effect.map(
    Effect.all(
      [
        ...(glossaryId === undefined ? [] : [glossary("glossaryId", glossaryId)]),
        ...glossaryIds.map((id) => glossary("glossaryIds", id)),
        ...(styleId === undefined
          ? []
          : [
              broken(
                "styleId",
                lookUp(styleRules.get(styleId), styleRules.list(), ({ language }) =>
                  language === undefined || LanguageCode.base(language) === LanguageCode.base(targetLang)
                    ? undefined
                    : `names a list for "${language}", but \`targetLang\` is "${targetLang}": choose a list of that language`
                )
              )
            ])
      ],
      { concurrency: "unbounded" }
    ),
    Arr.flatten
  )
}

/** Checks options. Returns those to use. */
const makeCheck =
  (client: Client, { known }: languageListings.Listings, ask: unanswered.Ask) =>
  <O extends { readonly formality?: Text.Formality | undefined }>(
    requests: Requests,
    given: O,
    { onUnsupportedFormality = "fail" }: CheckSettings = {}
  ): Effect.Effect<Checked<O>, CallError> =>
    Effect.gen(function* () {
      yield* requests.encode(given)
      yield* refuse(requests.endpoint, requests.problems(given), client.kind)
      const options = given as RequestOptions
      const { formality, sourceLang, targetLang } = options
      // Texts of any language, each improved in its own.
      if (targetLang === undefined) return given
      const pair = { sourceLang, targetLang }
      const { endpoint, resource } = requests
      const [catalogue, elsewhere] = yield* Effect.all(
        [known(resource), misplaced(client, options, pair, ask)],
        { concurrency: 2 }
      )
      if (catalogue === undefined)
        return elsewhere.length === 0 ? given : yield* invalidRequest(endpoint, elsewhere)
      const unusable = languageListings
        .unusable(catalogue, pair)
        .map(([side, code]) => notUsable(catalogue, requests, side, code))
      const violations = [
        ...(unusable.length > 0 ? unusable : unsupported(catalogue, requests, options, pair)),
        ...elsewhere
      ]
      const isUnsupported =
        unusable.length === 0 &&
        (formality === "more" || formality === "less") &&
        languageListings.lacking(catalogue, "formality", { targetLang }).length > 0
      if (isUnsupported && onUnsupportedFormality === "fail") {
        violations.push({
          field: "formality",
          rule: `is "${formality}", which \`targetLang\` "${targetLang}" does not know: use "prefer_${formality}", or drop it`
        })
      }
      if (violations.length > 0) return yield* invalidRequest(endpoint, violations)
      return isUnsupported ? { ...given, formality: `prefer_${formality}` as const } : given
    })

/** See `LanguageSupport.make`. */
export const make = (
  client: Client & { readonly languages: Languages.Languages },
  { onUnknown = ({ message }) => Effect.logWarning(message), ttl = "1 hour" }: Options = {}
): Effect.Effect<Service, never, Scope.Scope> =>
  Effect.gen(function* () {
    const ask = unanswered.make(onUnknown)
    const cached = yield* languageListings.make(client.languages, ttl, ask)
    const check = makeCheck(client, cached, ask)
    const targets = (query: Language.Query) =>
      Effect.map(cached.catalogue(query), (found) => languageListings.usableOn(found, "target"))
    return {
      languages: cached.languages,
      resources: cached.resources,
      sources: (query) =>
        Effect.map(cached.catalogue(query), (found) => languageListings.usableOn(found, "source")),
      targets,
      formalityTargets: (query) =>
        Effect.map(targets(query), (languages) =>
          languages.filter((language) => Object.hasOwn(language.features, "formality"))
        ),
      supports: (query, pair) =>
        Effect.map(cached.catalogue(query), (found) => languageListings.unusable(found, pair).length === 0),
      supportsFeature: (query, feature, pair) =>
        Effect.map(
          cached.catalogue(query),
          (found) => languageListings.lacking(found, feature, pair).length === 0
        ),
      check: (options, settings) => check(texts, options, settings),
      checkDocument: (options, settings) => check(documents, options, settings),
      checkWrite: (options) => Effect.asVoid(check(writing, { ...options, formality: undefined }))
    }
  })
