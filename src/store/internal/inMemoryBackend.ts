import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import { askedAt } from "../../internal/askedAt.js"
import { LeastRecent } from "../../internal/leastRecent.js"
import { byteLength } from "../../internal/utf8.js"
import { type Backend, correctionKind, isOlder } from "../StoreBackend.js"
import { hashed, type Keys } from "../StoreKeys.js"
import { MemoryLedger } from "./inMemoryLedger.js"
import type {
  Correction,
  Entry,
  MemoryOptions,
  Namespace,
  PruneOptions,
  ServiceFailure,
  Stats,
  StoredTranslation
} from "./storeModels.js"

interface Stored {
  /** The id of the namespace. */
  readonly namespace: string
  readonly text: string
  readonly translation: StoredTranslation
  /** In milliseconds. */
  readonly at: number
  /** Grows with each that is stored. */
  readonly order: number
}

type Hashed = Correction & { readonly hash: string }

/** The number of namespaces that are known by more than their ids. */
const mostNamespaces = 10_000

/** The bytes of an entry: two for each UTF-16 unit of key, text and translation, and its own. */
const sizeOf = ({ text, translation }: Stored, key: string): number =>
  2 * (key.length + text.length + translation.text.length) + 300

const bytesOf = ({ text, translation }: Stored): number => byteLength(text) + byteLength(translation.text)

const isRefused = ({ refusedBy }: StoredTranslation): boolean => refusedBy !== undefined

const streamOf = <A>(values: () => Iterable<A>): Stream.Stream<A> =>
  Stream.suspend(() => Stream.fromChunk(Chunk.fromIterable(values())))

/** The store of one process. It is the only owner, so it may repeat its claims, and no lease runs out. */
class Memory implements Backend {
  private readonly known: LeastRecent<Stored>
  private readonly namespaces = new LeastRecent<Namespace>(mostNamespaces)
  /** By target language, then by hash, then by source language. */
  private readonly corrected = new Map<string, Map<string, Map<string, Hashed>>>()
  /** Of the corrections into each language. */
  private readonly revisions = new Map<string, string>()
  /** By namespace, then by key. */
  private readonly failed = new Map<string, Map<string, ServiceFailure>>()
  /** By key. */
  private readonly judged: LeastRecent<{ readonly verdict: string; readonly at: number }>
  private readonly ledger = new MemoryLedger(crypto.randomUUID())
  private written = 0

  constructor(
    { bytes = 67_108_864, texts = 100_000 }: MemoryOptions,
    private readonly keys: Pick<Keys, "baseOf" | "keyOf" | "termsOf">
  ) {
    this.known = new LeastRecent(texts, bytes, sizeOf)
    this.judged = new LeastRecent(texts)
  }

  readonly openNamespace: Backend["openNamespace"] = (id, namespace) =>
    Effect.sync(() => void this.namespaces.set(id, namespace))

  readonly find: Backend["find"] = (_, keys, refreshBefore) =>
    Effect.sync(() => keys.map((key) => this.get(key, refreshBefore)?.translation))

  readonly correctionsRevision: Backend["correctionsRevision"] = (targetLang) =>
    Effect.sync(() => this.revisions.get(targetLang))

  readonly findCorrections: Backend["findCorrections"] = (hashes, { sourceLang = "", targetLang = "" }) =>
    Effect.sync(() =>
      hashes.map((hash) => {
        const found = this.corrected.get(targetLang)?.get(hash)
        const newest = () =>
          Array.from(found?.values() ?? [])
            .sort((a, b) => a.at.epochMillis - b.at.epochMillis)
            .at(-1)
        const other = sourceLang === "" ? newest() : found?.get("")
        return (found?.get(sourceLang) ?? other)?.translation
      })
    )

  readonly translationsInto: Backend["translationsInto"] = (targetLang, keysIn) =>
    Effect.sync(() => {
      const found = new Map<number, Array<string>>()
      const byBase = this.byBase()
      for (const namespace of this.namespacesInto(targetLang)) {
        for (const [index, key] of keysIn(namespace).entries()) {
          for (const held of byBase.get(this.keys.baseOf(key)) ?? []) {
            const { text } = this.known.peek(held)!.translation
            found.set(index, [...(found.get(index) ?? []), text])
          }
        }
      }
      return found
    })

  readonly writtenInto: Backend["writtenInto"] = (targetLang, translations) =>
    Effect.sync(() => {
      const wanted = new Set(translations)
      const written = new Set<string>()
      const namespaces = this.namespacesInto(targetLang)
      for (const { namespace, translation } of this.known.values()) {
        if (wanted.has(translation.text) && namespaces.has(namespace)) written.add(translation.text)
      }
      return written
    })

