/**
 * Jobs that make a translation memory of a file, or a file of a translation memory.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as Schema from "effect/Schema"
import { accepted } from "./internal/successStatus.js"
import * as time from "./internal/time.js"
import * as wire from "./internal/wire.js"
import * as Limits from "./Limits.js"
import * as Text from "./Text.js"

const characters = (limit: number) =>
  Schema.String.pipe(
    Schema.filter((text) => {
      if (text === "") return "is empty: give a name"
      const size = Text.characters(text)
      return size <= limit ? true : `holds ${size} characters; the limit is ${limit}: shorten it`
    })
  )

const { max: most, min: least } = Limits.translationMemoryFileBytes

/**
 * The metadata of a new translation memory: its TMX file is sent afterwards.
 *
 * Source: wire facts, Translation memories, the whole group.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ImportRequest = Schema.Struct({
  sourceFile: wire.required(
    Schema.Struct({
      /** Up to 100 characters. */
      fileName: wire.required(characters(Limits.translationMemoryFileNameCharacters), "file_name"),
      /** @default "application/xml" */
      contentType: wire.optional(Schema.String, "content_type"),
      /** Bytes: 1 to 1,000,000,000. */
      contentLength: wire.required(
        Schema.Number.pipe(
          Schema.filter((size) =>
            Number.isInteger(size) && size >= least && size <= most
              ? true
              : `is ${size}; it must be from ${least} to ${most} bytes: split the file`
          )
        ).annotations({ jsonSchema: { type: "integer", minimum: least, maximum: most } }),
        "content_length"
      )
    }),
    "source_file"
  ),
  parameters: Schema.optional(
    Schema.Struct({
      /** The name of the memory. @default the name of the file */
      displayName: wire.required(
        Schema.String.pipe(Schema.filter((name) => (name === "" ? "is empty: give a name" : true))),
        "display_name"
      )
    })
  )
}).annotations({ ...wire.strict, identifier: "TranslationMemoryImportRequest" })

/**
 * The metadata of a new translation memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface ImportRequest extends Schema.Schema.Type<typeof ImportRequest> {}

const secret = Schema.Redacted(Schema.String)

/**
 * An import that waits for its file. The address gives everyone the right to send the file, so it is redacted.
 *
 * Source: wire facts, Translation memories, the whole group.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ImportStarted = wire.named("TranslationMemoryImportStarted", {
  jobId: wire.required(Schema.String, "job_id"),
  /** Where the file goes, by `PUT` and without a key. */
  uploadUrl: wire.required(secret, "upload_url"),
  expiresAt: wire.hint(time.Utc, "expires_at")
})

/**
 * An import that waits for its file.
 *
 * @since 0.1.0
 * @category models
 */
export interface ImportStarted extends Schema.Schema.Type<typeof ImportStarted> {}

/**
 * An export that has begun.
 *
 * Source: wire facts, Translation memories, the whole group.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ExportStarted = wire.named("TranslationMemoryExportStarted", {
  jobId: wire.required(Schema.String, "job_id"),
  parameters: wire.hint(
    wire.record({ translationMemoryId: wire.hint(Schema.String, "translation_memory_id") }),
    "parameters"
  )
})

/**
 * An export that has begun.
 *
 * @since 0.1.0
 * @category models
 */
export interface ExportStarted extends Schema.Schema.Type<typeof ExportStarted> {}

/**
 * The progress of a job.
 *
 * @since 0.1.0
 * @category schemas
 */
export const JobResult = wire.named("TranslationMemoryJobResult", {
  /** `completed`, `downloaded`, `failed` and `expired` are final. `unknown` if the answer leaves it out. */
  status: wire.defaulted(
    wire.open("awaiting_input", "processing", "completed", "downloaded", "failed", "expired"),
    "status",
    () => "unknown"
  ),
  statusMetadata: wire.hint(
    wire.record({ requiredAction: wire.hint(Schema.String, "required_action") }),
    "status_metadata"
  ),
  /** The memory that an import has made. */
  translationMemoryId: wire.hint(Schema.String, "translation_memory_id"),
  /** The number of segments of the file that were left out. */
  skippedSegmentCount: wire.hint(Schema.Number, "skipped_segment_count"),
  /** The address of an exported file, which gives everyone access to it. */
  downloadUrl: wire.hint(secret, "download_url"),
  expiresAt: wire.hint(time.Utc, "expires_at"),
  error: wire.hint(wire.record({ message: wire.hint(Schema.String, "message") }), "error")
})

/**
 * The progress of a job.
 *
 * @since 0.1.0
 * @category models
 */
export interface JobResult extends Schema.Schema.Type<typeof JobResult> {}

/**
 * A job of a translation memory.
 *
 * Source: wire facts, Translation memories, the whole group.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Job = wire.named("TranslationMemoryJob", {
  jobId: wire.required(Schema.String, "job_id"),
  product: wire.hint(Schema.String, "product"),
  operation: wire.hint(wire.open("import", "export"), "operation"),
  creationTime: wire.hint(time.Utc, "creation_time"),
  updatedTime: wire.hint(time.Utc, "updated_time"),
  /** One. */
  results: wire.defaulted(wire.items(JobResult), "results", () => [])
})

/**
 * A job of a translation memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface Job extends Schema.Schema.Type<typeof Job> {}

/**
 * `POST /v3/translation_memories/import`: 202.
 *
 * Source: wire facts, Translation memories, the whole group.
 *
 * @since 0.1.0
 * @category contract
 */
export const startImport = HttpApiEndpoint.post("startImport", "/v3/translation_memories/import")
  .setPayload(ImportRequest)
  .addSuccess(accepted(ImportStarted))

/**
 * `GET /v3/translation_memories/jobs/{job_id}`.
 *
 * Source: wire facts, Translation memories, the whole group.
 *
 * @since 0.1.0
 * @category contract
 */
export const job = HttpApiEndpoint.get("job", "/v3/translation_memories/jobs/:job_id")
  .setPath(Schema.Struct({ jobId: wire.pathId("job_id") }))
  .addSuccess(Job)
