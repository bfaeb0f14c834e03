/**
 * The news of streams to their progress.
 *
 * @since 0.1.0
 */
import type * as Outcome from "./Outcome.js"

/**
 * The key by which streams find the observer of a progress.
 *
 * @since 0.1.0
 * @category constants
 */
export const observe: unique symbol = Symbol.for("effect-translate/Progress")

/**
 * The languages of a stream.
 *
 * @since 0.1.0
 * @category models
 */
export interface Languages {
  /** The source language. @default detected by the service */
  readonly sourceLang?: string | undefined
  /** The target language. @default the language of the texts, where they are improved */
  readonly targetLang?: string | undefined
}

/**
 * The news of a batch.
 *
 * @since 0.1.0
 * @category models
 */
export interface Batch {
  /** An attempt whose result is unknown is repeated, and may be billed once more. */
  readonly repeated: () => void
  /** It was answered, or has failed with an error of this tag. */
  readonly ended: (requests: number, cost: Outcome.Cost, error?: string) => void
}

/**
 * The news of a stream. Calls are synchronous and cheap: one or two for each batch, and one for each chunk of outcomes.
 *
 * @since 0.1.0
 * @category models
 */
export interface Observer {
  /** A batch with these numbers of texts and characters is sent. */
  readonly sent: (texts: number, characters: number) => Batch
  /** Elements leave the stream. */
  readonly emitted: (outcomes: ReadonlyArray<Outcome.Outcome<unknown, unknown>>) => void
  /**
   * Batches wait, since the circuit breaker has opened with an error of this tag, until one of them is sent at this time, in
   * milliseconds of the clock; without an error, it has closed.
   */
  readonly outage: (error: string | undefined, retryAt?: number) => void
}
