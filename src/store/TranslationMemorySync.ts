/**
 * Corrections of people between a store and a translation memory of the service: corrections of the store become matches
 * there.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Arr from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../api/LanguageCode.js"
import * as TranslateClient from "../client/TranslateClient.js"
import type { CallError, RepeatedPage } from "../client/TranslateError.js"
import type { Segment } from "../client/TranslationMemories.js"
import * as memoryJournal from "./internal/memoryJournal.js"
import type { PushError, PushOptions } from "./internal/memoryPush.js"
import * as memoryPush from "./internal/memoryPush.js"
import type { StoreError } from "./StoreError.js"
import type * as SyncError from "./TranslationMemorySyncError.js"
import * as TranslationStore from "./TranslationStore.js"

/**
 * Options of a push.
 *
 * @since 0.1.0
 * @category models
 */
export type { PushError, PushOptions } from "./internal/memoryPush.js"

/**
 * The result of a push.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pushed {
  /** The memory that holds the corrections now; `undefined` if there were none, and there is no memory. */
  readonly translationMemoryId: string | undefined
  /** True if it is a new one. Otherwise it held all corrections already. */
  readonly isNew: boolean
  /** Corrections of texts that the memory did not have in that language. */
  readonly added: number
  /** Texts of the memory in whose places corrections are. */
  readonly replaced: number
  /** Texts of the memory that are as they were. */
  readonly kept: number
  /** Corrections that were left out: from other languages, or with characters that TMX can't hold. */
  readonly leftOut: number
  /** Segments that are not in the new memory, as the service has left them out, or does not say their language. The old one stays then. */
  readonly skipped: number
  /** Older memories that the new one holds all of, and that are still there. */
  readonly superseded: ReadonlyArray<string>
  /** Older memories that were deleted. */
  readonly deleted: ReadonlyArray<string>
}

/**
 * Options for taking over the segments of a memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface PullOptions {
  /** Keeps or overwrites a correction that differs from the memory. @default "keep" */
  readonly existing?: "keep" | "overwrite" | undefined
}

/**
 * The counts of a pull, in texts of a language.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pulled {
  /** Corrections that the store did not have. */
  readonly added: number
  /** Corrections that the store had already. */
  readonly equal: number
  /** Corrections that differ from the memory, and stay. */
  readonly kept: number
  /** Corrections that differed, and are those of the memory now. */
  readonly overwritten: number
  /** Texts of the memory whose language the service does not say. */
  readonly leftOut: number
}

/**
 * Makes the corrections of a store matches of a translation memory.
 *
 * A memory of the service can't be changed. So a new one is made of the segments of the old one and of the corrections, which win. The
 * journal remembers it once it is complete; {@link pushed} tells its id. The old one stays, unless `deleteOld` is set. If the memory
 * holds all corrections already, nothing is made.
 *
 * It may be broken off at any moment: the next push with the same journal finishes the import that was begun, with its own file, before
 * it looks for more corrections. So there is no second memory of the same, and no memory is deleted before the one after it is complete.
 *
 * Errors: `AmbiguousMemory` if several have the name and none was pushed; `SourceLanguageUnclear`, `OtherSourceLanguage`;
 * `SegmentsMissing` if the service gives fewer segments of the old memory than it counts;
 * `MemoryJobFailed` if the service makes nothing of the file: then begin again.
 *
 * Source: wire facts, Translation memories, the whole group.
 *
 * @since 0.1.0
 * @category constructors
 */
export const push: (
  options: PushOptions
) => Effect.Effect<
  Pushed,
  PushError,
  TranslateClient.TranslateClient | TranslationStore.TranslationStore | FileSystem.FileSystem | Path.Path
> = Effect.fn("TranslationMemorySync.push")(function* (options) {
  const { identity, translationMemories: memories } = yield* TranslateClient.TranslateClient
  const store = yield* TranslationStore.TranslationStore
  const journal = yield* memoryJournal.open(options.journal, { ...identity, name: options.name })
  const target = { memories, journal, options }
  let skipped = yield* Effect.catchIf(memoryPush.finish(target), memoryPush.cameToNothing, () =>
    Effect.succeed(0)
  )
  const memory = yield* memoryPush.findMemory(target)
  const corrections = Chunk.toReadonlyArray(yield* Stream.runCollect(store.corrections))
  const made = corrections.length === 0 ? undefined : yield* memoryPush.begin(target, memory, corrections)
  const isNew = made?.isChanged === true
  if (isNew) skipped = yield* memoryPush.finish(target)
  const deleted = options.deleteOld === true ? yield* memoryPush.deleteSuperseded(target) : []
  const { superseded, translationMemoryId } = journal.entry()
  const { added = 0, kept = 0, leftOut = 0, replaced = 0 } = made?.counts ?? {}
  return { added, kept, leftOut, replaced, translationMemoryId, isNew, skipped, superseded, deleted }
})

