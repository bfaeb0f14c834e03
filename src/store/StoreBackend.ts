/**
 * The storage behind a store: in memory, in a file, in a database. Where several processes share it, it decides which of
 * them sends a text; `TranslationStore` decides the time of look-ups and recordings, and their content.
 *
 * @since 0.1.0
 */
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type {
  Attempt,
  Correction,
  CorrectionCounts,
  Ending,
  Entry,
  Namespace,
  PruneOptions,
  Service,
  ServiceFailure,
  Stats,
  StoredTranslation,
  Verdict
} from "./internal/storeModels.js"
import type { StoreError } from "./StoreError.js"

/**
 * The sums of no attempts, to add to.
 *
 * @internal
 */
export const noAttempts = () => ({
  inFlight: { attempts: 0, characters: 0 },
  answered: { attempts: 0, characters: 0 },
  rejected: { attempts: 0, characters: 0 },
  unknown: { attempts: 0, characters: 0 },
  expired: { attempts: 0, characters: 0 }
})

/**
 * The fields of a correction that decide between two of one text and its languages.
 *
 * @internal
 */
export type CorrectionState = Pick<Correction, "at" | "translation">

/**
 * True if a correction gives way to the one that the store has.
 *
 * @internal
 */
export const isOlder = ({ at }: CorrectionState, known: CorrectionState | undefined): boolean =>
  known !== undefined && at.epochMillis < known.at.epochMillis

/**
 * The count that a correction belongs to, by the one that the store has.
 *
 * @internal
 */
export const correctionKind = (
  known: CorrectionState | undefined,
  correction: CorrectionState
): keyof CorrectionCounts => {
  if (known?.translation === correction.translation) return "unchanged"
  return isOlder(correction, known) ? "outdated" : "stored"
}

/**
 * A text of a request: its key, and itself unless the store keeps hashes only.
 *
 * @since 0.1.0
 * @category models
 */
export interface Keyed {
  /**
   * 128 bits of a hash over the namespace, the text and the terms of a glossary that it holds, as 32 hexadecimal digits. The first half of
   * them is the same for all terms.
   */
  readonly key: string
  readonly text: string
}

/**
 * A request that is about to be sent.
 *
 * @since 0.1.0
 * @category models
 */
export interface Claim {
  /** Names the attempt: a UUID of version 7, which begins with the time. */
  readonly attempt: string
  /** The id of the namespace. */
  readonly namespace: string
  readonly keys: ReadonlyArray<string>
  /** The characters (code points) that are sent of each text. */
  readonly characters: ReadonlyArray<number>
  /** Translations that were stored before that time do not count. @default all count */
  readonly refreshBefore?: DateTime.Utc | undefined
}

/**
 * The ending of a request.
 *
 * @since 0.1.0
 * @category models
 */
export type { Ending } from "./internal/storeModels.js"

/**
 * The data that one transaction stores, before outcomes leave a stream.
 *
 * @since 0.1.0
 * @category models
 */
export interface Recording {
  /** The id of the namespace. */
  readonly namespace: string
  readonly translations: ReadonlyArray<Keyed & { readonly translation: StoredTranslation }>
  readonly endings: ReadonlyArray<{ readonly attempt: string; readonly ending: Ending }>
  /**
   * Texts that the service has failed with once more, and others that it has failed with before and that have a translation
   * now. @default none
   */
  readonly failures?: ReadonlyArray<{ readonly key: string; readonly hasFailed: boolean }> | undefined
  /** Translations that were stored before that time are replaced, and these count as stored then at the earliest. @default none is */
  readonly refreshBefore?: DateTime.Utc | undefined
  /** True if translations are replaced whenever they were stored. @default false */
  readonly isReplacing?: boolean | undefined
}

/**
 * The storage behind a store. One backend is one owner of claims, such as a process: it renews its lease by itself, as
 * long as its scope is open. Time is the backend's own.
 *
 * @since 0.1.0
 * @category models
 */