  readonly claim: Backend["claim"] = ({ attempt, characters, keys, namespace, refreshBefore }) =>
    Effect.map(DateTime.now, (at) => {
      const granted = keys.map((key) => this.get(key, refreshBefore) === undefined)
      const sent = characters.filter((_, index) => granted[index])
      if (sent.length > 0) {
        const sum = sent.reduce((sum, each) => sum + each, 0)
        this.ledger.begin({ id: attempt, namespace, texts: sent.length, characters: sum, at })
      }
      return granted
    })

  readonly repeat: Backend["repeat"] = (attempt, next) =>
    Effect.map(DateTime.now, (at) => this.ledger.repeat(attempt, next, at))

  readonly isHeld: Backend["isHeld"] = (attempt) => Effect.sync(() => this.ledger.isInFlight(attempt))

  readonly failures: Backend["failures"] = (namespace) =>
    Effect.sync(() => new Map(this.failed.get(namespace)))

  readonly record: Backend["record"] = ({
    endings,
    failures = [],
    isReplacing = false,
    namespace,
    refreshBefore,
    translations
  }) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const at = Math.max(now, refreshBefore?.epochMillis ?? 0)
      for (const { key, text, translation } of translations) {
        if (isReplacing || this.get(key, refreshBefore) === undefined) {
          const { asked } = translation
          this.known.set(key, {
            namespace,
            text,
            translation,
            at: asked === undefined ? at : askedAt(asked),
            order: this.written++
          })
        }
      }
      for (const { attempt, ending } of endings) this.ledger.end(attempt, ending)
      if (failures.length === 0) return
      const failed = this.failed.get(namespace) ?? new Map<string, ServiceFailure>()
      this.failed.set(namespace, failed)
      for (const { hasFailed, key } of failures) {
        const count = (failed.get(key)?.failures ?? 0) + 1
        if (hasFailed) failed.set(key, { failures: count, at: DateTime.unsafeMake(now) })
        else failed.delete(key)
      }
    })

  readonly correct: Backend["correct"] = (corrections) =>
    Effect.sync(() => {
      const counts = { stored: 0, unchanged: 0, outdated: 0 }
      for (const correction of corrections) {
        const { hash, sourceLang = "", targetLang } = correction
        const ofTarget = this.corrected.get(targetLang) ?? new Map<string, Map<string, Hashed>>()
        this.corrected.set(targetLang, ofTarget)
        const ofText = ofTarget.get(hash) ?? new Map<string, Hashed>()
        ofTarget.set(hash, ofText)
        const known = ofText.get(sourceLang)
        const kind = correctionKind(known, correction)
        counts[kind]++
        if (kind === "stored") this.revisions.set(targetLang, crypto.randomUUID())
        if (!isOlder(correction, known)) ofText.set(sourceLang, correction)
      }
      return counts
    })

  readonly verdicts: Backend["verdicts"] = (keys) =>
    Effect.sync(() => keys.map((key) => this.judged.get(key)?.verdict))

  readonly judge: Backend["judge"] = (verdicts) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      for (const { key, verdict } of verdicts) this.judged.set(key, { verdict, at })
    })

  readonly corrections: Backend["corrections"] = streamOf(() =>
    this.allCorrections().map(({ hash: _, ...correction }): Correction => correction)
  )

  readonly entries: Backend["entries"] = streamOf(() =>
    this.inOrder().flatMap(([key, { at, namespace: id, text, translation }]): ReadonlyArray<Entry> => {
      const namespace = this.namespaces.peek(id)
      const terms = this.keys.termsOf(key, this.keys.keyOf(id, text))
      return namespace === undefined || isRefused(translation)
        ? []
        : [{ source: text, translation, namespace, ...(terms && { terms }), at: DateTime.unsafeMake(at) }]
    })
  )

  readonly erase: Backend["erase"] = (hash, keyIn) =>
    Effect.sync(() => {
      let erased = 0
      const { baseOf } = this.keys
      const byBase = this.byBase()
      for (const id of new Set(Array.from(this.known.values(), ({ namespace }) => namespace))) {
        for (const key of byBase.get(baseOf(keyIn(id))) ?? []) if (this.known.delete(key)) erased++
      }
      for (const [id, failed] of this.failed) {
        const base = baseOf(keyIn(id))
        for (const key of failed.keys()) if (baseOf(key) === base) failed.delete(key)
      }
      for (const [targetLang, ofTarget] of this.corrected) {
        erased += ofTarget.get(hash)?.size ?? 0
        if (ofTarget.delete(hash)) this.revisions.set(targetLang, crypto.randomUUID())
      }
      return erased
    })

  readonly prune: Backend["prune"] = ({ maxAge, maxBytes = Number.POSITIVE_INFINITY }: PruneOptions) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const before = maxAge === undefined ? Number.NEGATIVE_INFINITY : now - Duration.toMillis(maxAge)
      let pruned = 0
      let bytes = this.bytes()
      for (const [key, stored] of this.inOrder()) {
        if (stored.at >= before && bytes <= maxBytes) break
        bytes -= bytesOf(stored)
        this.known.delete(key)
        pruned++
      }
      for (const [key, { at }] of this.judged.entries()) if (at < before) this.judged.delete(key)
      return pruned
    })

  readonly pruneAttempts: Backend["pruneAttempts"] = (maxAge) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const before = now - Duration.toMillis(maxAge)
      for (const failed of this.failed.values()) {
        for (const [key, { at }] of failed) if (at.epochMillis < before) failed.delete(key)
      }
      return this.ledger.prune(before)
    })

  readonly stats: Backend["stats"] = Effect.sync(() => ({
    translations: this.usedNamespaces().length,
    refused: this.known.size - this.usedNamespaces().length,
    bytes: this.bytes(),
    corrections: this.allCorrections().length,
    languages: this.languages(),
    attempts: this.ledger.stats()
  }))

  readonly attemptSums: Backend["attemptSums"] = (since) =>
    Effect.sync(() => ({ everything: this.ledger.stats(), since: this.ledger.sumsSince(since) }))

  readonly attempts: Backend["attempts"] = streamOf(() =>
    this.ledger.rows().flatMap((row) => {
      const namespace = this.namespaces.peek(row.namespace)
      return namespace === undefined ? [] : [{ ...row, namespace }]
    })
  )

  private get(key: string, refreshBefore: DateTime.Utc | undefined): Stored | undefined {
    const stored = this.known.get(key)
    return stored !== undefined && refreshBefore !== undefined && stored.at < refreshBefore.epochMillis
      ? undefined
      : stored
  }

  private namespacesInto(targetLang: string): ReadonlySet<string> {
    const ids = new Set<string>()
    for (const [id, { targetLang: own }] of this.namespaces.entries()) {
      if (own !== undefined && LanguageCode.canonical(own) === targetLang) ids.add(id)
    }
    return ids
  }

  /** The keys of translations, by the parts that are the same for all terms. */
  private byBase(): ReadonlyMap<string, ReadonlyArray<string>> {
    const byBase = new Map<string, Array<string>>()
    for (const key of this.known.keys()) {
      const base = this.keys.baseOf(key)
      const keys = byBase.get(base)
      if (keys === undefined) byBase.set(base, [key])
      else keys.push(key)
    }
    return byBase
  }

  private inOrder(): ReadonlyArray<[string, Stored]> {
    return Array.from(this.known.entries()).sort(([, a], [, b]) => a.order - b.order)
  }

  private bytes(): number {
    let bytes = 0
    for (const stored of this.known.values()) bytes += bytesOf(stored)
    return bytes
  }

  private allCorrections(): ReadonlyArray<Hashed> {
    return Array.from(this.corrected.values()).flatMap((ofTarget) =>
      Array.from(ofTarget.values()).flatMap((ofText) => Array.from(ofText.values()))
    )
  }

  /** The namespaces of the translations that are used, one for each. */
  private usedNamespaces(): ReadonlyArray<string> {
    return Array.from(this.known.values()).flatMap(({ namespace, translation }) =>
      isRefused(translation) ? [] : [namespace]
    )
  }

  private languages(): Stats["languages"] {
    const counts = new Map<string, Stats["languages"][number]>()
    for (const namespace of this.usedNamespaces()) {
      const { sourceLang, targetLang } = this.namespaces.peek(namespace) ?? {}
      const key = `${sourceLang ?? ""}\n${targetLang ?? ""}`
      const translations = (counts.get(key)?.translations ?? 0) + 1
      counts.set(key, { sourceLang, targetLang, translations })
    }
    return Array.from(counts.values())
  }
}

/** Everything that one process knows, in memory. */
export const make = (
  options: MemoryOptions,
  keys: Pick<Keys, "baseOf" | "keyOf" | "termsOf"> = hashed
): Backend => new Memory(options, keys)
