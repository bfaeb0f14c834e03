import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Text from "../../api/Text.js"
import type { Backend, Ending } from "../StoreBackend.js"
import type { StoreError } from "../StoreError.js"
import type * as TranslationStore from "../TranslationStore.js"

/** A request, from its claim until what became of it is stored. */
interface Attempt {
  id: string
  /** Its texts, without those that were not granted. */
  texts: Array<UnderWay>
  /** How many of them have no stored result yet. */
  missing: number
  /** Whether anybody has asked to send it, or says that it was sent. */
  isSent: boolean
  /** The attempts in doubt before the last one. */
  ambiguous: number
  ending: Ending | undefined
}

/** A text from its claim until its result is stored. */
interface UnderWay {
  readonly text: string
  readonly key: string
  /** The requests that it is part of. */
  readonly attempts: Array<Attempt>
}

/** What a session is made of. */
export interface Config {
  readonly backend: Backend
  /** The id of the namespace. */
  readonly namespace: string
  readonly keyOf: (text: string) => string
  readonly findCorrections: (
    texts: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string | undefined>, StoreError>
  /** Whether anybody has corrected anything into the language of the session. */
  readonly hasCorrections: () => boolean
  /** The session that has claimed a key, of all sessions of the process. */
  readonly holders: Map<string, unknown>
  readonly pollInterval: Duration.Duration
  readonly refreshBefore: DateTime.Utc | undefined
}

/** How many keys are remembered from a look-up to the claim: at least, and at most twice as many. */
const keysKept = 10_000

// Not by `Random`: processes may have the same seed.
const newId = (): string => crypto.randomUUID()

const detach = (attempt: Attempt, { attempts }: UnderWay): void => {
  const index = attempts.indexOf(attempt)
  if (index === -1) return
  attempts.splice(index, 1)
  attempt.missing--
}

const nothingGranted = (texts: ReadonlyArray<string>): TranslationStore.Claim => ({
  granted: texts.map(() => false),
  maySend: () => Effect.succeed(false),
  ended: () => {}
})

/**
 * What one stream asks of the store. It keeps count of the requests whose results are not stored, and holds the texts that it has
 * claimed against the other sessions of the process.
 */
export class Session implements TranslationStore.Session {
  readonly pollInterval: Duration.Duration
  private readonly underWay = new Map<string, UnderWay>()
  /** The keys of texts that were looked up and not found. */
  private recent = new Map<string, string>()
  private older = new Map<string, string>()
  /** Those whose ending is not stored. */
  private readonly attempts = new Set<Attempt>()

  constructor(private readonly config: Config) {
    this.pollInterval = config.pollInterval
  }

  readonly lookUp = (
    texts: ReadonlyArray<string>
  ): Effect.Effect<ReadonlyArray<Text.Translation | undefined>, StoreError> =>
    Effect.suspend(() => {
      const { findCorrections, hasCorrections } = this.config
      return hasCorrections()
        ? Effect.flatMap(findCorrections(texts), (corrections) => this.find(texts, corrections))
        : this.find(texts, [])
    })

  readonly claim = (texts: ReadonlyArray<string>): Effect.Effect<TranslationStore.Claim, StoreError> =>
    Effect.suspend(() => {
      const { backend, holders, namespace, refreshBefore } = this.config
      const attempt: Attempt = {
        id: newId(),
        texts: [],
        missing: 0,
        isSent: false,
        ambiguous: 0,
        ending: undefined
      }
      const asked = texts.map((text) => this.under(text))
      for (const text of asked) {
        const holder = holders.get(text.key)
        if (holder === undefined) holders.set(text.key, this)
        else if (holder !== this) continue
        if (text.attempts.at(-1) === attempt) continue
        text.attempts.push(attempt)
        attempt.texts.push(text)
      }
      if (attempt.texts.length === 0) return Effect.succeed(nothingGranted(texts))
      attempt.missing = attempt.texts.length
      this.attempts.add(attempt)
      return Effect.map(
        backend.claim({
          attempt: attempt.id,
          namespace,
          keys: attempt.texts.map(({ key }) => key),
          characters: attempt.texts.map(({ text }) => Text.characters(text)),
          refreshBefore
        }),
        (granted) => this.claimed(attempt, asked, granted)
      )
    })

  readonly record = (results: ReadonlyArray<TranslationStore.Result>): Effect.Effect<void, StoreError> =>
    Effect.suspend(() => {
      const { backend, namespace, refreshBefore } = this.config
      const settled = new Set<UnderWay>()
      const settledOf = new Map<Attempt, number>()
      const translations: Array<{ key: string; text: string; translation: Text.Translation }> = []
      for (const { text, translation } of results) {
        const under = this.under(text)
        if (settled.has(under)) continue
        settled.add(under)
        if (translation !== undefined) translations.push({ key: under.key, text, translation })
        for (const attempt of under.attempts) settledOf.set(attempt, (settledOf.get(attempt) ?? 0) + 1)
      }
      const ended: Array<Attempt> = []
      const endings: Array<{ attempt: string; ending: Ending }> = []
      for (const attempt of this.attempts) {
        if (attempt.ending === undefined || attempt.missing > (settledOf.get(attempt) ?? 0)) continue
        ended.push(attempt)
        endings.push({ attempt: attempt.id, ending: attempt.ending })
      }
      const recorded =
        translations.length === 0 && endings.length === 0
          ? Effect.void
          : backend.record({ namespace, translations, endings, refreshBefore })
      return Effect.map(recorded, () => {
        for (const under of settled) {
          for (const attempt of under.attempts) attempt.missing--
          this.forget(under)
        }
        for (const attempt of ended) this.attempts.delete(attempt)
      })
    })

