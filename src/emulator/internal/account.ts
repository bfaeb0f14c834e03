import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as GlossaryEntries from "../../api/GlossaryEntries.js"
import * as Limits from "../../api/Limits.js"
import type * as ServiceError from "../../api/ServiceError.js"
import type * as StyleRule from "../../api/StyleRule.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import type { Stored } from "./memoryContent.js"
import type { MeterState } from "./meter.js"
import type * as phrases from "./phrases.js"
import { refusal } from "./refusal.js"

export interface Dictionary extends GlossaryEntries.LanguagePair {
  readonly entries: GlossaryEntries.GlossaryEntries
}

/** A dictionary, and its compiled phrases once it has been applied. */
export interface StoredDictionary extends Dictionary {
  readonly phrases: () => phrases.Phrases
}

export interface Glossary {
  readonly glossaryId: string
  readonly name: string
  readonly creationTime: DateTime.Utc
  /** By their pair. */
  readonly dictionaries: ReadonlyMap<string, StoredDictionary>
}

/** The products that are billed in characters. */
export type Product = "text_translation" | "text_improvement" | "document_translation"

/**
 * A key that an emulator accepts.
 *
 * @since 0.1.0
 * @category models
 */
export interface KeyOptions {
  /** The key, as clients send it. */
  readonly key: string
  /** The most characters for this key in a month; 0 blocks all use, `null` is no limit. @default null */
  readonly characterLimit?: number | null | undefined
  /** The name of its account: keys of one account share its limit and its usage. @default an account of its own */
  readonly account?: string | undefined
  /** Makes it an admin key: it opens `/v2/admin/...` of its account and nothing else. @default false */
  readonly admin?: boolean | undefined
  /** The tier of its subscription. @default "paid" */
  readonly tier?: "paid" | "free" | undefined
  /** The permissions on translation memories: `translation_memories:read`, `translation_memories:write`. @default everything */
  readonly scopes?: ReadonlyArray<string> | undefined
}

/** The characters billed in one second for one product, under one custom tag. */
export interface Entry {
  readonly second: number
  readonly product: Product
  readonly tag: string | undefined
  characters: number
}

/** A key, its use in this billing period, and everything that was ever billed to it. */
export interface KeyState {
  readonly key: string
  readonly account: Account
  readonly isAdmin: boolean
  readonly tier: "paid" | "free"
  readonly scopes: ReadonlyArray<string> | undefined
  readonly createdAt: DateTime.Utc
  label: string
  deactivatedAt: DateTime.Utc | undefined
  characterLimit: number | null
  speechToTextMillisecondsLimit: number | null
  used: { readonly [P in Product]: number }
  readonly ledger: Map<string, Entry>
}

/** The key of an entry. */
export const entryId = ({ product, second, tag }: Omit<Entry, "characters">): string =>
  `${second} ${product} ${tag ?? ""}`

/** Keys that share a limit, glossaries and style rules, and whose usage one admin key sees. In the order of their creation. */
export interface Account {
  readonly name: string | undefined
  readonly keys: Array<KeyState>
  readonly glossaries: Map<string, Glossary>
  readonly styleRules: Map<string, StyleRule.StyleRuleList>
  readonly translationMemories: Map<string, Stored>
}

/** The bill of an answer. */
export interface Bill {
  readonly product: Product
  readonly texts: number
  /** Code points. */
  readonly characters: number
}

/** A billing period: a month of UTC. */
export interface Period {
  readonly start: DateTime.Utc
  readonly end: DateTime.Utc
}

const nothing: KeyState["used"] = { text_translation: 0, text_improvement: 0, document_translation: 0 }

const periodAt = (millis: number): Period => {
  const start = DateTime.startOf(DateTime.unsafeMake(millis), "month")
  return { start, end: DateTime.add(start, { months: Limits.keyUsageLimit.periodMonths }) }
}

const allows = (limit: number | null, used: number, more: number): boolean =>
  limit === null || (limit > 0 && used + more <= limit)

/** The characters that keys have used in this period, of these products or of all. */
export const used = (
  keys: ReadonlyArray<KeyState>,
  products: ReadonlyArray<Product> = Object.keys(nothing) as Array<Product>
): number => keys.reduce((sum, key) => products.reduce((sum, product) => sum + key.used[product], sum), 0)

