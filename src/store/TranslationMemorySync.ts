/**
 * Corrections of people between a store and a translation memory of the service: what was corrected here becomes a match there.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Arr from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../api/LanguageCode.js"
import * as DocumentSource from "../client/DocumentSource.js"
import * as TranslateClient from "../client/TranslateClient.js"
import type { RepeatedPage, TranslateError } from "../client/TranslateError.js"
import type {
  Segment,
  TranslationMemories,
  TranslationMemory,
  WaitOptions
} from "../client/TranslationMemories.js"
import * as MemoryError from "../client/TranslationMemoryError.js"
import * as Tmx from "../format/Tmx.js"
import * as files from "../internal/files.js"
import * as memoryJournal from "./internal/memoryJournal.js"
import { type Counts, languagesOf, Merge } from "./internal/memoryMerge.js"
import type { StoreError } from "./StoreError.js"
import * as SyncError from "./TranslationMemorySyncError.js"
import * as TranslationStore from "./TranslationStore.js"

/**
 * The memory that is pushed to, and from what.
 *
 * @since 0.1.0
 * @category models
 */
export interface PushOptions extends WaitOptions {
  /** What people call the memory. */
  readonly name: string
  /**
   * The file that remembers which memory was pushed last, and what a push has begun. While an import is under way it holds the address of
   * its file: keep it to yourself.
   */
  readonly journal: string
  /** The language of the sources. @default that of the memory, or the only one that corrections name */
  readonly sourceLang?: string | undefined
  /** Deletes the memories that the new one has taken the place of. @default false */
  readonly deleteOld?: boolean | undefined
}

/**
 * What a push has done.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pushed {
  /** The memory that holds the corrections now; `undefined` if there were none, and there is no memory. */
  readonly translationMemoryId: string | undefined
  /** Whether it is a new one. Otherwise it held all corrections already. */
  readonly isNew: boolean
  /** Corrections of texts that the memory did not have in that language. */
  readonly added: number
  /** Texts of the memory in whose places corrections are. */
  readonly replaced: number
  /** Texts of the memory that are as they were. */
  readonly kept: number
  /** Corrections that were left out: from other languages, or with characters that TMX can't hold. */
  readonly leftOut: number
  /** Segments that the service has left out of the new memory: the old one stays then. */
  readonly skipped: number
  /** Older memories that the new one holds all of, and that are still there. */
  readonly superseded: ReadonlyArray<string>
  /** Older memories that were deleted. */
  readonly deleted: ReadonlyArray<string>
}

/**
 * How to take over the segments of a memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface PullOptions {
  /** What becomes of a correction that differs from the memory. @default "keep" */
  readonly existing?: "keep" | "overwrite" | undefined
}

/**
 * What a pull has done, in texts of a language.
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
 * Why a push fails.
 *
 * @since 0.1.0
 * @category errors
 */
export type PushError =
  | SyncError.TranslationMemorySyncError
  | MemoryError.TranslationMemoryError
  | TranslateError
  | RepeatedPage
  | StoreError

type Files = FileSystem.FileSystem | Path.Path

/** Finishes what an earlier push has begun. An import that came to nothing is forgotten. */
const finish = (
  memories: TranslationMemories,
  journal: memoryJournal.Journal,
  { pollSchedule }: WaitOptions
): Effect.Effect<number, PushError, Files> =>
  Effect.gen(function* () {
    const { begun, superseded, translationMemoryId } = journal.entry()
    if (begun === undefined) return 0
    const fs = yield* FileSystem.FileSystem
    const { jobId } = begun
    const { results } = yield* memories.job(jobId)
    const status = results[0]?.status
    if (status === "awaiting_input" && (yield* Effect.orElseSucceed(fs.exists(journal.tmx), () => false))) {
      const source = yield* Effect.mapError(DocumentSource.fromPath(journal.tmx), unreadable(journal.tmx))
      yield* memories.upload(begun, source).pipe(
        Effect.catchTags({
          BadArgument: unreadable(journal.tmx),
          SystemError: unreadable(journal.tmx),
          // It may have come before: the job tells.
          MemoryTransferRefused: () => Effect.void
        })
      )
    }
    const made = yield* memories.awaitImport(jobId, { pollSchedule })
    if (made.translationMemoryId === undefined) {
      return yield* new MemoryError.MemoryJobFailed({ operation: "import", jobId, status: "completed" })
    }
    const isComplete = made.skippedSegmentCount === 0 && translationMemoryId !== undefined
    yield* journal.change({
      translationMemoryId: made.translationMemoryId,
      superseded: isComplete ? [...superseded, translationMemoryId] : superseded,
      begun: undefined
    })
    yield* files.discard(journal.tmx)
    return made.skippedSegmentCount
  }).pipe(
    Effect.tapError((error) =>
      cameToNothing(error)
        ? Effect.zipRight(journal.change({ begun: undefined }), files.discard(journal.tmx))
        : Effect.void
    )
  )

/** Whether an import has made no memory, and never will. */
const cameToNothing = (error: PushError): boolean =>
  error._tag === "NotFound" || (error._tag === "MemoryJobFailed" && error.status !== "completed")

const unreadable = (file: string) => () =>
  new SyncError.MemoryJournalError({ file, reason: "can't be read: check its rights" })