  /** Stores what became of the requests that are left, and gives their texts back. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    const { backend, namespace } = this.config
    const endings = Array.from(this.attempts, (attempt) => ({
      attempt: attempt.id,
      // What was paid for and is not stored is in doubt.
      ending:
        attempt.ending !== undefined && attempt.missing === 0
          ? attempt.ending
          : attempt.isSent
            ? ("unknown" as const)
            : ("rejected" as const)
    }))
    const ended =
      endings.length === 0
        ? Effect.void
        : Effect.exit(backend.record({ namespace, translations: [], endings }))
    return Effect.map(ended, () => {
      for (const under of this.underWay.values()) this.forget(under)
    })
  })

  private keyOf(text: string): string {
    return (
      this.underWay.get(text)?.key ?? this.recent.get(text) ?? this.older.get(text) ?? this.config.keyOf(text)
    )
  }

  private remember(text: string, key: string): void {
    this.recent.set(text, key)
    if (this.recent.size < keysKept) return
    this.older = this.recent
    this.recent = new Map()
  }

  private under(text: string): UnderWay {
    let under = this.underWay.get(text)
    if (under === undefined) {
      under = { text, key: this.keyOf(text), attempts: [] }
      this.underWay.set(text, under)
    }
    return under
  }

  private release({ key }: UnderWay): void {
    const { holders } = this.config
    if (holders.get(key) === this) holders.delete(key)
  }

  private forget(under: UnderWay): void {
    this.underWay.delete(under.text)
    this.release(under)
  }

  /** Looks up those texts that have no correction, and that no other session of the process is translating. */
  private find(
    texts: ReadonlyArray<string>,
    corrections: ReadonlyArray<string | undefined>
  ): Effect.Effect<ReadonlyArray<Text.Translation | undefined>, StoreError> {
    const { backend, holders, refreshBefore } = this.config
    const known: Array<Text.Translation | undefined> = texts.map(() => undefined)
    const asked: Array<number> = []
    const keys: Array<string> = []
    const found = (index: number, translation: Text.Translation) => {
      known[index] = translation
      const under = this.underWay.get(texts[index]!)
      if (under !== undefined) this.forget(under)
    }
    for (let index = 0; index < texts.length; index++) {
      const text = texts[index]!
      const correction = corrections[index]
      if (correction !== undefined) {
        found(index, { text: correction })
        continue
      }
      const key = this.keyOf(text)
      const holder = holders.get(key)
      if (holder !== undefined && holder !== this) this.remember(text, key)
      else {
        asked.push(index)
        keys.push(key)
      }
    }
    if (asked.length === 0) return Effect.succeed(known)
    return Effect.map(backend.find(keys, refreshBefore), (translations) => {
      for (let i = 0; i < asked.length; i++) {
        const translation = translations[i]
        if (translation === undefined) this.remember(texts[asked[i]!]!, keys[i]!)
        else found(asked[i]!, translation)
      }
      return known
    })
  }

  private claimed(
    attempt: Attempt,
    asked: ReadonlyArray<UnderWay>,
    granted: ReadonlyArray<boolean>
  ): TranslationStore.Claim {
    const texts = attempt.texts
    attempt.texts = texts.filter((_, index) => granted[index])
    texts.forEach((under, index) => {
      if (granted[index] === true) return
      detach(attempt, under)
      if (under.attempts.length === 0) this.release(under)
    })
    if (attempt.texts.length === 0) this.attempts.delete(attempt)
    return {
      granted: asked.map(({ attempts }) => attempts.includes(attempt)),
      maySend: (ambiguousAttempts) => this.maySend(attempt, ambiguousAttempts),
      ended: (ending) => {
        attempt.ending = ending
        if (ending !== "rejected") attempt.isSent = true
        if (ending === "rejected") for (const under of attempt.texts) detach(attempt, under)
      }
    }
  }

  private maySend(attempt: Attempt, ambiguousAttempts: number): Effect.Effect<boolean, StoreError> {
    return Effect.suspend(() => {
      if (!this.attempts.has(attempt)) return Effect.succeed(false)
      attempt.isSent = true
      const held =
        ambiguousAttempts > attempt.ambiguous
          ? this.repeat(attempt, ambiguousAttempts)
          : this.config.backend.isHeld(attempt.id)
      return Effect.map(held, (isHeld) => {
        if (!isHeld) this.lose(attempt)
        return isHeld
      })
    })
  }

  /** Cannot be interrupted: the id of the attempt in flight would not be known. */
  private repeat(attempt: Attempt, ambiguousAttempts: number): Effect.Effect<boolean, StoreError> {
    const next = newId()
    return Effect.uninterruptible(
      Effect.map(this.config.backend.repeat(attempt.id, next), (isHeld) => {
        if (isHeld) attempt.id = next
        attempt.ambiguous = ambiguousAttempts
        return isHeld
      })
    )
  }

  /** Another process has taken over: its ledger entry is complete, and its texts are to be looked up again. */
  private lose(attempt: Attempt): void {
    this.attempts.delete(attempt)
    for (const under of attempt.texts) {
      detach(attempt, under)
      if (under.attempts.length === 0) this.release(under)
    }
  }
}
