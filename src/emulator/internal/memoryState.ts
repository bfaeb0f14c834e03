import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as ServiceError from "../../api/ServiceError.js"
import type * as TranslateApi from "../../api/TranslateApi.js"
import type * as TranslationMemory from "../../api/TranslationMemory.js"
import type * as TranslationMemoryJob from "../../api/TranslationMemoryJob.js"
import type { Account, AccountState } from "./account.js"
import { refuse } from "./answer.js"
import type { Received } from "./bodyReader.js"
import * as ids from "./ids.js"
import * as memoryContent from "./memoryContent.js"
import { refusal } from "./refusal.js"

/**
 * The emulator's treatment of imports and exports of translation memories.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslationMemoryJobOptions {
  /** The time for which an import is still `awaiting_input` once its file has come. @default 0 */
  readonly inputTime?: Duration.DurationInput | undefined
  /** The time for which each job is `processing`. @default 0: it is done at once */
  readonly processingTime?: Duration.DurationInput | undefined
}

/** The time in which a file may be sent or fetched, in milliseconds. */
const lifetime = 3_600_000

interface Job {
  readonly jobId: string
  readonly account: Account
  readonly createdAt: number
  /** Names the address of its file. */
  readonly token: string
}

interface Import extends Job {
  readonly operation: "import"
  readonly request: TranslationMemoryJob.ImportRequest
  receivedAt?: number
  made?: memoryContent.Stored & { readonly skipped: number }
}

interface Export extends Job {
  readonly operation: "export"
  readonly translationMemoryId: string
  readonly file: Uint8Array
  isDownloaded: boolean
}

const prefix = "/translation-memory-files/"

/** True for the path of a job's file, which is no endpoint of the contract. */
export const isFile = (path: string): boolean => path.startsWith(prefix)

/** The translation memories of the accounts, and the jobs that make and export them. */
export class MemoryState {
  private readonly jobs = new Map<string, Import | Export>()
  private readonly seeded = new WeakSet<Account>()

  constructor(
    private readonly options: TranslationMemoryJobOptions,
    private readonly account: AccountState,
    private readonly seeds: ReadonlyArray<TranslationMemory.TranslationMemory>
  ) {}

  private statusOf(job: Import | Export, now: number): TranslationMemoryJob.JobResult["status"] {
    const inputMillis = Duration.toMillis(this.options.inputTime ?? 0)
    const processingMillis = Duration.toMillis(this.options.processingTime ?? 0)
    if (job.operation === "export") {
      if (now < job.createdAt + processingMillis) return "processing"
      return now >= job.createdAt + lifetime ? "expired" : job.isDownloaded ? "downloaded" : "completed"
    }
    if (job.receivedAt === undefined) return now < job.createdAt + lifetime ? "awaiting_input" : "expired"
    const since = now - job.receivedAt
    if (since < inputMillis) return "awaiting_input"
    if (since < inputMillis + processingMillis) return "processing"
    return job.made === undefined ? "failed" : "completed"
  }

  /** The memories of the caller: those of the settings, and those of imports that are done. */
  readonly own = Effect.gen(this, function* () {
    const { account } = yield* this.account.caller
    const all = account.translationMemories
    if (!this.seeded.has(account)) {
      this.seeded.add(account)
      for (const memory of this.seeds) {
        const id = memory.translationMemoryId
        if (!all.has(id)) all.set(id, { memory, segments: [] })
      }
    }
    const now = yield* Clock.currentTimeMillis
    const hidden = Array.from(this.jobs.values()).flatMap((job) =>
      job.operation === "import" && job.made !== undefined && this.statusOf(job, now) !== "completed"
        ? [job.made.memory.translationMemoryId]
        : []
    )
    return new Map(Array.from(all).filter(([id]) => !hidden.includes(id)))
  })

  readonly find = (
    translationMemoryId: string
  ): Effect.Effect<memoryContent.Stored, typeof ServiceError.NotFound.Type, TranslateApi.Caller> =>
    Effect.flatMap(this.own, (own) => {
      const found = own.get(translationMemoryId.toLowerCase())
      return found === undefined
        ? refusal("NotFound", "There is no translation memory of this translation_memory_id")
        : Effect.succeed(found)
    })

  readonly remove = (translationMemoryId: string) =>
    Effect.gen(this, function* () {
      const { memory } = yield* this.find(translationMemoryId)
      const { account } = yield* this.account.caller
      account.translationMemories.delete(memory.translationMemoryId)
    })

  private readonly begin = Effect.gen(this, function* () {
    const { account } = yield* this.account.caller
    const [jobId, ...secrets] = yield* Effect.all([ids.make, ids.make, ids.make])
    const createdAt = yield* Clock.currentTimeMillis
    return { jobId, account, createdAt, token: secrets.join("") }
  })

