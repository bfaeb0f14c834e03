import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type * as Text from "../../api/Text.js"
import type { StoreError } from "../StoreError.js"

/**
 * Limits of a store in memory. The entries used least recently are forgotten first. Corrections are all kept. The ledger
 * tells of the last thousand requests that have ended, while `stats` counts all.
 *
 * @since 0.1.0
 * @category models
 */
export interface MemoryOptions extends MakeOptions {
  /** The number of translations that are kept. @default 100000 */
  readonly texts?: number | undefined
  /** Their approximate size in bytes. @default 67108864, which is 64 MiB */
  readonly bytes?: number | undefined
}

/**
 * The ending of an attempt: the service answered; it refused, or was never asked, and bills nothing; or it is unknown.
 *
 * @since 0.1.0
 * @category models
 */
export type Ending = "answered" | "rejected" | "unknown"

/**
 * All that a translation depends on apart from its text. Translations of one namespace never answer for another one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Namespace {
  /** The method and path of the endpoint. */
  readonly endpoint: string
  /** The service: its base address, or the name that its region was given. */
  readonly service: string
  /** The account: a hash of its key, or the name that it was given. */
  readonly account: string
  /** The language of the texts, as asked. */
  readonly sourceLang?: string | undefined
  /** The language to translate into, as asked. */
  readonly targetLang?: string | undefined
  /** The other options that change a translation, as JSON with sorted keys. */
  readonly settings: string
}

/**
 * Texts that a request may be sent with.
 *
 * @since 0.1.0
 * @category models
 */
export interface Claim {
  /** For each text, `true` if it may be sent. Others are translated already, or another stream translates them: look them up again. */
  readonly granted: ReadonlyArray<boolean>
  /** Asked before each attempt, with the number of attempts in doubt before it. `false`: the claim was lost, and it must not be sent. */
  readonly maySend: (ambiguousAttempts: number) => Effect.Effect<boolean, StoreError>
  /** Notes the ending of the request: stored with the next recording. */
  readonly ended: (ending: Ending) => void
}

/**
 * The service has failed with a text alone, while it has answered others.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServiceFailure {
  /** About how many streams have met it. */
  readonly failures: number
  /** The last time. */
  readonly at: DateTime.Utc
}

/**
 * A translation of the machine, or a person's correction.
 *
 * @since 0.1.0
 * @category models
 */
export interface StoredTranslation extends Text.Translation {
  /** The names of the checks that have refused it: it was paid for, and is of no use. @default none: it is used */
  readonly refusedBy?: ReadonlyArray<string> | undefined
  /** The requests that have asked for it, while another one is due. It gives way to the next recording. @default none is due */
  readonly asked?: number | undefined
  /** True for a person's correction. @default false */
  readonly isCorrection?: boolean | undefined
}

/**
 * The result of a text: its translation, or `undefined` if it has none and is free again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Result {
  readonly text: string
  readonly translation: StoredTranslation | undefined
  /** True if the service fails with this text alone, while it answers others. @default false */
  readonly hasFailed?: boolean | undefined
  /** True if it replaces a translation that the store has. @default false: the first one stays */
  readonly isReplacing?: boolean | undefined
}

/**
 * The session of a stream with the store. When its scope is closed, requests that have not ended are noted as unknown if
 * they were sent, and their texts are free.
 *
 * @since 0.1.0
 * @category models
 */
