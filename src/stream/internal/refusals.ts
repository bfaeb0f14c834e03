import type { StreamError } from "../Outcome.js"

/** What a refused batch leads to: its texts are sent in another way, or fail, or the stream ends, since the rest would fail too. */
type Verdict = "resend" | "fail" | "stop"

/** So many requests may be refused before one has succeeded. Then the options are taken to be at fault. */
export const maxBeforeSuccess = 12

/** Whether the options may be what the service refuses. */
export const mayBlameOptions = ({ _tag }: StreamError): boolean =>
  _tag === "BadRequest" || _tag === "UnexpectedStatus"

export const judge = (error: StreamError, areOptionsRefused: boolean): Verdict => {
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
      return areOptionsRefused ? "stop" : "resend"
    case "UnexpectedStatus":
      return areOptionsRefused ? "stop" : "fail"
    default:
      return "fail"
  }
}
