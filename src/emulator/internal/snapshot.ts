import * as Schema from "effect/Schema"
import * as StyleRule from "../../api/StyleRule.js"
import * as TranslationMemory from "../../api/TranslationMemory.js"
import { type Account, type AccountState, entryId, type KeyState } from "./account.js"
import * as glossaryState from "./glossaryState.js"

const product = Schema.Literal("text_translation", "text_improvement", "document_translation")

const Key = Schema.Struct({
  key: Schema.String,
  isAdmin: Schema.Boolean,
  tier: Schema.Literal("paid", "free"),
  scopes: Schema.optional(Schema.Array(Schema.String)),
  createdAt: Schema.DateTimeUtc,
  label: Schema.String,
  deactivatedAt: Schema.optional(Schema.DateTimeUtc),
  characterLimit: Schema.NullOr(Schema.Number),
  speechToTextMillisecondsLimit: Schema.NullOr(Schema.Number),
  used: Schema.Record({ key: product, value: Schema.Number }),
  ledger: Schema.Array(
    Schema.Struct({
      second: Schema.Number,
      product,
      tag: Schema.optional(Schema.String),
      characters: Schema.Number
    })
  )
})

const Glossary = Schema.Struct({
  glossaryId: Schema.String,
  name: Schema.String,
  creationTime: Schema.DateTimeUtc,
  dictionaries: Schema.Array(
    Schema.Struct({
      sourceLang: Schema.String,
      targetLang: Schema.String,
      entries: Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String }))
    })
  )
})

/** All that an emulator remembers of its accounts. Documents are not of it: they last until their download. */
export const Snapshot = Schema.Struct({
  /** The type of the file, and the version of its form. */
  format: Schema.Literal("effect-translate-emulator/1").annotations({
    message: () => 'must be "effect-translate-emulator/1"'
  }),
  /** The start of the period that the usage is of, in milliseconds. */
  periodStart: Schema.Number,
  accounts: Schema.Array(
    Schema.Struct({
      name: Schema.optional(Schema.String),
      keys: Schema.Array(Key),
      glossaries: Schema.Array(Glossary),
      styleRules: Schema.Array(StyleRule.StyleRuleList),
      /** Files of earlier versions have none. */
      translationMemories: Schema.optional(
        Schema.Array(
          Schema.Struct({
            memory: TranslationMemory.TranslationMemory,
            segments: Schema.Array(TranslationMemory.Segment)
          })
        )
      )
    })
  )
}).annotations({ parseOptions: { onExcessProperty: "error", errors: "all" } })

/** All that an emulator remembers of its accounts. */
export interface Snapshot extends Schema.Schema.Type<typeof Snapshot> {}

/** The content of the accounts now. */
export const take = (state: AccountState): Snapshot => ({
  format: "effect-translate-emulator/1",
  periodStart: state.periodStart,
  accounts: Array.from(new Set(Array.from(state.keys.values(), ({ account }) => account)), (account) => ({
    name: account.name,
    keys: account.keys.map(({ account: _, ledger, ...key }) => ({
      ...key,
      ledger: Array.from(ledger.values())
    })),
    glossaries: Array.from(account.glossaries.values(), ({ dictionaries, ...glossary }) => ({
      ...glossary,
      dictionaries: Array.from(dictionaries.values(), ({ entries, sourceLang, targetLang }) => ({
        sourceLang,
        targetLang,
        entries
      }))
    })),
    styleRules: Array.from(account.styleRules.values()),
    translationMemories: Array.from(account.translationMemories.values(), ({ memory, segments }) => ({
      memory,
      segments
    }))
  }))
})

const keyOf = ({ ledger, ...key }: typeof Key.Type, account: Account): KeyState => ({
  ...key,
  account,
  scopes: key.scopes,
  deactivatedAt: key.deactivatedAt,
  ledger: new Map(ledger.map((entry) => [entryId(withTag(entry)), withTag(entry)]))
})

const withTag = <Entry extends { readonly tag?: string | undefined }>(entry: Entry) => ({
  ...entry,
  tag: entry.tag
})

/** Puts the content of other accounts into new ones. */
export const restore = (state: AccountState, { accounts, periodStart }: Snapshot): void => {
  state.periodStart = periodStart
  for (const { glossaries, keys, name, styleRules, translationMemories = [] } of accounts) {
    const account = state.account(name)
    for (const key of keys) state.insert(keyOf(key, account))
    for (const { dictionaries, ...glossary } of glossaries) {
      account.glossaries.set(glossary.glossaryId, {
        ...glossary,
        dictionaries: new Map(
          dictionaries.map((dictionary) => [glossaryState.keyOf(dictionary), glossaryState.store(dictionary)])
        )
      })
    }
    for (const list of styleRules) account.styleRules.set(list.styleId, list)
    for (const stored of translationMemories) {
      account.translationMemories.set(stored.memory.translationMemoryId, stored)
    }
  }
}