/** The memory that holds what was pushed last, or the one of that name. */
const findMemory = (memories: TranslationMemories, { name, translationMemoryId }: memoryJournal.Entry) =>
  Effect.gen(function* () {
    const pushed =
      translationMemoryId === undefined
        ? undefined
        : yield* Effect.catchTag(memories.get(translationMemoryId), "NotFound", () =>
            Effect.succeed(undefined)
          )
    if (pushed !== undefined) return pushed
    const named = Chunk.toReadonlyArray(
      yield* Stream.runCollect(Stream.filter(memories.stream, (memory) => memory.name === name))
    )
    return named.length > 1
      ? yield* new SyncError.AmbiguousMemory({
          name,
          translationMemoryIds: named.map(({ translationMemoryId }) => translationMemoryId)
        })
      : named[0]
  })

const sourceLangOf = (
  memory: TranslationMemory | undefined,
  corrections: ReadonlyArray<TranslationStore.Correction>,
  given: string | undefined
) => {
  const known = memory?.sourceLanguage
  if (memory !== undefined && known !== undefined) {
    return given === undefined || LanguageCode.base(given) === LanguageCode.base(known)
      ? Effect.succeed(known)
      : new SyncError.OtherSourceLanguage({
          translationMemoryId: memory.translationMemoryId,
          sourceLanguage: known,
          sourceLang: given
        })
  }
  const languages = languagesOf(corrections)
  const [only] = languages
  const found = given ?? (languages.length === 1 ? only : undefined)
  return found === undefined
    ? new SyncError.SourceLanguageUnclear({ languages })
    : Effect.succeed(LanguageCode.canonical(found))
}

/** What of the memory and of the corrections becomes the new memory: written into the file of its import. */
const writeMerged = (
  merge: Merge,
  segments: Stream.Stream<Segment, TranslateError | RepeatedPage>,
  sourceLang: string,
  file: string
) =>
  segments.pipe(
    Stream.mapConcat(merge.segment),
    Stream.concat(Stream.suspend(() => Stream.fromIterable(merge.rest()))),
    Tmx.encode({ sourceLang }),
    Stream.catchTag("FormatError", ({ message }) =>
      Stream.fail(new SyncError.MemoryJournalError({ file, reason: `can't be written: ${message}` }))
    ),
    (bytes) => memoryJournal.writeFile(file, bytes)
  )

/** Deletes memories, each of which is forgotten once it is gone. */
const deleteSuperseded = (memories: TranslationMemories, journal: memoryJournal.Journal) =>
  Effect.forEach(journal.entry().superseded, (id) =>
    memories.delete(id).pipe(
      Effect.catchTag("NotFound", () => Effect.void),
      Effect.zipRight(
        journal.change({ superseded: journal.entry().superseded.filter((other) => other !== id) })
      ),
      Effect.as(id)
    )
  )

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
  TranslateClient.TranslateClient | TranslationStore.TranslationStore | Files
> = Effect.fn("TranslationMemorySync.push")(function* (options) {
  const { identity, translationMemories: memories } = yield* TranslateClient.TranslateClient
  const store = yield* TranslationStore.TranslationStore
  const journal = yield* memoryJournal.open(options.journal, { ...identity, name: options.name })
  let skipped = yield* Effect.catchIf(finish(memories, journal, options), cameToNothing, () =>
    Effect.succeed(0)
  )
  const memory = yield* findMemory(memories, journal.entry())
  const corrections = Chunk.toReadonlyArray(yield* Stream.runCollect(store.corrections))
  let counts: Counts = { added: 0, replaced: 0, kept: 0, leftOut: 0 }
  let isNew = false
  if (corrections.length > 0) {
    const sourceLang = yield* sourceLangOf(memory, corrections, options.sourceLang)
    const merge = new Merge(corrections, sourceLang)
    const segments = memory === undefined ? Stream.empty : memories.segmentsStream(memory.translationMemoryId)
    yield* writeMerged(merge, segments, sourceLang, journal.tmx)
    counts = merge.counts
    isNew = merge.isChanged
    if (isNew) {
      const source = yield* Effect.mapError(DocumentSource.fromPath(journal.tmx), unreadable(journal.tmx))
      const { jobId, uploadUrl } = yield* memories.startImport({
        sourceFile: {
          fileName: "corrections.tmx",
          contentType: "application/xml",
          contentLength: source.size
        },
        parameters: { displayName: options.name }
      })
      yield* journal.change({ translationMemoryId: memory?.translationMemoryId, begun: { jobId, uploadUrl } })
      skipped = yield* finish(memories, journal, options)
    } else {
      yield* files.discard(journal.tmx)
      yield* journal.change({ translationMemoryId: memory?.translationMemoryId })
    }
  }
  const deleted = options.deleteOld === true ? yield* deleteSuperseded(memories, journal) : []
  const { superseded, translationMemoryId } = journal.entry()
  return { ...counts, translationMemoryId, isNew, skipped, superseded, deleted }
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
export const pushed = ({
  journal,
  name
}: Pick<PushOptions, "journal" | "name">): Effect.Effect<
  ReadonlyArray<PushedMemory>,
  SyncError.MemoryJournalError,
  FileSystem.FileSystem
> =>
  Effect.map(memoryJournal.readAll(journal), (all) =>
    all.flatMap(({ account, name: other, service, translationMemoryId }) =>
      other === name && translationMemoryId !== undefined ? [{ account, service, translationMemoryId }] : []
    )
  )

/** What a piece of the memory says of texts in one language. */
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
  TranslateError | RepeatedPage | StoreError,
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
