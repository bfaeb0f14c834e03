import type { StreamError } from "../StreamError.js"

/**
 * What a refused batch leads to: its texts are sent in another way, or they fail, or the job ends, since all that is
 * left of it would fail in the same way.
 */
export type Verdict = "resend" | "fail" | "stop"

/** So many requests of a job are refused at most while none has succeeded: then the options are at fault. */
const mostRefused = 12

/** Judges the refusals of a job. */
export interface Judge {
  /** A request has succeeded, so the service takes the options. */
  readonly accept: () => void
  /** Until then one request at a time is sent. */
  readonly isAccepted: () => boolean
  readonly judge: (error: StreamError) => Verdict
}

export const make = (): Judge => {
  let isAccepted = false
  let refused = 0
  const isTooMany = () => !isAccepted && ++refused >= mostRefused
  return {
    accept: () => {
      isAccepted = true
    },
    isAccepted: () => isAccepted,
    judge: (error) => {
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
          return isTooMany() ? "stop" : "resend"
        case "UnexpectedStatus":
          return isTooMany() ? "stop" : "fail"
        default:
          return "fail"
      }
    }
  }
}
