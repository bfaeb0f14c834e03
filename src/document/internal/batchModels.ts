import type * as Effect from "effect/Effect"
import type * as Document from "../../api/Document.js"
import type * as Documents from "../../client/Documents.js"
import type * as DocumentError from "../DocumentError.js"
import type * as DocumentTranslation from "../DocumentTranslation.js"

/**
 * A file, with the language to translate it into.
 *
 * @since 0.1.0
 * @category models
 */
export interface Item {
  /** The file. */
  readonly path: string
  /** The language to translate into; any casing. */
  readonly targetLang: string
  /** The other options of the upload. @default none */
  readonly upload?: Omit<Documents.UploadOptions, "targetLang"> | undefined
  /** Where the translation goes. @default the language before the extension: `report.docx` becomes `report.de.docx` */
  readonly output?: string | undefined
}

/**
 * Options of a batch.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<A extends Item = Item> extends DocumentTranslation.CommonOptions {
  /**
   * The number of documents that are uploaded and awaited at once, and of further ones from an earlier run that are
   * awaited. The `ConcurrencyLimit` bounds the requests. @default 16
   */
  readonly concurrency?: number | undefined
  /**
   * Once this effect ends, nothing more is begun: uploads and downloads that are under way are finished, nothing is waited for, and the
   * stream fails with `BatchHalted`. The same batch again goes on. @default never
   */
  readonly haltWhen?: Effect.Effect<unknown> | undefined
  /** Called with each status of each document, for progress. @default nothing */
  readonly onStatus?: ((item: A, status: Document.Status) => Effect.Effect<void>) | undefined
}

/**
 * The translation is in the output.
 *
 * @since 0.1.0
 * @category models
 */
export interface Translated<A extends Item = Item> {
  readonly _tag: "Translated"
  readonly item: A
  readonly output: string
  readonly documentId: string
  /** The characters that the service has billed. */
  readonly billedCharacters: number | undefined
}

/**
 * There was nothing to upload: an earlier run has finished it (`done`), or an equal file was translated by the same options
 * (`duplicate`): in this run or an earlier one, and into another output, of which this output is a copy.
 *
 * @since 0.1.0
 * @category models
 */
export interface Skipped<A extends Item = Item> {
  readonly _tag: "Skipped"
  readonly item: A
  readonly output: string
  readonly reason: "done" | "duplicate"
}

/**
 * It was not translated. Nothing that is paid for is lost: the next run continues with it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failed<A extends Item = Item> {
  readonly _tag: "Failed"
  readonly item: A
  readonly output: string
  readonly error: DocumentTranslation.DocumentTranslationError
}

/**
 * It is unknown if its upload arrived. `resubmit: ["ambiguous"]` uploads it again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Ambiguous<A extends Item = Item> {
  readonly _tag: "Ambiguous"
  readonly item: A
  readonly output: string
  readonly error: DocumentError.AmbiguousUpload
}

/**
 * It was translated, but the service does not give it out any more, or the output to copy is gone or was changed. `resubmit: ["lost"]` uploads it again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Lost<A extends Item = Item> {
  readonly _tag: "Lost"
  readonly item: A
  readonly output: string
  readonly error: DocumentError.DownloadLost | DocumentError.AlreadyDownloaded | DocumentError.OutputLost
}

/**
 * The outcome of an item.
 *
 * @since 0.1.0
 * @category models
 */
export type Outcome<A extends Item = Item> = Translated<A> | Skipped<A> | Failed<A> | Ambiguous<A> | Lost<A>
