/**
 * Every way in which a document fails once the service has it, with a tag for each cause. No error holds a document's key
 * or content.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

/**
 * The mark by which errors of this module are known.
 *
 * @since 0.1.0
 * @category type ids
 */
export const TypeId: unique symbol = Symbol.for("effect-translate/DocumentError")

/**
 * The type of the mark by which errors of this module are known.
 *
 * @since 0.1.0
 * @category type ids
 */
export type TypeId = typeof TypeId

const withoutStop = (sentence: string): string => sentence.replace(/[.\s]+$/, "")

const quoted = (said: string | undefined): string =>
  said === undefined ? "" : ` The service says: ${withoutStop(said)}.`

/**
 * The service could not translate the document (status `error`). That is final: the document needs a change, or a new
 * upload.
 *
 * @since 0.1.0
 * @category errors
 */
export class DocumentFailed extends Schema.TaggedError<DocumentFailed>("effect-translate/DocumentFailed")(
  "DocumentFailed",
  {
    documentId: Schema.String,
    /** What the service says about it. */
    serviceMessage: Schema.optional(Schema.String)
  }
) {
  /**
   * @since 0.1.0
   */
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return `Document ${this.documentId} was not translated.${quoted(this.serviceMessage)} Correct the file, then say resubmit: ["failed"] to upload it again.`
  }
}

/**
 * The document was not done within the deadline. It is still with the service: wait again with the same handle.
 *
 * @since 0.1.0
 * @category errors
 */
export class DocumentOverdue extends Schema.TaggedError<DocumentOverdue>("effect-translate/DocumentOverdue")(
  "DocumentOverdue",
  {
    documentId: Schema.String,
    /** How long was waited. */
    after: Schema.DurationFromMillis,
    /** The status that was seen last; none if the service never told it. */
    lastStatus: Schema.optional(Schema.String),
    /** Why the last question went unanswered, if it did. */
    lastError: Schema.optional(Schema.String)
  }
) {
  /**
   * @since 0.1.0
   */
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    const seen = this.lastStatus === undefined ? "its status was never told" : `it was "${this.lastStatus}"`
    const error = this.lastError === undefined ? "" : ` The last question failed: ${this.lastError}`
    return `Document ${this.documentId} was not done after ${Duration.format(this.after)}: ${seen}. It was not uploaded in vain: wait again with the same handle, or raise the deadline.${error}`
  }
}

/**
 * 503 to a download of a document that is not done. Nothing is lost: wait with `DocumentTranslation.awaitDone`.
 *
 * @since 0.1.0
 * @category errors
 */
export class DocumentNotReady extends Schema.TaggedError<DocumentNotReady>(
  "effect-translate/DocumentNotReady"
)("DocumentNotReady", {
  documentId: Schema.String,
  /** The last known status. */
  lastStatus: Schema.String
}) {
  /**
   * @since 0.1.0
   */
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return `Document ${this.documentId} can't be downloaded yet: it is "${this.lastStatus}". Wait with DocumentTranslation.awaitDone.`
  }
}

/**
 * The service does not give the document out any more: 503 to a download of a document that was done, or 404 to a handle
 * that the service once gave. A second download is impossible.
 *
 * Source: service specification, States and transitions, Document translation; wire facts, Documents.
 *
 * @since 0.1.0
 * @category errors
 */
export class AlreadyDownloaded extends Schema.TaggedError<AlreadyDownloaded>(
  "effect-translate/AlreadyDownloaded"
)("AlreadyDownloaded", {
  documentId: Schema.String,
  /** What the service says about it. */
  serviceMessage: Schema.optional(Schema.String)
}) {
  /**
   * @since 0.1.0
   */
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return `The service does not give document ${this.documentId} out any more: it has been downloaded already, or the key or the region is another than at its upload.${quoted(this.serviceMessage)} If that file is lost, a new upload is needed, which is billed again.`
  }
}

/**
 * Why a download is lost: the connection was `cut` or the answer ended before its `Content-Length`, nothing came for the
 * idle time-out (`stalled`), or what came could not be written (`unwritten`).
 *
 * @since 0.1.0
 * @category schemas
 */
export const LostReason = Schema.Literal("cut", "stalled", "unwritten")

const whatHappened: { readonly [reason in typeof LostReason.Type]: string } = {
  cut: "the answer ended before it was whole",
  stalled: "nothing came any more within the idle time-out",
  unwritten: "what came could not be written"
}

/**
 * A download began and did not end. The service gives a document out once, so this translation is most probably gone:
 * a second download is impossible, and a new upload is billed again. Nothing is left under the output's name.
 *
 * @since 0.1.0
 * @category errors
 */
export class DownloadLost extends Schema.TaggedError<DownloadLost>("effect-translate/DownloadLost")(
  "DownloadLost",
  {
    documentId: Schema.String,
    reason: LostReason,
    /** Bytes that came. */
    received: Schema.Number,
    /** More about the reason. */
    detail: Schema.optional(Schema.String)
  }
) {
  /**
   * @since 0.1.0
   */
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    const detail = this.detail === undefined ? "" : ` (${this.detail})`
    return `The download of document ${this.documentId} is lost after ${this.received} bytes: ${whatHappened[this.reason]}${detail}. The service gives a document out once, so a second download is impossible: a new upload is needed, which is billed again.`
  }
}

/**
 * The output can't be written. If the document had been downloaded by then, it is kept in another file.
 *
 * @since 0.1.0
 * @category errors
 */
export class OutputUnusable extends Schema.TaggedError<OutputUnusable>("effect-translate/OutputUnusable")(
  "OutputUnusable",
  {
    output: Schema.String,
    /** What is wrong with it. */
    reason: Schema.String,
    /** Where the whole translation is instead; none if nothing was downloaded. */
    kept: Schema.optional(Schema.String)
  }
) {
  /**
   * @since 0.1.0
   */
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    const kept =
      this.kept === undefined
        ? "Nothing was downloaded"
        : `The translation is whole, and kept in ${this.kept}: move it where you want it`
    return `${this.output === "" ? "The output" : this.output} ${this.reason}. ${kept}.`
  }
}

/**
 * Nobody knows whether the service has taken the upload: a run ended amid it, or no answer came. It may be billed, without
 * a way to its translation. It is not sent again by itself.
 *
 * @since 0.1.0
 * @category errors
 */
export class AmbiguousUpload extends Schema.TaggedError<AmbiguousUpload>("effect-translate/AmbiguousUpload")(
  "AmbiguousUpload",
  {
    file: Schema.String,
    targetLang: Schema.String,
    /** What is known. */
    reason: Schema.String
  }
) {
  /**
   * @since 0.1.0
   */
  readonly [TypeId]: TypeId = TypeId
  override get message(): string {
    return `Whether the upload of ${this.file} into ${this.targetLang} arrived is unknown: ${withoutStop(this.reason)}. It may have been billed. Look at the usage, then say resubmit: ["ambiguous"] to upload it again.`
  }
}

/**
 * Every way in which a document fails once the service may have it.
 *
 * @since 0.1.0
 * @category errors
 */
export type DocumentError =
  | DocumentFailed
  | DocumentOverdue
  | DocumentNotReady
  | AlreadyDownloaded
  | DownloadLost
  | OutputUnusable
  | AmbiguousUpload

/**
 * Whether a value is an error of this module.
 *
 * @since 0.1.0
 * @category guards
 */
export const isDocumentError = (u: unknown): u is DocumentError => Predicate.hasProperty(u, TypeId)
