import type { StreamError } from "../Outcome.js"

/** What a refused batch leads to: its texts are sent in another way, or fail, or the stream ends, since the rest would fail too. */
export type Verdict = "resend" | "fail" | "stop"

/** The most requests that are refused while none has succeeded: then the options are at fault. */
export const most = 12

export const judge = (error: StreamError, isTooOftenRefused: () => boolean): Verdict => {
  switch (error._tag) {
    case "Unauthorized":
    case "QuotaExceeded":
    case "NotFound":
    case "UnsupportedMediaType":
    case "UriTooLong":
    case "InvalidRequest":
    case "BudgetExceeded":
      return "stop"
    case "PayloadTooLarge":
      return "resend"
    case "BadRequest":
      return isTooOftenRefused() ? "stop" : "resend"
    case "UnexpectedStatus":
      return isTooOftenRefused() ? "stop" : "fail"
    default:
      return "fail"
  }
}
