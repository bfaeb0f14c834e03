/**
 * Every way in which a document fails once the service has it, with a tag for each cause. No error holds a document's key
 * or content.
 *
 * @since 0.1.0
 */

import * as Schema from "effect/Schema"
import * as duration from "../internal/duration.js"
import { is, TaggedError } from "../internal/taggedError.js"

const withoutStop = (sentence: string): string => sentence.replace(/[.\s]+$/, "")

const quoted = (said: string | undefined): string =>
  said === undefined ? "" : ` The service says: ${withoutStop(said)}.`

/**
 * The service could not translate the document (status `error`). Waiting does not help: correct the file and upload it
 * again.
 *
 * @since 0.1.0
 * @category errors
 */
export class DocumentFailed extends TaggedError<DocumentFailed>()(
  "DocumentFailed",
  {
    documentId: Schema.String,
    /** The service's message. */
    serviceMessage: Schema.optional(Schema.String)
  },
  (self) =>
    `Document ${self.documentId} was not translated.${quoted(self.serviceMessage)} Correct the file, then say \`resubmit: ["failed"]\` to upload it again.`
) {}

/**
 * The document was not done within the deadline. The service still has it: wait again with the same handle.
 *
 * @since 0.1.0
 * @category errors
 */
export class DocumentOverdue extends TaggedError<DocumentOverdue>()(
  "DocumentOverdue",
  {
    documentId: Schema.String,
    /** The time that it was waited for. */
    after: Schema.Duration,
    /** The last status; none if no request for it succeeded. */
    lastStatus: Schema.optional(Schema.String),
    /** Why the last request for the status failed, if it did. */
    lastError: Schema.optional(Schema.String)
  },
  (self) => {
    const seen = self.lastStatus === undefined ? "its status was never told" : `it was "${self.lastStatus}"`
    const error = self.lastError === undefined ? "" : ` The last question failed: ${self.lastError}`
    return `Document ${self.documentId} was not done after ${duration.format(self.after)}: ${seen}. It was not uploaded in vain: wait again with the same handle, or raise the deadline.${error}`
  },
  { isRetryable: true }
) {}

/**
 * The document is not done yet, so it can't be downloaded. Nothing is lost: wait with `DocumentTranslation.awaitDone`.
 *
 * @since 0.1.0
 * @category errors
 */
export class DocumentNotReady extends TaggedError<DocumentNotReady>()(
  "DocumentNotReady",
  {
    documentId: Schema.String,
    /** The last known status. */
    lastStatus: Schema.String
  },
  (self) =>
    `Document ${self.documentId} can't be downloaded yet: it is "${self.lastStatus}". Wait with DocumentTranslation.awaitDone.`,
  { isRetryable: true }
) {}

/**
 * The service does not give the document out any more: 503 to the download of a document that was done, or 404 to a handle
 * that was valid before. A second download is impossible.
 *
 * Source: service specification, States and transitions, Document translation; wire facts, Documents.
 *
 * @since 0.1.0
 * @category errors
 */
export class AlreadyDownloaded extends TaggedError<AlreadyDownloaded>()(
  "AlreadyDownloaded",
  {
    documentId: Schema.String,
    /** The service's message. */
    serviceMessage: Schema.optional(Schema.String)
  },
  (self) =>
    `The service does not give document ${self.documentId} out any more: it has been downloaded already, or the key or the region is another than at its upload.${quoted(self.serviceMessage)} If that file is lost, a new upload is needed, which is billed again.`
) {}

/**
 * Why a download is lost: the connection was cut or the response ended before its `Content-Length` (`cut`), nothing arrived
 * for the idle time-out (`stalled`), or the bytes could not be written (`unwritten`).
 *
 * @since 0.1.0
 * @category schemas
 */
export const LostReason = Schema.Literal("cut", "stalled", "unwritten")