  readonly startImport = (request: TranslationMemoryJob.ImportRequest, base: URL) =>
    Effect.map(this.begin, (begun) => {
      this.jobs.set(begun.jobId, { ...begun, operation: "import", request })
      return {
        jobId: begun.jobId,
        uploadUrl: this.addressOf(begun, base),
        expiresAt: DateTime.unsafeMake(begun.createdAt + lifetime)
      }
    })

  /** An export, and `true` if it was made by an earlier request. */
  readonly startExport = (translationMemoryId: string) =>
    Effect.gen(this, function* () {
      const stored = yield* this.find(translationMemoryId)
      const id = stored.memory.translationMemoryId
      const begun = yield* this.begin
      const status = (job: Export) => this.statusOf(job, begun.createdAt)
      const earlier = Array.from(this.jobs.values()).find(
        (job) =>
          job.operation === "export" &&
          job.account === begun.account &&
          job.translationMemoryId === id &&
          (status(job) === "processing" || status(job) === "completed")
      )
      if (earlier !== undefined) return { jobId: earlier.jobId, translationMemoryId: id, isEarlier: true }
      const file = yield* Effect.orDie(memoryContent.write(stored))
      const job: Export = {
        ...begun,
        operation: "export",
        translationMemoryId: id,
        file,
        isDownloaded: false
      }
      this.jobs.set(job.jobId, job)
      return { jobId: job.jobId, translationMemoryId: id, isEarlier: false }
    })

  private addressOf({ token }: Job, base: URL) {
    return Redacted.make(new URL(prefix + token, base).href)
  }

  private resultOf(job: Import | Export, now: number, base: URL): TranslationMemoryJob.JobResult {
    const status = this.statusOf(job, now)
    const expiresAt = DateTime.unsafeMake(job.createdAt + lifetime)
    if (job.operation === "export") {
      const hasFile = status === "completed" || status === "downloaded"
      return {
        status,
        translationMemoryId: job.translationMemoryId,
        ...(hasFile && { downloadUrl: this.addressOf(job, base), expiresAt })
      }
    }
    switch (status) {
      case "awaiting_input":
        return { status, statusMetadata: { requiredAction: "upload_file" }, expiresAt }
      case "completed":
        return {
          status,
          translationMemoryId: job.made!.memory.translationMemoryId,
          skippedSegmentCount: job.made!.skipped
        }
      case "failed":
        return { status, error: { message: "The file is no well-formed TMX" } }
      default:
        return { status }
    }
  }

  readonly job = (jobId: string, base: URL) =>
    Effect.gen(this, function* () {
      const { account } = yield* this.account.caller
      const now = yield* Clock.currentTimeMillis
      const job = this.jobs.get(jobId)
      if (job === undefined || job.account !== account)
        return yield* refusal("NotFound", "There is no job of this job_id")
      return {
        jobId,
        product: "translation_memory",
        operation: job.operation,
        creationTime: DateTime.unsafeMake(job.createdAt),
        updatedTime: DateTime.unsafeMake(now),
        results: [this.resultOf(job, now, base)]
      }
    })

  private readonly receive = (job: Import, bytes: Uint8Array) =>
    Effect.gen(this, function* () {
      const { parameters, sourceFile } = job.request
      if (bytes.length !== sourceFile.contentLength) {
        return refuse(
          400,
          `The file holds ${bytes.length} bytes, not ${sourceFile.contentLength} as announced`
        )
      }
      // The same file once more changes nothing.
      if (job.receivedAt !== undefined) return HttpServerResponse.empty({ status: 200 })
      const translationMemoryId = yield* ids.make
      const made = yield* Effect.option(
        memoryContent.read(bytes, {
          name: parameters?.displayName ?? sourceFile.fileName,
          translationMemoryId
        })
      )
      job.receivedAt = yield* Clock.currentTimeMillis
      if (made._tag === "Some" && made.value.segments.length > 0) {
        job.made = made.value
        const { memory, segments } = made.value
        job.account.translationMemories.set(translationMemoryId, { memory, segments })
      }
      return HttpServerResponse.empty({ status: 200 })
    })

  /** Takes or gives out the file of a job. The address stands for the key, as in stores of files: a request must send no other one. */
  readonly transfer = (
    method: string,
    path: string,
    { content, hasKey, isTooLarge }: Received & { readonly hasKey: boolean }
  ): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const token = path.slice(prefix.length)
      const job = Array.from(this.jobs.values()).find((job) => job.token === token)
      const isUpload = job?.operation === "import"
      if (job === undefined || method !== (isUpload ? "PUT" : "GET")) {
        return Effect.succeed(refuse(404, "There is no such file"))
      }
      if (hasKey) return Effect.succeed(refuse(400, "The address is the key: send no Authorization"))
      if (now >= job.createdAt + lifetime) return Effect.succeed(refuse(403, "The address has expired"))
      if (isTooLarge) return Effect.succeed(refuse(413, "The file is too large: split it"))
      if (job.operation === "import") return this.receive(job, content)
      job.isDownloaded = true
      return Effect.succeed(HttpServerResponse.uint8Array(job.file, { contentType: "application/xml" }))
    })
}
