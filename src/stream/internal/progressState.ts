import type * as Duration from "effect/Duration"
import type * as Outcome from "../Outcome.js"

/**
 * Options of {@link make}.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The texts of the whole job, those of all its streams: a `Forecast` knows them. @default unknown */
  readonly total?: number | undefined
  /** The texts of each target language, in any casing; `total` is their sum, unless it is given. @default unknown */
  readonly totals?: Readonly<Record<string, number>> | undefined
  /** True if the totals are estimates: each is unknown again once more than that is done. @default false */
  readonly isEstimate?: boolean | undefined
  /** The price of a million billed characters, in any currency. @default unknown */
  readonly pricePerMillion?: number | undefined
}

/**
 * The counts of the streams into one language.
 *
 * @since 0.1.0
 * @category models
 */
export interface TargetState extends Outcome.Texts, Outcome.Cost {
  /** The target language; `undefined` for texts that are improved in their own. */
  readonly targetLang: string | undefined
  /** Texts that have their outcome: the sum of translated, cached, skipped and failed ones. */
  readonly done: number
  /** The texts of the whole job, if that was told, and an estimate has not proved too small. */
  readonly total: number | undefined
  /** Requests that were sent, repetitions included, and have ended. */
  readonly requests: number
  /** The number of requests that were repetitions. */
  readonly retries: number
  /** Requests that have failed for good, by the tags of their errors. */
  readonly refusals: Readonly<Record<string, number>>
  /**
   * The texts that were sent and have not ended. If the job was interrupted, their bill is unknown: at most these
   * characters, including attempts with an unknown result that were repeated.
   */
  readonly inFlight: { readonly texts: number; readonly characters: number }
}

/**
 * The progress of a job, in all languages. When it has ended, texts and characters are those of `Outcome.tally`.
 *
 * @since 0.1.0
 * @category models
 */
export interface State extends Omit<TargetState, "targetLang"> {
  /** The languages: those of `totals` in their order, then others as they come. */
  readonly targets: ReadonlyArray<TargetState>
  /** The tag of the error that requests wait for, while the circuit breaker is open, or that it has ended with. */
  readonly outage: string | undefined
  /** When the service is tried again while the circuit breaker is open: zero while it is. */
  readonly nextTry: Duration.Duration | undefined
  /** The cost of `characters`, and the cost if all requests in flight, or with an unknown result, are billed too. */
  readonly cost: { readonly least: number; readonly most: number } | undefined
  /** Texts that get their outcome in a second, over the last ten seconds. */
  readonly rate: number
  /** The time for the rest of the total at this rate. */
  readonly timeLeft: Duration.Duration | undefined
}
