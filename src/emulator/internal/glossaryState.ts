import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as GlossaryEntries from "../../api/GlossaryEntries.js"
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as ServiceError from "../../api/ServiceError.js"
import type * as Text from "../../api/Text.js"
import type * as TranslateApi from "../../api/TranslateApi.js"
import type { AccountState, Dictionary, Glossary, StoredDictionary } from "./account.js"
import * as ids from "./ids.js"
import * as phrases from "./phrases.js"
import { refusal } from "./refusal.js"
import type { SupportedValues } from "./supportedValues.js"

type Refusal = typeof ServiceError.BadRequest.Type | typeof ServiceError.NotFound.Type

const notFound = (what: string) => refusal("NotFound", `There is no such ${what}`)

const invalid = (detail: string) => refusal("BadRequest", "Invalid glossary entries", detail)

/** The key of a dictionary. */
export const keyOf = ({ sourceLang, targetLang }: GlossaryEntries.LanguagePair): string =>
  `${LanguageCode.base(sourceLang)} ${LanguageCode.base(targetLang)}`

/** A dictionary as an account holds it. */
export const store = ({ entries, sourceLang, targetLang }: Dictionary): StoredDictionary => {
  let made: phrases.Phrases | undefined
  return {
    sourceLang,
    targetLang,
    entries,
    phrases: () => {
      made ??= phrases.make(entries)
      return made
    }
  }
}

const merge = (old: Dictionary | undefined, { entries, ...pair }: Dictionary): Dictionary => ({
  ...pair,
  entries: GlossaryEntries.fromTerms(
    new Map([...(old?.entries ?? []), ...entries].map(({ source, target }) => [source, target]))
  )
})

const checked = (dictionary: Dictionary) => {
  const [problem] = GlossaryEntries.check(dictionary.entries)
  return problem === undefined ? Effect.succeed(dictionary) : invalid(problem.message)
}

/** The glossaries of each account, in the order of their creation. The older endpoints see the same ones. */
export class GlossaryState {
  constructor(
    private readonly accounts: AccountState,
    private readonly supported: SupportedValues
  ) {}

  private readonly checkDictionary = ({ entries, sourceLang, targetLang }: Dictionary) =>
    entries.length === 0
      ? invalid("There are none")
      : this.supported.languages("glossary", {
          sources: { source_lang: sourceLang },
          targets: { target_lang: targetLang }
        })

  /** Those of the caller. */
  private readonly own = Effect.suspend(() =>
    Effect.map(this.accounts.caller, ({ account }) => account.glossaries)
  )

  private readonly save = (glossary: Glossary) =>
    Effect.map(this.own, (own) => {
      own.set(glossary.glossaryId, glossary)
      return glossary
    })

  readonly list = Effect.map(this.own, (own) => Array.from(own.values()))

  readonly get = (glossaryId: string) =>
    Effect.flatMap(this.own, (own) => {
      const glossary = own.get(glossaryId)
      return glossary === undefined ? notFound("glossary") : Effect.succeed(glossary)
    })

  readonly create = (name: string, dictionaries: ReadonlyArray<Dictionary>) =>
    Effect.gen(this, function* () {
      yield* Effect.forEach(dictionaries, this.checkDictionary)
      return yield* this.save({
        glossaryId: yield* ids.make,
        name,
        creationTime: yield* DateTime.now,
        dictionaries: new Map(dictionaries.map((dictionary) => [keyOf(dictionary), store(dictionary)]))
      })
    })

  readonly delete = (glossaryId: string) =>
    Effect.zipWith(this.own, this.get(glossaryId), (own) => void own.delete(glossaryId))

  readonly dictionary = (glossaryId: string, pair: GlossaryEntries.LanguagePair) =>
    Effect.flatMap(this.get(glossaryId), ({ dictionaries }) => {
      const dictionary = dictionaries.get(keyOf(pair))
      return dictionary === undefined ? notFound("dictionary") : Effect.succeed(dictionary)
    })

  readonly put = (glossaryId: string, dictionary: Dictionary) =>
    Effect.gen(this, function* () {
      const glossary = yield* this.get(glossaryId)
      yield* this.checkDictionary(dictionary)
      return yield* this.save({
        ...glossary,
        dictionaries: new Map(glossary.dictionaries).set(keyOf(dictionary), store(dictionary))
      })
    })

  /** Changes name and dictionary, or neither. */
  readonly update = (
    glossaryId: string,
    change: { readonly name?: string | undefined; readonly dictionary?: Dictionary | undefined }
  ) =>
    Effect.gen(this, function* () {
      const glossary = yield* this.get(glossaryId)
      const dictionaries = new Map(glossary.dictionaries)
      if (change.dictionary !== undefined) {
        yield* this.checkDictionary(change.dictionary)
        const key = keyOf(change.dictionary)
        dictionaries.set(key, store(yield* checked(merge(dictionaries.get(key), change.dictionary))))
      }
      return yield* this.save({ ...glossary, name: change.name ?? glossary.name, dictionaries })
    })

  readonly deleteDictionary = (glossaryId: string, pair: GlossaryEntries.LanguagePair) =>
    Effect.gen(this, function* () {
      const glossary = yield* this.get(glossaryId)
      yield* this.dictionary(glossaryId, pair)
      const dictionaries = new Map(glossary.dictionaries)
      dictionaries.delete(keyOf(pair))
      yield* this.save({ ...glossary, dictionaries })
    })

  /** The phrases that a translation replaces. If several glossaries hold a phrase, the first one decides. */
  readonly phrasesFor = ({
    glossaryId,
    glossaryIds = glossaryId === undefined ? [] : [glossaryId],
    sourceLang = "",
    targetLang
  }: Pick<Text.TranslateRequest, "glossaryId" | "glossaryIds" | "sourceLang" | "targetLang">): Effect.Effect<
    phrases.Phrases | undefined,
    Refusal,
    TranslateApi.Caller
  > =>
    glossaryIds.length === 0
      ? Effect.succeed(undefined)
      : Effect.map(
          Effect.forEach(glossaryIds, (id) => this.applied(id, { sourceLang, targetLang })),
          ([first, ...rest]) =>
            rest.length === 0
              ? first!.phrases()
              : phrases.make([first!, ...rest].flatMap(({ entries }) => entries))
        )

  private readonly applied = (glossaryId: string, pair: GlossaryEntries.LanguagePair) =>
    Effect.flatMap(this.get(glossaryId), ({ dictionaries }) => {
      const dictionary =
        pair.sourceLang === ""
          ? Array.from(dictionaries.values()).find(
              ({ targetLang }) => LanguageCode.base(targetLang) === LanguageCode.base(pair.targetLang)
            )
          : dictionaries.get(keyOf(pair))
      return dictionary === undefined
        ? refusal(
            "BadRequest",
            `The glossary holds no dictionary ${pair.sourceLang === "" ? "" : `from ${pair.sourceLang} `}to ${pair.targetLang}`
          )
        : Effect.succeed(dictionary)
    })
}
