/**
 * Counts of the emulator's requests and billed characters. Tests assert cost with it.
 *
 * @since 0.1.0
 */

/**
 * Counts of one key, or of all requests. They only grow: a new billing period does not reset them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Counts {
  /** Requests that arrived, refused and faulted ones included. */
  readonly requests: number
  /** Texts that were translated, billed or not. */
  readonly texts: number
  /** Characters (code points) that were billed. */
  readonly characters: number
  /** Documents that were accepted: each upload is one. */
  readonly uploads: number
  /** Translated documents that were downloaded. */
  readonly downloads: number
  /** Bytes of the bodies that arrived. */
  readonly bytesReceived: number
  /** Answers by status. A cut connection has none. */
  readonly statuses: { readonly [status: number]: number }
}

/**
 * A document that was accepted.
 *
 * @since 0.1.0
 * @category models
 */
export interface AcceptedDocument {
  readonly documentId: string
  readonly fileName: string
  readonly targetLang: string
  /** True once its translation was downloaded. */
  readonly isDownloaded: boolean
}

/**
 * Counts of all requests, and of each key.
 *
 * @since 0.1.0
 * @category models
 */
export interface Meter extends Counts {
  /** Counts by key. Requests without an accepted key are in no key's counts. */
  readonly keys: { readonly [key: string]: Counts }
  /** The documents that were accepted, in their order. */
  readonly documents: ReadonlyArray<AcceptedDocument>
  /** Faults that were served. */
  readonly faults: number
  /** The most requests in flight at the same time, those refused with 429 included. */
  readonly maxConcurrent: number
}
