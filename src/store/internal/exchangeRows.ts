import type * as DateTime from "effect/DateTime"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type * as Text from "../../api/Text.js"
import type { Correction, Entry } from "../TranslationStore.js"
import type { Namespace } from "./storeModels.js"

/**
 * A person's correction, or a translation of the machine with its namespace.
 *
 * @since 0.1.0
 * @category models
 */
export type Item = Correction | Entry

/**
 * Options for reading a file.
 *
 * @since 0.1.0
 * @category models
 */
export interface DecodeOptions {
  /** Names the file in errors. @default none */
  readonly file?: string | undefined
  /**
   * The language of the sources of corrections. In TMX it says which text is the source. @default the language of the file,
   * or else any language
   */
  readonly sourceLang?: string | undefined
  /**
   * The language of corrections. Of TMX only the texts in it are read; `de` finds `de-DE` if there is no `de`. @default the
   * language of the file, and all languages of TMX
   */
  readonly targetLang?: string | undefined
}

/** A missing or malformed field of a row. It holds no text. */
export interface Problem {
  readonly field: string
  readonly expected: string
}

const text = Schema.optional(Schema.String)

/** Columns of CSV that hold nothing are empty. */
const orEmpty = <A, I, const E extends string>(schema: Schema.Schema<A, I>, description: E) =>
  Schema.optional(Schema.Union(Schema.Literal(""), schema).annotations({ description }))

/** The hash of the terms that a translation depends on. */
export const terms = Schema.String.pipe(Schema.pattern(/^[\da-f]{16}$/))

const fieldsWith = <I>(number: Schema.Schema<number, I>) =>
  Schema.Struct({
    source: Schema.String,
    translation: Schema.String,
    sourceLang: text,
    targetLang: text,
    at: orEmpty(Schema.DateTimeUtc, "a time such as 2026-01-31T23:59:58.000Z"),
    detectedSourceLanguage: text,
    billedCharacters: orEmpty(number.pipe(Schema.int(), Schema.nonNegative()), "a whole number"),
    modelTypeUsed: text,
    endpoint: text,
    service: text,
    account: text,
    settings: text,
    terms: orEmpty(terms, "16 hexadecimal digits")
  })

/** The fields of an object of JSON Lines. */
export const jsonFields = fieldsWith(Schema.Number)

const csvFields = fieldsWith(Schema.NumberFromString)

type Fields = typeof jsonFields.Type

/** The further fields of a machine's translation, where it has them. */
export const extrasOf = ({ billedCharacters, detectedSourceLanguage, modelTypeUsed }: Text.Translation) => ({
  ...(detectedSourceLanguage !== undefined && { detectedSourceLanguage }),
  ...(billedCharacters !== undefined && { billedCharacters }),
  ...(modelTypeUsed !== undefined && { modelTypeUsed })
})

/** The fields of an item. */
export const toFields = (item: Item): Fields => {
  if (!("namespace" in item)) return item
  const { at, namespace, source, terms, translation } = item
  return {
    source,
    translation: translation.text,
    at,
    ...namespace,
    ...(terms && { terms }),
    ...extrasOf(translation)
  }
}

const language = 'a language such as "de", since none was named for the whole file'

const namespaceOf = (fields: Fields): Either.Either<Namespace, Problem> => {
  const { account, endpoint = "", service, settings, sourceLang, targetLang } = fields
  if (account === undefined)
    return Either.left({ field: "account", expected: "an account, as of a translation" })
  if (service === undefined)
    return Either.left({ field: "service", expected: "an address, as of a translation" })
  if (settings === undefined)
    return Either.left({ field: "settings", expected: "settings, as of a translation" })
  return Either.right({
    endpoint,
    service,
    account,
    sourceLang: sourceLang || undefined,
    targetLang: targetLang || undefined,
    settings
  })
}

/** The item that fields are of. */
export const fromFields = (
  fields: Fields,
  options: DecodeOptions,
  now: DateTime.Utc
): Either.Either<Item, Problem> => {
  const { source, translation } = fields
  const at = fields.at || now
  if (fields.endpoint) {
    const extras = extrasOf({
      text: translation,
      detectedSourceLanguage: fields.detectedSourceLanguage || undefined,
      billedCharacters: fields.billedCharacters === "" ? undefined : fields.billedCharacters,
      modelTypeUsed: fields.modelTypeUsed || undefined
    })
    return Either.map(namespaceOf(fields), (namespace) => ({
      source,
      translation: { text: translation, ...extras },
      namespace,
      ...(fields.terms ? { terms: fields.terms } : {}),
      at
    }))
  }
  const targetLang = fields.targetLang || options.targetLang
  if (targetLang === undefined) return Either.left({ field: "targetLang", expected: language })
  const sourceLang = fields.sourceLang || options.sourceLang
  return Either.right({ source, translation, sourceLang, targetLang, at })
}

const isItem = (value: unknown): value is Item => typeof value === "object" && value !== null

/** Items as rows of CSV. */
export const csv = (options: DecodeOptions, now: DateTime.Utc) =>
  Schema.transformOrFail(csvFields, Schema.declare(isItem), {
    strict: true,
    decode: (fields) =>
      Either.mapLeft(
        fromFields(fields, options, now),
        ({ expected, field }) =>
          new ParseResult.Pointer(
            field,
            undefined,
            new ParseResult.Type(Schema.String.annotations({ description: expected }).ast, undefined)
          )
      ),
    encode: (item) => ParseResult.succeed(toFields(item))
  })
