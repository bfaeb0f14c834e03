/** The steps of a push. */
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as DocumentSource from "../../client/DocumentSource.js"
import type { CallError, RepeatedPage } from "../../client/TranslateError.js"
import type { TranslationMemories, TranslationMemory, WaitOptions } from "../../client/TranslationMemories.js"
import * as MemoryError from "../../client/TranslationMemoryError.js"
import * as Tmx from "../../format/Tmx.js"
import * as files from "../../internal/files.js"
import type { StoreError } from "../StoreError.js"
import * as SyncError from "../TranslationMemorySyncError.js"
import * as memoryJournal from "./memoryJournal.js"
import { languagesOf, Merge } from "./memoryMerge.js"
import type { Correction } from "./storeModels.js"

/**
 * The memory to push to, and the corrections to push.
 *
 * @since 0.1.0
 * @category models
 */
export interface PushOptions extends WaitOptions {
  /** The name of the memory. */
  readonly name: string
  /**
   * The file that remembers the memory of the last push, and a push that has begun. While an import is under way it
   * holds the address of its file: keep it to yourself.
   */
  readonly journal: string
  /** The language of the sources. @default the memory's, or the only one that corrections name */
  readonly sourceLang?: string | undefined
  /** Deletes the memories that the new one has taken the place of. @default false */
  readonly deleteOld?: boolean | undefined
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
  | CallError
  | RepeatedPage
  | StoreError

/** The memory of a push. */
interface Target {
  readonly memories: TranslationMemories
  readonly journal: memoryJournal.Journal
  readonly options: PushOptions
}

type Pushing<A> = Effect.Effect<A, PushError, FileSystem.FileSystem | Path.Path>

/** True if an import has made no memory, and never will. */
export const cameToNothing = (error: PushError): boolean =>
  error._tag === "NotFound" || (error._tag === "MemoryJobFailed" && error.status !== "completed")

const unreadable = (file: string) => () =>
  new SyncError.MemoryJournalError({ file, reason: "can't be read: check its rights" })

const sourceOf = (file: string) => Effect.mapError(DocumentSource.fromPath(file), unreadable(file))

const withName = ({ memories, options: { name } }: Target) =>
  Effect.map(
    Stream.runCollect(Stream.filter(memories.stream, (memory) => memory.name === name)),
    Chunk.toReadonlyArray
  )

/** Sends the file of an import, unless it has come already. */
const send = (
  { journal, memories }: Target,
  begun: NonNullable<memoryJournal.Entry["begun"]>
): Pushing<void> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { results } = yield* memories.job(begun.jobId)
    const isThere = yield* Effect.orElseSucceed(fs.exists(journal.tmx), () => false)
    if (results[0]?.status !== "awaiting_input" || !isThere) return
    yield* Effect.catchTags(memories.upload(begun, yield* sourceOf(journal.tmx)), {
      BadArgument: unreadable(journal.tmx),
      SystemError: unreadable(journal.tmx),
      // It may have come before: the job tells.
      MemoryTransferRefused: () => Effect.void
    })
  })

/** The memory that an import has made, where the job does not say it: the only one of the name that is not known. */
const findMade = (target: Target, jobId: string) =>
  Effect.gen(function* () {
    const { superseded, translationMemoryId } = target.journal.entry()
    const known = [translationMemoryId, ...superseded]
    const [found, ...others] = (yield* withName(target)).filter(
      (memory) => !known.includes(memory.translationMemoryId)
    )
    return found === undefined || others.length > 0
      ? yield* new MemoryError.MemoryJobFailed({ operation: "import", jobId, status: "completed" })
      : found.translationMemoryId
  })

/** Finishes the import that was begun, if one was. An import that came to nothing is forgotten. Tells how many segments are missing. */
export const finish = (target: Target): Pushing<number> =>
  Effect.gen(function* () {
    const { journal, memories, options } = target
    const { begun, superseded, translationMemoryId: old } = journal.entry()
    if (begun === undefined) return 0
    yield* send(target, begun)
    const made = yield* memories.awaitImport(begun.jobId, { pollSchedule: options.pollSchedule })
    const skipped = made.skippedSegmentCount + begun.dropped
    yield* journal.change({
      translationMemoryId: made.translationMemoryId ?? (yield* findMade(target, begun.jobId)),
      superseded: old === undefined || skipped > 0 ? superseded : [...superseded, old],
      begun: undefined
    })
    yield* files.discard(journal.tmx)
    return skipped
  }).pipe(
    Effect.tapError((error) =>
      cameToNothing(error)
        ? Effect.zipRight(target.journal.change({ begun: undefined }), files.discard(target.journal.tmx))
        : Effect.void
    )
  )

