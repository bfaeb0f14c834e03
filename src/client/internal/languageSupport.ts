import * as Arr from "effect/Array"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type * as Language from "../../api/Language.js"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Text from "../../api/Text.js"
import * as Violation from "../../api/Violation.js"
import type { Languages } from "../Languages.js"
import type * as TranslateClient from "../TranslateClient.js"
import * as TranslateError from "../TranslateError.js"
import * as catalogues from "./catalogue.js"
import { remember } from "./remember.js"

/** The listings of the service, remembered. */
export const listings = (client: Languages, ttl: Duration.DurationInput) =>
  Effect.gen(function* () {
    const resources = (yield* remember(ttl, () => client.resources))(undefined)
    // The key carries its hash, which the strict schema of the query would refuse.
    const list = yield* remember(ttl, ({ include = [], resource }: Language.Query) =>
      client.list({ resource, include: Array.from(include) })
    )
    const languages = (query: Language.Query) =>
      list(
        Data.struct({
          resource: query.resource,
          include: Data.array(Arr.dedupe(Arr.sort(query.include ?? [], Order.string)))
        })
      )
    const catalogue = (query: Language.Query) =>
      Effect.zipWith(
        languages(query),
        resources,
        (languages, resources) => catalogues.make(query.resource, languages, resources),
        { concurrent: true }
      )
    return { languages, resources, catalogue }
  })

type Listings = Effect.Effect.Success<ReturnType<typeof listings>>

type Client = Pick<TranslateClient.Service, "glossaries" | "styleRules">

const optionNames = Object.keys(Text.TranslateOptions.from.fields)

/** By their schema. Fields that are none of the request's are for those who take them. */
const wellFormed = (options: Text.TranslateOptions) =>
  Effect.mapError(
    Schema.encodeUnknown(Text.TranslateOptions)(Struct.pick(options, ...(optionNames as Array<never>))),
    (error) => TranslateError.invalidRequest(Text.translateText, Violation.fromIssue(error.issue))
  )

const isGiven = (value: unknown): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0)

const named = { source: "sourceLang", target: "targetLang" } as const

const say = (sides: ReadonlyArray<readonly [catalogues.Side, string]>): string =>
  sides.map(([side, code]) => `${named[side]} "${code}"`).join(" and ")

const codes = (languages: ReadonlyArray<Language.Language>): string =>
  languages.map(({ lang }) => lang).join(", ")

const notUsable = (
  catalogue: catalogues.Catalogue,
  side: catalogues.Side,
  code: string
): Violation.Violation => {
  const usable = catalogues.on(catalogue, side)
  const variants = usable.filter(({ lang }) => LanguageCode.base(lang) === LanguageCode.base(code))
  return {
    field: named[side],
    rule: `is "${code}", which is no ${side} language of text translation: choose among ${codes(Arr.isNonEmptyArray(variants) ? variants : usable)}`
  }
}

/** What the languages don't allow, with the ways out. Formality is apart: it has a soft form. */
const unsupported = (
  catalogue: catalogues.Catalogue,
  options: Text.TranslateOptions
): ReadonlyArray<Violation.Violation> => {
  const { modelType, targetLang } = options
  const found: Array<Violation.Violation> = []
  const needs = (field: keyof Text.TranslateOptions, feature: string, pair: catalogues.Pair) => {
    const lacking = catalogues.lacking(catalogue, feature, pair)
    if (isGiven(options[field]) && lacking.length > 0) {
      found.push({
        field,
        rule: `can't be used with ${say(lacking)}: drop it, or choose languages with the feature ${feature}`
      })
    }
  }
  if (
    modelType !== undefined &&
    modelType !== "quality_optimized" &&
    catalogues.find(catalogue, "target", targetLang)?.status === "beta"
  ) {
    found.push({
      field: "modelType",
      rule: `is "${modelType}", but targetLang "${targetLang}" is in beta: drop it or set "quality_optimized"`
    })
  }
  needs("glossaryId", "glossary", options)
  needs("glossaryIds", "glossary", options)
  needs("styleId", "style_rules", options)
  needs("customInstructions", "style_rules", options)
  return found
}

const isSame = (a: string, b: string): boolean => LanguageCode.base(a) === LanguageCode.base(b)

/** What is wrong with something that an id names; that it does not exist is wrong too. */
const lookUp = <A>(
  field: keyof Text.TranslateOptions,
  found: Effect.Effect<A, TranslateError.TranslateError>,
  rule: (value: A) => string | undefined
): Effect.Effect<ReadonlyArray<Violation.Violation>, TranslateError.TranslateError> =>
  found.pipe(
    Effect.map(rule),
    Effect.catchTag("NotFound", () =>
      Effect.succeed("names nothing that this key and region know: take the id from the list")
    ),
    Effect.map((rule) => (rule === undefined ? [] : [{ field, rule }]))
  )

/** Whether the glossaries and the style rule list are for these languages: they serve languages, not variants. */
const misplaced = (
  { glossaries, styleRules }: Client,
  { glossaryId, glossaryIds = [], sourceLang = "", styleId, targetLang }: Text.TranslateOptions
): Effect.Effect<ReadonlyArray<Violation.Violation>, TranslateError.TranslateError> => {
  const glossary = (field: "glossaryId" | "glossaryIds", id: string) =>
    lookUp(field, glossaries.get(id), ({ dictionaries }) =>
      dictionaries.some((pair) => isSame(pair.sourceLang, sourceLang) && isSame(pair.targetLang, targetLang))
        ? undefined
        : `names a glossary without a dictionary from "${sourceLang}" to "${targetLang}": add it or choose another glossary`
    )
  return Effect.map(
    Effect.all(
      [
        ...(glossaryId === undefined ? [] : [glossary("glossaryId", glossaryId)]),
        ...glossaryIds.map((id) => glossary("glossaryIds", id)),
        ...(styleId === undefined
          ? []
          : [
              lookUp("styleId", styleRules.get(styleId), ({ language }) =>
                isSame(language, targetLang)
                  ? undefined
                  : `names a list for "${language}", but targetLang is "${targetLang}": choose a list of that language`
              )
            ])
      ],
      { concurrency: "unbounded" }
    ),
    Arr.flatten
  )
}

/** The formality to use, if the options pass. */
export const check = (client: Client, { catalogue: fetch }: Listings) =>
  Effect.fnUntraced(function* (
    options: Text.TranslateOptions,
    onUnsupportedFormality: "fail" | "prefer"
  ): Effect.fn.Return<Text.TranslateOptions["formality"], TranslateError.TranslateError> {
    yield* wellFormed(options)
    const [catalogue, elsewhere] = yield* Effect.all(
      [fetch({ resource: "translate_text", include: ["beta", "external"] }), misplaced(client, options)],
      { concurrency: 2 }
    )
    const unusable = catalogues
      .unusable(catalogue, options)
      .map(([side, code]) => notUsable(catalogue, side, code))
    const violations = [...(unusable.length > 0 ? unusable : unsupported(catalogue, options)), ...elsewhere]
    const { formality, targetLang } = options
    const isUnsupported =
      unusable.length === 0 &&
      (formality === "more" || formality === "less") &&
      catalogues.lacking(catalogue, "formality", { targetLang }).length > 0
    if (isUnsupported && onUnsupportedFormality === "fail") {
      violations.push({
        field: "formality",
        rule: `is "${formality}", which targetLang "${targetLang}" does not know: use "prefer_${formality}", or drop it`
      })
    }
    if (violations.length > 0) {
      return yield* TranslateError.invalidRequest(Text.translateText, violations)
    }
    return isUnsupported ? (`prefer_${formality}` as const) : formality
  })