const lostBecause: { readonly [reason in typeof LostReason.Type]: string } = {
  cut: "the answer ended before it was whole",
  stalled: "nothing came any more within the idle time-out",
  unwritten: "the download could not be written"
}

/**
 * A download was cut or stalled, and the service said then that it does not have the document any more; or the bytes could
 * not be written. A new upload is billed again. The output stays as it was.
 *
 * @since 0.1.0
 * @category errors
 */
export class DownloadLost extends TaggedError<DownloadLost>()(
  "DownloadLost",
  {
    documentId: Schema.String,
    reason: LostReason,
    /** The bytes that arrived. */
    received: Schema.Number,
    /** More about the reason. */
    detail: Schema.optional(Schema.String)
  },
  (self) => {
    const detail = self.detail === undefined ? "" : ` (${self.detail})`
    return `The download of document ${self.documentId} is lost after ${self.received} bytes: ${lostBecause[self.reason]}${detail}. The service gives a document out once, so a second download is impossible: a new upload is needed, which is billed again.`
  },
  { isFatal: ({ reason }) => reason === "unwritten" }
) {}

/**
 * The answer to a download is no translation: it is empty, or by its content type or first bytes JSON, HTML or another type
 * of file than the document's. Probably a proxy has sent it. Nothing was written. The service still has the document, unless
 * it has sent that itself.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotATranslation extends TaggedError<NotATranslation>()(
  "NotATranslation",
  {
    documentId: Schema.String,
    /** The `X-Trace-ID` of the answer, if the service has sent it. */
    traceId: Schema.optional(Schema.String)
  },
  (self) => {
    const trace = self.traceId === undefined ? "" : ` Trace id: ${self.traceId}.`
    return `The download of document ${self.documentId} is no translation: it is empty, or another type of file. Look at the proxies between, then download it again with the same handle: the service still has it, unless it has sent that itself.${trace}`
  }
) {}

/**
 * An equal file was translated before, but the output that has its translation is gone, or was changed since it was written.
 * So there is nothing to copy. It is not uploaded again unless `resubmit` allows it.
 *
 * @since 0.1.0
 * @category errors
 */
export class OutputLost extends TaggedError<OutputLost>()(
  "OutputLost",
  {
    documentId: Schema.String,
    /** The file that had the translation. */
    output: Schema.String,
    reason: Schema.Literal("missing", "changed")
  },
  (self) =>
    `An equal file was translated before, into ${self.output}, which ${self.reason === "missing" ? "is gone" : "was changed since"}: bring it back as it was, or say \`resubmit: ["lost"]\` to upload the file again, which is billed again.`
) {}

/**
 * The file was changed between the moment when its content was read and its upload. The upload was not completed.
 *
 * @since 0.1.0
 * @category errors
 */
export class DocumentChanged extends TaggedError<DocumentChanged>()(
  "DocumentChanged",
  { file: Schema.String },
  (self) => `${self.file} was changed before all of it was sent, so nothing was translated. Run it again.`
) {}

/**
 * Why an output can't be written: it has no name (`unnamed`), is a folder (`folder`), exists already (`taken`), is the output of
 * another item of the batch too (`shared`), or the file system refuses it (`refused`).
 *
 * @since 0.1.0
 * @category schemas
 */
export const UnusableReason = Schema.Literal("unnamed", "folder", "taken", "shared", "refused")

const unusableBecause: { readonly [reason in typeof UnusableReason.Type]: string } = {
  unnamed: "is empty: name a file",
  folder: "is a folder: name a file in it",
  taken: "exists already: choose another output, or say overwrite",
  shared: "is the output of another item too",
  refused: "can't be written"
}

/**
 * The output can't be written. If the document was downloaded before that was found, another file has it.
 *
 * @since 0.1.0
 * @category errors
 */
