import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as utf8 from "../../internal/utf8.js"
import * as GlossaryEntries from "../GlossaryEntries.js"
import * as LanguageCode from "../LanguageCode.js"
import * as Limits from "../Limits.js"
import { issueOf, withMark } from "./entries.js"
import * as parameters from "./parameters.js"
import * as wire from "./wire.js"

const base = (language: Schema.Schema<string, string>): Schema.Schema<LanguageCode.SourceLanguage, string> =>
  language
    .pipe(
      Schema.filter((code) =>
        code.includes("-")
          ? `is ${code}, but glossaries apply to languages, not variants: use "${LanguageCode.base(code)}"`
          : true
      )
    )
    .annotations({ jsonSchema: { type: "string", pattern: "^[A-Za-z]{2,3}$" } })

/** The language pair of a dictionary to store. */
const requestedPair = {
  /** The language of the sources, without a variant; any casing. */
  sourceLang: wire.required(base(LanguageCode.SourceLanguage), "source_lang"),
  /** The language of the targets, without a variant, since it covers all of them; any casing. */
  targetLang: wire.required(base(LanguageCode.TargetLanguage), "target_lang")
}

/** The language pair of a dictionary that exists, by the codes that the service lists. */
export const listedPair = {
  /** The language of the sources; any casing. */
  sourceLang: wire.required(LanguageCode.SourceLanguage, "source_lang"),
  /** The language of the targets; any casing. */
  targetLang: wire.required(LanguageCode.TargetLanguage, "target_lang")
}

/** The language pair of an answer. */
export const answeredPair = {
  /** The language of the sources. */
  sourceLang: wire.required(LanguageCode.LanguageCode, "source_lang"),
  /** The language of the targets. */
  targetLang: wire.required(LanguageCode.LanguageCode, "target_lang")
}

export const name = Schema.String.pipe(
  Schema.filter((name) => {
    const bytes = utf8.byteLength(name)
    if (bytes === 0) return "is empty: name the glossary"
    if (utf8.hasLoneSurrogate(name)) return "holds half a character, which UTF-8 cannot carry: repair it"
    return bytes <= Limits.glossaryPhraseBytes
      ? true
      : `takes ${bytes} bytes of UTF-8; the limit is ${Limits.glossaryPhraseBytes}: shorten it`
  })
).annotations({ jsonSchema: { type: "string", minLength: 1 } })

interface Dictionary extends GlossaryEntries.LanguagePair {
  readonly entries: GlossaryEntries.GlossaryEntries
}

export const encodeTsv = ParseResult.encodeEither(GlossaryEntries.Tsv)

/** Reads the entries of a request, in which a byte order mark is a part of a phrase. */
const decodeEntries = (text: string) => GlossaryEntries.decodeTsv(withMark(text))

const inEntries = (issue: ParseResult.ParseIssue) => new ParseResult.Pointer("entries", undefined, issue)

/** A dictionary in a request, as TSV. */
export const dictionaryWith = <Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) => {
  const known = {
    ...fields,
    ...requestedPair,
    entries: Schema.String,
    entriesFormat: wire.required(Schema.Literal("tsv"), "entries_format")
  }
  const onTheWire = Schema.Struct({ ...known, ...parameters.extra }).annotations(wire.strict)
  const declared = Schema.Struct({
    ...fields,
    ...requestedPair,
    ...parameters.extra,
    /** At most 10 MB of TSV. */
    entries: GlossaryEntries.GlossaryEntries
  })
  type Type = typeof declared.Type
  type Wire = Dictionary & { readonly entriesFormat: "tsv" }
  const request = Schema.transformOrFail(
    onTheWire as unknown as Schema.Schema<
      Omit<Wire, "entries"> & { readonly entries: string },
      typeof onTheWire.Encoded
    >,
    Schema.typeSchema(declared).annotations(wire.strict) as unknown as Schema.Schema<Dictionary>,
    {
      strict: true,
      decode: ({ entries, entriesFormat, ...rest }, _, ast) =>
        Either.mapBoth(decodeEntries(entries), {
          onLeft: ({ problems }) => inEntries(issueOf(ast, problems)),
          onRight: (entries) => ({ ...rest, entries })
        }),
      encode: ({ entries, ...rest }) =>
        Either.mapBoth(encodeTsv(entries), {
          onLeft: inEntries,
          onRight: (entries) => ({ ...rest, entries, entriesFormat: "tsv" as const })
        })
    }
  ) as unknown as Schema.Schema<Type, typeof onTheWire.Encoded>
  return parameters.withExtra(identifier, Schema.Struct(known), request)
}

/** Each pair of a new glossary comes once. */
export const pairsOnce = (
  dictionaries: ReadonlyArray<GlossaryEntries.LanguagePair>
): ReadonlyArray<Schema.FilterIssue> => {
  const pairs = dictionaries.map(({ sourceLang, targetLang }) =>
    `${sourceLang} to ${targetLang}`.toLowerCase()
  )
  return pairs.flatMap((pair, index) =>
    pairs.indexOf(pair) === index
      ? []
      : [{ path: [index], message: `is a second one from ${pair}: put the entries of both into one` }]
  )
}

/** A list of dictionaries, as which a dictionary that is no list counts too. */
export const listOfOne = <A extends object, I extends object>(dictionary: Schema.Schema<A, I>) => {
  const list = Schema.Struct({ dictionaries: Schema.Array(dictionary) })
  return Schema.transform(Schema.Union(list, dictionary), Schema.typeSchema(list), {
    strict: true,
    decode: (answer) => ("dictionaries" in answer ? answer : { dictionaries: [answer] }),
    encode: (answer) => answer
  })
}
