/**
 * Documents, one request at a time: the upload of a file, its status, and the download of its translation.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type * as Document from "../api/Document.js"
import type { DocumentSource } from "./DocumentSource.js"
import type * as TranslateError from "./TranslateError.js"

/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export {
  conversions,
  extension,
  formalityTargets,
  inputTypes,
  Status,
  translatedName
} from "../api/Document.js"

const fields = {
  documentId: Schema.String,
  /** The name that the document was uploaded with. */
  name: Schema.String,
  /** The name for its translation: the extension may be another one. */
  translatedName: Schema.String,
  /** The language that it is translated into. */
  targetLang: Schema.String
}

/**
 * What a document's upload gives. Who has the key can download the translation: encoding keeps it redacted. To store a
 * handle, encode it with {@link StoredDocumentHandle}.
 *
 * Source: service specification, Resources, "Document translation handle".
 *
 * @since 0.1.0
 * @category schemas
 */
export const DocumentHandle = Schema.Struct({
  ...fields,
  documentKey: Schema.RedactedFromSelf(Schema.String)
}).annotations({ identifier: "DocumentHandle" })

/**
 * What a document's upload gives.
 *
 * @since 0.1.0
 * @category models
 */
export interface DocumentHandle extends Schema.Schema.Type<typeof DocumentHandle> {}

/**
 * A handle as JSON, **with its key in plain text**: what a journal stores and loads. Keep it where a password may be kept.
 *
 * @since 0.1.0
 * @category codecs
 */
export const StoredDocumentHandle = Schema.Struct({
  ...fields,
  documentKey: Schema.Redacted(Schema.String)
}).annotations({
  identifier: "StoredDocumentHandle"
})

/**
 * The options of an upload.
 *
 * @since 0.1.0
 * @category models
 */
export interface UploadOptions extends Document.UploadOptions {
  /** Sends an output format too that the specification does not name for this type of file. @default false */
  readonly isAnyFormatAllowed?: boolean | undefined
}

/**
 * The options of a download.
 *
 * @since 0.1.0
 * @category models
 */
export interface DownloadOptions {
  /** The longest time without headers, and then without a byte. @default 1 minute */
  readonly idleTimeout?: Duration.DurationInput | undefined
}

/**
 * What the status and the download ask for; any handle has it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Access extends Pick<DocumentHandle, "documentId" | "documentKey"> {}

/**
 * Documents, one request at a time: `documents` of the client.
 *
 * @since 0.1.0
 * @category models
 */
export interface Documents {
  /**
   * Uploads a file: `POST /v2/document`, as multipart of a known length that is never held whole, unless it is in memory
   * already. Every upload is billed. So it is not sent again by itself if it may have arrived; if it was certainly not
   * taken (no connection, 503, 529) it is, but not a `DocumentSource.fromStream`.
   *
   * A refusal that comes before the file has arrived ends the upload; node:http may show it as a time-out only.
   *
   * Fetch is an exception: it sends a stream without its length and holds more of it in memory, and browsers take
   * streams over HTTP/2 only, if at all. There, use `DocumentSource.fromBytes`.
   *
   * Errors: `InvalidRequest`, before anything is sent, for a type of file that the service does not take, an empty file, a
   * glossary without `sourceLang`, `more` or `less` formality where there is none, and a conversion that is none; and for
   * a source that holds more or fewer bytes than its size, of which the service has got a part then. `RateLimited` at
   * once, since it may mean too many documents that wait for their download. The source's own errors.
   *
   * Source: service specification, Endpoints, Document translation; wire facts, Documents.
   */
  readonly upload: <E = never>(
    source: DocumentSource<E>,
    options: UploadOptions
  ) => Effect.Effect<DocumentHandle, TranslateError.TranslateError | E>
  /**
   * How far a translation is: `POST /v2/document/{document_id}`.
   *
   * Errors: `NotFound` for an unknown id, a wrong key, or another region.
   *
   * Source: wire facts, Documents.
   */
  readonly status: (handle: Access) => Effect.Effect<Document.Status, TranslateError.TranslateError>
  /**
   * The bytes of a translation: `POST /v2/document/{document_id}/result`. The service gives them once, and removes the
   * document then: a stream that fails or is left has lost them, and fails with an `ambiguous` error at the latest when
   * fewer bytes came than were announced.
   *
   * Errors: `ServerError` of status 503 at once, for a translation that is not ready, or was downloaded before;
   * `TransportError` for a connection that was cut; `TimedOut` for one on which nothing comes.
   *
   * Source: service specification, States and transitions, Document translation; wire facts, Documents.
   */
  readonly download: (
    handle: Access,
    options?: DownloadOptions
  ) => Stream.Stream<Uint8Array, TranslateError.TranslateError>
}