export class DocumentOutputUnusable extends TaggedError<DocumentOutputUnusable>()(
  "DocumentOutputUnusable",
  {
    output: Schema.String,
    reason: UnusableReason,
    /** More about the reason. */
    detail: Schema.optional(Schema.String),
    /** The file that has the whole translation; none if nothing was downloaded. */
    kept: Schema.optional(Schema.String)
  },
  (self) => {
    const kept =
      self.kept === undefined
        ? "Nothing was downloaded"
        : `The translation is whole, and kept in ${self.kept}: move it ${self.reason === "refused" ? "there; with a journal, the next run does that" : "where you want it"}`
    const detail = self.detail === undefined ? "" : ` (${self.detail})`
    return `${self.output === "" ? "The output" : self.output} ${unusableBecause[self.reason]}${detail}. ${kept}.`
  }
) {}

/**
 * The disk of the output takes no more: it has too little space for the translation, or a write to it has failed. Nothing
 * was downloaded for this output: uploaded documents stay with the service and in the journal, and the next run downloads
 * them.
 *
 * @since 0.1.0
 * @category errors
 */
export class DiskFull extends TaggedError<DiskFull>()(
  "DiskFull",
  {
    output: Schema.String,
    /** The reason. */
    reason: Schema.String
  },
  (self) =>
    `${self.output} was not downloaded, since the disk takes no more: ${withoutStop(self.reason)}. Make space, then run it again: what is uploaded is downloaded then, and not paid twice.`,
  { isFatal: true }
) {}

/**
 * It is unknown if the upload arrived: a run ended while it was being sent, or no response came. It may be billed, and
 * without its handle there is no way to its translation. It is not sent again unless `resubmit` allows it.
 *
 * @since 0.1.0
 * @category errors
 */
export class AmbiguousUpload extends TaggedError<AmbiguousUpload>()(
  "AmbiguousUpload",
  {
    file: Schema.String,
    targetLang: Schema.String,
    /** The reason. */
    reason: Schema.String
  },
  (self) =>
    `It is unknown if the upload of ${self.file} into ${self.targetLang} arrived: ${withoutStop(self.reason)}. It may have been billed. Look at the usage, then say \`resubmit: ["ambiguous"]\` to upload it again.`
) {}

/**
 * The effect `haltWhen` of the batch has ended before the document was there. The same batch again goes on with it.
 *
 * @since 0.1.0
 * @category errors
 */
export class BatchHalted extends TaggedError<BatchHalted>()(
  "BatchHalted",
  {
    /** The document, if the service has it already: it is not uploaded again. */
    documentId: Schema.optional(Schema.String)
  },
  (self) =>
    self.documentId === undefined
      ? "The batch was stopped before this was uploaded: run the same batch again."
      : `The batch was stopped, and document ${self.documentId} is uploaded: the same batch again downloads it.`,
  { isFatal: true }
) {}

/**
 * The document was to be fetched, but the journal knows of no upload of it. Translate it.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotUploaded extends TaggedError<NotUploaded>()(
  "NotUploaded",
  {
    file: Schema.String,
    targetLang: Schema.String
  },
  (self) => `${self.file} was not uploaded to be translated into ${self.targetLang}: translate it.`
) {}

/**
 * Every way in which a document fails. The encoded form is JSON.
 *
 * @since 0.1.0
 * @category schemas
 */
export const DocumentError = Schema.Union(
  DocumentFailed,
  DocumentOverdue,
  DocumentNotReady,
  AlreadyDownloaded,
  DownloadLost,
  NotATranslation,
  OutputLost,
  DocumentChanged,
  DocumentOutputUnusable,
  DiskFull,
  AmbiguousUpload,
  BatchHalted,
  NotUploaded
)

/**
 * Every way in which a document fails once the service may have it.
 *
 * @since 0.1.0
 * @category errors
 */
export type DocumentError = typeof DocumentError.Type

/**
 * Returns `true` for an error of a document.
 *
 * @since 0.1.0
 * @category guards
 */
export const isDocumentError = is(DocumentError)
