import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as ServiceError from "../../api/ServiceError.js"
import type { MeterState } from "./meter.js"

/** A key and what it has used in this billing period. */
export interface KeyState {
  readonly key: string
  readonly characterLimit: number | null
  characters: number
}

/** What an answer costs. */
export interface Bill {
  readonly product: "text_translation" | "text_improvement" | "document_translation"
  readonly texts: number
  /** Code points. */
  readonly characters: number
}

/** A billing period: a month of UTC. */
export interface Period {
  readonly start: DateTime.Utc
  readonly end: DateTime.Utc
}

const periodAt = (millis: number): Period => {
  const start = DateTime.startOf(DateTime.unsafeMake(millis), "month")
  return { start, end: DateTime.add(start, { months: 1 }) }
}

const allows = (limit: number | null, used: number, more: number): boolean =>
  limit === null || (limit > 0 && used + more <= limit)

/** The account, its keys, and what they may still use. */
export class AccountState {
  readonly keys: ReadonlyMap<string, KeyState>
  characters = 0
  private period = periodAt(0)

  constructor(
    keys: ReadonlyArray<{ readonly key: string; readonly characterLimit: number | null }>,
    readonly characterLimit: number | null,
    readonly meter: MeterState
  ) {
    this.keys = new Map(keys.map((key) => [key.key, { ...key, characters: 0 }]))
  }

  /** The current period. A new one starts with nothing used. */
  readonly currentPeriod: Effect.Effect<Period> = Effect.map(Clock.currentTimeMillis, (now) => {
    if (now < this.period.start.epochMillis || now >= this.period.end.epochMillis) {
      this.period = periodAt(now)
      this.characters = 0
      for (const key of this.keys.values()) key.characters = 0
    }
    return this.period
  })

  /** Bills all of it or nothing. */
  bill(key: string, { characters, texts }: Bill) {
    return Effect.flatMap(this.currentPeriod, () => {
      const used = this.keys.get(key)!
      if (!allows(used.characterLimit, used.characters, characters)) {
        return Effect.fail(exceeded("the key", used.characterLimit))
      }
      if (!allows(this.characterLimit, this.characters, characters)) {
        return Effect.fail(exceeded("the account", this.characterLimit))
      }
      used.characters += characters
      this.characters += characters
      this.meter.bill(key, texts, characters)
      return Effect.void
    })
  }
}

const exceeded = (whose: string, limit: number | null): typeof ServiceError.QuotaExceeded.Type => ({
  _tag: "QuotaExceeded",
  message: `Quota exceeded: ${whose} may use ${limit} characters in this period`
})