/** The keys that an account's admin key manages: all but admin keys. */
export const developerKeys = (account: Account): ReadonlyArray<KeyState> =>
  account.keys.filter(({ isAdmin }) => !isAdmin)

/** The custom tag of the request that is being answered. */
const tagOf = (header: string): Effect.Effect<string | undefined> =>
  Effect.map(Effect.serviceOption(HttpServerRequest.HttpServerRequest), (request) =>
    Option.isSome(request) ? request.value.headers[header] || undefined : undefined
  )

/** The accounts, their keys, and the quota that is left to them. */
export class AccountState {
  readonly keys = new Map<string, KeyState>()
  private readonly named = new Map<string, Account>()
  private period = periodAt(0)

  constructor(
    /** The most characters of one account. */
    readonly characterLimit: number | null,
    private readonly customTagHeader: string,
    private readonly meter: MeterState
  ) {}

  /** The account of this name; without a name, one of its own. */
  account(name: string | undefined): Account {
    const account = (name === undefined ? undefined : this.named.get(name)) ?? {
      name,
      keys: [],
      glossaries: new Map(),
      styleRules: new Map(),
      translationMemories: new Map()
    }
    if (name !== undefined) this.named.set(name, account)
    return account
  }

  /** The key of the request that is being answered. */
  readonly caller: Effect.Effect<KeyState, never, TranslateApi.Caller> = Effect.map(
    TranslateApi.Caller,
    ({ key }) => this.keys.get(key)!
  )

  /** Adds a key that works at once. */
  add(
    account: Account,
    { admin = false, characterLimit = null, key, scopes, tier = "paid" }: Omit<KeyOptions, "account">,
    label = `Key ${developerKeys(account).length + 1}`
  ): Effect.Effect<KeyState> {
    return Effect.map(DateTime.now, (createdAt) =>
      this.insert({
        key,
        account,
        isAdmin: admin,
        tier,
        scopes,
        createdAt,
        label,
        deactivatedAt: undefined,
        characterLimit,
        speechToTextMillisecondsLimit: null,
        used: nothing,
        ledger: new Map()
      })
    )
  }

  /** Adds a key as it was. */
  insert(state: KeyState): KeyState {
    state.account.keys.push(state)
    this.keys.set(state.key, state)
    this.meter.add(state.key)
    return state
  }

  /** When the period began that the keys' usage is of, in milliseconds. */
  get periodStart(): number {
    return this.period.start.epochMillis
  }

  set periodStart(millis: number) {
    this.period = periodAt(millis)
  }

  /** The current period. A new one starts with nothing used. */
  readonly currentPeriod: Effect.Effect<Period> = Effect.map(Clock.currentTimeMillis, (now) => {
    if (now < this.period.start.epochMillis || now >= this.period.end.epochMillis) {
      this.period = periodAt(now)
      for (const key of this.keys.values()) key.used = nothing
    }
    return this.period
  })

  /** Bills all of it or nothing. */
  bill(
    key: string,
    { characters, product, texts }: Bill
  ): Effect.Effect<void, typeof ServiceError.QuotaExceeded.Type> {
    return Effect.gen(this, function* () {
      yield* this.currentPeriod
      const second = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const tag = yield* tagOf(this.customTagHeader)
      const payer = this.keys.get(key)!
      if (!allows(payer.characterLimit, used([payer]), characters)) {
        return yield* exceeded("the key", payer.characterLimit)
      }
      if (!allows(this.characterLimit, used(payer.account.keys), characters)) {
        return yield* exceeded("the account", this.characterLimit)
      }
      payer.used = { ...payer.used, [product]: payer.used[product] + characters }
      const id = entryId({ second, product, tag })
      const entry = payer.ledger.get(id) ?? { second, product, tag, characters: 0 }
      entry.characters += characters
      payer.ledger.set(id, entry)
      this.meter.bill(key, texts, characters)
    })
  }
}

const exceeded = (whose: string, limit: number | null) =>
  refusal("QuotaExceeded", `Quota exceeded: ${whose} may use ${limit} characters in this period`)