/** The memory of the last push, or the one of that name. */
export const findMemory = (target: Target) =>
  Effect.gen(function* () {
    const { name, translationMemoryId } = target.journal.entry()
    const pushed =
      translationMemoryId === undefined
        ? undefined
        : yield* Effect.catchTag(target.memories.get(translationMemoryId), "NotFound", () =>
            Effect.succeed(undefined)
          )
    if (pushed !== undefined) return pushed
    const named = yield* withName(target)
    return named.length > 1
      ? yield* new SyncError.AmbiguousMemory({
          name,
          translationMemoryIds: named.map(({ translationMemoryId }) => translationMemoryId)
        })
      : named[0]
  })

const sourceLangOf = (
  memory: TranslationMemory | undefined,
  corrections: ReadonlyArray<Correction>,
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

/** The segments of a memory. Fewer than the service counts would be lost. */
const segmentsOf = (memories: TranslationMemories, memory: TranslationMemory | undefined) => {
  if (memory === undefined) return Stream.empty
  const { segmentCount = 0, translationMemoryId } = memory
  let sources = 0
  let targets = 0
  const counted = Stream.tap(memories.segmentsStream(translationMemoryId), (segment) =>
    Effect.sync(() => {
      sources++
      targets += segment.targets.length
    })
  )
  // It may count texts or their translations.
  const missing = Stream.suspend(() =>
    Math.max(sources, targets) < segmentCount
      ? Stream.fail(
          new SyncError.SegmentsMissing({ translationMemoryId, expected: segmentCount, received: sources })
        )
      : Stream.empty
  )
  return Stream.concat(counted, missing)
}

/** Makes the file of the memory's content and the corrections, and begins its import if it differs from the memory. */
export const begin = (
  { journal, memories, options }: Target,
  memory: TranslationMemory | undefined,
  corrections: ReadonlyArray<Correction>
): Pushing<Merge> =>
  Effect.gen(function* () {
    const sourceLang = yield* sourceLangOf(memory, corrections, options.sourceLang)
    const merge = new Merge(corrections, sourceLang)
    const file = journal.tmx
    const bytes = segmentsOf(memories, memory).pipe(
      Stream.mapConcat(merge.segment),
      Stream.concat(Stream.suspend(() => Stream.fromIterable(merge.rest()))),
      Tmx.encode({ sourceLang }),
      Stream.catchTag("FormatError", ({ message }) =>
        Stream.fail(new SyncError.MemoryJournalError({ file, reason: `can't be written: ${message}` }))
      )
    )
    yield* memoryJournal.writeFile(file, bytes)
    const translationMemoryId = memory?.translationMemoryId
    if (!merge.isChanged) {
      yield* files.discard(file)
      yield* journal.change({ translationMemoryId })
      return merge
    }
    const { size } = yield* sourceOf(file)
    const { jobId, uploadUrl } = yield* memories.startImport({
      sourceFile: { fileName: "corrections.tmx", contentType: "application/xml", contentLength: size },
      parameters: { displayName: options.name }
    })
    const { dropped } = merge.counts
    yield* journal.change({ translationMemoryId, begun: { jobId, uploadUrl, dropped } })
    return merge
  })

/** Deletes the memories whose places were taken. Each is forgotten once it is gone. */
export const deleteSuperseded = ({
  journal,
  memories
}: Target): Effect.Effect<
  ReadonlyArray<string>,
  CallError | SyncError.MemoryJournalError,
  FileSystem.FileSystem | Path.Path
> =>
  Effect.forEach(journal.entry().superseded, (id) =>
    memories.delete(id).pipe(
      Effect.catchTag("NotFound", () => Effect.void),
      Effect.zipRight(
        Effect.suspend(() =>
          journal.change({ superseded: journal.entry().superseded.filter((other) => other !== id) })
        )
      ),
      Effect.as(id)
    )
  )