export interface Session {
  /** The known translations of texts, in their order: corrections of a person first. */
  readonly lookUp: (
    texts: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<StoredTranslation | undefined>, StoreError>
  /**
   * The failure of the service with a text, which has no translation, before the session began: it is not to be sent.
   * @default none has
   */
  readonly failedBefore?: ((text: string) => ServiceFailure | undefined) | undefined
  /** The time to wait before texts that another stream translates are looked up again. */
  readonly pollInterval: Duration.Duration
  /**
   * Claims texts for a request and marks them as sent, in one step. A text that was claimed in this session is granted again. The ledger
   * counts the characters (code points) that are sent of each text, which are others where placeholders are protected, or where the
   * request has only a part of it. By default they are those of the text.
   */
  readonly claim: (
    texts: ReadonlyArray<string>,
    characters?: ReadonlyArray<number>
  ) => Effect.Effect<Claim, StoreError>
  /** Stores the results of texts, and of the requests that are complete with them, in one step. */
  readonly record: (results: ReadonlyArray<Result>) => Effect.Effect<void, StoreError>
}

/**
 * A translation that a person has written or corrected. It wins over the machine's for the same text and languages, with any
 * other options of a stream.
 *
 * @since 0.1.0
 * @category models
 */
export interface Correction {
  readonly source: string
  readonly translation: string
  /** Streams that ask for another source language do not get it; those that let the service detect the language do. @default any */
  readonly sourceLang?: string | undefined
  readonly targetLang: string
  /** When it was written. */
  readonly at: DateTime.Utc
}

/**
 * The number of corrections that a store has taken.
 *
 * @since 0.1.0
 * @category models
 */
export interface CorrectionCounts {
  /** New ones, and those that have replaced another one. */
  readonly stored: number
  /** Those that the store has already. */
  readonly unchanged: number
  /** Those that have given way to a newer one. */
  readonly outdated: number
}

/**
 * A translation of the machine.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry {
  readonly source: string
  readonly translation: Text.Translation
  readonly namespace: Namespace
  /** The terms of a glossary that it depends on beside its namespace, as 16 hexadecimal digits of a hash. @default none */
  readonly terms?: string | undefined
  /** When it was stored. */
  readonly at: DateTime.Utc
}

/**
 * Something that was sent. `inFlight` is under way; `expired` had not ended when the lease of its owner ran out, and its
 * texts were free to be sent by others. An attempt that is `unknown` or `expired` may have been billed, and is billed again
 * if its texts are sent again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Attempt {
  /** A UUID of version 7, which begins with the time. */
  readonly id: string
  /** The owner that sent it: one process, or one layer of it. */
  readonly owner: string
  readonly namespace: Namespace
  readonly texts: number
  /** Characters (code points) of its texts. */
  readonly characters: number
  readonly at: DateTime.Utc
  readonly state: Ending | "inFlight" | "expired"
}

/**
 * Which translations of the machine are removed. Corrections and the ledger stay.
 *
 * @since 0.1.0
 * @category models
 */
export interface PruneOptions {
  /** Removes older entries. @default no limit */
  readonly maxAge?: Duration.DurationInput | undefined
  /** Removes the oldest until texts and translations take no more bytes than that. @default no limit */
  readonly maxBytes?: number | undefined
}

/**
 * Attempts, and the characters (code points) of their texts, by state.
 *
 * @since 0.1.0
 * @category models
 */
export type AttemptSums = Readonly<
  Record<Attempt["state"], { readonly attempts: number; readonly characters: number }>
>

/**
 * The statistics of a store.
 *
 * @since 0.1.0
 * @category models
 */
export interface Stats {
  /** Translations that are used. */
  readonly translations: number
  /** Translations that checks have refused: they were paid for, and are not used. */
  readonly refused: number
  /** Bytes of texts and translations, in UTF-8. */
  readonly bytes: number
  readonly corrections: number
  /** Translations by their languages. */
  readonly languages: ReadonlyArray<{
    readonly sourceLang: string | undefined
    readonly targetLang: string | undefined
    readonly translations: number
  }>
  readonly attempts: AttemptSums
}

/**
 * The options of a stream for a store.
 *
 * @since 0.1.0
 * @category models
 */
export interface OpenOptions {
  /** The terms of a glossary, source to target: the translation of a text depends on those that it holds, beside its namespace. @default none */
  readonly terms?: ReadonlyMap<string, string> | undefined
  /**
   * Translations of the machine that were stored before that time do not count: their texts are sent again, and the new
   * translations take their places. Corrections always count. @default all count
   */
  readonly refreshBefore?: DateTime.Utc | undefined
  /**
   * Failures before that time do not count, of the service and of translations that checks have refused: their texts are sent again,
   * and new translations take the places of those. @default all count; with `refreshBefore`, those since
   */
  readonly retryFailedBefore?: DateTime.Utc | undefined
}

/**
 * The author of a text, as far as a store knows: `same` is the machine's translation of this very source, with any options; `other` is the
 * machine's translation of another source; `undefined` is none of the machine's.
 *
 * @since 0.1.0
 * @category models
 */
export type Origin = "same" | "other" | undefined

/**
 * The answer of somebody whom a check has asked, as text.
 *
 * @since 0.1.0
 * @category models
 */
export interface Verdict {
  /** A hash of the check, its version, and all that it was asked about, as 32 hexadecimal digits. */
  readonly key: string
  readonly verdict: string
}