/**
 * A memory that was pushed.
 *
 * @since 0.1.0
 * @category models
 */
export interface PushedMemory {
  readonly translationMemoryId: string
  /** The service, as the `identity` of its client says. */
  readonly service: string
  /** The account, as the `identity` of its client says. */
  readonly account: string
}

/**
 * The memories that were pushed last under a name: one for each service and account. It asks the journal only.
 *
 * @since 0.1.0
 * @category accessors
 */
export const pushed: (
  options: Pick<PushOptions, "journal" | "name">
) => Effect.Effect<ReadonlyArray<PushedMemory>, SyncError.MemoryJournalError, FileSystem.FileSystem> = ({
  journal,
  name
}) =>
  Effect.map(memoryJournal.readAll(journal), (all) =>
    all.flatMap(({ account, name: other, service, translationMemoryId }) =>
      other === name && translationMemoryId !== undefined ? [{ account, service, translationMemoryId }] : []
    )
  )

/** A translation of the memory into one language. */
interface Told {
  readonly source: string
  readonly translation: string
  readonly targetLang: string
  readonly at: DateTime.Utc
}

const toldBy =
  (now: DateTime.Utc) =>
  (segment: Segment): ReadonlyArray<Told | undefined> =>
    segment.targets.map(({ creationTime, targetLanguage, targetText, updatedTime }) =>
      targetLanguage === undefined
        ? undefined
        : {
            source: segment.sourceText,
            translation: targetText,
            targetLang: targetLanguage,
            at: updatedTime ?? creationTime ?? segment.updatedTime ?? segment.creationTime ?? now
          }
    )

/**
 * Takes the segments of a translation memory into a store, as corrections. A correction that the store has and that differs from the
 * memory stays, and is counted, unless `existing` is `"overwrite"`.
 *
 * It may be broken off and begun again.
 *
 * Source: wire facts, Translation memories, the whole group.
 *
 * @since 0.1.0
 * @category constructors
 */
export const pull: (
  translationMemoryId: string,
  options?: PullOptions
) => Effect.Effect<
  Pulled,
  CallError | RepeatedPage | StoreError,
  TranslateClient.TranslateClient | TranslationStore.TranslationStore
> = Effect.fn("TranslationMemorySync.pull")(function* (translationMemoryId, { existing = "keep" } = {}) {
  const { translationMemories: memories } = yield* TranslateClient.TranslateClient
  const store = yield* TranslationStore.TranslationStore
  const { sourceLanguage: sourceLang } = yield* memories.get(translationMemoryId)
  const now = yield* DateTime.now
  const counts = { added: 0, equal: 0, kept: 0, overwritten: 0, leftOut: 0 }
  const take = (targetLang: string, told: ReadonlyArray<Told>) =>
    Effect.gen(function* () {
      const known = yield* store.corrected(
        told.map(({ source }) => source),
        { sourceLang, targetLang }
      )
      const taken = told.flatMap((one, index): ReadonlyArray<TranslationStore.Correction> => {
        const correction = known[index]
        if (correction === undefined) counts.added++
        else if (correction === one.translation.trim()) counts.equal++
        else counts[existing === "keep" ? "kept" : "overwritten"]++
        const isTaken =
          correction === undefined || (correction !== one.translation.trim() && existing === "overwrite")
        return isTaken ? [{ ...one, sourceLang, at: correction === undefined ? one.at : now }] : []
      })
      yield* store.correct(taken)
    })
  yield* memories.segmentsStream(translationMemoryId).pipe(
    Stream.mapChunks(Chunk.flatMap((segment) => Chunk.fromIterable(toldBy(now)(segment)))),
    Stream.chunks,
    Stream.runForEach((piece) => {
      const told = Chunk.toReadonlyArray(piece).filter((one) => one !== undefined)
      counts.leftOut += piece.length - told.length
      return Effect.forEach(
        Object.entries(Arr.groupBy(told, ({ targetLang }) => LanguageCode.canonical(targetLang))),
        ([language, told]) => take(language, told),
        { discard: true }
      )
    })
  )
  return counts
})
