/**
 * Documents, one request at a time: the upload of a file, its status, and the download of its translation.
 *
 * @since 0.1.0
 */
import type * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Document from "../api/Document.js"
import * as LanguageCode from "../api/LanguageCode.js"
import * as RequestRules from "../api/RequestRules.js"
import type { DocumentSource } from "./DocumentSource.js"
import * as download from "./internal/calling/download.js"
import type { Endpoints } from "./internal/calling/endpoints.js"
import * as multipart from "./internal/calling/multipart.js"
import * as responseDecoding from "./internal/calling/responseDecoding.js"
import * as uploads from "./internal/calling/uploads.js"
import * as freeTier from "./internal/checking/freeTier.js"
import type * as requestRules from "./internal/checking/requestRules.js"
import * as quotable from "./internal/redacting/quotable.js"
import * as redact from "./internal/redacting/redact.js"
import { refuse } from "./RequestChecks.js"
import * as RetryPolicy from "./RetryPolicy.js"
import type { CallError } from "./TranslateError.js"

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
 * The handle of an uploaded document. Its key gives access to the translation, so encoding keeps the key redacted. To store
 * a handle, encode it with {@link StoredDocumentHandle}.
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
 * The handle of an uploaded document.
 *
 * @since 0.1.0
 * @category models
 */
export interface DocumentHandle extends Schema.Schema.Type<typeof DocumentHandle> {}

/**
 * A handle as JSON, **with its key in plain text**, for journals. Store it where you would store a password.
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
  /** Allows output formats that the specification does not name for this type of file. @default false */
  readonly isAnyFormatAllowed?: boolean | undefined
}

/**
 * The options of a download.
 *
 * @since 0.1.0
 * @category models
 */
export interface DownloadOptions {
  /** The longest wait of each attempt for the headers, and then for more bytes. @default 1 minute */
  readonly idleTimeout?: Duration.DurationInput | undefined
}

/**
 * The part of a handle that the status and the download need.
 *
 * @since 0.1.0
 * @category models
 */
export interface Access extends Pick<DocumentHandle, "documentId" | "documentKey"> {
  /** The name of the document: the service's messages are compared with it, so that none repeats it. */
  readonly name?: string | undefined
  /** The first bytes of the document, compared as the name is. @default the documents that this client has uploaded lately */
  readonly beginning?: Uint8Array | undefined
  /** The name for its translation. By its extension a download tells a translation from a page of a proxy. */
  readonly translatedName?: string | undefined
}

/**
 * Documents, one request at a time: `documents` of the client.
 *
 * @since 0.1.0
 * @category models
 */
export interface Documents {
  /**
   * Uploads a file: `POST /v2/document`. The body is multipart of a known length, and is streamed unless the file is in
   * memory. Every upload is billed, so one that may have arrived is not sent again. One that the service certainly did not
   * take (no connection, 503, 529) is sent again, unless it is a `DocumentSource.fromStream`.
   *
   * If the service refuses the file before all of it has arrived, the upload ends. On node:http that may appear as a
   * time-out.
   *
   * Fetch sends a stream without its length and keeps more of it in memory. Browsers support such streams only over HTTP/2,
   * if at all: use `DocumentSource.fromBytes` there.
   *
   * Errors:
   * - `InvalidRequest` before anything is sent: the service does not take this type of file, the file is empty, a glossary
   *   needs `sourceLang`, the target language has no formality, or there is no such conversion.
   * - `InvalidRequest` during the upload: the source has more or fewer bytes than its size.
   * - `RateLimited` at once: too many documents may wait for their download.
   * - The errors of the source.
   *
   * Source: service specification, Endpoints, Document translation; wire facts, Documents.
   *
   * @example
   * const bytes = new TextEncoder().encode("Good morning")
   * const handle = yield* client.documents.upload(DocumentSource.fromBytes("notes.txt", bytes), { targetLang: "de" })
   */
  readonly upload: <E = never>(
    source: DocumentSource<E>,
    options: UploadOptions
  ) => Effect.Effect<DocumentHandle, CallError | E>
  /**
   * The status of a translation: `POST /v2/document/{document_id}`.
   *
   * Errors: `NotFound` for an unknown id, a wrong key, or another region.
   *
   * Source: wire facts, Documents.
   *
   * @example
   * const done = yield* client.documents
   *   .status(handle)
   *   .pipe(Effect.repeat({ until: ({ status }) => status === "done", schedule: Schedule.spaced("1 second") }))
   */
  readonly status: (handle: Access) => Effect.Effect<Document.Status, CallError>
  /**
   * The bytes of a translation: `POST /v2/document/{document_id}/result`. The service sends them once and then removes the
   * document, so a stream that is not read to its end loses them.
   *
   * Until the headers are there, a request that was cut, timed out or failed with a 5xx but 503 is sent again, as the
   * `RetryPolicy` says: a silent service is given up after six times the `idleTimeout`, and up to 16 s of pauses. A download
   * that has begun is not begun again: `DocumentTranslation.download` does that.
   *
   * A proxy may answer in the place of the service. So an answer that is empty, or that by its content type or first bytes
   * is JSON, HTML, or another type of file than `translatedName` says, is no translation. The service still has the document
   * then, if the request did not reach it.
   *
   * Errors:
   * - `UndecodableResponse`: the answer is no translation.
   * - `ServerError` of status 503 at once: the translation is not ready, or was downloaded before. If its
   *   `ambiguousAttempts` are not 0, an attempt of this call may have been that download.
   * - `TransportError`: the connection was cut, or fewer bytes came than announced.
   * - `TimedOut`: nothing came for the `idleTimeout`.
   *
   * Source: service specification, States and transitions, Document translation; wire facts, Documents.
   *
   * @example
   * const translated = yield* Stream.runCollect(client.documents.download(handle))
   */
  readonly download: (handle: Access, options?: DownloadOptions) => Stream.Stream<Uint8Array, CallError>
}

