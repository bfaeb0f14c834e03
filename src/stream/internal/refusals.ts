import { isStoreError } from "../../store/StoreError.js"
import type { StreamError } from "../Outcome.js"

/** What a refused batch leads to: its texts are sent in another way, or fail, or the stream ends, since the rest would fail too. */
type Verdict = "resend" | "fail" | "stop"

/** So many requests may be refused before one has succeeded. Then the options are taken to be at fault. */
const maxBeforeSuccess = 12

/** So many requests may be refused in a row after one has succeeded. Then the service is taken to refuse everything. */
const maxInRow = 200

/** Judges the errors of a stream's batches. */
export class Refusals {
  private inRow = 0
  private hasSucceeded = false

  succeeded(): void {
    this.hasSucceeded = true
    this.inRow = 0
  }

  judge(error: StreamError): Verdict {
    if (isStoreError(error)) return "stop"
    const mayRefuseAll = this.count(error)
    switch (error._tag) {
      case "Unauthorized":
      case "QuotaExceeded":
      case "NotFound":
      case "UnsupportedMediaType":
      case "UriTooLong":
      case "InvalidRequest":
      case "BudgetExceeded":
      case "Outage":
        return "stop"
      case "TransportError":
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

  /** Counts a refusal, and tells whether there were too many of them. */
  private count({ _tag }: StreamError): boolean {
    const mayBlameOptions = _tag === "BadRequest" || _tag === "UnexpectedStatus"
    const isRefusal = mayBlameOptions || _tag === "PayloadTooLarge" || _tag === "RateLimited"
    if (this.hasSucceeded ? isRefusal : mayBlameOptions) this.inRow++
    return this.inRow >= (this.hasSucceeded ? maxInRow : maxBeforeSuccess)
  }
}
