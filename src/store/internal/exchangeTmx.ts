import * as DateTime from "effect/DateTime"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as Format from "../../format/Format.js"
import type * as Tmx from "../../format/Tmx.js"
import type { DecodeOptions, Item } from "./exchangeRows.js"
import { extrasOf, terms } from "./exchangeRows.js"
import type { Correction } from "./storeModels.js"

/** The types of properties: TMX leaves those with `x-` to the programs. */
const types = {
  namespace: "x-effect-translate-namespace",
  extras: "x-effect-translate-translation",
  at: "x-effect-translate-at"
}

/** Stands for a language that is not known. */
const undetermined = "und"

/** A unit has one text in a language: this marks a translation into the language of its source. */
const marked = (targetLang: string): string => `${targetLang}-x-target`

const unmarked = (language: string): string => language.replace(/-x-target$/i, "")

/** The unit of an item: its source first, then its translation. */
export const toUnit = (item: Item): Tmx.Entry => {
  const isOfMachine = "namespace" in item
  const [source = undetermined, target] = isOfMachine
    ? [
        item.namespace.sourceLang ?? item.translation.detectedSourceLanguage,
        item.namespace.targetLang ?? undetermined
      ]
    : [item.sourceLang, item.targetLang]
  const targetLang = source.toLowerCase() === target.toLowerCase() ? marked(target) : target
  return {
    texts: {
      [source]: item.source,
      [targetLang]: isOfMachine ? item.translation.text : item.translation
    },
    sourceLang: source,
    created: DateTime.toDateUtc(item.at),
    properties: {
      [types.at]: DateTime.formatIso(item.at),
      ...(isOfMachine && {
        [types.namespace]: JSON.stringify(item.namespace),
        [types.extras]: JSON.stringify({ ...extrasOf(item.translation), terms: item.terms })
      })
    }
  }
}

const text = Schema.optional(Schema.String)

const decodeNamespace = Schema.decodeUnknownEither(
  Schema.parseJson(
    Schema.Struct({
      endpoint: Schema.String,
      service: Schema.String,
      account: Schema.String,
      sourceLang: text,
      targetLang: text,
      settings: Schema.String
    })
  )
)

const decodeExtras = Schema.decodeUnknownEither(
  Schema.parseJson(
    Schema.Struct({
      detectedSourceLanguage: text,
      billedCharacters: Schema.optional(Schema.Number),
      modelTypeUsed: text,
      terms: Schema.optional(terms)
    })
  )
)

const decodeTime = Schema.decodeUnknownEither(Schema.DateTimeUtc)

type Unit = readonly [language: string, text: string]

const codeOf = (language: string): string => LanguageCode.canonical(language.replaceAll("_", "-"))

/** The text in a language: `de` finds `de-DE` if there is no `de`. */
const textIn = (texts: ReadonlyArray<Unit>, language: string): Unit | undefined => {
  const code = codeOf(language)
  return (
    texts.find(([name]) => codeOf(name) === code) ??
    texts.find(([name]) => codeOf(name).startsWith(`${code}-`))
  )
}

const correctionsOf = (
  unit: Tmx.Entry,
  options: DecodeOptions,
  at: DateTime.Utc
): ReadonlyArray<Correction> => {
  const texts = Object.entries(unit.texts)
  const source =
    options.sourceLang !== undefined
      ? textIn(texts, options.sourceLang)
      : ((unit.sourceLang && textIn(texts, unit.sourceLang)) ?? texts[0])
  if (source === undefined) return []
  const others = texts.filter((each) => each !== source)
  const wanted = options.targetLang === undefined ? undefined : textIn(others, options.targetLang)
  const targets = options.targetLang === undefined ? others : wanted === undefined ? [] : [wanted]
  const sourceLang = options.sourceLang ?? source[0]
  return targets.map(([language, translation]) => ({
    source: source[1],
    translation,
    sourceLang: sourceLang === undetermined ? undefined : sourceLang,
    targetLang: options.targetLang ?? unmarked(language),
    at
  }))
}

/** The items of a unit: one for each language that it is translated into. */
export const fromUnit =
  (options: DecodeOptions, now: DateTime.Utc) =>
  (unit: Tmx.Entry, index: number): Either.Either<ReadonlyArray<Item>, Format.Problem> => {
    const { created, id = `${index}`, properties = {} } = unit
    const refuse = (type: string) => (): Format.Problem => ({
      key: id,
      message: `its property ${type} can't be read: take the property out, or export the file again.`
    })
    const { [types.at]: time, [types.extras]: extras = "{}", [types.namespace]: namespace } = properties
    return Either.gen(function* () {
      const written = created === undefined ? now : DateTime.unsafeMake(created)
      const at = time === undefined ? written : yield* Either.mapLeft(decodeTime(time), refuse(types.at))
      if (namespace === undefined) return correctionsOf(unit, options, at)
      const [source, target] = Object.values(unit.texts) as [string, string]
      const { terms, ...own } = yield* Either.mapLeft(decodeExtras(extras), refuse(types.extras))
      return [
        {
          source,
          translation: { text: target, ...own },
          ...(terms && { terms }),
          namespace: yield* Either.mapLeft(decodeNamespace(namespace), refuse(types.namespace)),
          at
        }
      ]
    })
  }
