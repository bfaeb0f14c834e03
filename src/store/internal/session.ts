import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Text from "../../api/Text.js"
import { askedAt } from "../../internal/askedAt.js"
import type { Backend } from "../StoreBackend.js"
import type { StoreError } from "../StoreError.js"
import type * as TranslationStore from "./storeModels.js"
import type { Ending } from "./storeModels.js"

/** A request, from its claim until its result is stored. */
interface Attempt {
  id: string
  /** Its texts, without those that were not granted. */
  texts: Array<UnderWay>
  /** The number of them that have no stored result yet. */
  missing: number
  /** True once the request may have been sent. */
  isSent: boolean
  /** The attempts in doubt before the last one. */
  ambiguous: number
  ending: Ending | undefined
}

/** A text from its look-up until its result is stored. */
interface UnderWay {
  readonly text: string
  readonly key: string
  /** The requests that it is part of. */
  readonly attempts: Array<Attempt>
  /** The last recording that it was part of. */
  recording: number
}

/** The parts of a session. */
export interface Config {
  readonly backend: Backend
  /** The id of the namespace. */
  readonly namespace: string
  readonly keyOf: (text: string) => string
  readonly findCorrections: (
    texts: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string | undefined>, StoreError>
  /** True if there are corrections into the language of the session. */
  readonly hasCorrections: () => boolean
  /** The session that has claimed a key, of all sessions of the process. */
  readonly holders: Map<string, unknown>
  readonly pollInterval: Duration.Duration
  readonly refreshBefore: DateTime.Utc | undefined
  readonly retryFailedBefore: DateTime.Utc | undefined
  /** The texts that the service has failed with before, by their keys. */
  readonly failures: ReadonlyMap<string, TranslationStore.ServiceFailure>
}

/**
 * A UUID of version 7: those of a database come in order, so that an index appends them. Not by `Random`: processes may have the same
 * seed.
 */
const newId = (): string => {
  const time = Date.now().toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`
}

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
 * The session of one stream. It keeps count of the requests whose results are not stored, and holds the texts that it
 * has claimed against the other sessions of the process.
 */
export class Session implements TranslationStore.Session {
  readonly pollInterval: Duration.Duration
  /**
   * The time before which stored translations and failures give way to this session's requests: it looks up the current
   * ones before it sends.
   */
  private readonly replaceBefore: DateTime.Utc | undefined
  private readonly underWay = new Map<string, UnderWay>()
  private recordings = 0
  /** The keys of texts that the service has failed with since. */
  private readonly failed = new Set<string>()
  /** The requests that have asked for texts of which another one is due, by their keys. */
  private readonly asked = new Map<string, number>()
  /** Those whose ending is not stored. */
  private readonly attempts = new Set<Attempt>()

  constructor(private readonly config: Config) {
    this.pollInterval = config.pollInterval
    const { refreshBefore: refresh, retryFailedBefore: retry } = config
    this.replaceBefore =
      refresh === undefined || retry === undefined ? (refresh ?? retry) : DateTime.max(refresh, retry)
    this.failedBefore = config.failures.size === 0 ? undefined : this.failureOf
  }

  readonly lookUp = (
    texts: ReadonlyArray<string>
  ): Effect.Effect<ReadonlyArray<TranslationStore.StoredTranslation | undefined>, StoreError> =>
    Effect.suspend(() => {
      const { findCorrections, hasCorrections } = this.config
      return hasCorrections()
        ? Effect.flatMap(findCorrections(texts), (corrections) => this.find(texts, corrections))
        : this.find(texts, [])
    })

  /** None if the service has failed with no text before. */
  readonly failedBefore: ((text: string) => TranslationStore.ServiceFailure | undefined) | undefined

  readonly claim = (
    texts: ReadonlyArray<string>,
    sent: ReadonlyArray<number> = texts.map(Text.characters)
  ): Effect.Effect<TranslationStore.Claim, StoreError> =>
    Effect.suspend(() => {
      const { backend, holders, namespace } = this.config
      const attempt: Attempt = {
        id: newId(),
        texts: [],
        missing: 0,
        isSent: false,
        ambiguous: 0,
        ending: undefined
      }
      const asked = texts.map((text) => this.under(text))
      const characters: Array<number> = []
      for (const [index, text] of asked.entries()) {
        const holder = holders.get(text.key)
        if (holder === undefined) holders.set(text.key, this)
        else if (holder !== this) continue
        if (text.attempts.at(-1) === attempt) continue
        text.attempts.push(attempt)
        attempt.texts.push(text)
        characters.push(sent[index]!)
      }
      if (attempt.texts.length === 0) return Effect.succeed(nothingGranted(texts))
      attempt.missing = attempt.texts.length
      this.attempts.add(attempt)
      return Effect.map(
        backend.claim({
          attempt: attempt.id,
          namespace,
          keys: attempt.texts.map(({ key }) => key),
          characters,
          refreshBefore: this.replaces(attempt.texts)
        }),
        (granted) => this.claimed(attempt, asked, granted)
      )
    })

  readonly record = (results: ReadonlyArray<TranslationStore.Result>): Effect.Effect<void, StoreError> =>
    Effect.suspend(() => {
      const { backend, namespace } = this.config
      const recording = ++this.recordings
      const settled: Array<UnderWay> = []
      const settledOf = new Map<Attempt, number>()
      const translations: Array<{
        key: string
        text: string
        translation: TranslationStore.StoredTranslation
      }> = []
      const failures: Array<{ key: string; hasFailed: boolean }> = []
      let isAnyReplacing = false
      for (const { hasFailed = false, isReplacing = false, text, translation } of results) {
        if (isReplacing) isAnyReplacing = true
        const under = this.under(text)
        if (under.recording === recording) continue
        under.recording = recording
        settled.push(under)
        if (translation !== undefined) translations.push({ key: under.key, text, translation })
        const isKnown = this.config.failures.has(under.key) || this.failed.has(under.key)
        if (hasFailed) this.failed.add(under.key)
        if (hasFailed || (isKnown && translation !== undefined)) failures.push({ key: under.key, hasFailed })
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
        translations.length === 0 && endings.length === 0 && failures.length === 0
          ? Effect.void
          : backend.record({
              namespace,
              translations,
              endings,
              failures,
              refreshBefore: this.replaces(translations, Math.max),
              isReplacing: isAnyReplacing
            })
      for (const { key, translation } of translations) {
        if (translation.asked !== undefined) this.asked.set(key, translation.asked)
      }
      return Effect.map(recorded, () => {
        for (const under of settled) {
          for (const attempt of under.attempts) attempt.missing--
          this.forget(under)
        }
        for (const attempt of ended) this.attempts.delete(attempt)
      })
    })

  /** Stores the endings of requests that are left, and gives their texts back. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    const { backend, namespace } = this.config
    const endings = Array.from(this.attempts, (attempt) => ({
      attempt: attempt.id,
      // A paid translation that is not stored is in doubt.
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

  private readonly failureOf = (text: string): TranslationStore.ServiceFailure | undefined => {
    const { failures, keyOf } = this.config
    const failure = failures.get(keyOf(text))
    const isDue = failure && this.replaceBefore && DateTime.lessThan(failure.at, this.replaceBefore)
    return isDue === true ? undefined : failure
  }

  /** The time before which stored translations of these texts do not count. */
  private replaces(
    texts: ReadonlyArray<{ readonly key: string }>,
    pick = Math.min
  ): DateTime.Utc | undefined {
    if (this.asked.size === 0 || this.replaceBefore !== undefined) return this.replaceBefore
    const known = texts.flatMap(({ key }) => this.asked.get(key) ?? [])
    return known.length === 0 ? undefined : DateTime.unsafeMake(askedAt(pick(...known)) + 1)
  }

  private under(text: string): UnderWay {
    return this.underWay.get(text) ?? this.register(this.begin(text))
  }

  private begin(text: string): UnderWay {
    return { text, key: this.config.keyOf(text), attempts: [], recording: 0 }
  }

  private register(under: UnderWay): UnderWay {
    this.underWay.set(under.text, under)
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
  ): Effect.Effect<ReadonlyArray<TranslationStore.StoredTranslation | undefined>, StoreError> {
    const { holders } = this.config
    const known = new Array<TranslationStore.StoredTranslation | undefined>(texts.length).fill(undefined)
    const asked: Array<{ readonly index: number; readonly under: UnderWay }> = []
    for (const [index, text] of texts.entries()) {
      const before = this.underWay.get(text)
      const correction = corrections[index]
      if (correction !== undefined) {
        known[index] = { text: correction, isCorrection: true }
        if (before !== undefined) this.forget(before)
        continue
      }
      const under = before ?? this.begin(text)
      const holder = holders.get(under.key)
      if (holder === undefined || holder === this) asked.push({ index, under })
      else if (before === undefined) this.register(under)
    }
    if (asked.length === 0) return Effect.succeed(known)
    const keys = asked.map(({ under }) => under.key)
    return Effect.map(this.findCounting(keys), (translations) => {
      for (const [place, { index, under }] of asked.entries()) {
        const translation = translations[place]
        known[index] = translation
        if (translation?.asked !== undefined) this.asked.set(under.key, translation.asked)
        // It may have been claimed meanwhile. Most texts of a second run are found: they need not be remembered.
        const now = this.underWay.get(under.text)
        if (translation === undefined) {
          if (now === undefined) this.register(under)
        } else if (now !== undefined) this.forget(now)
      }
      return known
    })
  }

  /** Without those that were refused too long ago. */
  private findCounting(
    keys: ReadonlyArray<string>
  ): Effect.Effect<ReadonlyArray<TranslationStore.StoredTranslation | undefined>, StoreError> {
    const { backend, namespace, refreshBefore, retryFailedBefore } = this.config
    const found = backend.find(namespace, keys, refreshBefore)
    if (retryFailedBefore === undefined) return found
    return Effect.flatMap(found, (translations) => {
      const isRefused = (index: number) => translations[index]?.refusedBy !== undefined
      const refused = keys.filter((_, index) => isRefused(index))
      if (refused.length === 0) return Effect.succeed(translations)
      return Effect.map(backend.find(namespace, refused, retryFailedBefore), (counting) => {
        let next = 0
        return translations.map((translation, index) => (isRefused(index) ? counting[next++] : translation))
      })
    })
  }

  private claimed(
    attempt: Attempt,
    asked: ReadonlyArray<UnderWay>,
    granted: ReadonlyArray<boolean>
  ): TranslationStore.Claim {
    if (granted.includes(false)) this.denied(attempt, granted)
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

  /** Others have some texts of an attempt. */
  private denied(attempt: Attempt, granted: ReadonlyArray<boolean>): void {
    const { texts } = attempt
    attempt.texts = texts.filter((_, index) => granted[index])
    texts.forEach((under, index) => {
      if (granted[index] === true) return
      detach(attempt, under)
      if (under.attempts.length === 0) this.release(under)
    })
    if (attempt.texts.length === 0) this.attempts.delete(attempt)
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
