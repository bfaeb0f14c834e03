/**
 * The translation memories of the account.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Limits from "../api/Limits.js"
import * as TranslationMemory from "../api/TranslationMemory.js"
import type * as TranslationMemoryJob from "../api/TranslationMemoryJob.js"
import type { DocumentSource } from "./DocumentSource.js"
import type { Endpoints } from "./internal/calling/endpoints.js"
import * as memoryFiles from "./internal/calling/memoryFiles.js"
import * as memoryJobs from "./internal/calling/memoryJobs.js"
import * as pagination from "./internal/calling/pagination.js"
import * as quotable from "./internal/redacting/quotable.js"
import * as redact from "./internal/redacting/redact.js"
import type { CallError, RepeatedPage } from "./TranslateError.js"
import * as MemoryError from "./TranslationMemoryError.js"

/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export {
  Page,
  Segment,
  SegmentPage,
  SegmentQuery,
  SegmentTarget,
  TranslationMemory,
  TranslationMemoryList
} from "../api/TranslationMemory.js"

/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export { ExportStarted, ImportRequest, ImportStarted, Job, JobResult } from "../api/TranslationMemoryJob.js"

/**
 * Options for waiting for an import or an export.
 *
 * @since 0.1.0
 * @category models
 */
export interface WaitOptions {
  /**
   * The pauses between two questions how far the job is; its input is the job. When it ends, waiting fails with `MemoryJobOverdue`.
   * @default {@link pollSchedule}
   */
  readonly pollSchedule?: Schedule.Schedule<unknown, TranslationMemoryJob.Job> | undefined
}

/**
 * Options for making a memory of a file.
 *
 * @since 0.1.0
 * @category models
 */
export interface ImportOptions extends WaitOptions {
  /** The name of the memory. @default the name of the file */
  readonly name?: string | undefined
}

/**
 * Options for making a file of a memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface ExportOptions extends WaitOptions {
  /** The longest wait of each attempt for the headers of the file, and then for more bytes. @default 1 minute */
  readonly idleTimeout?: Duration.DurationInput | undefined
}

/**
 * The memory of an import.
 *
 * @since 0.1.0
 * @category models
 */
export interface Imported {
  /** The id of the new memory; `undefined` if the service does not say it. */
  readonly translationMemoryId: string | undefined
  /** The number of segments of the file that were left out. */
  readonly skippedSegmentCount: number
}

/**
 * The pauses while a job is waited for, with jitter: they grow from a quarter of a second to ten seconds, for two hours.
 *
 * @since 0.1.0
 * @category constants
 */
export const pollSchedule: Schedule.Schedule<unknown> = memoryJobs.pollSchedule

/**
 * Why a job is waited for in vain.
 *
 * @since 0.1.0
 * @category errors
 */
export type WaitError = CallError | MemoryError.MemoryJobFailed | MemoryError.MemoryJobOverdue

