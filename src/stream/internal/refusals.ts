import type { StoreError } from "../../store/StoreError.js"
import type { StreamError } from "../Outcome.js"
import type { Batch } from "./packing.js"

/** The verdict on a refused batch: its texts are sent in another way, or fail, or the stream ends, since the rest would fail too. */
type Verdict = "resend" | "fail" | "stop"

/** The most requests that may be refused before one has succeeded. Then the options are taken to be at fault. */
const maxBeforeSuccess = 12

/** The most requests that the service fails with which are divided in a row. Then the next waits until one is answered. */
const maxDivided = 2

/** The most requests that may be refused in a row after one has succeeded. Then the service is taken to refuse everything. */
const maxInRow = 200

/** By their tags alone: a program without a store needs none of their classes. */
const ofStore: { readonly [tag in StoreError["_tag"]]: true } = {
  StoreUnavailable: true,
  StoreFull: true,
  StoreReadOnly: true,
  StoreDamaged: true,
  StoreReplaced: true,
  StoreVersionUnknown: true,
  SourcesNotKept: true
}

/** Judges the errors of a stream's batches. */
export class Refusals {
  private inRow = 0
  private dividedInRow = 0
  private readonly atFault = new WeakSet<StreamError>()
  /** The number of requests that were answered. */
  answered = 0

  succeeded(): void {
    this.inRow = 0
    this.dividedInRow = 0
    this.answered++
  }

  /**
   * True if a batch is divided after the service has failed with it in each of its attempts: its texts are sent in
   * parts, and a single one fails. Once is enough for texts that have failed before among others.
   */
  divides({ suspectedAt, texts }: Batch<unknown>, attempts: number): boolean {
    const isSuspected = suspectedAt !== undefined
    const isOne = texts.length === 1
    const isDue = attempts > 1 || (isSuspected && !isOne)
    if (!isDue || (isOne && !isSuspected) || this.dividedInRow >= maxDivided) return false
    this.dividedInRow++
    return true
  }

  /** The service has failed with a suspected text alone. It is at fault if others were answered since. */
  blame({ suspectedAt = Number.POSITIVE_INFINITY, texts }: Batch<unknown>, error: StreamError): void {
    if (texts.length === 1 && this.answered > suspectedAt) this.atFault.add(error)
  }

  /** True if the service fails with one text, while it answers others. */
  isAtFault(error: StreamError): boolean {
    return this.atFault.has(error)
  }

  judge(error: StreamError): Verdict {
    if (Object.hasOwn(ofStore, error._tag)) return "stop"
    const mayRefuseAll = this.count(error)
    switch (error._tag) {
      case "Unauthorized":
      case "QuotaExceeded":
      case "NotFound":
      case "UnsupportedMediaType":
      case "UriTooLong":
      case "InvalidRequest":
      case "Outage":
        return "stop"
      case "TransportError":
      case "ProxyRefused":
        return error.isRetryable ? "fail" : "stop"
      case "PayloadTooLarge":
      case "BadRequest":
        return mayRefuseAll ? "stop" : "resend"
      case "RateLimited":
      case "UnexpectedStatus":
        return mayRefuseAll ? "stop" : "fail"
      default:
        return "fail"
    }
  }

  /** Counts a refusal, and returns `true` if there were too many of them. */
  private count({ _tag }: StreamError): boolean {
    const mayBlameOptions = _tag === "BadRequest" || _tag === "UnexpectedStatus"
    const isRefusal = mayBlameOptions || _tag === "PayloadTooLarge" || _tag === "RateLimited"
    if (this.answered > 0 ? isRefusal : mayBlameOptions) this.inRow++
    return this.inRow >= (this.answered > 0 ? maxInRow : maxBeforeSuccess)
  }
}