/**
 * A store of translations.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Opens the session of a stream in its namespace; `undefined` if nothing is kept, and the stream runs as without a store. */
  readonly open: (
    namespace: Namespace,
    options?: OpenOptions
  ) => Effect.Effect<Session | undefined, StoreError, Scope.Scope>
  /**
   * Adds a person's corrections. They are never written over by the machine's; a newer correction replaces an older one.
   * Whitespace around a text does not count. Tells how many were taken.
   */
  readonly correct: (corrections: Iterable<Correction>) => Effect.Effect<CorrectionCounts, StoreError>
  /** The corrections of texts, in their order, as a stream between these languages finds them. Whitespace around a text does not count. */
  readonly corrected: (
    texts: ReadonlyArray<string>,
    languages: Pick<Namespace, "sourceLang" | "targetLang">
  ) => Effect.Effect<ReadonlyArray<string | undefined>, StoreError>
  /**
   * A text that is another one whenever corrections into a language were added or removed; `undefined` if there never were
   * any. So a caller that remembers it sees if some came since.
   */
  readonly correctionsRevision: (targetLang: string) => Effect.Effect<string | undefined, StoreError>
  readonly corrections: Stream.Stream<Correction, StoreError>
  /**
   * The origins of texts, in their order: those that the machine has written into the language count also where checks have refused them.
   * Whitespace around a text does not count. Of texts that are not the translation of their source, all translations of the store are read
   * once: ask of many at once.
   */
  readonly origins: (
    texts: ReadonlyArray<{ readonly source: string; readonly translation: string }>,
    targetLang: string
  ) => Effect.Effect<ReadonlyArray<Origin>, StoreError>
  /**
   * The machine's translations of texts into a language, in their order: with any options, or those of a namespace, with any terms of a
   * glossary, and also those that checks have refused. Whitespace around a text does not count.
   */
  readonly translationsOf: (
    texts: ReadonlyArray<string>,
    targetLang: string,
    within?: Namespace
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<string>>, StoreError>
  /** The verdicts of checks that ask somebody, by their keys, in their order. */
  readonly verdicts: (
    keys: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string | undefined>, StoreError>
  /** Stores verdicts, which `prune` removes as it removes translations. The newer one of a key stays. */
  readonly judge: (verdicts: Iterable<Verdict>) => Effect.Effect<void, StoreError>
  /** All translations of the machine that are used. Fails with `SourcesNotKept` if the store keeps hashes only. */
  readonly entries: Stream.Stream<Entry, StoreError>
  /** The machine's translations of texts in a namespace, in their order, without corrections and those that checks have refused. */
  readonly translated: (
    texts: ReadonlyArray<Pick<Entry, "source" | "terms">>,
    namespace: Namespace
  ) => Effect.Effect<ReadonlyArray<StoredTranslation | undefined>, StoreError>
  /** Adds translations of the machine, such as those that another store has exported. Present entries stay. */
  readonly add: (entries: Iterable<Entry>) => Effect.Effect<void, StoreError>
  /** Removes a text with all its translations and corrections. Tells how many there were. */
  readonly erase: (text: string) => Effect.Effect<number, StoreError>
  /** Removes old translations. Tells how many. */
  readonly prune: (options: PruneOptions) => Effect.Effect<number, StoreError>
  /**
   * Removes from the ledger requests that were sent longer ago than that, unless they are in flight. Sums of the ledger
   * are without them from then on. Translations and corrections stay. Returns the number of attempts.
   */
  readonly pruneAttempts: (maxAge: Duration.DurationInput) => Effect.Effect<number, StoreError>
  readonly stats: Effect.Effect<Stats, StoreError>
  /** The ledger: everything that was sent, from the first attempt to the last. */
  readonly attempts: Stream.Stream<Attempt, StoreError>
  /** The sums of the ledger: of requests sent since a time, and of all. */
  readonly attemptSums: (
    since: DateTime.Utc
  ) => Effect.Effect<{ readonly since: AttemptSums; readonly everything: AttemptSums }, StoreError>
}

/**
 * Options of every store.
 *
 * @since 0.1.0
 * @category models
 */
export interface MakeOptions {
  /**
   * The time that streams wait before they ask again for texts that another stream translates. A request takes about
   * that time: waiting longer would slow streams down, waiting shorter would ask the store for nothing.
   *
   * @default 250 milliseconds
   */
  readonly pollInterval?: Duration.DurationInput | undefined
}