/**
 * The translation memories of the account: `translationMemories` of the client. There is no call that makes an empty one or changes
 * one: an import makes a new one.
 *
 * A key may have scopes. One that lacks `translation_memories:read` or `translation_memories:write` fails with `Unauthorized` of status
 * 403, whose message names the scope.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslationMemories {
  /**
   * A page of the list: `GET /v3/translation_memories`.
   *
   * Source: wire facts, translation memories.
   *
   * @example
   * const { translationMemories } = yield* client.translationMemories.list({ pageSize: 10 })
   */
  readonly list: (
    page?: TranslationMemory.Page
  ) => Effect.Effect<TranslationMemory.TranslationMemoryList, CallError>
  /** All of them, page after page until the service's count is reached, or a page is empty. */
  readonly stream: Stream.Stream<TranslationMemory.TranslationMemory, CallError | RepeatedPage>
  /**
   * Begins to make a memory of a TMX file: `POST /v3/translation_memories/import`. The answer says where the file goes: send it by
   * `upload`. It is not sent again by itself if it may have arrived; a job that never gets a file makes no memory.
   *
   * Source: wire facts, Translation memories, the whole group.
   *
   * @example
   * const tmx = new TextEncoder().encode(
   *   '<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>Mug</seg></tuv>' +
   *     '<tuv xml:lang="de"><seg>Becher</seg></tuv></tu></body></tmx>'
   * )
   * const started = yield* client.translationMemories.startImport({
   *   sourceFile: { fileName: "shop.tmx", contentLength: tmx.length },
   *   parameters: { displayName: "Shop" }
   * })
   * yield* client.translationMemories.upload(started, DocumentSource.fromBytes("shop.tmx", tmx))
   * const imported = yield* client.translationMemories.awaitImport(started.jobId)
   */
  readonly startImport: (
    request: TranslationMemoryJob.ImportRequest
  ) => Effect.Effect<TranslationMemoryJob.ImportStarted, CallError>
  /**
   * Sends the file of an import to its address, without the key. A file that is not in memory is streamed. It is sent again after a
   * failure that may pass, unless it is a `DocumentSource.fromStream`.
   *
   * Errors: `MemoryTransferRefused` if the address does not take it; `InvalidRequest` if the source has more or fewer bytes than its size;
   * the errors of the source.
   */
  readonly upload: <E = never>(
    started: Pick<TranslationMemoryJob.ImportStarted, "jobId" | "uploadUrl">,
    source: DocumentSource<E>
  ) => Effect.Effect<void, CallError | MemoryError.MemoryTransferRefused | E>
  /**
   * The progress of an import or an export: `GET /v3/translation_memories/jobs/{job_id}`. An import stays
   * `awaiting_input` for a while after its file was sent.
   *
   * Source: wire facts, Translation memories, the whole group.
   *
   * @example
   * const job = yield* client.translationMemories.job(started.jobId)
   */
  readonly job: (jobId: string) => Effect.Effect<TranslationMemoryJob.Job, CallError>
  /**
   * Waits until an import has made its memory.
   *
   * Errors: `MemoryJobFailed` if it ends with nothing; `MemoryJobOverdue` when the schedule ends.
   */
  readonly awaitImport: (jobId: string, options?: WaitOptions) => Effect.Effect<Imported, WaitError>
  /** Makes a memory of a TMX file, and waits for it: `startImport`, `upload` and `awaitImport`. Each call makes another memory. */
  readonly importTmx: <E = never>(
    source: DocumentSource<E>,
    options?: ImportOptions
  ) => Effect.Effect<Imported, WaitError | MemoryError.MemoryTransferRefused | E>
  /**
   * One memory, without segments: `GET /v3/translation_memories/{translation_memory_id}`.
   *
   * Source: wire facts, Translation memories, the whole group.
   *
   * @example
   * const memory = yield* client.translationMemories.get(imported.translationMemoryId!)
   */
  readonly get: (translationMemoryId: string) => Effect.Effect<TranslationMemory.TranslationMemory, CallError>
  /**
   * A page of the segments of a memory: `GET /v3/translation_memories/{translation_memory_id}/segments`.
   *
   * Source: wire facts, Translation memories, the whole group.
   *
   * @example
   * const { segments } = yield* client.translationMemories.segments(memory.translationMemoryId, { filterText: "mug" })
   */
  readonly segments: (
    translationMemoryId: string,
    query?: TranslationMemory.SegmentQuery
  ) => Effect.Effect<TranslationMemory.SegmentPage, CallError>
  /** The segments of a memory, page after page until no cursor names another one. */
  readonly segmentsStream: (
    translationMemoryId: string,
    query?: TranslationMemory.SegmentQuery
  ) => Stream.Stream<TranslationMemory.Segment, CallError | RepeatedPage>
  /**
   * Begins to make a TMX file of a memory, or finds the export that has begun:
   * `POST /v3/translation_memories/{translation_memory_id}/export`.
   *
   * Source: wire facts, Translation memories, the whole group.
   *
   * @example
   * const { jobId } = yield* client.translationMemories.startExport(memory.translationMemoryId)
   */
  readonly startExport: (
    translationMemoryId: string
  ) => Effect.Effect<TranslationMemoryJob.ExportStarted, CallError>
  /**
   * A memory as a TMX file: begins an export, waits for it, and emits the bytes of the file, which the service may give out once. While
   * the service answers that something else is done with the memory (409), it is asked again by the schedule.
   *
   * Errors: `MemoryBusy` when the schedule ends before the export has begun; `MemoryJobFailed`, `MemoryJobOverdue`;
   * `MemoryTransferRefused` if the file is not given out; `TransportError` and `TimedOut` amid the file.
   */
  readonly exportTmx: (
    translationMemoryId: string,
    options?: ExportOptions
  ) => Stream.Stream<Uint8Array, WaitError | MemoryError.MemoryTransferRefused | MemoryError.MemoryBusy>
  /**
   * Deletes a memory for good: `DELETE /v3/translation_memories/{translation_memory_id}`.
   *
   * Source: wire facts, Translation memories, the whole group.
   *
   * @example
   * yield* client.translationMemories.delete(memory.translationMemoryId)
   */
  readonly delete: (translationMemoryId: string) => Effect.Effect<void, CallError>
}

const pageSize = Limits.translationMemoryPageSize.max

interface OfMemory {
  readonly translationMemoryId: string
  readonly query: TranslationMemory.SegmentQuery
}

/** The progress of a job. Its messages are redacted, as they must not repeat the file. */
const jobOf = (
  { define, group }: Endpoints,
  uploaded: quotable.RecentUploads
): TranslationMemories["job"] => {
  const { client, endpoint } = group("translationMemories")
  return define({
    endpoint: endpoint("job"),
    resend: "always",
    document: (jobId) => uploaded.find({ documentId: jobId }),
    send: (jobId: string, call) =>
      Effect.gen(function* () {
        const api = yield* client
        const found = yield* api.job({ path: { jobId } })
        const results = found.results.map(({ error, ...result }) =>
          error?.message === undefined
            ? result
            : { ...result, error: { ...error, message: redact.message(call, error.message) } }
        )
        return { ...found, results }
      })
  })
}