interface Upload {
  readonly body: HttpBody.HttpBody
  readonly reading: uploads.Reading
}

const uploader = (
  { define, region, send }: Endpoints,
  known: requestRules.Languages,
  recentUploads: quotable.RecentUploads
): Documents["upload"] => {
  const decode = responseDecoding.make(Document.UploadResult)
  const run = define({
    endpoint: Document.upload,
    resend: "never",
    // A 429 may mean that too many documents wait for their download: waiting here does not help.
    busy: [503, 529],
    // Bytes are stored before the answer, not translated: in a hundredth of the time of characters.
    size: ({ reading: { size } }: Upload) => size / 100,
    document: ({ reading }) => reading.document,
    send: ({ body, reading }: Upload, call) =>
      reading.attempt(
        call,
        Effect.flatMap(
          send(call, HttpClientRequest.setBody(HttpClientRequest.post(Document.upload.path), body)),
          (received) => decode(call, received)
        )
      )
  })

  return <E>(source: DocumentSource<E>, options: UploadOptions) =>
    Effect.gen(function* () {
      yield* freeTier.check(region, Document.upload, options)
      const name = options.filename ?? source.name
      const problems = [
        ...RequestRules.ofDocument(Object(options)),
        ...RequestRules.ofFile(known.kind, {
          name,
          type: Document.extension(name),
          size: source.size,
          field: options.filename === undefined ? "file.name" : "filename"
        }),
        ...known.problems("translate_document", options)
      ]
      yield* refuse(Document.upload, problems, known.kind)
      const parts = yield* uploads.fieldsOf(source, options)
      const document = new quotable.Quotable(name)
      const reading = new uploads.Reading(source, document, Document.upload, "file.size")
      const { content, size } = reading
      const body = yield* multipart.make(parts, { name: source.name, size, content })
      const { documentId, documentKey } = yield* reading.upload(run({ body, reading }))
      recentUploads.add(documentId, document)
      return {
        documentId,
        documentKey,
        name,
        translatedName: Document.translatedName(name, options.outputFormat),
        targetLang: LanguageCode.canonical(options.targetLang)
      }
    })
}

interface Download {
  readonly access: Access
  /** Holds the connection once the attempt has succeeded. */
  readonly scope: Scope.Scope
}

const downloader = (
  { define, group }: Endpoints,
  { find }: quotable.RecentUploads
): Documents["download"] => {
  // Not all transports decode: an encoded body would be taken for the translation.
  const identity = HttpClientRequest.setHeader("accept-encoding", "identity")
  const { client } = group("documents", HttpClient.mapRequest(identity))
  const open = define({
    endpoint: Document.download,
    // The service keeps a document until it was downloaded, and bills nothing for another request.
    resend: "always",
    isTimeoutFixed: true,
    // A 503 means that the document is not ready, or was downloaded.
    busy: [429, 529],
    document: ({ access }: Download) => find(access),
    send: ({ access, scope }: Download, call) =>
      Effect.gen(function* () {
        const api = yield* client
        const { documentId, documentKey } = access
        const connection = yield* Scope.fork(scope, ExecutionStrategy.sequential)
        const close = Scope.close(connection, Exit.void)
        yield* Effect.addFinalizer(() => close)
        const request = { path: { documentId }, payload: { documentKey }, withResponse: true } as const
        const [, response] = yield* Scope.extend(api.download(request), connection)
        return { call, close, response }
      })
  })
  return (access, { idleTimeout = "1 minute" } = {}) =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const timeout = Duration.decode(idleTimeout)
        const scope = yield* Effect.scope
        const opened = RetryPolicy.withRetryPolicy({ timeout })(open({ access, scope }))
        const { translatedName } = access
        const type = translatedName === undefined ? undefined : Document.extension(translatedName)
        return yield* download.receive(yield* opened, { idleTimeout: timeout, type })
      })
    )
}

/** @internal */
export const make = (endpoints: Endpoints, known: requestRules.Languages): Documents => {
  const { client } = endpoints.group("documents")
  const uploaded = quotable.recentUploads()
  return {
    upload: uploader(endpoints, known, uploaded),
    status: endpoints.define({
      endpoint: Document.status,
      resend: "always",
      document: uploaded.find,
      send: (access: Access, call) =>
        Effect.gen(function* () {
          const api = yield* client
          const { documentId, documentKey } = access
          const { message, ...status } = yield* api.status({ path: { documentId }, payload: { documentKey } })
          const said = status.errorMessage ?? (status.status === "error" ? message : undefined)
          return said === undefined ? status : { ...status, errorMessage: redact.message(call, said) }
        })
    }),
    download: downloader(endpoints, uploaded)
  }
}