export interface Backend {
  /** Makes a namespace known; `id` is its hash. Asked once for each stream. */
  readonly openNamespace: (id: string, namespace: Namespace) => Effect.Effect<void, StoreError>
  /** The translations of keys of a namespace, in their order; those that were stored before a time do not count. */
  readonly find: (
    namespace: string,
    keys: ReadonlyArray<string>,
    refreshBefore?: DateTime.Utc | undefined
  ) => Effect.Effect<ReadonlyArray<StoredTranslation | undefined>, StoreError>
  /**
   * A text that is another one whenever corrections into a language were added or removed; `undefined` if there never were any. Asked
   * once for each stream, so that most streams ask for no corrections.
   */
  readonly correctionsRevision: (targetLang: string) => Effect.Effect<string | undefined, StoreError>
  /**
   * The corrections of texts, by the hashes of texts alone, in their order: those into the target language that are from the source
   * language, or else those from any. Without a source language, those from any, or else the newest. The codes of languages are canonical.
   */
  readonly findCorrections: (
    hashes: ReadonlyArray<string>,
    languages: Pick<Namespace, "sourceLang" | "targetLang">
  ) => Effect.Effect<ReadonlyArray<string | undefined>, StoreError>
  /**
   * The translations of the machine into a language, in all namespaces, with all terms, and also those that checks have refused: of the
   * texts whose keys `keysIn` returns for a namespace, by their places. The code of the language is canonical.
   */
  readonly translationsInto: (
    targetLang: string,
    keysIn: (namespace: string) => ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<number, ReadonlyArray<string>>, StoreError>
  /**
   * Those of some texts that are translations of the machine into a language, of any source. Reads all translations: asked rarely, and of
   * many texts at once. The code of the language is canonical.
   */
  readonly writtenInto: (
    targetLang: string,
    translations: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlySet<string>, StoreError>
  /**
   * Claims texts for a request, and marks them as sent: in one transaction that survives a power loss. Tells of each whether it may be
   * sent; others are translated already, or another owner has claimed them. If none is granted, no attempt is noted. The attempt
   * of an owner whose lease has run out is in doubt from then on, and its texts are free. Those of this owner may be claimed again.
   */
  readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<boolean>, StoreError>
  /**
   * Before a request in doubt is sent again: notes its attempt as unknown, and a new one with the same texts. `false`, and nothing is
   * noted, if the attempt has ended or its claim was lost.
   */
  readonly repeat: (attempt: string, next: string) => Effect.Effect<boolean, StoreError>
  /**
   * True if an attempt of this owner is in flight and still holds its claim. Takes no time while the lease is current;
   * after a freeze it asks, and renews the lease.
   */
  readonly isHeld: (attempt: string) => Effect.Effect<boolean, StoreError>
  /**
   * Stores translations and endings in one transaction that survives a kill. The first translation of a key stays. One that
   * was asked for once counts as stored at -1, before all time, so that any recording with `refreshBefore` replaces it.
   * Endings of attempts that are not in flight do nothing. Texts of an attempt that has ended are free, unless another one
   * has claimed them since.
   */
  readonly record: (recording: Recording) => Effect.Effect<void, StoreError>
  /**
   * The texts of a namespace that the service has failed with, by their keys, until `pruneAttempts` removes them. Asked once
   * for each stream.
   */
  readonly failures: (namespace: string) => Effect.Effect<ReadonlyMap<string, ServiceFailure>, StoreError>
  /**
   * Adds a person's corrections. By `at`, the newest of a text and its languages stays. Tells how many were taken; a revision
   * changes only if one was.
   */
  readonly correct: (
    corrections: ReadonlyArray<Correction & { readonly hash: string }>
  ) => Effect.Effect<CorrectionCounts, StoreError>
  /** The verdicts of checks, by their keys, in their order. */
  readonly verdicts: (
    keys: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string | undefined>, StoreError>
  /** Stores verdicts: the newer one of a key stays. */
  readonly judge: (verdicts: ReadonlyArray<Verdict>) => Effect.Effect<void, StoreError>
  /** All corrections. */
  readonly corrections: Stream.Stream<Correction, StoreError>
  /** All translations of the machine that checks have not refused, with their namespaces. Fails with `SourcesNotKept`. */
  readonly entries: Stream.Stream<Entry, StoreError>
  /**
   * Removes a text: its translations by the keys it has in all namespaces, with all terms, and its corrections. Tells how many there were.
   */
  readonly erase: (hash: string, keyIn: (namespace: string) => string) => Effect.Effect<number, StoreError>
  /** Removes translations of the machine, the least recently written first. Tells how many. */
  readonly prune: (options: PruneOptions) => Effect.Effect<number, StoreError>
  /** Removes attempts that have ended and were made longer ago. Tells how many. */
  readonly pruneAttempts: Service["pruneAttempts"]
  readonly stats: Effect.Effect<Stats, StoreError>
  /** The ledger, from the first attempt to the last. */
  readonly attempts: Stream.Stream<Attempt, StoreError>
  /** The sums of the ledger: of requests sent since a time, and of all. */
  readonly attemptSums: Service["attemptSums"]
}