const isBusy = (error: CallError): boolean => error._tag === "UnexpectedStatus" && error.status === 409

/** Begins an export, once nothing else is done with the memory. */
const exporter =
  (startExport: TranslationMemories["startExport"]) =>
  (translationMemoryId: string, schedule: Schedule.Schedule<unknown, TranslationMemoryJob.Job>) => {
    const pauses = Schedule.mapInput(schedule, (_: CallError) => ({ jobId: "", results: [] }))
    return startExport(translationMemoryId).pipe(
      Effect.retry(Schedule.whileInput(pauses, isBusy)),
      Effect.mapError((error) =>
        isBusy(error) ? new MemoryError.MemoryBusy({ translationMemoryId }) : error
      )
    )
  }

/** @internal */
export const make = (endpoints: Endpoints): TranslationMemories => {
  const { call, remove } = endpoints.group("translationMemories")
  const uploaded = quotable.recentUploads()
  const send = memoryFiles.uploader(endpoints)
  const receive = memoryFiles.downloader(endpoints)
  const job = jobOf(endpoints, uploaded)
  const list = call("list", "always", (page: TranslationMemory.Page) => ({ urlParams: page }))
  const getSegments = call("segments", "always", ({ query, translationMemoryId }: OfMemory) => ({
    path: { translationMemoryId },
    urlParams: query
  }))
  const segments: TranslationMemories["segments"] = (translationMemoryId, query = {}) =>
    getSegments({ translationMemoryId, query })
  const startImport = call("startImport", "never", (payload: TranslationMemoryJob.ImportRequest) => ({
    payload
  }))
  const startExport = call("startExport", "always", (translationMemoryId: string) => ({
    path: { translationMemoryId }
  }))
  const beginExport = exporter(startExport)
  const upload: TranslationMemories["upload"] = ({ jobId, uploadUrl }, source) => {
    const document = new quotable.Quotable(source.name)
    uploaded.add(jobId, document)
    return send(uploadUrl, source, document)
  }
  const awaitImport: TranslationMemories["awaitImport"] = (
    jobId,
    { pollSchedule: schedule = pollSchedule } = {}
  ) =>
    Effect.map(
      memoryJobs.awaitDone(job(jobId), { jobId, operation: "import" }, schedule),
      ({ skippedSegmentCount = 0, translationMemoryId }) => ({ translationMemoryId, skippedSegmentCount })
    )
  return {
    list: (page = {}) => list(page),
    stream: pagination.byNumber(
      TranslationMemory.list,
      ({ translationMemoryId }) => translationMemoryId,
      (page) =>
        Effect.map(list({ page, pageSize }), ({ totalCount, translationMemories }) => ({
          items: translationMemories,
          total: totalCount
        }))
    ),
    startImport,
    upload,
    job,
    awaitImport,
    importTmx: (source, { name, ...options } = {}) =>
      Effect.gen(function* () {
        const started = yield* startImport({
          sourceFile: {
            fileName: source.name,
            contentType: memoryFiles.contentType,
            contentLength: source.size
          },
          parameters: { displayName: name ?? source.name }
        })
        yield* upload(started, source)
        return yield* awaitImport(started.jobId, options)
      }),
    get: call("get", "always", (translationMemoryId: string) => ({ path: { translationMemoryId } })),
    segments,
    segmentsStream: (translationMemoryId, query = {}) =>
      pagination.byCursor(TranslationMemory.segments, query.pageCursor, (pageCursor) =>
        Effect.map(
          segments(translationMemoryId, {
            pageSize: Limits.translationMemorySegmentPageSize.max,
            ...query,
            pageCursor
          }),
          ({ nextPageCursor, segments }) => [segments, nextPageCursor || undefined]
        )
      ),
    startExport,
    exportTmx: (
      translationMemoryId,
      { idleTimeout = "1 minute", pollSchedule: schedule = pollSchedule } = {}
    ) =>
      Stream.unwrapScoped(
        Effect.gen(function* () {
          const { jobId } = yield* beginExport(translationMemoryId, schedule)
          const { downloadUrl, status } = yield* memoryJobs.awaitDone(
            job(jobId),
            { jobId, operation: "export" },
            schedule
          )
          return downloadUrl === undefined
            ? yield* new MemoryError.MemoryJobFailed({ operation: "export", jobId, status })
            : yield* receive(downloadUrl, Duration.decode(idleTimeout))
        })
      ),
    delete: remove("delete", (translationMemoryId: string) => ({ path: { translationMemoryId } }))
  }
}
